package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"gen": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command as a user would; each script tells one story. UPDATE=1 writes the
// golden parts anew: read the diff.
func TestScripts(t *testing.T) {
	// The go command that gen asks for export data keeps what it has built before.
	caches := []string{"GOCACHE", "GOMODCACHE"}
	out, err := exec.Command("go", append([]string{"env"}, caches...)...).Output()
	require.NoError(t, err)
	places := strings.Fields(string(out))
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireUniqueNames: true, UpdateScripts: os.Getenv("UPDATE") != "", Setup: func(env *testscript.Env) error {
		for i, name := range caches {
			env.Setenv(name, places[i])
		}
		return nil
	}})
}

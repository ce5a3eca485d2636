package gen

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"echo-gen": func() { os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr)) },
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
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireUniqueNames: true, UpdateScripts: os.Getenv("UPDATE") != "", Setup: func(env *testscript.Env) error {
		for i, name := range caches {
			env.Setenv(name, places[i])
		}
		env.Setenv("HOME", env.WorkDir) // the go command leaves things there
		env.Setenv("ROOT", root)
		env.Setenv("GORACE", os.Getenv("GORACE"))
		return nil
	}})
}

// withDeadline fails the test, with what all goroutines do, if f does not end.
func withDeadline(t *testing.T, f func() int) int {
	const deadline = 5 * time.Minute // what takes seconds on an idle machine
	done := make(chan int, 1)
	go func() { done <- f() }()
	select {
	case code := <-done:
		return code
	case <-time.After(deadline):
		buf := make([]byte, 1<<16)
		require.Fail(t, "the compiler does not end", "%s", buf[:runtime.Stack(buf, true)])
		return 0
	}
}

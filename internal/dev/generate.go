package dev

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Faults are lines that say what keeps the server from being made from the files as they are:
// file:line:column: what is wrong.
type Faults []string

func (f Faults) Error() string { return strings.Join(f, "\n") }

// generate runs go generate for the packages of all schemas, which writes nothing where there is
// a fault. The error is Faults, or that of a command that can't be run. It also gives what there
// is to say where nothing is wrong: warnings. It isn't stopped half-way: it would leave files.
func (m *module) generate(shown func(string) string) (warnings []string, err error) {
	type result struct {
		lines []string
		err   error
	}
	folders := m.folders()
	results := make([]result, len(folders))
	var all sync.WaitGroup
	for i, dir := range folders {
		all.Go(func() {
			out, err := m.run(context.Background(), dir, nil, "go", "generate", "-run", "echo-gen", ".")
			results[i] = result{m.messages(dir, out, shown), err}
		})
	}
	all.Wait()
	var faults Faults
	for _, r := range results {
		switch exit := (*exec.ExitError)(nil); {
		case r.err == nil:
			warnings = append(warnings, r.lines...)
		case errors.As(r.err, &exit):
			faults = append(faults, r.lines...)
		default:
			return nil, r.err
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	for _, r := range results {
		if r.err != nil {
			return nil, Faults{"go generate failed and said nothing; run it to see why"}
		}
	}
	return warnings, nil
}

// folders are the folders with //go:generate lines, each once.
func (m *module) folders() []string {
	var dirs []string
	for _, set := range m.sets {
		if !slices.Contains(dirs, set.from) {
			dirs = append(dirs, set.from)
		}
	}
	return dirs
}

// run runs a command in a folder, with more environment, and gives all that it prints. When ctx
// ends, the command ends, and what it has started.
func (m *module) run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	ownGroup(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// notice are lines that say nothing of schemas: the summary of echo-gen, and how commands tell of
// the one that they ran.
var notice = regexp.MustCompile(`^echo-gen: \d+ message types?, |: running "[^"]*": exit status \d+$|^exit status \d+$|^go: downloading `)

// messages takes what a command says in the folder dir apart, with the paths of schemas as shown
// gives them.
func (m *module) messages(dir string, out []byte, shown func(string) string) []string {
	var list []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || notice.MatchString(line) {
			continue
		}
		for _, set := range m.sets {
			prefix := filepath.Clean(set.shown) + string(filepath.Separator)
			if rest, ok := strings.CutPrefix(line, prefix); ok && set.from == dir {
				line = path.Join(filepath.ToSlash(shown(set.schemas)), "x")
				line = strings.TrimSuffix(line, "x") + rest
				break
			}
		}
		list = append(list, line)
	}
	return list
}

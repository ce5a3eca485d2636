package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/internal/process"
)

// FaultsError are lines that say what keeps the server from being made from the files as they are:
// file:line:column: what is wrong.
type FaultsError []string

func (f FaultsError) Error() string { return strings.Join(f, "\n") }

// generate generates the code of all schemas, where none has a fault. The error is FaultsError, or that
// of a command that can't be run. It also gives what there is to say where nothing is wrong:
// warnings. It isn't stopped half-way: it would leave files.
//
// It runs the commands of the lines itself. go generate would fail where a command removes a file
// of its package, as echo-gen does with that of a schema that is no more, and takes longer.
func (m *module) generate(shown func(string) string) (warnings []string, err error) {
	outputs, errs := make([][]string, len(m.sets)), make([]error, len(m.sets))
	var all sync.WaitGroup
	for i, set := range m.sets {
		all.Go(func() {
			out, err := m.echoGen(context.Background(), set)
			outputs[i], errs[i] = set.messages(out, shown), err
		})
	}
	all.Wait()
	var faults FaultsError
	for i, err := range errs {
		switch exit := (*exec.ExitError)(nil); {
		case err == nil:
			warnings = append(warnings, outputs[i]...)
		case errors.As(err, &exit) && len(outputs[i]) > 0:
			faults = append(faults, outputs[i]...)
		default:
			return nil, fmt.Errorf("%s: %w", strings.Join(m.sets[i].command, " "), err)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return warnings, nil
}

// echoGen runs the command of a set, with more flags, and gives all that it prints.
func (m *module) echoGen(ctx context.Context, set schemaSet, flags ...string) ([]byte, error) {
	args := slices.Concat(set.command[1:], flags)
	return m.run(ctx, set.from, set.env, set.command[0], args...)
}

// run runs a command in a folder, with more environment, and gives all that it prints. When ctx
// ends, the command ends, and what it has started.
func (m *module) run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	process.Group(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// notice are lines that say nothing of schemas: the summary of echo-gen, and what the go command
// says of the program that it ran or fetched.
var notice = regexp.MustCompile(`^echo-gen: \d+ message types?, |^exit status \d+$|^go: downloading `)

// messages takes what the command of a set says apart, with the paths of schemas as shown gives
// them.
func (s schemaSet) messages(out []byte, shown func(string) string) []string {
	var list []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || notice.MatchString(line) {
			continue
		}
		if rest, ok := strings.CutPrefix(line, filepath.Clean(s.shown)+string(filepath.Separator)); ok {
			line = filepath.ToSlash(shown(s.schemas)) + "/" + rest
		}
		list = append(list, line)
	}
	return list
}

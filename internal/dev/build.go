package dev

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// builder makes the program that serves the schemas as they are.
type builder struct {
	module    *module
	tmp       string // for what is not of the module
	shown     func(path string) string
	generated *state // from which all files were generated, nil for none
	base      *baseline
	last      *built // the last program, nil for none
	count     int    // of programs
}

// built is a program.
type built struct {
	program  string
	state    state
	warnings []string
	// generating and building are how long that took. A whole build compiled all message types,
	// another those that changed.
	generating, building time.Duration
	whole                bool
}

// build makes a program from the files, which are in state now. The error is FaultsError where
// something is wrong with them, and the error of ctx if that has ended.
func (b *builder) build(ctx context.Context, now state) (*built, error) {
	result := &built{state: now}
	again := b.last != nil && b.last.state.equal(now) // a change was taken back
	begun := time.Now()
	patched := make(chan error, 1)
	patching, stopPatching := context.WithCancel(ctx)
	defer stopPatching()
	patches, patchable := b.patches(now)
	if patchable && !again {
		go func() {
			var err error
			result.program, err = b.buildPatched(patching, patches)
			patched <- err
		}()
	} else {
		patched <- errNotPatched
	}
	var err error
	if b.stale(now) {
		result.warnings, err = b.module.generate(b.shown)
	}
	result.generating = time.Since(begun)
	if err != nil {
		stopPatching()
	}
	notPatched := <-patched
	if notPatched == nil && (err != nil || !b.covers(patches)) {
		_ = os.RemoveAll(filepath.Dir(result.program))
		notPatched = errNotPatched
	}
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	b.generated = &now
	switch {
	case again:
		result.program, result.whole = b.last.program, b.last.whole
		return result, nil
	case notPatched != nil:
		begun = time.Now()
		result.whole = true
		if result.program, err = b.buildWhole(ctx, now); err != nil {
			return nil, err
		}
	}
	result.building = time.Since(begun)
	if b.last != nil {
		_ = os.RemoveAll(filepath.Dir(b.last.program)) // where a running program can't be removed, it is at the end
	}
	b.last = result
	return result, nil
}

// stale reports whether the generated files may not be those of the schemas: whatever else
// changed, the line that generates them may have.
func (b *builder) stale(now state) bool { return b.generated == nil || !b.generated.equal(now) }

// buildPatched builds what is different to the last whole build, while all code is generated. The
// error says only that it can't be done.
func (b *builder) buildPatched(ctx context.Context, patches []*patch) (program string, err error) {
	if err := b.generatePatches(ctx, patches); err != nil {
		return "", err
	}
	overlay, err := b.overlay(patches)
	if err != nil {
		return "", err
	}
	program, err = b.goBuild(ctx, "-overlay", overlay)
	if err == nil && !b.verify(ctx, program, patches) {
		err = errNotPatched
	}
	if err != nil && program != "" {
		_ = os.RemoveAll(filepath.Dir(program))
	}
	return program, err
}

// buildWhole builds the program as it stands, and keeps what it was made from.
func (b *builder) buildWhole(ctx context.Context, now state) (program string, err error) {
	base := &baseline{state: now, files: map[string]string{}}
	for i, set := range b.module.sets {
		files, err := goFiles(set.out)
		if err != nil {
			return "", err
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			kept := filepath.Join(b.tmp, "base", strconv.Itoa(i), filepath.Base(path))
			if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
				return "", err
			}
			if err := os.WriteFile(kept, text, 0o600); err != nil {
				return "", err
			}
			base.files[path] = kept
		}
	}
	b.base = nil // its copies are gone
	if program, err = b.goBuild(ctx); err != nil {
		return "", err
	}
	b.base = base
	return program, nil
}

// goBuild builds the main package. The error is FaultsError where Go finds some.
func (b *builder) goBuild(ctx context.Context, args ...string) (program string, err error) {
	b.count++
	program = filepath.Join(b.tmp, "bin"+strconv.Itoa(b.count), filepath.Base(b.module.importPath(b.module.main))+exeSuffix())
	args = append([]string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", program}, args...)
	out, err := b.module.run(ctx, b.module.main, nil, "go", append(args, ".")...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", b.goFaults(out)
	}
	return program, err
}

// goFaults are the lines in which the go command says what is wrong.
func (b *builder) goFaults(out []byte) FaultsError {
	var faults FaultsError
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if file, rest, ok := strings.Cut(line, ":"); ok && strings.HasSuffix(file, ".go") && !filepath.IsAbs(file) {
			line = b.shown(filepath.Join(b.module.main, file)) + ":" + rest
		}
		faults = append(faults, line)
	}
	if faults == nil {
		faults = FaultsError{"go build failed and said nothing; run it to see why"}
	}
	return faults
}

// exeSuffix ends the names of programs.
func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

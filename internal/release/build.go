package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// program is the package that is released.
const program = "cmd/echo-mcp"

// stamped is the package whose variables version and commit the linker sets.
const stamped = "github.com/zenlix/echo-mcp/internal/cli"

// source is where the code comes from.
type source struct {
	described string    // as `echo-mcp version` says it: the commit, with -dirty where files had been changed; or "unknown"
	commit    string    // in 40 hexadecimal digits; "" if it isn't known
	modified  bool      // whether files differed from the commit
	time      time.Time // of the commit, in UTC
}

// readSource looks the commit up that make named. "unknown" is a source that says
// nothing.
func readSource(ctx context.Context, root, described string) (source, error) {
	s := source{described: described}
	if described == "unknown" {
		return s, nil
	}
	s.commit, s.modified = strings.CutSuffix(described, "-dirty")
	if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(s.commit) {
		return s, fmt.Errorf("not a commit: %s (leave COMMIT to make, or say COMMIT=unknown)", described)
	}
	out, err := command(ctx, root, nil, "git", "show", "--no-patch", "--format=%ct", s.commit)
	if err != nil {
		return s, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return s, fmt.Errorf("the time of commit %s: %w", s.commit, err)
	}
	s.time = time.Unix(seconds, 0).UTC()
	return s, nil
}

// flags are the arguments of `go build`. Paths and the go command's own stamp are left out,
// since they differ from one checkout to the next.
func (r release) flags() []string {
	return []string{
		"-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= -X " + stamped + ".version=" + r.version + " -X " + stamped + ".commit=" + r.source.described,
	}
}

// buildEnv is the environment that decides about the bytes, the platform apart. It is set,
// so that what the builder prefers (`go env -w` and go.work included) doesn't count. Only
// GOEXPERIMENT can't be set to its default; it shows in Go's version.
func buildEnv() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOFIPS140=off", "GOAMD64=v1", "GOARM64=v8.0"}
}

// binary is a program that was built.
type binary struct {
	platform
	name    string // of the file in dist/
	sha256  string
	info    *debug.BuildInfo // as read from the file
	modules []module         // what is linked: this module first, then the standard library, then by path
}

// build builds the program for a platform and finds out what is in it.
func (r release) build(ctx context.Context, p platform) (binary, error) {
	b := binary{platform: p, name: "echo-mcp_" + r.version + "_" + p.system + "_" + p.arch}
	if p.system == "windows" {
		b.name += ".exe"
	}
	path, err := filepath.Abs(filepath.Join(r.dist, b.name))
	if err != nil {
		return b, err
	}
	env := append(buildEnv(), "GOOS="+p.system, "GOARCH="+p.arch)
	args := append([]string{"build", "-o", path}, r.flags()...)
	if _, err := command(ctx, r.root, env, "go", append(args, "./"+program)...); err != nil {
		return b, err
	}
	if b.sha256, err = sha256File(path); err != nil {
		return b, err
	}
	if b.info, err = buildinfo.ReadFile(path); err != nil {
		return b, err
	}
	listed, err := listPackages(ctx, r.root, env)
	if err != nil {
		return b, err
	}
	b.modules, err = linked(b.info, listed)
	return b, err
}

// command runs a command in a folder and returns what it prints. Its error ends in what the
// command says on stderr.
func command(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

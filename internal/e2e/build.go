// Package e2e proves the built binary from outside: bytes_test.go with a raw client in Go,
// the *.test.mjs files with the official clients in JavaScript (make e2e).
package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build compiles the server into the file out. root is the module's folder. Without schemas
// it is the server as it ships; otherwise the message types are those of the folder schemas:
// the real compiler writes them to a throw-away folder, which takes the place of generated/
// for this one build.
func Build(ctx context.Context, root, schemas, out string) error {
	args := []string{"build", "-o", out}
	if schemas != "" {
		dir, err := os.MkdirTemp("", "echo-mcp-generated-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := goRun(ctx, root, "run", "./cmd/echo-gen", "-assert-format", "-schemas", schemas, "-out", dir, "-package", "generated"); err != nil {
			return err
		}
		overlay, err := writeOverlay(root, dir)
		if err != nil {
			return err
		}
		args = append(args, "-overlay", overlay)
	}
	return goRun(ctx, root, append(args, "./cmd/echo-mcp")...)
}

func goRun(ctx context.Context, root string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// writeOverlay writes the file for `go build -overlay` that hides what is in generated/ and
// shows the Go files of dir instead.
func writeOverlay(root, dir string) (string, error) {
	target, err := filepath.Abs(filepath.Join(root, "generated"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, from := range []string{target, dir} {
		files, err := filepath.Glob(filepath.Join(from, "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			by := file
			if from == target {
				by = "" // hidden, unless dir has a file of this name
			}
			replace[filepath.Join(target, filepath.Base(file))] = by
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// GoBuild compiles a package of the module as it is into the file out. root is the module's
// folder.
func GoBuild(ctx context.Context, root, pkg, out string) error {
	return goRun(ctx, root, "build", "-o", out, pkg)
}

// Command release builds what a release consists of into dist/:
//
//	go run ./internal/release VERSION COMMIT OS/ARCH…
//
// For each platform that is a static program and its bill of materials (CycloneDX, the
// program's name with .cdx.json); for all of them LICENSE, THIRD-PARTY-NOTICES.txt,
// server.json for the MCP registry, provenance.json and SHA256SUMS, which it prints. COMMIT
// has 40 hexadecimal digits, and -dirty behind them if there are other files than the
// commit's; or it is "unknown". The command runs in the root of the module.
//
// The same commit, version and Go give the same bytes: nothing that is written holds the
// time of day, the machine, a folder's name or chance.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) < 3 {
		return fmt.Errorf("wanted VERSION COMMIT OS/ARCH…, got %q", args)
	}
	r := release{version: args[0], root: ".", dist: "dist"}
	// Canonical makes v1.0.0 of v1 and leaves out what follows a plus sign.
	if !semver.IsValid(r.version) || semver.Canonical(r.version)+semver.Build(r.version) != r.version {
		return fmt.Errorf("not a version: %s (say make release VERSION=v1.2.3)", r.version)
	}
	for _, name := range args[2:] {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("not a platform: %s (say make release PLATFORMS=linux/amd64)", name)
		}
		r.platforms = append(r.platforms, platform{system, arch})
	}
	var err error
	if r.source, err = readSource(ctx, r.root, args[1]); err != nil {
		return err
	}
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if err := os.Mkdir(r.dist, 0o777); err != nil {
		return err
	}
	sums, err := r.make(ctx)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, sums)
	return err
}

// release says what is to be made.
type release struct {
	version    string // such as v1.2.3
	source     source
	platforms  []platform
	root, dist string // the folders of the module and of the result, which is there and empty
}

// platform is what a program is built for, in the words of Go.
type platform struct{ system, arch string }

// make writes everything and returns the text of SHA256SUMS. Its errors name the platform,
// the module or the file that they are about.
func (r release) make(ctx context.Context) (string, error) {
	var modules []module
	goVersion := ""
	for _, p := range r.platforms {
		b, err := r.build(ctx, p)
		if err != nil {
			return "", fmt.Errorf("%s/%s: %w", p.system, p.arch, err)
		}
		var bom bytes.Buffer
		if err := writeBOM(&bom, r, b); err != nil {
			return "", fmt.Errorf("%s/%s: %w", p.system, p.arch, err)
		}
		if err := r.write(b.name+".cdx.json", bom.Bytes()); err != nil {
			return "", err
		}
		modules = append(modules, b.modules...)
		goVersion = b.info.GoVersion
	}
	if err := r.write("THIRD-PARTY-NOTICES.txt", notices(modules)); err != nil {
		return "", err
	}
	for _, f := range []struct{ from, to, old, new string }{
		{from: "LICENSE", to: "LICENSE"},
		{"docs/deploy/server.json", "server.json", "0.0.0", strings.TrimPrefix(r.version, "v")},
	} {
		text, err := os.ReadFile(filepath.Join(r.root, f.from))
		if err != nil {
			return "", err
		}
		if f.old != "" {
			text = bytes.ReplaceAll(text, []byte(f.old), []byte(f.new))
		}
		if err := r.write(f.to, text); err != nil {
			return "", err
		}
	}
	files, err := r.files()
	if err != nil {
		return "", err
	}
	statement, err := provenance(r, goVersion, files)
	if err != nil {
		return "", err
	}
	if err := r.write("provenance.json", statement); err != nil {
		return "", err
	}
	if files, err = r.files(); err != nil {
		return "", err
	}
	var sums strings.Builder
	for _, f := range files {
		fmt.Fprintf(&sums, "%s  %s\n", f.sha256, f.name)
	}
	return sums.String(), r.write("SHA256SUMS", []byte(sums.String()))
}

func (r release) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.dist, name), text, 0o666)
}

// file is a file of dist/.
type file struct{ name, sha256 string }

// files are the files that dist/ has by now, by name.
func (r release) files() ([]file, error) {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return nil, err
	}
	files := make([]file, len(entries))
	for i, e := range entries {
		sum, err := sha256File(filepath.Join(r.dist, e.Name()))
		if err != nil {
			return nil, err
		}
		files[i] = file{e.Name(), sum}
	}
	return files, nil
}

// sha256File is the checksum of a file, in hexadecimal digits.
func sha256File(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

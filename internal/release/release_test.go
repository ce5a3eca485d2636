package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// goPrints runs the go command in the root of the module and returns the line it prints.
func goPrints(t *testing.T, args ...string) string {
	t.Helper()
	out, err := command(t.Context(), root, nil, "go", args...)
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// TestRelease makes a release twice and looks at all that is in it.
func TestRelease(t *testing.T) {
	commit := strings.Repeat("0123456789", 4)
	r := release{
		version:   "v1.2.3-test",
		source:    source{described: commit + "-dirty", commit: commit, modified: true, time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		platforms: []platform{{runtime.GOOS, runtime.GOARCH}},
		root:      root,
		dist:      t.TempDir(),
	}
	sums, err := r.make(t.Context())
	require.NoError(t, err)
	name := "echo-mcp_v1.2.3-test_" + runtime.GOOS + "_" + runtime.GOARCH
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	made := map[string][]byte{}
	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	for _, e := range entries {
		made[e.Name()], err = os.ReadFile(filepath.Join(r.dist, e.Name()))
		require.NoError(t, err)
	}

	t.Run("the same bytes again", func(t *testing.T) {
		again := r
		again.dist = t.TempDir()
		_, err := again.make(t.Context())
		require.NoError(t, err)
		entries, err := os.ReadDir(again.dist)
		require.NoError(t, err)
		require.Len(t, entries, len(made))
		for name, text := range made {
			other, err := os.ReadFile(filepath.Join(again.dist, name))
			require.NoError(t, err)
			require.True(t, bytes.Equal(text, other), "%s differs from one build to the next", name)
		}
	})

	t.Run("nothing of this machine", func(t *testing.T) {
		here, err := filepath.Abs(root)
		require.NoError(t, err)
		folders := []string{here, r.dist, goPrints(t, "env", "GOMODCACHE"), goPrints(t, "env", "GOCACHE")}
		for name, text := range made {
			for _, folder := range folders {
				require.False(t, bytes.Contains(text, []byte(folder)), "%s holds the path %s", name, folder)
			}
		}
	})

	t.Run("checksums", func(t *testing.T) {
		require.Equal(t, sums, string(made["SHA256SUMS"]))
		var listed []string
		for line := range strings.Lines(sums) {
			sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			is, err := sha256File(filepath.Join(r.dist, name))
			require.NoError(t, err)
			require.Equal(t, is, sum, name)
			listed = append(listed, name)
		}
		require.Equal(t, []string{"LICENSE", "THIRD-PARTY-NOTICES.txt", name, name + ".cdx.json", "provenance.json", "server.json"}, listed)
		require.Len(t, made, len(listed)+1)
		require.Contains(t, string(made["server.json"]), `"version": "1.2.3-test"`)
	})

	t.Run("the program says what it is", func(t *testing.T) {
		out, err := exec.CommandContext(t.Context(), filepath.Join(r.dist, name), "version", "--json").Output()
		require.NoError(t, err)
		require.Contains(t, string(out), `"version":"v1.2.3-test","commit":"`+commit+`-dirty","go":"`+runtime.Version()+`"`)
	})

	info, err := buildinfo.ReadFile(filepath.Join(r.dist, name))
	require.NoError(t, err)
	linkedVersions := map[string]string{stdlib: strings.TrimPrefix(runtime.Version(), "go")}
	for _, dep := range info.Deps {
		linkedVersions[dep.Path] = dep.Version
	}
	require.Contains(t, linkedVersions, "github.com/mark3labs/mcp-go")

	t.Run("bill of materials", func(t *testing.T) {
		text := made[name+".cdx.json"]
		checkSchema(t, text)
		var bom cdx.BOM
		require.NoError(t, json.Unmarshal(text, &bom))
		main := bom.Metadata.Component
		sum, err := sha256File(filepath.Join(r.dist, name))
		require.NoError(t, err)
		require.Equal(t, cdx.Hash{Algorithm: cdx.HashAlgoSHA256, Value: sum}, (*main.Hashes)[0])
		require.Contains(t, main.PackageURL, commit)
		require.Equal(t, "MIT", (*main.Licenses)[0].License.ID)
		require.Equal(t, "2026-01-02T03:04:05Z", bom.Metadata.Timestamp)

		versions := map[string]string{}
		paths := map[string]string{main.BOMRef: "echo-mcp"}
		for _, c := range *bom.Components {
			versions[c.Name] = c.Version
			paths[c.BOMRef] = c.Name
			require.Equal(t, "pkg:golang/"+c.Name+"@"+c.Version, c.PackageURL)
			require.Len(t, *c.Licenses, 1, c.Name)
			require.Equal(t, c.Name != stdlib, c.Hashes != nil, c.Name)
		}
		require.Equal(t, linkedVersions, versions, "not what is linked")

		needs := map[string][]string{}
		for _, d := range *bom.Dependencies {
			if d.Dependencies == nil {
				continue
			}
			for _, ref := range *d.Dependencies {
				require.Contains(t, paths, ref)
				needs[paths[d.Ref]] = append(needs[paths[d.Ref]], paths[ref])
			}
		}
		require.Contains(t, needs["echo-mcp"], "github.com/spf13/cobra")
		require.NotContains(t, needs["echo-mcp"], "github.com/beorn7/perks")
		require.Contains(t, needs["github.com/prometheus/client_golang"], "github.com/beorn7/perks")
		reached := map[string]bool{}
		var reach func(string)
		reach = func(path string) {
			if !reached[path] {
				reached[path] = true
				for _, next := range needs[path] {
					reach(next)
				}
			}
		}
		reach("echo-mcp")
		require.Len(t, reached, len(versions)+1, "some modules are needed by none")
	})

	t.Run("notices", func(t *testing.T) {
		text := string(made["THIRD-PARTY-NOTICES.txt"])
		for path, version := range linkedVersions {
			require.Contains(t, text, "\n"+module{path: path, version: version}.title()+", ", path)
		}
		for _, words := range []string{
			"Copyright 2009 The Go Authors",
			", internal/github.com/golang/gddo/LICENSE (BSD-3-Clause)", // a copy in prometheus/client_golang
			", NOTICE\n",
			"\ngo.yaml.in/yaml/v4 " + linkedVersions["go.yaml.in/yaml/v4"] + ", NOTICE\n", // says what of it is under MIT
		} {
			require.Contains(t, text, words)
		}
	})

	t.Run("provenance", func(t *testing.T) {
		line := made["provenance.json"]
		require.Equal(t, 1, bytes.Count(line, []byte("\n")))
		var s statement
		require.NoError(t, json.Unmarshal(line, &s))
		require.Len(t, s.Subject, len(made)-2) // all but itself and SHA256SUMS
		for _, subject := range s.Subject {
			require.Contains(t, sums, subject.Digest["sha256"]+"  "+subject.Name+"\n")
		}
		build := s.Predicate.BuildDefinition
		require.Equal(t, runtime.Version(), build.InternalParameters.Go)
		require.Contains(t, build.InternalParameters.Flags, "-trimpath")
		require.Equal(t, []string{runtime.GOOS + "/" + runtime.GOARCH}, build.ExternalParameters.Platforms)
		require.Equal(t, []resource{{
			URI:         "git+https://github.com/zenlix/echo-mcp",
			Digest:      map[string]string{"gitCommit": commit},
			Annotations: map[string]bool{"modified": true},
		}}, build.ResolvedDependencies)
	})
}

// checkSchema holds a bill of materials against CycloneDX's own schema.
func checkSchema(t *testing.T, bom []byte) {
	t.Helper()
	folder := goPrints(t, "list", "-m", "-f={{.Dir}}", "github.com/CycloneDX/cyclonedx-go")
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	const site = "http://cyclonedx.org/schema/"
	for url, file := range map[string]string{
		"bom-1.6.schema.json":  "bom-1.6.schema.json",
		"spdx.schema.json":     "spdx.schema.json",
		"jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		text, err := os.ReadFile(filepath.Join(folder, "schema", file))
		require.NoError(t, err)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, compiler.AddResource(site+url, schema))
	}
	schema, err := compiler.Compile(site + "bom-1.6.schema.json")
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(bom))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))

	value.(map[string]any)["components"].([]any)[0].(map[string]any)["licenses"] = []any{map[string]any{"license": map[string]any{"id": "No-Such"}}}
	require.Error(t, schema.Validate(value), "the schema refuses nothing")
}

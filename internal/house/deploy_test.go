package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// topLevel is what may stand in the root of the module, besides what git ignores.
var topLevel = map[string]bool{
	"schemas": true, "gen": true, "generated": true, "internal": true, "cmd": true, "mcpkit": true, "docs": true, "skills": true,
	"tools.go": true, "echomcp.go": true, "options.go": true, "result.go": true, "echomcp_test.go": true, "examples": true, "generate.go": true, "go.mod": true, "go.sum": true, "Makefile": true, "README.md": true, "AGENTS.md": true, "LICENSE": true,
	"CHANGELOG.md": true, "CONTRIBUTING.md": true,
	".ci": true, ".git": true, ".gitignore": true, ".golangci.yml": true, "bin": true, "dist": true,
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		require.True(t, topLevel[e.Name()], "%s has no place in the root of the module", e.Name())
	}
}

// TestKubernetesExample: three replicas without sessions, probes at the endpoints that the
// server has, and nothing that a container doesn't need.
func TestKubernetesExample(t *testing.T) {
	type probe struct {
		HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
	}
	var deployment struct {
		Spec struct {
			Replicas int
			Template struct {
				Spec struct {
					TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
					SecurityContext               struct {
						RunAsNonRoot bool `yaml:"runAsNonRoot"`
					} `yaml:"securityContext"`
					Containers []struct {
						Args            []string
						Ports           []struct{ Name string }
						LivenessProbe   probe `yaml:"livenessProbe"`
						ReadinessProbe  probe `yaml:"readinessProbe"`
						SecurityContext struct {
							AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
							ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
						} `yaml:"securityContext"`
					}
				}
			}
		}
	}
	kinds := map[string][]byte{}
	for dec := yaml.NewDecoder(strings.NewReader(read(t, "docs/deploy/kubernetes.yaml"))); ; {
		var doc map[string]any
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		text, err := yaml.Marshal(doc)
		require.NoError(t, err)
		kinds[doc["kind"].(string)] = text
	}
	require.Len(t, kinds, 3)
	require.NoError(t, yaml.NewDecoder(bytes.NewReader(kinds["Deployment"])).Decode(&deployment))
	require.Equal(t, 3, deployment.Spec.Replicas)
	pod := deployment.Spec.Template.Spec
	require.Greater(t, pod.TerminationGracePeriodSeconds, 10, "the server takes up to ten seconds to finish what is in flight")
	require.True(t, pod.SecurityContext.RunAsNonRoot)
	require.Len(t, pod.Containers, 1)
	c := pod.Containers[0]
	require.Contains(t, c.Args, "--stateless")
	require.Contains(t, strings.Join(c.Args, " "), "--auth-token-file=")
	require.Equal(t, "/healthz", c.LivenessProbe.HTTPGet.Path)
	require.Equal(t, "/readyz", c.ReadinessProbe.HTTPGet.Path)
	for _, path := range []string{"/healthz", "/readyz"} {
		require.Contains(t, read(t, "internal/transport/http.go"), path)
	}
	require.Equal(t, c.Ports[0].Name, c.LivenessProbe.HTTPGet.Port)
	require.Equal(t, c.Ports[0].Name, c.ReadinessProbe.HTTPGet.Port)
	require.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
	require.True(t, c.SecurityContext.ReadOnlyRootFilesystem)
}

// TestRegistryEntry: the entry for the MCP registry and the image agree on the name, and
// the release knows where to put the version.
func TestRegistryEntry(t *testing.T) {
	var entry struct {
		Name, Description, Version string
		Packages                   []struct {
			RegistryType, Identifier string
			Transport                struct{ Type string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "docs/deploy/server.json")), &entry))
	require.LessOrEqual(t, len(entry.Description), 100, "the registry takes no longer one")
	require.Equal(t, "0.0.0", entry.Version)
	require.Len(t, entry.Packages, 1)
	require.True(t, strings.HasSuffix(entry.Packages[0].Identifier, ":v0.0.0"))

	image := read(t, "docs/deploy/Dockerfile")
	require.Contains(t, image, `io.modelcontextprotocol.server.name="`+entry.Name+`"`)
	require.Regexp(t, `(?m)^FROM scratch$`, image)
	require.Regexp(t, `(?m)^USER [1-9]\d*:[1-9]\d*$`, image)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	require.Contains(t, image, "FROM golang:"+version[1]+" ")
}

// TestLinksLead: the links from one document to another lead to a file.
func TestLinksLead(t *testing.T) {
	links := 0
	for _, name := range documents {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(read(t, name), -1) {
			links++
			require.FileExists(t, filepath.Join(root, filepath.Dir(name), m[1]), name)
		}
	}
	require.Greater(t, links, 4)
}

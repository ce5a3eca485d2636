package oauth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMetadata(t *testing.T) {
	t.Parallel()
	const servers = `"authorization_servers":["https://auth.example.com/realms/a"]`
	for resource, url := range map[string]string{
		"https://mcp.example.com":          "https://mcp.example.com/.well-known/oauth-protected-resource",
		"https://mcp.example.com/":         "https://mcp.example.com/.well-known/oauth-protected-resource",
		"https://mcp.example.com:8443/mcp": "https://mcp.example.com:8443/.well-known/oauth-protected-resource/mcp",
		"https://example.com/a%2Fb/mcp":    "https://example.com/.well-known/oauth-protected-resource/a%2Fb/mcp",
		"http://localhost:3000/mcp":        "http://localhost:3000/.well-known/oauth-protected-resource/mcp",
		"http://[::1]:3000/mcp":            "http://[::1]:3000/.well-known/oauth-protected-resource/mcp",
	} {
		require.Equal(t, url, readMetadata(t, `{"resource":"`+resource+`", `+servers+`}`).URL)
	}
	m := readMetadata(t, ` {"resource":"https://mcp.example.com/mcp", `+servers+`, "scopes_supported":["a","b:c"], "resource_name#de":"Echo", "x":[ 1.0 ]}`)
	require.Equal(t, []string{"a", "b:c"}, m.Scopes)
	require.Equal(t, []string{"https://auth.example.com/realms/a"}, m.Servers)
	require.Contains(t, string(m.Document), `"resource_name#de":"Echo","x":[1.0]}`)
}

func TestFileFaults(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "resource.json")
	const good = `"resource":"https://mcp.example.com/mcp","authorization_servers":["https://auth.example.com"]`
	resource := func(r string) string {
		return `{"resource":` + r + `,"authorization_servers":["https://auth.example.com"]}`
	}
	servers := func(s string) string {
		return `{"resource":"https://mcp.example.com/mcp","authorization_servers":` + s + `}`
	}
	for text, says := range map[string]string{
		"":                                       ": line 1, column 1: ",
		"{":                                      ": line 1, column 2: ",
		"\n {" + good + ",}":                     ": line 2, column ",
		"[]":                                     ": must hold a JSON object",
		"null":                                   ": must hold a JSON object",
		"{" + good + `,"resource":"x"}`:          `: line 1, column 96: the name "resource" is there twice`,
		"{" + strings.Repeat(" ", maxFile) + "}": ": is larger than 65536 bytes",
		"{}":                                     ": resource: is missing",
		`{"resource":"https://mcp.example.com"}`: ": authorization_servers: is missing",
		resource("1"):                            ": resource: must be a string",
		resource("null"):                         ": resource: must be an https URL",
		resource(`""`):                           ": resource: must be an https URL",
		resource(`"mcp.example.com/mcp"`):        ": resource: must be an https URL",
		resource(`"http://mcp.example.com/mcp"`): ": resource: must be an https URL (http only for this machine",
		resource(`"https://mcp.example.com/#a"`): ": resource: must be an https URL without ? and #",
		resource(`"https://mcp.example.com/?a"`): ": resource: must be an https URL without ? and #",
		resource(`"https://a:b@mcp.example.com"`): ": resource: must be an https URL without a name",
		resource(`"https:///mcp"`):                ": resource: must be an https URL",
		resource(`"https://mcp.example.com/\"x"`): ": resource: must be an https URL",
		servers("[]"):                                                      ": authorization_servers: must be an array",
		servers(`"https://auth.example.com"`):                              ": authorization_servers: must be an array",
		servers(`[1]`):                                                     ": authorization_servers: must be an array",
		servers(`["https://a.example","b"]`):                               ": authorization_servers/1: must be an https URL",
		servers(`["http://a.example"]`):                                    ": authorization_servers/0: must be an https URL",
		servers(`["https://a.example","https://a.example"]`):               ": authorization_servers/1: is there twice",
		"{" + good + `,"scopes_supported":"a"}`:                            ": scopes_supported: must be an array",
		"{" + good + `,"scopes_supported":["a b"]}`:                        `: scopes_supported: "a b" must be one word`,
		"{" + good + `,"scopes_supported":["\""]}`:                         ": scopes_supported: ",
		"{" + good + `,"scopes_supported":null}`:                           ": scopes_supported: must be an array",
		"{" + good + `,"bearer_methods_supported":["header","query"]}`:     ": bearer_methods_supported: must be [\"header\"]",
		"{" + good + `,"dpop_bound_access_tokens_required":true}`:          ": dpop_bound_access_tokens_required: must be false",
		"{" + good + `,"tls_client_certificate_bound_access_tokens":true}`: ": tls_client_certificate_bound_access_tokens: must be false",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := ReadMetadata(file)
		var fault *FileError
		require.ErrorAs(t, err, &fault, text)
		require.Contains(t, err.Error(), file+says)
	}
	const secret = "very-secret"
	for text, says := range map[string]string{
		"{}": ": client_",
		`{"client_id":"","client_secret":"` + secret + `"}`:          ": client_id: must be a string",
		`{"client_id":"a","client_secret":1}`:                        ": client_secret: must be a string",
		`{"client_id":"a","client_secret":"` + secret + `","c":"d"}`: ": c: is not known",
		`{"client_id":"a","client_secret":"` + secret:                ": line 1, column ",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := ReadClient(file)
		require.ErrorContains(t, err, file+says)
		require.NotContains(t, err.Error(), secret)
	}
	_, err := ReadMetadata(filepath.Join(filepath.Dir(file), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

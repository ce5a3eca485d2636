//go:build suite

package jsonrt_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsonrt/idn"
)

// TestOfficialFormats runs every test of every format in every draft of the official suite.
// Names that belong to draft 3 alone are unknown formats.
func TestOfficialFormats(t *testing.T) {
	formats := map[string]func(string) bool{
		"date-time": jsonrt.FormatDateTime, "date": jsonrt.FormatDate, "time": jsonrt.FormatTime, "duration": jsonrt.FormatDuration,
		"email": jsonrt.FormatEmail, "idn-email": jsonrt.FormatIDNEmail, "hostname": idn.Hostname, "idn-hostname": idn.IDNHostname,
		"ipv4": jsonrt.FormatIPv4, "ipv6": jsonrt.FormatIPv6, "uri": jsonrt.FormatURI, "uri-reference": jsonrt.FormatURIReference,
		"iri": jsonrt.FormatIRI, "iri-reference": jsonrt.FormatIRIReference, "uri-template": jsonrt.FormatURITemplate,
		"uuid": jsonrt.FormatUUID, "json-pointer": jsonrt.FormatJSONPointer, "relative-json-pointer": jsonrt.FormatRelativeJSONPointer,
		"regex": jsonrt.FormatRegex,
	}
	files, err := filepath.Glob("../../../shared/suites/json-schema-test-suite/tests/*/optional/format/*.json")
	require.NoError(t, err)
	more, err := filepath.Glob("../../../shared/suites/json-schema-test-suite/tests/v1/format/*.json")
	require.NoError(t, err)
	files = append(files, more...)
	require.NotEmpty(t, files)
	checked := map[string]int{}
	for _, file := range files {
		if strings.Contains(file, "draft3") {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var groups []struct {
			Schema struct{ Format string }
			Tests  []struct {
				Description string
				Data        any
				Valid       bool
			}
		}
		require.NoError(t, json.Unmarshal(data, &groups), file)
		for _, group := range groups {
			decide, known := formats[group.Schema.Format]
			for _, test := range group.Tests {
				s, ok := test.Data.(string)
				if !ok {
					require.True(t, test.Valid, "%s: %s: formats concern strings alone", file, test.Description)
					continue
				}
				if !known {
					require.True(t, test.Valid, "%s: %s: unknown format %s", file, test.Description, group.Schema.Format)
					continue
				}
				if test.Valid != decide(s) {
					t.Errorf("%s: %s: %q", file, test.Description, s)
				}
				checked[group.Schema.Format]++
			}
		}
	}
	require.Len(t, checked, len(formats))
}

package names

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExported(t *testing.T) {
	for name, want := range map[string]string{
		"zenlix-agent-stage-v1": "ZenlixAgentStageV1",
		"report_outline_v1":     "ReportOutlineV1",
		"type":                  "Type",
		"fooBar":                "FooBar",
		"user_id":               "UserID",
		"baseURL":               "BaseURL",
		"über v1":               "ÜberV1",
		"a b":                   "AB",
		"__proto__":             "Proto",
		"1st":                   "X1st",
		"日本":                    "X日本",
		"":                      "Empty",
		"+1":                    "X1",
		"!?":                    "U0021U003F",
		"ǆ":                     "Ǆ",
		"e\u0301":               "E",
	} {
		got := Exported(name)
		require.Equal(t, want, got, "%q", name)
		require.True(t, token.IsIdentifier(got) && token.IsExported(got), "%q gives %q", name, got)
	}
}

func TestFileBase(t *testing.T) {
	for name, want := range map[string]string{
		"ReportLinux": "report_linux_schema",
		"XTest":       "x_test_schema",
		"ÜberV1":      "-dc-ber_v1_schema",
		"AB":          "a_b_schema",
		"Ab":          "ab_schema",
		"HTTPServer":  "h_t_t_p_server_schema",
	} {
		require.Equal(t, want, FileBase(name, "schema"), name)
	}
}

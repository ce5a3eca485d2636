package names

import (
	"go/token"
	"slices"
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
		"+1":                    "Plus1",
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
		"ÜberV1":      "0-dc-ber_v1_schema",
		"AB":          "a_b_schema",
		"Ab":          "ab_schema",
		"HTTPServer":  "h_t_t_p_server_schema",
		"A_B":         "a___b_schema",
	} {
		require.Equal(t, want, FileBase(name, "schema"), name)
	}
}

func TestDistinct(t *testing.T) {
	for _, test := range []struct {
		names, want []string
	}{
		{[]string{"foo-bar", "foo_bar", "fooBar"}, []string{"FooDashBar", "FooUnderscoreBar", "FooBar"}},
		{[]string{"+1", "-1"}, []string{"Plus1", "Minus1"}},
		{[]string{"type", "$type", "@type"}, []string{"Type", "DollarType", "AtType"}},
		{[]string{"id", "ID", "Id", "iD"}, []string{"ID_6964", "ID", "Id", "IDMember"}},
		{[]string{"a-b", "a_b", "aDashB", "aB"}, []string{"ABMember", "AUnderscoreB", "ADashB", "AB"}},
		{[]string{"", "-", "empty"}, []string{"EmptyMember", "U002D", "Empty"}},
		{[]string{"validate", "x"}, []string{"ValidateMember", "X"}},
	} {
		got := Distinct(test.names, func(id string) bool { return id == "Validate" })
		for i, name := range test.names {
			require.Equal(t, test.want[i], got[name], "%q of %q", name, test.names)
		}
		reversed := slices.Clone(test.names)
		slices.Reverse(reversed)
		require.Equal(t, got, Distinct(reversed, func(id string) bool { return id == "Validate" }), "the order of names must not matter")
	}
}

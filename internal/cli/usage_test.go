package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// goWords are words of Go, cobra and pflag that mean nothing to who typed a command.
var goWords = regexp.MustCompile(`strconv|ParseInt|ParseBool|parsing "|invalid argument|invalid syntax|arg\(s\)|flag\(s\)|shorthand|pflag|flag needs|unknown flag|` +
	`(?i:stringArray|stringSlice)|--[a-z-]+ (u?int(64)?|strings?|duration|float64|value)\b|\*[a-z]+\.[A-Z]|<nil>|errorString`)

// everyCommand calls f with each command of the program, also those that cobra adds.
func everyCommand(f func(cmd *cobra.Command)) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		f(cmd)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(odd().newRoot())
}

// runIt runs the program with nothing on standard input.
func runIt(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = odd().Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// TestUsageErrorsSpeakOfTheUsersWords: each kind of mistake with each flag and each command is
// answered with exit code 2, in words without Go, and says where help is.
func TestUsageErrorsSpeakOfTheUsersWords(t *testing.T) {
	refused := func(want string, args ...string) {
		t.Helper()
		code, out, errs := runIt(t, args...)
		require.Equal(t, exitUsage, code, "%q: %s", args, errs)
		require.Empty(t, out, args)
		require.NotRegexp(t, goWords, errs, "%q", args)
		require.True(t, strings.HasPrefix(errs, "echo-mcp: "), errs)
		require.Contains(t, errs, want, "%q", args)
	}
	values := 0
	everyCommand(func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		with := func(more ...string) []string { return append(append([]string{}, path...), more...) }
		refused("has no flag --no-such-flag", with("--no-such-flag")...)
		refused("has no flag -Z", with("-Z")...)
		refused("is not a flag", with("--=x")...)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if len(f.Name) > 3 {
				misspelt := f.Name[:1] + f.Name[2:3] + f.Name[1:2] + f.Name[3:]
				if misspelt != f.Name {
					refused("did you mean --"+f.Name, with("--"+misspelt)...)
				}
			}
			switch f.Value.Type() {
			case "string", "stringArray", "stringSlice":
			case "bool":
				refused("--"+f.Name+" wrong: must be", with("--"+f.Name+"=wrong")...)
			default:
				values++
				refused("--"+f.Name+" wrong: must be", with("--"+f.Name, "wrong")...)
			}
			if f.Value.Type() != "bool" {
				refused("--"+f.Name+" needs a value", with("--"+f.Name)...)
			}
			if strings.HasPrefix(f.Value.Type(), "int") {
				refused("is too large a number", with("--"+f.Name, "99999999999999999999")...)
			}
		})
		// These take any number of files; the JSON of rpc is input.
		if !slices.Contains([]string{"validate", "lint", "extract", "rpc"}, cmd.Name()) {
			refused("", with("stray1", "stray2")...)
		}
	})
	require.Greater(t, values, 10)
}

// TestWrongArguments: what each command says of arguments that are missing, too many or unknown.
func TestWrongArguments(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"servee", "echo-mcp has no command \"servee\"; did you mean echo-mcp serve?"},
		{"frobnicate", "echo-mcp has no command \"frobnicate\"; it has call, catalog, completion, dev, extract, help, import,"},
		{"--http :3000", "echo-mcp has no flag --http; it belongs to echo-mcp call, echo-mcp catalog, echo-mcp dev,"},
		{"serve --version", "echo-mcp serve has no flag --version; it belongs to echo-mcp"},
		{"serve --json", "echo-mcp serve has no flag --json; it belongs to"},
		{"serve stray", "echo-mcp serve takes flags only; remove \"stray\""},
		{"schema", "echo-mcp schema needs ID"},
		{"schema a b", "echo-mcp schema takes ID alone; remove \"b\""},
		{"import", "echo-mcp import needs FILE"},
		{"validate", "echo-mcp validate needs --schema ID"},
		{"validate -schema x", "echo-mcp validate has no flag -schema; did you mean --schema?"},
		{"validate --schema a_b", "there is no schema \"a_b\""},
		{"schema __schemaless__", "__schemaless__ has no schema: any JSON will do"},
		{"install claude-code --print --json", "--print and --json can't be used together"},
		{"tools a b", "echo-mcp tools takes TOOL alone; remove \"b\""},
		{"tools --http localhost:3000", "--http localhost:3000: must be a URL such as http://127.0.0.1:3000/mcp"},
		{"tools --http=", "--http is empty; give the URL of a server"},
		{"tools --http http://x/mcp -- y", "a command speaks to one server: give --http URL, or --config FILE, or --self, or a command after --"},
		{"tools --self --config x", "a command speaks to one server"},
		{"tools --", "give the command that starts a server after --, such as echo-mcp tools … -- npx -y NAME"},
		{"tools --server x", "--server is a name in the file of a client; give --config FILE"},
		{"tools --header A:b", "--header is sent over HTTP; give --http URL"},
		{"tools --timeout 0s", "--timeout 0s: must be more than 0"},
		{"tools echoo", "the server has no tool \"echoo\"; did you mean echo?"},
		{"call", "echo-mcp call needs TOOL"},
		{"call --args {} --arg a=1", "can't be used together; give one of them"},
		{"call echo sh", "echo-mcp call takes TOOL alone; remove \"sh\"; to speak to a server that \"sh\" starts, put -- before it"},
		{"tools sh -y x", "echo-mcp tools has no flag -y; to speak to a server that \"sh\" starts, put -- before it"},
		{"read", "echo-mcp read needs URI"},
		{"prompt", "echo-mcp prompt needs NAME"},
		{"prompt p value", "\"value\": must be a name, = and a value, such as language=Go"},
		{"prompt p a=1 a=2", "a is given twice"},
		{"rpc", "echo-mcp rpc needs METHOD"},
		{"rpc a {} b", "echo-mcp rpc takes METHOD and JSON alone; remove \"b\""},
		{"rpc a []", "JSON: must be a JSON object"},
		{"catalog", "name a server: echo-mcp catalog -- COMMAND …, or --http URL"},
		{"catalog --from {} --self", "catalog looks at one thing: give --from, or a server"},
		{"catalog --from=", "--from is empty; give a file, or the JSON itself"},
		{"catalog --self --html=", "--html is empty; give the file to write"},
		{"catalog --self --diff=", "--diff is empty; give the file of the older catalogue"},
		{"catalog --from - --diff -", "--from and --diff can't both read standard input"},
		{"catalog --self --json --markdown", "can't be used together; give one of them"},
		{"catalog --self --diff x --html y", "can't be used together; give one of them"},
		{"catalog sh -y x", "to speak to a server that \"sh\" starts, put -- before it"},
		{"validate --catalog c.json", "--catalog needs --tool NAME, the name of a tool in it"},
		{"validate --schema x --tool t", "--tool and --output go with --catalog FILE"},
		{"validate --schema x --catalog c", "can't be used together; give one of them"},
		{"validate --catalog - --tool t", "the catalogue and a document can't both be standard input"},
		{"completion", "needs the name of a shell: bash, zsh, fish or powershell"},
		{"completion bsh", "did you mean echo-mcp completion bash?"},
		{"help validat", "did you mean echo-mcp validate?"},
		{"--", "name a command"},
		{"serve --log-level loud", "--log-level loud: must be one of debug, info, warn, error"},
		{"serve --drain-timeout 5", "--drain-timeout 5: must be a time with its unit, such as 500ms, 30s or 5m"},
		{"serve --stateless=maybe", "--stateless maybe: must be true or false"},
	} {
		code, out, errs := runIt(t, strings.Fields(c.line)...)
		require.Equal(t, exitUsage, code, c.line)
		require.Empty(t, out, c.line)
		require.Contains(t, errs, c.want, c.line)
		require.NotRegexp(t, goWords, errs, c.line)
	}
}

// TestHelpFits: help has no line over 100 columns, no types of Go, and a place for each flag.
func TestHelpFits(t *testing.T) {
	everyCommand(func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		code, out, errs := runIt(t, append(path, "--help")...)
		require.Equal(t, exitOK, code, cmd.CommandPath())
		require.Empty(t, errs, cmd.CommandPath())
		require.Contains(t, out, "Examples:", cmd.CommandPath())
		for line := range strings.Lines(out) {
			line = strings.TrimRight(line, "\n")
			require.LessOrEqual(t, utf8.RuneCountInString(line), helpWidth, "%s --help: %s", cmd.CommandPath(), line)
		}
		require.NotRegexp(t, goWords, out, "%s --help", cmd.CommandPath())

		count := 0
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			count++
			require.Contains(t, out, "--"+f.Name, cmd.CommandPath())
			if f.Value.Type() != "bool" {
				require.Regexp(t, "`[A-Z_=]+`", f.Usage, "--%s of %s: write the word for its value in backquotes and capitals, such as `FILE`", f.Name, cmd.CommandPath())
			}
		})
		if len(flagGroups[cmd.Name()]) > 0 {
			require.NotContains(t, out, otherFlags, "add the flags under this title to flagGroups in help.go")
		} else {
			require.Less(t, count, 9, "%s has many flags: give it groups in flagGroups in help.go", cmd.CommandPath())
		}
	})
}

// TestVersionFlags: --version and -v print what the command version prints.
func TestVersionFlags(t *testing.T) {
	_, want, _ := runIt(t, "version")
	for _, flag := range []string{"--version", "-v"} {
		code, out, errs := runIt(t, flag)
		require.Equal(t, exitOK, code)
		require.Equal(t, want, out)
		require.Empty(t, errs)
	}
}

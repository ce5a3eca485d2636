package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns a line of help has at most.
const helpWidth = 100

// targetFlags are the flags that say which server a command speaks to.
var targetFlags = titledFlags{"Target", []string{"http", "header", "config", "server", "self", "timeout"}}

// titledFlags are the names of flags under a title.
type titledFlags struct {
	title string
	flags []string
}

// flagGroups orders the flags of a command with many by what they are about. A flag that is
// nowhere here stands under "Other flags", and a test fails.
var flagGroups = map[string][]titledFlags{
	"call": {{"Arguments", []string{"args", "arg"}}, targetFlags, {"Output and help", []string{"json", "raw", "help"}}},
	"catalog": {
		{"What to look at", []string{"from", "diff"}},
		targetFlags,
		{"Output and help", []string{"json", "markdown", "html", "strict", "help"}},
	},
	"validate": {
		{"Schema", []string{"schema", "catalog", "tool", "output"}},
		{"Documents", []string{"jsonl", "max-bytes", "max-depth"}},
		{"Output and help", []string{"json", "help"}},
	},
	"info":      {targetFlags, {"Output and help", []string{"json", "help"}}},
	"lint":      {{"Rules and files", []string{"strict", "fix"}}, targetFlags, {"Output and help", []string{"json", "sarif", "help"}}},
	"prompt":    {targetFlags, {"Output and help", []string{"json", "help"}}},
	"prompts":   {targetFlags, {"Output and help", []string{"json", "help"}}},
	"read":      {targetFlags, {"Output and help", []string{"json", "raw", "help"}}},
	"resources": {targetFlags, {"Output and help", []string{"json", "help"}}},
	"rpc":       {{"Kind of message", []string{"notify"}}, targetFlags, {"Help", []string{"help"}}},
	"tools":     {targetFlags, {"Output and help", []string{"json", "help"}}},
	"dev": {
		{"What to build", []string{"main"}},
		{"Transport", []string{"http", "stateless", "auth-token-file", "allowed-origin", "allowed-host"}},
		{"Tools and answers", []string{"typed-tools", "text", "unwrap-json-strings"}},
		{"Limits", []string{"max-message-bytes", "max-depth", "drain-timeout"}},
		{"Log and help", []string{"json", "log-level", "log-format", "help"}},
	},
	"serve": {
		{"Transport", []string{"http", "stateless", "tls-cert", "tls-key"}},
		{"Access over HTTP", []string{"auth-token-file", "auth-resource-metadata", "auth-introspection-client", "insecure", "allowed-origin", "allowed-host"}},
		{"Tools and answers", []string{"typed-tools", "text", "unwrap-json-strings"}},
		{"Limits", []string{
			"max-message-bytes", "max-depth", "max-in-flight", "max-in-flight-bytes", "max-sessions", "max-connections", "min-body-rate",
		}},
		{"Time-outs", []string{"header-timeout", "body-timeout", "idle-timeout", "lame-duck", "drain-timeout"}},
		{"Development", []string{"hand-over"}},
		{"Log and help", []string{"log-level", "log-format", "help"}},
	},
}

// flagGroup is flags under a title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// groups gives the flags of a command, the ungrouped ones of a command with groups last.
func groups(cmd *cobra.Command) []flagGroup {
	var all []flagGroup
	seen := map[string]bool{}
	for _, g := range flagGroups[cmd.Name()] {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.flags {
			if f := cmd.LocalFlags().Lookup(name); f != nil {
				set.AddFlag(plainFlag(f))
				seen[name] = true
			}
		}
		all = append(all, flagGroup{g.title, set})
	}
	title := "Flags"
	if len(all) > 0 {
		title = otherFlags
	}
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !seen[f.Name] {
			rest.AddFlag(plainFlag(f))
		}
	})
	return append(all, flagGroup{title, rest})
}

const otherFlags = "Other flags"

// plainFlag is a flag as help shows it: its default as a person would write it.
func plainFlag(f *pflag.Flag) *pflag.Flag {
	plain := *f
	plain.DefValue = strings.ToLower(f.DefValue)
	if f.Value.Type() == "duration" {
		for _, zeros := range []string{"m0s", "h0m"} { // 1h0m0s is 1h
			if strings.HasSuffix(plain.DefValue, zeros) {
				plain.DefValue = plain.DefValue[:len(plain.DefValue)-2]
			}
		}
	}
	return &plain
}

// placeholder is the word for a flag's value, which stands in backquotes in its description.
func placeholder(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// usage prints what follows a command's description in its help.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", useLine(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w, "\nCommands:")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-*s %s\n", cmd.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range groups(cmd) {
		if g.flags.HasFlags() {
			fmt.Fprintf(w, "\n%s:\n", g.title)
			_, _ = io.WriteString(w, g.flags.FlagUsagesWrapped(helpWidth))
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nRun \"%s COMMAND --help\" for the flags of a command.\n", cmd.CommandPath())
	}
	return nil
}

func useLine(cmd *cobra.Command) string {
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " [COMMAND]"
	}
	return line
}

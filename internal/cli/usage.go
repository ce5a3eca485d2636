package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// usageText says in the words of the command line what is wrong with it. The error is one of
// cobra or pflag about cmd; theirs speak of Go.
func usageText(cmd *cobra.Command, err error) string {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		return fmt.Sprintf("--%s needs a value: --%[1]s %s", missing.GetFlag().Name, placeholder(missing.GetFlag()))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return fmt.Sprintf("--%s %s: %s", f.Name, invalid.GetValue(), wantedValue(cmd, f, invalid.Unwrap()))
	case errors.As(err, &syntax):
		return fmt.Sprintf("%q is not a flag; flags look like --name VALUE or --name=VALUE", syntax.GetSpecifiedFlag())
	}
	if text := flagsTogether(cmd); text != "" {
		return text
	}
	return err.Error()
}

// unknownFlag guesses what was meant by a flag that cmd does not have: one with two dashes, one
// spelled alike, or one of another command.
func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) string {
	name, given := err.GetSpecifiedName(), "--"+err.GetSpecifiedName()
	if letters := err.GetSpecifiedShortnames(); letters != "" {
		name, given = letters, "-"+letters
	}
	text := fmt.Sprintf("%s has no flag %s", cmd.CommandPath(), given)
	if server := startsServer(cmd, cmd.Flags().Args()); server != "" {
		return text + server
	}
	bare, _, _ := strings.Cut(name, "=")
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	var owners []string
	for _, c := range append(cmd.Root().Commands(), cmd.Root()) {
		if !slices.Contains(names, bare) && c.Flags().Lookup(bare) != nil {
			owners = append(owners, c.CommandPath())
		}
	}
	if len(owners) > 0 {
		return text + "; it belongs to " + strings.Join(owners, ", ")
	}
	if nearest := near.Names(bare, names); len(nearest) > 0 && len(bare) > 1 {
		return text + "; did you mean --" + nearest[0] + "?"
	}
	return text
}

// wantedValue says what values a flag takes.
func wantedValue(cmd *cobra.Command, f *pflag.Flag, cause error) string {
	if values := flagValues(cmd, f.Name); values != "" {
		return "must be one of " + values
	}
	tooLarge := errors.Is(cause, strconv.ErrRange)
	switch f.Value.Type() {
	case "int", "int64", "uint", "uint64":
		if tooLarge {
			return "is too large a number"
		}
		return "must be a whole number, such as 100"
	case "duration":
		return "must be a time with its unit, such as 500ms, 30s or 5m"
	case "bool":
		return "must be true or false"
	}
	return cause.Error() // worded by the package that reads the value
}

// flagValues lists the values of a flag that has but a few.
func flagValues(cmd *cobra.Command, name string) string {
	complete, ok := cmd.GetFlagCompletionFunc(name)
	if !ok {
		return ""
	}
	var values []string
	for _, v := range first(complete(cmd, nil, "")) {
		value, _, _ := strings.Cut(v, "\t")
		values = append(values, value)
	}
	return strings.Join(values, ", ")
}

func first[T, U any](t T, _ U) T { return t }

// flagsTogether says which flags are missing beside the others, or must not stand together, by
// the marks that cobra puts on them.
func flagsTogether(cmd *cobra.Command) string {
	var text string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if text != "" {
			return
		}
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			_, about := pflag.UnquoteUsage(f)
			text = fmt.Sprintf("%s needs --%s %s, the %s", cmd.CommandPath(), f.Name, placeholder(f), about)
		}
		for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
			var given []string
			for _, name := range strings.Fields(group) {
				if cmd.Flags().Changed(name) {
					given = append(given, "--"+name)
				}
			}
			if len(given) > 1 {
				text = strings.Join(given, " and ") + " can't be used together; give one of them"
			}
		}
	})
	return text
}

// wordArguments makes cmd, and all commands below, say what its arguments are where cobra would
// count them. They are the words of its usage line.
func wordArguments(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var exit *exitError
			if err == nil || errors.As(err, &exit) {
				return err
			}
			return wrongArguments(cmd, args, err)
		}
	}
	for _, c := range cmd.Commands() {
		wordArguments(c)
	}
}

// wrongArguments says which arguments are missing or too many. err is what else is wrong, or nil.
func wrongArguments(cmd *cobra.Command, args []string, err error) error {
	if cmd.HasSubCommands() && len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	var wanted, taken []string
	any := false
	for _, word := range strings.Fields(cmd.Use)[1:] {
		name := strings.Trim(word, "[]")
		switch {
		case word[0] == '-', name == "TARGET":
			continue
		case word[0] != '[':
			wanted = append(wanted, name)
		}
		taken = append(taken, name)
		any = any || strings.HasSuffix(name, "…")
	}
	switch {
	case len(args) < len(wanted):
		return fmt.Errorf("%s needs %s", cmd.CommandPath(), strings.Join(wanted[len(args):], " and "))
	case len(args) <= len(taken) || any:
		return err
	case len(taken) == 0:
		return fmt.Errorf("%s takes flags only; remove %q%s", cmd.CommandPath(), args[0], startsServer(cmd, args))
	}
	more := args[len(taken):]
	return fmt.Errorf("%s takes %s alone; remove %q%s", cmd.CommandPath(), strings.Join(taken, " and "), more[0], startsServer(cmd, more))
}

// unknownCommand says that cmd has no command of that name, and what may have been meant.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	text := fmt.Sprintf("%s has no command %q; ", cmd.CommandPath(), name)
	if nearest := near.Names(name, names); len(nearest) > 0 {
		return fmt.Errorf("%sdid you mean %s %s?", text, cmd.CommandPath(), nearest[0])
	}
	return fmt.Errorf("%sit has %s", text, strings.Join(names, ", "))
}

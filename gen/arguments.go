package gen

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// errHelp says that help was asked for.
var errHelp = errors.New("help is wanted")

// arguments sets flags as args say, and gives what stands among them that is no flag: -name VALUE,
// -name=VALUE, with one dash or two; a flag that is either on or off needs no value. The flag
// package would do almost the same, but its errors speak of Go. A flag's usage is the word for
// its value.
func arguments(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" { // no flags from here on
			return append(rest, args...), nil
		}
		name, value, hasValue, ok := cutFlag(arg)
		if !ok {
			rest = append(rest, arg)
			continue
		}
		f := flags.Lookup(name)
		switch {
		case f == nil && (name == "h" || name == "help"):
			return nil, errHelp
		case f == nil:
			return nil, unknownFlag(flags, name)
		case hasValue:
		case isSwitch(f):
			value = "true"
		case len(args) > 0 && !isFlag(flags, args[0]):
			value, args = args[0], args[1:]
		}
		if value == "" && !isSwitch(f) {
			return nil, fmt.Errorf("-%s needs a value: -%[1]s %s", name, f.Usage)
		}
		if err := flags.Set(name, value); err != nil {
			if isSwitch(f) {
				err = errors.New("must be true or false")
			}
			return nil, fmt.Errorf("-%s %s: %w", name, value, err)
		}
	}
	return rest, nil
}

// cutFlag takes a flag apart. It is none without a dash and a name.
func cutFlag(arg string) (name, value string, hasValue, ok bool) {
	name, ok = strings.CutPrefix(arg, "-")
	name = strings.TrimPrefix(name, "-")
	name, value, hasValue = strings.Cut(name, "=")
	return name, value, hasValue, ok && name != ""
}

// isFlag says whether arg is a flag that exists, and so is no value.
func isFlag(flags *flag.FlagSet, arg string) bool {
	name, _, _, ok := cutFlag(arg)
	return ok && flags.Lookup(name) != nil
}

// isSwitch says whether a flag is either on or off.
func isSwitch(f *flag.Flag) bool {
	_, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok
}

// unknownFlag guesses what was meant by a flag that does not exist.
func unknownFlag(flags *flag.FlagSet, name string) error {
	text := "there is no flag -" + name
	if guess := nearest(flags, name); guess != "" {
		return fmt.Errorf("%s; did you mean -%s?", text, guess)
	}
	return errors.New(text)
}

// unexpected says what to do about an argument that is neither a flag nor the value of one.
func unexpected(flags *flag.FlagSet, arg string) error {
	if _, ok := near.Misspelling(arg, "init"); ok {
		return fmt.Errorf("there is no command %q; did you mean init? It comes first: echo-gen init DIR", arg)
	}
	if guess := nearest(flags, arg); guess != "" {
		return fmt.Errorf("%q is no flag; did you mean -%s?", arg, guess)
	}
	return fmt.Errorf("%q is no flag, and nothing else is expected here; to name the folder of the schemas, use -schemas DIR", arg)
}

// nearest gives the flag whose name is most like name, "" where none is.
func nearest(flags *flag.FlagSet, name string) string {
	best, fewest := "", 0
	consider := func(candidate string) {
		if edits, ok := near.Misspelling(name, candidate); ok && (best == "" || edits < fewest) {
			best, fewest = candidate, edits
		}
	}
	flags.VisitAll(func(f *flag.Flag) { consider(f.Name) })
	consider("help")
	return best
}

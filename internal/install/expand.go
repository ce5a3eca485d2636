package install

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// expander says how variables are written in the files of a client. The zero value leaves every
// text as it is.
type expander struct {
	// braced finds a variable; its first group is what stands between the braces.
	braced *regexp.Regexp
	// bare finds a variable without braces, or is nil.
	bare *regexp.Regexp
}

var (
	// dollar is "${NAME}", "${NAME:-default}", "${env:NAME}" and what VS Code and Cursor add.
	//
	// https://code.claude.com/docs/en/mcp, https://code.visualstudio.com/docs/reference/variables-reference
	dollar = expander{braced: regexp.MustCompile(`\$\{([^{}]*)\}`)}
	// curly is "{env:NAME}" and "{file:PATH}" (https://opencode.ai/docs/config), and with a "$" before
	// it what VS Code reads in a section of the same name.
	curly = expander{braced: regexp.MustCompile(`\$?\{((?:env|file|input):[^{}]*)\}`)}
	// bareVariable is what Gemini CLI and its kin take beside the braces.
	bareVariable = regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`)
)

// expansion replaces variables in the texts of one entry, and keeps the first that can't be.
type expansion struct {
	expander
	env  Env
	path string // of the client's file
	err  error
}

// text is a text with the values of its variables.
func (x *expansion) text(text string) string {
	for _, form := range []*regexp.Regexp{x.braced, x.bare} {
		if form != nil {
			text = form.ReplaceAllStringFunc(text, func(found string) string {
				return x.value(found, form.FindStringSubmatch(found)[1])
			})
		}
	}
	return text
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// value is what a variable stands for. What is no variable of a kind that clients know stays as it
// is.
func (x *expansion) value(found, name string) string {
	kind, rest, _ := strings.Cut(name, ":")
	bare, fallback, has := strings.Cut(name, ":-")
	switch {
	case variableName.MatchString(bare) && (has || bare == name):
		switch bare {
		case "workspaceFolder", "userHome", "pathSeparator", "workspaceFolderBasename":
			return x.predefined(bare)
		}
		if has {
			if value := x.env.Getenv(bare); value != "" {
				return value
			}
			return fallback
		}
		return x.variable(bare)
	case kind == "env":
		return x.variable(rest)
	case kind == "file":
		return x.file(rest)
	case kind == "input":
		x.fail("asks for the input %q, which only the client can ask for; write the value in its place, or name a variable such as ${env:NAME}", rest)
	case name == "/":
		return string(filepath.Separator)
	}
	return found
}

// predefined are the variables of VS Code and Cursor that mean something outside of an editor.
func (x *expansion) predefined(name string) string {
	switch name {
	case "userHome":
		return x.env.Home
	case "pathSeparator":
		return string(filepath.Separator)
	}
	folder, err := filepath.Abs(x.path)
	if err == nil {
		folder = filepath.Dir(folder)
		switch filepath.Base(folder) {
		case ".vscode", ".cursor": // a project's file
			folder = filepath.Dir(folder)
		default:
			folder, err = os.Getwd()
		}
	}
	if err != nil {
		x.fail("needs this folder, which is not known: %v", err)
	}
	if name == "workspaceFolderBasename" {
		return filepath.Base(folder)
	}
	return folder
}

// variable is the value of a variable of the environment, which must be set.
func (x *expansion) variable(name string) string {
	value := x.env.Getenv(name)
	if value == "" {
		x.fail("needs the variable %s, which is not set in the environment", name)
	}
	return value
}

// file is the content of a file beside the client's, without the space around it.
func (x *expansion) file(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(x.env.Home, rest)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(x.path), name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		x.fail("needs the file %s, which can't be read", name)
	}
	return strings.TrimSpace(string(text))
}

func (x *expansion) fail(format string, args ...any) {
	if x.err == nil {
		x.err = fmt.Errorf(format, args...)
	}
}

package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// Launch is how a client reaches one of its servers: the command that it starts, or the URL
// that it asks. Variables are replaced by their values.
type Launch struct {
	// Name is the server's name in the file.
	Name string
	// Command and Args start the server on stdio, with Env ("NAME=value", in order of the names)
	// beside the environment of this process, in the folder Dir, or here where it is "".
	Command string
	Args    []string
	Env     []string
	Dir     string
	// URL is where a server over HTTP is asked, with these Headers beside the protocol's own.
	URL     string
	Headers map[string]string
	// Warnings say what the client would do and this package does not.
	Warnings []string
}

// Launches are the servers that a client's file holds.
type Launches struct {
	path    string
	entries map[string]launchEntry
}

// launchEntry is the entry of a server, and how variables are written in the place it stands in.
type launchEntry struct {
	has     map[string]any
	expands expander
}

// ReadLaunches reads the servers of a client's file. What the file is called says whether it is
// TOML (.toml), YAML (.yaml, .yml) or JSON with comments and trailing commas (anything else); the
// servers are where one of the known clients has them. path may be the name of a client: then it
// is that client's file.
//
// The servers that Claude Code keeps for one project are those of this folder, or of the nearest
// folder above that has some.
//
// The error is a *FileError.
func ReadLaunches(path string, env Env) (*Launches, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		for _, c := range clients {
			if c.name == path && env.Home != "" {
				if change, err := c.read(env, Options{}); err == nil {
					path = change.Path
				}
				text, err = os.ReadFile(path)
			}
		}
	}
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, &FileError{path, fmt.Errorf("can't be read: %w", fault.Err)}
	}
	if err != nil {
		return nil, &FileError{path, err}
	}
	l := &Launches{path, map[string]launchEntry{}}
	if err := l.read(bytes.TrimPrefix(text, []byte(bom))); err != nil {
		return nil, &FileError{path, err}
	}
	return l, nil
}

// Names are the names of the servers, sorted.
func (l *Launches) Names() []string { return slices.Sorted(maps.Keys(l.entries)) }

// Find gives the server of a name, or where name is "" the only one. Errors are a *UsageError for
// a name that is not there (with a guess), for several servers (with their names) and for a
// variable that is not set, and a *FileError for an entry that leads nowhere.
func (l *Launches) Find(name string, env Env) (Launch, error) {
	names := l.Names()
	switch {
	case len(names) == 0:
		return Launch{}, &FileError{l.path, errors.New("it has no servers")}
	case name == "" && len(names) > 1:
		return Launch{}, &UsageError{fmt.Sprintf("%s has several servers; choose one with --server: %s", l.path, list(names))}
	case name == "":
		name = names[0]
	}
	e, ok := l.entries[name]
	if !ok {
		text := fmt.Sprintf("%s has no server %q", l.path, name)
		if guesses := near.Names(name, names); len(guesses) > 0 {
			return Launch{}, &UsageError{fmt.Sprintf("%s; did you mean %s?", text, strings.Join(guesses, " or "))}
		}
		return Launch{}, &UsageError{fmt.Sprintf("%s; it has %s", text, list(names))}
	}
	launch, err := e.launch(l.path, name, env)
	if err != nil {
		return Launch{}, err
	}
	if launch.Command == "" && launch.URL == "" {
		return Launch{}, &FileError{l.path, fmt.Errorf("the server %q has neither a command nor a URL", name)}
	}
	return launch, nil
}

// mostListed is how many names a message lists.
const mostListed = 20

func list(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// read finds the servers in the text of a file.
func (l *Launches) read(text []byte) error {
	root, err := l.format().decode(text)
	if err != nil {
		// The reader of the file can do nothing about how servers are added.
		return errors.New(strings.TrimSuffix(err.Error(), correct))
	}
	l.addProject(root)
	for _, s := range sections() {
		servers := root
		for _, name := range s.path {
			servers, _ = servers[name].(map[string]any)
		}
		l.add(servers, s.expands)
	}
	return nil
}

// add adds the servers of a section; those that are there already stay.
func (l *Launches) add(servers map[string]any, expands expander) {
	for name, value := range servers {
		has, ok := value.(map[string]any)
		if _, there := l.entries[name]; ok && !there && leadsSomewhere(has) {
			if expands.bare == nil && l.folderIs(".gemini", ".qwen") {
				expands.bare = bareVariable
			}
			l.entries[name] = launchEntry{has, expands}
		}
	}
}

// addProject adds the servers that Claude Code keeps for the project of this folder.
func (l *Launches) addProject(root map[string]any) {
	projects, _ := root["projects"].(map[string]any)
	folder, err := os.Getwd()
	for err == nil && len(projects) > 0 {
		project, _ := projects[folder].(map[string]any)
		if servers, _ := project["mcpServers"].(map[string]any); len(servers) > 0 {
			l.add(servers, dollar)
			return
		}
		if filepath.Dir(folder) == folder {
			return
		}
		folder = filepath.Dir(folder)
	}
}

func (l *Launches) format() format {
	switch strings.ToLower(filepath.Ext(l.path)) {
	case ".toml":
		return tomlFile{}
	case ".yaml", ".yml":
		return yamlFile{}
	}
	return lax
}

// folderIs says whether the file stands in a folder of one of these names.
func (l *Launches) folderIs(names ...string) bool {
	full, err := filepath.Abs(l.path)
	return err == nil && slices.Contains(names, filepath.Base(filepath.Dir(full)))
}

// section is a place for servers, and how variables are written there.
type section struct {
	path    []string
	expands expander
}

// sections are where the known clients have their servers.
func sections() []section {
	var all []section
	for _, c := range clients {
		for _, path := range c.sections {
			if !slices.ContainsFunc(all, func(s section) bool { return slices.Equal(s.path, path) }) {
				all = append(all, section{path, c.expands})
			}
		}
	}
	return all
}

// The members of an entry, as one client or another calls them.
var (
	commandMembers = []string{"command", "cmd"}
	urlMembers     = []string{"httpUrl", "serverUrl", "url", "uri"}
	envMembers     = []string{"env", "envs", "environment"}
	headerMembers  = []string{"headers", "http_headers", "httpHeaders"}
)

// leadsSomewhere says whether an object looks like the entry of a server: beside these, clients
// keep settings of their own, and Goose extensions that are part of it.
func leadsSomewhere(has map[string]any) bool {
	inner, _ := has["transport"].(map[string]any)
	for _, name := range slices.Concat(commandMembers, urlMembers) {
		if has[name] != nil || inner[name] != nil {
			return true
		}
	}
	return false
}

// launch reads an entry, whichever client wrote it.
func (e launchEntry) launch(path, name string, env Env) (Launch, error) {
	has := maps.Clone(e.has)
	for _, nested := range []string{"transport", "command"} { // Cline; Zed's older form {"path", "args", "env"}
		inner, _ := e.has[nested].(map[string]any)
		maps.Copy(has, inner)
		if program, ok := inner["path"]; ok {
			has["command"] = program
		}
	}
	x := &expansion{expander: e.expands, env: env, path: path}
	l := Launch{Name: name, Dir: x.text(stringMember(has, "cwd"))}
	command := append(texts(pick(has, commandMembers)), texts(has["args"])...)
	for i := range command {
		command[i] = x.text(command[i])
	}
	address, _ := pick(has, urlMembers).(string)
	switch {
	case len(command) > 0 && command[0] != "":
		l.Command, l.Args = command[0], command[1:]
		l.Env = x.environment(pick(has, envMembers))
	default:
		l.URL = x.text(address)
		l.Headers = x.headers(has)
	}
	kind, _ := cmp.Or(has["type"], has["transportType"], has["transport"]).(string)
	switch {
	case x.err != nil:
		return Launch{}, &UsageError{fmt.Sprintf("%s: the server %q %v", path, name, x.err)}
	case l.URL != "" && kind == "sse":
		return Launch{}, &UsageError{fmt.Sprintf("%s: the server %q is of the older transport \"sse\", which is not supported; if it also serves streamable HTTP, ask it with --http URL", path, name)}
	}
	for _, name := range []string{"envFile", "headersHelper"} {
		if has[name] != nil {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s: %q of the server %q is not read; set what it gives in the environment, or by --header", path, name, l.Name))
		}
	}
	return l, nil
}

// pick is the first of these members that is there.
func pick(has map[string]any, names []string) any {
	for _, name := range names {
		if has[name] != nil {
			return has[name]
		}
	}
	return nil
}

// stringMember is a member that is a string, or "".
func stringMember(has map[string]any, name string) string {
	text, _ := has[name].(string)
	return text
}

// environment gives "NAME=value" for each member of an object.
func (x *expansion) environment(value any) []string {
	object, _ := value.(map[string]any)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if object[name] != nil { // VS Code: null is a variable that is not set
			all = append(all, name+"="+x.text(fmt.Sprint(object[name])))
		}
	}
	return all
}

// headers are the headers of an entry, also those whose values Codex takes from variables.
func (x *expansion) headers(has map[string]any) map[string]string {
	all := map[string]string{}
	object, _ := pick(has, headerMembers).(map[string]any)
	for name, value := range object {
		all[name] = x.text(fmt.Sprint(value))
	}
	variables, _ := has["env_http_headers"].(map[string]any)
	for name, variable := range variables {
		all[name] = x.variable(fmt.Sprint(variable))
	}
	if variable := stringMember(has, "bearer_token_env_var"); variable != "" {
		all["Authorization"] = "Bearer " + x.variable(variable)
	}
	return all
}

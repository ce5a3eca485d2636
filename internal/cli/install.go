package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/internal/install"
)

const installLong = `Add this server to the configuration file of an MCP client. What else the file holds stays
as it is, comments included; a backup is written beside it. A second run changes nothing.

Clients: %s

The client will start this very program on stdio; with --http it will talk to a server that
runs already. Nothing secret is written: where that server wants a token, give it to the
client as its documentation says.

Exit codes: 0 done, or there already; 1 the name belongs to another server, or the file can't
be written; 2 wrong usage; 3 the file can't be read or edited.`

func newInstall(p Program) *cobra.Command {
	var (
		show, asJSON bool
		s            install.Server
		o            install.Options
	)
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Add this server to the configuration of an MCP client",
		Long:  fmt.Sprintf(installLong, clientList()),
		Example: `  {program} install claude-code
  {program} install vscode --print
  {program} install claude-code --project .
  {program} install codex --http http://127.0.0.1:3000/mcp`,
		Args:      oneClient,
		ValidArgs: install.Clients(),
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("http") && s.URL == "" {
			return &exitError{exitUsage, errors.New("--http is empty")}
		}
		var err error
		if s.Command, err = program(); err != nil {
			return err
		}
		s.Args = []string{"serve"}
		o.Programs = []string{p.Name, s.Command}
		change, err := install.Plan(args[0], installEnv(), s, o)
		if err != nil {
			return installFault(err)
		}
		for _, warning := range change.Warnings {
			fmt.Fprintln(cmd.ErrOrStderr(), p.Name+": warning: "+warning)
		}
		if show {
			_, err := cmd.OutOrStdout().Write(change.Text)
			return err
		}
		backup, err := change.Apply()
		if err != nil {
			return err
		}
		return reportInstall(cmd, change, s.Name, backup, asJSON)
	})
	f := cmd.Flags()
	f.StringVar(&s.URL, "http", "", "let the client talk to the server at `URL` instead of starting this program")
	f.StringVar(&s.Name, "name", p.clientName(), "`NAME` of the server in the client")
	f.BoolVar(&show, "print", false, "print what the file would hold, and write nothing")
	f.StringVar(&o.Project, "project", "", "edit the file of the project in `DIR` (. for this folder) instead of yours")
	f.BoolVar(&o.Force, "force", false, "replace another server of the same name; take a questioned address")
	f.BoolVar(&asJSON, "json", false, "print a JSON object")
	cmd.MarkFlagsMutuallyExclusive("print", "json")
	return cmd
}

// clientList lists the clients for a help text, in lines that fit.
func clientList() string {
	var list strings.Builder
	column := len("Clients:")
	for i, name := range install.Clients() {
		switch column += len(" ,") + len(name); {
		case i == 0:
		case column <= helpWidth:
			list.WriteString(", ")
		default:
			list.WriteString(",\n")
			column = len(name) + len(",")
		}
		list.WriteString(name)
	}
	return list.String()
}

// oneClient asks for the client, with the list of those that are known.
func oneClient(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	says := "say which client: " + cmd.CommandPath() + " CLIENT"
	if len(args) > 1 {
		says = "one client at a time: " + cmd.CommandPath() + " " + args[0]
	}
	return &exitError{exitUsage, errors.New(says + "\n" + strings.TrimRight(install.List(installEnv()), "\n"))}
}

func installEnv() install.Env {
	home, _ := os.UserHomeDir() // Plan says so where it is not known
	return install.Env{GOOS: runtime.GOOS, Home: home, Getenv: os.Getenv}
}

// program is the path of this program as the client must call it. A link is kept: package
// managers move what it leads to.
func program() (string, error) {
	if strings.ContainsRune(os.Args[0], filepath.Separator) {
		return filepath.Abs(os.Args[0])
	}
	return os.Executable()
}

func installFault(err error) error {
	var (
		usage *install.UsageError
		file  *install.FileError
		path  *os.PathError
	)
	switch {
	case errors.As(err, &usage):
		return &exitError{exitUsage, err}
	case errors.As(err, &file), errors.As(err, &path):
		return &exitError{exitInput, err}
	}
	return err
}

func reportInstall(cmd *cobra.Command, change *install.Change, name, backup string, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			Client string `json:"client"`
			Name   string `json:"name"`
			Path   string `json:"path"`
			Status string `json:"status"`
			Backup string `json:"backup,omitempty"`
		}{change.Client, name, change.Path, change.Status, backup})
	}
	why := map[string]string{
		install.Unchanged: fmt.Sprintf(", since it has the server %q already", name),
		install.Absent:    fmt.Sprintf(", since it has no server %q", name),
	}[change.Status]
	_, err := fmt.Fprintf(out, "%s: %s%s\n", change.Path, change.Status, why)
	if backup != "" && err == nil {
		_, err = fmt.Fprintf(out, "%s: backup\n", backup)
	}
	return err
}

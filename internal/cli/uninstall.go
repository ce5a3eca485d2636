package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/internal/install"
)

const uninstallLong = `Take this server out of the configuration file of an MCP client. What else the file holds
stays as it is, comments included; a backup is written beside it. Where nothing has changed
since "{program} install", the file is again what it was before, byte for byte.

Clients: %s

A server of the same name that starts another program stays, unless --force is given.

Exit codes: 0 removed, or not there; 1 the name belongs to another server, or the file can't
be written; 2 wrong usage; 3 the file can't be read or edited.`

func newUninstall(p Program) *cobra.Command {
	var (
		name         string
		show, asJSON bool
		o            install.Options
	)
	cmd := &cobra.Command{
		Use:   "uninstall CLIENT",
		Short: "Take this server out of the configuration of an MCP client",
		Long:  fmt.Sprintf(uninstallLong, clientList()),
		Example: `  {program} uninstall claude-code
  {program} uninstall claude-code --project .`,
		Args:      oneClient,
		ValidArgs: install.Clients(),
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		command, err := program()
		if err != nil {
			return err
		}
		o.Programs = []string{p.Name, command}
		change, err := install.PlanRemoval(args[0], installEnv(), name, o)
		if err != nil {
			return installFault(err)
		}
		if show {
			_, err := cmd.OutOrStdout().Write(change.Text)
			return err
		}
		backup, err := change.Apply()
		if err != nil {
			return err
		}
		return reportInstall(cmd, change, name, backup, asJSON)
	})
	f := cmd.Flags()
	f.StringVar(&name, "name", p.clientName(), "`NAME` of the server in the client")
	f.StringVar(&o.Project, "project", "", "edit the file of the project in `DIR` (. for this folder) instead of yours")
	f.BoolVar(&show, "print", false, "print what the file would hold, and write nothing")
	f.BoolVar(&o.Force, "force", false, "remove a server of that name that is not this one")
	f.BoolVar(&asJSON, "json", false, "print a JSON object")
	cmd.MarkFlagsMutuallyExclusive("print", "json")
	return cmd
}

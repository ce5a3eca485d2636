package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/internal/echo"
)

func newSchemas(p Program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "schemas",
		Short:   "List the schemas that are compiled in",
		Example: "  {program} schemas\n  {program} schemas --json",
		Args:    cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		if asJSON {
			return listJSON(cmd.OutOrStdout(), p.Registry)
		}
		return listText(cmd.OutOrStdout(), p.Registry)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// listJSON writes one line for each schema, with the members that list_schemas gives.
func listJSON(w io.Writer, registry jsonrt.Registry) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range registry.Schemas() {
		row := struct {
			ID          string `json:"schema_id"`
			Title       string `json:"title,omitempty"`
			Description string `json:"description,omitempty"`
		}{s.ID, s.Title, s.Description}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// listText writes a table: the id, and the title or else the description.
func listText(w io.Writer, registry jsonrt.Registry) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range registry.Schemas() {
		fmt.Fprintf(tw, "%s\t%s\n", s.ID, about(s))
	}
	return tw.Flush()
}

// about says on one line what a schema is for.
func about(s *jsonrt.Schema) string {
	text := s.Title
	if text == "" {
		text, _, _ = strings.Cut(s.Description, "\n")
	}
	return strings.Join(strings.Fields(text), " ")
}

func newSchema(p Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "schema ID",
		Short:   "Print a schema, byte for byte as it was compiled in",
		Example: "  {program} schema {schema}",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return ids(p.Registry), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		s, err := p.lookup(args[0])
		if err != nil {
			return err
		}
		_, err = io.WriteString(cmd.OutOrStdout(), s.Source)
		return err
	})
	return cmd
}

// lookup finds a schema. Not to know its id is a fault of the command line.
func (p Program) lookup(id string) (*jsonrt.Schema, error) {
	if s, ok := p.Registry.Lookup(id); ok {
		return s, nil
	}
	if id == echo.Schemaless {
		return nil, &exitError{exitUsage, errors.New(id + " has no schema: any JSON will do")}
	}
	var known []string
	for _, s := range p.Registry.Schemas() {
		known = append(known, s.ID)
	}
	message := fmt.Sprintf("there is no schema %q; %s schemas lists them", id, p.Name)
	for i, nearest := range near.Names(id, known) {
		if i == 0 {
			message += "\nDid you mean this?"
		}
		message += "\n\t" + nearest
	}
	return nil, &exitError{exitUsage, errors.New(message)}
}

// ids are the completions for the id of a schema.
func ids(registry jsonrt.Registry) []cobra.Completion {
	var all []cobra.Completion
	for _, s := range registry.Schemas() {
		all = append(all, cobra.CompletionWithDesc(s.ID, about(s)))
	}
	return all
}

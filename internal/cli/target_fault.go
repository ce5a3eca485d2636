package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

// How many bytes of a text are printed in messages.
const (
	mostData    = 500 // of the data of an error
	mostCommand = 200 // of the command that starts a server
)

// fault gives an error of a session the exit code of its kind, and words for a person.
func (t *target) fault(ctx context.Context, err error) error {
	var (
		exit     *exitError
		rejected *client.Error
		late     *client.TimeoutError
		input    *client.InputError
	)
	switch {
	case err == nil || errors.As(err, &exit):
		return err
	case errors.Is(ctx.Err(), context.Canceled):
		return &exitError{exitInterrupted, errors.New("interrupted")}
	case errors.As(err, &input):
		return &exitError{exitInput, err}
	case errors.As(err, &rejected):
		return &exitError{exitRejected, rejection(rejected)}
	case errors.As(err, &late):
		err = fmt.Errorf("%s: %w; --timeout gives it more time", t.name(), err)
	}
	return &exitError{exitUnreachable, t.withStderr(err)}
}

// withStderr adds the end of what the server wrote to its standard error, unless it is in the error.
func (t *target) withStderr(err error) error {
	if t.child == nil || errors.As(err, new(*stdio.ExitError)) {
		return err
	}
	said := t.child.Stderr()
	if said == "" {
		return err
	}
	return fmt.Errorf("%w\nThe end of the server's standard error:\n  %s", err, strings.ReplaceAll(said, "\n", "\n  "))
}

// rejection is what a server says when it rejects a request.
func rejection(e *client.Error) error {
	text := fmt.Sprintf("the server rejects %s with error %d: %s", e.Method, e.Code, printable.Text(e.Message))
	if len(e.Data) > 0 {
		text += "\n  data: " + printable.Start(string(e.Data), mostData)
	}
	return errors.New(text)
}

// name is what the target is called in messages: the command line's own words.
func (t *target) name() string {
	switch {
	case t.url != "":
		u, _ := url.Parse(t.url)                  // it was checked
		return u.Scheme + "://" + u.Host + u.Path // the rest may be a secret
	case t.server != "":
		return t.server
	case t.config != "":
		return t.config
	case len(t.command) > 0:
		return printable.Start(strings.Join(t.command, " "), mostCommand)
	}
	return t.program.Name
}

package stdio

import (
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/internal/printable"
)

// StartError says that a server can't be started.
type StartError struct {
	// Command is the program and its arguments.
	Command []string
	// Reason says why, and what to do about it.
	Reason string
	// Err is what the system said, nil where nothing was tried.
	Err error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("can't start the server %s: %s", shown(e.Command), e.Reason)
}

func (e *StartError) Unwrap() error { return e.Err }

// ExitError says that a server has ended while it was needed, or has closed its standard input or
// output so that nobody can talk to it.
type ExitError struct {
	// Command is the program and its arguments.
	Command []string
	// Closed is "input" or "output" if the server closed only that, and still ran half a second
	// later. It is "" if the server ended.
	Closed string
	// Status is the exit status, -1 if it was still running or a signal ended it.
	Status int
	// Signal is the name of the signal that ended it, "" if none did.
	Signal string
	// Stderr is the end of what it wrote to its standard error, as Transport.Stderr gives it.
	Stderr string
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("the server %s %s", shown(e.Command), e.ending())
	if e.Stderr == "" {
		return text + " and wrote nothing to its standard error"
	}
	return text + "; the end of its standard error:\n  " + strings.ReplaceAll(e.Stderr, "\n", "\n  ")
}

func (e *ExitError) ending() string {
	switch {
	case e.Closed != "":
		return "closed its standard " + e.Closed
	case e.Signal != "":
		return "was ended by a signal (" + e.Signal + ")"
	}
	return fmt.Sprintf("ended with exit status %d", e.Status)
}

// TooLargeError says that the server wrote a line of more bytes than a message may have.
type TooLargeError struct {
	// Command is the program and its arguments.
	Command []string
	// Limit is the number of bytes that a message may have.
	Limit int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the server %s sent a message of more than %d bytes, which is the limit", shown(e.Command), e.Limit)
}

// NoiseError is a line of the standard output that is no message.
type NoiseError struct {
	// Line is the beginning of the line, with what a terminal would obey escaped.
	Line string
}

func (e *NoiseError) Error() string {
	return fmt.Sprintf("the server wrote a line to its standard output that is no message: %s", e.Line)
}

// maxShown is how many bytes of a command line or of noise an error shows.
const maxShown = 200

// shown is a command as a person would type it, cut when it is long.
func shown(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		if words[i] = word; word == "" || strings.ContainsAny(word, " \t\n\"'\\$") {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	return "`" + printable.Start(strings.Join(words, " "), maxShown) + "`"
}

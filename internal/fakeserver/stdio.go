package fakeserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// name is the first argument of a test binary that is to be the server.
const name = "fake-mcp-server"

// Command is the command that runs this test binary as a server over stdio with a script, see Read.
// Its TestMain must call Main. What the server is sent it appends to the file that FAKE_LOG names.
func Command(script string) []string { return []string{os.Args[0], name, script} }

// Main makes the program a server over stdio, and ends it, if it was started by Command. TestMain
// calls it first.
func Main() {
	if len(os.Args) == 3 && os.Args[1] == name {
		os.Exit(Run(os.Args[2], os.Stdin, os.Stdout, os.Stderr))
	}
}

// Run is the server over stdio, until its input ends or the script ends it. It gives the exit
// status.
func Run(script string, stdin io.Reader, stdout, stderr io.Writer) int {
	steps, err := Read(script)
	if err != nil {
		fmt.Fprintln(stderr, "fake server:", err)
		return 2
	}
	log := io.Discard
	if path := os.Getenv("FAKE_LOG"); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // a test's own file
		if err != nil {
			fmt.Fprintln(stderr, "fake server:", err)
			return 2
		}
		defer func() { _ = file.Close() }()
		log = file
	}
	p := &player{script: steps, at: map[string]int{}}
	if status, ended := p.play(request{Method: "start"}, stdout, stderr); ended {
		return status
	}
	lines := bufio.NewReader(stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			_, _ = log.Write(line)
		}
		if errors.Is(err, io.EOF) {
			status, _ := p.play(request{Method: "end"}, stdout, stderr)
			return status
		}
		if err != nil {
			return 1
		}
		var r request
		if json.Unmarshal(line, &r) != nil || r.Method == "" {
			continue // an answer to what it asked
		}
		if status, ended := p.play(r, stdout, stderr); ended {
			return status
		}
	}
}

// play does what the script says about a message.
func (p *player) play(r request, stdout, stderr io.Writer) (status int, ended bool) {
	step, known := p.next(r.Method)
	if !known && r.ID == nil {
		return 0, false
	}
	if step.Stderr != "" {
		_, _ = io.WriteString(stderr, strings.Repeat(step.Stderr, max(1, step.Times)))
	}
	step.sleep()
	if step.Exit != nil {
		return *step.Exit, true
	}
	for _, line := range step.raw(r) {
		_, _ = io.WriteString(stdout, line+"\n")
	}
	if answer := step.answer(r); answer != "" && r.ID != nil {
		_ = drip(stdout, answer+"\n", step.Drip)
	}
	return 0, false
}

// drip writes a text with so many seconds after each byte.
func drip(w io.Writer, text string, seconds float64) error {
	if seconds <= 0 {
		_, err := io.WriteString(w, text)
		return err
	}
	for i := range len(text) {
		if _, err := io.WriteString(w, text[i:i+1]); err != nil {
			return err
		}
		time.Sleep(time.Duration(seconds * float64(time.Second)))
	}
	return nil
}

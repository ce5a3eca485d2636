package stdio_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// helper is a program that does what its second argument says, if its first is "helper".
func helper() {
	if len(os.Args) < 3 || os.Args[1] != "helper" {
		return
	}
	if serve := others[os.Args[2]]; serve != nil {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(0)
	}
	say := func(text string) { fmt.Fprintln(os.Stdout, text) }
	switch os.Args[2] {
	case "reads nothing":
		time.Sleep(time.Hour)
	case "endless line":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("{", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "closes input":
		_ = os.Stdin.Close()
		say(`{}`)
		time.Sleep(time.Hour)
	case "closes output":
		say(`{}`)
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "tells":
		dir, _ := os.Getwd()
		text, err := json.Marshal(map[string]any{"dir": dir, "env": os.Environ()})
		if err != nil {
			os.Exit(1)
		}
		say(string(text))
	case "has a child":
		// The child holds its standard output, and ignores what can be ignored.
		child := exec.Command(os.Args[0], "helper", "ignores SIGTERM") //nolint:gosec,noctx // this test
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
		say(fmt.Sprintf(`{"pid":%d}`, child.Process.Pid))
		if len(os.Args) > 3 {
			os.Exit(7)
		}
		time.Sleep(time.Hour)
	case "ignores SIGTERM":
		signal.Ignore(syscall.SIGTERM)
		say(fmt.Sprintf(`{"pid":%d}`, os.Getpid()))
		time.Sleep(time.Hour)
	}
	os.Exit(0)
}

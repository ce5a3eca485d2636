//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Group would put a command into a group of its own: there are none here.
func Group(*exec.Cmd) {}

// Terminate does nothing: a program can't be asked to end here.
func Terminate(*os.Process) {}

// Kill ends a process at once.
func Kill(p *os.Process) { _ = p.Kill() }

// signal is "": no signals end processes here.
func signal(*os.ProcessState) string { return "" }

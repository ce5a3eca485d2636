//go:build unix

package dev

import (
	"os/exec"
	"syscall"
)

// exeSuffix ends the names of programs.
const exeSuffix = ""

// ownGroup puts a command into a process group of its own, so that Ctrl-C on the terminal is not
// for it, and has all of the group end with its context.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}

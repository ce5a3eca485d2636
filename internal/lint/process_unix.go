//go:build unix

package lint

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a group of processes of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends what is left of a command's group: programs such as npx start others.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

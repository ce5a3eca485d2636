//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Group puts a command into a session of its own, before it is started. It gets no Ctrl-C of the
// terminal and can't ask there for a password, which would stop it for ever; and what it starts
// ends with it. If the command has a context, the end of that kills the group.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}

// Terminate asks the processes of a group to end. p is the one that was started.
func Terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

// Kill ends the processes of a group at once. p is the one that was started, which may have
// ended: as long as others of its group run, no other process gets its number.
func Kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signal names the signal that ended a process, "" if none did.
func signal(s *os.ProcessState) string {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}

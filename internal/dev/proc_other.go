//go:build !unix

package dev

import "os/exec"

// exeSuffix ends the names of programs.
const exeSuffix = ".exe"

// ownGroup would put a command into a process group of its own: there are none here.
func ownGroup(*exec.Cmd) {}

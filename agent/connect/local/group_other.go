//go:build !unix

package local

import "os/exec"

// ownGroup does nothing: there are no groups here that end as one. The context
// kills the command itself.
func ownGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

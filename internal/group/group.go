// Package group runs commands in process groups of their own, so that a command
// and all that it has started end as one.
package group

import "os/exec"

// Own puts a command that is not started yet, and all that it will start, into a
// group of its own. When its context ends, the whole group is killed at once.
func Own(cmd *exec.Cmd) {
	used.Store(true)
	own(cmd, killing)
}

// Asked is like [Own], but has the group asked to end when the context of the
// command does. [Kill] ends what does not heed that.
func Asked(cmd *exec.Cmd) {
	used.Store(true)
	own(cmd, asking)
}

// Kill kills what is left of a command's group. As long as anything is, its
// number is nobody else's.
func Kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		kill(cmd)
	}
}

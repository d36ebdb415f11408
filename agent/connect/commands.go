package connect

import (
	"context"
	"io"
	"time"
)

// Commands is a machine whose commands are answered by something other than
// processes: a simulated one. Its files are files of this machine.
type Commands interface {
	// Look gives what answers questions. Nothing can be changed through it.
	Look(context.Context) (Runner, error)
	// Change gives what carries out changes too.
	Change(context.Context) (Runner, error)
}

// Runner carries out the commands of a machine until it is closed. Its methods
// may be called from any goroutine.
type Runner interface {
	// Run carries out a command to its end. An exit code is no error. What was
	// never begun wraps [ErrNotSent]; after any other error nobody knows.
	Run(ctx context.Context, argv []string, input []byte) (Ended, error)
	// Now gives the machine's time.
	Now() time.Time
	// DataRoot gives the folder of mqs.ini.
	DataRoot() string
	// Room gives size and free bytes of the machine's file system, where it is
	// another than that of this machine.
	Room() (size, free int64, limited bool)
	io.Closer
}

// Ended is a command that came to its end by itself.
type Ended struct {
	Output []byte // standard output
	Said   []byte // standard error
	Code   int
}

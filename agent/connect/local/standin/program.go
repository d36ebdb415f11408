package standin

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// own is the commands as a program of their own, once [Prepare] was called.
var own struct {
	once     sync.Once
	prepared bool
	dir      string // that it is in
	file     string // empty: it could not be built
}

// Prepare lets the commands be a program of their own, which the first host that
// [New] lays out has built: a fuzz target, whose package is begun again and again,
// mostly needs none. It gives what removes it in the end. The test's own program
// would do, and does where the program can't be built; but tests start the
// commands a thousand times, and it is large, and slow to start under the race
// detector.
func Prepare() (remove func()) {
	own.prepared = true
	return func() {
		if own.dir != "" {
			_ = os.RemoveAll(own.dir) // a temporary folder
		}
	}
}

func build() {
	dir, err := os.MkdirTemp("", "mqhk-standin-")
	if err != nil {
		return
	}
	own.dir = dir
	file := filepath.Join(dir, "mq")
	command := exec.CommandContext(context.Background(), "go", "build", "-o", file, "github.com/mqhk/mqhk/agent/connect/local/standin/prog")
	if command.Run() == nil {
		own.file = file
	}
}

// theProgram is what the commands are links to.
func theProgram() (string, error) {
	if own.prepared {
		own.once.Do(build)
	}
	if own.file != "" {
		return own.file, nil
	}
	return os.Executable()
}

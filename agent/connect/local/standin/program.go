package standin

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// program is the commands; empty: the test's own program.
var program string

// Prepare makes the commands a program of their own, for the hosts that [New]
// lays out from now on, and gives what removes it in the end. The test's own
// program would do, and does where the program can't be built; but tests start
// the commands a thousand times, and it is large, and slow to start under the
// race detector.
func Prepare() (remove func()) {
	dir, err := os.MkdirTemp("", "mqhk-standin-")
	if err != nil {
		return func() {}
	}
	file := filepath.Join(dir, "mq")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", file, "github.com/mqhk/mqhk/agent/connect/local/standin/prog")
	if build.Run() == nil {
		program = file
	}
	return func() {
		program = ""
		_ = os.RemoveAll(dir) // a temporary folder
	}
}

// theProgram is what the commands are links to.
func theProgram() (string, error) {
	if program != "" {
		return program, nil
	}
	return os.Executable()
}

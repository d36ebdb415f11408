package host

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/mqhk/mqhk/plugins/serve"
)

// drainLimit is how long the output of an ended plugin is still read: a
// process that it left behind may hold the pipe for ever.
const drainLimit = 200 * time.Millisecond

// child is the process of one plugin; it is go-plugin's runner. It reads
// standard error itself and hands go-plugin nothing of it.
type child struct {
	cmd    *exec.Cmd
	binary binary
	dir    string // of its socket
	log    *stderrLog
	name   string
	family *family

	stdout   *os.File // read ends
	stderr   *os.File
	lifeline *os.File      // write end: its closing tells the plugin to go
	read     chan struct{} // closed when standard error was read to its end
	heard    chan struct{} // closed when standard output was
	heardAll sync.Once
	shaken   bool        // the handshake's line was read; of who reads standard output
	printed  *lineWriter // takes the lines behind it

	mu     sync.Mutex
	pid    int
	doomed bool // killed before it ran
	reaped bool
	exited chan struct{} // closed when the process is gone
	exit   string        // how; to be read after exited
}

// newChild prepares a process; env is all that it will know of the world.
func newChild(source Source, b binary, env []string, dir string, log *stderrLog, family *family) *child {
	return &child{
		cmd: &exec.Cmd{
			Path: b.path,
			Args: append([]string{filepath.Base(b.path)}, source.Args...),
			Env:  append(env, goplugin.EnvUnixSocketDir+"="+dir),
		},
		binary: b, dir: dir, log: log, name: source.Name, family: family,
		printed: &lineWriter{emit: log.printed},
		read:    make(chan struct{}), heard: make(chan struct{}), exited: make(chan struct{}),
	}
}

// start launches the process and returns when it runs, or can't.
func (c *child) start() (err error) {
	var ours, theirs []*os.File
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	var stdout, stderr, line *os.File
	c.stdout, stdout = pipe()
	c.stderr, stderr = pipe()
	line, c.lifeline = pipe()
	ours, theirs = []*os.File{c.stdout, c.stderr, c.lifeline}, []*os.File{stdout, stderr, line}
	if err == nil {
		c.cmd.Stdout, c.cmd.Stderr = stdout, stderr
		err = c.prepare(line)
	}
	if err != nil {
		closeFiles(append(ours, theirs...))
		return fmt.Errorf("preparing the process: %w", err)
	}
	started := make(chan error)
	go c.run(started, theirs)
	if err := <-started; err != nil {
		closeFiles(ours)
		return fmt.Errorf("launching %s: %w", c.binary.path, err)
	}
	go func() {
		defer close(c.read)
		lines := &lineWriter{emit: c.log.line}
		_, _ = io.Copy(lines, c.stderr)
		_ = lines.Close()
	}()
	return nil
}

// run starts the process and lives as long as it. It keeps its thread, to
// which Linux binds the signal that a child gets when its parent dies.
func (c *child) run(started chan<- error, theirs []*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.family.launch([]*os.File{c.stdout, c.stderr, c.lifeline}, func() (int, error) {
		if err := c.cmd.Start(); err != nil {
			return 0, err
		}
		return c.cmd.Process.Pid, nil
	})
	closeFiles(theirs)
	if err == nil {
		c.born()
	}
	started <- err
	if err != nil {
		return
	}
	// What it left behind goes too, while its number can't be another's; where
	// a process can't be waited for without being reaped, right after that.
	held := awaitEnd(c.pid)
	if held {
		c.killGroup()
	}
	c.family.over()
	err = c.cmd.Wait()
	if !held {
		killGroup(c.cmd.Process)
	}
	c.mu.Lock()
	c.reaped, c.exit = true, exitText(c.cmd.ProcessState, err)
	c.mu.Unlock()
	close(c.exited)
	c.drain()
}

// drain reads what the pipes still hold and closes them.
func (c *child) drain() {
	limit := time.NewTimer(drainLimit)
	defer limit.Stop()
	for _, done := range []chan struct{}{c.read, c.heard} {
		select {
		case <-done:
			continue
		case <-limit.C:
		}
		break
	}
	closeFiles([]*os.File{c.stdout, c.stderr})
}

// born notes that the process runs. Who wanted it dead before gets its will.
func (c *child) born() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pid = c.cmd.Process.Pid
	if c.doomed {
		killGroup(c.cmd.Process)
	}
}

// killGroup ends every process of the group, if the leader is not reaped.
func (c *child) killGroup() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.pid == 0:
		c.doomed = true
	case !c.reaped:
		killGroup(c.cmd.Process)
	}
}

// ended waits until the process is gone and its last words are read, but no
// longer than limit; it tells whether the process is gone, and how it went.
func (c *child) ended(limit time.Duration) (exit string, gone bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
		return "", false
	}
	select {
	case <-c.read:
	case <-timer.C:
	}
	return c.exit, true
}

// letGo closes the lifeline: a process that outlived everything else ends by
// it, if it is of the right mind.
func (c *child) letGo() { closeFiles([]*os.File{c.lifeline}) }

func exitText(state *os.ProcessState, err error) string {
	if state != nil {
		return state.String()
	}
	return fmt.Sprint(err)
}

func closeFiles(files []*os.File) {
	for _, file := range files {
		if file != nil {
			_ = file.Close()
		}
	}
}

// lifelineEnv tells the plugin where its lifeline is.
func lifelineEnv(where string) string { return serve.EnvLifeline + "=" + where }

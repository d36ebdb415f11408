package standin

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/leave"
)

// commands are what the machine can run.
var commands = map[string]func(*call) int{"runmqsc": runmqsc, "dspmq": dspmq, "dspmqinf": dspmqinf, "rcdmqimg": rcdmqimg}

// call is one command that is run.
type call struct {
	name string
	bin  string
	args []string
	in   io.Reader
	out  io.Writer
	err  io.Writer
}

// Main runs a command and ends the process when the program was started as one,
// and else comes back.
func Main() {
	name := filepath.Base(os.Args[0])
	command, ok := commands[name]
	if !ok {
		return
	}
	path, err := exec.LookPath(os.Args[0]) // by its path, or found in PATH
	if err != nil {
		path = os.Args[0]
	}
	c := &call{name, filepath.Dir(path), os.Args[1:], os.Stdin, os.Stdout, os.Stderr}
	var how Behaviour
	err = with(c.bin, func(s *state) error {
		how = s.Behaves[name]
		s.Calls = append(s.Calls, strings.Join(append([]string{name}, c.args...), " "))
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		leave.With(99)
	}
	leave.With(c.behave(how, command))
}

// the queue manager of a command: its first argument, or that behind -m.
func (c *call) manager() string {
	for i, arg := range c.args {
		if arg == "-m" && i+1 < len(c.args) {
			return c.args[i+1]
		}
	}
	if len(c.args) > 0 && !strings.HasPrefix(c.args[len(c.args)-1], "-") {
		return c.args[len(c.args)-1]
	}
	return ""
}

// on does something with the queue manager of a command. The error is told as a
// command of MQ does.
func (c *call) on(do func(*state, *Manager) int) int {
	code := 0
	err := with(c.bin, func(s *state) error {
		m, err := s.manager(c.manager())
		if err != nil {
			fmt.Fprintln(c.err, "AMQ7048E: The queue manager name is either not valid or not known.")
			code = 36
			return nil //nolint:nilerr // it was told, as a command tells it
		}
		code = do(s, m)
		return nil
	})
	if err != nil {
		fmt.Fprintln(c.err, err)
		return 71
	}
	return code
}

func dspmq(c *call) int {
	return c.on(func(_ *state, m *Manager) int {
		status := m.Status
		switch {
		case status == "" && m.Ended:
			status = "Ended normally"
		case status == "":
			status = "Running"
		}
		fmt.Fprintf(c.out, "QMNAME(%s)%*sSTATUS(%s)\n    INSTANCE(host1) MODE(Active)\n", m.Name, max(1, 50-len(m.Name)), "", status)
		return 0
	})
}

func dspmqinf(c *call) int {
	return c.on(func(s *state, m *Manager) int {
		fmt.Fprint(c.out, s.stanza(m))
		return 0
	})
}

// rcdmqimg moves the media recovery point to where the log is written, and a
// checkpoint the restart point with it.
func rcdmqimg(c *call) int {
	return c.on(func(_ *state, m *Manager) int {
		switch {
		case m.Ended:
			fmt.Fprintln(c.err, "AMQ8146E: IBM MQ queue manager not available.")
			return 40
		case m.LogType == "CIRCULAR":
			fmt.Fprintln(c.err, "AMQ7044E: Media recovery not allowed.")
			return 68
		case m.ImageCode != 0:
			fmt.Fprintln(c.err, "the images were not recorded")
			return m.ImageCode
		}
		fmt.Fprintln(c.out, "Media image for object A, type qlocal recorded.")
		m.Media, m.Restart = m.Current, m.Current
		if err := m.keepHouse(); err != nil {
			fmt.Fprintln(c.err, err)
			return 71
		}
		return 0
	})
}

func extentOr(number int, told bool) string {
	if !told {
		return " "
	}
	return observe.ExtentName(number)
}

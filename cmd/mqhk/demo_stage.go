package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/mqhk/mqhk/internal/shell"
)

// stage is where a demo plays: it gives this program command lines as a person
// would, and shows each with what came of it.
type stage struct {
	*app
	demonstration
	folder *demoFolder
	began  time.Time
	parts  int // that were begun
}

// part begins a part of the demo.
func (s *stage) part(title string) error {
	s.parts++
	heading := fmt.Sprintf("%d. %s", s.parts, title)
	return s.print("\n" + heading + "\n" + strings.Repeat("=", len(heading)) + "\n")
}

// say tells what happens, or what came of it.
func (s *stage) say(format string, args ...any) error {
	return s.print("\n" + fmt.Sprintf(format, args...) + "\n")
}

// answered is what a command line came to.
type answered struct {
	status        int
	out, problems string
}

// give carries out a command line in this process, by the code that carries
// out the same line when it is typed.
func (s *stage) give(ctx context.Context, args ...string) answered {
	defer s.wait()()
	var out, problems bytes.Buffer
	typed := newApp(&out, &problems)
	root := typed.root() //nolint:contextcheck // the commands take theirs from ExecuteContext
	root.SetArgs(append([]string{"--log-level", "warn"}, args...))
	root.SetOut(&out)
	root.SetErr(&problems)
	status := typed.report(root.ExecuteContext(ctx))
	return answered{status, out.String(), problems.String()}
}

// excerpt chooses what is shown of what a command printed.
type excerpt func(string) string

// do shows a command line, carries it out and shows an excerpt of what it
// printed. An exit status other than the one that is wanted is an error.
func (s *stage) do(ctx context.Context, want int, show excerpt, args ...string) (answered, error) {
	if err := s.print("\n  $ " + commandLine(args) + "\n"); err != nil {
		return answered{}, err
	}
	came := s.give(ctx, args...)
	if ctx.Err() != nil {
		return came, fmt.Errorf("%s: %w", commandLine(args), ctx.Err())
	}
	text := show(came.out) + came.problems
	if came.status != 0 {
		text += fmt.Sprintf("exit status %d\n", came.status)
	}
	if err := s.print(indented(text)); err != nil {
		return came, err
	}
	if came.status != want {
		return came, fmt.Errorf("%s: exit status %d, and %d was to be: %s", commandLine(args), came.status, want, strings.TrimSpace(came.problems))
	}
	return came, nil
}

// wait shows on a terminal that something takes its time, until it is stopped.
func (s *stage) wait() (stop func()) {
	file, ok := s.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	began := time.Now()
	ticks := time.NewTicker(time.Second)
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticks.C:
				fmt.Fprintf(file, "\r    %d s", int(time.Since(began).Seconds()))
			case <-done:
				fmt.Fprint(file, "\r        \r")
				return
			}
		}
	}()
	return func() { ticks.Stop(); close(done); <-ended }
}

// lineWidth is how long a command line may be before its arguments go on lines
// of their own.
const lineWidth = 100

// commandLine writes a command line as it is typed in a shell.
func commandLine(args []string) string {
	words := []string{"mqhk"}
	for _, a := range args {
		word, ok := shell.Word(a)
		if !ok {
			word = strconv.Quote(a) // it shows what a shell is not told to take
		}
		words = append(words, word)
	}
	if line := strings.Join(words, " "); len(line) <= lineWidth {
		return line
	}
	line := words[0]
	for _, w := range words[1:] {
		if strings.ContainsAny(w[:1], `'"`) {
			line += " \\\n      " + w
			continue
		}
		line += " " + w
	}
	return line
}

// indented sets what a command printed apart from what is told about it.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}

// short shows a long list by its first and its last lines.
func short(text string) string {
	const first, last = 4, 2
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if text == "" || len(lines) <= first+last+1 {
		return text
	}
	between := fmt.Sprintf("... %d more lines ...", len(lines)-first-last)
	return strings.Join(append(append(lines[:first:first], between), lines[len(lines)-last:]...), "\n") + "\n"
}

// firstLine shows the first line alone.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line + "\n"
}

// silent shows nothing.
func silent(string) string { return "" }

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// counted writes how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

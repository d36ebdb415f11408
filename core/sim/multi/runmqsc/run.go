package runmqsc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// The exit codes (reference, Multiplatforms 8 item 122).
const (
	AllDone    = 0
	SomeFailed = 10
	NotRun     = 20
)

// usual is the release of a runmqsc that has no queue manager to ask for it.
var usual = level.Level{Version: 9, Release: 4}

// Options are the flags of runmqsc.
type Options struct {
	// NoEcho is -e: the script is not shown.
	NoEcho bool
	// Verify is -v: commands are checked, and not carried out.
	Verify bool
}

// Run runs the commands of a script on a queue manager, without flags. See
// [Options.Run].
func Run(ctx context.Context, m Manager, name string, script []byte) (out []byte, code int) {
	return Options{}.Run(ctx, m, name, script)
}

// Run runs the commands of a script on a queue manager and gives what runmqsc
// prints and its exit code. Name is the queue manager's, as it was called; m is
// nil, and no nil in an interface, when there is none of that name.
func (o Options) Run(ctx context.Context, m Manager, name string, script []byte) (out []byte, code int) {
	s := &session{Options: o, m: m, level: usual}
	if m == nil {
		s.banner(name)
		s.say("AMQ8118", amqerr.Inserts{})
		return []byte(s.out.String()), NotRun
	}
	status := m.Status()
	if l, err := level.Parse(status.Release); err == nil {
		s.level = l
	}
	s.banner(name)
	if status.State != qmgr.Running {
		s.say("AMQ8146", amqerr.Inserts{})
		s.out.WriteString("\n")
		s.trailer()
		return []byte(s.out.String()), NotRun
	}
	if o.Verify {
		s.m = checked{m}
	}
	s.run(ctx, script)
	s.trailer()
	return []byte(s.out.String()), s.code()
}

// session is one run of runmqsc.
type session struct {
	Options

	m     Manager
	level level.Level
	out   strings.Builder
	lines []string // of the script
	next  int      // the first line that was not echoed

	read, unread, failed int // commands; those with a syntax error; those that were not processed
	broken               bool
}

// copyrights are the years that the banner of a release ends with.
var copyrights = []struct {
	since level.Level
	year  int
}{
	{level.Level{Version: 9, Release: 4}, 2024}, {level.Level{Version: 9, Release: 3}, 2022}, {level.Level{Version: 9, Release: 2}, 2020},
	{level.Level{Version: 9, Release: 1}, 2018}, {level.Level{Version: 9}, 2016}, {level.Level{Version: 8}, 2014},
}

func (s *session) banner(name string) {
	year, rights := 2011, "  ALL RIGHTS RESERVED."
	for _, c := range copyrights {
		if s.level.AtLeast(c.since.Version, c.since.Release, 0) {
			year, rights = c.year, ""
			break
		}
	}
	fmt.Fprintf(&s.out, "5724-H72 (C) Copyright IBM Corp. 1994, %d.%s\nStarting MQSC for queue manager %s.\n\n\n", year, rights, name)
}

// say prints a message.
func (s *session) say(id string, inserts amqerr.Inserts) {
	s.out.WriteString(amqerr.Say(s.level, id, inserts) + "\n")
}

// run goes through the commands. What ends the script ends it, and what stands
// behind that is not read.
func (s *session) run(ctx context.Context, script []byte) {
	s.lines = strings.Split(strings.ToValidUTF8(string(script), "?"), "\n")
	for statement, err := range mqsc.Script(script) {
		var place *mqsc.Error
		if errors.As(err, &place) && place.Text == mqsc.BehindEnd {
			break
		}
		s.read++
		s.echo(statement)
		if err != nil {
			s.syntax(s.segment(statement, place))
			continue
		}
		if s.perform(ctx, statement.Command); s.broken {
			return
		}
	}
	s.echoRest()
}

// echo prints the lines up to the end of a command: its own behind its number,
// others behind a colon.
func (s *session) echo(at mqsc.Statement) {
	for ; s.next < at.Line-1 && s.next < len(s.lines); s.next++ {
		s.line("       : ", s.lines[s.next])
	}
	for i := max(at.Line-1, 0); i < at.Last && i < len(s.lines); i++ {
		head, text := "       : ", s.lines[i]
		if i == at.Line-1 {
			head = fmt.Sprintf("%6d : ", s.read)
			if i < s.next { // another command began in the line
				text = from(text, at.Column)
			}
		}
		s.line(head, text)
	}
	s.next = max(s.next, at.Last)
}

// echoRest prints what stands behind the last command: comments, and the word
// that ends the script, which has the next number and is not counted.
func (s *session) echoRest() {
	for ; s.next < len(s.lines); s.next++ {
		text := strings.TrimSpace(s.lines[s.next])
		word := strings.TrimRight(strings.ToUpper(text), "; ")
		switch {
		case slices.Contains([]string{"END", "EXIT", "QUIT"}, word):
			s.line(fmt.Sprintf("%6d : ", s.read+1), text)
			return
		case text != "" || s.next < len(s.lines)-1:
			s.line("       : ", s.lines[s.next])
		}
	}
}

// line prints a line of the script. A mark of the byte order and what is no
// character of a text are left out.
func (s *session) line(head, text string) {
	if s.NoEcho && head != "" {
		return
	}
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\t' || c == '\ufeff' {
			return -1
		}
		return c
	}, text)
	s.out.WriteString(strings.TrimRight(head+text, " ") + "\n")
}

// from gives a text from a column on.
func from(text string, column int) string {
	characters := []rune(text)
	return string(characters[min(max(column-1, 0), len(characters)):])
}

// segment gives a command up to where it can't be read. One that is wrong as a
// whole, such as with a keyword twice, is shown to its end.
func (s *session) segment(at mqsc.Statement, place *mqsc.Error) string {
	if place == nil {
		return ""
	}
	whole := place.Line == at.Line && place.Column == at.Column
	last := place.Line
	if whole {
		last = at.Last
	}
	var lines []string
	for i := max(at.Line, 1); i <= last && i <= len(s.lines); i++ {
		text := s.lines[i-1]
		if i == last && !whole {
			characters := []rune(text)
			text = string(characters[:min(max(place.Column, 0), len(characters))])
		}
		if i == at.Line {
			text = from(text, at.Column)
		}
		lines = append(lines, strings.TrimRight(text, "\r"))
	}
	return strings.Join(lines, "\n")
}

// syntax says that a command can't be read, and shows it up to there.
func (s *session) syntax(segment string) {
	s.unread++
	s.say("AMQ8405", amqerr.Inserts{})
	for text := range strings.SplitSeq(segment, "\n") {
		s.line("", text)
	}
	s.out.WriteString("\n")
}

// perform carries a command out and prints the reply.
func (s *session) perform(ctx context.Context, command mqsc.Command) {
	reply, err := (&performer{ctx: ctx, m: s.m, level: s.level}).do(command)
	var unread *syntaxError
	var refused *refusal
	if errors.As(err, &unread) {
		s.syntax(unread.segment(command))
		return
	}
	if s.Verify {
		return
	}
	s.out.WriteString(reply)
	switch {
	case err == nil:
	case errors.As(err, &refused):
		s.failed++
		s.out.WriteString(refused.text)
	default:
		s.failed++
		s.broken = errors.Is(err, engine.ErrStopped)
		s.out.WriteString(s.explain(command, err))
	}
}

// code gives the exit code.
func (s *session) code() int {
	switch {
	case s.broken:
		return NotRun
	case s.unread > 0 || s.failed > 0:
		return SomeFailed
	}
	return AllDone
}

// trailer prints the count.
func (s *session) trailer() {
	s.out.WriteString(count(s.read, "No MQSC commands read.", "One MQSC command read.", "%d MQSC commands read."))
	s.out.WriteString(count(s.unread, "No commands have a syntax error.", "One command has a syntax error.", "%d commands have a syntax error."))
	s.out.WriteString(count(s.failed, "All valid MQSC commands were processed.",
		"One valid MQSC command could not be processed.", "%d valid MQSC commands could not be processed."))
}

func count(n int, none, one, more string) string {
	switch n {
	case 0:
		return none + "\n"
	case 1:
		return one + "\n"
	}
	return fmt.Sprintf(more+"\n", n)
}

package qsgtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// Layout is a form in which a group's answers are printed.
type Layout uint8

// The layouts.
const (
	CommandServer Layout = iota // sets of replies, as CSQUTIL and REST show them
	Console                     // as a console shows them, with connect ids
	HardCopy                    // as the log of the console has them
	ByMember                    // each member was asked for itself
)

// Layouts lists them.
func Layouts() []Layout { return []Layout{CommandServer, Console, HardCopy, ByMember} }

// String names the layout.
func (l Layout) String() string {
	return [...]string{"command server", "console", "hard copy", "by member"}[min(l, ByMember)]
}

// Write writes the transcript in which [qsg.Read] finds the facts of a group.
func Write(g qsg.Group, layout Layout) []byte {
	w := writer{group: g, layout: layout}
	if !g.Observed.IsZero() {
		fmt.Fprintf(&w.out, ">>> CLOCK %s\n", g.Observed.Format(time.RFC3339))
	}
	fmt.Fprintf(&w.out, ">>> QSG %s zos\n", g.Name)
	for _, m := range g.Members {
		state := "ended"
		if m.Status == qsg.MemberActive {
			state = "active"
		}
		fmt.Fprintf(&w.out, ">>> MEMBER %s %s %s\n", m.Name, g.Name, state)
	}
	w.members()
	w.structures()
	w.dataSets()
	w.logs()
	w.utilities()
	w.host()
	return w.out.Bytes()
}

// writer writes blocks.
type writer struct {
	group  qsg.Group
	layout Layout
	out    bytes.Buffer
}

// reply is what one member printed for one command.
type reply struct {
	member qsg.Member
	lines  []string
}

// active gives the members that answer commands.
func (w *writer) active() []qsg.Member {
	return slices.DeleteFunc(slices.Clone(w.group.Members), func(m qsg.Member) bool { return m.Status != qsg.MemberActive })
}

// block writes a block with lines.
func (w *writer) block(language, name, question string, lines []string) {
	fmt.Fprintf(&w.out, ">>> %s\n", strings.TrimSuffix(language+" "+name+": "+question, ": "))
	for _, line := range lines {
		w.out.WriteString(line + "\n")
	}
}

// grouped writes the answer of one member for the group.
func (w *writer) grouped(command string, show func(m qsg.Member) []string) {
	if active := w.active(); len(active) > 0 {
		name := w.group.Name
		if w.layout == ByMember {
			name = active[0].Name
		}
		w.block("MQSC", name, command, w.laid(w.set(show(active[0]), 0)))
	}
}

// each writes the answers of all members to a command with CMDSCOPE(*).
func (w *writer) each(command string, show func(m qsg.Member) []string) {
	var replies []reply
	for _, m := range w.active() {
		if lines := show(m); len(lines) > 0 {
			replies = append(replies, reply{m, lines})
		}
	}
	if len(replies) == 0 {
		return
	}
	if w.layout == ByMember {
		for _, r := range replies {
			w.block("MQSC", r.member.Name, command, r.lines)
		}
		return
	}
	w.block("MQSC", w.group.Name, command+" CMDSCOPE(*)", w.laid(w.sent(command, replies)))
}

// sent gives the replies to a command that was sent on.
func (w *writer) sent(command string, replies []reply) []string {
	const more = 4
	prefix := replies[0].member.Prefix
	words := strings.Fields(command)
	verb := words[0] + " " + strings.SplitN(words[1], "(", 2)[0]
	lines := w.set([]string{
		fmt.Sprintf("CSQN137I %s CSQNDISP '%s' accepted for CMDSCOPE(*), sent to %d", prefix, verb, len(replies)),
		fmt.Sprintf("CSQ9022I %s CSQNDISP ' %s' NORMAL COMPLETION", prefix, verb),
	}, more)
	for _, r := range replies {
		first := fmt.Sprintf("CSQN121I %s CSQNRQST '%s' command responses from %s", prefix, verb, r.member.Name)
		lines = append(lines, w.set(append([]string{first}, r.lines...), more)...)
	}
	return append(lines, w.set([]string{fmt.Sprintf("CSQN122I %s CSQNRQST '%s' command for CMDSCOPE(*) normal completion", prefix, verb)}, 0)...)
}

// set puts the command server's first message in front of lines.
func (w *writer) set(lines []string, reason int) []string {
	if w.layout != CommandServer {
		return lines
	}
	return append([]string{fmt.Sprintf("CSQN205I   COUNT=%8d, RETURN=00000000, REASON=%08X", len(lines)+1, reason)}, lines...)
}

// laid puts connect ids behind the first lines of messages of several lines,
// and the parts of the hardcopy log in front of all.
func (w *writer) laid(lines []string) []string {
	if w.layout != Console && w.layout != HardCopy {
		return lines
	}
	const firstID, ids = 100, 900
	laid := make([]string, len(lines))
	id := firstID
	first := func(line string) bool { return strings.HasPrefix(line, "CSQ") }
	for i, line := range lines {
		several := i+1 < len(lines) && !first(lines[i+1])
		if first(line) && several {
			id = firstID + (id+1-firstID)%ids
			line += fmt.Sprintf(" %03d", id)
		}
		if w.layout == HardCopy {
			switch {
			case first(line):
				line = "N 4000000 SYSA     " + hardCopyStamp(w.group.Observed) + " STC00123 00000090  " + line
			case several:
				line = fmt.Sprintf("D%38s%03d 00000090  %s", "", id, line)
			default:
				line = fmt.Sprintf("E%38s%03d 00000090  %s", "", id, line)
			}
		}
		laid[i] = line
	}
	return laid
}

func hardCopyStamp(at time.Time) string { return at.Format("2006002 15:04:05") + ".10" }

// attribute is NAME(value), and NAME( ) where there is none.
func attribute(name, value string) string {
	if value == "" {
		value = " "
	}
	return name + "(" + value + ")"
}

// object gives an object as a queue manager shows it, one attribute a line.
func object(m qsg.Member, kind string, pairs ...string) []string {
	lines := []string{fmt.Sprintf("CSQM201I %s CSQMDRTC DIS %s DETAILS", m.Prefix, kind)}
	for i := 0; i+1 < len(pairs); i += 2 {
		lines = append(lines, attribute(pairs[i], pairs[i+1]))
	}
	return append(lines, "END "+kind+" DETAILS")
}

// objects puts the frame around objects of a kind.
func objects(m qsg.Member, kind string, all [][]string) []string {
	end := fmt.Sprintf("CSQ9022I %s CSQMDRTC ' DIS %s' NORMAL COMPLETION", m.Prefix, kind)
	if len(all) == 0 {
		return []string{fmt.Sprintf("CSQM297I %s CSQMDRTC NO %s FOUND MATCHING REQUEST CRITERIA", m.Prefix, kind), end}
	}
	lines := []string{fmt.Sprintf("CSQM293I %s CSQMDRTC %d %s FOUND MATCHING REQUEST CRITERIA", m.Prefix, len(all), kind)}
	for _, object := range all {
		lines = append(lines, object...)
	}
	return append(lines, end)
}

// completed ends a report.
func completed(m qsg.Member, command string) string {
	return fmt.Sprintf("CSQ9022I %s CSQJC001 ' %s' NORMAL COMPLETION", m.Prefix, command)
}

func printed(n qsg.Number) string {
	if !n.Known {
		return ""
	}
	return fmt.Sprint(n.Value)
}

func kilobytes(n qsg.Number) string {
	if !n.Known {
		return ""
	}
	return fmt.Sprintf("%dK", n.Value>>10)
}

func day(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.DateOnly)
}

func clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("15.04.05")
}

// quoted gives a value as MQSC prints it.
func quoted(value string) string {
	if value == "" {
		return ""
	}
	return mqsc.Quote(value)
}

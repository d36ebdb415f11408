package mqsc

import (
	"regexp"
	"strconv"
	"strings"
)

// Reply is what one queue manager of a group answered. A command that was sent
// on by CMDSCOPE has several.
type Reply struct {
	Answer

	// QueueManager is named by CSQN121I; empty: the one that was asked, unless
	// Prefix says otherwise.
	QueueManager string
	// Prefix is the command prefix in the messages; empty: they have none.
	Prefix string
}

// Answered is an answer of z/OS, taken apart.
type Answered struct {
	// Replies are by who gave them, in the order of the answer; no two next to
	// each other have the same queue manager and prefix.
	Replies []Reply
	// Sets are those of the command server; none in an answer of a console.
	Sets []ReplySet
	// SentTo is how many queue managers a command with CMDSCOPE went to
	// (CSQN137I), as far as it was printed; -1: it was not.
	SentTo int
	// Silent are the queue managers that a command could not be sent to, or
	// that gave an error instead of an answer (CSQN132E, CSQN135E, CSQN138E).
	Silent []string
	// Failed tells that a command ended abnormally on some queue manager
	// (CSQ9023E, CSQN123E) or that the command server's codes say so.
	Failed bool
	// More tells that the last set says that further ones follow, which are not
	// there: the answer is not whole.
	More bool
}

// ReplySet is CSQN205I, with which every set of replies begins.
type ReplySet struct {
	Count          int // of the replies, with this one
	Return, Reason uint32
}

// Good tells success as CSQUTIL does: nothing returned, and no reason but that
// more sets follow.
func (s ReplySet) Good() bool { return s.Return == 0 && (s.Reason == 0 || s.Reason == moreFollows) }

// moreFollows is the reason of a set behind which others come ("Interpreting
// the reply messages from the command server").
const moreFollows = 4

var (
	replySet = regexp.MustCompile(`COUNT= *([0-9]+), *RETURN=([0-9A-Fa-f]{8}), *REASON=([0-9A-Fa-f]{8})`)
	sentTo   = regexp.MustCompile(`(?i)SENT TO ([0-9]+)`)
	// responder is at the end of CSQN121I, and of those that name a queue
	// manager which did not answer.
	responder = regexp.MustCompile(`(?i)(?:FROM|MANAGER|TO) +([A-Z][A-Z0-9]{0,3})\b`)
	prefixed  = regexp.MustCompile(`^([!-/:-@\[-` + "`" + `{-~]?[A-Z0-9@#$!-/:-@]{0,7})(?: |$)`) //nolint:gocritic // all signs of ASCII
	csect     = regexp.MustCompile(`^CSQ[A-Z0-9]{5}$`)
)

// ParseReplies reads an answer of z/OS and parts it by who gave it. Connect ids,
// the marks of a console and what its log puts in front of lines are passed
// over. The error is that of [ParseAnswer], with the lines of the whole text.
func ParseReplies(body []byte) (Answered, error) {
	p := replyParter{answered: Answered{SentTo: -1}}
	for _, line := range ConsoleLines(body) {
		p.line(line)
	}
	err := p.finish()
	if n := len(p.answered.Sets); n > 0 {
		p.answered.More = p.answered.Sets[n-1].Reason == moreFollows && p.answered.Sets[n-1].Return == 0
	}
	return p.answered, err
}

// replyParter collects the lines of one reply after the other.
type replyParter struct {
	answered Answered
	manager  string // named by CSQN121I
	prefix   string
	lines    []string
	first    []int // the numbers of the lines in the whole text
	err      error
}

func (p *replyParter) line(line ConsoleLine) {
	match := findHeadline(line.Text)
	if match == nil {
		p.keep(line)
		return
	}
	id, text := line.Text[match[2]:match[3]], strings.TrimLeft(line.Text[match[3]:], ": ")
	line.Text = line.Text[match[2]:]
	if !showsObject.MatchString(id) || strings.HasSuffix(strings.TrimRight(connectID.ReplaceAllString(text, ""), " "), "DETAILS") {
		line.Text = withoutConnectID(line.Text)
	}
	if prefix := prefixOf(text); prefix != "" && prefix != p.prefix {
		p.part(p.manager, prefix)
	}
	switch stem(id) {
	case "CSQN205":
		p.part("", "")
		p.set(text)
	case "CSQN121":
		p.part(responderOf(text), prefixOf(text))
	case "CSQN122", "CSQN123":
		p.part("", prefixOf(text))
		p.answered.Failed = p.answered.Failed || stem(id) == "CSQN123"
	case "CSQN137":
		if parts := sentTo.FindStringSubmatch(text); parts != nil {
			p.answered.SentTo, _ = strconv.Atoi(parts[1])
		}
	case "CSQN132", "CSQN135", "CSQN138":
		if name := responderOf(text); name != "" {
			p.answered.Silent = append(p.answered.Silent, name)
		}
	case "CSQ9023":
		p.answered.Failed = true
	}
	p.keep(line)
}

func (p *replyParter) keep(line ConsoleLine) {
	p.lines, p.first = append(p.lines, line.Text), append(p.first, line.Line)
}

// set reads the codes of the command server.
func (p *replyParter) set(text string) {
	parts := replySet.FindStringSubmatch(text)
	if parts == nil {
		return
	}
	count, _ := strconv.Atoi(parts[1])
	code, _ := strconv.ParseUint(parts[2], 16, 32)
	reason, _ := strconv.ParseUint(parts[3], 16, 32)
	found := ReplySet{count, uint32(code), uint32(reason)}
	p.answered.Sets = append(p.answered.Sets, found)
	p.answered.Failed = p.answered.Failed || !found.Good()
}

// part ends the reply that is being read, if the next is of another queue
// manager.
func (p *replyParter) part(manager, prefix string) {
	if manager == p.manager && (prefix == p.prefix || p.prefix == "") {
		p.prefix = prefix
		return
	}
	if err := p.finish(); err != nil && p.err == nil {
		p.err = err
	}
	p.manager, p.prefix = manager, prefix
}

func (p *replyParter) finish() error {
	if len(p.lines) == 0 {
		return p.err
	}
	answer, err := parseLines(p.lines)
	if torn, ok := err.(*Error); ok { //nolint:errorlint // nothing else is given
		err = &Error{p.first[min(torn.Line, len(p.first))-1], torn.Column, torn.Text}
	}
	p.add(Reply{Answer: answer, QueueManager: p.manager, Prefix: p.prefix})
	p.lines, p.first = nil, nil
	if p.err == nil {
		p.err = err
	}
	return p.err
}

// add keeps a reply; one of the same queue manager as the last is part of it.
func (p *replyParter) add(reply Reply) {
	if n := len(p.answered.Replies); n > 0 {
		last := &p.answered.Replies[n-1]
		if last.QueueManager == reply.QueueManager && last.Prefix == reply.Prefix {
			last.Objects = append(last.Objects, reply.Objects...)
			last.Messages = append(last.Messages, reply.Messages...)
			return
		}
	}
	p.answered.Replies = append(p.answered.Replies, reply)
}

// prefixOf gives the command prefix with which a message's text begins; empty
// when it begins with a csect or with words.
func prefixOf(text string) string {
	parts := prefixed.FindStringSubmatch(text)
	if len(parts) < 2 || parts[1] == "" || csect.MatchString(parts[1]) || strings.ContainsAny(parts[1], "='()") {
		return ""
	}
	return parts[1]
}

// responderOf gives the last queue manager that a CMDSCOPE message names.
func responderOf(text string) string {
	all := responder.FindAllStringSubmatch(withoutConnectID(text), -1)
	if len(all) == 0 {
		return ""
	}
	return strings.ToUpper(all[len(all)-1][1])
}

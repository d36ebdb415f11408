package observe

import (
	"context"
	"fmt"
	"regexp"
	"time"
)

// Language says how a question is written and who answers it.
type Language string

// The languages. Those up to [Syslog] are spoken by systems; the views LogDir
// to Space show what a system holds; the last four are answered by the host
// that runs the plugin.
const (
	MQSC   Language = "MQSC"   // queue manager commands
	CL     Language = "CL"     // IBM i control language
	SQL    Language = "SQL"    // Db2 for i services: the name of one service with COLUMN='value' conditions
	DB2    Language = "DB2"    // tables of the z/OS shared repository, written as SQL is
	CTL    Language = "CTL"    // control commands: rcdmqimg, dspmq
	IDCAMS Language = "IDCAMS" // access method services
	MVS    Language = "MVS"    // console displays
	Job    Language = "JOB"    // the print of a utility such as CSQJU004
	Syslog Language = "SYSLOG" // messages nobody asked for

	LogDir Language = "LOGDIR" // a directory of log extents: name size [mtime owner mode]
	File   Language = "FILE"   // the content of a file
	UsrSpc Language = "USRSPC" // LIBRARY/NAME of an IBM i user space
	Space  Language = "SPACE"  // size and free bytes of a file system or ASP

	Store   Language = "STORE"   // verified manifests
	Note    Language = "NOTE"    // what the site's own jobs did
	HoldOn  Language = "HOLD"    // what an operator holds
	History Language = "HISTORY" // what earlier runs saw
)

// Languages lists every language.
func Languages() []Language {
	return []Language{MQSC, CL, SQL, DB2, CTL, IDCAMS, MVS, Job, Syslog, LogDir, File, UsrSpc, Space, Store, Note, HoldOn, History}
}

// Known tells whether the language is one of [Languages].
func (l Language) Known() bool {
	for _, known := range Languages() {
		if l == known {
			return true
		}
	}
	return false
}

// OfHost tells whether the host itself answers the language. Such a question
// without an answer is empty, not unanswered.
func (l Language) OfHost() bool { return l == Store || l == Note || l == HoldOn || l == History }

// Question asks one queue manager one thing. Scope is the sharing group or
// the command scope where that matters, else empty.
type Question struct {
	Language     Language
	QueueManager string
	Scope        string
	Text         string
}

// String gives the question as a transcript's header names it:
// "MQSC QM1: DISPLAY QMSTATUS".
func (q Question) String() string {
	return fmt.Sprintf("%s %s: %s", q.Language, q.QueueManager, q.Text)
}

// Answer is what came back, as it came: for SQL, CSV with a header of the
// service's column names; for USRSPC the raw bytes. At is when, on the clock
// of the system that answered where it has one.
type Answer struct {
	Body []byte
	At   time.Time
}

// Asker answers questions. Its errors are [NotAnswered], [Refused], [Failed]
// and [TimedOut], to be found by errors.As, or those of the context.
// Implementations are safe for concurrent use.
type Asker interface {
	Ask(context.Context, Question) (Answer, error)
}

// NotAnswered says that nobody could answer the question: no block in a
// transcript, no such connection.
type NotAnswered struct{ Question Question }

func (e *NotAnswered) Error() string { return "not answered: " + e.Question.String() }

// Refused says that the question was not asked because its text is not a
// display, or nobody knows what it is.
type Refused struct {
	Question Question
	Why      string
}

func (e *Refused) Error() string { return fmt.Sprintf("refused: %s: %s", e.Question, e.Why) }

// Failed says that the system answered with an error; Body is what it said.
type Failed struct {
	Question Question
	Body     []byte
}

func (e *Failed) Error() string { return fmt.Sprintf("failed: %s: %s", e.Question, telling(e.Body)) }

// queueManagerSays fits a line of a message of the queue manager.
var queueManagerSays = regexp.MustCompile(`(?m)^[ \t]*(AMQ[0-9]{4}[A-Z]?:[^\r\n]*?)[ \t]*\r?$`)

// telling gives the line that says most: the first message, which may stand
// behind a banner, else the first line.
func telling(body []byte) string {
	if match := queueManagerSays.FindSubmatch(body); match != nil {
		return string(match[1])
	}
	return firstLine(body)
}

// TimedOut says that no answer came in time.
type TimedOut struct {
	Question Question
	After    time.Duration
}

func (e *TimedOut) Error() string {
	return fmt.Sprintf("no answer within %s: %s", e.After, e.Question)
}

// Timeout makes TimedOut a net.Error-like timeout.
func (e *TimedOut) Timeout() bool { return true }

func firstLine(body []byte) string {
	for i, b := range body {
		if b == '\n' || b == '\r' {
			return string(body[:i])
		}
	}
	return string(body)
}

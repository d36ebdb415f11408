package local

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// The exit codes of runmqsc.
const (
	allDone    = 0
	someFailed = 10
)

// What runmqsc prints around its answers, in English. The first names the queue
// manager, the second stands behind the last answer (case 84: the banner and the
// trailer).
var (
	banner  = regexp.MustCompile(`(?m)^[ \t]*Starting MQSC for queue manager (\S+?)\.?[ \t]*\r?$`)
	trailer = regexp.MustCompile(`(?im)^[ \t]*(?:one|no|[0-9]+) MQSC commands? read\.[ \t]*\r?$`)
	// undone counts commands that were not carried out.
	undone = regexp.MustCompile(`(?im)^[ \t]*(?:one|[0-9]+) (?:commands? ha(?:s|ve) a syntax error|valid MQSC commands? could not be processed)\.`)
	anyID  = regexp.MustCompile(`\bAMQ[0-9]{4}`)
	// around is what it prints before it does anything, and blank lines.
	around = regexp.MustCompile(`(?m)^(?:5724-.*|[ \t]*Starting MQSC for queue manager .*|[ \t]*)\r?\n`)
)

// failure says why a command did not do what it was told, in the words of the
// system where there are any.
type failure struct {
	code int    // exit code
	said string // what it said; empty: nothing
	body []byte // what it printed: of runmqsc the messages alone
	// answered says that the queue manager took the command and refused it, as
	// against a program that could not run.
	answered bool
	id       string // of the message that says why; empty: none
}

func (f *failure) Error() string {
	if f.said == "" {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return fmt.Sprintf("%s (exit code %d)", f.said, f.code)
}

// runmqsc has one MQSC command carried out and gives its answer, whole and this
// queue manager's. What it refused is *failure.
//
// The command goes in on standard input, in bindings mode: that is what every
// level does. It is one command on one line, or on lines that continue each
// other, as [observe.Classify] made sure.
func (m *machine) runmqsc(ctx context.Context, queueManager, text string) (observe.Answer, mqsc.Answer, error) {
	input := strings.NewReader(text + "\nend\n")
	result, err := m.run(ctx, []string{m.program("runmqsc"), queueManager}, input)
	answer := observe.Answer{Body: result.output, At: m.now()}
	if err != nil {
		return answer, mqsc.Answer{}, err
	}
	read := accepted
	if class, _, _ := observe.Classify(observe.MQSC, text); class == observe.Display {
		read = judge
	}
	said, err := read(queueManager, result)
	if err == nil {
		m.notice(queueManager, said)
	}
	return answer, said, err
}

// judge reads what runmqsc printed in answer to a display: that nothing was found
// is an answer. The error is *failure, or says why it is no answer.
func judge(queueManager string, result ended) (mqsc.Answer, error) {
	said, err := whole(queueManager, result)
	if err != nil {
		return said, err
	}
	trouble, found := troubleOf(said)
	if !found && (result.code == allDone || said.NotFound()) {
		return said, nil
	}
	return said, refused(result, said, trouble)
}

// accepted reads what runmqsc printed in answer to a change. That nothing was
// found is a no here, and where the queue manager said nothing at all nobody
// knows what it did, whatever the exit code is: the ids of its yes to SET LOG are
// not known for sure (reference, Multiplatforms 3.2 item 58).
func accepted(queueManager string, result ended) (mqsc.Answer, error) {
	said, err := whole(queueManager, result)
	if err != nil {
		return said, err
	}
	trouble, found := troubleOf(said)
	switch {
	case !found && said.NotFound():
		return said, refused(result, said, said.Messages[0])
	case found || result.code != allDone || undone.Match(result.output):
		return said, refused(result, said, trouble)
	case len(said.Messages) == 0:
		return said, errors.New("the queue manager said nothing: whether it did it is not known")
	}
	return said, nil
}

// refused is what the queue manager did not do, with its messages and nothing of
// what runmqsc prints around them.
func refused(result ended, said mqsc.Answer, trouble mqsc.Message) *failure {
	var body []byte
	for _, message := range said.Messages {
		body = append(append(body, sentence(message)...), '\n')
		for _, line := range message.Lines {
			if trailer.MatchString(line) {
				break
			}
			body = append(append(body, strings.TrimSpace(line)...), '\n')
		}
	}
	return &failure{code: result.code, said: sentence(trouble), id: trouble.ID, body: append(body, result.said...), answered: true}
}

// whole reads what runmqsc printed, if that is all, in English, and this queue
// manager's.
func whole(queueManager string, result ended) (mqsc.Answer, error) {
	if result.code != allDone && result.code != someFailed {
		failed := programFailed(result)
		failed.body = around.ReplaceAll(failed.body, nil)
		return mqsc.Answer{}, failed
	}
	named := banner.FindSubmatch(result.output)
	switch {
	case named == nil && anyID.Match(result.output):
		return mqsc.Answer{}, errors.New("the answer is not in English, and its words can't be trusted: runmqsc was told LC_ALL=C")
	case named == nil:
		return mqsc.Answer{}, errors.New("it is not what runmqsc prints: no line names the queue manager")
	case string(named[1]) != queueManager:
		return mqsc.Answer{}, fmt.Errorf("queue manager %q answered, not %s", named[1], queueManager)
	case !trailer.Match(result.output):
		return mqsc.Answer{}, errors.New("the answer is not whole: the count of the commands at its end is missing")
	}
	said, err := mqsc.ParseAnswer(result.output)
	if err != nil {
		return mqsc.Answer{}, fmt.Errorf("the answer is torn: %w", err)
	}
	if other := otherManager(said, queueManager); other != "" {
		return mqsc.Answer{}, fmt.Errorf("the answer is about queue manager %q, not %s", other, queueManager)
	}
	return said, nil
}

// otherManager gives the name that an answer about a queue manager has, when it
// is another one.
func otherManager(said mqsc.Answer, queueManager string) string {
	for _, object := range said.Objects {
		if name, ok := object.Get("QMNAME"); ok && aboutManager(object) && name != queueManager {
			return name
		}
	}
	return ""
}

// aboutManager tells the answers to DISPLAY QMSTATUS and DISPLAY QMGR, whose
// QMNAME is the queue manager's own: it is their first attribute.
func aboutManager(object mqsc.Object) bool {
	return len(object.Attributes) > 0 && object.Attributes[0].Name == "QMNAME"
}

// troubleOf gives the first message that says that a command was not carried
// out: one of severity E, S or T, or a syntax error, which is an I all the same
// (AMQ8405). That nothing was found is none. Levels before 9.0.4 print no
// severity; there the exit code alone tells.
func troubleOf(said mqsc.Answer) (mqsc.Message, bool) {
	for _, message := range said.Messages {
		bad := strings.ContainsAny(message.ID[len(message.ID)-1:], "EST") || message.Is("AMQ8405") || message.Is("AMQ8406")
		if bad && !message.Is("AMQ8147") && !message.Is("AMQ8420") && !message.Is("AMQ8884") {
			return message, true
		}
	}
	return mqsc.Message{}, false
}

func sentence(message mqsc.Message) string {
	if message.ID == "" {
		return ""
	}
	return strings.TrimSuffix(message.ID+": "+message.Text, ": ")
}

// programFailed gives what a program said that did not end with a good exit
// code.
func programFailed(result ended) *failure {
	body := result.both()
	f := &failure{code: result.code, body: body}
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		if id := anyID.FindString(line); id != "" && strings.HasPrefix(line, id) {
			f.id, f.said = id, line
			return f
		}
		if f.said == "" && line != "" && !strings.HasPrefix(line, "5724-") {
			f.said = line
		}
	}
	return f
}

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// reader asks a queue manager, its files, and the commands beside them.
type reader struct{ *machine }

// errUnanswered says that nobody here answers such a question.
var errUnanswered = errors.New("nobody answers it")

// managerName is what MQ takes for a queue manager's name. Nothing else is put
// into a command line.
var managerName = regexp.MustCompile(`^[A-Za-z0-9._/%]{1,48}$`)

// Ask asks one question. What the host knows is not here: [connect.Hosted] adds
// it.
func (r reader) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	class, _, err := observe.Classify(q.Language, q.Text)
	switch {
	case err != nil:
		return observe.Answer{}, &observe.Refused{Question: q, Why: err.Error()}
	case class != observe.Display:
		return observe.Answer{}, &observe.Refused{Question: q, Why: "it is no display but " + class.String()}
	case !managerName.MatchString(q.QueueManager):
		return observe.Answer{}, &observe.Refused{Question: q, Why: fmt.Sprintf("%q is no name of a queue manager", q.QueueManager)}
	case ctx.Err() != nil:
		return observe.Answer{}, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, r.settings.Timeout)
	defer cancel()
	body, err := r.answer(limited, q)
	if err == nil {
		return observe.Answer{Body: body, At: r.now()}, nil
	}
	return observe.Answer{}, r.unanswered(ctx, q, err)
}

// answer has whoever knows answer a question.
func (m *machine) answer(ctx context.Context, q observe.Question) ([]byte, error) {
	switch q.Language {
	case observe.MQSC:
		answer, _, err := m.runmqsc(ctx, q.QueueManager, q.Text)
		return answer.Body, err
	case observe.CTL:
		return m.control(ctx, q.QueueManager, q.Text)
	case observe.File:
		return m.files.read(ctx, m.moved(q.Text))
	case observe.LogDir:
		return m.files.list(ctx, q.Text)
	case observe.Space:
		return m.space(ctx, q.Text)
	case observe.Store, observe.Note, observe.HoldOn, observe.History:
		return nil, nil
	default:
		return nil, errUnanswered
	}
}

// space gives the room in the file system of a path: of a simulated one what it
// is limited to.
func (m *machine) space(ctx context.Context, path string) ([]byte, error) {
	if m.runner != nil {
		if size, free, limited := m.runner.Room(); limited {
			return spaceLines(uint64(size), uint64(free)), nil
		}
	}
	return m.files.space(ctx, path)
}

// moved gives the path of mqs.ini where the data of this machine's installation
// is not in the default folder, under which it is asked for.
func (m *machine) moved(path string) string {
	if path == defaultRoot+"/mqs.ini" {
		return m.mqsIni()
	}
	return path
}

// unanswered turns an error into one of an asker.
func (m *machine) unanswered(ctx context.Context, q observe.Question, err error) error {
	var failed *failure
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errUnanswered), q.Language == observe.File && isAbsent(err):
		return &observe.NotAnswered{Question: q}
	case errors.Is(err, context.DeadlineExceeded):
		return &observe.TimedOut{Question: q, After: m.settings.Timeout}
	case errors.As(err, &failed):
		body := append([]byte(failed.Error()+"\n"), failed.body...)
		return &observe.Failed{Question: q, Body: body[:min(len(body), mostSaid)]}
	default:
		return &observe.Failed{Question: q, Body: []byte(err.Error() + "\n")}
	}
}

// isAbsent tells whether there is no such file, which is an answer of its own:
// a log that was never written is another thing than one that can't be read.
func isAbsent(err error) bool {
	var failed *failure
	if errors.As(err, &failed) { // cat in a container, which speaks as in the C locale
		return bytes.Contains(failed.body, []byte("No such file or directory")) || strings.Contains(failed.Error(), "No such file or directory")
	}
	return errors.Is(err, fs.ErrNotExist)
}

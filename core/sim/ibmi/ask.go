package ibmi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

var _ observe.Asker = (*Machine)(nil)

// owner is the user profile under which questions are asked and commands are
// given where no other is named.
const owner = "QMQM"

// Ask is [Machine.AskAs] of QMQM, who may ask everything.
func (m *Machine) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	return m.AskAs(ctx, owner, q)
}

// AskAs answers a question of a user to one of the queue managers, on the
// system's clock. What the user may not see is left out or is an error, as the
// system has it.
//
// What is no display is *observe.Refused; a language that the system does not
// speak and a queue manager that it does not have are *observe.NotAnswered; an
// error that the system would answer is *observe.Failed, with the text of its
// message. It changes nothing.
func (m *Machine) AskAs(ctx context.Context, user string, q observe.Question) (observe.Answer, error) {
	if err := ctx.Err(); err != nil {
		return observe.Answer{}, fmt.Errorf("asking %s: %w", q, err)
	}
	class, _, err := observe.Classify(q.Language, q.Text)
	switch {
	case err != nil:
		return observe.Answer{}, &observe.Refused{Question: q, Why: err.Error()}
	case class != observe.Display:
		return observe.Answer{}, &observe.Refused{Question: q, Why: "it is a " + class.String()}
	}
	if _, err := m.Manager(q.QueueManager); err != nil {
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	at := m.sys.Now()
	body, err := viewer{m, user}.answer(ctx, q)
	if err != nil {
		return observe.Answer{}, failure(q, err)
	}
	return observe.Answer{Body: body, At: at}, nil
}

// answer asks who speaks the language.
func (m viewer) answer(ctx context.Context, q observe.Question) ([]byte, error) {
	if _, err := m.sys.Profile(m.user); err != nil {
		return nil, err
	}
	switch q.Language {
	case observe.SQL:
		return m.askService(q.Text)
	case observe.MQSC:
		return m.askMQSC(q)
	case observe.CL:
		return m.askCL(ctx, q.Text)
	case observe.UsrSpc:
		library, name, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(q.Text)), "/")
		return m.space(os400.ID{Library: library, Name: name})
	case observe.File:
		return m.stream(strings.TrimSpace(q.Text))
	case observe.Space:
		return m.askSpace(q.Text)
	default:
		return nil, &observe.NotAnswered{Question: q}
	}
}

// space gives the content of a user space. CPF9802, CPF9820: the user may not
// use it, or its library.
func (m viewer) space(id os400.ID) ([]byte, error) {
	if err := m.permit(m.user, on("USRSPC", id, os400.AutUse)); err != nil {
		return nil, err
	}
	return m.sys.Space(id)
}

// stream gives a file by its path. CPFA09C: it is a user space that the user
// may not use.
func (m viewer) stream(path string) ([]byte, error) {
	if id, isSpace := spaceAt(path); isSpace && !m.sees(on("USRSPC", id, os400.AutUse)) {
		return nil, escape("CPFA09C", os400.ID{}, path)
	}
	return m.file(path)
}

// failure turns an error into one that a question may have. What is neither
// the system's answer nor the question's fault stays what it is.
func failure(q observe.Question, err error) error {
	var escaped *os400.Error
	switch {
	case errors.As(err, new(*observe.NotAnswered)), errors.As(err, new(*observe.Failed)):
		return err
	case errors.Is(err, fs.ErrNotExist) && q.Language == observe.File:
		t := wording.Of("CPFA0A9")
		return &observe.Failed{Question: q, Body: []byte("CPFA0A9: " + t.Fill(q.Text) + "\n")}
	case errors.As(err, &escaped):
		return &observe.Failed{Question: q, Body: []byte(escaped.ID + ": " + escaped.Text + "\n")}
	default:
		return fmt.Errorf("asking %s: %w", q, err)
	}
}

// askCL carries out a display in a job of its own. What it would tell before
// an escape message comes with it, as from the system utility of PASE.
func (m viewer) askCL(ctx context.Context, text string) ([]byte, error) {
	result, err := m.RunLater(ctx, &os400.Job{Name: "000000/" + m.user + "/MQHKASK", User: m.user}, text)
	var escaped *os400.Error
	if errors.As(err, &escaped) && len(result.Messages) > 0 {
		told := *escaped
		told.Text = strings.TrimRight(told.Text+"\n"+result.String(), "\n")
		return nil, &told
	}
	return []byte(result.String()), err
}

// askSpace tells the size of the system ASP and how much of it is free, in
// bytes; *NOMAX where it has no limit.
func (m *Machine) askSpace(text string) ([]byte, error) {
	switch name := strings.ToUpper(strings.TrimSpace(text)); name {
	case "*SYSTEM", "*SYSBAS", "1":
	default:
		return nil, os400.Escape("CPF9801", os400.ID{Library: systemLib, Name: name}, "ASP")
	}
	storage := m.sys.Storage()
	if storage.Total == 0 {
		return []byte("size *NOMAX\nfree *NOMAX\n"), nil
	}
	return fmt.Appendf(nil, "size %d\nfree %d\n", storage.Total, storage.Free), nil
}

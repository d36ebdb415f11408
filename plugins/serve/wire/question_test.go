package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

func TestQuestionAndCommandTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		question := anything[observe.Question]().Draw(t, "question")
		if diff := cmp.Diff(question, DecodeQuestion(over(t, EncodeQuestion(7, question)))); diff != "" {
			t.Fatal(diff)
		}
		command := anything[plugins.Command]().Draw(t, "command")
		if diff := cmp.Diff(command, DecodeCommand(over(t, EncodeCommand(command)))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// answerOver sends an answer through its parts.
func answerOver(t *testing.T, answer observe.Answer, err error) (observe.Answer, error) {
	t.Helper()
	var body []byte
	parts := EncodeAnswer(7, answer, err)
	for i, message := range parts {
		part := over(t, message).GetAnswer()
		body = append(body, part.GetBody()...)
		if len(part.GetBody()) > PartSize || part.GetId() != 7 || part.GetLast() != (i == len(parts)-1) {
			t.Fatalf("part %d of %d: %d bytes, id %d, last %t", i, len(parts), len(part.GetBody()), part.GetId(), part.GetLast())
		}
		if part.GetLast() {
			return DecodeAnswer(part, body)
		}
	}
	t.Fatal("no last part")
	return observe.Answer{}, nil
}

func TestAnswerTravels(t *testing.T) {
	at := time.Date(2026, 5, 28, 2, 0, 0, 5, time.FixedZone("", 7200))
	for _, size := range []int{0, 1, PartSize - 1, PartSize, PartSize + 1, 5 * PartSize} {
		want := observe.Answer{Body: bytes.Repeat([]byte{0x81}, size), At: at}
		got, err := answerOver(t, want, nil)
		if err != nil || !bytes.Equal(want.Body, got.Body) || !cmp.Equal(want.At, got.At, same) {
			t.Errorf("%d bytes: came back as %d bytes, %s, %v", size, len(got.Body), got.At, err)
		}
	}
}

func TestErrorsTravel(t *testing.T) {
	question := observe.Question{Language: observe.MQSC, QueueManager: "QM1", Text: "DISPLAY LOG"}
	long := bytes.Repeat([]byte("AMQ8118E: no such queue manager.\n"), 3*PartSize/32)
	for _, want := range []error{
		&observe.NotAnswered{Question: question},
		&observe.Refused{Question: question, Why: "a release"},
		&observe.Failed{Question: question, Body: long},
		&observe.TimedOut{Question: question, After: time.Second},
		context.Canceled,
		context.DeadlineExceeded,
	} {
		if _, got := answerOver(t, observe.Answer{}, want); !cmp.Equal(want, got, cmp.Comparer(errors.Is)) && !cmp.Equal(want, got) {
			t.Errorf("%T: got %#v", want, got)
		}
		wrapped := fmt.Errorf("looking at QM1: %w", want)
		_, got := answerOver(t, observe.Answer{}, wrapped)
		if got.Error() != wrapped.Error() || !cmp.Equal(errors.Unwrap(got), want, cmp.Comparer(errors.Is)) && !cmp.Equal(errors.Unwrap(got), want) {
			t.Errorf("wrapped %T: got %#v", want, got)
		}
	}
}

func TestOtherErrorKeepsItsText(t *testing.T) {
	_, got := answerOver(t, observe.Answer{}, errors.New("disk on fire"))
	var travelled *Error
	if !errors.As(got, &travelled) || travelled.Text != "disk on fire" || travelled.Cause != nil || travelled.Panic {
		t.Errorf("got %#v", got)
	}
	again := DecodeError(EncodeError(&Error{Text: "index out of range", Panic: true}), nil)
	if !errors.As(again, &travelled) || !travelled.Panic {
		t.Errorf("a panic came back as %#v", again)
	}
}

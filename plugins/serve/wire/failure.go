package wire

import (
	"context"
	"errors"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Error is an error that travelled. Its text is that of the error on the
// other side; what it wraps has the type it had there, as far as that is one
// of those that [observe.Asker] names, or one of the context's.
type Error struct {
	Text  string
	Panic bool  // the code on the other side panicked
	Cause error // nil when it is of no known type
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.Cause }

// EncodeError writes an error. Of the body of an observe.Failed it takes
// [PartSize] bytes at most.
func EncodeError(err error) *Failure {
	failure := &Failure{Text: err.Error()}
	var (
		notAnswered *observe.NotAnswered
		refused     *observe.Refused
		failed      *observe.Failed
		timedOut    *observe.TimedOut
		travelled   *Error
	)
	switch {
	case errors.As(err, &notAnswered):
		failure.Kind, failure.Question = Failure_KIND_NOT_ANSWERED, EncodeQuestion(0, notAnswered.Question)
	case errors.As(err, &refused):
		failure.Kind, failure.Question = Failure_KIND_REFUSED, EncodeQuestion(0, refused.Question)
		failure.Why = refused.Why
	case errors.As(err, &failed):
		failure.Kind, failure.Question = Failure_KIND_FAILED, EncodeQuestion(0, failed.Question)
		failure.Body = failed.Body[:min(len(failed.Body), PartSize)]
	case errors.As(err, &timedOut):
		failure.Kind, failure.Question = Failure_KIND_TIMED_OUT, EncodeQuestion(0, timedOut.Question)
		failure.AfterNanos = int64(timedOut.After)
	case errors.Is(err, context.Canceled):
		failure.Kind = Failure_KIND_CANCELLED
	case errors.Is(err, context.DeadlineExceeded):
		failure.Kind = Failure_KIND_DEADLINE
	case errors.As(err, &travelled) && travelled.Panic:
		failure.Kind = Failure_KIND_PANIC
	}
	return failure
}

// DecodeError reads what [EncodeError] wrote. A body given beside it replaces
// its own. Where the text is that of the cause alone the result is the cause
// itself, so that a question's error comes back as it was.
func DecodeError(f *Failure, body []byte) error {
	if body == nil {
		body = f.GetBody()
	}
	cause := decodeCause(f, body)
	if cause != nil && cause.Error() == f.GetText() {
		return cause
	}
	return &Error{Text: f.GetText(), Panic: f.GetKind() == Failure_KIND_PANIC, Cause: cause}
}

func decodeCause(f *Failure, body []byte) error {
	question := DecodeQuestion(f.GetQuestion())
	switch f.GetKind() {
	case Failure_KIND_NOT_ANSWERED:
		return &observe.NotAnswered{Question: question}
	case Failure_KIND_REFUSED:
		return &observe.Refused{Question: question, Why: f.GetWhy()}
	case Failure_KIND_FAILED:
		return &observe.Failed{Question: question, Body: body}
	case Failure_KIND_TIMED_OUT:
		return &observe.TimedOut{Question: question, After: time.Duration(f.GetAfterNanos())}
	case Failure_KIND_CANCELLED:
		return context.Canceled
	case Failure_KIND_DEADLINE:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// failedBody gives what the system said, when err says that it said
// something.
func failedBody(err error) []byte {
	var failed *observe.Failed
	if errors.As(err, &failed) {
		return failed.Body
	}
	return nil
}

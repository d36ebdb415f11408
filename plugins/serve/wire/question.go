package wire

import (
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// EncodeQuestion writes a question.
func EncodeQuestion(id uint64, q observe.Question) *Question {
	return &Question{Id: id, Language: string(q.Language), QueueManager: q.QueueManager, Scope: q.Scope, Text: q.Text}
}

// DecodeQuestion reads what [EncodeQuestion] wrote; nil is the zero question.
func DecodeQuestion(q *Question) observe.Question {
	return observe.Question{
		Language: observe.Language(q.GetLanguage()), QueueManager: q.GetQueueManager(),
		Scope: q.GetScope(), Text: q.GetText(),
	}
}

// EncodeCommand writes a command.
func EncodeCommand(c plugins.Command) *Command {
	return &Command{Language: string(c.Language), QueueManager: c.QueueManager, Text: c.Text}
}

// DecodeCommand reads what [EncodeCommand] wrote.
func DecodeCommand(c *Command) plugins.Command {
	return plugins.Command{Language: observe.Language(c.GetLanguage()), QueueManager: c.GetQueueManager(), Text: c.GetText()}
}

// EncodeAnswer writes what came back for a question, error or not, in
// messages whose bodies have at most [PartSize] bytes.
func EncodeAnswer(id uint64, answer observe.Answer, err error) []*FromHost {
	body := answer.Body
	var failure *Failure
	if err != nil {
		failure, body = EncodeError(err), failedBody(err)
		failure.Body = nil // in the parts
	}
	var messages []*FromHost
	for {
		piece := body[:min(len(body), PartSize)]
		body = body[len(piece):]
		part := &Answer{Id: id, Body: piece}
		messages = append(messages, &FromHost{Message: &FromHost_Answer{Answer: part}})
		if len(body) == 0 {
			part.Last, part.At, part.Failure = true, EncodeTime(answer.At), failure
			return messages
		}
	}
}

// DecodeAnswer reads the last part of an answer; body is that of all parts.
func DecodeAnswer(last *Answer, body []byte) (observe.Answer, error) {
	if last.GetFailure() != nil {
		return observe.Answer{}, DecodeError(last.GetFailure(), body)
	}
	return observe.Answer{Body: body, At: DecodeTime(last.GetAt())}, nil
}

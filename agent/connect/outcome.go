package connect

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/plugins"
)

// ErrNotHere says that the log is not this host's to write into: its queue
// manager neither runs nor has ended here.
var ErrNotHere = errors.New("the queue manager neither runs nor has ended on this host")

// ErrNotSent says that nothing was sent: the context had ended before, or the
// writer was closed.
var ErrNotSent = errors.New("it was not sent")

// MessageError says that a system refused what it was told, with the message
// that ended the command.
type MessageError struct {
	ID   string // CPF7022
	Text string // in the words of the system; translated, so not to be compared
	What string // what it refused: the command, or what was read or written
}

// Error gives "what: ID: text".
func (e *MessageError) Error() string { return fmt.Sprintf("%s: %s: %s", e.What, e.ID, e.Text) }

// outcome tells what became of a command from the error of its sending. What
// is neither the system's no nor unsent may have been carried out.
func outcome(err error) plugins.State {
	switch {
	case err == nil:
		return plugins.Done
	case errors.As(err, new(*Timeout)):
		return plugins.Unknown // even though it carries the message that was waited for
	case errors.Is(err, ErrNotSent), errors.As(err, new(*MessageError)):
		return plugins.Failed
	default:
		return plugins.Unknown
	}
}

// refused tells whether the system refused with one of some messages.
func refused(err error, ids ...string) bool {
	var message *MessageError
	if !errors.As(err, &message) || outcome(err) != plugins.Failed {
		return false
	}
	for _, id := range ids {
		if message.ID == id {
			return true
		}
	}
	return false
}

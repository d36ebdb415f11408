package run

import (
	"errors"
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
)

// The lines of what runmqsc prints: its copyright, the command that it repeats,
// and the messages of the queue manager. The first two are the same in every
// language.
var (
	scriptLine  = regexp.MustCompile(`(?m)^(?:5724-H72\b.*|[ \t]*[0-9]+ : .*)$`)
	messageLine = regexp.MustCompile(`(?m)^[ \t]*((AMQ[0-9]{4}[A-Z]?): .*?)[ \t\r]*$`)
)

// evidence is what the system said, in one line. Of what runmqsc printed only
// the messages are that, and the one that the error tells is not said again.
func evidence(answer observe.Answer, err error) string {
	said := string(answer.Body)
	if messages := messageLine.FindAllStringSubmatch(said, -1); len(messages) > 0 && scriptLine.MatchString(said) {
		said = ""
		told := new(connect.MessageError)
		errors.As(err, &told)
		for _, m := range messages {
			if m[2] != told.ID {
				said += m[1] + "\n"
			}
		}
	}
	text := strings.Join(strings.Fields(said), " ")
	if err != nil {
		text = strings.TrimSpace(err.Error() + " " + text)
	}
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	return text
}

package sim

import (
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// Shows tells whether a control command only shows something, so that
// [Site.Display] takes it: dspmq and its like, and a runmqsc all of whose
// commands are displays. What can't be read is none of them.
func Shows(argv []string, stdin []byte) bool {
	if len(argv) == 0 {
		return false
	}
	name := strings.ToLower(path.Base(argv[0]))
	if name != "runmqsc" {
		class, _, err := observe.Classify(observe.CTL, name)
		return err == nil && class == observe.Display
	}
	for statement, err := range mqsc.Script(stdin) {
		if err != nil {
			return false
		}
		class, _, err := observe.Classify(observe.MQSC, statement.String())
		if err != nil || class != observe.Display {
			return false
		}
	}
	return true
}

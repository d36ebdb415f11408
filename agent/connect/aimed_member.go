package connect

import (
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// aimedMember wants a command of a sharing group carried out by the member that
// it is said to be for. CMDSCOPE sends a command on, and * to every member. What
// writes a member's own log names that member: a connection to the group lands
// anywhere.
func aimedMember(target observe.Target, c plugins.Command) error {
	command, err := mqsc.ParseCommand(c.Text)
	if err != nil {
		return err
	}
	scope := ""
	if values, given := command.Get("CMDSCOPE"); given {
		scope = strings.TrimSpace(strings.Join(values, ","))
	}
	switch {
	case scope == "*":
		return fmt.Errorf("%s %s: CMDSCOPE(*) sends it to every member", command.Verb, command.Object())
	case scope != "" && !target.Owns(scope):
		return fmt.Errorf("%s %s: CMDSCOPE(%s) sends it to a queue manager that is not of %s", command.Verb, command.Object(), scope, target.Name)
	case scope != "" && scope != c.QueueManager:
		return fmt.Errorf("%s %s: CMDSCOPE(%s) sends it on, and it is for %s", command.Verb, command.Object(), scope, c.QueueManager)
	case scope == "" && target.Group && c.QueueManager == target.Name && writesLog(command):
		return fmt.Errorf("%s %s: it does not say which member of %s carries it out (CMDSCOPE)", command.Verb, command.Object(), target.Name)
	}
	return nil
}

// writesLog tells whether a command fills or switches the log of the member that
// carries it out.
func writesLog(c mqsc.Command) bool {
	verb := strings.ToUpper(c.Verb)
	return verb == "BACKUP" || strings.HasPrefix(verb, "ARC")
}

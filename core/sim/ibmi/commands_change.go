package ibmi

import (
	"context"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// changeJournal is CHGJRN.
func changeJournal(ctx context.Context, c *call) error {
	id := c.args.object("JRN", general)
	change, err := c.wantedChange(id)
	if err != nil {
		return err
	}
	if c.args.has("JRNRCV", "*ASSOC") {
		if err := c.associate(id); err != nil || change == (os400.Change{}) {
			return err
		}
	}
	before, err := c.sys.Journal(id)
	if err != nil {
		return err
	}
	if err := c.sys.ChangeJournal(ctx, id, change); err != nil {
		return err
	}
	after, err := c.sys.Journal(id)
	if err != nil {
		return err
	}
	changes := differences(before, after)
	if len(changes) == 0 {
		c.done("SIM0015", id)
		return nil
	}
	c.done("CPC7013", id, strings.Join(changes, ", "))
	return nil
}

// wantedChange reads what is to be changed.
func (c *call) wantedChange(id os400.ID) (os400.Change, error) {
	change := os400.Change{Reset: c.args.has("SEQOPT", "*RESET")}
	switch receiver := c.args.text("JRNRCV"); receiver {
	case "*SAME", "*ASSOC":
	case "*GEN":
		change.Receiver = receiver
	default:
		to := c.args.object("JRNRCV", id.Library)
		change.Receiver, change.Library = to.Name, to.Library
	}
	if managed := c.args.text("MNGRCV"); managed != "*SAME" {
		byUser := managed == "*USER"
		change.UserManaged = &byUser
	}
	if deletes := c.args.text("DLTRCV"); deletes != "*SAME" {
		bySystem := deletes == "*YES"
		change.DeleteReceivers = &bySystem
	}
	if c.args.has("MSGQ", "*SAME") {
		return change, nil
	}
	queue := c.args.object("MSGQ", systemLib)
	change.MessageQueue = &queue
	_, err := c.sys.Messages(queue)
	return change, err
}

// differences says what a journal has now and had not before.
func differences(before, after os400.Journal) []string {
	var all []string
	if after.Attached != before.Attached {
		all = append(all, "receiver "+after.Attached.String()+" is attached")
	}
	if after.UserManaged != before.UserManaged {
		all = append(all, "MNGRCV("+either(after.UserManaged, "*USER", "*SYSTEM")+")")
	}
	if after.DeleteReceivers != before.DeleteReceivers {
		all = append(all, "DLTRCV("+either(after.DeleteReceivers, "*YES", "*NO")+")")
	}
	if now := messageQueue(after); now != messageQueue(before) {
		all = append(all, "MSGQ("+now.String()+")")
	}
	return all
}

// associate has restored receivers join the chain.
func (c *call) associate(journal os400.ID) error {
	n, err := c.sys.Associate(journal)
	if err != nil {
		return err
	}
	c.done("SIM0016", os400.Counted(n, "receiver"), journal)
	return nil
}

package ibmi

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// operator is the queue of the system operator.
var operator = os400.ID{Library: systemLib, Name: "QSYSOPR"}

// messageCommands show and answer messages (reference, IBM i 3.3, 6).
func messageCommands() []command {
	queue := parameter{keyword: "MSGQ", kind: object, specials: []string{"*SYSOPR"}, fallback: "*SYSOPR"}
	entry := parameter{keyword: "SEQNBR", kind: number, low: 1, high: 9999, required: true}
	reply := parameter{keyword: "RPY", kind: character, high: 132, required: true}
	return []command{
		{"DSPMSG", 1, []parameter{queue, output}, showMessages},
		{"CLRMSGQ", 1, []parameter{{keyword: "MSGQ", kind: object, required: true}}, clearMessages},
		// Without a key the newest inquiry is meant that waits for a reply:
		// CL itself asks for the key.
		{"SNDRPY", 3, []parameter{
			{keyword: "MSGKEY", kind: key, specials: []string{"*NEWEST"}, fallback: "*NEWEST"}, queue, reply,
		}, sendReply},
		{"ADDRPYLE", 2, append([]parameter{
			entry, {keyword: "MSGID", kind: character, high: 7, specials: []string{"*ANY"}, required: true}, reply,
		}, noEffect("CMPDTA", "DUMP")...), addReplyEntry},
		{"RMVRPYLE", 1, []parameter{entry}, removeReplyEntry},
		{"WRKRPYLE", 0, []parameter{output}, listReplyEntries},
	}
}

// queue gives the message queue that MSGQ names.
func (c *call) queue() os400.ID {
	if c.args.has("MSGQ", "*SYSOPR") {
		return operator
	}
	id := c.args.object("MSGQ", general)
	if id.Library == general && id.Name == operator.Name {
		return operator // QSYS is on every job's library list
	}
	return id
}

// showMessages prints a queue, oldest first.
func showMessages(_ context.Context, c *call) error {
	queue := c.queue()
	messages, err := c.sys.Messages(queue)
	if err != nil {
		return err
	}
	c.result.Output += center("Messages in "+queue.String()) + "\n"
	if len(messages) == 0 {
		c.result.Output += "(no messages)\n"
	}
	for _, m := range messages {
		state := ""
		if m.Kind == os400.Inquiry {
			state = either(m.Answered, "  answered", fmt.Sprintf("  waits for a reply, key X'%08X'", m.Key))
		}
		c.result.Output += fmt.Sprintf("%s  %s  %-13s  %02d%s\n    %s\n", momentOf(m.Sent), m.ID, m.Kind, m.Severity, state, m.Text)
	}
	return nil
}

func clearMessages(_ context.Context, c *call) error {
	queue := c.queue()
	if err := c.sys.ClearQueue(queue); err != nil {
		return err
	}
	c.done("CPC1231", queue)
	return nil
}

// sendReply is SNDRPY. The job that waits goes on.
func sendReply(ctx context.Context, c *call) error {
	wanted, err := c.inquiry()
	if err != nil {
		return err
	}
	if err := c.sys.Reply(ctx, wanted, strings.ToUpper(c.args.text("RPY"))); err != nil {
		return err
	}
	c.done("CPC2437")
	return nil
}

func (c *call) inquiry() (uint64, error) {
	if !c.args.has("MSGKEY", "*NEWEST") {
		wanted, _ := messageKey(c.args["MSGKEY"][0])
		return wanted, nil
	}
	queue := c.queue()
	messages, err := c.sys.Messages(queue)
	if err != nil {
		return 0, err
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Kind == os400.Inquiry && !m.Answered {
			return m.Key, nil
		}
	}
	return 0, escape("CPF2557", queue, queue)
}

func addReplyEntry(_ context.Context, c *call) error {
	entry := os400.ReplyEntry{
		Sequence: int(c.args.number("SEQNBR")), Message: strings.ToUpper(c.args.text("MSGID")), Reply: strings.ToUpper(c.args.text("RPY")),
	}
	if err := c.sys.AddReplyEntry(entry); err != nil {
		return err
	}
	c.done("CPC2435", entry.Sequence)
	return nil
}

func removeReplyEntry(_ context.Context, c *call) error {
	n := int(c.args.number("SEQNBR"))
	if err := c.sys.RemoveReplyEntry(n); err != nil {
		return err
	}
	c.done("CPC2436", n)
	return nil
}

func listReplyEntries(_ context.Context, c *call) error {
	rows := [][]string{{"Sequence", "Message", "Reply"}}
	for _, e := range c.sys.ReplyEntries() {
		rows = append(rows, []string{fmt.Sprintf("%04d", e.Sequence), e.Message, e.Reply})
	}
	c.columns("Work with System Reply List Entries", "entries", rows)
	return nil
}

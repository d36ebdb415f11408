package ibmi

import (
	"context"
	"errors"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// receiverCommands work on journal receivers (reference, IBM i 3.3).
func receiverCommands() []command {
	one := parameter{keyword: "JRNRCV", kind: object, required: true}
	several := parameter{keyword: "JRNRCV", kind: generic, required: true}
	return []command{
		{"CRTJRNRCV", 1, append([]parameter{
			one, {keyword: "THRESHOLD", kind: number, low: 1, high: maxThreshold, specials: []string{"*NONE"}, fallback: "1500000"},
		}, noEffect("TEXT", "ASP", "UNIT", "AUT")...), createReceiver},
		{"DLTJRNRCV", 2, []parameter{
			several,
			{keyword: "DLTOPT", kind: special, most: 3, specials: []string{"*NONE", "*IGNINQMSG", "*IGNTGTRCV", "*IGNEXITPGM"}, fallback: "*NONE", silent: true},
		}, deleteReceivers},
		{"DSPJRNRCVA", 1, []parameter{one, output}, showReceiver},
	}
}

// createReceiver is CRTJRNRCV. A receiver without a threshold, *NONE, has that
// of 0.
func createReceiver(_ context.Context, c *call) error {
	id := c.args.object("JRNRCV", general)
	if err := c.sys.CreateReceiver(id, c.args.number("THRESHOLD")); err != nil {
		return err
	}
	c.done("CPC7012", id)
	return c.own("JRNRCV", id)
}

// deleteReceivers is DLTJRNRCV. A generic name deletes in directory order and
// stops at the first failure: the order must be that of detach, so what
// follows would fail too (reference, IBM i, trap 11).
func deleteReceivers(ctx context.Context, c *call) error {
	options := os400.DeleteOptions{
		IgnoreInquiry: c.args.has("DLTOPT", "*IGNINQMSG"),
		IgnoreTargets: c.args.has("DLTOPT", "*IGNTGTRCV"),
		IgnoreExits:   c.args.has("DLTOPT", "*IGNEXITPGM"),
	}
	wanted := c.args.object("JRNRCV", general)
	if !strings.HasSuffix(wanted.Name, "*") {
		return c.deleteReceiver(ctx, wanted, options)
	}
	names := c.receiversLike(wanted)
	if len(names) == 0 {
		return os400.Escape("CPF9801", wanted, "JRNRCV")
	}
	for i, id := range names {
		err := c.deleteReceiver(ctx, id, options)
		var escaped *os400.Error
		if errors.As(err, &escaped) {
			c.blame(escaped)
			return escape("CPF2117", wanted, os400.Counted(i, "object"), len(names)-i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteReceiver deletes one. When that is durable is the caller's choice, who
// gave the command.
func (c *call) deleteReceiver(ctx context.Context, id os400.ID, options os400.DeleteOptions) error {
	if err := c.mayDelete(id, options); err != nil {
		return err
	}
	if err := c.sys.DeleteReceiverLater(ctx, *c.job, id, options); err != nil {
		return err
	}
	c.done("CPC2191", id, "JRNRCV")
	return nil
}

// receiversLike gives the receivers of a library whose names begin so: journal
// by journal in directory order, then those that are in no directory.
func (c *call) receiversLike(wanted os400.ID) []os400.ID {
	var found []os400.ID
	seen := map[os400.ID]bool{}
	add := func(r os400.Receiver) {
		if r.Library == wanted.Library && fits(wanted.Name, r.Name) && !seen[r.ID] {
			found, seen[r.ID] = append(found, r.ID), true
		}
	}
	for _, journal := range c.sys.Journals("") {
		for _, r := range c.sys.Receivers(journal.ID) {
			add(r)
		}
	}
	for _, r := range c.sys.ReceiversIn(wanted.Library) {
		add(r)
	}
	return found
}

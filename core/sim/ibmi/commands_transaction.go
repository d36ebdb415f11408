package ibmi

import (
	"context"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// transactionCommands show the open units of work and end them by hand: what
// holds the startup recovery point back (reference, IBM i 5).
func transactionCommands() []command {
	return []command{
		{"WRKMQMTRN", 1, append([]parameter{managerName, output}, noEffect("TYPE")...), listTransactions},
		{"RSVMQMTRN", 3, []parameter{
			{keyword: "TRANNUM", kind: character, high: 24, required: true},
			managerName,
			required(choice("RESOLVE", "*COMMIT", "*BACKOUT")),
		}, resolveTransaction},
	}
}

// listTransactions prints one line for each. A transaction without a time has
// no record in the journal yet, and holds nothing back.
func listTransactions(_ context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	rows := [][]string{{"Transaction", "State", "Application", "Job", "First entry", "Receiver", "Changes"}}
	for _, t := range manager.Transactions() {
		rows = append(rows, []string{
			"0," + strconv.FormatUint(t.Number, 10), t.State, t.Application, t.Job, momentOf(t.Started), t.Receiver, strconv.Itoa(t.Changes),
		})
	}
	c.columns("Work with MQ Transactions", "transactions", rows)
	return nil
}

func resolveTransaction(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	text := c.args.text("TRANNUM")
	wanted, err := strconv.ParseUint(strings.TrimPrefix(text, "0,"), 10, 64)
	for _, t := range manager.Transactions() {
		if err == nil && t.Number == wanted {
			commit := c.args.has("RESOLVE", "*COMMIT")
			if err := manager.Resolve(ctx, wanted, commit); err != nil {
				return mqEscape(err, manager.Name(), text)
			}
			c.done("SIM0002", text, c.args.text("RESOLVE"))
			return nil
		}
	}
	return escape("SIM0001", os400.ID{Name: text}, text, manager.Name())
}

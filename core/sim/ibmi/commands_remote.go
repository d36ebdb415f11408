package ibmi

import (
	"context"
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// remoteCommands add and remove the remote journals of a queue manager
// (reference, IBM i 1.9).
func remoteCommands() []command {
	database := parameter{keyword: "RMTJRNRDB", kind: simple, required: true}
	journal := parameter{keyword: "JRN", kind: simple, specials: []string{"*DFT"}, fallback: "*DFT"}
	return []command{
		{"ADDMQMJRN", 2, []parameter{
			required(managerName), journal, database,
			choice("RMTJRNSTS", "*ACTIVE", "*INACTIVE"),
			choice("RMTJRNDLV", "*ASYNC", "*SYNC"),
			{keyword: "RMTJRNTIMO", kind: number, low: 1, high: 3600, specials: []string{"*DFT"}, fallback: "*DFT"},
		}, addRemote},
		{"RMVMQMJRN", 2, []parameter{required(managerName), journal, database}, removeRemote},
		{"WRKMQMJRN", 1, []parameter{managerName, output}, listJournals},
	}
}

// addRemote adds a remote journal. A queue manager library holds one local
// journal, so ADDMQMJRN makes no second one here: RMTJRNRDB is required. By
// default the remote one has the first name AMQxJRN that is free in the
// library, as that of another instance has (reference, IBM i 1.9).
func addRemote(_ context.Context, c *call) error {
	manager, err := c.manager()
	if err != nil {
		return err
	}
	remote := os400.ID{Library: manager.Library(), Name: c.args.text("JRN")}
	if remote.Name == "*DFT" {
		remote.Name = c.freeJournal(manager.Library())
	}
	r := os400.Remote{
		ID: remote, Database: c.args.text("RMTJRNRDB"), Active: c.args.has("RMTJRNSTS", "*ACTIVE"), Sync: c.args.has("RMTJRNDLV", "*SYNC"),
	}
	if err := c.sys.AddRemote(manager.Journal(), r); err != nil {
		return err
	}
	c.done("SIM0003", remote, r.Database)
	return nil
}

// freeJournal gives the first name AMQxJRN that no journal of a library has;
// the last one when all are taken.
func (c *call) freeJournal(library string) string {
	taken := map[string]bool{}
	for _, j := range c.sys.Journals(library) {
		taken[j.Name] = true
		for _, r := range j.Remotes {
			taken[r.Name] = true
		}
	}
	letter := 'A'
	for letter < 'Z' && taken["AMQ"+string(letter)+"JRN"] {
		letter++
	}
	return "AMQ" + string(letter) + "JRN"
}

// removeRemote removes the remote journal on a database, by default whatever
// its name is.
func removeRemote(_ context.Context, c *call) error {
	manager, err := c.manager()
	if err != nil {
		return err
	}
	journal, err := c.sys.Journal(manager.Journal())
	if err != nil {
		return err
	}
	name, database := c.args.text("JRN"), c.args.text("RMTJRNRDB")
	at := slices.IndexFunc(journal.Remotes, func(r os400.Remote) bool {
		return r.Database == database && (name == "*DFT" || name == r.Name)
	})
	if at < 0 {
		return escape("SIM0005", os400.ID{Name: name}, manager.Name(), name, database)
	}
	remote := journal.Remotes[at].ID
	if err := c.sys.RemoveRemote(journal.ID, remote); err != nil {
		return err
	}
	c.done("SIM0004", remote, database)
	return nil
}

// listJournals prints the journals of a queue manager: the local one, and the
// remote ones that it is sent to.
func listJournals(_ context.Context, c *call) error {
	manager, err := c.manager()
	if err != nil {
		return err
	}
	journal, err := c.sys.Journal(manager.Journal())
	if err != nil {
		return err
	}
	rows := [][]string{{"Journal", "Library", "Type", "Database", "Status", "Delivery", "Entries behind"}}
	rows = append(rows, []string{journal.Name, journal.Library, "*LOCAL"})
	for _, r := range journal.Remotes {
		rows = append(rows, []string{
			r.Name, r.Library, "*REMOTE", r.Database, "*" + stateOf(r), delivery(r), strconv.FormatUint(r.Behind, 10),
		})
	}
	c.columns("Work with Queue Manager Journals", "journals", rows)
	return nil
}

func stateOf(r os400.Remote) string {
	if r.Active {
		return "ACTIVE"
	}
	return "INACTIVE"
}

func delivery(r os400.Remote) string {
	if r.Sync {
		return "*SYNC"
	}
	return "*ASYNC"
}

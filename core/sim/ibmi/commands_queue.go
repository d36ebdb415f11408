package ibmi

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// queueCommands create, change, delete and list local queues.
func queueCommands() []command {
	name := parameter{keyword: "QNAME", kind: character, high: 48, required: true}
	local := parameter{keyword: "QTYPE", kind: special, specials: []string{"*LCL"}, fallback: "*LCL"}
	attributes := []parameter{
		{keyword: "TEXT", kind: character, high: 64, specials: []string{"*SYSDFTQ", "*BLANK"}},
		{keyword: "MAXDEPTH", kind: number, high: 999_999_999, specials: []string{"*SYSDFTQ"}},
		{keyword: "DFTMSGPST", kind: special, specials: []string{"*SYSDFTQ", "*NO", "*YES"}},
	}
	wanted := name
	wanted.required, wanted.fallback, wanted.specials = false, "*ALL", []string{"*ALL"}
	return []command{
		{"CRTMQMQ", 3, append([]parameter{name, required(local), managerName, choice("REPLACE", "*NO", "*YES")}, attributes...), createQueue},
		{"CHGMQMQ", 2, append([]parameter{name, managerName, local}, attributes...), changeQueue},
		{"DLTMQMQ", 2, []parameter{name, managerName}, deleteQueue},
		{"WRKMQMQ", 3, []parameter{wanted, {keyword: "QTYPE", kind: special, specials: []string{"*ALL", "*LCL"}, fallback: "*ALL"}, managerName, output}, listQueues},
	}
}

// queueAttributes gives the MQSC attributes that the parameters stand for.
func (a arguments) queueAttributes() map[string]string {
	attributes := map[string]string{}
	for keyword, attribute := range map[string]string{"TEXT": "DESCR", "MAXDEPTH": "MAXDEPTH", "DFTMSGPST": "DEFPSIST"} {
		switch value := a.text(keyword); value {
		case "", "*SYSDFTQ":
		case "*BLANK":
			attributes[attribute] = ""
		default:
			attributes[attribute] = strings.TrimPrefix(value, "*")
		}
	}
	return attributes
}

func createQueue(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	name := c.args.text("QNAME")
	there := slices.ContainsFunc(manager.Queues(), func(q qmgr.Queue) bool { return q.Name == name })
	if there && c.args.has("REPLACE", "*YES") {
		return changeQueue(ctx, c)
	}
	if err := manager.DefineQueue(ctx, name, c.args.queueAttributes()); err != nil {
		return mqEscape(err, manager.Name(), name)
	}
	c.done("AMQ8006", name)
	return nil
}

// changeQueue changes the attributes that are given; the others stay.
func changeQueue(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	name := c.args.text("QNAME")
	attributes := map[string]string{}
	for _, q := range manager.Queues() {
		if q.Name == name {
			maps.Copy(attributes, q.Attributes)
		}
	}
	maps.Copy(attributes, c.args.queueAttributes())
	if err := manager.AlterQueue(ctx, name, attributes); err != nil {
		return mqEscape(err, manager.Name(), name)
	}
	c.done("AMQ8008", name)
	return nil
}

// deleteQueue deletes an empty queue.
func deleteQueue(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	name := c.args.text("QNAME")
	if err := manager.DeleteQueue(ctx, name, false); err != nil {
		return mqEscape(err, manager.Name(), name)
	}
	c.done("AMQ8007", name)
	return nil
}

func listQueues(_ context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	rows := [][]string{{"Queue", "Type", "Depth", "Uncommitted", "Media receiver", "Damaged"}}
	for _, q := range manager.Queues() {
		if !fits(c.args.text("QNAME"), q.Name) {
			continue
		}
		damaged := ""
		if q.Damaged {
			damaged = "*YES"
		}
		rows = append(rows, []string{q.Name, "*LCL", strconv.Itoa(q.Depth), strconv.Itoa(q.Uncommitted), q.MediaReceiver, damaged})
	}
	c.columns("Work with MQ Queues", "queues", rows)
	return nil
}

// fits tells whether a name is the one that is asked for: *ALL, the beginning
// of names with an asterisk behind it, or one name.
func fits(wanted, name string) bool {
	return wanted == "*" || os400.Generic(wanted, name)
}

package ibmi

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// managerCommands create, start and end queue managers (reference, IBM i 1.2,
// 3.1).
func managerCommands() []command {
	return []command{
		{"CRTMQM", 1, append([]parameter{
			required(parameter{keyword: "MQMNAME", kind: character, high: 48}),
			{keyword: "MQMLIB", kind: simple, specials: []string{"*AUTO"}, fallback: "*AUTO"},
			{keyword: "THRESHOLD", kind: number, low: minThreshold, high: maxThreshold, specials: []string{"*DFT", "*MIN", "*MAX"}, fallback: "*DFT"},
			{keyword: "JRNBUFSIZ", kind: number, low: 32000, high: 15761440, specials: []string{"*DFT"}, fallback: "*DFT"},
			{keyword: "ASP", kind: number, low: 1, high: 1, specials: []string{"*SYSTEM"}, fallback: "*SYSTEM"},
			choice("DFTQMGR", "*NO", "*YES"),
		}, noEffect("TEXT", "UDLMSGQ")...), createManager},
		{"STRMQM", 1, append([]parameter{managerName, choice("STANDBY", "*NO")}, noEffect("RDEFSYS", "STRSTSDTL", "FIXDIRS")...), startManager},
		{"ENDMQM", 2, []parameter{
			{keyword: "MQMNAME", kind: character, high: 48, specials: []string{"*DFT", "*ALL"}, fallback: "*DFT"},
			choice("OPTION", "*CNTRLD", "*IMMED", "*WAIT", "*PREEMPT"),
			choice("INSTANCE", "*ALL"),
			choice("ALWSWITCH", "*NO", "*YES"),
			choice("RECONN", "*NO", "*YES"),
			choice("ENDCCTJOB", "*NO", "*YES"),
			choice("RCDMQMIMG", "*YES", "*NO"),
			{keyword: "TIMEOUT", kind: number, high: 3600, fallback: "30"},
		}, endManager},
		{"DSPMQMSTS", 1, []parameter{managerName, output}, showManager},
	}
}

// The bounds of THRESHOLD in KB (reference, IBM i 1.2); *DFT is the least.
const (
	minThreshold = 100_000
	maxThreshold = 1_000_000_000
)

// manager gives the queue manager that MQMNAME names. *DFT is the one that was
// made with DFTQMGR(*YES), however many there are.
func (c *call) manager() (*qmgr.Manager, error) {
	name := c.args.text("MQMNAME")
	if name == "*DFT" {
		return c.machine.Default()
	}
	return c.machine.Manager(name)
}

// runningManager gives it when it runs, else AMQ8146.
func (c *call) runningManager() (*qmgr.Manager, error) {
	manager, err := c.manager()
	if err == nil && !running(manager) {
		return nil, escape("AMQ8146", os400.ID{Name: manager.Name()}, manager.Name())
	}
	return manager, err
}

func createManager(ctx context.Context, c *call) error {
	spec := qmgr.Spec{
		Name: c.args.text("MQMNAME"), Threshold: c.args.number("THRESHOLD"), Default: c.args.has("DFTQMGR", "*YES"),
	}
	if c.args.text("THRESHOLD") == "*MAX" {
		spec.Threshold = maxThreshold
	}
	if library := c.args.text("MQMLIB"); library != "*AUTO" {
		spec.Library = library
	}
	manager, err := c.machine.Create(ctx, spec)
	if err != nil {
		return err
	}
	c.done("AMQ8002", manager.Name(), manager.Library())
	return nil
}

// endManager ends one queue manager, or with *ALL those that run. Media images
// are recorded with ENDCCTJOB(*YES) unless RCDMQMIMG(*NO) says otherwise
// (reference, IBM i 3.1).
func endManager(ctx context.Context, c *call) error {
	how := qmgr.EndOptions{
		Images:    c.args.has("ENDCCTJOB", "*YES") && c.args.has("RCDMQMIMG", "*YES"),
		Immediate: c.args.has("OPTION", "*IMMED") || c.args.has("OPTION", "*PREEMPT"),
	}
	if c.args.text("MQMNAME") == "*ALL" {
		return c.endAll(ctx, how)
	}
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	return c.end(ctx, manager, how)
}

// endAll ends those that run, and stops at the first that does not end.
func (c *call) endAll(ctx context.Context, how qmgr.EndOptions) error {
	ended := 0
	for _, manager := range c.machine.Managers() {
		if !running(manager) {
			continue
		}
		if err := c.end(ctx, manager, how); err != nil {
			return err
		}
		ended++
	}
	if ended == 0 {
		return escape("AMQ8146", os400.ID{Name: "*ALL"}, "*ALL")
	}
	return nil
}

func (c *call) end(ctx context.Context, manager *qmgr.Manager, how qmgr.EndOptions) error {
	if err := manager.End(ctx, how); err != nil {
		return mqEscape(err, manager.Name(), manager.Name())
	}
	c.done("AMQ8004", manager.Name())
	return nil
}

// showManager prints the state of a queue manager; the recovery points only of
// one that runs.
func showManager(_ context.Context, c *call) error {
	manager, err := c.manager()
	if err != nil {
		return err
	}
	status := manager.Status()
	c.print("Queue Manager Status",
		field{"Queue manager name", status.Name},
		field{"Library", manager.Library()},
		field{"Status", status.State},
	)
	if !running(manager) {
		return nil
	}
	c.print("",
		field{"Current journal receiver", status.CurrLog},
		field{"Restart recovery receiver", status.RecLog},
		field{"Media recovery receiver", status.MediaLog},
		field{"Started", status.Started.Format(dayAndTime)},
	)
	return nil
}

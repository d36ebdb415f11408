package ibmi

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// mediaTypes are the values of OBJTYPE (reference, IBM i 3.1).
var mediaTypes = []string{
	"*ALL", "*Q", "*ALSQ", "*LCLQ", "*MDLQ", "*RMTQ", "*AUTHINFO", "*CTLG", "*MQM", "*NMLIST", "*PRC", "*CHL", "*CLTCN",
	"*LSR", "*SVC", "*SYNCFILE", "*TOPIC",
}

// mediaCommands record media images and rebuild objects from them.
func mediaCommands() []command {
	name := parameter{keyword: "OBJ", kind: character, high: 48, required: true, specials: []string{"*ALL"}}
	kinds := parameter{keyword: "OBJTYPE", kind: special, required: true, specials: mediaTypes}
	rebuilt := kinds
	rebuilt.specials = append([]string{"*CLCHLTAB"}, mediaTypes...)
	return []command{
		// No source gives the default of DSPJRNDTA: *NO promises less.
		{"RCDMQMIMG", 3, []parameter{name, kinds, managerName, choice("DSPJRNDTA", "*NO", "*YES")}, recordImages},
		{"RCRMQMOBJ", 3, []parameter{name, rebuilt, managerName}, recreateObjects},
	}
}

func (c *call) selection() qmgr.Selection {
	return qmgr.Selection{Name: c.args.text("OBJ"), Type: c.args.text("OBJTYPE"), Checkpoint: c.args.has("DSPJRNDTA", "*YES")}
}

// recordImages is RCDMQMIMG. DSPJRNDTA(*YES) puts the recovery points in the
// job log too, and only then a full one takes a checkpoint.
func recordImages(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	n, err := manager.RecordImages(ctx, c.selection())
	if err != nil {
		return mqEscape(err, manager.Name(), c.args.text("OBJ"))
	}
	if c.args.has("DSPJRNDTA", "*YES") {
		c.published(manager)
	}
	c.done("SIM0006", n)
	return nil
}

// published tells the job the recovery points that hold now (reference, IBM i
// 2.1).
func (c *call) published(manager *qmgr.Manager) {
	points := manager.Points()
	for _, p := range []struct {
		id    string
		point qmgr.Point
	}{{"AMQ7460", points.Startup}, {"AMQ7462", points.Media}} {
		c.note(Info, p.id, p.point.Receiver, p.point.Library, p.point.Time.Format("2006-01-02 15.04.05"))
	}
}

// recreateObjects is RCRMQMOBJ. What is not damaged is left alone.
func recreateObjects(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	n, err := manager.Recreate(ctx, c.selection())
	if err != nil {
		return mqEscape(err, manager.Name(), c.args.text("OBJ"))
	}
	c.done("SIM0007", n)
	return nil
}

package ibmi

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
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
// job log too, and only then a full one takes a checkpoint. Damaged objects are
// told one by one.
func recordImages(ctx context.Context, c *call) error {
	manager, err := c.runningManager()
	if err != nil {
		return err
	}
	n, err := manager.RecordImages(ctx, c.selection())
	var damaged *qmgr.DamagedError
	if err != nil && !errors.As(err, &damaged) {
		return mqEscape(err, manager.Name(), c.args.text("OBJ"))
	}
	if c.args.has("DSPJRNDTA", "*YES") {
		for _, m := range manager.Published() {
			c.pass(Info, m)
		}
	}
	if damaged != nil {
		return c.notRecorded(n, damaged.Objects)
	}
	c.done("SIM0006", os400.Counted(n, "object"))
	return nil
}

// notRecorded names the objects that are damaged.
func (c *call) notRecorded(recorded int, damaged []engine.Ref) error {
	if recorded == 0 && len(damaged) == 1 {
		return escape("AMQ8149", os400.ID{Name: damaged[0].Name}, damaged[0].Name)
	}
	for _, ref := range damaged {
		c.note(Diagnostic, "AMQ8149", ref.Name)
	}
	return escape("SIM0011", os400.ID{}, os400.Counted(recorded, "object"), len(damaged))
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
	c.done("SIM0007", os400.Counted(n, "object"))
	return nil
}

package ibmi

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// general is where an object is that is named without a library: the library
// that a new job has for its own objects. The system's are in QSYS.
const (
	general   = "QGPL"
	systemLib = "QSYS"
)

// journalCommands work on journals (reference, IBM i 1.7, 3.3).
func journalCommands() []command {
	journal := parameter{keyword: "JRN", kind: object, required: true}
	first := parameter{keyword: "JRNRCV", kind: object, required: true}
	// *ASSOC is ours: IBM i associates restored receivers by option 9 of WRKJRN,
	// which is a screen, or by QSYS2.ASSOCIATE_JOURNAL_RECEIVER.
	next := parameter{keyword: "JRNRCV", kind: object, specials: []string{"*SAME", "*GEN", "*ASSOC"}, fallback: "*SAME"}
	queue := parameter{keyword: "MSGQ", kind: object, fallback: "QSYS/QSYSOPR"}
	same := parameter{keyword: "MSGQ", kind: object, specials: []string{"*SAME"}, fallback: "*SAME"}
	return []command{
		{"CRTJRN", 2, append([]parameter{
			journal, first, queue, choice("MNGRCV", "*SYSTEM", "*USER"), choice("DLTRCV", "*NO", "*YES"),
			choice("RCVSIZOPT", "*SYSDFT", "*NONE", "*MAXOPT1", "*MAXOPT2", "*MAXOPT3"),
		}, noEffect("TEXT", "ASP", "AUT")...), createJournal},
		{"CHGJRN", 2, []parameter{
			journal, next, choice("SEQOPT", "*CONT", "*RESET"), same,
			choice("MNGRCV", "*SAME", "*SYSTEM", "*USER"), choice("DLTRCV", "*SAME", "*NO", "*YES"), ofText,
		}, changeJournal},
		{"DLTJRN", 1, []parameter{journal}, deleteJournal},
		{"WRKJRNA", 1, []parameter{journal, output, choice("DETAIL", "*CURATR", "*RCVDIR")}, showJournal},
	}
}

// createJournal attaches a receiver to the new journal: one that was never
// attached, made before by CRTJRNRCV. [os400.System.CreateJournal] makes the
// first receiver itself, so the empty one gives its place up to it.
func createJournal(_ context.Context, c *call) error {
	first, err := c.sys.Receiver(c.args.object("JRNRCV", general))
	if err != nil {
		return err
	}
	spec := os400.JournalSpec{
		ID: c.args.object("JRN", general), First: first.ID, Threshold: first.Threshold,
		UserManaged: c.args.has("MNGRCV", "*USER"), DeleteReceivers: c.args.has("DLTRCV", "*YES"),
		SizeOption: sizeOptions[c.args.text("RCVSIZOPT")], MessageQueue: c.args.object("MSGQ", systemLib),
	}
	if err := c.checkNew(spec, first); err != nil {
		return err
	}
	if err := c.sys.Remove(first.ID); err != nil {
		return err
	}
	if err := c.sys.CreateJournal(spec); err != nil {
		return errors.Join(err, c.sys.CreateReceiver(first.ID, first.Threshold))
	}
	c.done("CPC7011", spec.ID)
	return errors.Join(c.own("JRN", spec.ID), c.own("JRNRCV", first.ID))
}

// checkNew says why a journal can't be made with a receiver.
func (c *call) checkNew(spec os400.JournalSpec, first os400.Receiver) error {
	if _, err := c.sys.Messages(spec.MessageQueue); err != nil {
		return err
	}
	_, err := c.sys.Journal(spec.ID)
	switch {
	case first.Status != os400.Empty:
		return os400.Escape("CPF701A", first.ID, "it was attached before")
	case err == nil:
		return os400.Escape("CPF7010", spec.ID, "JRN")
	default:
		return nil
	}
}

// sizeOptions are the values of RCVSIZOPT; *SYSDFT bounds the sequence numbers
// as *MAXOPT2 does (reference, IBM i 1.4).
var sizeOptions = map[string]string{"*SYSDFT": "MAXOPT2", "*NONE": "", "*MAXOPT1": "MAXOPT1", "*MAXOPT2": "MAXOPT2", "*MAXOPT3": "MAXOPT3"}

// deleteJournal leaves the receivers, in no directory.
func deleteJournal(_ context.Context, c *call) error {
	id := c.args.object("JRN", general)
	if err := c.sys.DeleteJournal(id); err != nil {
		return err
	}
	c.done("CPC2191", id, "JRN")
	return c.sys.Forget(os400.Object{ID: id, Type: "JRN"})
}

package ibmi

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// jobCommands change and end jobs, and register exit programs (reference, IBM
// i 3.6, 6).
func jobCommands() []command {
	point := parameter{keyword: "EXITPNT", kind: character, high: 20, required: true}
	format := parameter{keyword: "FORMAT", kind: character, high: 8, required: true}
	return []command{
		{"CHGJOB", 1, []parameter{
			choice("JOB", "*"), {keyword: "INQMSGRPY", kind: special, specials: []string{"*SAME", "*RQD", "*DFT", "*SYSRPYL"}, fallback: "*SAME"},
		}, changeJob},
		{"ENDJOB", 2, append([]parameter{
			{keyword: "JOB", kind: character, high: 28, required: true}, choice("OPTION", "*CNTRLD", "*IMMED"),
		}, noEffect("DELAY", "SPLFILE", "LOGLMT", "ADLINTJOBS")...), endJob},
		{"ADDEXITPGM", 4, append([]parameter{
			point, format, exitNumber("*LOW", "*HIGH"), {keyword: "PGM", kind: object, required: true},
		}, noEffect("TEXT", "PGMDTA", "THDSAFE", "MLTTHDACN", "REPLACE")...), addExit},
		{"RMVEXITPGM", 3, []parameter{point, format, exitNumber()}, removeExit},
	}
}

func exitNumber(specials ...string) parameter {
	return parameter{keyword: "PGMNBR", kind: number, low: 1, high: 1<<31 - 1, specials: specials, required: true}
}

// changeJob sets what becomes of inquiries that commands of this job raise.
func changeJob(_ context.Context, c *call) error {
	if reply := c.args.text("INQMSGRPY"); reply != "*SAME" {
		c.job.Inquiries = os400.InquiryReply(reply)
	}
	c.done("CPC1126", c.job.Name)
	return nil
}

// endJob ends a job that waits or holds a lock: there are no others between two
// commands. It may be named without number and user.
func endJob(_ context.Context, c *call) error {
	name := c.args.text("JOB")
	for _, job := range c.jobs() {
		if job != name && !strings.HasSuffix(job, "/"+name) {
			continue
		}
		if err := c.sys.EndJob(job); err != nil {
			return err
		}
		c.done("CPC1125", job)
		return nil
	}
	return escape("CPF1321", os400.ID{Name: name}, name)
}

// jobs gives the names of the jobs that wait or hold a lock on a receiver.
func (c *call) jobs() []string {
	var names []string
	for _, w := range c.sys.Waiting() {
		names = append(names, w.Job.Name)
	}
	for _, r := range c.machine.receivers() {
		names = append(names, r.LockedBy...)
	}
	return names
}

// The exit point that can be used, and its format.
const (
	exitPoint  = "QIBM_QJO_DLT_JRNRCV"
	exitFormat = "DRCV0100"
)

// checkExitPoint refuses the others of the system, none of which is here.
func (c *call) checkExitPoint() error {
	if c.args.has("EXITPNT", exitPoint) && c.args.has("FORMAT", exitFormat) {
		return nil
	}
	name := c.args.text("EXITPNT") + " " + c.args.text("FORMAT")
	return os400.Escape("CPF9801", os400.ID{Library: systemLib, Name: name}, "EXITPNT")
}

// addExit registers a program. The numbers of PGMNBR are places in the list:
// programs are called in the order in which they were added.
func addExit(_ context.Context, c *call) error {
	if err := c.checkExitPoint(); err != nil {
		return err
	}
	program := c.args.object("PGM", general).String()
	if err := c.sys.AddExit(program); err != nil {
		return err
	}
	c.done("CPC3CD1", program)
	return nil
}

func removeExit(_ context.Context, c *call) error {
	if err := c.checkExitPoint(); err != nil {
		return err
	}
	programs := slices.Clone(c.sys.Exits())
	n := c.args.number("PGMNBR")
	if n > int64(len(programs)) {
		return escape("CPF3CDB", os400.ID{Name: exitPoint}, strconv.FormatInt(n, 10))
	}
	if err := c.sys.RemoveExit(programs[n-1]); err != nil {
		return err
	}
	c.done("CPC3CD2", programs[n-1])
	return nil
}

package smdsexpand

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// mqName fits the names of queue managers of a group and of structures (DEFINE
// CFSTRUCT). What is none is not written into a command.
var mqName = regexp.MustCompile(`^[A-Z@#$][A-Z0-9@#$_]{0,11}$`)

// alterSMDS writes the command that changes one data set's attribute; empty when
// a name is none.
func alterSMDS(d qsg.DataSet, attribute string) string {
	if !mqName.MatchString(d.Structure) || !mqName.MatchString(d.Owner) {
		return ""
	}
	return fmt.Sprintf("ALTER SMDS(%s) CFSTRUCT(%s) %s", d.Owner, d.Structure, attribute)
}

// expandAgain is what comes after a failed expansion, in this order. The queue
// manager has set DSEXPAND(NO), and tries none before it is altered.
func expandAgain(d qsg.DataSet) string {
	return fmt.Sprintf("first remove the cause: %s; then %s", addVolumes(d), alterSMDS(d, "DSEXPAND(YES)"))
}

// addVolumes is how a data set gets volumes on which it may go on.
func addVolumes(d qsg.DataSet) string {
	name := d.Name + ".DATA"
	if d.Catalog != nil && d.Catalog.Data != "" {
		name = d.Catalog.Data
	}
	if d.Name == "" && d.Catalog == nil {
		return "space on its volumes, or more volumes (IDCAMS ALTER ADDVOLUMES)"
	}
	return fmt.Sprintf("space on its volumes, or more volumes (IDCAMS ALTER %s ADDVOLUMES(*))", name)
}

// moveLarger is what a person does about a data set that has as many extents as it
// can have. No command of it is ever given by a run: messages can't be read
// meanwhile.
func moveLarger(d qsg.DataSet) string {
	if !mqName.MatchString(d.Structure) || !mqName.MatchString(d.Owner) {
		return "copy it into one with larger extents"
	}
	return fmt.Sprintf("copy it into one with larger extents, by hand: RESET SMDS(%[1]s) CFSTRUCT(%[2]s) ACCESS(DISABLED), by which all members close it; "+
		"allocate the new one, REPRO, rename; RESET SMDS(%[1]s) CFSTRUCT(%[2]s) ACCESS(ENABLED)", d.Owner, d.Structure)
}

// growBefore is how a data set is made large enough before a peak, while an
// expansion is not in the way of one: puts fail with 2192 until it has ended.
const growBefore = "let it grow before the peak: put messages to a queue of the structure until it has, then drain or delete the queue (it never shrinks); " +
	"or allocate it anew with a primary quantity that holds the peak"

// waited says that there were too few buffers.
func (p pool) waited() string {
	text := fmt.Sprintf("%d requests waited at once for a buffer", -p.lowest.Value)
	if p.waits.Known {
		text += fmt.Sprintf(" (%d%% of all)", p.waits.Value)
	}
	return text
}

// takes says how much storage so many buffers take.
func (p pool) takes(buffers int64) string {
	return fmt.Sprintf("%d x %s, that is %s of storage", buffers, points.SizeUp(p.block.Value), points.SizeUp(buffers*p.block.Value))
}

// enlarging is what the advice about buffers says, with its command.
func (s *state) enlarging(e enlarged) string {
	if e.buffers == s.pool.now.Value {
		return s.pool.waited() + "; it has " + s.pool.takes(e.buffers) + ", and more would take more than the task allows"
	}
	text := fmt.Sprintf("%s: %s, %s", s.pool.waited(), alterSMDS(s.DataSet, fmt.Sprintf("DSBUFS(%d)", e.buffers)), s.pool.takes(e.buffers))
	if e.short > 0 {
		text += fmt.Sprintf("; %d more would have been needed, over what the task allows", e.short)
	}
	return text
}

// actions gives the commands that the task lets a run give: more buffers, and
// expansion where the cause of a failure has been removed.
func actions(g *qsg.Group, all []*state, c config) []plugins.Action {
	var list []plugins.Action
	add := func(s *state, attribute, value, reason string) {
		text, member := alterSMDS(s.DataSet, attribute+"("+value+")"), executor(g, s.Owner)
		if text == "" || member == "" {
			return
		}
		list = append(list, plugins.Action{
			ID: fmt.Sprintf("%s-%d", plugins.KindCommand, len(list)+1), QueueManager: member, Kind: plugins.KindCommand,
			Command: plugins.Command{Language: observe.MQSC, QueueManager: member, Text: text},
			Object:  key(s.DataSet), Reason: reason,
			Items: points.Items(itemGroup, g.Name, itemStructure, s.Structure, itemOwner, s.Owner, itemAttribute, attribute, itemValue, value),
		})
	}
	for _, s := range all {
		if e, ok := s.pool.enlarge(c.storage); ok && c.alter && e.buffers > s.pool.now.Value {
			add(s, "DSBUFS", strconv.FormatInt(e.buffers, 10), s.pool.waited()+"; "+s.pool.takes(e.buffers))
		}
		if s.waitsToExpand() == "" && c.mayExpand(s.DataSet) {
			add(s, "DSEXPAND", "YES", "the cause of the failed expansion has been removed, says the task")
		}
	}
	return list
}

// waitsToExpand tells why a data set that the site names is not let expand again;
// empty: it is.
func (s *state) waitsToExpand() string {
	switch {
	case s.expands != qsg.No:
		return "DSEXPAND is not NO"
	case s.expansion() == "MAXIMUM":
		return "EXPANDST(MAXIMUM)"
	case s.room.known && s.room.left == 0:
		return "no extent is left"
	}
	return ""
}

// executor is the member that gives the command: the owner, or any that runs.
// ALTER SMDS has no CMDSCOPE.
func executor(g *qsg.Group, owner string) string {
	if m, ok := g.Member(owner); ok && m.Status == qsg.MemberActive {
		return owner
	}
	for _, m := range g.Members {
		if m.Status == qsg.MemberActive {
			return m.Name
		}
	}
	return ""
}

// widerRule is how more messages stay in the structure while a rule is in force
// and a data set is in need: the rule is put off to where the next one begins.
func (o offload) widerRule(structure string) string {
	if o.active == nil || o.fill.Value >= expandsAt || !mqName.MatchString(structure) {
		return ""
	}
	threshold := int64(expandsAt)
	if o.next != nil {
		threshold = o.next.threshold
	}
	return fmt.Sprintf("more stays in the structure with ALTER CFSTRUCT(%s) OFFLD%dTH(%d)", structure, o.active.number, threshold)
}

// joined puts what there is into one sentence.
func joined(parts ...string) string {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, part)
		}
	}
	return strings.Join(said, "; ")
}

package connect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
)

// authorities adds what acting needs beside the facts.
func (h *hostCheck) authorities() {
	if !h.removes() {
		kind, management, _ := h.kind()
		why := "the queue manager does (LogManagement=" + string(management) + ")"
		switch kind {
		case mqini.Circular:
			why = "a circular log has none to remove"
		case mqini.Replicated:
			why = "the queue manager does (a REPLICATED log)"
		}
		h.test("mqhk need not delete extents: "+why, false, []Use{ForDelete}, h.testNoDelete)
	} else {
		h.test("delete in "+h.directory, false, []Use{ForDelete}, h.testDelete)
	}
	h.test("read the extents", false, []Use{ForSave}, h.testExtents)
	if h.archives() {
		h.test("SET LOG, to report copies to the queue manager", false, []Use{ForSave}, h.testChange)
	}
	h.test("write into "+h.directory, false, []Use{ForRestore}, h.testWrite)
	h.test("restored extents belong to whom the others belong", false, []Use{ForRestore}, h.testOwner)
	h.test("rcdmqimg", false, []Use{ForImages}, h.testMember)
}

func (h *hostCheck) testNoDelete(row *Checked) {
	_, _ = h.readStatus(row)
	_, _ = h.look(row, observe.File, h.qmIni())
	row.Verdict = Yes
}

// testDelete tests writing and entering, which deleting needs of a directory;
// where it is sticky, also that the extents or the directory are the user's.
func (h *hostCheck) testDelete(row *Checked) {
	h.testWrite(row)
	if row.Verdict != Yes || !h.itself.stickyBit() || h.who.root() || h.who.is(h.itself.owner) {
		return
	}
	_, err := h.look(row, observe.LogDir, h.directory)
	switch {
	case err != nil:
		row.Verdict = Unknown
		_, row.Detail = hostReason(err)
	case len(h.extents) == 0:
		row.Verdict, row.Detail = Unknown, "it is sticky, and no extent is listed whose owner would tell"
	case slices.ContainsFunc(h.extents, func(f file) bool { return !h.who.is(f.owner) }):
		row.Verdict, row.Detail = No, h.itself.mode+": in a sticky directory only the owner deletes a file"
		row.Grant = h.writable()
	}
}

// testWrite tests writing and entering. Of a directory that is not there nobody
// may do either, the superuser neither.
func (h *hostCheck) testWrite(row *Checked) {
	_, errWho := h.look(row, observe.CTL, "id")
	_, errList := h.look(row, observe.LogDir, above(h.directory))
	if !h.testThere(row, errList) {
		return
	}
	row.Verdict = h.itself.allows(h.who, "wx")
	switch {
	case row.Verdict == No:
		row.Detail = fmt.Sprintf("it is %s of %s:%s", h.itself.mode, h.itself.owner, h.itself.group)
		row.Grant = h.writable()
	case row.Verdict == Unknown && cmp.Or(errWho, errList) != nil:
		_, row.Detail = hostReason(cmp.Or(errWho, errList))
	case row.Verdict == Unknown:
		row.Detail = "neither owner nor mode tells"
	}
}

// testThere tells whether the directory of the extents is one whose owner and
// mode can be judged, and in the row why not: it is not there, or a link. The
// error is that of the list that it would stand in. For the superuser it is
// enough that it is there.
func (h *hostCheck) testThere(row *Checked, errList error) bool {
	_, err := h.look(row, observe.LogDir, h.directory)
	switch f := h.itself; {
	case f.name == "" && err != nil && errList == nil:
		row.Verdict, row.Detail = No, "it is not there: "+above(h.directory)+" was listed"
	case f.name == "" && err != nil:
		h.failed(row, err, nil)
	case f.name == "" && errList == nil:
		row.Detail = "it is not in the list of " + above(h.directory)
		return h.who.root()
	case strings.HasPrefix(f.mode, "l"):
		row.Detail = "it is a link, whose own mode tells nothing"
		return h.who.root() && err == nil
	case f.mode != "" && f.mode[0] != 'd':
		row.Verdict, row.Detail = No, "it is no directory: "+f.mode
	default:
		return true
	}
	return false
}

// testExtents tests reading of each extent. The worst counts.
func (h *hostCheck) testExtents(row *Checked) {
	_, err := h.look(row, observe.LogDir, h.directory)
	if err != nil {
		h.failed(row, err, h.joinAdministrators)
		return
	}
	_, _ = h.look(row, observe.CTL, "id")
	if len(h.extents) == 0 {
		row.Detail = "no extent is listed"
		return
	}
	row.Verdict = Yes
	closed := 0
	for _, f := range h.extents {
		switch f.allows(h.who, "r") {
		case No:
			if closed++; closed == 1 {
				row.Verdict, row.Grant = No, h.readable(f, h.directory+"/"+f.name)
			}
		case Unknown:
			if row.Verdict == Yes {
				row.Verdict, row.Detail = Unknown, "neither owner nor mode of "+f.name+" tells"
			}
		}
	}
	if closed > 0 {
		row.Detail = fmt.Sprintf("%d of %d can't be read", closed, len(h.extents))
	}
}

// testChange tests the authority to change the queue manager, which SET LOG
// needs (IBM Documentation, "SET LOG on Multiplatforms").
func (h *hostCheck) testChange(row *Checked) {
	_, err := h.look(row, observe.CTL, "id")
	if err != nil || !h.who.known {
		row.Detail = "it is not known who asks"
		return
	}
	if h.testNone(row) {
		return
	}
	if h.who.in(administrators) {
		row.Verdict = Yes
		return
	}
	body, err := h.look(row, observe.CTL, "dspmqaut -m "+h.target.Name+" -t qmgr -p "+h.who.name)
	if err != nil {
		_, row.Detail = hostReason(err)
		return
	}
	words := strings.Fields(string(body))
	row.Verdict = verdictOf(slices.Contains(words, "chg") || slices.Contains(words, "alladm") || slices.Contains(words, "all"))
	if row.Verdict == No {
		row.Detail = h.who.name + " lacks chg on the queue manager"
		row.Grant = []string{shellLine("setmqaut", "-m", h.target.Name, "-t", "qmgr", "-g", h.who.ownGroup(), "+chg")}
	}
}

// testOwner tests that what the user makes belongs to whom the extents belong:
// the queue manager could not open another's, and only root gives files away.
func (h *hostCheck) testOwner(row *Checked) {
	_, _ = h.look(row, observe.CTL, "id")
	_, err := h.look(row, observe.LogDir, h.directory)
	at := slices.IndexFunc(h.extents, func(f file) bool { return f.owner != "" })
	switch {
	case err != nil:
		h.failed(row, err, nil)
	case len(h.extents) == 0:
		row.Verdict, row.Detail = No, "there is none, whose owner a restored one would get"
	case h.who.root():
		row.Verdict = Yes
	case at < 0 || !h.who.known:
		row.Detail = "the owner of the extents, or who asks, is not told"
	case h.who.is(h.extents[at].owner):
		row.Verdict = Yes
	default:
		row.Verdict = No
		row.Detail = fmt.Sprintf("they belong to %s, and only that user or root can make such files: run mqhk archive restore as %[1]s", h.extents[at].owner)
	}
}

// testNone finds that there is no such queue manager here, by runmqsc and dspmq
// both: then nobody may change it. Where it only has ended dspmq shows it.
func (h *hostCheck) testNone(row *Checked) bool {
	_, errStatus := h.readStatus(row)
	_, err := h.look(row, observe.CTL, h.stateText())
	if errStatus == nil || err == nil {
		return false
	}
	whyStatus, _ := hostReason(errStatus)
	why, said := hostReason(err)
	if whyStatus != missing || why != missing {
		return false
	}
	row.Verdict, row.Detail = No, "there is no such queue manager: "+said
	return true
}

// testMember tests membership of mqm, which rcdmqimg wants.
func (h *hostCheck) testMember(row *Checked) {
	_, err := h.look(row, observe.CTL, "id")
	switch {
	case err != nil:
		_, row.Detail = hostReason(err)
	case !h.who.known:
		row.Detail = "it is not known who asks"
	case h.testNone(row):
	case h.who.in(administrators):
		row.Verdict = Yes
	default:
		row.Verdict, row.Detail, row.Grant = No, h.who.name+" is no member of "+administrators, h.joinAdministrators()
	}
}

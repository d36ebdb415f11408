package connect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	rootAsks      = "uid=0(root) gid=0(root)"
	mqhkAsks      = "uid=1001(mqhk) gid=1001(mqhk) " + memberOfMqm
	directoryLine = "active 4096 2026-05-28T02:00:00Z mqm:mqm drwxrws---"
	directoryList = ">>> LOGDIR PAY.1: /var/mqm/log/PAY!1/active\n"
	parentList    = ">>> LOGDIR PAY.1: /var/mqm/log/PAY!1\n"
)

// What is not there can't be written into, deleted or read by anybody, the
// superuser neither.
func TestCheckHostMissing(t *testing.T) {
	absent := func(list string) []string {
		at := strings.Index(prunedHost, list)
		end := at + strings.Index(prunedHost[at+1:], ">>> ") + 1
		failed := strings.Replace(list, ">>> ", ">>> ERROR ", 1)
		return []string{prunedHost[at:end], failed + "open: no such file or directory\n"}
	}
	extents := []string{"S0000129.LOG 16785408 2026-05-28T01:00:00Z mqm:mqm -rw-rw----\nS0000130.LOG 16785408 2026-05-28T02:00:00Z mqm:mqm -rw-rw----\n", ""}
	const del, read, write, owner = "delete in /var/mqm/log/PAY!1/active: ", "read the extents: ", "write into /var/mqm/log/PAY!1/active: ", "restored extents belong: "
	for name, test := range map[string]struct {
		who     string
		changes []string
		missing []string // verdicts that are not yes, in their order
	}{
		"nothing of it is there":           {rootAsks, append(absent(directoryList), absent(parentList)...), []string{del + "no", read + "no", write + "no", owner + "no"}},
		"not the directory":                {rootAsks, append(absent(directoryList), directoryLine+"\n", ""), []string{del + "no", read + "no", write + "no", owner + "no"}},
		"a file of its name":               {rootAsks, []string{directoryLine, "active 4096 2026-05-28T02:00:00Z mqm:mqm -rw-rw----"}, []string{del + "no", write + "no"}},
		"a link, for root":                 {rootAsks, []string{directoryLine, "active 20 2026-05-28T02:00:00Z mqm:mqm lrwxrwxrwx"}, nil},
		"a link":                           {mqhkAsks, []string{directoryLine, "active 20 2026-05-28T02:00:00Z mqm:mqm lrwxrwxrwx"}, []string{del + "unknown", write + "unknown", owner + "no"}},
		"no extent":                        {rootAsks, extents, []string{read + "unknown", owner + "no"}},
		"no extent, and sticky":            {mqhkAsks, append(extents, directoryLine, strings.Replace(directoryLine, "s---", "s--T", 1)), []string{del + "unknown", read + "unknown", owner + "no"}},
		"nobody lists the directory above": {rootAsks, absent(parentList), nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows := prunable(t, Needs{Uses: []Use{ForDelete, ForSave, ForRestore}}, append(test.changes, mqhkAsks, test.who)...)
			if got := verdicts(rows); !slices.Equal(got, test.missing) {
				t.Errorf("missing %q, want %q\n%+v", got, test.missing, notYes(rows))
			}
		})
	}
}

// A queue manager that is not on this host is changed by nobody; one that has
// ended is there.
func TestCheckHostWithoutManager(t *testing.T) {
	const status, state = ">>> MQSC PAY.1: DISPLAY QMSTATUS ALL\n", ">>> CTL PAY.1: dspmq -m PAY.1 -o status -x\n"
	failed := func(block, why string) []string {
		at := strings.Index(prunedHost, block)
		end := at + strings.Index(prunedHost[at+1:], ">>> ") + 1
		return []string{prunedHost[at:end], strings.Replace(block, ">>> ", ">>> ERROR ", 1) + why + "\n"}
	}
	none := append(failed(status, "runmqsc can't be run: no such file or directory"), failed(state, "dspmq can't be run: no such file or directory")...)
	for name, test := range map[string]struct {
		changes []string
		missing []string
	}{
		"no MQ":     {none, []string{"rcdmqimg: no"}},
		"archiving": {append(none, "LogManagement=Manual", archiveMode), []string{"SET LOG, to: no", "rcdmqimg: no"}},
		"ended":     {failed(status, "AMQ8146E: IBM MQ queue manager not available."), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := verdicts(prunable(t, Needs{Uses: []Use{ForSave, ForImages}}, test.changes...)); !slices.Equal(got, test.missing) {
				t.Errorf("missing %q, want %q", got, test.missing)
			}
		})
	}
}

// No grant of the directory lets in whom the finding others-may-delete is about.
func TestCheckHostGrantsNobodyElse(t *testing.T) {
	for name, test := range map[string]struct {
		who, directory string
		grants         []string
	}{
		"another group": {mqhkAsks, "mqm:staff drwxr-s---", []string{"chgrp mqm '/var/mqm/log/PAY!1/active'", "chmod g+w '/var/mqm/log/PAY!1/active'"}},
		"root's own group": {"uid=1001(mqhk) gid=1001(mqhk) groups=1001(mqhk)", "root:root drwxrws---",
			[]string{"chgrp mqm '/var/mqm/log/PAY!1/active'", joinMqm}},
		"open to all, and sticky":   {mqhkAsks, "mqm:mqm drwxrwxrwt", []string{"chmod o-w,-t '/var/mqm/log/PAY!1/active'"}},
		"another group, and sticky": {mqhkAsks, "mqm:staff drwxr-xr-t", []string{"chgrp mqm '/var/mqm/log/PAY!1/active'", "chmod g+w,-t '/var/mqm/log/PAY!1/active'"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := prunable(t, Needs{Uses: []Use{ForDelete}}, "mqm:mqm drwxrws---", test.directory, mqhkAsks, test.who)
			if got := grants(rows); !slices.Equal(got, test.grants) {
				t.Errorf("grants %q, want %q", got, test.grants)
			}
		})
	}
}

// What is granted is enough, whatever owner and mode are, and lets in nobody who
// could not delete before, but members of mqm.
func TestGrantsAreEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &hostCheck{checker: &checker{}, directory: "/log/active", who: identity{known: true, user: "1001", name: "mqhk"}}
		h.who.groups = rapid.SampledFrom([][]string{{"mqhk"}, {"mqhk", "mqm"}, {"mqhk", "staff"}, {"mqhk", "root"}}).Draw(t, "groups")
		mode := []byte("d" + rapid.StringMatching(`([r-][w-][x-]){3}`).Draw(t, "mode"))
		if rapid.Bool().Draw(t, "sticky") {
			mode[sticky] = map[byte]byte{'x': 't', '-': 'T'}[mode[sticky]]
		}
		f := file{name: "active", owner: rapid.SampledFrom([]string{"mqm", "root", "mqhk"}).Draw(t, "owner"),
			group: rapid.SampledFrom([]string{"mqm", "root", "staff", "mqhk"}).Draw(t, "group"), mode: string(mode)}
		h.itself = f
		deletes := func() bool {
			return h.itself.allows(h.who, "wx") == Yes && (!h.itself.stickyBit() || h.who.is(h.itself.owner))
		}
		if deletes() {
			return
		}
		before := strangers(f)
		for _, grant := range h.writable() {
			h.carryOut(t, strings.Fields(grant))
		}
		if !deletes() {
			t.Fatalf("%+v became %+v, and %q still can't delete", f, h.itself, h.who.groups)
		}
		for _, who := range strangers(h.itself) {
			if !slices.Contains(before, who) {
				t.Fatalf("%+v became %+v: %s may delete now", f, h.itself, who)
			}
		}
	})
}

// strangers are those that the finding others-may-delete is about.
func strangers(f file) (who []string) {
	if f.stickyBit() {
		return nil
	}
	if f.has(otherRights, 'w') {
		who = append(who, "every user")
	}
	if f.has(groupRights, 'w') && f.group != administrators && f.group != f.owner {
		who = append(who, f.group)
	}
	return who
}

// carryOut does what a grant says.
func (h *hostCheck) carryOut(t *rapid.T, words []string) {
	switch words[0] {
	case "usermod":
		h.who.groups = append(slices.Clone(h.who.groups), strings.Trim(words[2], "'"))
		return
	case "chgrp":
		h.itself.group = words[1]
		return
	}
	mode := []byte(h.itself.mode)
	for change := range strings.SplitSeq(words[1], ",") {
		who, rights, taken := strings.Cut(change, "-")
		if !taken {
			who, rights, _ = strings.Cut(change, "+")
		}
		for _, right := range rights {
			if right == 't' && taken {
				mode[sticky] = map[byte]byte{'t': 'x', 'T': '-'}[mode[sticky]]
				continue
			}
			at := map[string]int{"u": ownerRights, "g": groupRights, "o": otherRights}[who] + strings.IndexRune("rwx", right)
			if mode[at] = byte(right); taken {
				mode[at] = '-'
			}
		}
	}
	if words[0] != "chmod" {
		t.Fatalf("nobody knows %q", words)
	}
	h.itself.mode = string(mode)
}

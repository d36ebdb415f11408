package observe_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

const manifestColumns = "STORE,QUEUE_MANAGER,LIBRARY,SEGMENT,OPENED,CLOSED,FIRST,LAST,BYTES,SHA256,VERIFIED,INCARNATION\n"

const thisLog = "qmid=QM1_2024-01-01_12.00.00; log=/var/mqm/log/QM1; begun=2024-01-01 12.00.00 0:0:0:4820"

// manifestOf writes a verified copy of an extent of the usual log.
func manifestOf(number int) string { return manifestWith(number, 16785408, "YES", thisLog) }

func manifestWith(number, bytes int, verified, incarnation string) string {
	return fmt.Sprintf("vault,QM1,,%s,,,%d,%d,%d,6f1e,%s,%s\n", observe.ExtentName(number), number, number, bytes, verified, incarnation)
}

// Proof that the directory is that of the queue manager, and of no other program.
func TestWhoseDirectory(t *testing.T) {
	u := usual()
	listed := u.body(t, active)
	runExtentCases(t, []extentCase{
		{"the control file lies in it", u.without(above).with(active, listed+file("amqhlctl.lfh")), usualGoes, ""},
		{"it lies nowhere", u.edit(t, above, "amqhlctl.lfh", "amqhlctl.old"), "", "directory-not-proven"},
		{"it is a directory", u.with(above, "amqhlctl.lfh 4096 - mqm:mqm drwxrwx---\n"), "", "directory-not-proven"},
		{"above is not answered", u.without(above), usualGoes, "not-checked"},
		{"above fails", u.failing(above, "Permission denied"), "", "facts-unreadable"},
		{"the paths differ", u.edit(t, qmini, "LogPath=/var/mqm/log/QM1/", "LogPath=/var/mqm/log/QM2/"), "", "directory-not-proven"},
		{"only the case differs", u.edit(t, qmini, "LogPath=/var/mqm/log/QM1/", "LogPath=/var/mqm/log/qm1/"), "", "directory-not-proven"},
		{"the paths are written otherwise", u.edit(t, qmini, "LogPath=/var/mqm/log/QM1/", "LogPath=/var//mqm/log/./QM1/active/"), usualGoes, ""},
		{"only QMSTATUS tells it", u.edit(t, qmini, "   LogPath=/var/mqm/log/QM1/\n", ""), usualGoes, ""},
		{"only qm.ini tells it", u.edit(t, qmstatus, "LOGPATH(/var/mqm/log/QM1/active/)", ""), usualGoes, ""},
		{"nobody tells it", u.edit(t, qmstatus, "LOGPATH(/var/mqm/log/QM1/active/)", "").edit(t, qmini, "   LogPath=/var/mqm/log/QM1/\n", ""), usualGoes, ""},
		{"nobody tells it, and above is not answered", u.edit(t, qmstatus, "LOGPATH(/var/mqm/log/QM1/active/)", "").edit(t, qmini, "   LogPath=/var/mqm/log/QM1/\n", "").without(above), usualGoes, "not-checked"},
		{"without active", u.edit(t, qmstatus, "/QM1/active/)", "/QM1)"), usualGoes, ""},
		{"CURRLOG is not in it", u.edit(t, active, file("S0000130.LOG"), ""), "", "directory-not-proven"},
		{"CURRLOG is a link", u.edit(t, active, file("S0000130.LOG"), "S0000130.LOG 16785408 - mqm:mqm lrwxrwxrwx\n"), "", "foreign-files directory-not-proven directory-not-proven"},
		{"a needed one is a link", u.edit(t, active, file("S0000115.LOG"), "S0000115.LOG 16785408 - mqm:mqm lrwxrwxrwx\n"), "", "foreign-files directory-not-proven"},
		{"a needed one is a directory", u.edit(t, active, file("S0000115.LOG"), "S0000115.LOG 16785408 - mqm:mqm drwxrwxrwx\n"), "", "foreign-files directory-not-proven"},
		{"one that nothing needs is a link", u.edit(t, active, file("S0000102.LOG"), "S0000102.LOG 16785408 - mqm:mqm lrwxrwxrwx\n"), "S0000100-S0000101 S0000103", "foreign-files extent-gap"},
		{"RECLOG is not in it", u.edit(t, active, file("S0000112.LOG"), ""), "", ""},
		{"Db2", u.with(active, listed+file("SQLLPATH.TAG")), "", "directory-not-proven foreign-files"},
		{"Db2, an older one", u.with(active, listed+file("SQLOGCTL.LFH.1")), "", "directory-not-proven foreign-files"},
		{"Domino", u.with(active, listed+file("S0000001.TXN")), "", "directory-not-proven foreign-files"},
		{"mqs.ini is not answered, and dspmqinf is", u.without(mqsini).with(dspmqinf, mqsText), usualGoes, ""},
		{"neither is, and the paths agree", u.without(mqsini), usualGoes, ""},
		{"neither is, and the paths differ", u.without(mqsini).edit(t, qmini, "LogPath=/var/mqm/log/QM1/", "LogPath=/var/mqm/log/QM2/"), "", "log-kind-unknown"},
		{"neither is, and one path is not told", u.without(mqsini).edit(t, qmini, "   LogPath=/var/mqm/log/QM1/\n", ""), usualGoes, "not-checked"},
		{"mqs.ini does not know it", u.edit(t, mqsini, "Name=QM1", "Name=QM2"), "", "log-kind-unknown"},
		{"the data lies elsewhere", u.edit(t, mqsini, "   Directory=QM1\n", "   DataPath=/mnt/qm1\n"), "", "log-kind-unknown"},
		{"owned by others", u.edit(t, active, file("S0000115.LOG"), "S0000115.LOG 16785408 - root:root -rw-r-----\n"), "", "foreign-files"},
		{"one that nothing needs is owned by others", u.edit(t, active, file("S0000102.LOG"), "S0000102.LOG 16785408 - root:root -rw-r-----\n"), "S0000100-S0000101", "foreign-files"},
		{"the group does not matter", u.edit(t, active, file("S0000102.LOG"), "S0000102.LOG 16785408 - mqm:staff -rw-rw----\n"), usualGoes, ""},
		{"a needed one is there in lower case too", u.with(active, listed+file("s0000115.log")), usualGoes, "foreign-files"},
		{"a link has its name in lower case", u.with(active, listed+"s0000115.log 16785408 - mqm:mqm lrwxrwxrwx\n"), usualGoes, "foreign-files"},
		{"a needed one is there in lower case only", u.edit(t, active, file("S0000115.LOG"), file("s0000115.log")), "", "foreign-files"},
		{"without owners", u.with(active, strings.ReplaceAll(listed, " 2026-05-27T20:00:00.123456789Z mqm:mqm -rw-rw----", "")), usualGoes, "not-checked"},
		{"the directory is not answered", u.without(active), "", "not-answered"},
		{"torn", u.with(active, listed+"S0000133.LOG\n"), "", "facts-unreadable"},
		{"nothing in it", u.with(active, "R0000001.LOG 16785408\n"), "", "directory-not-proven not-checked"},
	})
}

// On Windows names are not told apart by case, and a needed extent that is a
// folder there is one in any case.
func TestNamesOnWindows(t *testing.T) {
	const folder = `C:\ProgramData\IBM\MQ\log\QM1`
	listed := strings.ReplaceAll(files(100, 132), " mqm:mqm -rw-rw----", "")
	s := linear(listed, "S0000130.LOG", "S0000112.LOG", "S0000104.LOG").edit(t, qmstatus, "/var/mqm/log/QM1/active/", folder+`\active`).
		edit(t, qmini, "/var/mqm/log/QM1/", folder)
	at := func(listing string) script {
		return s.without(active, above).with("LOGDIR QM1: "+folder+`\active`, listing).with("LOGDIR QM1: "+folder, "active 0\namqhlctl.lfh 4096\n")
	}
	if facts := at(strings.ReplaceAll(listed, "S0000102.LOG", "s0000102.log")).read(t); letGo(facts) != usualGoes || openCodes(facts) != "not-checked" {
		t.Errorf("%s goes, open %v", letGo(facts), facts.Inventory.Open)
	}
	folderNamed := strings.ReplaceAll(listed, file("S0000115.LOG")[:len("S0000115.LOG 16785408 2026-05-27T20:00:00.123456789Z")], "s0000115.log 0 - - d---------")
	if facts := at(folderNamed).read(t); letGo(facts) != "" || openCodes(facts) != "foreign-files directory-not-proven not-checked" {
		t.Errorf("%s goes, open %v", letGo(facts), facts.Inventory.Open)
	}
}

// Sizes, gaps, and what is formatted ahead.
func TestExtentsInLine(t *testing.T) {
	u := usual()
	sized := func(name, size string) script {
		return u.edit(t, active, name+" 16785408", name+" "+size)
	}
	lone := linear(file("S0000042.LOG")+files(100, 130), "S0000130.LOG", "S0000112.LOG", "S0000104.LOG")
	runExtentCases(t, []extentCase{
		{"a needed one is empty (IT24871)", sized("S0000115.LOG", "0"), "", ""},
		{"a needed one is short", sized("S0000115.LOG", "4096"), "", ""},
		{"one that nothing needs is short", sized("S0000102.LOG", "4096"), "S0000100-S0000101 S0000103", "foreign-files extent-gap"},
		{"one that nothing needs is empty", sized("S0000100.LOG", "0"), "S0000101-S0000103", "foreign-files"},
		{"many small ones far behind", u.with(active, strings.ReplaceAll(files(9000001, 9000500), " 16785408 ", " 1 ")+files(100, 132)), usualGoes, "foreign-files"},
		{"many of the right size far behind", u.with(active, files(9000001, 9000500)+files(100, 132)), usualGoes, "foreign-files"},
		{"as many missing as may be", u.with(active, files(100, 132)+file("S9900100.LOG")), "S9900100 S0000100-S0000103", "extent-gap"},
		{"one more", u.with(active, files(100, 132)+file("S9900099.LOG")), usualGoes, "foreign-files"},
		{"one that is formatted ahead is short", sized("S0000132.LOG", "4096"), usualGoes, ""},
		{"the one that is written has another size", sized("S0000130.LOG", "67117056"), "", "directory-not-proven"},
		{"it is alone", linear(file("S0000130.LOG"), "S0000130.LOG", "S0000130.LOG", "S0000130.LOG"), "", ""},
		{"it is empty", linear("S0000130.LOG 0\n", "S0000130.LOG", "S0000130.LOG", "S0000130.LOG"), "", "directory-not-proven not-checked"},
		{"a gap that nothing needs", u.edit(t, active, file("S0000102.LOG"), ""), "S0000100-S0000101 S0000103", "extent-gap"},
		{"a lone one far behind", lone, "S0000042 S0000100-S0000103", "extent-gap"},
		{"a gap ahead", u.edit(t, active, file("S0000131.LOG"), ""), "", "chain-order-unknown"},
		{"a lone one millions behind", u.with(active, files(100, 132)+file("S7000100.LOG")), usualGoes, "foreign-files"},
		{"a lone one nearly half way around", u.with(active, files(100, 132)+file("S5500100.LOG")), "", "extent-gap chain-order-unknown"},
		{"a lone one just ahead of half way", u.with(active, files(100, 132)+file("S4900100.LOG")), "", "chain-order-unknown"},
		{"twice", u.with(active, files(100, 132)+file("S0000101.LOG")), "", "facts-unreadable"},
	})
	if n := len(u.with(active, files(100, 132)+file("S7000100.LOG")).read(t).Inventory.Segments); n != 33 {
		t.Errorf("%d segments", n)
	}
}

// Needed extents that are not on the system: those of the store stand for
// themselves, the rest is lost, and millions are few.
func TestMissingNeeded(t *testing.T) {
	fast := recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.DeleteUnsaved}
	u := usual().edit(t, qmstatus, "MEDIALOG(S0000104.LOG)", "MEDIALOG(S0000095.LOG)").with(active, files(110, 130))
	stored := func(numbers ...int) script {
		body := manifestColumns
		for _, n := range numbers {
			body += manifestOf(n)
		}
		return u.with(manifests, body)
	}
	span := func(from, to int) (list []int) {
		for n := from; n <= to; n++ {
			list = append(list, n)
		}
		return list
	}
	for _, c := range []struct {
		name                 string
		log                  script
		goes, archived, lost string
	}{
		{"all are in the store", stored(span(90, 109)...), "S0000110-S0000111", "S0000095-S0000109", ""},
		{"so is one that is on the system", stored(span(90, 110)...), "S0000110-S0000111", "S0000095-S0000109", ""},
		{"one is nowhere", stored(append(span(95, 100), span(102, 109)...)...), "", "S0000095-S0000100 S0000102-S0000109", "S0000101"},
		{"all are nowhere", u, "", "", "S0000095-S0000096"},
		{"the ends are nowhere", stored(97, 98), "", "S0000097-S0000098", "S0000095-S0000096 S0000099-S0000100"},
		{"a copy is damaged", u.with(manifests, strings.Replace(stored(span(95, 109)...).body(t, manifests), "S0000099.LOG,,,99,99,16785408,6f1e,YES", "S0000099.LOG,,,99,99,16785408,6f1e,NO", 1)), "", "S0000095-S0000098 S0000100-S0000109", "S0000099"},
		{"millions are nowhere", linear(files(3900000, 3900010), "S3900010.LOG", "S3900005.LOG", "S0000000.LOG").with(active, file("S0000000.LOG")+files(3900000, 3900010)), "", "", "S0000001-S0000002"},
	} {
		facts := c.log.read(t)
		goes := decided(facts, fast, recovery.Delete, recovery.ArchiveDelete)
		archived, lost := decided(facts, fast, recovery.Archived), decided(facts, fast, recovery.Lost)
		lost = strings.Replace(lost, "S0000095-S0000109", "S0000095-S0000096", 1)
		if goes != c.goes || archived != c.archived {
			t.Errorf("%s: goes %q, archived %q, lost %q; open %v", c.name, goes, archived, lost, facts.Inventory.Open)
		}
		if (lost == "") != (c.lost == "") || len(facts.Inventory.Segments) > 60 {
			t.Errorf("%s: lost %q, %d segments", c.name, lost, len(facts.Inventory.Segments))
		}
	}
}

// Only a verified copy of this very log counts, and of this very file.
func TestCopiesOfExtents(t *testing.T) {
	fast := recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.DeleteUnsaved}
	u := usual().edit(t, active, file("S0000105.LOG"), "S0000105.LOG 16785408 2026-05-27T20:00:00Z mqm:mqm -rw-rw----\n")
	with := func(row string) script { return u.with(manifests, manifestColumns+row) }
	later := "qmid=QM1_2024-01-01_12.00.00; log=/var/mqm/log/QM1"
	for _, c := range []struct {
		name, row, delete, open string
	}{
		{"this log", manifestOf(105), "S0000100-S0000103 S0000105", ""},
		{"a level that told less", manifestWith(105, 16785408, "YES", later), "S0000100-S0000103 S0000105", ""},
		{"another queue manager of the name", manifestWith(105, 16785408, "YES", strings.Replace(thisLog, "QM1_2024", "QM1_2020", 1)), usualGoes, ""},
		{"another log", manifestWith(105, 16785408, "YES", strings.Replace(thisLog, "begun=2024", "begun=2020", 1)), usualGoes, ""},
		{"nothing tells of which log", manifestWith(105, 16785408, "YES", ""), "S0000100-S0000103 S0000105", "not-checked"},
		{"not verified", manifestWith(105, 16785408, "NO", thisLog), usualGoes, "copy-damaged"},
		{"of another size", manifestWith(105, 4096, "YES", thisLog), usualGoes, ""},
		{"the time agrees", strings.Replace(manifestOf(105), ",,,105", ",2026-05-27-20.00.00.000000,2026-05-27-20.00.00.000000,105", 1), "S0000100-S0000103 S0000105", ""},
		{"the time differs", strings.Replace(manifestOf(105), ",,,105", ",2026-05-27-20.00.01.000000,2026-05-27-20.00.01.000000,105", 1), usualGoes, ""},
		{"ahead of the current one: it was put back", manifestOf(131), "", "mark-went-back"},
		{"of the current one", manifestOf(130), "", "mark-went-back"},
		{"of before the numbers began anew", manifestOf(4000000), usualGoes, ""},
		{"of an R extent", strings.Replace(manifestOf(105), "S0000105", "R0000105", 1), "", "facts-unreadable"},
		{"of another queue manager", strings.Replace(manifestOf(105), "vault,QM1", "vault,QM2", 1), usualGoes, ""},
	} {
		facts := with(c.row).read(t)
		if got := decided(facts, fast, recovery.Delete); got != c.delete || openCodes(facts) != c.open {
			t.Errorf("%s: deletes %q, open %v", c.name, got, facts.Inventory.Open)
		}
	}
}

func TestSameLog(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		same, known bool
	}{
		{thisLog, thisLog, true, true},
		{thisLog, "", true, false},
		{"log=/var/mqm/log/QM1", thisLog, true, false},
		{"log=/a", "log=/b", false, true},
		{"qmid=A; log=/a", "qmid=A; log=/a; begun=x", true, true},
		{"qmid=A", "qmid=B; begun=x", false, true},
		{"qmid=A", "begun=x", true, false},
	} {
		if same, known := observe.SameLog(c.a, c.b); same != c.same || known != c.known {
			t.Errorf("%q and %q: %v, %v", c.a, c.b, same, known)
		}
	}
}

// Holds, ages and what earlier runs saw.
func TestOperatorAndHistory(t *testing.T) {
	u := usual()
	history := func(rows string) script { return u.with(seen, "AT,KIND,LIBRARY,SEGMENT,POSITION\n"+rows) }
	held := func(segment string) script {
		return u.with(holds, "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-27T08:00:00Z,,,"+segment+",case 4711\n")
	}
	runExtentCases(t, []extentCase{
		{"all is held", held(""), "", ""},
		{"one is held", held("S0000102.LOG"), "S0000100-S0000101", ""},
		{"one that is not there is held", held("S0000090.LOG"), "", "on-hold"},
		{"the points moved on since", history("2026-05-27T02:00:00Z,restart,,S0000110.LOG,\n2026-05-27T02:00:00Z,media,,S0000104.LOG,\n"), usualGoes, ""},
		{"the restart point went back", history("2026-05-27T02:00:00Z,restart,,S0000113.LOG,\n"), "", "mark-went-back"},
		{"the media point went back", history("2026-05-27T02:00:00Z,media,,S0000105.LOG,\n"), "", "mark-went-back"},
		{"that was another log", history("2023-05-27T02:00:00Z,media,,S0000105.LOG,\n"), usualGoes, ""},
		{"before the numbers began anew", history("2026-05-27T02:00:00Z,media,,S9999999.LOG,\n"), usualGoes, ""},
	})
	aged := conservative
	aged.MinAge = 24 * 3600 * 1e9
	facts := history("2026-05-26T00:00:00Z,unneeded,,S0000100.LOG,\n2026-05-28T00:00:00Z,unneeded,,S0000100.LOG,\n2026-05-27T23:00:00Z,unneeded,,S0000101.LOG,\n").
		edit(t, active, "S0000100.LOG 16785408 2026-05-27", "S0000100.LOG 16785408 2026-05-20").read(t)
	if got := decided(facts, aged, recovery.Delete); got != "S0000100" {
		t.Errorf("%s is old enough", got)
	}
	facts = history("2026-05-26T00:00:00Z,unneeded,,S0000100.LOG,\n").read(t)
	if got := decided(facts, aged, recovery.Delete); got != "" {
		t.Errorf("%s is old enough, and was written since", got)
	}
}

func TestReadPathSpace(t *testing.T) {
	target := observe.Target{Name: "QM1", Platform: observe.Multiplatforms}
	space, err := observe.ReadPathSpace(t.Context(), usual().with("SPACE QM1: /log", "size 100\nfree 7\n").player(t), target, "/log")
	if err != nil || space.Size != 100 || space.Free != 7 {
		t.Errorf("%+v, %v", space, err)
	}
	if _, err := observe.ReadPathSpace(t.Context(), usual().player(t), target, "/log"); !errors.As(err, new(*observe.NotAnswered)) {
		t.Errorf("%v", err)
	}
	if _, err := observe.ReadPathSpace(t.Context(), usual().with("SPACE QM1: /log", "full\n").player(t), target, "/log"); err == nil {
		t.Error("no error")
	}
}

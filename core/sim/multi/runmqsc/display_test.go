package runmqsc

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// DISPLAY QMSTATUS ALL of 9.4, in its order and its two columns. The order is
// that of a queue manager of 9.4.2.
func TestStatusAll(t *testing.T) {
	got := run(t, newFake("9.4.2.0"), "DISPLAY QMSTATUS ALL").body()
	want := `AMQ8705I: Display Queue Manager Status Details.
   QMNAME(QM1)                             TYPE(QMGR)
   STATUS(RUNNING)                         ARCHLOG( )
   ARCHSZ( )                               AUTOCLUS(NONE)
   CHINIT(RUNNING)                         CHKPTCNT(0)
   CHKPTOPS(0)                             CHKPTSZ(0)
   CMDSERV(RUNNING)                        CONNS(6)
   CURRLOG(S0000130.LOG)                   DATFSSZ(SHARED)
   DATFSUSE(SHARED)                        DATPATH(/var/mqm/qmgrs/QM1)
   DISKLSN(<0:0:8:65136>)                  GRPLSN( )
   GRPNAME( )                              GRPROLE(NOTCONFIG)
   HOSTNAME(h1)                            INSTANCE( )
   INSTDESC( )                             INSTNAME(Installation1)
   INSTPATH(/opt/mqm)                      LDAPCONN(INACTIVE)
   LOGEXTSZ(16392)                         LOGFSSZ(SHARED)
   LOGFSUSE(SHARED)                        LOGINUSE(31)
   LOGPATH(/var/mqm/log/QM1/active/)       LOGPRIM(3)
   LOGSEC(2)                               LOGSTRDA(2026-05-19)
   LOGSTRL(<0:0:0:4820>)                   LOGSTRTI(11:32:56)
   LOGTYPE(LINEAR)                         LOGUTIL(40)
   MEDIALOG(S0000104.LOG)                  MEDIASZ(416)
   QMFSSZ(0)                               QMFSUSE(0)
   QUORUM( )                               RECLOG(S0000112.LOG)
   RECSZ(288)                              REUSESZ(0)
   STANDBY(NOPERMIT)                       STARTDA(2026-05-20)
   STARTTI(08.00.00)                       UNICLUS( )`
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// The keywords by release (reference, Multiplatforms 3.1 items 45 to 48).
func TestStatusByRelease(t *testing.T) {
	since := map[string][]string{
		"7.5":   {"CURRLOG", "RECLOG", "MEDIALOG", "LOGPATH", "STARTDA", "STARTTI", "CONNS", "CMDSERV", "CHINIT", "INSTNAME", "INSTPATH", "INSTDESC", "STANDBY"},
		"8.0":   {"LDAPCONN"},
		"9.0.2": {"ARCHLOG", "ARCHSZ", "LOGINUSE", "LOGUTIL", "MEDIASZ", "RECSZ", "REUSESZ"},
		"9.3.2": {"LOGTYPE", "LOGEXTSZ", "LOGPRIM", "LOGSEC", "LOGFSSZ", "LOGFSUSE", "LOGSTRDA", "LOGSTRTI", "LOGSTRL", "DISKLSN", "CHKPTCNT", "CHKPTOPS", "CHKPTSZ"},
	}
	levels := []string{"7.5", "8.0", "9.0.2", "9.1", "9.3.2", "9.4"}
	for i, release := range levels {
		f := newFake(release)
		for from, keywords := range since {
			for _, keyword := range keywords {
				got := run(t, f, "DISPLAY QMSTATUS "+keyword)
				has := slices.Index(levels, from) <= i
				if has != (len(got.answer.Objects) == 1 && got.get(0, keyword) != "not shown") || has == got.answer.SyntaxError() {
					t.Errorf("%s: %s\n%s", release, keyword, got.text)
				}
			}
		}
	}
}

func TestStatusLog(t *testing.T) {
	got := run(t, newFake("9.1"), "DISPLAY QMSTATUS LOG")
	var shown []string
	for _, a := range got.answer.Objects[0].Attributes {
		shown = append(shown, a.Name)
	}
	want := strings.Fields("QMNAME STATUS ARCHLOG ARCHSZ CURRLOG LOGINUSE LOGPATH LOGUTIL MEDIALOG MEDIASZ RECLOG RECSZ REUSESZ")
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
}

// What there is none of is blank, and not left out (reference, Multiplatforms
// 3.1 item 50).
func TestStatusBlanks(t *testing.T) {
	f := newFake("9.4")
	f.status.CurrLog, f.status.RecLog, f.status.MediaLog = "", "", ""
	f.status.Log.Kind, f.status.Log.Management = extents.Circular, ""
	got := run(t, f, "DISPLAY QMSTATUS ALL")
	for _, name := range []string{"CURRLOG", "RECLOG", "MEDIALOG", "ARCHLOG", "ARCHSZ", "MEDIASZ", "RECSZ"} {
		if value := got.get(0, name); value != "" || !strings.Contains(got.text, name+"( )") {
			t.Errorf("%s(%s)", name, value)
		}
	}
	if got.get(0, "LOGTYPE") != "CIRCULAR" {
		t.Error(got.text)
	}
	f = newFake("9.4")
	f.status.Log.Management, f.status.Log.Archived, f.status.Log.ArchiveSize = extents.Archive, "S0000100.LOG", 64
	f.status.Log.SystemSize, f.status.Log.SystemUsed = 1000<<20, 250<<20
	got = run(t, f, "DISPLAY QMSTATUS ARCHLOG ARCHSZ LOGFSSZ LOGFSUSE")
	if got.get(0, "ARCHLOG") != "S0000100.LOG" || got.get(0, "ARCHSZ") != "64" || got.get(0, "LOGFSSZ") != "1000" || got.get(0, "LOGFSUSE") != "25" {
		t.Error(got.text)
	}
}

// Who holds the restart point (reference, Multiplatforms 3.1 item 52).
func TestConnections(t *testing.T) {
	f := newFake("9.4")
	f.connections = []qmgr.Connection{{
		ID: "6147BA6800DD0740", Application: "pay (batch) run", User: "app", PID: 3079, TID: 15, Unit: 7, UnitState: "ACTIVE", URType: "QMGR",
		QMURID: "0.7", Since: now.Add(-time.Hour), UOWLog: "S0000112.LOG", UOWLogTime: now.Add(-time.Minute),
	}, {ID: "6147BA6800DD0741", Application: "xa", UnitState: "PREPARED", URType: "XA", QMURID: "0.8", XID: []byte{0xAB, 1}}}
	got := run(t, f, "DISPLAY CONN(*) TYPE(CONN) UOWLOG UOWLOGDA UOWLOGTI UOWSTATE APPLTAG PID")
	if len(got.answer.Objects) != 2+len(ownConnections) || got.code != AllDone {
		t.Fatal(got.text)
	}
	unit := got.answer.Objects[len(ownConnections)]
	for name, want := range map[string]string{
		"CONN": "6147BA6800DD0740", "EXTCONN": "414D5143514D31202020202020202020", "TYPE": "CONN", "UOWLOG": "S0000112.LOG", "UOWLOGDA": "2026-05-28",
		"UOWLOGTI": "01.59.03", "UOWSTATE": "ACTIVE", "APPLTAG": "pay (batch) run", "PID": "3079",
	} {
		if value, shown := unit.Get(name); !shown || value != want {
			t.Errorf("%s(%s), not %s", name, value, want)
		}
	}
	if _, shown := unit.Get("QMURID"); shown {
		t.Error("more than was asked for")
	}
	if own := got.answer.Objects[0]; got.get(0, "UOWLOG") != "" || got.get(0, "UOWSTATE") != "NONE" {
		t.Error(own)
	}
	if got := run(t, f, "DISPLAY CONN(*) WHERE(UOWSTATE NE NONE)"); len(got.answer.Objects) != 2 {
		t.Error(got.text)
	}
	if got := run(t, f, "DISPLAY CONN(6147BA6800DD0741) ALL"); got.get(0, "EXTURID") != "XA_FORMATID[00000001] XA_GTRID[AB01] XA_BQUAL[]" || got.get(0, "URTYPE") != "XA" {
		t.Error(got.text)
	}
	if got := run(t, f, "DISPLAY CONN(0000)"); got.ids() != "AMQ8461I" || got.code != SomeFailed {
		t.Error(got.text)
	}
}

func TestQueueStatus(t *testing.T) {
	f := newFake("8.0")
	*f.define(engine.Queue, "A1", nil) = engine.Object{Ref: engine.Ref{Kind: engine.Queue, Name: "A1"}, Depth: 12, Uncommitted: 1}
	f.define(engine.Queue, "A2", nil)
	f.define(engine.Queue, "A3", nil).Damaged = true
	got := run(t, f, "DISPLAY QSTATUS(A*) TYPE(QUEUE) MEDIALOG UNCOM")
	if len(got.answer.Objects) != 2 || got.get(0, "CURDEPTH") != "12" || got.get(0, "UNCOM") != "YES" || got.get(1, "UNCOM") != "NO" || got.get(0, "MEDIALOG") != "S0000104.LOG" {
		t.Error(got.text)
	}
	got = run(t, f, "DIS QSTATUS(A2)")
	want := `AMQ8450: Display queue status details.
   QUEUE(A2)                               TYPE(QUEUE)
   CURDEPTH(0)                             IPPROCS(0)
   LGETDATE( )                             LGETTIME( )
   LPUTDATE( )                             LPUTTIME( )
   MEDIALOG(S0000104.LOG)                  MONQ(OFF)
   MSGAGE( )                               OPPROCS(0)
   QTIME( , )                              UNCOM(NO)`
	if diff := cmp.Diff(want, got.body()); diff != "" {
		t.Error(diff)
	}
	if got := run(t, f, "DIS QS(A3)"); got.ids() != "AMQ8149" || got.answer.Messages[0].Lines[0] != "   [2016, A3]" {
		t.Errorf("%q", got.answer.Messages)
	}
	if got := run(t, f, "DIS QS(NONE)"); !got.answer.NotFound() || got.code != SomeFailed {
		t.Error(got.text)
	}
}

// A damaged object is found by the DISPLAY that reads it, and does not hide the
// others (AMQ8149 as queue managers of 7.0 and 9.x print it).
func TestDamaged(t *testing.T) {
	f := newFake("9.4")
	f.define(engine.Queue, "X0", nil)
	f.define(engine.Queue, "X1", nil)
	f.found[engine.Ref{Kind: engine.Queue, Name: "X0"}] = true
	got := run(t, f, "DISPLAY QUEUE(X*)")
	if len(got.answer.Objects) != 1 || got.get(0, "QUEUE") != "X1" || got.code != SomeFailed {
		t.Fatal(got.text)
	}
	damaged, found := got.answer.Message("AMQ8149")
	if !found || damaged.ID != "AMQ8149S" || damaged.Text != "IBM MQ object damaged." || damaged.Lines[0] != "   [2016, X0]" {
		t.Errorf("%+v", damaged)
	}
	for _, command := range []string{"DISPLAY QL(X0)", "ALTER QLOCAL(X0) PUT(DISABLED)", "DEFINE QLOCAL(X0) REPLACE", "CLEAR QLOCAL(X0)", "DEFINE QLOCAL(X2) LIKE(X0)"} {
		if got := run(t, f, command); got.ids() != "AMQ8149S" || got.code != SomeFailed {
			t.Errorf("%s\n%s", command, got.text)
		}
	}
	if got := run(t, f, "DELETE QLOCAL(X0)"); got.ids() != "AMQ8007I" { // the one thing that it may be (SEED 7.2.2.4)
		t.Error(got.text)
	}
	f.manager = nil
	if got := run(t, f, "DISPLAY QMGR"); got.ids() != "AMQ8149S" || !strings.Contains(got.text, "[2015, QM1]") {
		t.Error(got.text)
	}
}

// DISPLAY QMGR ALL in the order of 9.4.2.
func TestManagerAll(t *testing.T) {
	f := newFake("9.4.2.0")
	got := run(t, f, "DISPLAY QMGR ALL")
	var shown []string
	for _, a := range got.answer.Objects[0].Attributes {
		shown = append(shown, a.Name)
	}
	want := strings.Fields(`QMNAME ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ACTVCONO ACTVTRC ADVCAP ALTDATE ALTTIME AMQPCAP AUTHOREV CCSID CERTLABL
		CERTVPOL CHAD CHADEV CHADEXIT CHLEV CHLAUTH CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ CMDEV CMDLEVEL COMMANDQ CONFIGEV CONNAUTH CRDATE
		CRTIME CUSTOM DEADQ DEFCLXQ DEFXMITQ DESCR DISTL IMGINTVL IMGLOGLN IMGRCOVO IMGRCOVQ IMGSCHED INHIBTEV INITKEY IPADDRV LOCALEV LOGGEREV
		MARKINT MAXHANDS MAXMSGL MAXPROPL MAXPRTY MAXUMSGS MONACLS MONCHL MONQ PARENT PERFMEV PLATFORM PSMODE PSCLUS PSNPMSG PSNPRES PSRTYCNT
		PSSYNCPT QMID REMOTEEV REPOS REPOSNL REVDNS ROUTEREC SCHINIT SCMDSERV SPLCAP SSLCRLNL SSLCRYP SSLEV SSLFIPS KEYRPWD SSLKEYR SSLRKEYC
		STATACLS STATCHL STATINT STATMQI STATQ STRSTPEV SUITEB SYNCPT TREELIFE TRIGINT VERSION XRCAP`)
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	for name, value := range map[string]string{
		"QMNAME": "QM1", "CMDLEVEL": "942", "VERSION": "09040200", "PLATFORM": "UNIX", "QMID": "QM1_2026-05-01_08.00.00", "IMGSCHED": "MANUAL", "IMGINTVL": "60",
		"IMGLOGLN": "OFF", "IMGRCOVO": "YES", "IMGRCOVQ": "YES", "CERTLABL": "ibmwebspheremqqm1", "SSLKEYR": "/var/mqm/qmgrs/QM1/ssl/key", "DEADQ": "",
		"CRDATE": "2026-05-01", "ALTDATE": "2026-05-01",
	} {
		if got.get(0, name) != value {
			t.Errorf("%s(%s), not %s", name, got.get(0, name), value)
		}
	}
	if got := run(t, newFake("8.0"), "DISPLAY QMGR IMGSCHED"); !got.answer.SyntaxError() {
		t.Error(got.text)
	}
}

// Generic names, TYPE and WHERE.
func TestObjects(t *testing.T) {
	f := newFake("9.4")
	*f.define(engine.Queue, "A.1", nil) = engine.Object{Ref: engine.Ref{Kind: engine.Queue, Name: "A.1"}, Depth: 12, Attributes: map[string]string{"DESCR": "orders (of the day)"}}
	f.define(engine.Queue, "A.2", map[string]string{"TRIGGER": "TRIGGER"})
	f.define(objects.AliasQueue, "A.3", map[string]string{"TARGET": "A.1"})
	f.define(objects.RemoteQueue, "A.4", map[string]string{"RNAME": "X", "RQMNAME": "QM2"})
	f.define(objects.ModelQueue, "A.5", nil)
	f.define(objects.Namelist, "NL", map[string]string{"NAMES": "A.1,B"})
	f.define(objects.Channel, "C.1", map[string]string{"CHLTYPE": "SDR", "CONNAME": "10.0.0.42(1414)"})
	f.define(objects.ClientChannel, "C.2", map[string]string{"QMNAME": "QM1"})
	for _, test := range []struct {
		command string
		names   string // of what is shown
	}{
		{"DISPLAY QUEUE(A*)", "A.1 A.2 A.3 A.4 A.5"}, {"DIS Q(A.*) TYPE(QALIAS)", "A.3"}, {"DIS QL(A*)", "A.1 A.2"}, {"DIS QR(*)", "A.4 SYSTEM.DEFAULT.REMOTE.QUEUE"},
		{"DIS QM(A*)", "A.5"}, {"DIS QL(A*) WHERE(CURDEPTH GT 9)", "A.1"}, {"DIS QL(A*) WHERE(CURDEPTH LE 9)", "A.2"}, {"DIS Q(A*) WHERE(PUT EQ ENABLED)", "A.1 A.2 A.3 A.4 A.5"},
		{"DIS Q(A*) WHERE(TARGET LK 'A*')", "A.3"}, {"DIS QL(A*) WHERE(DESCR LK 'orders*')", "A.1"}, {"DIS QL(A*) WHERE(DESCR NL 'orders*')", "A.2"},
		{"DIS QL(A*) WHERE(TRIGGER EQ TRIGGER)", "A.2"}, {"DIS NAMELIST(*) WHERE(NAMES CT B)", "NL"}, {"DIS CHANNEL(C*)", "C.1 C.2"},
		{"DIS CHL(C*) CHLTYPE(SDR)", "C.1"}, {"DIS CHANNEL(C*) TYPE(CLNTCONN)", "C.2"}, {"DIS AUTHINFO(*) AUTHTYPE(OCSP)", "SYSTEM.DEFAULT.AUTHINFO.OCSP"},
		{"DIS PROCESS(*)", "SYSTEM.DEFAULT.PROCESS"}, {"DIS LISTENER(*)", "SYSTEM.DEFAULT.LISTENER.TCP"}, {"DIS SERVICE(SYSTEM.B*)", "SYSTEM.BROKER"},
		{"DIS SUB(*)", "SYSTEM.DEFAULT.SUB"}, {"DIS TOPIC(SYSTEM.BASE*)", "SYSTEM.BASE.TOPIC"}, {"DIS COMMINFO(*)", "SYSTEM.DEFAULT.COMMINFO.MULTICAST"},
		{"DIS QL(B*)", ""}, {"DIS QLOCAL(A.3)", ""}, {"DIS QL('a.1')", ""},
	} {
		got := run(t, f, test.command)
		var names []string
		for _, o := range got.answer.Objects {
			names = append(names, o.Attributes[0].Value)
		}
		if strings.Join(names, " ") != test.names || (test.names == "") != got.answer.NotFound() || (got.code == AllDone) == (test.names == "") {
			t.Errorf("%s: %v\n%s", test.command, names, got.text)
		}
	}
	if got := run(t, f, "DIS CHANNEL(C.1) ALL"); got.get(0, "CONNAME") != "10.0.0.42(1414)" || got.get(0, "CHLTYPE") != "SDR" || got.get(0, "SHARECNV") != "not shown" {
		t.Error(got.text)
	}
	if got := run(t, f, "DIS NAMELIST(NL)"); !slices.Equal(got.answer.Objects[0].List("NAMES"), []string{"A.1", "B"}) || got.get(0, "NAMCOUNT") != "2" {
		t.Error(got.text)
	}
	if got := run(t, f, "DIS QL(A.2)"); !strings.Contains(got.text, " TRIGGER") || strings.Contains(got.text, "NOTRIGGER") || !strings.Contains(got.text, "HARDENBO") {
		t.Error(got.text)
	}
	if got := run(t, f, "DIS QL(SYSTEM.DEAD*) CRDATE ALTTIME"); got.get(0, "CRDATE") != "2026-05-01" || got.get(0, "ALTTIME") != "08.00.00" {
		t.Error(got.text)
	}
}

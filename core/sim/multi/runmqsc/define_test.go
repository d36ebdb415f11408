package runmqsc

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// Commands one after the other on one queue manager, with their answers.
func TestDefine(t *testing.T) {
	f := newFake("9.4")
	for _, step := range []struct {
		command, ids string
	}{
		{"DEFINE QLOCAL(A) DESCR('x') MAXDEPTH(10) NOSHARE", "AMQ8006I"},
		{"DEFINE QLOCAL(A)", "AMQ8150E"},
		{"DEFINE QLOCAL(A) NOREPLACE", "AMQ8150E"},
		{"DEFINE QALIAS(A) TARGET(B)", "AMQ8150E"},
		{"DEFINE QALIAS(A) TARGET(B) REPLACE", "AMQ8150E"},
		{"DEF QL(B) LIKE(A) MAXDEPTH(20)", "AMQ8006I"},
		{"DEFINE QLOCAL(C) LIKE(NONE)", "AMQ8147E"},
		{"ALTER QLOCAL(A) PUT(DISABLED) TRIGGER", "AMQ8008I"},
		{"ALTER QLOCAL(NONE) PUT(DISABLED)", "AMQ8147E"},
		{"DEFINE PROCESS(P) APPLICID('/bin/true')", "AMQ8010I"},
		{"ALTER PROCESS(P) USERDATA(x)", "AMQ8012I"},
		{"DELETE PROCESS(P)", "AMQ8011I"},
		{"DELETE PROCESS(P)", "AMQ8147E"},
		{"DEFINE NAMELIST(N) NAMES(A,B)", "AMQ8552I"},
		{"DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('host(1414),other(1415)') XMITQ(QM2)", "AMQ8014I"},
		{"ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) DISCINT(0)", "AMQ8016I"},
		{"ALTER CHANNEL(TO.QM2) CHLTYPE(SVR) DISCINT(0)", "AMQ8151E"},
		{"DEFINE CHANNEL(TO.QM2) CHLTYPE(SVRCONN) REPLACE", "AMQ8151E"},
		{"DEFINE CHANNEL(TO.QM2) CHLTYPE(CLNTCONN)", "AMQ8014I"},
		{"DELETE CHANNEL(TO.QM2) CHLTABLE(CLNTTAB)", "AMQ8015I"},
		{"DELETE CHANNEL(TO.QM2)", "AMQ8015I"},
		{"DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)", "AMQ8626I"},
		{"DEFINE SERVICE(S) STARTCMD('/bin/true')", "AMQ8625I"},
		{"DEFINE TOPIC(T) TOPICSTR('orders/new')", "AMQ8690I"},
		{"DEFINE SUB(U) TOPICSTR('orders/#') DEST(A)", "AMQ8094I"},
		{"DEFINE AUTHINFO(O) AUTHTYPE(OCSP) OCSPURL('http://x')", "AMQ8563I"},
		{"SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP(x) AUTHADD(GET)", "AMQ8404E"},
		{"REFRESH SECURITY TYPE(CONNAUTH)", "AMQ8560I"},
		{"PING QMGR", "AMQ8415I"},
	} {
		if got := run(t, f, step.command); got.ids() != step.ids {
			t.Errorf("%s: %s\n%s", step.command, got.ids(), got.text)
		}
	}
	got := run(t, f, "DISPLAY QLOCAL(B)")
	for name, want := range map[string]string{"DESCR": "x", "MAXDEPTH": "20", "PUT": "ENABLED", "CRDATE": "2026-05-28", "CRTIME": "02.00.03"} {
		if got.get(0, name) != want {
			t.Errorf("%s(%s), not %s", name, got.get(0, name), want)
		}
	}
	if !strings.Contains(got.text, "NOSHARE") {
		t.Error("LIKE left NOSHARE out")
	}
	if o, _ := f.Object(engine.Ref{Kind: engine.Queue, Name: "B"}); len(o.Attributes) != 7 {
		t.Errorf("more is kept than differs: %v", o.Attributes) // DESCR, MAXDEPTH, SHARE, and four times
	}
}

// A new object is as the default object of its kind is, and REPLACE makes one
// anew: what is not given is as in the default object.
func TestDefaults(t *testing.T) {
	f := newFake("9.4")
	run(t, f, "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) DEFPSIST(YES)", "DEFINE QLOCAL(A) MAXDEPTH(3)")
	if got := run(t, f, "DISPLAY QLOCAL(A)"); got.get(0, "DEFPSIST") != "YES" || got.get(0, "MAXDEPTH") != "3" {
		t.Error(got.text)
	}
	run(t, f, "DEFINE QLOCAL(A) DESCR('again') REPLACE")
	if got := run(t, f, "DISPLAY QLOCAL(A)"); got.get(0, "MAXDEPTH") != "5000" || got.get(0, "DESCR") != "again" || got.get(0, "DEFPSIST") != "YES" {
		t.Error(got.text)
	}
	run(t, f, "DELETE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)")
	if got := run(t, f, "DEFINE QLOCAL(B)", "DISPLAY QLOCAL(B) DEFPSIST"); got.get(0, "DEFPSIST") != "NO" || got.code != AllDone {
		t.Error(got.text)
	}
}

func TestDeleteAndClear(t *testing.T) {
	f := newFake("9.4")
	queue := func(name string, depth, uncommitted int) {
		f.objects = append(f.objects, engine.Object{Ref: engine.Ref{Kind: engine.Queue, Name: name}, Depth: depth, Uncommitted: uncommitted})
	}
	queue("FULL", 3, 0)
	queue("BUSY", 3, 1)
	queue("DEEP", 3, 0)
	for _, step := range []struct{ command, ids string }{
		{"DELETE QLOCAL(FULL)", "AMQ8143E"}, {"DELETE QLOCAL(FULL) NOPURGE", "AMQ8143E"}, {"DELETE QLOCAL(BUSY) PURGE", "AMQ8148E"},
		{"CLEAR QLOCAL(BUSY)", "AMQ8148E"}, {"CLEAR QLOCAL(NONE)", "AMQ8147E"}, {"CLEAR QLOCAL(FULL)", "AMQ8022I"}, {"DELETE QLOCAL(FULL)", "AMQ8007I"},
		{"DELETE QL(DEEP) PURGE", "AMQ8007I"}, {"DELETE QLOCAL(DEEP)", "AMQ8147E"},
	} {
		got := run(t, f, step.command)
		if good := strings.HasSuffix(step.ids, "I"); got.ids() != step.ids || good != (got.code == AllDone) {
			t.Errorf("%s: %s, exit code %d", step.command, got.ids(), got.code)
		}
	}
}

// ALTER QMGR: images, dead-letter queue, logger events, which a circular log
// has none of (reference, Multiplatforms 1.3 and 3.3 item 60).
func TestAlterManager(t *testing.T) {
	f := newFake("9.4")
	got := run(t, f, "ALTER QMGR IMGSCHED(AUTO) IMGINTVL(OFF) IMGLOGLN(100) IMGRCOVO(NO) IMGRCOVQ(NO) DEADQ(SYSTEM.DEAD.LETTER.QUEUE) LOGGEREV(ENABLED) FORCE", "DISPLAY QMGR")
	for name, want := range map[string]string{
		"IMGSCHED": "AUTO", "IMGINTVL": "OFF", "IMGLOGLN": "100", "IMGRCOVO": "NO", "IMGRCOVQ": "NO", "DEADQ": "SYSTEM.DEAD.LETTER.QUEUE", "LOGGEREV": "ENABLED",
		"QMID": "QM1_2026-05-01_08.00.00", "ALTDATE": "2026-05-28", "CRDATE": "2026-05-01",
	} {
		if got.get(0, name) != want {
			t.Errorf("%s(%s), not %s", name, got.get(0, name), want)
		}
	}
	f.status.Log.Kind = extents.Circular
	if got := run(t, f, "ALTER QMGR LOGGEREV(ENABLED) DESCR('x')"); got.ids() != "AMQ8518E" || f.manager["DESCR"] != "" {
		t.Error(got.text)
	}
	if got := run(t, f, "ALTER QMGR LOGGEREV(DISABLED)"); got.ids() != "AMQ8005I" {
		t.Error(got.text)
	}
}

// SET LOG and RESET QMGR: what they ask for, and the reasons of a refusal
// (reference, Multiplatforms 3.2).
func TestLogCommands(t *testing.T) {
	f := newFake("9.4")
	for command, did := range map[string]string{
		"SET LOG ARCHIVED(S0000100.LOG)":                  "archived S0000100.LOG",
		"RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000100.LOG)": "up to S0000100.LOG",
		"RESET QMGR TYPE(ADVANCELOG)":                     "advance",
		"RESET QMGR TYPE(REDUCELOG)":                      "reduce -1",
		"RESET QMGR TYPE(REDUCELOG) REDUCE(AUTO)":         "reduce -1",
		"RESET QMGR TYPE(REDUCELOG) REDUCE(ONE)":          "reduce 1",
		"RESET QMGR TYPE(REDUCELOG) REDUCE(MAX)":          "reduce -2",
		"RESET QMGR TYPE(REDUCELOG) REDUCE(7)":            "reduce 7",
	} {
		f.did = nil
		if got := run(t, f, command); got.code != AllDone || !slices.Equal(f.did, []string{did}) || len(got.answer.Messages) != 1 {
			t.Errorf("%s: %q\n%s", command, f.did, got.text)
		}
	}
	for err, id := range map[error]string{
		qmgr.ErrLogType: "AMQ3175E", extents.ErrCurrent: "AMQ3378E", extents.ErrNotFound: "AMQ3379E", extents.ErrNotReduced: "AMQ3380E", extents.ErrReuse: "AMQ3381E",
		errors.New("no such thing"): "AMQ8404E", &qmgr.Error{Reason: qmgr.ResourceProblem, Err: extents.ErrFull}: "AMQ8101S",
	} {
		f.err = err
		if got := run(t, f, "SET LOG ARCHIVED(S0000100.LOG)"); got.ids() != id || got.code != SomeFailed {
			t.Errorf("%v: %s", err, got.text)
		}
	}
	f.err = &qmgr.Error{Reason: qmgr.ResourceProblem, Err: extents.ErrFull}
	if got := run(t, f, "RESET QMGR TYPE(ADVANCELOG)"); !strings.Contains(got.text, "IBM MQ error (836) has occurred.") { // 2102
		t.Error(got.text)
	}
	// What can't be done is not said to be: nothing counts what an interval of
	// statistics would end with.
	f.err = nil
	for _, command := range []string{
		"RESET QMGR TYPE(STATISTICS)", "RESET QMGR TYPE(PUBSUB) CHILD(QM2)", "RESET QMGR TYPE(PUBSUB) PARENT(QM2)", "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE)",
	} {
		f.did = nil
		if got := run(t, f, command); got.ids() != "AMQ8404E" || got.code != SomeFailed || !strings.Contains(got.text, "The simulated queue manager ") || len(f.did) > 0 {
			t.Errorf("%s: %q\n%s", command, f.did, got.text)
		}
	}
	for _, command := range []string{"RESET QMGR TYPE(STATISTICS) CHILD(A)", "RESET QMGR TYPE(PUBSUB) ARCHIVED(A)", "RESET QMGR TYPE(NONSENSE)"} {
		if got := run(t, f, command); !got.answer.SyntaxError() {
			t.Errorf("%s:\n%s", command, got.text)
		}
	}
	old := newFake("9.0.0")
	for _, command := range []string{"SET LOG ARCHIVED(S0000100.LOG)", "RESET QMGR TYPE(ARCHLOG) ARCHIVED(S0000100.LOG)", "RESET QMGR TYPE(REDUCELOG)"} {
		if got := run(t, old, command); !got.answer.SyntaxError() || len(old.did) > 0 {
			t.Errorf("9.0.0 takes %s", command)
		}
	}
}

// What dmpmqcfg wrote can be loaded, but for authorities, and is shown as it
// was dumped.
func TestDump(t *testing.T) {
	body, err := os.ReadFile("../../../mqsc/testdata/dmpmqcfg.mqsc")
	if err != nil {
		t.Fatal(err)
	}
	f := newFake("9.4.2")
	got := run(t, f, string(body))
	var refused []string
	for _, m := range got.answer.Messages {
		if !strings.HasSuffix(m.ID, "I") || m.Is("AMQ8405") {
			refused = append(refused, m.ID)
		}
	}
	if !slices.Equal(refused, []string{"AMQ8404E", "AMQ8404E"}) { // SET CHLAUTH, SET AUTHREC
		t.Errorf("%v\n%s", refused, got.text)
	}
	for _, test := range []struct{ command, name, want string }{
		{"DIS QMGR", "DESCR", "Orders (EU) - don't purge; ask first"}, {"DIS QMGR", "IMGSCHED", "AUTO"},
		{"DIS QL(ORDERS.IN)", "DESCR", "Auftr+äge; it's +1 (or -1)"}, {"DIS CHANNEL(TO.QM2)", "CONNAME", "10.0.0.42(1414),qm2.example(1414)"},
		{"DIS NAMELIST(SPLIT)", "DESCR", "a long text that goes on in the next line, and in one more"}, {"DIS SUB(ORDERS.AUDIT)", "SELECTOR", "Country = 'DE' AND (Amount > 100)"},
	} {
		if got := run(t, f, test.command); got.get(0, test.name) != test.want {
			t.Errorf("%s: %s(%s)", test.command, test.name, got.get(0, test.name))
		}
	}
}

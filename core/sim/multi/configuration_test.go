package multi

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// What dmpmqcfg prints makes an equal queue manager of another one, and is
// carried out again on the same one without a change.
func TestConfigurationMakesAnEqual(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("crtmqm", "-lf", "64", "QM2")
	m.well("strmqm", "QM2")
	m.mqsc(
		"ALTER QMGR DESCR('it''s ours') DEADQ(DEAD) IMGSCHED(AUTO) IMGINTVL(OFF)", "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(77)",
		"DEFINE QLOCAL(USUAL)", "DEFINE QLOCAL(DEEP) MAXDEPTH(5000) DESCR('a, (b) + -') IMGRCOVQ(NO) NOSHARE",
		"DEFINE QALIAS('lower.case') TARGET(DEEP)", "DEFINE QREMOTE(R) RNAME(X) RQMNAME(QM9) XMITQ(DEEP)", "DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)",
		"DEFINE PROCESS(P) APPLICID('/bin/x y')", "DEFINE NAMELIST(N) NAMES(A,B)", "DEFINE NAMELIST(EMPTY)",
		"DEFINE CHANNEL(C1) CHLTYPE(SDR) CONNAME('h(1414),i(1415)') XMITQ(DEEP)", "DEFINE CHANNEL(C2) CHLTYPE(CLNTCONN) CONNAME('h(1414)')",
		"DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)", "DEFINE SERVICE(S) STARTCMD('/bin/true')", "DEFINE TOPIC(T) TOPICSTR('a/b')",
		"DEFINE AUTHINFO(AI) AUTHTYPE(OCSP) OCSPURL('http://h')",
	)
	for _, flags := range [][]string{nil, {"-a"}, {"-a", "-o", "1line"}} {
		script := m.well(append([]string{"dmpmqcfg", "-m", "QM1"}, flags...)...)
		for statement, err := range mqsc.Script([]byte(script)) {
			if err != nil {
				t.Fatalf("%v: line %d: %v\n%s", flags, statement.Line, err, script)
			}
		}
		before := m.everything("QM1")
		for _, name := range []string{"QM1", "QM2"} {
			if r := m.run(script, "runmqsc", "-e", name); r.Code != 0 {
				t.Fatalf("%v on %s: %d\n%s", flags, name, r.Code, r.Out)
			}
			if got := m.everything(name); !slices.Equal(before, got) {
				t.Errorf("%v: %s differs:\n%s", flags, name, differences(before, got))
			}
		}
	}
	for _, flags := range [][]string{{"-x", "nothing"}, {"-x", "queue"}, {"-t", "nonsense"}, {"-t", "syncfile"}, {"-o", "xml"}, {"-c"}} {
		m.fails(badArguments, "", append([]string{"dmpmqcfg", "-m", "QM1"}, flags...)...)
	}
	if out := m.well("dmpmqcfg", "-m", "QM1", "-x", "authrec", "-a"); strings.Contains(out, "DEFINE") || strings.Contains(out, "ALTER") {
		t.Errorf("there are no authorities:\n%s", out)
	}
	if out := m.well("dmpmqcfg", "-m", "QM1", "-t", "clntconn", "-n", "C*"); !strings.Contains(out, "CLNTCONN") || strings.Contains(out, "SVRCONN") {
		t.Errorf("\n%s", out)
	}
	if out := m.well("dmpmqcfg", "-m", "QM1", "-x", "object", "-t", "queue", "-n", "DE*"); !strings.Contains(out, "QLOCAL('DEEP')") || strings.Contains(out, "USUAL") || strings.Contains(out, "CHANNEL") {
		t.Error(out)
	}
}

// everything gives what is defined on a queue manager, but for its names and
// times.
func (m *machine) everything(name string) []string {
	m.Helper()
	var all []string
	m.on(func(h *Host) {
		for _, o := range h.Manager(name).Objects() {
			text := o.Ref.String()
			if o.Ref.Name == name {
				text = "the queue manager"
			}
			var attributes []string
			for k, v := range o.Attributes {
				switch k {
				case "QMID", "CRDATE", "CRTIME", "ALTDATE", "ALTTIME":
				default:
					attributes = append(attributes, k+"="+v)
				}
			}
			slices.Sort(attributes)
			if o.Ref.Name != "Q" { // QM1 has it already
				all = append(all, text+" "+strings.Join(attributes, " "))
			}
		}
	})
	slices.Sort(all)
	return all
}

func differences(a, b []string) string {
	var out []string
	for _, line := range a {
		if !slices.Contains(b, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "\n")
}

// runmqsc with its flags (reference, Multiplatforms 8 item 122).
func TestRunmqsc(t *testing.T) {
	m := ready(t, extents.Linear)
	script := "DEFINE QLOCAL(NEW)\nDISPLAY QLOCAL(Q) CURDEPTH\nend\n"
	r := m.run(script, "runmqsc", "-v", "QM1")
	if r.Code != 0 {
		t.Errorf("%d\n%s", r.Code, r.Out)
	}
	if r := m.run("DISPLAY QLOCAL(NEW)\n", "runmqsc", "QM1"); !bytes.Contains(r.Out, []byte("AMQ8147")) || r.Code != 10 {
		t.Errorf("-v has made it: %d\n%s", r.Code, r.Out)
	}
	r = m.run(script, "runmqsc", "-e", "QM1")
	if r.Code != 0 || bytes.Contains(r.Out, []byte("1 : ")) || !bytes.Contains(r.Out, []byte("CURDEPTH(1)")) {
		t.Errorf("-e: %d\n%s", r.Code, r.Out)
	}
	m.must(os.WriteFile(filepath.Join(m.root, "script.mqsc"), []byte("DEFINE QLOCAL(FROMFILE)\n"), 0o600))
	m.well("runmqsc", "-f", m.root+"/script.mqsc", "QM1")
	m.mqsc("DISPLAY QLOCAL(FROMFILE)")
	for _, flags := range [][]string{{"-n"}, {"-c"}, {"-w", "5"}, {"-u", "me"}, {"-m", "OTHER"}, {"-f", "/etc/passwd"}} {
		if r := m.run("", append(append([]string{"runmqsc"}, flags...), "QM1")...); r.Code != 20 || len(r.Err) == 0 {
			t.Errorf("%v: %d %s", flags, r.Code, r.Err)
		}
	}
	m.well("endmqm", "-i", "QM1")
	if r := m.run(script, "runmqsc", "QM1"); r.Code != 20 || !bytes.Contains(r.Out, []byte("AMQ8146E")) {
		t.Errorf("%d\n%s", r.Code, r.Out)
	}
	if r := m.run(script, "runmqsc", "NONE"); r.Code != 20 || !bytes.Contains(r.Out, []byte("AMQ8118E")) {
		t.Errorf("%d\n%s", r.Code, r.Out)
	}
}

// The words of older releases: the product's name, ids without the letter of
// their severity, and no management of the log.
func TestOlderRelease(t *testing.T) {
	m := newMachine(t, Settings{Release: "7.5.0.9"})
	m.fails(badParameter, "-lla is no flag", "crtmqm", "-lla", "QM1")
	if out := m.well("crtmqm", "-ll", "-lf", "64", "QM1"); !strings.Contains(out, "WebSphere MQ queue manager 'QM1' created.") {
		t.Error(out)
	}
	if out := m.well("strmqm", "QM1"); !strings.Contains(out, "WebSphere MQ queue manager 'QM1' started using V7.5.0.9.") {
		t.Error(out)
	}
	m.mqsc("DEFINE QLOCAL(Q)", "DISPLAY QMSTATUS LOG")
	m.put("Q", "kept")
	m.fails(alreadyRuns, "AMQ7005: The queue manager is running.", "strmqm", "QM1")
	m.fails(nothingProcessed, "AMQ7085: Object NONE, type qlocal not found.", "rcdmqimg", "-m", "QM1", "-t", "qlocal", "NONE")
	m.well("rcdmqimg", "-m", "QM1", "-t", "all", "*")
	m.crash()
	m.well("strmqm", "QM1")
	m.holds("Q", "kept")
	if ini := read(t, m.file("qm.ini")); strings.Contains(ini, "LogManagement") {
		t.Error(ini)
	}
	if out := m.well("dmpmqcfg", "-m", "QM1", "-a"); strings.Contains(out, "IMGSCHED") || !strings.Contains(out, "command level: (750/750)") {
		t.Error("it has attributes of later releases")
	}
}

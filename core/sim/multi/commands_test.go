package multi

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr/ledger"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// refusal is a command that fails with a code and words on standard error.
type refusal struct {
	argv string
	code int
	says string
}

// What the commands refuse, before there is any queue manager.
func TestRefusalsWithoutAQueueManager(t *testing.T) {
	m := newMachine(t, Settings{})
	for _, r := range []refusal{
		{"crtmqm", badParameter, "Usage: crtmqm"},
		{"crtmqm -lc -ll QM1", badParameter, "only one of"},
		{"crtmqm -lr here QM1", badParameter, "not simulated"},
		{"crtmqm -lp many QM1", badParameter, "-lp many"},
		{"crtmqm -ll -! QM1", badParameter, "-! is no flag"},
		{"crtmqm -lf 63 QM1", badLogSize, "63"},
		{"crtmqm -lf 65536 QM1", badLogSize, "65536"},
		{"crtmqm -lp 500 -ls 12 QM1", badLogSize, "512"},
		{"crtmqm QM-1", nameError, "AMQ7048E"},
		{"crtmqm " + strings.Repeat("Q", 49), nameError, "AMQ7048E"},
		{"crtmqm -ld /elsewhere QM1", badLogLocation, "/elsewhere"},
		{"crtmqm -md relative QM1", badLogLocation, "relative"},
		{"strmqm QM1", noManager, "AMQ8118E: IBM MQ queue manager does not exist."},
		{"strmqm", nameError, "AMQ7069S: No default queue manager is defined."},
		{"endmqm QM1", noManager, "AMQ8118E"},
		{"endmqm", badParameter, "Usage: endmqm"},
		{"dltmqm QM1", noManager, "AMQ8118E"},
		{"dspmq -m QM1", nameError, "AMQ7048E"},
		{"dspmq QM1", badArguments, "Usage: dspmq"},
		{"dspmqinf QM1", nameError, "AMQ7048E"},
		{"runmqsc QM1", 20, ""},
		{"runmqsc", 20, "AMQ7069S"},
		{"rcdmqimg -m QM1 -t all *", nameError, "AMQ7048E"},
		{"rcrmqobj -m QM1 -t all *", nameError, "AMQ7048E"},
		{"dmpmqlog -m QM1", nameError, "AMQ7048E"},
		{"dspmqtrn -m QM1", nameError, "AMQ7048E"},
		{"rm -rf /", commandNotFound, "rm: command not found"},
	} {
		m.fails(r.code, r.says, strings.Fields(r.argv)...)
	}
	if out := m.well("dspmq"); out != "" {
		t.Errorf("%q", out)
	}
	for _, folder := range []string{"qmgrs", "log"} {
		if entries, err := os.ReadDir(filepath.Join(m.root, "var/mqm", folder)); err != nil || len(entries) != 0 {
			t.Errorf("%s: %v, %v", folder, entries, err)
		}
	}
}

// The life of a queue manager by its control commands.
func TestLifeOfAQueueManager(t *testing.T) {
	m := newMachine(t, Settings{})
	out := m.well("/opt/mqm/bin/crtmqm", "-q", "-u", "DEAD", "-d", "XMIT", "-c", "our first", "-ll", "-lf", "64", "QM1")
	for _, want := range []string{
		"IBM MQ queue manager 'QM1' created.\n", "Directory '" + m.root + "/var/mqm/qmgrs/QM1' created.\n",
		"The queue manager is associated with installation 'Installation1'.\n", " created. 0 replaced. 0 failed.\n", "Setup completed.\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	m.is("Ended normally")
	m.fails(alreadyExists, "AMQ8110S", "crtmqm", "QM1")
	m.fails(notAvailable, "AMQ8146E", "endmqm", "QM1")
	m.fails(notAvailable, "AMQ8146E", "rcdmqimg", "-m", "QM1", "-t", "all", "*")
	m.well("strmqm") // the default one
	m.is("Running")
	m.fails(alreadyRuns, "AMQ7005E", "strmqm", "QM1")
	m.fails(alreadyRuns, "AMQ7005E", "dltmqm", "QM1")
	if out := m.mqsc("DISPLAY QMGR DEADQ DEFXMITQ DESCR"); !strings.Contains(out, "DEADQ(DEAD)") || !strings.Contains(out, "DEFXMITQ(XMIT)") || !strings.Contains(out, "DESCR(our first)") {
		t.Error(out)
	}
	for _, end := range []struct{ flag, state string }{
		{"-c", "Ended normally"}, {"-w", "Ended normally"}, {"-i", "Ended immediately"}, {"-p", "Ended preemptively"},
	} {
		m.well("endmqm", end.flag, "QM1")
		m.is(end.state)
		m.well("strmqm", "QM1")
	}
	m.fails(badParameter, "one of -c", "endmqm", "-i", "-p", "QM1")
	m.well("endmqm", "-i", "QM1")
	m.well("dltmqm", "QM1")
	if out := m.well("dspmq"); out != "" {
		t.Error(out)
	}
	for _, folder := range []string{"qmgrs/QM1", "log/QM1"} {
		if _, err := os.Stat(filepath.Join(m.root, "var/mqm", folder)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", folder, err)
		}
	}
	m.fails(nameError, "AMQ7069S", "strmqm")
}

// A controlled end waits for units of work that are open: the queue manager
// quiesces, also over a suspension, and ends with the last of them.
func TestQuiesce(t *testing.T) {
	m := ready(t, extents.Linear)
	number := m.begin("Q", "late", false)
	m.fails(stopping, "units of work are open", "endmqm", "-w", "QM1")
	m.is("Quiescing")
	m.on(func(h *Host) { m.must(h.Tick(t.Context())) })
	m.is("Quiescing")
	m.fails(stopping, "is ending", "strmqm", "QM1")
	m.onManager(func(q *qmgr.Manager) error {
		u, err := q.Unit(number)
		if err != nil {
			return err
		}
		return u.Commit(t.Context())
	})
	m.on(func(h *Host) { m.must(h.Tick(t.Context())) })
	m.is("Ended normally")
	m.well("strmqm", "QM1")
	m.holds("Q", "kept", "late")
	// An immediate end of one that quiesces.
	m.begin("Q", "never", false)
	m.well("endmqm", "QM1")
	m.well("endmqm", "-i", "QM1")
	m.is("Ended immediately")
	m.well("strmqm", "QM1")
	m.holds("Q", "kept", "late")
}

// What the displays print, word by word.
func TestDisplays(t *testing.T) {
	m := newMachine(t, Settings{Release: "9.3.0.1"})
	m.well("crtmqm", "-lc", "-lf", "64", "A.B/C")
	m.well("crtmqm", "-q", "-lf", "64", "QM1")
	m.well("strmqm", "QM1")
	same := func(want string, argv ...string) {
		t.Helper()
		if got := m.well(argv...); got != want {
			t.Errorf("%q:\n%s\nwanted\n%s", argv, got, want)
		}
	}
	column := func(name string) string { return "QMNAME(" + name + ")" + strings.Repeat(" ", 50-len(name)) }
	same(column("A.B/C")+"STATUS(Ended normally)\n"+column("QM1")+"STATUS(Running)\n", "dspmq")
	same(column("QM1")+"STATUS(Running)\n    INSTANCE(lnx1) MODE(Active)\n", "dspmq", "-m", "QM1", "-o", "status", "-x")
	same(column("QM1")+"STATUS(Running) DEFAULT(yes) STANDBY(Not permitted) INSTNAME(Installation1) INSTPATH("+m.root+"/opt/mqm) INSTVER(9.3.0.1)\n",
		"dspmq", "-mQM1", "-o", "all")
	stanza := "QueueManager:\n   Name=A.B/C\n   Prefix=" + m.root + "/var/mqm\n   Directory=A!B&C\n   InstallationName=Installation1\n"
	same(stanza, "dspmqinf", "A.B/C")
	same(stanza, "dspmqinf", "-o", "stanza", "A.B/C")
	same("addmqinf -s QueueManager -v Name=A.B/C -v Prefix="+m.root+"/var/mqm -v Directory=A!B&C\n", "dspmqinf", "-o", "command", "A.B/C")
	version := m.well("dspmqver")
	for _, want := range []string{"Name:        IBM MQ\n", "Version:     9.3.0.1\n", "InstName:    Installation1\n", "DataPath:    " + m.root + "/var/mqm\n", "MaxCmdLevel: 930\n"} {
		if !strings.Contains(version, want) {
			t.Errorf("%q is not in\n%s", want, version)
		}
	}
	same("9.3.0.1\n", "dspmqver", "-b", "-f", "2")
	m.mqsc("DEFINE QLOCAL(QL.A)")
	files := m.well("dspmqfls", "-m", "QM1", "-t", "queue", "QL.*")
	if want := m.root + "/var/mqm/qmgrs/QM1/queues/QL!A/q\n"; !strings.Contains(files, want) || !strings.Contains(files, "QLOCAL") {
		t.Error(files)
	}
	m.fails(nothingProcessed, "AMQ7085E", "dspmqfls", "-m", "QM1", "-t", "queue", "NONE")
	// What dspmqinf prints is read as mqs.ini is.
	if found, err := mqini.FindManager(mqini.Parse([]byte(stanza)), "A.B/C"); err != nil || found.Directory != "A!B&C" {
		t.Errorf("%+v, %v", found, err)
	}
}

// The flags and exit codes of rcdmqimg and rcrmqobj (reference, Multiplatforms
// 3.4 items 63 to 68).
func TestMediaCommands(t *testing.T) {
	m := ready(t, extents.Linear)
	m.mqsc("DEFINE PROCESS(P)", "DEFINE CHANNEL(CH) CHLTYPE(SVRCONN)", "DEFINE QLOCAL(NOIMAGE) IMGRCOVQ(NO)")
	for _, r := range []refusal{
		{"rcdmqimg -m QM1", badArguments, "no type"},
		{"rcdmqimg -m QM1 -t nothing *", badArguments, "-t nothing"},
		{"rcdmqimg -m QM1 -t all", badArguments, "missing"},
		{"rcdmqimg -m QM1 -t all a.txt b.txt", badArguments, "'*' in quotes"},
		{"rcdmqimg -m QM1 -t qlocal NONE", nothingProcessed, "AMQ7085E: Object NONE, type qlocal not found."},
		{"rcdmqimg -m QM1 -t qlocal NONE*", nothingProcessed, "AMQ7080E"},
		{"rcdmqimg -m QM1 -t channel CH", notRecoverable, "AMQ7042E: Media image not available for object CH of type channel."},
		{"rcdmqimg -m QM1 -t qlocal NOIMAGE", notRecoverable, ""},
		{"rcrmqobj -m QM1 -t qlocal Q", nothingProcessed, "AMQ7082E: Object Q, type qlocal is not damaged."},
		{"rcrmqobj -m QM1 -t all *", nothingProcessed, "AMQ7080E"},
	} {
		m.fails(r.code, r.says, strings.Fields(r.argv)...)
	}
	// A temporary dynamic queue is not in the log. Applications make them, which no
	// command is.
	m.onManager(func(q *qmgr.Manager) error {
		ref := engine.Ref{Kind: engine.Queue, Name: "AMQ.REPLY"}
		return q.DefineObject(t.Context(), ref, map[string]string{"DEFTYPE": "TEMPDYN"})
	})
	m.fails(135, "AMQ7087", "rcdmqimg", "-m", "QM1", "-t", "qlocal", "AMQ.REPLY")
	m.well("rcdmqimg", "-m", "QM1", "-t", "qlocal", "*")
	if out := m.well("rcdmqimg", "-m", "QM1", "-t", "ql", "Q"); out != "Media image for object Q, type qlocal recorded.\n" {
		t.Error(out)
	}
	for _, words := range []string{"qmgr", "syncfile", "ctlg", "prcs P", "process *", "q *", "* *"} {
		m.well(append([]string{"rcdmqimg", "-m", "QM1", "-t"}, strings.Fields(words)...)...)
	}
	m.put("Q", numbered(0, 60)...)
	told := len(m.told(0))
	r := m.run("", "rcdmqimg", "-m", "QM1", "-l", "-t", "all", "*")
	restart, media := m.marks()
	if r.Code != 0 || !strings.Contains(string(r.Err), "AMQ7467I: The oldest log file required to start queue manager QM1 is "+restart) ||
		!strings.Contains(string(r.Err), "AMQ7468I: The oldest log file required to perform media recovery of queue manager QM1 is "+media) {
		t.Errorf("%d %s", r.Code, r.Err)
	}
	if restart == "S0000000.LOG" || media == "S0000000.LOG" || strings.Contains(string(r.Out), "CH, type") {
		t.Errorf("%s, %s\n%s", restart, media, r.Out)
	}
	m.tells(told, "AMQ7467")
	m.tells(told, "AMQ7468")
	m.checkpoint()
	m.spoil(m.file("queues/NOIMAGE/q"))
	m.run("DISPLAY QLOCAL(NOIMAGE)\n", "runmqsc", "QM1")
	m.fails(notRecoverable, "for object NOIMAGE of type qlocal", "rcrmqobj", "-m", "QM1", "-t", "all", "*")
	m.fails(objectDamaged, "AMQ7084E: Object NOIMAGE", "rcdmqimg", "-m", "QM1", "-t", "all", "*")
}

// On a circular log there are no media images, and two files are made anew from
// what the queue manager knows.
func TestMediaCommandsOnACircularLog(t *testing.T) {
	m := ready(t, extents.Circular)
	m.fails(noMediaRecovery, "AMQ7044E", "rcdmqimg", "-m", "QM1", "-t", "all", "*")
	m.fails(noMediaRecovery, "AMQ7044E", "rcrmqobj", "-m", "QM1", "-t", "all", "*")
	for _, kind := range []string{"syncfile", "clchltab"} {
		if out := m.well("rcrmqobj", "-m", "QM1", "-t", kind); !strings.Contains(out, "type "+kind+" recreated.") {
			t.Error(out)
		}
	}
}

// The client channel definition table holds the client-connection channels as
// soon as they are defined, altered and deleted. Broken in any way it is damaged
// from the next look on, and rcrmqobj makes it anew on any type of log, for good
// (reference, Multiplatforms 3.4 item 68).
func TestClientChannelTable(t *testing.T) {
	const table = "@ipcc/AMQCLCHL.TAB"
	both(t, func(m *machine, _ extents.Kind) {
		holds := func(want, not string) {
			t.Helper()
			content, err := os.ReadFile(m.file(table))
			if err != nil || !bytes.Contains(content, []byte(want)) || not != "" && bytes.Contains(content, []byte(not)) {
				t.Errorf("%q, %v: wanted %s and not %s", content, err, want, not)
			}
		}
		holds("SYSTEM.DEF.CLNTCONN", "TO.QM1")
		m.mqsc("DEFINE CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) CONNAME('first(1414)')")
		holds("first(1414)", "")
		m.mqsc("ALTER CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) CONNAME('second(1414)')", "DEFINE CHANNEL(OTHER) CHLTYPE(CLNTCONN) CONNAME('third(1414)')")
		m.well("endmqm", "-i", "QM1") // and a file of one batch again
		m.well("strmqm", "QM1")
		for _, breaking := range []func(){
			func() { m.spoil(m.file(table)) },
			func() { m.must(os.Remove(m.file(table))) },
			func() { m.must(os.WriteFile(m.file(table), []byte("DEFINE CHANNEL(X)"), 0o600)) },
		} {
			told := len(m.told(0))
			breaking()
			m.well("endmqm", "-i", "QM1")
			m.well("strmqm", "QM1")
			m.tells(told, "AMQ7472")
			if out := m.well("rcrmqobj", "-m", "QM1", "-t", "clchltab"); out != "Object AMQCLCHL.TAB, type clchltab recreated.\n" {
				t.Error(out)
			}
			holds("TO.QM1", "first(1414)")
			holds("second(1414)", "")
			holds("third(1414)", "")
			told = len(m.told(0))
			m.crash()
			m.well("strmqm", "QM1")
			m.well("endmqm", "-i", "QM1")
			m.well("strmqm", "QM1")
			if slices.Contains(m.told(told), "AMQ7472") {
				t.Error("it is damaged again")
			}
		}
		// Made anew it is one that goes on, and a channel that is gone is in it no
		// more: a command rewrites a table that nobody had missed.
		m.mqsc("DELETE CHANNEL(OTHER) CHLTABLE(CLNTTAB)")
		m.well("rcrmqobj", "-m", "QM1", "-t", "clchltab")
		holds("TO.QM1", "third(1414)")
	})
}

// dspmqtrn and rsvmqtrn.
func TestTransactions(t *testing.T) {
	m := ready(t, extents.Linear)
	if out := m.well("dspmqtrn", "-m", "QM1", "-a"); strings.Contains(out, "AMQ7056") {
		t.Error(out)
	}
	active, doubt := m.begin("Q", "active", false), m.begin("Q", "in doubt", true)
	all := m.well("dspmqtrn", "-a", "-m", "QM1")
	for _, want := range []string{"AMQ7056I: Transaction number " + unitName(active), "Status(ACTIVE) ApplTag(APP)", "UOWLog(S0000000.LOG)", "Status(PREPARED)"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if out := m.well("dspmqtrn", "-e", "-m", "QM1"); strings.Contains(out, "ACTIVE") || !strings.Contains(out, "XID(786964)") {
		t.Error(out)
	}
	if out := m.well("dspmqtrn", "-i", "-m", "QM1"); strings.Contains(out, "AMQ7056") {
		t.Error(out)
	}
	m.fails(unknownUnit, "", "rsvmqtrn", "-m", "QM1", "-c", unitName(active))
	m.fails(unknownUnit, "", "rsvmqtrn", "-m", "QM1", "-b", "0,999")
	m.fails(badArguments, "one of", "rsvmqtrn", "-m", "QM1")
	m.fails(badArguments, "is no number", "rsvmqtrn", "-m", "QM1", "-b", "x")
	m.well("rsvmqtrn", "-m", "QM1", "-a") // of its own there are none
	m.well("rsvmqtrn", "-m", "QM1", "-b", unitName(doubt))
	m.holds("Q", "kept")
}

// absent is a resource manager that can be away.
type absent struct {
	*ledger.Ledger
	gone bool
}

func (a *absent) Commit(ctx context.Context, xid []byte) error {
	if a.gone {
		return errors.New("it is away")
	}
	return a.Ledger.Commit(ctx, xid)
}

// A transaction that a resource manager has not heard of is shown until it has,
// over restarts, and rsvmqtrn -a tells it (reference, Multiplatforms 5).
func TestTransactionsOfResourceManagers(t *testing.T) {
	m := ready(t, extents.Linear)
	m.well("endmqm", "-i", "QM1")
	m.edit("var/mqm/qmgrs/QM1/qm.ini", "Service:\n   Name=AuthorizationService",
		"XAResourceManager:\n   Name=BANK\n   SwitchFile=bank.so\nService:\n   Name=AuthorizationService")
	m.well("strmqm", "QM1")
	with := func(gone bool, do func(*Host, *qmgr.Manager, *absent)) {
		t.Helper()
		m.on(func(h *Host) {
			books, err := ledger.Open(disk.At(m.root), "bank.json", "BANK")
			m.must(err)
			bank := &absent{books, gone}
			m.must(h.Manager("QM1").Connect(t.Context(), bank))
			do(h, h.Manager("QM1"), bank)
		})
	}
	with(true, func(_ *Host, q *qmgr.Manager, bank *absent) {
		u, err := q.BeginGlobal(t.Context(), "PAY", "BANK")
		m.must(err)
		_, err = u.Put(t.Context(), "Q", engine.Message{Persistent: true, Body: []byte("paid")})
		m.must(err)
		m.must(bank.Add(u.XID(), "A", 10))
		m.must(u.Commit(t.Context()))
	})
	for range 2 {
		if out := m.well("dspmqtrn", "-i", "-m", "QM1"); !strings.Contains(out, "AMQ7104S: Resource manager 1 has prepared. RMName(BANK)") {
			t.Error(out)
		}
		m.fails(unresolved, "1 transactions", "rsvmqtrn", "-m", "QM1", "-a")
		m.well("endmqm", "-i", "QM1")
		m.well("strmqm", "QM1")
	}
	with(false, func(h *Host, _ *qmgr.Manager, bank *absent) {
		if r := h.Run(t.Context(), []string{"rsvmqtrn", "-m", "QM1", "-a"}, nil); r.Code != done || bank.Balance("A") != 10 {
			t.Errorf("%d %s: %d", r.Code, r.Err, bank.Balance("A"))
		}
	})
	if out := m.well("dspmqtrn", "-m", "QM1"); strings.Contains(out, "BANK") {
		t.Error(out)
	}
	m.holds("Q", "kept", "paid")
}

// Messages around a dump are those of the release, whether it succeeds or not:
// before 9.0 they have no letter.
func TestDumpLogByRelease(t *testing.T) {
	for release, letter := range map[string][2]string{"8.0.0.4": {"", ""}, "9.4.0.0": {"I", "E"}} {
		m := newMachine(t, Settings{Release: release})
		m.well("crtmqm", "-lf", "64", "QM1")
		out := m.well("dmpmqlog", "-m", "QM1")
		if !strings.HasPrefix(out, "AMQ7701"+letter[0]+": ") || !strings.Contains(out, "\nAMQ7702"+letter[0]+": ") {
			t.Errorf("%s:\n%s", release, out)
		}
		m.well("strmqm", "QM1")
		r := m.run("", "dmpmqlog", "-m", "QM1")
		if out := string(r.Out); !strings.HasPrefix(out, "AMQ7701"+letter[0]+": ") || !strings.Contains(out, "\nAMQ7716"+letter[1]+": ") {
			t.Errorf("%s:\n%s", release, out)
		}
	}
}

// dmpmqlog: refused while the queue manager runs, and then what it wrote, from
// the head, from the base, from an LSN and from an extent.
func TestDumpLog(t *testing.T) {
	both(t, func(m *machine, kind extents.Kind) {
		r := m.run("", "dmpmqlog", "-m", "QM1")
		if r.Code == 0 || !bytes.Contains(r.Out, []byte("AMQ7701")) || !bytes.Contains(r.Out, []byte("AMQ7716")) || !bytes.Contains(r.Err, []byte("AMQ7005")) {
			t.Errorf("%d\n%s%s", r.Code, r.Out, r.Err)
		}
		m.put("Q", "seen in the dump")
		m.well("endmqm", "-i", "QM1")
		before := m.extents()
		head := m.well("dmpmqlog", "-m", "QM1")
		base := m.well("dmpmqlog", "-b", "-m", "QM1")
		if !strings.Contains(head, "AMQ7702") || !strings.Contains(head, "LOG FILE HEADER") || len(base) <= len(head) || strings.Contains(head, "Put Message") || !strings.Contains(base, "Put Message") {
			t.Errorf("%s", head)
		}
		_, after, _ := strings.Cut(head, "LOG RECORD - LSN <")
		lsn, _, _ := strings.Cut(after, ">")
		if again := m.well("dmpmqlog", "-s", lsn, "-m", "QM1"); again != head {
			t.Errorf("from %s:\n%s", lsn, again)
		}
		folder := m.root + "/var/mqm/log/QM1"
		if again := m.well("dmpmqlog", "-b", "-f", folder, "-m", "QM1"); again != base {
			t.Error("-f prints another")
		}
		m.fails(badArguments, "no LSN", "dmpmqlog", "-s", "1:2", "-m", "QM1")
		m.fails(badArguments, "one of", "dmpmqlog", "-b", "-n", "0", "-m", "QM1")
		if kind == extents.Circular {
			m.fails(badArguments, "circular", "dmpmqlog", "-n", "0", "-m", "QM1")
		} else if out := m.well("dmpmqlog", "-n", "0", "-m", "QM1"); !strings.Contains(out, "Create Object") {
			t.Error("the first extent has the objects")
		}
		if !slices.Equal(before, m.extents()) {
			t.Error("a dump has changed the log")
		}
	})
}

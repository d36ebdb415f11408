package connect

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/internal/shell"
)

// prunedHost is a queue manager whose extents mqhk, a member of mqm, removes and
// archives. All that a check asks for is there but the owner of what is
// restored: only mqm itself makes files of mqm.
const prunedHost = `>>> CLOCK 2026-05-28T02:00:00+02:00
>>> QMGR PAY.1 multiplatforms
>>> CTL PAY.1: id
uid=1001(mqhk) gid=1001(mqhk) groups=1001(mqhk),999(mqm)
>>> FILE PAY.1: /var/mqm/mqs.ini
QueueManager:
   Name=PAY.1
   Prefix=/var/mqm
   Directory=PAY!1
>>> FILE PAY.1: /var/mqm/qmgrs/PAY!1/qm.ini
Log:
   LogType=LINEAR
   LogManagement=Manual
   LogPath=/var/mqm/log/PAY!1/
>>> MQSC PAY.1: DISPLAY QMSTATUS ALL
AMQ8705I: Display Queue Manager Status Details.
   QMNAME(PAY.1)                           STATUS(RUNNING)
   CURRLOG(S0000130.LOG)                   LOGTYPE(LINEAR)
   RECLOG(S0000112.LOG)                    MEDIALOG(S0000104.LOG)
   LOGPATH(/var/mqm/log/PAY!1/active/)
>>> CTL PAY.1: dspmq -m PAY.1 -o status -x
QMNAME(PAY.1)  STATUS(Running)
>>> LOGDIR PAY.1: /var/mqm/log/PAY!1/active
S0000129.LOG 16785408 2026-05-28T01:00:00Z mqm:mqm -rw-rw----
S0000130.LOG 16785408 2026-05-28T02:00:00Z mqm:mqm -rw-rw----
>>> LOGDIR PAY.1: /var/mqm/log/PAY!1
active 4096 2026-05-28T02:00:00Z mqm:mqm drwxrws---
amqhlctl.lfh 8192 2026-05-28T02:00:00Z mqm:mqm -rw-rw----
>>> FILE PAY.1: /var/mqm/qmgrs/PAY!1/errors/AMQERR01.LOG
>>> SPACE PAY.1: /var/mqm/log/PAY!1/active
size 1000
free 500
>>> MQSC PAY.1: DISPLAY CONN(*) ALL
AMQ8276I: Display Connection details.
>>> MQSC PAY.1: DISPLAY QSTATUS(*) TYPE(QUEUE) ALL
AMQ8450I: Display queue status details.
>>> MQSC PAY.1: DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE
AMQ8409I: Display Queue details.
`

// prunable checks a host whose transcript was changed, pair by pair.
func prunable(t *testing.T, needs Needs, changes ...string) []Checked {
	t.Helper()
	text := prunedHost
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("there is no %q to change", changes[i])
		}
		text = strings.ReplaceAll(text, changes[i], changes[i+1])
	}
	script, err := transcript.Parse("host", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Check(t.Context(), script.Targets()[0], script.Player(), needs)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if len(row.Questions) == 0 || len(row.For) == 0 {
			t.Errorf("%s: asked %q for %v", row.What, row.Questions, row.For)
		}
		if row.Verdict == No && row.Detail == "" || row.Verdict == Yes && len(row.Grant) > 0 {
			t.Errorf("%+v", row)
		}
	}
	return rows
}

// verdicts lists what is not there, by the beginning of each row.
func verdicts(rows []Checked) []string {
	var list []string
	for _, row := range notYes(rows) {
		words := strings.Fields(row.What)
		list = append(list, strings.Join(words[:min(3, len(words))], " ")+": "+string(row.Verdict))
	}
	return list
}

var forAll = Needs{Uses: []Use{ForPlan, ForDelete, ForSave, ForImages}}

const (
	archiveMode = "LogManagement=Archive"
	noMember    = "groups=1001(mqhk)"
	joinMqm     = "usermod -aG mqm mqhk"
	mayAsk      = "setmqaut -m PAY.1 -t qmgr -g mqhk +connect +inq +dsp"
	mayShow     = "setmqaut -m PAY.1 -n '**' -t queue -g mqhk +dsp"
	mayArchive  = "setmqaut -m PAY.1 -t qmgr -g mqhk +chg"
	memberOfMqm = "groups=1001(mqhk),999(mqm)"
	authorities = ">>> CTL PAY.1: dspmqaut -m PAY.1 -t qmgr -p mqhk\nEntity mqhk has the following authorizations for object PAY.1:\n"
)

func TestCheckHost(t *testing.T) {
	directory, extents := "active 4096 2026-05-28T02:00:00Z mqm:mqm drwxrws---", "mqm:mqm -rw-rw----"
	ask := func(text string) string { return ">>> " + text }
	for _, test := range []struct {
		name    string
		needs   Needs
		changes []string
		missing []string // rows that are not there
		grants  []string
	}{
		{"all there", forAll, nil, nil, nil},
		{"restored as another user", Needs{}, nil, []string{"restored extents belong: no"}, nil},
		{"restored as mqm", Needs{}, []string{"uid=1001(mqhk)", "uid=999(mqm)"}, nil, nil},
		{"not in mqm", forAll, []string{memberOfMqm, noMember},
			[]string{"delete in /var/mqm/log/PAY!1/active: no", "read the extents: no", "rcdmqimg: no"}, []string{joinMqm}},
		{"everybody may read and write", Needs{Uses: []Use{ForPlan, ForDelete, ForSave}},
			[]string{memberOfMqm, noMember, "drwxrws---", "drwxrwsrwx", extents, "mqm:mqm -rw-rw-r--"}, nil, nil},
		{"directory not writable", forAll, []string{directory, strings.Replace(directory, "drwxrws", "drwxr-s", 1)},
			[]string{"delete in /var/mqm/log/PAY!1/active: no"}, []string{"chmod g+w '/var/mqm/log/PAY!1/active'"}},
		{"directory not writable, nor a member", Needs{Uses: []Use{ForDelete}}, []string{memberOfMqm, noMember, directory, strings.Replace(directory, "drwxrws", "drwxr-s", 1)},
			[]string{"delete in /var/mqm/log/PAY!1/active: no"}, []string{"chmod g+w '/var/mqm/log/PAY!1/active'", joinMqm}},
		{"owner without the right", Needs{Uses: []Use{ForDelete}}, []string{directory, "active 4096 2026-05-28T02:00:00Z mqhk:mqm dr-xrws---"},
			[]string{"delete in /var/mqm/log/PAY!1/active: no"}, []string{"chmod u+w '/var/mqm/log/PAY!1/active'"}},
		{"an access control list", Needs{Uses: []Use{ForDelete}}, []string{directory, "active 4096 2026-05-28T02:00:00Z mqm:mqm drwxr-s---+"},
			[]string{"delete in /var/mqm/log/PAY!1/active: unknown"}, nil},
		{"sticky", Needs{Uses: []Use{ForDelete}}, []string{directory, strings.Replace(directory, "drwxrws---", "drwxrws--T", 1)},
			[]string{"delete in /var/mqm/log/PAY!1/active: no"}, []string{"chmod -t '/var/mqm/log/PAY!1/active'"}},
		{"sticky, and its own", Needs{Uses: []Use{ForDelete}}, []string{"uid=1001(mqhk)", "uid=999(mqm)", directory, strings.Replace(directory, "drwxrws---", "drwxrws--T", 1)}, nil, nil},
		{"root", Needs{Uses: []Use{ForDelete, ForSave, ForRestore}}, []string{"uid=1001(mqhk) gid=1001(mqhk) " + memberOfMqm, "uid=0(root) gid=0(root)"}, nil, nil},
		{"nobody says who asks", forAll, []string{ask("CTL PAY.1: id"), ask("ERROR CTL PAY.1: id")},
			[]string{"user: unknown", "delete in /var/mqm/log/PAY!1/active: unknown", "read the extents: unknown", "rcdmqimg: unknown"}, nil},
		{"owners not listed", Needs{Uses: []Use{ForDelete, ForSave, ForRestore}}, []string{" 2026-05-28T02:00:00Z mqm:mqm drwxrws---", "", " 2026-05-28T01:00:00Z mqm:mqm -rw-rw----", "", " 2026-05-28T02:00:00Z mqm:mqm -rw-rw----", " - - -"},
			[]string{"delete in /var/mqm/log/PAY!1/active: unknown", "read the extents: unknown", "write into /var/mqm/log/PAY!1/active: unknown", "restored extents belong: unknown"}, nil},
		{"qm.ini unreadable", forAll, []string{ask("FILE PAY.1: /var/mqm/qmgrs/PAY!1/qm.ini\n"), ask("ERROR FILE PAY.1: /var/mqm/qmgrs/PAY!1/qm.ini\nopen /x/qm.ini: permission denied\n")},
			[]string{"qm.ini /var/mqm/qmgrs/PAY!1/qm.ini: no", "kind of log: unknown"}, []string{joinMqm}},
		{"qm.ini and the queue manager differ", Needs{Uses: []Use{ForPlan}}, []string{"LogType=LINEAR", "LogType=CIRCULAR"}, []string{"kind of log: no"}, nil},
		{"no points", Needs{Uses: []Use{ForPlan}}, []string{"MEDIALOG(S0000104.LOG)", "MEDIALOG( )"}, []string{"it tells its: no"}, nil},
		{"no control file", Needs{Uses: []Use{ForPlan}}, []string{"amqhlctl.lfh", "other.lfh"}, []string{"it is proven: no"}, nil},
		{"archive", Needs{Uses: []Use{ForPlan, ForDelete, ForSave}}, []string{"LogManagement=Manual", archiveMode}, nil, nil},
		{"archive without chg", Needs{Uses: []Use{ForSave}}, []string{"LogManagement=Manual", archiveMode, memberOfMqm, noMember, extents, "mqm:mqm -rw-rw-r--",
			">>> CTL PAY.1: dspmq ", authorities + "\tinq\n\tconnect\n\tdsp\n>>> CTL PAY.1: dspmq "}, []string{"SET LOG, to: no"}, []string{mayArchive}},
		{"archive with chg", Needs{Uses: []Use{ForSave}}, []string{"LogManagement=Manual", archiveMode, memberOfMqm, noMember, extents, "mqm:mqm -rw-rw-r--",
			">>> CTL PAY.1: dspmq ", authorities + "\tinq\n\tchg\n>>> CTL PAY.1: dspmq "}, nil, nil},
		{"archive, not shown", Needs{Uses: []Use{ForSave}}, []string{"LogManagement=Manual", archiveMode, memberOfMqm, noMember, extents, "mqm:mqm -rw-rw-r--"},
			[]string{"SET LOG, to: unknown"}, nil},
		{"mqs.ini closed", Needs{Uses: []Use{ForPlan}}, []string{ask("FILE PAY.1: /var/mqm/mqs.ini"), ">>> CTL PAY.1: dspmqinf PAY.1"}, nil, nil},
		{"mqs.ini without it", Needs{Uses: []Use{ForPlan}}, []string{"Name=PAY.1", "Name=OTHER"}, []string{"mqs.ini or dspmqinf: unknown"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := prunable(t, test.needs, test.changes...)
			if got := verdicts(rows); !slices.Equal(got, test.missing) {
				t.Errorf("missing %q, want %q\n%+v", got, test.missing, notYes(rows))
			}
			if got := grants(rows); !slices.Equal(got, test.grants) {
				t.Errorf("grants %q, want %q", got, test.grants)
			}
		})
	}
}

// What the queue manager itself removes needs no right to delete.
func TestCheckHostNeedsNoDelete(t *testing.T) {
	for name, test := range map[string]struct {
		changes []string
		says    string
	}{
		"automatic":  {[]string{"LogManagement=Manual", "LogManagement=Automatic"}, "LogManagement=Automatic"},
		"archive":    {[]string{"LogManagement=Manual", archiveMode}, archiveMode},
		"replicated": {[]string{"LINEAR", "REPLICATED"}, "REPLICATED"},
		"circular":   {[]string{"LINEAR", "CIRCULAR", "S0000112.LOG", " ", "S0000104.LOG", " "}, "circular"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := prunable(t, Needs{Uses: []Use{ForPlan, ForDelete}}, append(test.changes, memberOfMqm, noMember)...)
			last := rows[len(rows)-1]
			if last.Verdict != Yes || !strings.Contains(last.What, "need not delete") || !strings.Contains(last.What, test.says) || len(notYes(rows)) > 0 {
				t.Errorf("%+v\n%+v", last, notYes(rows))
			}
		})
	}
}

// Why runmqsc did not answer decides what helps.
func TestCheckHostWithoutStatus(t *testing.T) {
	const question = ">>> MQSC PAY.1: DISPLAY QMSTATUS ALL\n"
	whole := prunedHost[strings.Index(prunedHost, question):strings.Index(prunedHost, ">>> CTL PAY.1: dspmq -m")]
	plan := Needs{Uses: []Use{ForPlan}}
	for name, test := range map[string]struct {
		says, dspmq string
		missing     []string
		grants      []string
	}{
		"not authorised": {"AMQ8135E: Not authorized.", "Running",
			[]string{"the queue manager: no", "it tells its: unknown"}, []string{mayShow, mayAsk}},
		"not authorised, in German": {"5724-H72 (C) Copyright\nAMQ8135E: Keine Berechtigung.", "Running",
			[]string{"the queue manager: no", "it tells its: unknown"}, []string{mayShow, mayAsk}},
		"stopped": {"AMQ8146E: IBM MQ queue manager not available.", "Ended normally",
			[]string{"the queue manager: no", "the queue manager: no", "it tells its: unknown"}, nil},
		"no such queue manager": {"AMQ8118E: IBM MQ queue manager does not exist.", "Ended unexpectedly",
			[]string{"the queue manager: no", "the queue manager: no", "it tells its: unknown"}, nil},
		"standby": {"AMQ8146E: not available", "Running as standby",
			[]string{"the queue manager: no", "the queue manager: no", "it tells its: unknown"}, nil},
		"no runmqsc": {`exec: "runmqsc": executable file not found in $PATH`, "Running",
			[]string{"the queue manager: no", "it tells its: unknown"}, nil},
		"what nobody knows": {"AMQ9999E: what?", "Running",
			[]string{"the queue manager: unknown", "it tells its: unknown"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows := prunable(t, plan, whole, strings.Replace(question, ">>> ", ">>> ERROR ", 1)+test.says+"\n", "STATUS(Running)", "STATUS("+test.dspmq+")")
			if got := verdicts(rows); !slices.Equal(got, test.missing) {
				t.Errorf("missing %q, want %q\n%+v", got, test.missing, notYes(rows))
			}
			if got := grants(rows); !slices.Equal(got, test.grants) {
				t.Errorf("grants %q, want %q", got, test.grants)
			}
		})
	}
}

// Where nothing is answered nothing is known, and nothing is granted.
func TestCheckHostSilent(t *testing.T) {
	rows, err := Check(t.Context(), observe.Target{Name: "QM1", Platform: observe.Multiplatforms}, says{}, Needs{})
	if err != nil || len(rows) < 20 || len(grants(rows)) > 0 {
		t.Errorf("%v, %d rows, grants %q", err, len(rows), grants(rows))
	}
	for _, row := range rows {
		if row.Verdict != Unknown {
			t.Errorf("%+v", row)
		}
	}
}

func TestReadIdentity(t *testing.T) {
	for printed, want := range map[string]identity{
		"uid=1001(mqhk) gid=1001(mqhk) groups=1001(mqhk),999(mqm)\n": {known: true, user: "1001", name: "mqhk", group: "mqhk", groups: []string{"1001", "mqhk", "1001", "mqhk", "999", "mqm"}},
		"uid=1001 gid=0(root)": {known: true, user: "1001", name: "1001", group: "root", groups: []string{"0", "root"}},
		"uid=5(a) gid=6(b) groups=7(c), 8(d) context=unconfined_u:unconfined_r:x=9(e)": {known: true, user: "5", name: "a", group: "b", groups: []string{"6", "b", "7", "c", "8", "d"}},
		"id: cannot find name":                {},
		"uid=1001(r\x00\x7ft) gid=1001(mqhk)": {}, // what holds a control character is no name
		"uid=1001(mqhk) gid=1001(a\u202eb)":   {},
		"uid=1001(mqhk) gid=1001(\xff)":       {},
		"":                                    {},
	} {
		if got := readIdentity(printed); got.known != want.known || got.user != want.user || got.name != want.name || got.group != want.group || !slices.Equal(got.groups, want.groups) {
			t.Errorf("%q: %+v", printed, got)
		}
	}
}

// FuzzCheckHost reads answers of any system: what can't be read is not there.
func FuzzCheckHost(f *testing.F) {
	for _, seed := range []string{"uid=0(root)", "active 1 x a:b drwx", `"a b" 1 2 3 4`, "\"", "QueueManager:\n Name=PAY.1\n DataPath=/\n", "QMNAME(PAY.1) LOGPATH(/)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		rows, err := Check(t.Context(), observe.Target{Name: "PAY.1", Platform: observe.Multiplatforms}, says{"": body}, Needs{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, grant := range row.Grant {
				if !shell.Printable(grant) || grant == "" {
					t.Errorf("%q", grant)
				}
			}
		}
	})
}

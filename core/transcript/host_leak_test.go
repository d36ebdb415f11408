package transcript

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// site are drawn names of a site on Multiplatforms.
type site struct {
	manager, folder, data, log     string
	user, group, host, application string
	queue, channel, file           string
}

// secret are those that must be gone.
func (s site) secret() []string {
	return []string{s.manager, s.folder, s.data, s.user, s.group, s.host, s.application, s.queue, s.channel, s.file}
}

func drawSite(t *rapid.T) site {
	word := func(name string) string { return rapid.StringMatching(`[a-z][a-z0-9]{5,7}`).Draw(t, name) }
	s := site{
		manager: rapid.StringMatching(`[A-Z][A-Z0-9]{5,7}([./_%][A-Z]{5}){0,2}`).Draw(t, "manager"),
		data:    word("data"), user: word("user"), group: word("group"), host: word("host") + ".example.org",
		application: word("application"), queue: strings.ToUpper(word("queue")) + ".IN", channel: "TO." + strings.ToUpper(word("channel")), file: word("file"),
	}
	s.folder = strings.NewReplacer(".", "!", "/", "&").Replace(s.manager) + rapid.SampledFrom([]string{"", ".000"}).Draw(t, "ending")
	s.log = "/" + s.data + "/log/" + s.folder + "/active"
	for _, name := range s.secret() {
		folded := strings.ToUpper(name)
		if vocabulary[folded] || harmless.MatchString(folded) || attributeNames[folded] || productFolders[folded] || newLexicon(nil).stays(folded) || strings.Count(strings.ToUpper(strings.Join(s.secret(), " ")), folded) > 2 {
			t.Skip("a name of the product, or one within another")
		}
	}
	return s
}

// transcript writes what is asked on such a site, with each name wherever a
// queue manager, its files and its commands print one.
func (s site) transcript(t *rapid.T) string {
	var out strings.Builder
	block := func(question, format string, args ...any) {
		fmt.Fprintf(&out, ">>> %s\n%s\n", strings.Replace(question, " ", " "+s.manager+": ", 1), strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	}
	media := rapid.IntRange(100, 131).Draw(t, "media")
	restart := rapid.IntRange(100, 131).Draw(t, "restart")
	status := fmt.Sprintf(`5724-H72 (C) Copyright IBM Corp. 1994, 2024.
Starting MQSC for queue manager %[1]s.


     1 : DISPLAY QMSTATUS ALL
AMQ8705I: Display Queue Manager Status Details.
   QMNAME(%[1]s)   STATUS(RUNNING)   CHINIT(RUNNING)   CMDSERV(RUNNING)   CONNS(7)   STANDBY(NOPERMIT)
   CURRLOG(S0000130.LOG)   RECLOG(S%07[2]d.LOG)   MEDIALOG(S%07[3]d.LOG)   ARCHLOG( )
   HOSTNAME(%[4]s)   INSTNAME(Installation1)   INSTDESC(of %[5]s)   INSTPATH(/opt/mqm)
   LOGPATH(%[6]s/)
   LOGTYPE(LINEAR)   LOGPRIM(3)   LOGSEC(2)   LOGSTRDA(2026-01-01)   LOGSTRTI(10.00.00)   LOGSTRL(<0:0:0:4820>)   LOGUTIL(12)
   STARTDA(2026-05-01)   STARTTI(04.00.00)   DISKLSN(<0:0:9:1024>)
One MQSC command read.
`, s.manager, restart, media, s.host, s.user, s.log)
	fmt.Fprintf(&out, ">>> QMGR %s multiplatforms\n>>> CLOCK %[1]s 2026-05-28T02:00:00+02:00\n", s.manager)
	block("FILE /var/mqm/mqs.ini", "# by %s\nQueueManager:\n   Name=%s\n   Prefix=/var/mqm\n   Directory=%s\n   DataPath=/%s/qmgrs/%[3]s\n   InstallationName=Installation1\n",
		s.user, s.manager, s.folder, s.data)
	block("CTL dspmqinf "+s.manager, "QueueManager:\n   Name=%s\n   Directory=%s\n", s.manager, s.folder)
	block("CTL dspmq -m "+s.manager+" -o status -x", "QMNAME(%s)   STATUS(Running)\n    INSTANCE(%s) MODE(Active)\n", s.manager, s.host)
	block("CTL id", "uid=1001(%[1]s) gid=100(%[2]s) groups=100(%[2]s),999(mqm)\n", s.user, s.group)
	block("FILE /"+s.data+"/qmgrs/"+s.folder+"/qm.ini",
		"# of %s\nLog:\n   LogType=LINEAR\n   LogManagement=Manual\n   LogPath=%s/\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n   LogWriteIntegrity=TripleWrite\n"+
			"DiagnosticMessages:\n   Name=%s\n   Service=File\n   Format=json\n   Severities=I,W,E\n   FilePath=/%s/%[1]s\nQMErrorLog:\n   ExcludeMessage=7467\n",
		s.user, strings.TrimSuffix(s.log, "/active"), s.application, s.data)
	block("MQSC DISPLAY QMSTATUS ALL", "%s", status)
	files := ""
	for n := 100; n < 131; n++ {
		files += fmt.Sprintf("S%07d.LOG 16785408 2026-05-27T20:00:00.5Z %s:%s -rw-rw----\n", n, s.user, s.group)
	}
	block("LOGDIR "+s.log, "%sR0000099.LOG 16785408 2026-05-27T20:00:00Z mqm:mqm -rw-rw----\n%q 12 2026-05-27T20:00:00Z %q -rw-------\n",
		files, s.file+" of "+s.user, s.user+" x:"+s.group)
	block("LOGDIR "+strings.TrimSuffix(s.log, "/active"), "active 4096 2026-05-27T20:00:00Z %s:%s drwxrws---\namqhlctl.lfh 4096 - - -\n%s 1\n", s.user, s.group, s.file)
	block("MQSC DISPLAY QMSTATUS ALL", "%s", status)
	block("MQSC DISPLAY QMGR QMID", "AMQ8408I: Display Queue Manager details.\n   QMNAME(%[1]s)   QMID(%[1]s_2026-01-01_10.00.00)\n", s.manager)
	block("SPACE "+s.log, "size 1000000\nfree 500000\n")
	block("MQSC DISPLAY CONN(*) ALL", `AMQ8276I: Display Connection details.
   CONN(6F4A1568220E0021)   EXTCONN(%s)   TYPE(CONN)   PID(4711)   TID(7)   APPLDESC(WebSphere MQ Channel)
   APPLTAG(%s)   APPLTYPE(USER)   CHANNEL(%s)   CONNAME(%s)   USERID(%s)   UOWLOG(S0000112.LOG)   UOWSTDA(2026-05-27)   UOWSTTI(13.00.00)   UOWSTATE(ACTIVE)
   OBJNAME(%s)   OBJTYPE(QUEUE)
`, strings.ToUpper(hex.EncodeToString([]byte("AMQC"+s.manager))), s.application, s.channel, s.host, s.user, s.queue)
	block("MQSC DISPLAY QSTATUS(*) TYPE(QUEUE) ALL", "AMQ8450I: Display queue status details.\n   QUEUE(%s)   TYPE(QUEUE)   CURDEPTH(7)   MEDIALOG(S%07d.LOG)\n", s.queue, media)
	block("FILE /"+s.data+"/qmgrs/"+s.folder+"/errors/AMQERR01.LOG", `----- amqzmuc0.c : 1 ----------------------------------------------------------
05/27/2026 11:31:51 PM - Process(14223.1) User(%s) Program(amqzmuc0)
                    Host(%s) Installation(Installation1)
                    VRMF(9.3.0.15) QMgr(%s)
                    Time(2026-05-27T21:31:51.943Z)
                    CommentInsert1(%[3]s)
                    CommentInsert2(S0000112.LOG)

AMQ7467I: The oldest log file required to start queue manager %[3]s is
S0000112.LOG.

EXPLANATION:
Channel %s of %s.
`, s.user, s.host, s.manager, s.channel, s.queue)
	block("FILE /"+s.data+"/qmgrs/"+s.folder+"/errors/AMQERR01.json",
		`{"ibm_messageId":"AMQ9999E","host":%q,"ibm_userName":%q,"ibm_serverName":%q,"ibm_commentInsert1":%q,"message":"AMQ9999E: Channel '%s' to host '%[1]s' ended for %[2]s."}`,
		s.host, s.user, s.manager, s.channel, s.channel)
	block("HOLD holds", "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n7,2026-05-27T08:00:00Z,,,S0000110.LOG,of %s\n", s.user)
	return out.String()
}

// TestAnonymiseHostLeaksNothing: of the names of a site on Multiplatforms none
// is left, in no case of letters and not in hexadecimal; extents keep theirs.
func TestAnonymiseHostLeaksNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		text := s.transcript(t)
		first, err := read(text, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got := strings.ToUpper(written(t, anonymised(t, first)))
		for _, secret := range s.secret() {
			for _, form := range []string{strings.ToUpper(secret), strings.ToUpper(hex.EncodeToString([]byte(secret)))} {
				if at := strings.Index(got, form); at >= 0 {
					t.Fatalf("%s is left: ...%s...\nof\n%s", secret, got[max(0, at-60):min(len(got), at+60)], text)
				}
			}
		}
		for _, kept := range []string{"S0000100.LOG", "R0000099.LOG", "UOWLOG(S0000112.LOG)", "MODE(ACTIVE)", "LOGMANAGEMENT=MANUAL", "SERVICE=FILE", "999(MQM)", "-RW-RW----", "AMQHLCTL.LFH 4096 - - -"} {
			if !strings.Contains(got, kept) {
				t.Fatalf("%s is gone from\n%s", kept, got)
			}
		}
	})
}

// TestAnonymisedHostPlanIsThePlanRenamed: what is observed and decided on
// Multiplatforms is the same but for the names.
func TestAnonymisedHostPlanIsThePlanRenamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, err := read(drawSite(t).transcript(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		second, names, err := anonymise(first, []byte("a key for tests"))
		if err != nil {
			t.Fatal(err)
		}
		want, got := names.rename(reason.ReplaceAllString(hostFacts(t, first), "")), reason.ReplaceAllString(hostFacts(t, second), "")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", diff, written(t, second))
		}
	})
}

// hostFacts gives what a plan is made from, and the verdicts, as text.
func hostFacts(t *rapid.T, transcript *Transcript) string {
	got, err := observe.ReadExtents(t.Context(), transcript.Player(), transcript.Targets()[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Inventory.Segments) == 0 || len(got.Inventory.Needs) == 0 {
		t.Fatalf("nothing to plan: %+v", got.Inventory.Open)
	}
	decision := recovery.Decide([]recovery.Inventory{got.Inventory}, recovery.Promise{Strategy: recovery.Conservative})
	return fmt.Sprintf("%+v\n%+v\n%+v\n%+v", got.Inventory, got.Log, got.Extents, decision)
}

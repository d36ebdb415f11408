package ibmi

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Whatever is typed, nothing panics, and what is refused is refused with an
// escape message. The system is one that can't be written: a command that would
// change something fails there.
func FuzzCL(f *testing.F) {
	for _, seed := range []string{
		"DLTJRNRCV JRNRCV(QMTEST/AMQA*) DLTOPT(*IGNINQMSG)", "WRKJRNA JRN(QMTEST/AMQAJRN) DETAIL(*RCVDIR)", "CHGJRN QMTEST/AMQAJRN *GEN",
		"SAVOBJ OBJ(*ALL) LIB(QMTEST) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/X)", "RSTOBJ OBJ(A*) SAVLIB(X) DEV(*SAVF) OBJTYPE(*JRN) SAVF(A/B)",
		"SNDRPY X'FFFFFFFFFFFFFFFF' RPY(I)", "RMVEXITPGM QIBM_QJO_DLT_JRNRCV DRCV0100 2147483647", "RSVMQMTRN '0,1' RESOLVE(*COMMIT)",
		"DSPF '/QSYS.LIB/QMTEST.LIB/AMQJRNINF.USRSPC'", "DSPF '/../../x'", "CRTJRN A/B \"C\"/D", "CRTMQM '%'", "ENDJOB '/'", "RCDMQMIMG X(&Y)", "(",
		"GRTOBJAUT OBJ(QMTEST/AMQA*) OBJTYPE(*JRNRCV) USER(*PUBLIC) AUT(*USE *ADD)", "CHKOBJ QMTEST *LIB AUT(*EXECUTE)", "CRTUSRPRF X SPCAUT(*SAVSYS) GRPPRF(QMQMADM)", "A: B/C D(E)",
	} {
		f.Add(seed)
	}
	s := newStation(f)
	s.manager("TEST")
	s.must(s.m.Suspend(s.ctx))
	s.disk = disk.ReadOnly(s.disk)
	s.reopen()
	f.Fuzz(func(t *testing.T, text string) {
		job := *s.job
		result, err := s.m.Run(s.ctx, &job, text)
		silent := strings.Contains(strings.ToUpper(text), "CHKOBJ") // it says nothing where all is well
		if err == nil && len(result.Messages) == 0 && result.Output == "" && !silent {
			t.Errorf("%q left nothing", text)
		}
		var escaped *os400.Error
		if errors.As(err, &escaped) && (escaped.ID == "" || escaped.Text == "") {
			t.Errorf("%q: %#v", text, escaped)
		}
	})
}

// Whatever is asked, nothing panics, and what is no display is not answered.
func FuzzAsk(f *testing.F) {
	for _, seed := range [][2]string{
		{"MQSC", "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)"}, {"MQSC", "DIS QMSTATUS LOG"}, {"MQSC", "DISPLAY CONN(''')"},
		{"SQL", "QSYS2.MESSAGE_QUEUE_INFO MESSAGE_ID='AMQ7460'"}, {"SQL", "ASP_INFO"}, {"USRSPC", "QMTEST/AMQJRNINF"}, {"USRSPC", "/"},
		{"FILE", "/QIBM/UserData/mqm/mqs.ini"}, {"FILE", "../../etc"}, {"FILE", ""}, {"SPACE", "*SYSTEM"}, {"CL", "DSPMSG QSYSOPR"},
	} {
		f.Add(seed[0], seed[1])
	}
	s := newStation(f)
	s.manager("TEST")
	f.Fuzz(func(t *testing.T, language, text string) {
		q := observe.Question{Language: observe.Language(language), QueueManager: "TEST", Text: text}
		_, err := s.m.Ask(s.ctx, q)
		class, _, _ := observe.Classify(q.Language, text)
		if refused := errors.As(err, new(*observe.Refused)); refused != (class != observe.Display) {
			t.Errorf("%s is a %s: %v", q, class, err)
		}
	})
}

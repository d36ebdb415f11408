package ibmi

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
)

func TestWhatIsNotAnswered(t *testing.T) {
	s := newStation(t)
	s.manager("TEST")
	for _, test := range []struct {
		language          observe.Language
		manager, question string
		want              string // refused, unanswered, or what the body of a failure holds
	}{
		{observe.CL, "TEST", "DLTJRNRCV JRNRCV(QMTEST/AMQA000000)", "refused"},
		{observe.CL, "TEST", "CHGJRN JRN(QMTEST/AMQAJRN) JRNRCV(*GEN)", "refused"},
		{observe.CL, "TEST", "WRKJRNA JRN(QMTEST/AMQAJRN)", "refused"},
		{observe.CL, "TEST", "DSPLIB LIB(QMTEST)", "CPF0006"},
		{observe.CL, "TEST", "WRKJRNA JRN(QMTEST/NOJRN) OUTPUT(*PRINT)", "CPF9801"},
		{observe.CL, "TEST", "CALL PGM(X)", "refused"},
		{observe.MQSC, "TEST", "ALTER QMGR DESCR('x')", "refused"},
		{observe.MQSC, "NOBODY", "DISPLAY QMSTATUS", "unanswered"},
		{observe.MQSC, "test", "DISPLAY QMSTATUS", "unanswered"},
		{observe.CTL, "TEST", "dspmq", "unanswered"},
		{observe.Syslog, "TEST", "x", "unanswered"},
		{observe.Store, "TEST", "QUEUE_MANAGER='TEST'", "unanswered"},
		{observe.SQL, "TEST", "DELETE FROM X", "refused"},
		{observe.SQL, "TEST", "QSYS2.SYSCOLUMNS", "SQL0204"},
		{observe.SQL, "TEST", "SYSTOOLS.SPLIT", "SQL0204"},
		{observe.SQL, "TEST", "QSYS2.JOURNAL_INFO JOURNAL_COLOUR='RED'", "SQL0206"},
		{observe.UsrSpc, "TEST", "QMTEST/NOSPACE", "CPF9801"},
		{observe.UsrSpc, "TEST", "NOSPACE", "CPF9801"},
		{observe.File, "TEST", "/QIBM/nothing", "CPFA0A9"},
		{observe.File, "TEST", "/QSYS.LIB/QMTEST.LIB/NOSPACE.USRSPC", "CPFA0A9"},
		{observe.Space, "TEST", "IASP1", "CPF9801"},
	} {
		q := observe.Question{Language: test.language, QueueManager: test.manager, Text: test.question}
		answer, err := s.m.Ask(s.ctx, q)
		var failed *observe.Failed
		switch {
		case err == nil:
			t.Errorf("%s was answered: %s", q, answer.Body)
		case errors.As(err, new(*observe.Refused)) && test.want == "refused":
		case errors.As(err, new(*observe.NotAnswered)) && test.want == "unanswered":
		case errors.As(err, &failed) && strings.Contains(string(failed.Body), test.want):
		default:
			t.Errorf("%s: %v, not %s", q, err, test.want)
		}
	}
}

func TestAskAfterTheEnd(t *testing.T) {
	s := newStation(t)
	s.manager("TEST")
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	q := observe.Question{Language: observe.MQSC, QueueManager: "TEST", Text: "DISPLAY QMSTATUS"}
	if _, err := s.m.Ask(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	s.cl("ENDMQM TEST OPTION(*IMMED)")
	_, err := s.m.Ask(s.ctx, q)
	var failed *observe.Failed
	if !errors.As(err, &failed) || !strings.HasPrefix(string(failed.Body), "AMQ8146E: ") {
		t.Errorf("with a queue manager that has ended: %v", err)
	}
}

// Two services asked without and with their schema, and with conditions.
func TestServiceRows(t *testing.T) {
	s := newStation(t)
	test, other := s.manager("TEST"), s.manager("OTHER")
	s.must(test.DefineQueue(s.ctx, "DEEP", nil))
	s.fill(test, "DEEP", 2)
	s.fill(test, "DEEP", 0)
	for question, rows := range map[string]int{
		"QSYS2.JOURNAL_INFO":                                                      2,
		"JOURNAL_INFO JOURNAL_LIBRARY='QMTEST'":                                   1,
		"JOURNAL_INFO JOURNAL_LIBRARY='QMTEST   '":                                1,
		"JOURNAL_INFO JOURNAL_LIBRARY='qmtest'":                                   0,
		"JOURNAL_RECEIVER_INFO":                                                   len(s.receivers(test)) + len(s.receivers(other)),
		"JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='QMTEST' AND STATUS='ATTACHED'":    1,
		"JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='QMTEST' STATUS='ONLINE'":          2,
		"REMOTE_JOURNAL_INFO":                                                     0,
		"MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QMOTHER' MESSAGE_ID='AMQ7460'": 1,
		"ASP_INFO":        1,
		"USER_SPACE":      2,
		"REPLY_LIST_INFO": 0,
		"ACTIVE_JOB_INFO": 0,
	} {
		table, err := observe.ReadTable([]byte(s.ask(observe.SQL, "TEST", question)))
		s.must(err)
		if got := len(table.Rows()); got != rows {
			t.Errorf("%s: %d rows, not %d", question, got, rows)
		}
	}
}

// What has no value is null, and a size is in KB.
func TestReceiverColumns(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	s.fill(m, "DEEP", 1)
	table, err := observe.ReadTable([]byte(s.ask(observe.SQL, "TEST", "JOURNAL_RECEIVER_INFO")))
	s.must(err)
	rows := table.Rows()
	for i, r := range s.receivers(m) {
		row := rows[i]
		if got := row.Text("SIZE"); got != count(uint64(kilobytes(r.Size))) {
			t.Errorf("%s: SIZE %s of %d bytes", r.Name, got, r.Size)
		}
		for column, value := range map[string]string{
			"ATTACH_TIMESTAMP": stamp(r.Attach), "DETACH_TIMESTAMP": stamp(r.Detach), "SAVE_TIMESTAMP": "",
			"PREVIOUS_JOURNAL_RECEIVER": r.Previous.Name, "NEXT_JOURNAL_RECEIVER": r.Next.Name,
			"FIRST_SEQUENCE_NUMBER": count(r.First), "LAST_SEQUENCE_NUMBER": count(r.Last),
		} {
			if got := row.Text(column); got != value {
				t.Errorf("%s: %s %q, not %q", r.Name, column, got, value)
			}
		}
	}
}

// Sizes are in bytes for SPACE and in millions for the service.
func TestRoom(t *testing.T) {
	s := newStation(t)
	s.manager("TEST")
	s.must(s.m.System().SetCapacity(64_000_000))
	storage := s.m.System().Storage()
	if got, want := s.ask(observe.Space, "TEST", "*system"), fmt.Sprintf("size 64000000\nfree %d\n", storage.Free); got != want {
		t.Errorf("SPACE: %q, not %q", got, want)
	}
	table, err := observe.ReadTable([]byte(s.ask(observe.SQL, "TEST", "QSYS2.ASP_INFO ASP_NUMBER='1'")))
	s.must(err)
	if row := table.Rows()[0]; row.Text("TOTAL_CAPACITY") != "64" || row.Text("TOTAL_CAPACITY_AVAILABLE") != strconv.FormatInt(storage.Free/1_000_000, 10) {
		t.Errorf("ASP_INFO: %v of %+v", row, storage)
	}
}

// Questions may be asked while the queue manager works.
func TestAskingMeanwhile(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	var group sync.WaitGroup
	for _, q := range []observe.Question{
		{Language: observe.SQL, Text: "JOURNAL_RECEIVER_INFO"}, {Language: observe.MQSC, Text: "DISPLAY QMSTATUS"},
		{Language: observe.MQSC, Text: "DISPLAY CONN(*)"}, {Language: observe.UsrSpc, Text: "QMTEST/AMQJRNINF"},
		{Language: observe.SQL, Text: "MESSAGE_QUEUE_INFO"}, {Language: observe.CL, Text: "DSPMQMSTS TEST"},
	} {
		q.QueueManager = "TEST"
		group.Go(func() {
			for range 50 {
				if _, err := s.m.Ask(s.ctx, q); err != nil {
					t.Errorf("%s: %v", q, err)
				}
			}
		})
	}
	s.fill(m, "DEEP", 3)
	group.Wait()
}

// A question changes nothing: what was asked once is answered the same again.
func TestAskingChangesNothing(t *testing.T) {
	s := newStation(t)
	m := s.manager("TEST")
	s.must(m.DefineQueue(s.ctx, "DEEP", nil))
	_, err := m.Put(s.ctx, "DEEP", engine.Message{Persistent: true, Body: []byte("order")})
	s.must(err)
	for range 2 {
		before := s.ask(observe.MQSC, "TEST", "DISPLAY QSTATUS(*)") + s.ask(observe.SQL, "TEST", "MESSAGE_QUEUE_INFO")
		s.ask(observe.CL, "TEST", "WRKJRNA JRN(QMTEST/AMQAJRN) OUTPUT(*PRINT) DETAIL(*RCVDIR)")
		after := s.ask(observe.MQSC, "TEST", "DISPLAY QSTATUS(*)") + s.ask(observe.SQL, "TEST", "MESSAGE_QUEUE_INFO")
		if before != after {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	}
}

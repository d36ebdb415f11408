package observe

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

func readAll(t *testing.T, body string) ([]Receiver, error) {
	t.Helper()
	table, err := ReadTable([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return readReceivers(table, "QM1", "LIBA", "AMQAJRN")
}

const leastHeader = "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS,ATTACH_TIMESTAMP"

func TestReadReceiverStates(t *testing.T) {
	for word, want := range map[string]recovery.State{
		"ATTACHED": recovery.Current, "ONLINE": recovery.Online, "SAVED": recovery.Saved, "FREED": recovery.Freed, "PARTIAL": recovery.Partial, "EMPTY": recovery.Empty,
		"1": recovery.Current, "2": recovery.Online, "3": recovery.Saved, "4": recovery.Freed, "5": recovery.Partial, "6": recovery.Empty,
		"*SAVED": recovery.Saved, "saved": recovery.Saved, " SAVED ": recovery.Saved,
		"GESICHERT": recovery.StateUnknown, "": recovery.StateUnknown, "7": recovery.StateUnknown, "0": recovery.StateUnknown, "SAVE": recovery.StateUnknown, "ATTACHE": recovery.StateUnknown,
	} {
		receivers, err := readAll(t, leastHeader+"\nLIBA,AMQA000001,"+word+",1260527101500\n")
		if err != nil || len(receivers) != 1 || receivers[0].State != want {
			t.Errorf("%q: %+v, %v", word, receivers, err)
		}
	}
}

func TestReadReceiver(t *testing.T) {
	receivers, err := readAll(t, leastHeader+",DETACH_TIMESTAMP,SIZE,FIRST_SEQUENCE_NUMBER,LAST_SEQUENCE_NUMBER,PREVIOUS_JOURNAL_RECEIVER,NEXT_JOURNAL_RECEIVER,NEXT_JOURNAL_RECEIVER_LIBRARY\n"+
		"LIBA,AMQA000001,SAVED,1260527101500,2026-05-27-12.20.00.000000,100412,1.000,18446744073709551600,*NONE,AMQA000002,LIBB\n")
	if err != nil {
		t.Fatal(err)
	}
	r := receivers[0]
	if r.ID != (recovery.SegmentID{QueueManager: "QM1", Library: "LIBA", Name: "AMQA000001"}) || r.Status != "SAVED" ||
		r.Attach.String() != "2026-05-27 10:15:00" || r.Detach.String() != "2026-05-27 12:20:00" {
		t.Errorf("%+v", r)
	}
	if r.Bytes != 100412*1024 || r.First != 1 || r.Last != 18446744073709551600 {
		t.Errorf("SIZE is in KB: %d; sequence numbers %d to %d", r.Bytes, r.First, r.Last)
	}
	if r.Previous.Name != "" || r.Next != (recovery.SegmentID{QueueManager: "QM1", Library: "LIBB", Name: "AMQA000002"}) {
		t.Errorf("links: %+v, %+v", r.Previous, r.Next)
	}
}

func TestReadReceiversOfOneJournal(t *testing.T) {
	receivers, err := readAll(t, leastHeader+",JOURNAL_LIBRARY,JOURNAL_NAME\n"+
		"LIBA,AMQA000001,SAVED,1260527101500,LIBA,AMQAJRN\n"+
		"LIBA,AMQB000001,SAVED,no time,LIBA,AMQBJRN\n"+
		"LIBA,AMQA000003,SAVED,1260527101500,LIBB,AMQAJRN\n"+
		"LIBC,AMQA000002,SAVED,1260527101500,LIBA,AMQAJRN\n"+ // of this journal, in another library
		"LIBA,AMQA000099,EMPTY,,,\n") // of none
	if err != nil || len(receivers) != 2 || receivers[1].ID.Library != "LIBC" {
		t.Errorf("%+v, %v", receivers, err)
	}
}

func TestReadReceiversWrong(t *testing.T) {
	good := "LIBA,AMQA000001,SAVED,1260527101500"
	tests := []struct{ name, body, says string }{
		{"no attach time", leastHeader + "\n" + good + "\nLIBA,AMQA000002,SAVED,\n", "line 3: AMQA000002 has no attach time"},
		{"zeros for an attach time", leastHeader + "\nLIBA,AMQA000002,ATTACHED,0000000000000\n", "line 2: AMQA000002 has no attach time"},
		{"wrong attach time", leastHeader + "\nLIBA,AMQA000002,SAVED,1261327101500\n", "line 2: attach time of AMQA000002"},
		{"wrong detach time", leastHeader + ",DETACH_TIMESTAMP\n" + good + ",soon\n", "line 2: detach time of AMQA000001"},
		{"twice", leastHeader + "\n" + good + "\n" + good + "\n", "line 3: receiver LIBA/AMQA000001 stands in line 2 too"},
		{"no name", leastHeader + "\nLIBA,,SAVED,1260527101500\n", "line 2: \"\" in \"LIBA\" is no name"},
		{"no library", leastHeader + "\n,AMQA000001,SAVED,1260527101500\n", "is no name of a receiver"},
		{"no size", leastHeader + ",SIZE\n" + good + ",much\n", "line 2: size of AMQA000001"},
		{"negative size", leastHeader + ",SIZE\n" + good + ",-1\n", "size of AMQA000001"},
		{"size beyond all sense", leastHeader + ",SIZE\n" + good + ",1125899906842625\n", "size of AMQA000001"},
		{"broken sequence number", leastHeader + ",FIRST_SEQUENCE_NUMBER\n" + good + ",1.5\n", "AMQA000001: FIRST_SEQUENCE_NUMBER"},
		{"sequence number too large", leastHeader + ",LAST_SEQUENCE_NUMBER\n" + good + ",18446744073709551616\n", "AMQA000001: LAST_SEQUENCE_NUMBER"},
	}
	for _, test := range tests {
		if receivers, err := readAll(t, test.body); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %+v, %v", test.name, receivers, err)
		}
	}
	_, err := readAll(t, "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,STATUS\n")
	var missing *columnsMissing
	if !errors.As(err, &missing) || err.Error() != "the answer has no column ATTACH_TIMESTAMP" {
		t.Error(err)
	}
}

// What is said of saves and pools is read where it makes sense; nothing else
// hangs on it.
func TestReadSavedAndPool(t *testing.T) {
	tests := []struct {
		row   string
		saved string
		pool  int
		state recovery.State
		doubt string
	}{
		{"SAVED,2026-05-27-12.20.00,2026-05-27-23.00.00.500000,1", "2026-05-27 23:00:00.500", 1, recovery.Saved, ""},
		{"FREED,2026-05-27-12.20.00,2026-05-27-12.20.01,33", "2026-05-27 12:20:01", 33, recovery.Freed, ""},
		{"SAVED,2026-05-27-12.20.00,2026-05-27-12.20.00.900000,1", "2026-05-27 12:20:00.900", 1, recovery.Online, "SAVED at 2026-05-27 12:20:00.900, not after it was detached at 2026-05-27 12:20:00"},
		{"FREED,2026-05-27-12.20.00,,1", "", 1, recovery.Partial, "FREED without a save time"},
		{"SAVED,,2026-05-27-23.00.00,1", "2026-05-27 23:00:00", 1, recovery.Online, "SAVED at 2026-05-27 23:00:00, and nothing tells when it was detached"},
		{"SAVED,2026-05-27-12.20.00,03/12/24,1", "", 1, recovery.Online, `SAVED with the save time "03/12/24", which can't be read`},
		{"ONLINE,2026-05-27-12.20.00,03/12/24,0", "", 0, recovery.Online, ""},
		{"ONLINE,2026-05-27-12.20.00,2026-05-27-11.00.00,256", "2026-05-27 11:00:00", 0, recovery.Online, ""}, // saved while it was attached
		{"ATTACHED,,0000000000000,IASP1", "", 0, recovery.Current, ""},
	}
	for _, test := range tests {
		receivers, err := readAll(t, "JOURNAL_RECEIVER_LIBRARY,JOURNAL_RECEIVER_NAME,ATTACH_TIMESTAMP,STATUS,DETACH_TIMESTAMP,SAVE_TIMESTAMP,JOURNAL_RECEIVER_ASP_NUMBER\nLIBA,AMQA000001,1260527101500,"+test.row+"\n")
		if err != nil {
			t.Errorf("%s: %v", test.row, err)
			continue
		}
		if r := receivers[0]; r.Saved.String() != test.saved || r.ASP != test.pool || r.State != test.state || r.Doubt != test.doubt {
			t.Errorf("%s: %+v", test.row, r)
		}
	}
}

// One that was never attached needs no time.
func TestReadEmptyReceiver(t *testing.T) {
	receivers, err := readAll(t, leastHeader+"\nLIBA,AMQA000011,EMPTY,\n")
	if err != nil || len(receivers) != 1 || !receivers[0].Attach.IsZero() {
		t.Errorf("%+v, %v", receivers, err)
	}
}

package qmgr

import (
	"bytes"
	"reflect"
	"testing"
)

func TestReadIni(t *testing.T) {
	const content = "# a comment\r\nAllQueueManagers:\n   DefaultPrefix=/QIBM/UserData/mqm\r\n\n" +
		"  QueueManager:\n Name = saturn.queue.manager\n\tPrefix=/QIBM/UserData/mqm\nlibrary=QMSATURN.Q\n   Directory=saturn!queue!manager\n"
	all, err := readIni([]byte(content))
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	qm := &all[1]
	for key, want := range map[string]string{
		"Name": "saturn.queue.manager", "Library": "QMSATURN.Q", "Directory": "saturn!queue!manager", "DataPath": "",
	} {
		if got := qm.get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestBadIni(t *testing.T) {
	for content, want := range map[string]string{
		"Name=X\n":          "line 1 is neither a stanza nor a key in one",
		"Log:\n\nhello\n":   "line 3 is neither a stanza nor a key in one",
		":\n":               "line 1 is neither a stanza nor a key in one",
		"Log:\n   =value\n": "line 2 is neither a stanza nor a key in one",
	} {
		if _, err := readIni([]byte(content)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

func FuzzReadIni(f *testing.F) {
	f.Add([]byte("QueueManager:\n   Name=TEST\n   Library=QMTEST\n   Directory=TEST\n"))
	f.Add([]byte("# x\r\n  Log :\r\n LogReceiverSize = 100000\r\n"))
	f.Add([]byte("A:\nx=y=z\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		all, err := readIni(content)
		if err != nil {
			return
		}
		written := writeIni(all)
		again, err := readIni(written)
		if err != nil || !bytes.Equal(writeIni(again), written) || len(again) != len(all) {
			t.Fatalf("%q became %q, and that %v, %v", content, written, again, err)
		}
		if len(all) > 0 && !reflect.DeepEqual(all, again) {
			t.Fatalf("%#v became %#v", all, again)
		}
	})
}

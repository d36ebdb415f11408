package os400

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// large is a state with so many receivers.
func large(n int) *state {
	st := &state{
		Settings: Settings{Name: "SYS1"}, Libraries: []string{"QGPL", "QMTEST", "QSYS"},
		journals: map[ID]journal{}, locks: map[ID][]string{},
	}
	j := journal{JournalSpec: JournalSpec{ID: jrn, Threshold: 64}}
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	for i := range n {
		r := receiver{
			ID: rcv(fmt.Sprintf("AMQA%06d", i)), Journal: jrn, Number: Number{0, i + 1}, Status: Saved, Threshold: 64,
			Attach: at, Detach: at, Save: at, Associated: true, Count: 10, Counted: true, Sequence: 1, Size: 73728,
		}
		if i == n-1 {
			r.Status, j.Attached = Attached, r.ID
		}
		st.receivers.put(r)
		j.Directory = append(j.Directory, r.ID)
	}
	st.journals[jrn] = j
	return st
}

func TestStateIsReadBack(t *testing.T) {
	b := savedBench(t, 3, SaveOptions{Free: true})
	b.must(b.sys.AddRemote(jrn, Remote{ID: ID{library, "AMQBJRN"}, Active: true}))
	b.must(b.sys.AddReplyEntry(ReplyEntry{1, "CPA7025", "C"}))
	b.must(b.sys.Lock(rcv("AMQA000001"), "A/B/C"))
	content, err := b.sys.state().encode()
	b.must(err)
	st, err := decode(content)
	b.must(err)
	again, err := st.encode()
	b.must(err)
	if !bytes.Equal(content, again) {
		t.Errorf("read back as\n%s\nwritten as\n%s", again, content)
	}
}

// What breaks a rule is refused, not carried on with.
func TestBadState(t *testing.T) {
	good, err := large(3).encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new string }{
		{"cut", `"Receivers":[`, ``},
		{"a lock on nothing", `"Locks":null`, `"Locks":[{"Library":"A","Name":"B"}]`},
		{"format", `"Format":2`, `"Format":9`},
		{"two attached", `"Status":"SAVED"`, `"Status":"ATTACHED"`},
		{"none attached", `"Status":"ATTACHED"`, `"Status":"ONLINE"`},
		{"a name that leads out", `"Name":"AMQA000000","Journal"`, `"Name":"../X","Journal"`},
		{"a receiver twice", `"Name":"AMQA000000","Journal"`, `"Name":"AMQA000001","Journal"`},
		{"a file that is not free", `"Reclaim":null`, `"Reclaim":["QSYS.LIB/QMTEST.LIB/AMQA000001.JRNRCV"]`},
		{"a file that is no receiver", `"Reclaim":null`, `"Reclaim":["system.json"]`},
		{"empty directory", `"Directory":[`, `"Directory":null,"X":[`},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		st, err := decode([]byte(bad))
		if err == nil {
			err = st.check()
		}
		if err == nil || bad == string(good) {
			t.Errorf("%s: taken", c.name)
		}
	}
}

func FuzzState(f *testing.F) {
	good, err := large(3).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"Format":2,"Settings":{"Name":"SYS1"},"Journals":[{"Library":"A","Name":"B","Remote":true}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		st, err := decode(content)
		if err != nil || st.check() != nil {
			return
		}
		again, err := st.encode()
		if err != nil {
			t.Skip("a time that JSON has no form for")
		}
		if _, err := decode(again); err != nil {
			t.Fatalf("not taken back: %v\n%s", err, again)
		}
	})
}

func FuzzSaveFile(f *testing.F) {
	x := index{Library: library, Objects: []saved{{Receiver: &receiver{ID: rcv("AMQA000000")}, Size: 3}}}
	head, err := x.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(head, "abc"...))
	f.Add(head)
	f.Add([]byte("00000002 00000000\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, at, err := readIndex(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		open := &openFile{index: x, at: at, size: int64(len(b))}
		for _, i := range open.find([]string{"*ALL"}, ObjectTypes{Receivers: true, Journals: true}) {
			if s := open.section(i); s.Size() > int64(len(b)) {
				t.Fatalf("object %d has %d bytes of %d", i, s.Size(), len(b))
			}
		}
	})
}

func BenchmarkState(b *testing.B) {
	st := large(2000)
	for b.Loop() {
		content, err := st.encode()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(content)))
	}
}

func BenchmarkDecode(b *testing.B) {
	content, err := large(2000).encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := decode(content); err != nil {
			b.Fatal(err)
		}
	}
}

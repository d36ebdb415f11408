package os400

import (
	"fmt"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

var qmqmmsg = ID{library, "QMQMMSG"}

func queueBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, JournalSpec{}, Settings{})
	b.must(b.sys.CreateQueue(qmqmmsg))
	return b
}

func (b *bench) send(text string) uint64 {
	b.t.Helper()
	key, err := b.sys.Send(qmqmmsg, Message{ID: "AMQ7460", Text: text})
	b.must(err)
	return key
}

func (b *bench) wantTexts(want ...string) {
	b.t.Helper()
	all, err := b.sys.Messages(qmqmmsg)
	b.must(err)
	var got []string
	for _, m := range all {
		got = append(got, m.Text)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Fatalf("messages %q, want %q", got, want)
	}
}

func TestQueue(t *testing.T) {
	b := queueBench(t)
	b.refused(b.sys.CreateQueue(qmqmmsg), "CPF2112")
	_, err := b.sys.Messages(ID{library, "NONE"})
	b.refused(err, "CPF9801")
	_, err = b.sys.Send(ID{library, "NONE"}, Message{})
	b.refused(err, "CPF9801")
	first := b.send("one")
	second := b.send("two")
	b.wantTexts("one", "two")
	b.reopen()
	b.wantTexts("one", "two")
	b.must(b.sys.ClearQueue(qmqmmsg))
	b.wantTexts()
	b.reopen()
	third := b.send("three")
	if first >= second || second >= third {
		t.Errorf("keys %d %d %d", first, second, third)
	}
	b.wantTexts("three")
	if got := b.sys.Queues(""); fmt.Sprint(got) != "[QMTEST/QMQMMSG QSYS/QSYSOPR]" {
		t.Errorf("%v", got)
	}
}

func TestQueueKeepsTheNewest(t *testing.T) {
	b := queueBench(t)
	for i := range queueKeeps + queueSlack + 3 {
		b.send(fmt.Sprint(i))
	}
	all, err := b.sys.Messages(qmqmmsg)
	b.must(err)
	if len(all) != queueKeeps || all[0].Text != fmt.Sprint(queueSlack+3) {
		t.Errorf("%d messages from %s", len(all), all[0].Text)
	}
	b.reopen()
	again, err := b.sys.Messages(qmqmmsg)
	b.must(err)
	if len(again) != len(all) || again[0].Key != all[0].Key {
		t.Errorf("%d messages from %s", len(again), again[0].Text)
	}
}

// A message that Send acknowledged is there after a crash that tears the next
// one anywhere.
func TestTornMessage(t *testing.T) {
	for keep := int64(0); ; keep += 7 {
		b := queueBench(t)
		b.send("one")
		b.disk.Fault(func(op crashdisk.Op) error {
			if op.Kind == crashdisk.Sync {
				return crashdisk.ErrNotDone
			}
			return nil
		})
		b.send("two")
		b.disk.Fault(nil)
		length := b.disk.Unsynced()
		b.disk.CrashAfter(keep)
		b.reopen()
		if keep >= length {
			b.wantTexts("one", "two")
			return
		}
		b.wantTexts("one")
		b.send("three")
		b.wantTexts("one", "three")
		b.reopen()
		b.wantTexts("one", "three")
	}
}

func FuzzQueueFile(f *testing.F) {
	for _, text := range []string{"one", "two \xff", ""} {
		l, err := encodeLine(line{Message: Message{Key: 7, Text: text}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(append([]byte("x y\n"), l...), l[:len(l)-3]...))
	}
	f.Add([]byte("00000000 {}\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := decodeQueue(b)
		var whole []byte
		for _, m := range c.messages {
			if m.Key > c.last {
				t.Fatalf("key %d is behind the last, %d", m.Key, c.last)
			}
			l, err := encodeLine(line{Message: m})
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, l...)
		}
		again := decodeQueue(whole)
		if !again.whole || len(again.messages) != len(c.messages) {
			t.Fatalf("%d messages of %d came back", len(again.messages), len(c.messages))
		}
	})
}

package os400

import (
	"errors"
	"testing"
)

// unanswered sends an inquiry that no job waits for, as a queue manager does
// that can't write its journal.
func unanswered(b *bench) uint64 {
	b.t.Helper()
	e := NotJournaled(jrn, rcv("AMQA000000"), NoStorage, nil)
	key, err := b.sys.Send(operator, Message{ID: e.ID, Kind: Inquiry, Text: e.Text})
	b.must(err)
	return key
}

func TestReplyWithoutAJob(t *testing.T) {
	for _, reply := range []string{"R", " c"} {
		b := newBench(t, JournalSpec{}, Settings{})
		key := unanswered(b)
		other := unanswered(b)
		b.refused(b.sys.Reply(t.Context(), key, "I"), "CPF2422")
		b.must(b.sys.Reply(t.Context(), key, reply))
		b.reopen()
		b.refused(b.sys.Reply(t.Context(), key, "R"), "CPF2420")
		all, err := b.sys.Messages(operator)
		b.must(err)
		if len(all) != 3 || !all[0].Answered || all[1].Answered || all[1].Key != other || all[2].Kind != Reply || all[2].Of != key {
			t.Errorf("%+v", all)
		}
		b.refused(b.sys.Reply(t.Context(), all[2].Key, "R"), "CPF2432")
		b.must(b.sys.ClearQueue(operator))
		b.refused(b.sys.Reply(t.Context(), other, "R"), "CPF2410")
	}
}

// An I answers the question that was put and no other: while a job waits, a
// remote journal may come to lack what is to be deleted.
func TestReplyAnswersOneQuestion(t *testing.T) {
	remote := Remote{ID: ID{library, "AMQBJRN"}, Database: "BACKUP", Active: true}
	prepare := func(t *testing.T, active bool) error {
		b := newBench(t, JournalSpec{}, Settings{})
		b.must(b.sys.AddRemote(jrn, remote))
		b.fill(2)
		key := waitFor(b, "CPA7025")
		b.must(b.sys.SetRemote(jrn, remote.ID, active, 1000))
		err := b.sys.Reply(t.Context(), key, "I")
		b.want("000000O 000001O 000002A")
		return err
	}
	var e *Error
	if err := prepare(t, true); !errors.As(err, &e) || e.ID != "CPF705E" {
		t.Errorf("got %v", err)
	}
	var w *Waiting
	if err := prepare(t, false); !errors.As(err, &w) || w.Message != "CPA705E" {
		t.Errorf("got %v", err)
	}
}

// A question is not put twice, in whatever order they come.
func TestNoQuestionTwice(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	remote := Remote{ID: ID{library, "AMQBJRN"}, Database: "BACKUP", Active: true}
	b.must(b.sys.AddRemote(jrn, remote))
	b.fill(2)
	key := waitFor(b, "CPA7025")
	b.must(b.sys.SetRemote(jrn, remote.ID, false, 1000))
	var w *Waiting
	if err := b.sys.Reply(t.Context(), key, "I"); !errors.As(err, &w) {
		t.Fatalf("got %v", err)
	}
	b.reopen()
	b.must(b.sys.Reply(t.Context(), w.Key, "I"))
	b.want("000001O 000002A")
}

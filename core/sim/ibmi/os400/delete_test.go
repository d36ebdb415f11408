package os400

import (
	"errors"
	"testing"
)

// unasked deletes what no rule but a question keeps.
var unasked = DeleteOptions{IgnoreInquiry: true}

func TestWhatKeepsAReceiver(t *testing.T) {
	remote := ID{"RMTLIB", "AMQBJRN"}
	for _, c := range []struct {
		name    string
		prepare func(b *bench)
		delete  string
		options DeleteOptions
		want    string // message; empty: it goes
	}{
		{"not there", func(*bench) {}, "NONE", unasked, "CPF2105"},
		{"attached", func(*bench) {}, "AMQA000003", unasked, "CPF7022"},
		{"middle of the chain", func(*bench) {}, "AMQA000001", unasked, "CPF7021"},
		{"middle, damaged", func(b *bench) { b.must(b.sys.MarkDamaged(rcv("AMQA000001"))) }, "AMQA000001", unasked, ""},
		{"oldest", func(*bench) {}, "AMQA000000", unasked, ""},
		{"locked", func(b *bench) { b.must(b.sys.Lock(rcv("AMQA000000"), "000001/CDC/READER")) }, "AMQA000000", unasked, "CPF9803"},
		{"unlocked", func(b *bench) {
			b.must(b.sys.Lock(rcv("AMQA000000"), "000001/CDC/READER"))
			b.must(b.sys.Unlock(rcv("AMQA000000"), "000001/CDC/READER"))
		}, "AMQA000000", unasked, ""},
		{"remote active and behind", func(b *bench) { b.must(b.sys.SetRemote(jrn, remote, true, 6)) }, "AMQA000000", unasked, "CPF705E"},
		{"remote active, behind with others", func(b *bench) { b.must(b.sys.SetRemote(jrn, remote, true, 5)) }, "AMQA000000", unasked, ""},
		{"remote behind, ignored", func(b *bench) { b.must(b.sys.SetRemote(jrn, remote, true, 6)) }, "AMQA000000",
			DeleteOptions{IgnoreInquiry: true, IgnoreTargets: true}, ""},
		{"remote inactive, not asked", func(b *bench) { b.must(b.sys.SetRemote(jrn, remote, false, 6)) }, "AMQA000000", unasked, ""},
		{"exit program", func(b *bench) { b.must(b.sys.AddExit("QGPL/VETO")) }, "AMQA000000", unasked, "CPF7023"},
		{"exit program ignored", func(b *bench) { b.must(b.sys.AddExit("QGPL/VETO")) }, "AMQA000000",
			DeleteOptions{IgnoreInquiry: true, IgnoreExits: true}, ""},
		{"exit program fails", func(b *bench) { b.must(b.sys.AddExit("QGPL/FAILS")) }, "AMQA000000", unasked, "CPF7023"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.opts.Exits["QGPL/VETO"] = func(*System, Receiver) (bool, error) { return false, nil }
			b.opts.Exits["QGPL/FAILS"] = func(*System, Receiver) (bool, error) { return true, errors.New("decimal data error") }
			b.must(b.sys.AddRemote(jrn, Remote{ID: remote, Active: true}))
			b.fill(3)
			c.prepare(b)
			err := b.delete(c.delete, c.options)
			if c.want != "" {
				b.refused(err, c.want)
				b.want("000000O 000001O 000002O 000003A")
				return
			}
			b.must(err)
			if _, err := b.sys.Receiver(rcv(c.delete)); err == nil {
				t.Error("it is still there")
			}
			if _, err := b.disk.Open(b.sys.FileOf(rcv(c.delete))); err == nil {
				t.Error("its storage is not freed")
			}
		})
	}
}

// Deleting the oldest shortens a chain, deleting a damaged one breaks it
// (reference, IBM i 1.8).
func TestChains(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(5)
	b.must(b.delete("AMQA000000", unasked))
	numbers := func() (all []Number) {
		for _, r := range b.sys.Receivers(jrn) {
			all = append(all, r.Number)
		}
		return all
	}
	if got := numbers(); got[0] != (Number{0, 2}) || got[4] != (Number{0, 6}) {
		t.Errorf("%v", got)
	}
	b.must(b.sys.MarkDamaged(rcv("AMQA000003")))
	b.must(b.delete("AMQA000003", unasked))
	b.want("000001O 000002O 000004O 000005A")
	if got := numbers(); got[1] != (Number{0, 3}) || got[2] != (Number{1, 1}) || got[3] != (Number{1, 2}) {
		t.Errorf("%v", got)
	}
	if r := b.receiver("AMQA000004"); r.Previous != (ID{}) {
		t.Errorf("%+v", r)
	}
	if _, err := b.w.read(); err == nil {
		t.Error("the log is read over the break")
	}
	b.must(b.delete("AMQA000004", unasked)) // the first of its chain
	b.refused(b.delete("AMQA000002", unasked), "CPF7021")
	b.reopen()
	b.want("000001O 000002O 000005A")
}

func TestInquiryIsAnsweredByTheJob(t *testing.T) {
	for _, c := range []struct {
		name    string
		replies InquiryReply
		list    []ReplyEntry
		want    string // message; "": deleted; "wait"
	}{
		{"default", ReplyDefault, nil, ""},
		{"list says I", ReplyList, []ReplyEntry{{10, "CPA7025", "I"}}, ""},
		{"list says C first", ReplyList, []ReplyEntry{{20, "CPA7025", "I"}, {10, "CPA7025", "C"}}, "CPF7024"},
		{"list says *DFT to all", ReplyList, []ReplyEntry{{10, "*ANY", "*DFT"}}, ""},
		{"list says *RQD", ReplyList, []ReplyEntry{{10, "CPA7025", "*RQD"}}, "wait"},
		{"list has another", ReplyList, []ReplyEntry{{10, "CPA705E", "I"}}, "wait"},
		{"zero", "", nil, "wait"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.fill(2)
			for _, e := range c.list {
				b.must(b.sys.AddReplyEntry(e))
			}
			job := batch
			job.Inquiries = c.replies
			err := b.sys.DeleteReceiver(t.Context(), job, rcv("AMQA000000"), DeleteOptions{})
			var w *Waiting
			switch {
			case c.want == "wait":
				if !errors.As(err, &w) || w.Message != "CPA7025" || w.Object != rcv("AMQA000000") {
					t.Fatalf("got %v", err)
				}
			case c.want != "":
				b.refused(err, c.want)
			default:
				b.must(err)
				b.want("000001O 000002A")
			}
		})
	}
}

// waitFor deletes the oldest and gives the key of the inquiry that the job
// waits for (case 6).
func waitFor(b *bench, message string) uint64 {
	b.t.Helper()
	var w *Waiting
	if err := b.delete("AMQA000000", DeleteOptions{}); !errors.As(err, &w) || w.Message != message {
		b.t.Fatalf("got %v, want a wait for %s", err, message)
	}
	return w.Key
}

func TestWaitingJob(t *testing.T) {
	for _, reply := range []string{"I", " c ", "end"} {
		t.Run(reply, func(t *testing.T) {
			b := newBench(t, JournalSpec{}, Settings{})
			b.fill(2)
			key := waitFor(b, "CPA7025")
			b.reopen()
			if all := b.sys.Waiting(); len(all) != 1 || all[0].Key != key || all[0].Job != batch || all[0].Receiver != rcv("AMQA000000") {
				t.Fatalf("%+v", all)
			}
			if r := b.receiver("AMQA000000"); len(r.LockedBy) != 1 || r.LockedBy[0] != batch.Name {
				t.Errorf("%+v", r)
			}
			err := b.sys.DeleteReceiver(t.Context(), Job{Name: "OTHER"}, rcv("AMQA000000"), unasked)
			b.refused(err, "CPF9803")
			b.refused(b.sys.Reply(t.Context(), key, "X"), "CPF2422")
			b.refused(b.sys.Reply(t.Context(), key+100, "I"), "CPF2410")
			b.must(b.sys.ClearQueue(operator)) // the inquiry stays
			if reply == "end" {
				b.must(b.sys.EndJob(batch.Name))
			} else {
				b.must(b.sys.Reply(t.Context(), key, reply))
			}
			if len(b.sys.Waiting()) != 0 {
				t.Error("it still waits")
			}
			b.refused(b.sys.Reply(t.Context(), key, "I"), "CPF2420")
			all, err := b.sys.Messages(operator)
			b.must(err)
			if last := all[len(all)-1]; !all[0].Answered || all[0].Key != key || last.Kind != Reply || last.Of != key {
				t.Errorf("%+v", all)
			}
			if reply == "I" {
				b.want("000001O 000002A")
				return
			}
			b.want("000000O 000001O 000002A")
			if r := b.receiver("AMQA000000"); len(r.LockedBy) != 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// Both questions are put, one after the other (case 9).
func TestInactiveRemote(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	remote := Remote{ID: ID{library, "AMQBJRN"}, Database: "BACKUP", Active: true}
	b.must(b.sys.AddRemote(jrn, remote))
	if j, err := b.sys.Journal(remote.ID); err != nil || !j.Remote {
		t.Errorf("%+v, %v", j, err)
	}
	b.fill(2)
	if r := b.receiver("AMQA000002"); r.Behind {
		t.Errorf("an active one is behind: %+v", r)
	}
	b.must(b.sys.SetRemote(jrn, remote.ID, false, 4))
	b.must(b.w.put("one more"))
	if j, _ := b.sys.Journal(jrn); j.Remotes[0].Behind != 5 {
		t.Errorf("%+v", j.Remotes)
	}
	if !b.receiver("AMQA000000").Behind {
		t.Error("the oldest is complete")
	}
	key := waitFor(b, "CPA705E")
	var w *Waiting
	if err := b.sys.Reply(t.Context(), key, "I"); !errors.As(err, &w) || w.Message != "CPA7025" {
		t.Fatalf("got %v", err)
	}
	b.must(b.sys.Reply(t.Context(), w.Key, "I"))
	b.want("000001O 000002A")
	b.must(b.sys.SetRemote(jrn, remote.ID, true, 4))
	b.refused(b.delete("AMQA000001", unasked), "CPF705E")
	b.must(b.sys.Tick(t.Context()))
	if j, _ := b.sys.Journal(jrn); j.Remotes[0].Behind != 0 {
		t.Errorf("%+v", j.Remotes)
	}
	b.must(b.delete("AMQA000001", unasked))
	b.must(b.sys.RemoveRemote(jrn, remote.ID))
	if _, err := b.sys.Journal(remote.ID); err == nil {
		t.Error("the remote journal is still known")
	}
}

func TestRemove(t *testing.T) {
	b := newBench(t, JournalSpec{}, Settings{})
	b.fill(3)
	b.must(b.sys.Remove(rcv("AMQA000001")))
	b.want("000000O 000002O 000003A")
	b.refused(b.sys.Remove(rcv("AMQA000003")), "CPF7022")
	b.refused(b.sys.Remove(rcv("AMQA000001")), "CPF9801")
	if _, ok := b.sys.Holding(jrn, b.receiver("AMQA000000").End); ok {
		t.Error("something holds what is gone")
	}
}

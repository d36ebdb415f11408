package os400

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMessageTable(t *testing.T) {
	if !slices.IsSortedFunc(rows, func(a, b row) int { return strings.Compare(a.id, b.id) }) {
		t.Error("it is not sorted")
	}
	id := regexp.MustCompile(`^(CP[AFI][0-9A-F]{4}|SIM\d{4})$`)
	for i, r := range rows {
		switch {
		case !id.MatchString(r.id), i > 0 && rows[i-1].id == r.id:
			t.Errorf("%s can't be an id there", r.id)
		case r.text == "" || r.source == "":
			t.Errorf("%s lacks a text or a source", r.id)
		case strings.HasPrefix(r.id, "CPA") != (r.reply != ""):
			t.Errorf("%s: inquiries have a default reply, and no others", r.id)
		case r.reply != "" && !slices.Contains(replies[r.id], r.reply):
			t.Errorf("%s: it does not take its default reply %s", r.id, r.reply)
		case strings.HasPrefix(r.id, "SIM") != strings.HasPrefix(r.source, "ours"):
			t.Errorf("%s: an id of our own is SIMnnnn, and no other is", r.id)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, c := range []struct {
		err  *Error
		want string
	}{
		{Escape("CPF7022", rcv("AMQA000001")), "CPF7022: Receiver AMQA000001 in QMTEST not deleted: it is attached to a journal."},
		{Escape("CPF9810", ID{Name: "LIB"}), "CPF9810: Library LIB not found."},
		{Escape("CPF3773", ID{}, Counted(1, "object"), 1, "LIB", "A"), "CPF3773: 1 object restored. 1 not restored to LIB, they are there: A."},
		{
			NotJournaled(jrn, ID{"L", "R"}, NoStorage, errors.New("the disk's own words")),
			"CPA7090: Entry not journaled to journal AMQAJRN in QMTEST, receiver R in L. Reason code 1: there is no storage left. (C R)",
		},
		{
			NotJournaled(jrn, ID{"L", "R"}, SequenceUsedUp, nil),
			"CPA7090: Entry not journaled to journal AMQAJRN in QMTEST, receiver R in L. Reason code 4: the sequence number is at its maximum. (C R)",
		},
	} {
		if c.err.Error() != c.want {
			t.Errorf("got  %s\nwant %s", c.err, c.want)
		}
	}
	e := Escape("CPF7023", rcv("A"), fs.ErrPermission)
	if !errors.Is(e, fs.ErrPermission) || !strings.Contains(e.Error(), "permission") {
		t.Errorf("the cause is lost: %v", e)
	}
}

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
	id := regexp.MustCompile(`^CP[AFI][0-9A-F]{4}$`)
	for i, r := range rows {
		switch {
		case !id.MatchString(r.id), i > 0 && rows[i-1].id == r.id:
			t.Errorf("%s can't be an id there", r.id)
		case r.text == "" || r.source == "":
			t.Errorf("%s lacks a text or a source", r.id)
		case strings.HasPrefix(r.id, "CPA") != (r.reply != ""):
			t.Errorf("%s: inquiries have a default reply, and no others", r.id)
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
		{Escape("CPF3773", ID{}, 2, 1, "LIB"), "CPF3773: 2 objects restored. 1 not restored to LIB."},
		{Escape("CPA7090", jrn, 4, "", "", "", "", "R", "L"), "CPA7090: Entry not journaled to journal AMQAJRN in QMTEST, receiver R in L. Reason code 4. (C R)"},
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

package os400

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

// An inquiry takes its default reply.
func TestDefaultReplies(t *testing.T) {
	for id, allowed := range replies {
		if reply := wording.Of(id).Reply; !slices.Contains(allowed, reply) {
			t.Errorf("%s does not take its default reply %q", id, reply)
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

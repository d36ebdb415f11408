package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/recovery"
)

// An extent has no library and no attach and detach times: its number is its
// first and last entry. Of one name there may be one in each incarnation of the
// log, and of that one content.
func TestExtentsOfTwoIncarnations(t *testing.T) {
	for name, way := range encodings {
		t.Run(name, func(t *testing.T) {
			d := newStore(t, func(s *Settings) { s.Compress = way.compress })
			seven := func(incarnation string) Facts {
				return Facts{First: "7", Last: "7", Incarnation: incarnation, Mode: "0660", Owner: "mqm", Group: "mqm"}
			}
			before := "ORDERS_2024-01-09_12.00.00 2024-01-09 12:00:01 /var/mqm/log/ORDERS/active/"
			contents := map[string]string{before: "one", "ORDERS_2026-05-01_08.00.00 " + strings.Repeat("/longer", 200): "another", "": "of nobody knows when"}
			for incarnation, content := range contents {
				c := way.put(t, d, extent("S0000007.LOG"), seven(incarnation), []byte(content))
				if c.Incarnation != incarnation || c.From != "7" || c.To != "7" {
					t.Errorf("%+v", c)
				}
			}
			copies, problems := listed(d, "ORDERS")
			if len(copies) != len(contents) || len(problems) != 0 {
				t.Fatalf("%+v, %v", copies, problems)
			}
			for _, c := range copies {
				got, err := restored(d, c)
				if string(got) != contents[c.Incarnation] || err != nil || d.Verify(t.Context(), c) != nil {
					t.Errorf("%q: %q, %v", c.Incarnation, got, err)
				}
			}
			for e := range d.Entries(t.Context(), "ORDERS") {
				if diff := cmp.Diff([]string{"0660", "mqm", "mqm"}, []string{e.Manifest.Mode, e.Manifest.Owner, e.Manifest.Group}); diff != "" {
					t.Error(diff)
				}
			}
			_, err := d.Put(t.Context(), extent("S0000007.LOG"), seven(before), strings.NewReader("one and more"))
			is(t, err, ErrDiffers)
			if again := put(t, d, extent("S0000007.LOG"), seven(before), []byte("one")); again.Incarnation != before {
				t.Errorf("%+v", again)
			}
		})
	}
}

// Copies that know of no incarnation stay under the names that they have had
// since before there was one; a receiver is told by its times, and is no other
// one with it.
func TestNamesOfFilesStay(t *testing.T) {
	old := Manifest{QueueManager: "ORDERS", Segment: "S0000007.LOG", First: "7", Last: "7"}
	receiver := Manifest{QueueManager: "ORDERS", Library: "QMORDERS", Segment: "AMQA000007", Opened: facts().Opened, Closed: facts().Closed}
	now, named := old, receiver
	now.Incarnation, named.Incarnation = "ORDERS_1", "ORDERS_1"
	const oldPath = "ORDERS.qm/=.S0000007=2ELOG.=.5860F667E744383F.json"
	const receiverPath = "ORDERS.qm/QMORDERS.AMQA000007.20260527122000.3DD46BE6BA4BCEA7.json"
	if old.identity().manifestPath() != oldPath || receiver.identity().manifestPath() != receiverPath || named.identity().manifestPath() != receiverPath {
		t.Errorf("%s, %s, %s", old.identity().manifestPath(), receiver.identity().manifestPath(), named.identity().manifestPath())
	}
	if now.identity().stem() == old.identity().stem() {
		t.Error("an extent is the same one in another incarnation")
	}
}

// Only what may hold log records is an extent (case 13).
func TestWhatIsNoExtent(t *testing.T) {
	for _, name := range []string{
		"R0000007.LOG", "amqhlctl.lfh", "nativeha.ini", "S000007.LOG", "S00000007.LOG", "s0000007.log", "S0000007.LOG.Z", "xS0000007.LOG", "S0000007.LOG\n",
		"S000000٧.LOG", "S-000001.LOG",
	} {
		d := newStore(t)
		_, err := d.Put(t.Context(), extent(name), Facts{}, strings.NewReader("content"))
		is(t, err, ErrSegment)
	}
	for _, state := range []recovery.State{recovery.Current, recovery.Reuse} {
		s := extent("S0000007.LOG")
		s.State = state
		_, err := newStore(t).Put(t.Context(), s, Facts{}, strings.NewReader("content"))
		is(t, err, ErrSegment)
	}
	for _, incarnation := range []string{" ORDERS", "a\x00b", strings.Repeat("x", longestIncarnation+1), "\xff"} {
		_, err := newStore(t).Put(t.Context(), extent("S0000007.LOG"), Facts{Incarnation: incarnation}, strings.NewReader("content"))
		is(t, err, ErrSegment)
	}
}

// At the wrap the numbers come again after 9999999 (case 17): the store keeps
// each by its name and takes no order from it.
func TestExtentsAtTheWrap(t *testing.T) {
	d := newStore(t, compressing)
	for _, number := range []string{"9999998", "9999999", "0000000", "0000001"} {
		put(t, d, extent("S"+number+".LOG"), Facts{First: number, Last: number, Incarnation: "ORDERS_1"}, []byte(number))
	}
	copies, problems := listed(d, "ORDERS")
	if len(copies) != 4 || len(problems) != 0 {
		t.Errorf("%+v, %v", copies, problems)
	}
	for _, c := range copies {
		if got, err := restored(d, c); err != nil || !bytes.Contains([]byte(c.Segment.Name), got) {
			t.Errorf("%s holds %q, %v", c.Segment, got, err)
		}
	}
}

package wording

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	form     = regexp.MustCompile(`^(AMQ\d{4}|CP[ACDFI][0-9A-F]{4}|SIM\d{4})$`)
	variable = regexp.MustCompile(`&(\d+)`)
)

// Each id stands once, in order, and says where it is from; a row with named
// variables uses no others.
func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(Table, func(a, b Message) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the table is not sorted by id")
	}
	for i, m := range Table {
		if i > 0 && Table[i-1].ID == m.ID {
			t.Errorf("%s stands twice", m.ID)
		}
		if !form.MatchString(m.ID) || m.Text == "" || m.Source == "" {
			t.Errorf("%+v", m)
		}
		if m.Verified && (strings.Contains(m.Source, "memory") || strings.HasPrefix(m.ID, "SIM")) {
			t.Errorf("%s: verified, by %q", m.ID, m.Source)
		}
		if strings.HasPrefix(m.ID, "CPA") != (m.Reply != "") {
			t.Errorf("%s: an inquiry has a default reply, nothing else has: %q", m.ID, m.Reply)
		}
		for _, found := range variable.FindAllStringSubmatch(m.Text+m.Old, -1) {
			if n := 0; len(m.Variables) > 0 {
				if _, err := fmt.Sscan(found[1], &n); err != nil || n < 1 || n > len(m.Variables) {
					t.Errorf("%s has no variable %s", m.ID, found[0])
				}
			}
		}
	}
}

func TestFill(t *testing.T) {
	m := Message{Text: "&1 of &10, not &2."}
	if got := m.Fill("a", "&1", 3, 4, 5, 6, 7, 8, 9, "ten"); got != "a of ten, not &1." {
		t.Error(got)
	}
}

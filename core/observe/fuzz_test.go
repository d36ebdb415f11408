package observe

import (
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

func FuzzReadTable(f *testing.F) {
	for _, body := range full().answers {
		f.Add([]byte(body))
	}
	f.Add([]byte("A,B\n\"1,\n2\",3\n"))
	f.Add([]byte("\xef\xbb\xbfA\r\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		table, err := ReadTable(body)
		if err != nil {
			return
		}
		last := 0
		for _, row := range table.Rows() {
			if row.Line <= last || len(row.cells) != len(table.columns) {
				t.Errorf("line %d after %d, %d cells in %d columns", row.Line, last, len(row.cells), len(table.columns))
			}
			last = row.Line
			for column := range table.columns {
				row.Text(column)
			}
		}
	})
}

func FuzzParseStamp(f *testing.F) {
	for _, text := range []string{"2026-05-27-13.59.00.000000", "20260527140535123", "1260527140535", "19991231235959999", "0000000000000", "2026-05-27T13:59:00,5", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stamp, err := ParseStamp(text)
		if err != nil {
			if !stamp.IsZero() {
				t.Errorf("%q: an error and %v", text, stamp)
			}
			return
		}
		again, err := ParseStamp(stamp.Format("2006-01-02-15.04.05.000000000"))
		if err != nil || !again.Equal(stamp.Time) {
			t.Errorf("%q is %v, read again %v, %v", text, stamp.Time, again.Time, err)
		}
	})
}

func FuzzParseUserSpace(f *testing.F) {
	for _, body := range []string{"AMQA000008QMMP1     20030527140535123", "**********LIBA      20260401080000000\n", ebcdicOf("AMQA000008QMSATURN.Q20260527140535123"), "          LIBA      20260401080000000", ""} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := parseUserSpace(body)
		if err != nil {
			return
		}
		if m.entry.IsZero() || m.gone && m.name != "" || m.name != "" && !objectName(m.name) || m.library != "" && !objectName(m.library) {
			t.Errorf("%q: %+v", body, m)
		}
	})
}

func FuzzMessageMark(f *testing.F) {
	f.Add("AMQA000008LIBA      20260527140535123", "journal information", "")
	f.Add("", "entry 2026-03-06 19.40.03, receiver AMQA000043 in QMPAYROLL", "")
	f.Add("**********LIBA      20260401080000000", "", "********** is gone")
	f.Add("1260527140535", "AMQA000008", "AMQA000009")
	f.Fuzz(func(t *testing.T, tokens, text, second string) {
		m, err := message{startupMessage, at("12:00:00"), rowOf(tokens, text, second)}.mark("LIBA")
		if err != nil {
			return
		}
		if m.name == "" && m.entry.IsZero() || m.gone && m.name != "" || m.library != "" && !objectName(m.library) {
			t.Errorf("%q, %q, %q: %+v", tokens, text, second, m)
		}
	})
}

// FuzzReadJournal gives a good system one answer of any bytes: it never
// panics, the attached receiver and unknown ones never go, nothing goes past
// one that stays, and nothing at all when anything was left open.
func FuzzReadJournal(f *testing.F) {
	keys := []string{"ini", "journal", "receivers", "space", "space again", "messages", "operator", "status", "remote", "store", "holds", "history"}
	for i, key := range keys {
		for _, s := range []*system{full(), bare(), archived()} {
			f.Add(uint8(i), []byte(s.answers[key]))
		}
	}
	f.Add(uint8(6), []byte(operatorHeader+"QSYS,QSYSOPR,CPA7090,INQUIRY,2026-05-27-18.00.00,0A,,1/QMQM/X,AMQAJRN in LIBA. Reason code 1,AMQAJRN   LIBA\nQSYS,QSYSOPR,CPA7025,,2026-05-27-18.00.00,0B,0A,,,AMQA000009LIBA\n"))
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		for name, s := range systems() {
			facts := s.with(keys[int(which)%len(keys)], string(body)).read(t)
			worst, _ := finding.Worst(facts.Inventory.Open)
			for _, strategy := range strategies {
				manager := recovery.Decide([]recovery.Inventory{facts.Inventory}, recovery.Promise{Strategy: strategy, Unsaved: recovery.DeleteUnsaved}).Managers[0]
				stopped := false
				for i, v := range manager.Verdicts {
					segment := manager.Inventory.Segments[i]
					if !v.Kind.Goes() {
						stopped = stopped || segment.State != recovery.Absent && segment.State != recovery.Empty
						continue
					}
					if worst == finding.Critical || stopped || segment.State == recovery.Current || segment.State == recovery.StateUnknown || segment.State == recovery.Absent {
						t.Errorf("%s, %s: %s goes, which is %s; open %v", name, strategy, segment.ID, segment.State, facts.Inventory.Open)
					}
				}
			}
		}
	})
}

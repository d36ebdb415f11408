package qsg

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// The kinds of samples that concern groups (HISTORY, KIND). LIBRARY holds the
// structure, SEGMENT the owner of the data set, POSITION the value.
const (
	UsedBlocks    = "smds-used"      // data blocks that hold messages
	TotalBlocks   = "smds-total"     // data blocks
	AllocatedSize = "smds-allocated" // bytes, as the catalog says
	ExtentCount   = "smds-extents"
	StructureUsed = "structure-used" // per cent
	BackupSize    = "backup-size"    // MB
)

// hostTable asks the host one of its questions. No block is no rows; what can't
// be read is a finding, and no rows.
func (r *reader) hostTable(language observe.Language, name, question string, columns ...string) []observe.Row {
	body, err := r.ask(language, name, question)
	if err == nil && strings.TrimSpace(string(body)) == "" {
		return nil
	}
	var t *observe.Table
	if err == nil {
		t, err = observe.ReadTable(body)
	}
	if err == nil {
		if missing := t.Missing(columns...); len(missing) > 0 {
			err = fmt.Errorf("the columns %s are missing", strings.Join(missing, ", "))
		}
	}
	if err != nil {
		r.open(finding.FactsUnreadable, "%s %s: %s: %v", language, name, question, err)
		return nil
	}
	return t.Rows()
}

// readNotes reads what the site's own jobs did, on the group and on its members.
func (r *reader) readNotes() {
	for _, name := range append([]string{r.target.Name}, r.names()...) {
		for _, row := range r.hostTable(observe.Note, name, observe.NotesQuestion, "ID", "AT", "KIND") {
			at, err := time.Parse(time.RFC3339Nano, row.Text("AT"))
			if err != nil {
				r.open(finding.FactsUnreadable, "note of %s in line %d: %q is no time with an offset", name, row.Line, row.Text("AT"))
				continue
			}
			r.group.Notes = append(r.group.Notes, Note{
				On: name, ID: row.Text("ID"), Kind: strings.ToLower(row.Text("KIND")), At: at,
				Segment: strings.ToUpper(row.Text("SEGMENT")), Position: strings.ToUpper(row.Text("POSITION")),
				Text: row.Text("TEXT"), Line: row.Line,
			})
		}
	}
}

// readHistory reads what earlier runs saw of the group.
func (r *reader) readHistory() {
	for _, row := range r.hostTable(observe.History, r.target.Name, observe.SegmentsQuestion, "AT", "KIND", "SEGMENT") {
		at, err := time.Parse(time.RFC3339Nano, row.Text("AT"))
		if err != nil {
			r.open(finding.FactsUnreadable, "history in line %d: %q is no time with an offset", row.Line, row.Text("AT"))
			continue
		}
		r.group.History = append(r.group.History, Sample{
			At: at, Kind: strings.ToLower(row.Text("KIND")), Structure: strings.ToUpper(row.Text("LIBRARY")),
			Owner: strings.ToUpper(row.Text("SEGMENT")), Value: numberOf(row.Text("POSITION")),
		})
	}
	slices.SortStableFunc(r.group.History, func(a, b Sample) int { return a.At.Compare(b.At) })
}

// Series gives the samples of one kind of a structure, or of the data set that a
// member owns, oldest first.
func (g *Group) Series(kind, structure, owner string) []Sample {
	var found []Sample
	for _, s := range g.History {
		if s.Kind == kind && s.Structure == structure && s.Owner == owner && s.Value.Known {
			found = append(found, s)
		}
	}
	return found
}

package observe

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Table is the answer to an SQL question: CSV with a header of column names,
// in any order, more or fewer than were expected.
type Table struct {
	columns map[string]int
	rows    [][]string
	lines   []int // of each row in the answer, from 1
}

// Row is one row of a table.
type Row struct {
	table *Table
	cells []string
	Line  int // in the answer, from 1
}

// ReadTable reads such an answer. A row with more or fewer cells than the
// header, a column without a name or one that stands twice, or text without a
// header is an error that names the line: half an answer is none.
func ReadTable(body []byte) (*Table, error) {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the answer is empty: not even a header")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	t := &Table{columns: make(map[string]int, len(header))}
	for i, name := range header {
		name = strings.ToUpper(strings.TrimSpace(name))
		if name == "" {
			return nil, fmt.Errorf("line 1: column %d has no name", i+1)
		}
		if _, twice := t.columns[name]; twice {
			return nil, fmt.Errorf("line 1: column %s stands twice", name)
		}
		t.columns[name] = i
	}
	return t, t.readRows(reader)
}

func (t *Table) readRows(reader *csv.Reader) error {
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a row: %w", err)
		}
		line, _ := reader.FieldPos(0)
		t.rows = append(t.rows, cells)
		t.lines = append(t.lines, line)
	}
}

// Has tells whether the table has a column, by its long or its system name.
func (t *Table) Has(column string) bool {
	_, ok := t.column(column)
	return ok
}

// Missing gives those of the columns that the table lacks.
func (t *Table) Missing(columns ...string) []string {
	var missing []string
	for _, column := range columns {
		if !t.Has(column) {
			missing = append(missing, column)
		}
	}
	return missing
}

// Rows gives all rows, in the order of the answer.
func (t *Table) Rows() []Row {
	rows := make([]Row, len(t.rows))
	for i := range t.rows {
		rows[i] = Row{t, t.rows[i], t.lines[i]}
	}
	return rows
}

func (t *Table) column(name string) (int, bool) {
	if i, ok := t.columns[name]; ok {
		return i, true
	}
	system, ok := systemNames[name]
	if !ok {
		return 0, false
	}
	i, ok := t.columns[system]
	return i, ok
}

// Get gives a cell without surrounding blanks, and false when the table has
// no such column or the cell is null: empty, NULL, or a lone dash as the
// interactive SQL of IBM i prints it.
func (r Row) Get(column string) (string, bool) {
	i, ok := r.table.column(column)
	if !ok {
		return "", false
	}
	cell := strings.TrimSpace(r.cells[i])
	if cell == "" || cell == "-" || strings.EqualFold(cell, "NULL") {
		return "", false
	}
	return cell, true
}

// Text gives a cell as Get does, or the empty string.
func (r Row) Text(column string) string {
	cell, _ := r.Get(column)
	return cell
}

// Raw gives a cell as it stands, blanks included: the substitution data of a
// message has fixed columns.
func (r Row) Raw(column string) string {
	if i, ok := r.table.column(column); ok {
		return r.cells[i]
	}
	return ""
}

// Is tells whether a cell says the value; a table without the column does
// not contradict. Answers are not filtered, so who asks takes the rows it
// asked for.
func (r Row) Is(column, value string) bool {
	cell, ok := r.Get(column)
	return !ok && !r.table.Has(column) || cell == value
}

// systemNames maps the long column names that are used here to the system
// column names of the same views (Db2 for i services, reference IBM i 3.7).
var systemNames = map[string]string{
	"JOURNAL_NAME":             "JRNNAME",
	"JOURNAL_LIBRARY":          "SYS_DNAME",
	"JOURNAL_RECEIVER_LIBRARY": "JRNRCV_LIB",
	"JOURNAL_RECEIVER_NAME":    "JRNRCV",
}

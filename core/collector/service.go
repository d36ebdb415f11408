package collector

import (
	"strings"
)

// kind says how a column of a service becomes a cell of a CSV answer. In each
// kind NULL is an empty cell.
type kind uint8

const (
	text   kind = iota // an object name or a word, in double quotes
	prose              // text of a message: line ends become blanks
	tokens             // substitution data, perhaps without a character set
	number             // as it is
	stamp              // 2026-05-27-13.59.00.000000, whatever DATFMT says
)

// column is one column of a service.
type column struct {
	name string
	kind kind
}

// typed makes columns of one kind from their names.
func typed(k kind, names string) []column {
	var columns []column
	for name := range strings.FieldsSeq(names) {
		columns = append(columns, column{name, k})
	}
	return columns
}

// expression gives the SQL that makes the cell. Message texts are UTF-16 in
// the services; U+000A and U+000D in them would end the line of the CSV.
func (c column) expression() string {
	switch c.kind {
	case number:
		return "COALESCE(VARCHAR(" + c.name + "), '')"
	case stamp:
		return "COALESCE(VARCHAR(CAST(" + c.name + " AS TIMESTAMP)), '')"
	case prose:
		return quoted(oneLine("CAST(" + c.name + " AS VARGRAPHIC(3000) CCSID 1200)"))
	case tokens:
		return quoted(oneLine("CAST(CAST(" + c.name + " AS VARCHAR(512) CCSID 37) AS VARGRAPHIC(512) CCSID 1200)"))
	default:
		return quoted("RTRIM(" + c.name + ")")
	}
}

func quoted(value string) string {
	return `COALESCE('"' CONCAT REPLACE(` + value + `, '"', '""') CONCAT '"', '')`
}

func oneLine(value string) string {
	return "REPLACE(REPLACE(" + value + ", UX'000A', UX'0020'), UX'000D', UX'0020')"
}

// header gives the first line of the CSV answer.
func header(columns []column) string { return strings.Join(names(columns), ",") }

func names(columns []column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name
	}
	return list
}

// row gives the SQL that makes one line of the answer, a piece for each
// column.
func row(columns []column) string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.expression()
	}
	return strings.Join(cells, "\n CONCAT ',' CONCAT ")
}

// without gives the columns but some: those that an older level lacks.
func without(columns []column, missing string) []column {
	var rest []column
	for _, c := range columns {
		if !strings.Contains(" "+missing+" ", " "+c.name+" ") {
			rest = append(rest, c)
		}
	}
	return rest
}

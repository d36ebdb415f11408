package collector

import "strings"

// kind says how a column of a service becomes a cell of a CSV answer. In each
// kind NULL is an empty cell. Letter is its mark in the script, which has a
// column as T<NAME>T and puts Open and Close in place of the marks: written
// out for every column the script would be too long to be read.
type kind struct{ Letter, Open, Close string }

// Message texts are UTF-16 in the services; U+000A and U+000D in them would
// end the line of the CSV.
const (
	inQuotes  = `COALESCE('"' CONCAT REPLACE(`
	outQuotes = `, '"', '""') CONCAT '"', '')`
	inLine    = `REPLACE(REPLACE(`
	outLine   = `, UX'000A', UX'0020'), UX'000D', UX'0020')`
)

var (
	// text is an object name or a word, in double quotes.
	text = kind{"T", inQuotes + "RTRIM(", ")" + outQuotes}
	// prose is text of a message: line ends become blanks.
	prose = kind{"P", inQuotes + inLine + "CAST(", " AS VARGRAPHIC(3000) CCSID 1200)" + outLine + outQuotes}
	// tokens is substitution data, perhaps without a character set.
	tokens = kind{
		"K", inQuotes + inLine + "CAST(CAST(",
		" AS VARCHAR(512) CCSID 37) AS VARGRAPHIC(512) CCSID 1200)" + outLine + outQuotes,
	}
	// number is a number as it is.
	number = kind{"N", "COALESCE(VARCHAR(", "), '')"}
	// stamp is 2026-05-27-13.59.00.000000, whatever DATFMT says.
	stamp = kind{"S", "COALESCE(VARCHAR(CAST(", " AS TIMESTAMP)), '')"}

	// key is a binary key, in hexadecimal digits.
	key = kind{"H", "COALESCE(HEX(", "), '')"}

	kinds = []kind{text, number, stamp, prose, tokens, key}
)

// Between two cells of a line stands a comma; in the script a plus.
const (
	shortComma = " + "
	comma      = " CONCAT ',' CONCAT "
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

func concat(lists ...[]column) []column {
	var all []column
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
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

// row gives what makes one line of the answer, as the script has it.
func row(columns []column) string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.kind.Letter + "<" + c.name + ">" + c.kind.Letter
	}
	return strings.Join(cells, shortComma)
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

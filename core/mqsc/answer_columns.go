package mqsc

import (
	"regexp"
	"strings"
)

// secondColumn is where runmqsc begins the second attribute of a line, in
// characters from 0. The first begins behind three blanks; one that does not
// fit in front of the second stands alone.
const secondColumn = 43

// cell is an attribute that fills its column: whatever is between its first
// bracket and its last is the value.
var cell = regexp.MustCompile(`^([A-Z][A-Z0-9]+)(?:\((.*)\))?$`)

// another is what within a value may be the next attribute.
var another = regexp.MustCompile(`\)[ \t]+[A-Z][A-Z0-9]+\(`)

// scanColumns reads a line of runmqsc by its columns. Values are printed
// without quotes, so a text such as DESCR(Orders :-)) holds brackets that no
// other reading can pair.
func scanColumns(line string) run {
	text, indented := strings.CutPrefix(line, "   ")
	if !indented || strings.HasPrefix(text, " ") {
		return run{}
	}
	var attributes []Attribute
	ok := false
	if runes := []rune(line); len(runes) > secondColumn && runes[secondColumn-1] == ' ' && runes[secondColumn] != ' ' {
		attributes, ok = cells(string(runes[3:secondColumn]), string(runes[secondColumn:]))
	}
	if !ok && !another.MatchString(text) {
		attributes, ok = cells(text)
	}
	if !ok {
		return run{}
	}
	return run{attributes: attributes, ending: closed}
}

// cells reads attributes that fill their columns.
func cells(texts ...string) ([]Attribute, bool) {
	var attributes []Attribute
	for _, text := range texts {
		text = strings.TrimRight(text, " \t")
		parts := cell.FindStringSubmatchIndex(text)
		if parts == nil {
			return nil, false
		}
		attribute := Attribute{Name: text[parts[2]:parts[3]], Bare: parts[4] < 0}
		if !attribute.Bare {
			attribute.Value = strings.Trim(text[parts[4]:parts[5]], " \t")
		}
		attributes = append(attributes, attribute)
	}
	return attributes, true
}

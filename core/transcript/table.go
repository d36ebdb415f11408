package transcript

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
)

// column says how the cells under a column name are anonymised.
type column uint8

const (
	plainColumn    column = iota // numbers, times, known values; any other word is taken for a name
	nameColumn                   // one name
	pieceColumn                  // name of a log piece
	textColumn                   // free text that programs filled
	personalColumn               // what people wrote
	jobColumn                    // 123456/USER/JOB
	programColumn                // one of the product's stays
	digestColumn                 // hexadecimal digits, which name nobody
)

// columns are those whose last word does not say what they hold.
var columns = map[string]column{
	"JOURNAL_RECEIVER_NAME": pieceColumn, "ATTACHED_JOURNAL_RECEIVER_NAME": pieceColumn,
	"PREVIOUS_JOURNAL_RECEIVER": pieceColumn, "NEXT_JOURNAL_RECEIVER": pieceColumn, "SEGMENT": pieceColumn,
	"LIBRARY": nameColumn, "QUEUE_MANAGER": nameColumn, "STORE": nameColumn,
	"JOURNAL_NAME": nameColumn, "SOURCE_JOURNAL": nameColumn, "REMOTE_JOURNAL": nameColumn,
	"REMOTE_DATABASE_NAME": nameColumn, "RDB_NAME": nameColumn, "DEVICE_DESCRIPTION_NAME": nameColumn,
	"MESSAGE_QUEUE": nameColumn, "MESSAGE_QUEUE_NAME": nameColumn,
	"HOST_NAME": nameColumn, "USER_NAME": nameColumn, "AUTHORIZATION_NAME": nameColumn, "JOURNAL_ASPGRP": nameColumn,
	"FROM_JOB": jobColumn, "JOB_NAME": jobColumn,
	"MESSAGE_TOKENS": textColumn, "REASON": personalColumn, "TEXT": personalColumn, "JOURNAL_TEXT": personalColumn, "DESCRIPTIVE_TEXT": personalColumn,
	"FROM_PROGRAM": programColumn, "SHA256": digestColumn, "MESSAGE_KEY": digestColumn, "ASSOCIATED_MESSAGE_KEY": digestColumn,
}

// columnSuffixes are the last words that do.
var columnSuffixes = []struct {
	suffix string
	kind   column
}{
	{"_LIBRARY", nameColumn}, {"_SYSTEM", nameColumn}, {"_USER", nameColumn}, {"_ASP_NAME", nameColumn},
	{"_ASP_GROUP", nameColumn}, {"_TEXT", textColumn},
}

func columnOf(name string) column {
	name = strings.ToUpper(strings.TrimSpace(name))
	if kind, ok := columns[name]; ok {
		return kind
	}
	for _, s := range columnSuffixes {
		if strings.HasSuffix(name, s.suffix) {
			return s.kind
		}
	}
	return plainColumn
}

// table rewrites a CSV answer cell by cell. The first line names the columns.
func (s *scrubber) table(body []byte) ([]byte, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return body, nil
	}
	r := csv.NewReader(bytes.NewReader(body))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("not CSV, so names in it cannot be found: %w", err)
	}
	kinds := make([]column, len(rows[0]))
	for i, name := range rows[0] {
		kinds[i] = columnOf(name)
		if kinds[i] == plainColumn && !columnNames[strings.ToUpper(strings.TrimSpace(name))] {
			rows[0][i] = s.words(name, lenient)
		}
	}
	for _, row := range rows[1:] {
		for i := range row {
			kind := plainColumn
			if i < len(kinds) {
				kind = kinds[i]
			}
			row[i] = s.cell(kind, row[i])
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// digest is a hash, or a key of a message: at least four bytes.
var digest = regexp.MustCompile(`^(0[xX])?[0-9A-Fa-f]*[0-9][0-9A-Fa-f]*$`)

func (s *scrubber) cell(kind column, cell string) string {
	switch kind {
	case nameColumn:
		return s.name(cell)
	case pieceColumn:
		return s.piece(cell)
	case personalColumn:
		return s.words(cell, personal)
	case textColumn:
		return s.words(cell, strict)
	case digestColumn:
		if len(cell) >= 8 && digest.MatchString(cell) {
			return s.known(cell)
		}
	case programColumn:
		return s.program(cell)
	case jobColumn:
		parts := strings.Split(cell, "/")
		for i := range parts {
			if !harmless.MatchString(parts[i]) {
				parts[i] = s.program(parts[i])
			}
		}
		return strings.Join(parts, "/")
	}
	return s.plain(cell)
}

// program keeps the programs and jobs of the product.
func (s *scrubber) program(name string) string {
	if productProgram.MatchString(strings.ToUpper(strings.TrimSpace(name))) {
		return s.known(name)
	}
	return s.name(name)
}

// plain rewrites what stands where a number, a time or a state is expected: a
// word that is none of these is taken for a name.
func (s *scrubber) plain(cell string) string {
	bare := strings.TrimSpace(cell)
	switch {
	case bare == "" || vocabulary[strings.ToUpper(bare)]:
		return cell
	case strings.ContainsAny(bare, " \t\n\r/\\:@"):
		return s.words(cell, strict)
	}
	return s.guess(cell)
}

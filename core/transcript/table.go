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
	plainColumn column = iota // numbers, times, known values; anything else as free text
	nameColumn                // one name
	pieceColumn               // name of a log piece
	textColumn                // free text
	jobColumn                 // 123456/USER/JOB
	rawColumn                 // stays as it is
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
	"MESSAGE_TOKENS": textColumn, "REASON": textColumn,
	"FROM_PROGRAM": rawColumn, "MESSAGE_ID": rawColumn, "SHA256": rawColumn, "ID": rawColumn, "MESSAGE_KEY": rawColumn, "ASSOCIATED_MESSAGE_KEY": rawColumn,
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
	if name == "TEXT" {
		return textColumn
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
	for _, row := range rows[1:] {
		for i := range row {
			name := ""
			if i < len(rows[0]) {
				name = rows[0][i]
			}
			row[i] = s.cell(columnOf(name), row[i])
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// productJob are the jobs of a queue manager (AMQALMPX writes checkpoints).
var productJob = regexp.MustCompile(`^(AMQ|RUNMQ)[A-Z0-9]+$`)

func (s *scrubber) cell(kind column, cell string) string {
	switch kind {
	case nameColumn:
		return s.name(cell)
	case pieceColumn:
		return s.piece(cell)
	case rawColumn:
		return cell
	case jobColumn:
		parts := strings.Split(cell, "/")
		for i := range parts {
			if !harmless.MatchString(parts[i]) && !productJob.MatchString(parts[i]) {
				parts[i] = s.name(parts[i])
			}
		}
		return strings.Join(parts, "/")
	case plainColumn:
		if vocabulary[strings.ToUpper(cell)] {
			return cell
		}
	}
	return s.words(cell, strict) // free text, and what nobody expected in a plain column
}

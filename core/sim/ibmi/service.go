package ibmi

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// column is one column of a service. An empty value is null.
type column[T any] struct {
	name  string
	value func(T) string
}

// service is an SQL service of QSYS2: a view of something on the system.
type service struct {
	columns []string
	// rows gives those that fit all conditions, whose columns there are.
	rows func(m viewer, where []observe.Condition) ([][]string, error)
}

// viewOf makes a service of its columns and of what it shows.
func viewOf[T any](all func(viewer) ([]T, error), columns ...column[T]) service {
	at := make(map[string]int, len(columns))
	s := service{}
	for i, c := range columns {
		at[c.name] = i
		s.columns = append(s.columns, c.name)
	}
	s.rows = func(m viewer, where []observe.Condition) ([][]string, error) {
		objects, err := all(m)
		if err != nil {
			return nil, err
		}
		var rows [][]string
	next:
		for _, object := range objects {
			for _, condition := range where {
				if columns[at[condition.Column]].value(object) != strings.TrimRight(condition.Value, " ") {
					continue next // null equals nothing that a condition can hold but blanks
				}
			}
			row := make([]string, len(columns))
			for i, c := range columns {
				row[i] = c.value(object)
			}
			rows = append(rows, row)
		}
		return rows, nil
	}
	return s
}

// services are those of QSYS2 that the system has (reference, IBM i 3.7).
var services = sync.OnceValue(func() map[string]service {
	return map[string]service{
		"JOURNAL_INFO":          journalInfo(),
		"JOURNAL_RECEIVER_INFO": receiverInfo(),
		"REMOTE_JOURNAL_INFO":   remoteInfo(),
		"MESSAGE_QUEUE_INFO":    messageInfo(),
		"REPLY_LIST_INFO":       replyInfo(),
		"ACTIVE_JOB_INFO":       jobInfo(),
		"ASP_INFO":              aspInfo(),
		"USER_SPACE":            spaceInfo(),
		"OBJECT_PRIVILEGES":     privilegeInfo(),
	}
})

// askService answers with CSV under the names of all columns. A service that
// the system does not have is SQL0204, a column SQL0206.
func (m viewer) askService(text string) ([]byte, error) {
	name, where, err := observe.ParseService(text)
	if err != nil {
		return nil, fmt.Errorf("reading the name of a service: %w", err)
	}
	schema, inSchema, qualified := strings.Cut(name, ".")
	if !qualified {
		schema, inSchema = "QSYS2", name
	}
	s, known := services()[inSchema]
	if !known || schema != "QSYS2" {
		return nil, &os400.Error{ID: "SQL0204", Text: fmt.Sprintf("%s in %s type *FILE not found.", inSchema, schema)}
	}
	for _, condition := range where {
		if !s.has(condition.Column) {
			return nil, &os400.Error{ID: "SQL0206", Text: fmt.Sprintf("Column or global variable %s not found.", condition.Column)}
		}
	}
	rows, err := s.rows(m, where)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{s.columns}, rows...)); err != nil {
		return nil, fmt.Errorf("writing the rows of %s: %w", name, err)
	}
	return b.Bytes(), nil
}

func (s service) has(column string) bool {
	for _, name := range s.columns {
		if name == column {
			return true
		}
	}
	return false
}

// stamp gives a time as Db2 does, in the system's zone; null for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02-15.04.05.000000")
}

// count gives a number; null for 0 where 0 means none.
func count(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

package observe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Condition is COLUMN='value': the rows that are asked for.
type Condition struct{ Column, Value string }

// ParseService reads an SQL or DB2 question: the name of one service or table,
// with its schema or without, then any number of COLUMN='value' conditions,
// apart by blanks or by AND. A doubled quote in a value stands for one. Names
// come in capitals. It is not a statement: the connection writes the SELECT
// from what is returned, and a text that looks like a statement is an error.
func ParseService(text string) (service string, conditions []Condition, err error) {
	if err := checkOneLine(text); err != nil {
		return "", nil, err
	}
	r := serviceReader{text}
	r.blanks()
	service = r.name()
	if strings.HasPrefix(r.rest, ".") && service != "" {
		r.rest = r.rest[1:]
		name := r.name()
		if name == "" {
			return "", nil, errors.New("a schema without a service")
		}
		service += "." + name
	}
	switch {
	case service == "":
		return "", nil, errors.New("no name of a service or table")
	case slices.Contains(statementWords, service):
		return "", nil, fmt.Errorf("%s begins a statement: only the name of a service is asked", service)
	}
	for r.blanks() && r.rest != "" {
		condition, err := r.condition(len(conditions) > 0)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", service, err)
		}
		conditions = append(conditions, condition)
	}
	if r.rest != "" {
		return "", nil, fmt.Errorf("%s: %.8q where a blank was expected", service, r.rest)
	}
	return service, conditions, nil
}

// statementWords begin an SQL statement.
var statementWords = []string{
	"SELECT", "WITH", "VALUES", "CALL", "INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "DROP", "CREATE", "ALTER", "RENAME", "SET",
	"LOCK", "GRANT", "REVOKE", "BEGIN", "COMMIT", "ROLLBACK", "DECLARE", "EXECUTE", "PREPARE", "COMMENT", "LABEL", "CL",
}

// serviceReader goes through a question.
type serviceReader struct{ rest string }

// blanks passes blanks and tells whether there were any.
func (r *serviceReader) blanks() bool {
	rest := strings.TrimLeft(r.rest, " ")
	passed := len(rest) < len(r.rest)
	r.rest = rest
	return passed
}

// name reads an SQL name that needs no quotes, in capitals; empty when there
// is none.
func (r *serviceReader) name() string {
	end := 0
	for end < len(r.rest) {
		c := r.rest[end]
		letter := 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
		if !letter && (end == 0 || !('0' <= c && c <= '9') && c != '_' && c != '#' && c != '@' && c != '$') {
			break
		}
		end++
	}
	name := asciiUpper(r.rest[:end])
	r.rest = r.rest[end:]
	return name
}

// condition reads COLUMN='value', with AND in front where it is not the first.
func (r *serviceReader) condition(further bool) (Condition, error) {
	column := r.name()
	if column == "AND" && further && r.blanks() {
		column = r.name()
	}
	if column == "" {
		return Condition{}, fmt.Errorf("%.8q where a column was expected", r.rest)
	}
	r.blanks()
	if !strings.HasPrefix(r.rest, "=") {
		return Condition{}, fmt.Errorf("no = behind the column %s", column)
	}
	r.rest = r.rest[1:]
	r.blanks()
	if !strings.HasPrefix(r.rest, "'") {
		return Condition{}, fmt.Errorf("the value of %s is not in quotes", column)
	}
	var value strings.Builder
	for text := r.rest[1:]; ; {
		part, after, closed := strings.Cut(text, "'")
		if !closed {
			return Condition{}, fmt.Errorf("the value of %s is not closed", column)
		}
		value.WriteString(part)
		if !strings.HasPrefix(after, "'") {
			r.rest = after
			return Condition{column, value.String()}, nil
		}
		value.WriteByte('\'')
		text = after[1:]
	}
}

// schemas are those that may be asked, the first by default: services of IBM
// i, and the tables of the shared repository.
var schemas = map[Language][]string{SQL: {"QSYS2", "SYSTOOLS"}, DB2: {"CSQ"}}

// forbiddenServices do more than show, or show message bodies.
var forbiddenServices = []string{
	"QSYS2.QCMDEXC", "SYSTOOLS.QCMDEXC", "SYSTOOLS.DELETE_OLD_JOURNAL_RECEIVERS", "QSYS2.DISPLAY_JOURNAL", "QSYS2.ASSOCIATE_JOURNAL_RECEIVER",
	"CSQ.ADMIN_B_MESSAGES", "CSQ.ADMIN_MSGS_BAUX1", "CSQ.ADMIN_MSGS_BAUX2", "CSQ.ADMIN_MSGS_BAUX3", "CSQ.ADMIN_MSGS_BAUX4",
}

func classifyService(language Language, text string) (ruled, error) {
	service, _, err := ParseService(text)
	if err != nil {
		return ruled{}, err
	}
	service = withSchema(language, service)
	found := ruled{Display, Verb(service)}
	schema, _, _ := strings.Cut(service, ".")
	switch {
	case !slices.Contains(schemas[language], schema):
		return found, fmt.Errorf("the schema %s is not one of %s", schema, strings.Join(schemas[language], ", "))
	case slices.Contains(forbiddenServices, service):
		return found, fmt.Errorf("%s does more than show, or shows message bodies", service)
	case strings.Contains(service, "DLTJRNRCV"):
		return found, errors.New("no service has DLTJRNRCV in its name")
	}
	return found, nil
}

// withSchema names the schema of a service that was named without.
func withSchema(language Language, service string) string {
	if strings.Contains(service, ".") {
		return service
	}
	return schemas[language][0] + "." + service
}

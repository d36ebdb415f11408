package connect

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// deleteCommand lets receivers go. No display may name it ([observe.Classify]),
// so CHKOBJ can't test it: OBJECT_PRIVILEGES does.
const deleteCommand = "DLTJRNRCV"

// enough are the authorities of OBJECT_PRIVILEGES with which a command can be
// given.
var enough = []string{"*USE", "*CHANGE", "*ALL"}

// testCommand reads who may give the command. What was granted the user in
// person counts; else what its group QMQMADM has where it shows, else what
// everybody may.
func (c *checker) testCommand(row *Checked, a authority, words []string) {
	body, err := c.ask(row, observe.SQL, "QSYS2.OBJECT_PRIVILEGES SYSTEM_OBJECT_SCHEMA='QSYS' AND SYSTEM_OBJECT_NAME='"+a.object.name+"' AND OBJECT_TYPE='*CMD'")
	if err != nil {
		row.Verdict = Unknown
		_, row.Detail = reasonOf(err)
		return
	}
	t, err := observe.ReadTable(body)
	if err != nil {
		row.Verdict, row.Detail = Unknown, err.Error()
		return
	}
	for _, user := range []string{c.who.name, mqAdministrators, "*PUBLIC"} {
		for _, found := range t.Rows() {
			named := found.Text("AUTHORIZATION_NAME") + found.Text("AUTHORIZATION_USER")
			if named != user || found.Text("SYSTEM_OBJECT_NAME") != a.object.name {
				continue
			}
			row.Detail = user + " has " + found.Text("OBJECT_AUTHORITY")
			if row.Verdict = suffices(found); row.Verdict == No {
				c.grant(row, a, words)
			}
			return
		}
	}
	row.Verdict, row.Detail = Unknown, "it is not shown to the user"
	if slices.Contains(c.who.special, "*ALLOBJ") {
		row.Verdict, row.Detail = Yes, "*ALLOBJ"
	}
}

// suffices tells whether a row of OBJECT_PRIVILEGES holds *USE: as one of the
// sets, or one by one.
func suffices(found observe.Row) Verdict {
	switch word := strings.ToUpper(found.Text("OBJECT_AUTHORITY")); {
	case slices.Contains(enough, word):
		return Yes
	case word == "*EXCLUDE":
		return No
	}
	verdict := Yes
	for _, column := range []string{"OBJECT_OPERATIONAL", "DATA_READ", "DATA_EXECUTE"} {
		switch strings.ToUpper(found.Text(column)) {
		case "YES":
		case "NO":
			return No
		default:
			verdict = Unknown
		}
	}
	return verdict
}

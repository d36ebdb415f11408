package connect

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/shell"
)

// mqAdministrators is the group profile whose members administer IBM MQ.
const mqAdministrators = "QMQMADM"

// nobody stands in a grant where who asks is not known.
const nobody = "PROFILE"

// profile is who asks.
type profile struct {
	name    string
	special []string // special authorities
	grouped bool     // it has a group profile other than QMQMADM
}

// has tells whether it has a special authority; *ALLOBJ is all of them but
// *SAVSYS.
func (p profile) has(word string) bool { return slices.Contains(p.special, word) }

// join gives what makes it a member of QMQMADM. A group profile that it has
// stays.
func (p profile) join() string {
	if p.grouped {
		return "CHGUSRPRF USRPRF(" + p.name + ") SUPGRPPRF(" + mqAdministrators + ")"
	}
	return "CHGUSRPRF USRPRF(" + p.name + ") GRPPRF(" + mqAdministrators + ")"
}

var (
	// valueOf finds the value of a line of a print: behind dots and a colon.
	valueOf = regexp.MustCompile(`\. *:\s+(\S+)\s*$`)
	// special finds special authorities, which no language translates.
	specialWord = regexp.MustCompile(`\*(ALLOBJ|AUDIT|IOSYSCFG|JOBCTL|SAVSYS|SECADM|SERVICE|SPLCTL)\b`)
	groupLine   = regexp.MustCompile(`(?i)^\s*group profile.*:\s+(\S+)\s*$`)
)

// readProfile reads the print of DSPUSRPRF. The profile's name is its first
// value, in every language; the group is found in English alone.
func readProfile(printed string) profile {
	var p profile
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\r\n")
		if value := valueOf.FindStringSubmatch(line); value != nil && p.name == "" && shell.Printable(value[1]) {
			p.name = value[1]
		}
		p.special = append(p.special, specialWord.FindAllString(line, -1)...)
		if group := groupLine.FindStringSubmatch(line); len(group) > 1 && group[1] != "*NONE" && group[1] != mqAdministrators {
			p.grouped = true
		}
	}
	return p
}

// identify asks who asks.
func (c *checker) identify() Checked {
	row := Checked{What: "user profile", For: []Use{ForPlan}, Wanted: true, Verdict: Unknown}
	body, err := c.ask(&row, observe.CL, "DSPUSRPRF USRPRF(*CURRENT) TYPE(*BASIC) OUTPUT(*PRINT)")
	if err == nil {
		c.who = readProfile(string(body))
	} else if _, said := reasonOf(err); strings.HasPrefix(said, "CPF2204") { // there is no such profile
		row.Wanted, row.Verdict, row.Detail = false, No, said
		c.who.name = cmp.Or(c.needs.User, nobody)
		return row
	}
	if c.needs.User != "" {
		c.who.name = c.needs.User
	}
	switch {
	case c.who.name == "":
		c.who.name = nobody
		row.Detail = "who asks is not known: the grants say " + nobody + " in its place"
	default:
		row.Verdict, row.Detail = Yes, strings.Join(c.who.special, " ")
		row.What += " " + c.who.name
	}
	return row
}

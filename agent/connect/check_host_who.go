package connect

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/shell"
)

// administrators is the group whose members administer IBM MQ.
const administrators = "mqm"

// anyGroup stands in a grant where no group is the user's alone: what is
// granted a group is granted all its members.
const anyGroup = "GROUP"

// identity is who asks, as id shows it.
type identity struct {
	known  bool
	user   string   // by number
	name   string   // by name; its number where it has none
	groups []string // by number and by name
	group  string   // the first one, by name
}

// idPart is one of the parts that id prints: a number, and the name where there
// is one.
var idPart = regexp.MustCompile(`([0-9]+)(?:\(([^()]*)\))?`)

// readIdentity reads what id prints, uid=N(name) gid=N(name) groups=N(name),...,
// in which no language changes the words. What follows (context=) is none of it.
// Of an answer in which something can't be shown nothing is known: what holds a
// control character is no name.
func readIdentity(printed string) identity {
	var who identity
	if !shell.Printable(strings.Join(strings.Fields(printed), " ")) {
		return who
	}
	for field := range strings.FieldsSeq(strings.ReplaceAll(printed, ", ", ",")) {
		word, rest, _ := strings.Cut(field, "=")
		parts := idPart.FindAllStringSubmatch(rest, -1)
		if len(parts) == 0 {
			continue
		}
		switch word {
		case "uid":
			who.known, who.user, who.name = true, parts[0][1], parts[0][2]
			if who.name == "" {
				who.name = who.user
			}
		case "gid", "groups":
			for _, part := range parts {
				if who.group == "" {
					who.group = part[2]
				}
				who.groups = append(who.groups, part[1])
				if part[2] != "" {
					who.groups = append(who.groups, part[2])
				}
			}
		}
	}
	return who
}

// root tells whether it is the superuser.
func (i identity) root() bool { return i.user == "0" }

func (i identity) in(group string) bool { return slices.Contains(i.groups, group) }

// is tells whether a user, by name or number, is this one.
func (i identity) is(user string) bool { return i.known && (user == i.name || user == i.user) }

// ownGroup gives the group that grants are for: the user's first one if it is
// called as the user is, and so is nobody else's.
func (i identity) ownGroup() string {
	if i.group != "" && i.group == i.name {
		return i.group
	}
	return anyGroup
}

// userWord gives the user of a grant.
func (h *hostCheck) userWord() string {
	switch {
	case h.needs.User != "":
		return h.needs.User
	case h.who.name != "":
		return h.who.name
	}
	return nobody
}

// joinAdministrators gives what makes the user a member of mqm.
func (h *hostCheck) joinAdministrators() []string { return h.join(administrators) }

func (h *hostCheck) join(group string) []string {
	return []string{shellLine("usermod", "-aG", group, h.userWord())}
}

// hostMessages are the ids that tell why a command failed. That they mean so is
// not verified on a system; an id that is not here tells nothing.
var hostMessages = map[string]reason{
	"AMQ7077": forbidden, // not authorized to perform the requested operation
	"AMQ8135": forbidden, // not authorized
	"AMQ8118": missing,   // the queue manager does not exist
	"AMQ8146": missing,   // the queue manager is not available
	"AMQ7048": missing,   // the queue manager name is not valid or not known
}

var (
	hostMessage = regexp.MustCompile(`\bAMQ[0-9]{4}`)
	reasonCode  = regexp.MustCompile(`\b2035\b`) // MQRC_NOT_AUTHORIZED
	denied      = regexp.MustCompile(`(?i)permission denied|not permitted|access is denied`)
	absent      = regexp.MustCompile(`(?i)no such file|no such command|not found in|command not found|: not found|cannot find the`)
)

// hostReason reads why a question failed, and what the system said: the line
// with the message that tells, else the first.
func hostReason(err error) (reason, string) {
	var failed *observe.Failed
	if !errors.As(err, &failed) {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return forbidden, err.Error()
		case errors.Is(err, fs.ErrNotExist):
			return missing, err.Error()
		}
		return reasonOf(err)
	}
	for line := range strings.Lines(string(failed.Body)) {
		line = strings.TrimSpace(line)
		for _, id := range hostMessage.FindAllString(line, -1) {
			if why, ok := hostMessages[id]; ok {
				return why, line
			}
		}
		switch {
		case denied.MatchString(line), reasonCode.MatchString(line):
			return forbidden, line
		case absent.MatchString(line):
			return missing, line
		}
	}
	return noReason, firstLine(failed.Body)
}

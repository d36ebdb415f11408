package connect

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// logControl is the log control file.
const logControl = "amqhlctl.lfh"

// file is a line of LOGDIR: name size [mtime owner mode], a dash for what is not
// known.
type file struct {
	name, owner, group, mode string // empty: not told
}

// readFiles reads the lines that can be read. A plan is stricter; here what is
// not told is not known.
func readFiles(body []byte) []file {
	var files []file
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		name, rest, _ := strings.Cut(line, " ")
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			name, _ = strconv.Unquote(quoted) // it is quoted
			rest = line[len(quoted):]
		}
		f := file{name: name}
		if words := strings.Fields(rest); len(words) == 4 && words[2] != "-" && words[3] != "-" {
			f.owner, f.group, _ = strings.Cut(words[2], ":")
			f.mode = words[3]
		}
		if name != "" {
			files = append(files, f)
		}
	}
	return files
}

// extentsOf gives the log extents of a list, and whether the log control file
// is among its files.
func extentsOf(body []byte) (extents []file, controlled bool) {
	for _, f := range readFiles(body) {
		if kind, _, err := observe.ParseExtent(f.name); err == nil && kind == observe.LogExtent {
			extents = append(extents, f)
		}
		controlled = controlled || f.name == logControl
	}
	return extents, controlled
}

// Where the three rights of a class stand in a mode as ls shows it.
const (
	ownerRights, groupRights, otherRights = 1, 4, 7
	modeLength                            = 10
	sticky                                = 9
)

// class gives where the rights of a user stand in the mode, and false where it
// is not told to whom the file belongs. The owner has the owner's rights and no
// others, even where the group has more.
func (f file) class(who identity) (int, bool) {
	switch {
	case !who.known || f.owner == "" || len(f.mode) < modeLength:
		return 0, false
	case who.is(f.owner):
		return ownerRights, true
	case f.group == "":
		return otherRights, f.mode[groupRights:otherRights] == f.mode[otherRights:modeLength]
	case who.in(f.group):
		return groupRights, true
	}
	return otherRights, true
}

// allows tells whether a user has these rights, of "rwx". An access control
// list, which the mode only shows to be there, may give more.
func (f file) allows(who identity, rights string) Verdict {
	if who.root() {
		return Yes
	}
	at, known := f.class(who)
	if !known {
		return Unknown
	}
	for _, right := range rights {
		if f.has(at, right) {
			continue
		}
		if len(f.mode) > modeLength {
			return Unknown
		}
		return No
	}
	return Yes
}

// has tells whether a class has a right. A set-user-ID, set-group-ID or sticky
// bit is a small letter where the right to enter is there too.
func (f file) has(class int, right rune) bool {
	place := strings.IndexRune("rwx", right)
	letter := f.mode[class+place]
	return letter == "rwx"[place] || place == 2 && (letter == 's' || letter == 't')
}

// stickyBit tells whether only owners delete in the directory.
func (f file) stickyBit() bool {
	return len(f.mode) >= modeLength && (f.mode[sticky] == 't' || f.mode[sticky] == 'T')
}

// readable gives what lets the user read a file at a path: membership of its
// group where that may, else the right for the group too.
func (h *hostCheck) readable(f file, path string) []string {
	var grants []string
	group := cmp.Or(f.group, administrators)
	if !h.who.in(group) && !h.who.is(f.owner) {
		grants = h.join(group)
	}
	if class, letter := h.granted(f); !f.has(class, 'r') {
		grants = append(grants, shellLine("chmod", letter+"+r", path))
	}
	return grants
}

// granted gives the class of rights by which a user gets what is granted.
func (h *hostCheck) granted(f file) (class int, letter string) {
	if h.who.is(f.owner) {
		return ownerRights, "u"
	}
	return groupRights, "g"
}

// writable gives what lets the user make and delete files in the directory of
// the extents, and nobody but the members of mqm with it: the finding
// others-may-delete is what another group would be, or every user without the
// sticky bit.
func (h *hostCheck) writable() []string {
	f := h.itself
	var grants, modes []string
	class, letter := h.granted(f)
	if class == groupRights {
		group := f.group
		if group != administrators && (group != f.owner || !h.who.in(group)) {
			group = administrators
			grants = append(grants, shellLine("chgrp", administrators, h.directory))
		}
		if !h.who.in(group) {
			grants = append(grants, h.join(group)...)
		}
	}
	lacking := ""
	for _, right := range "wx" {
		if !f.has(class, right) {
			lacking += string(right)
		}
	}
	if lacking != "" {
		modes = append(modes, letter+"+"+lacking)
	}
	if f.stickyBit() && class == groupRights {
		if f.has(otherRights, 'w') {
			modes = append(modes, "o-w")
		}
		modes = append(modes, "-t")
	}
	if len(modes) > 0 {
		grants = append(grants, shellLine("chmod", strings.Join(modes, ","), h.directory))
	}
	return grants
}

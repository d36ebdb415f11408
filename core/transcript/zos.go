package transcript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

var (
	// dataSetForm is a data set's name, or the generic one of a structure's data
	// sets, with an asterisk for the owner (DEFINE CFSTRUCT, DSGROUP).
	dataSetForm = regexp.MustCompile(`^[A-Z@#$][A-Z0-9@#$-]{0,7}(\.([A-Z@#$][A-Z0-9@#$-]{0,7}|\*))+$`)
	// plainQualifier are parts of data set names that say what a data set is, and
	// of whom nothing: copies of logs, archives by number or time, page sets.
	plainQualifier = regexp.MustCompile(`^(\*|LOGCOPY[12]|ARCLOG[12]|ARC[12]|BSDS[0-9]{0,2}|DS[0-9]{2,3}|SMDS|DATA|PSID[0-9]{2}|[ABDT][0-9]{5,7})$`)
	// logPlace is an RBA or an LRSN, and size an amount: they name nobody.
	logPlace = regexp.MustCompile(`^[0-9A-F]*[0-9][0-9A-F]*[0-9][0-9A-F]*$`)

	size = regexp.MustCompile(`^[0-9]+[KMG]$`)

	// listcatField is a field of a catalog's listing: a label, dashes, a value.
	listcatField = regexp.MustCompile(`([A-Z][A-Z0-9/]*(?:-[A-Z0-9]+)*)( ?-{2,} ?)([^\s-]\S*)`)
	// hardcopySystem is in front of a line of the console's log: the system, and
	// behind date and time the job.
	hardcopySystem = regexp.MustCompile(`^( ?[NMWXO][A-Z]? +[0-9A-F]{7,8} +)([A-Z0-9@#$]{1,8})( +[0-9]{5,7} [0-9:.]{11} +)([A-Z0-9@#$]{1,8})( +[0-9A-F]{8} )`)
	// groupRow is a row of DISPLAY GROUP.
	groupRow = regexp.MustCompile(`^([A-Z0-9@#$]{1,4} +[0-9]{1,3} +\S{1,8} +(?:ACTIVE|INACTIVE|FAILED|CREATED|UNKNOWN) +[0-9]{3,4} +)([A-Z0-9@#$]{1,4})\b`)
	volume   = regexp.MustCompile(`\b((?:COPY[12])?VOL(?:UME|SER)?=)([A-Z0-9@#$]{1,6})\b`)
	// xcfName and xcfRow are what D XCF,STR shows by name.
	xcfName = regexp.MustCompile(`(STRNAME ?[=:] ?)([A-Z0-9@#$_]+)`)
	xcfCF   = regexp.MustCompile(`(CFNAME *: )(\S+)`)
	xcfRow  = regexp.MustCompile(`^( *)CSQE(\S{4})(\S{4})(\S{0,4})( +[0-9A-F]{1,3} +[0-9A-F]{8} +)(\S+)( +)(\S+)`)
)

// namedInCatalog are the fields of a listing that hold a name without a dot.
var namedInCatalog = wordSet(`VOLSER STORAGECLASS MANAGEMENTCLASS DATACLASS DATASET-OWNER`)

// isAmount tells an RBA or LRSN of 12 or 16 hexadecimal digits, and a size, of
// which MQ writes some with a letter: DSBLOCK(256K).
func isAmount(word string) bool {
	return (len(word) == 12 || len(word) == 16) && logPlace.MatchString(word) || size.MatchString(word)
}

// groups gives the names of the queue-sharing groups of a transcript, and
// whether any system in it is on z/OS.
func (t *Transcript) groups() (names []string, zos bool) {
	for _, e := range t.entries {
		if declared, ok := e.(*target); ok {
			zos = zos || declared.platform == observe.ZOS
			if declared.group {
				names = append(names, strings.ToUpper(declared.name))
			}
		}
	}
	return names, zos
}

// dataSet rewrites a data set's name part by part, so that what it has in common
// with others stays: a prefix, the name of a queue manager, the generic name.
func (s *scrubber) dataSet(name string) string {
	parts := strings.Split(name, ".")
	for i, part := range parts {
		parts[i] = s.qualifier(part)
	}
	return strings.Join(parts, ".")
}

// qualifier rewrites a part of such a name. The name of a queue manager or group
// within it is rewritten for itself.
func (s *scrubber) qualifier(part string) string {
	switch {
	case part == "" || plainQualifier.MatchString(part) || supplied[part] || !strings.ContainsFunc(part, isLetter):
		return part
	case s.lexicon.managers[part]:
		return s.name(part)
	}
	for _, manager := range s.lexicon.byLength {
		if before, after, found := strings.Cut(part, manager); found {
			return s.qualifier(before) + s.name(manager) + s.qualifier(after)
		}
	}
	if s.collecting {
		s.lexicon.qualify(part)
		return part
	}
	if given := s.lexicon.given[part]; given != "" {
		return given
	}
	return s.lexicon.qualified[part]
}

// qualify collects a part of a data set's name. A long one tells something
// wherever it stands; a short one, such as DATA, is a word of the product too
// often to be looked for elsewhere.
func (l *lexicon) qualify(part string) {
	if len(part) >= insideLength && !vocabulary[part] && !l.stays(part) {
		l.labels[part] = true
		return
	}
	l.qualifiers[part] = true
}

// settleQualifiers gives the short parts of data set names their pseudonyms.
func (l *lexicon) settleQualifiers() {
	taken := map[string]bool{}
	parts := make([]string, 0, len(l.qualifiers))
	for part := range l.qualifiers {
		parts = append(parts, part)
	}
	slices.Sort(parts)
	for _, part := range parts {
		for attempt := range uint32(attempts) {
			pseudonym := l.draw(part, attempt)
			free := !taken[pseudonym] && !l.names[pseudonym] && !l.taken[pseudonym] && !l.qualifiers[pseudonym] && !plainQualifier.MatchString(pseudonym)
			if l.qualified[part] = pseudonym; free {
				break
			}
		}
		taken[l.qualified[part]] = true
	}
}

// know tells the lexicon which names of queue managers may stand within others.
func (l *lexicon) know(t *Transcript) {
	if l.groups, l.zos = t.groups(); !l.zos {
		return
	}
	for manager := range t.managers() {
		l.managers[manager] = true
		l.byLength = append(l.byLength, manager)
	}
	slices.SortFunc(l.byLength, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

// listcat rewrites a line of a catalog's listing. Its labels end in dashes, and
// values follow without a blank.
func (s *scrubber) listcat(line string) string {
	var out strings.Builder
	end := 0
	for _, m := range listcatField.FindAllStringSubmatchIndex(line, -1) {
		out.WriteString(s.words(line[end:m[0]], lenient))
		label, value := line[m[2]:m[3]], line[m[6]:m[7]]
		switch {
		case value == "(NULL)":
		case dataSetForm.MatchString(value):
			value = s.dataSet(value)
		case namedInCatalog[label]:
			value = s.guess(value)
		}
		out.WriteString(line[m[2]:m[6]] + value)
		end = m[7]
	}
	out.WriteString(s.words(line[end:], lenient))
	return out.String()
}

// zosLine rewrites what in a line of z/OS names somebody without being marked as
// a name; the rest is rewritten as in every document.
func (s *scrubber) zosLine(line string) string {
	if m := hardcopySystem.FindStringSubmatch(line); m != nil {
		line = m[1] + s.guess(m[2]) + m[3] + s.job(m[4]) + m[5] + line[len(m[0]):]
	}
	if m := groupRow.FindStringSubmatch(line); m != nil {
		line = m[1] + s.guess(m[2]) + line[len(m[0]):]
	}
	line = volume.ReplaceAllStringFunc(line, func(text string) string {
		label, serial, _ := strings.Cut(text, "=")
		return label + "=" + s.guess(serial)
	})
	line = s.facility(line)
	return s.document(line)
}

// job keeps the number of a job, which names nobody.
func (s *scrubber) job(name string) string {
	if bare := strings.TrimLeft(name, "STCJOBU"); strings.Trim(bare, "0123456789") == "" {
		return name
	}
	return s.guess(name)
}

// facility rewrites what the coupling facility shows: the names of structures,
// which begin with the group's, and of connectors, which hold the queue
// manager's too (reference of the structure: group, queue manager, number).
func (s *scrubber) facility(line string) string {
	line = xcfName.ReplaceAllStringFunc(line, func(text string) string {
		m := xcfName.FindStringSubmatch(text)
		return m[1] + s.external(m[2])
	})
	line = xcfCF.ReplaceAllStringFunc(line, func(text string) string {
		m := xcfCF.FindStringSubmatch(text)
		return m[1] + s.guess(m[2])
	})
	m := xcfRow.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	return m[1] + "CSQE" + s.filled(m[2]) + s.filled(m[3]) + m[4] + m[5] + s.guess(m[6]) + m[7] + s.guess(m[8]) + line[len(m[0]):]
}

// external rewrites the name of a structure as the coupling facility has it.
func (s *scrubber) external(name string) string {
	for _, group := range s.lexicon.groups {
		const filled = 4
		front := group + strings.Repeat("@", max(0, filled-len(group)))
		if rest, ok := strings.CutPrefix(name, front); ok {
			return s.filled(front) + s.name(rest)
		}
	}
	return s.guess(name)
}

// filled rewrites a name that is filled with @ to its width.
func (s *scrubber) filled(name string) string {
	bare := strings.TrimRight(name, "@")
	return s.name(bare) + name[len(bare):]
}

package transcript

import (
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

var (
	// marked finds in MQ's output and files what stands out from prose: an
	// attribute with its value, which may hold one pair of parentheses of its
	// own (CONNAME), a JSON field, a word in quotes, an address.
	marked = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_]*)\(((?:'[^']*'|[^()']|\([^()]*\))*)\)` +
		`|"([A-Za-z_]+)"(\s*:\s*)"([^"]*)"` +
		`|'([^'\s]+)'` +
		`|\b([0-9]{1,3}(?:\.[0-9]{1,3}){3})\b`)
	// stanza is a line of an ini file.
	stanza = regexp.MustCompile(`^(\s*)([A-Za-z]+)(\s*=\s*)(.*)$`)
	// valueRun is one name in a value.
	valueRun = regexp.MustCompile(`[^\s,()']+`)
	// condition is one of an SQL question.
	condition = regexp.MustCompile(`([A-Za-z0-9_]+)(\s*=\s*')((?:[^']|'')*)(')`)
	notBlank  = regexp.MustCompile(`\S+`)
)

// keptAttributes have values that never name anybody: states, times, numbers,
// names of log pieces.
var keptAttributes = wordSet(`STATUS STATE LOGTYPE CURRLOG RECLOG MEDIALOG ARCHLOG ARCHSZ RECSZ MEDIASZ REUSESZ LOGINUSE LOGUTIL LOGSTRDA
	LOGSTRTI STARTDA STARTTI TYPE VRMF VERSION CMDLEVEL PLATFORM TIME PID TID THREAD PROGRAM STANDBY HA LDAPCONN CMDSERV CHINIT ENTRIES IMGSCHED
	PERMIT MODE RETAINED`)

// textAttributes hold what people wrote.
var textAttributes = wordSet(`DESCR DESC TEXT COMMENT`)

// namedFields are the JSON fields and ini keys that hold one name.
var namedFields = wordSet(`HOST HOSTNAME IBM_HOSTNAME IBM_USERNAME USER USERNAME IBM_SERVERNAME IBM_QMGRID QMGR NAME DIRECTORY LIBRARY
	IBM_ARITHINSERT IBM_COMMENTINSERT1 IBM_COMMENTINSERT2 IBM_COMMENTINSERT3 DEFAULTQUEUEMANAGER INSTALLATION IBM_INSTALLATIONNAME`)

// document rewrites a line of MQ's own output or of one of its files: what is
// marked as a value is judged by what it is the value of, prose around it
// keeps all words but known names.
func (s *scrubber) document(line string) string {
	if m := stanza.FindStringSubmatch(line); m != nil {
		return m[1] + m[2] + m[3] + s.setting(m[2], m[4])
	}
	return s.prose(line, func(gap string) string { return s.words(gap, lenient) })
}

// prose rewrites the marked parts of a line and hands on what lies between.
func (s *scrubber) prose(line string, between func(string) string) string {
	var out strings.Builder
	end := 0
	for _, m := range marked.FindAllStringSubmatchIndex(line, -1) {
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return line[m[2*n]:m[2*n+1]]
		}
		out.WriteString(between(line[end:m[0]]))
		end = m[1]
		switch {
		case m[2] >= 0:
			out.WriteString(group(1) + "(" + s.value(group(1), group(2)) + ")")
		case m[6] >= 0:
			out.WriteString(`"` + group(3) + `"` + group(4) + `"` + s.setting(group(3), group(5)) + `"`)
		case m[12] >= 0:
			out.WriteString("'" + s.value("", group(6)) + "'")
		default:
			out.WriteString(s.name(group(7)))
		}
	}
	out.WriteString(between(line[end:]))
	return out.String()
}

// value rewrites the value of an attribute. What is not known to be harmless
// is taken for a name.
func (s *scrubber) value(attribute, value string) string {
	attribute = strings.ToUpper(attribute)
	switch {
	case keptAttributes[attribute]:
		return value
	case textAttributes[attribute]:
		return s.words(value, strict)
	case strings.ContainsAny(value, `/\`):
		return s.path(value)
	}
	return valueRun.ReplaceAllStringFunc(value, func(run string) string {
		if pseudonym, known := s.lexicon.pseudonym(run); known {
			return pseudonym
		}
		if harmless.MatchString(run) && !address.MatchString(run) || vocabulary[strings.ToUpper(run)] {
			return run
		}
		return s.name(run)
	})
}

// setting rewrites the value of an ini key or of a JSON field.
func (s *scrubber) setting(key, value string) string {
	switch {
	case namedFields[strings.ToUpper(key)]:
		return s.value("", value)
	case strings.HasPrefix(value, "/") || strings.Contains(value, `:\`):
		return s.path(value)
	}
	return s.prose(value, func(gap string) string { return s.words(gap, lenient) })
}

// productFolders are the parts of paths that every installation has.
var productFolders = wordSet(`VAR MQM LOG LOGS ACTIVE QMGRS ERRORS OPT QIBM USERDATA PRODDATA ETC HOME TMP USR DATA TRACE EXITS WEB
	QM.INI MQS.INI QSYS.LIB AMQHLCTL.LFH AMQERR01.LOG AMQERR02.LOG AMQERR03.LOG AMQERR01.JSON AMQERR02.JSON AMQERR03.JSON
	C: D: E: PROGRAMDATA IBM MQ . ..`)

var pathPart = regexp.MustCompile(`[^/\\,'"]+`)

// path rewrites the parts of a path but those that every installation has.
// The object types of the QSYS.LIB file system stay: LIB, USRSPC.
func (s *scrubber) path(path string) string {
	return pathPart.ReplaceAllStringFunc(path, func(part string) string {
		if productFolders[strings.ToUpper(strings.TrimSpace(part))] {
			return part
		}
		for _, kind := range []string{".LIB", ".USRSPC", ".JRNRCV", ".JRN", ".MSGQ"} {
			if base, ok := strings.CutSuffix(part, kind); ok {
				return s.name(base) + kind
			}
		}
		return s.name(part)
	})
}

// directoryLine rewrites "name size [mtime owner mode]" of a LOGDIR answer.
func (s *scrubber) directoryLine(line string) string {
	field := -1
	return notBlank.ReplaceAllStringFunc(line, func(word string) string {
		field++
		switch field {
		case 0:
			return s.path(word)
		case 3:
			return s.name(word)
		}
		return word
	})
}

// question rewrites the text of a question as its language writes names.
func (s *scrubber) question(b *block) string {
	switch b.language {
	case observe.SQL, observe.DB2:
		return condition.ReplaceAllStringFunc(b.text, func(c string) string {
			m := condition.FindStringSubmatch(c)
			return m[1] + m[2] + s.cell(columnOf(m[1]), m[3]) + m[4]
		})
	case observe.UsrSpc, observe.LogDir, observe.File, observe.Space:
		return s.path(b.text)
	case observe.MQSC:
		return s.prose(b.text, func(gap string) string { return gap })
	}
	if b.language.OfHost() {
		return s.words(b.text, strict)
	}
	verb, rest := cutWord(b.text)
	return s.prose(verb, func(gap string) string { return gap }) + s.prose(rest, func(gap string) string { return s.words(gap, lenient) })
}

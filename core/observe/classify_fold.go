package observe

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqsc"
)

// Fold gives the form in which questions are compared: every run of white
// space one blank, none around, the letters a to z in capitals, in quotes too.
func Fold(text string) string { return asciiUpper(strings.Join(strings.Fields(text), " ")) }

// VerbObject gives the form of a text that names only its verb and object. A
// transcript's block with such a text ([OnlyVerbObject]) answers every question
// with the same form.
//
//   - MQSC: verb and object in full without the object's name, and the TYPE
//     unless it is the default: DISPLAY QMSTATUS, DISPLAY CFSTATUS TYPE(BACKUP)
//   - SQL, DB2: the service with its schema, QSYS2 or CSQ if none was given
//   - CL, CTL, IDCAMS: the command's name
//   - MVS: DISPLAY and what is displayed, as in DISPLAY XCF
//
// It is empty for views, JOB, SYSLOG and what the host answers, whose text is
// one thing, and for a text that can't be read.
func VerbObject(language Language, text string) string {
	switch language {
	case MQSC:
		form, _ := mqscForm(text)
		return form
	case SQL, DB2:
		service, _, err := ParseService(text)
		if err != nil {
			return ""
		}
		return withSchema(language, service)
	case CL, CTL, IDCAMS, MVS:
		found, _ := classifyIn(language, text) // a verb that is refused is one all the same
		return string(found.verb)
	default:
		return ""
	}
}

// OnlyVerbObject tells whether a text names its verb and object and nothing
// more: DIS QMSTATUS does, DISPLAY QMSTATUS ALL and DISPLAY QUEUE(A) do not.
func OnlyVerbObject(language Language, text string) bool {
	switch language {
	case MQSC:
		_, only := mqscForm(text)
		return only
	case SQL, DB2:
		_, conditions, err := ParseService(text)
		return err == nil && len(conditions) == 0
	case CL, CTL, IDCAMS:
		return VerbObject(language, text) != "" && len(strings.Fields(text)) == 1
	case MVS:
		words := strings.Fields(text)
		return VerbObject(language, text) != "" && len(words) == 2 && asciiUpper(words[1]) == strings.TrimPrefix(VerbObject(language, text), "DISPLAY ")
	default:
		return false
	}
}

// defaultTypes are the TYPE that a DISPLAY without one shows.
var defaultTypes = map[string]string{"QMSTATUS": "QMGR", "QSTATUS": "QUEUE", "CFSTATUS": "SUMMARY", "CONN": "CONN"}

// mqscForm gives the form of an MQSC text, and whether the text is no more.
func mqscForm(text string) (form string, only bool) {
	command, err := readMQSC(text)
	if err != nil || len(command.Params) == 0 || !slices.Contains(mqscVerbs, command.Verb) {
		return "", false
	}
	form = command.Verb + " " + command.Object()
	only = command.Params[0].Values == nil
	for _, param := range command.Params[1:] {
		if param.Keyword != "TYPE" || len(param.Values) != 1 {
			only = false
			continue
		}
		if kind := asciiUpper(param.Values[0]); kind != defaultTypes[command.Object()] {
			form += " " + mqsc.Param{Keyword: "TYPE", Values: []string{kind}}.String()
		}
	}
	return form, only
}

package mqini

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MessageService is one of the services that write a queue manager's messages:
// the error log that always runs (QMErrorLog), and what the DiagnosticMessages
// stanzas add.
type MessageService struct {
	Stanza           string // QMErrorLog or DiagnosticMessages
	Name             string // empty for QMErrorLog
	Kind             string // Service, in capitals: FILE, SYSLOG; QMErrorLog is a FILE
	JSON             bool
	FilePath         string // as written, with inserts such as +MQ_Q_MGR_DATA_PATH+; empty: beside the error log
	FilePrefix       string // empty: AMQERR
	FileSize         Setting[int64]
	Exclude          []string // message numbers such as 7234, never written
	Suppress         []string // message numbers written once in an interval
	SuppressInterval Setting[int64]
	Severities       []string // capitals, as written; empty: all
	Line             int      // of the stanza, 0 when QMErrorLog has none
	Problems         []Problem

	unreadList  bool // an entry of Exclude or Suppress is no message number
	unclearFile bool // where it writes, or in which form, is unclear
}

// The bounds of ErrorLogSize and FileSize ("QMErrorLog stanza").
const (
	lowLogSize  = 32768
	highLogSize = 2147483648
)

var messageNumber = regexp.MustCompile(`^(?:AMQ)?([0-9]{4})[A-Z]?$`)

// MessageServices reads the services from qm.ini. The first is always the error
// log, which cannot be turned off; it is there without a stanza too.
func MessageServices(f File) []MessageService {
	s := sourceOf(f, "QMErrorLog")
	errorLog := serviceOf(s, "ErrorLogSize")
	errorLog.Stanza, errorLog.Kind, errorLog.Problems = "QMErrorLog", "FILE", s.problems
	services := []MessageService{errorLog}
	for _, stanza := range f.All("DiagnosticMessages") {
		s := &source{stanzas: []Stanza{stanza}, problems: f.within(stanza)}
		service := serviceOf(s, "FileSize")
		service.Stanza = "DiagnosticMessages"
		service.diagnostic(s)
		service.Problems = s.problems
		services = append(services, service)
	}
	return services
}

// diagnostic reads what only a DiagnosticMessages stanza has.
func (m *MessageService) diagnostic(s *source) {
	m.Name = settingOf(s, "Name", filled).Value
	m.Severities = list(strings.ToUpper(settingOf(s, "Severities", filled).Value))
	kind, format := settingOf(s, "Service", filled), settingOf(s, "Format", word("json", "text"))
	path, prefix := settingOf(s, "FilePath", filled), settingOf(s, "FilePrefix", filled)
	m.Kind, m.JSON = strings.ToUpper(kind.Value), format.Value == "json"
	m.FilePath, m.FilePrefix = path.Value, prefix.Value
	m.unclearFile = kind.State != Known || format.State == Unclear || path.State == Unclear || prefix.State == Unclear
}

// serviceOf reads what both kinds of stanza have.
func serviceOf(s *source, size string) MessageService {
	service := MessageService{
		FileSize:         settingOf(s, size, number(lowLogSize, highLogSize)),
		SuppressInterval: settingOf(s, "SuppressInterval", number(1, 86400)),
	}
	if len(s.stanzas) > 0 {
		service.Line = s.stanzas[0].Line
	}
	service.Exclude = service.numbers(s, "ExcludeMessage")
	service.Suppress = service.numbers(s, "SuppressMessage")
	return service
}

// numbers gives the message numbers of a list, of all its repetitions: whatever
// one of them hides may be hidden.
func (m *MessageService) numbers(s *source, name string) []string {
	var found []string
	for _, stanza := range s.stanzas {
		for _, attribute := range stanza.All(name) {
			for _, entry := range list(strings.ToUpper(attribute.Value)) {
				match := messageNumber.FindStringSubmatch(entry)
				if match == nil {
					s.tell(attribute.Line, "%s: %s is no message number", attribute.Name, entry)
					m.unreadList = true
					continue
				}
				found = append(found, match[1])
			}
		}
	}
	return found
}

// list gives the entries of a list, apart by commas, semicolons or blanks.
func list(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",; \t", c) })
}

// Hides tells whether a message may be missing in what the service writes, and
// why. The id has its severity letter or none (AMQ7467I, AMQ7467); an
// informational message hides where Severities leave I out. What can't be read
// may hide anything.
func (m MessageService) Hides(id string) (why string, hides bool) {
	match := messageNumber.FindStringSubmatch(strings.ToUpper(id))
	if match == nil {
		return fmt.Sprintf("%s is no message", id), true
	}
	severity := strings.TrimLeft(strings.TrimPrefix(strings.ToUpper(id), "AMQ"), "0123456789")
	switch {
	case slices.Contains(m.Exclude, match[1]):
		return m.Stanza + ": ExcludeMessage names " + match[1], true
	case slices.Contains(m.Suppress, match[1]):
		return m.Stanza + ": SuppressMessage names " + match[1] + ", which is written once in an interval", true
	case m.unreadList:
		return m.Stanza + ": a list of messages can't be read", true
	case len(m.Severities) > 0 && !m.writes(severity):
		return m.Stanza + ": Severities=" + strings.Join(m.Severities, ",") + " leaves it out", true
	}
	return "", false
}

// ranks are the severities from low to high. The words are those of the
// documentation for Severities, of which not all are verified.
var ranks = []struct{ letter, word string }{
	{"I", "INFORMATION"}, {"W", "WARNING"}, {"E", "ERROR"}, {"S", "SEVERE"}, {"T", "STOP"},
}

// writes tells whether Severities let a severity through; one that is not given
// counts as informational, which is let through least. S+ stands for S and all
// above.
func (m MessageService) writes(severity string) bool {
	rank := max(0, rankOf(severity))
	for _, entry := range m.Severities {
		entry, above := strings.CutSuffix(entry, "+")
		at := rankOf(entry)
		if entry == "ALL" || at == rank || above && 0 <= at && at < rank {
			return true
		}
	}
	return false
}

func rankOf(text string) int {
	for i, rank := range ranks {
		if text == rank.letter || len(text) > 2 && strings.HasPrefix(rank.word, text) {
			return i
		}
	}
	return -1
}

// Files gives the files that the service writes, the newest first; none for a
// service that writes no files. qmData is the queue manager's data folder,
// mqData that of all of MQ (/var/mqm). False when the stanza does not say where
// it writes, or names an insert that is not known.
func (m MessageService) Files(qmData, mqData string) ([]string, bool) {
	switch {
	case m.unclearFile:
		return nil, false
	case m.Kind != "FILE":
		return nil, true
	}
	folder := join(qmData, "errors")
	if m.FilePath != "" {
		folder = strings.NewReplacer("+MQ_Q_MGR_DATA_PATH+", trimEnd(qmData), "+MQ_DATA_PATH+", trimEnd(mqData)).Replace(m.FilePath)
	}
	if strings.Contains(folder, "+MQ_") {
		return nil, false
	}
	prefix, ending := m.FilePrefix, "LOG"
	if prefix == "" {
		prefix = "AMQERR"
	}
	if m.JSON {
		ending = "json"
	}
	var files []string
	for i := 1; i <= 3; i++ {
		files = append(files, join(folder, fmt.Sprintf("%s%02d.%s", prefix, i, ending)))
	}
	return files, true
}

// Package finding holds what mqhk has to say to a person beside its verdicts:
// a severity, a stable code and one sentence.
//
// The codes are an interface: alerts, scripts and tickets are keyed by them.
// [Catalogue] lists every code with its severity, its meaning and its remedy;
// docs/findings.md is written from it.
package finding

import (
	"fmt"
	"slices"
)

// Severity says how much a finding matters. The order is the order of urgency.
type Severity uint8

// The three severities. A [Critical] finding makes a run exit with 3 and,
// where it stands in an inventory, keeps every segment of that target.
const (
	Info Severity = iota
	Warning
	Critical
)

// String gives the word used in reports: info, warning or critical.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	default:
		return "critical"
	}
}

// MarshalText writes the word that [Severity.String] gives.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads one of the three words and refuses any other.
func (s *Severity) UnmarshalText(text []byte) error {
	parsed, err := ParseSeverity(string(text))
	if err == nil {
		*s = parsed
	}
	return err
}

// ParseSeverity reads one of the three words and refuses any other.
func ParseSeverity(word string) (Severity, error) {
	for _, s := range []Severity{Info, Warning, Critical} {
		if s.String() == word {
			return s, nil
		}
	}
	return Critical, fmt.Errorf("severity %q is none of info, warning, critical", word)
}

// Code is a stable slug such as "media-point-not-moving".
type Code string

// Finding is one thing that a person should know.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
	Text     string   `json:"text"`
}

// New makes a finding with the severity that the catalogue gives its code.
// A code that is not in the catalogue is critical: nobody has weighed it.
func New(code Code, format string, args ...any) Finding {
	severity := Critical
	if entry, ok := Lookup(code); ok {
		severity = entry.Severity
	}
	return Finding{Severity: severity, Code: code, Text: fmt.Sprintf(format, args...)}
}

// About is New for a target, whose name stands in front of the text and is no
// part of the format: a queue manager's name may hold a per cent sign.
func About(target string, code Code, format string, args ...any) Finding {
	return New(code, "%s: %s", target, fmt.Sprintf(format, args...))
}

// Worst gives the highest severity among the findings, and false when there
// are none.
func Worst(findings []Finding) (Severity, bool) {
	if len(findings) == 0 {
		return Info, false
	}
	worst := slices.MaxFunc(findings, func(a, b Finding) int { return int(a.Severity) - int(b.Severity) })
	return worst.Severity, true
}

package bsds

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// title is the line that names the BSDS.
var title = regexp.MustCompile(`\bLOG MAP OF (?:THE )?BSDS DATA SET\b.*\bDSN ?= ?(\S+)`)

// field is a fact of the head of a print: the text in front of it and what it
// is. The first that a print has of each counts; below the members of a group
// each has its name, and the first is the one whose BSDS it is.
type field struct {
	text *regexp.Regexp
	take func(p *Print, value []string) error
}

// between is what stands between a name and its value.
const between = `[ :=-]*`

var fields = []field{
	{title, func(p *Print, value []string) error { return word(&p.DataSet, value[1]) }},
	{regexp.MustCompile(`BELONGING TO (?:MEMBER|QUEUE MANAGER|QMGR) '([^']*)'`), func(p *Print, value []string) error { return word(&p.Member, value[1]) }},
	{regexp.MustCompile(`OF (?:GROUP|QSG|QUEUE[- ]SHARING GROUP) '([^']*)'`), func(p *Print, value []string) error { return word(&p.Group, value[1]) }},
	{regexp.MustCompile(`^BSDS VERSION` + between + `([12])\b`), func(p *Print, value []string) error { return number(&p.Version, value[1]) }},
	{regexp.MustCompile(`\bTIME\(RAW\)`), func(p *Print, _ []string) error { p.Raw = true; return nil }},
	{regexp.MustCompile(`\b(?:QSG|GROUP) NAME` + between + `([A-Z0-9@#$]{1,8})\b`), func(p *Print, value []string) error { return word(&p.Group, value[1]) }},
	{regexp.MustCompile(`\b(?:QMGR|MEMBER|QUEUE MANAGER) NAME` + between + `([A-Z0-9@#$]{1,8})\b`), func(p *Print, value []string) error { return word(&p.Member, value[1]) }},
	{regexp.MustCompile(`\b(?:QMGR|MEMBER) (?:NUMBER|ID)` + between + `([0-9]{1,3})\b`), func(p *Print, value []string) error { return number(&p.Number, value[1]) }},
	{regexp.MustCompile(`\bSYSTEM TIMESTAMP` + local), func(p *Print, value []string) error { return stamp(&p.System, value[1], value[2]) }},
	{regexp.MustCompile(`\bUTILITY TIMESTAMP` + local), func(p *Print, value []string) error { return stamp(&p.Utility, value[1], value[2]) }},
	{regexp.MustCompile(`\bHIGHEST RBA WRITTEN` + between + `([0-9A-F]+)(?: +(\S+) +(\S+))?`), written},
	{regexp.MustCompile(`\bHIGHEST RBA OFFLOADED` + between + `([0-9A-F]+)`), func(p *Print, value []string) error { return place(&p.HighestOffloaded, value[1]) }},
}

// local is a date and a time by the local clock, with or without their names.
const local = between + `(?:DATE` + between + `)?([0-9.]+) +(?:L?TIME` + between + `)?([0-9:.]+)`

// headLine reads the facts that a line has. A line without any is passed over.
func (r *reader) headLine(text string) error {
	for _, known := range fields {
		match := known.text.FindStringSubmatch(text)
		if match == nil {
			continue
		}
		if known.text == title && r.print.DataSet != "" && r.print.DataSet != match[1] {
			return r.fail("the print of a second BSDS, " + match[1])
		}
		if err := known.take(&r.print, match); err != nil {
			return r.fail(err.Error())
		}
	}
	return nil
}

func written(p *Print, value []string) error {
	if err := place(&p.HighestWritten, value[1]); err != nil || value[2] == "" {
		return err
	}
	return stamp(&p.WrittenAt, value[2], value[3])
}

func word(into *string, text string) error {
	if *into == "" && text != "NO NAME" && strings.Trim(text, ". ") != "" {
		*into = strings.TrimSpace(text)
	}
	return nil
}

func number(into *int, text string) error {
	if *into == 0 {
		*into, _ = strconv.Atoi(text) // digits only, and few
	}
	return nil
}

func place(into *RBA, text string) error {
	if into.Known() {
		return nil
	}
	rba, err := ParseRBA(text)
	if err == nil {
		*into = rba
	}
	return err
}

// stamp reads a date and a time. What is no date is not known, and no error:
// nothing is decided by these.
func stamp(into *time.Time, date, clock string) error {
	if at, ok := parseStamp(date, clock); ok && into.IsZero() {
		*into = at
	}
	return nil
}

// parseStamp reads 2026.028 and 10:16:57.81 or 10:16. The day is that of the year.
func parseStamp(date, clock string) (time.Time, bool) {
	layout := "2006.002 15:04:05"
	if strings.Count(clock, ":") == 1 {
		layout = "2006.002 15:04"
	}
	at, err := time.Parse(layout, date+" "+clock)
	return at, err == nil
}

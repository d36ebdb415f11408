package qsg

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

var (
	// eventID fits the messages that are kept: of the coupling facility manager,
	// the log manager, the data manager, Db2, restart, and of XCF on structures.
	eventID = regexp.MustCompile(`^[^a-z()'"]{0,40}?\b(CSQ[EJI5RY][0-9]{3}[A-Z]|IXC5[0-9]{2}[A-Z])\b[ ]*(.*)$`)
	// otherID begins any other message.
	otherID = regexp.MustCompile(`^[*@]?[A-Z]{3,5}[A-Z0-9]{0,2}[0-9]{3,5}[A-Z]\b`)

	eventStructure = regexp.MustCompile(`(?i)\bSTRUCTURE ([A-Z][A-Z0-9_]{0,11})\b`)
	eventPair      = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9]*) ?= ?([^\s,;()]+)`)
	eventValue     = regexp.MustCompile(`\b([A-Z][A-Z0-9]+)\(([^()]*)\)`)
	eventDataSet   = regexp.MustCompile(`(?i)\bDATA SET(?: NAME)? ([A-Z@#$][A-Z0-9@#$-]{0,7}(?:\.[A-Z@#$][A-Z0-9@#$-]{0,7})+)`)
	eventPercent   = regexp.MustCompile(`(?i)\b([0-9]{1,3})(?:%| PER ?CENT)`)
	eventSize      = regexp.MustCompile(`(?i)\bSIZE ([0-9]+) ?MB\b`)
	pagesBefore    = regexp.MustCompile(`(?i)(-?[0-9]+) PAGES ADDED`)
	pagesBehind    = regexp.MustCompile(`(?i)\bPAGES ADDED[ :=]*(-?[0-9]+)`)
	pagesTotal     = regexp.MustCompile(`(?i)\bTOTAL PAGES[ :=]*([0-9]+)|\bTOTAL(?: OF)?[ :=]*([0-9]+)(?: PAGES)?`)
)

// sameEvent is what two readings of one message have in common: members on one
// image share its log.
type sameEvent struct {
	member, id, text string
	at               time.Time
}

// readMessages reads the log of each member.
func (r *reader) readMessages() {
	var missing []observe.Question
	var why error
	seen := map[sameEvent]bool{}
	for _, name := range r.names() {
		body, err := r.ask(observe.Syslog, name, "")
		if err != nil {
			why = err
			missing = append(missing, observe.Question{Language: observe.Syslog, QueueManager: name})
			continue
		}
		own := map[sameEvent]bool{}
		for _, event := range r.events(body, name) {
			key := sameEvent{event.Member, event.ID, event.Text, event.At.Time}
			if !event.At.IsZero() && seen[key] {
				continue
			}
			own[key] = true
			r.group.Log = append(r.group.Log, event)
		}
		for key := range own {
			seen[key] = true
		}
	}
	r.unheard(finding.NotChecked, "messages that nobody asked for", missing, why)
}

// events reads a log. A message goes on in the lines below it until the next.
func (r *reader) events(body []byte, name string) []Event {
	var events []Event
	open := false // the last event may go on
	for _, line := range mqsc.ConsoleLines(body) {
		parts := eventID.FindStringSubmatch(line.Text)
		switch {
		case parts != nil:
			events = append(events, Event{Member: name, At: logStamp(line.Stamp), ID: parts[1], Text: parts[2], Line: line.Line})
			open = true
		case open && line.Further && !otherID.MatchString(line.Text):
			last := &events[len(events)-1]
			if line.Connect != "" {
				last.Text = strings.TrimSuffix(last.Text, " "+line.Connect)
			}
			last.Text += " " + strings.TrimSpace(line.Text)
		default:
			open = false
		}
	}
	for i := range events {
		r.explain(&events[i])
	}
	return events
}

// explain finds in a message's text whose it is and what it is about.
func (r *reader) explain(e *Event) {
	e.Text = strings.Join(strings.Fields(e.Text), " ")
	if first, _, _ := strings.Cut(e.Text, " "); r.prefixes[first] != "" {
		e.Member = r.prefixes[first]
	}
	e.Values = map[string]string{}
	for _, parts := range eventPair.FindAllStringSubmatch(e.Text, -1) {
		e.Values[strings.ToUpper(parts[1])] = strings.TrimRight(parts[2], ".")
	}
	for _, parts := range eventValue.FindAllStringSubmatch(e.Text, -1) {
		e.Values[parts[1]] = strings.TrimSpace(parts[2])
	}
	e.Structure, e.Owner = e.Values["CFSTRUCT"], e.Values["SMDS"]
	if e.Owner == "" {
		e.Owner = e.Values["SMDSCONN"]
	}
	if parts := eventStructure.FindStringSubmatch(e.Text); parts != nil && e.Structure == "" {
		e.Structure = strings.ToUpper(parts[1])
	}
	if parts := eventDataSet.FindStringSubmatch(e.Text); parts != nil {
		e.DataSet = strings.ToUpper(parts[1])
	} else {
		e.DataSet = strings.ToUpper(e.Values["DSNAME"])
	}
	for name, forms := range map[string][]*regexp.Regexp{
		"PERCENT": {eventPercent}, "SIZE": {eventSize}, "PAGES": {pagesBehind, pagesBefore}, "TOTAL": {pagesTotal},
	} {
		for _, form := range forms {
			if parts := form.FindStringSubmatch(e.Text); parts != nil {
				e.Values[name] = strings.Join(parts[1:], "")
				break
			}
		}
	}
}

// logStamp reads the time of a line of a log: 26148 02:00:01.10, the same with a
// year of four digits, or 2026-05-28 02:00:01. A time without a day is none.
func logStamp(text string) observe.Stamp {
	day, clock, found := strings.Cut(strings.Replace(text, "T", " ", 1), " ")
	if !found {
		return observe.Stamp{}
	}
	if len(day) == 5 {
		day = "20" + day
	}
	if len(day) == 7 && strings.Trim(day, "0123456789") == "" {
		year, _ := strconv.Atoi(day[:4])
		number, _ := strconv.Atoi(day[4:])
		date := time.Date(year, time.January, number, 0, 0, 0, 0, time.UTC)
		if number < 1 || date.Year() != year {
			return observe.Stamp{}
		}
		day = date.Format(time.DateOnly)
	}
	if seconds := len("02:00:01"); len(clock) >= seconds {
		clock = strings.ReplaceAll(clock[:seconds], ":", ".") + clock[seconds:]
	}
	stamp, err := observe.ParseStamp(day + " " + clock)
	if err != nil {
		return observe.Stamp{}
	}
	return stamp
}

// EventsOf gives the events with one of the ids, whatever their severity letter,
// in the order of the logs.
func (g *Group) EventsOf(ids ...string) []Event {
	var found []Event
	for _, e := range g.Log {
		if slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(e.ID, id) }) {
			found = append(found, e)
		}
	}
	return found
}

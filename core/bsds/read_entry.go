package bsds

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// attributes are what is said of a log data set with a name and a sign. Others,
// such as a password's, are passed over.
var attributes = map[string]func(e *entry, value string) bool{
	"STATUS":     func(e *entry, value string) bool { return e.state(value) },
	"VOL":        func(e *entry, value string) bool { e.log.Volume = value; return true },
	"VOLUME":     func(e *entry, value string) bool { e.log.Volume = value; return true },
	"COPY1VOL":   func(e *entry, value string) bool { e.log.Volume = value; return true },
	"COPY2VOL":   func(e *entry, value string) bool { e.log.Volume = value; return true },
	"UNIT":       func(e *entry, value string) bool { e.log.Unit = value; return true },
	"CATALOGUED": func(e *entry, value string) bool { return e.catalogued(value) },
	"CATALOGED":  func(e *entry, value string) bool { return e.catalogued(value) },
	"CATALOG":    func(e *entry, value string) bool { return e.catalogued(value) },
	"CATLG":      func(e *entry, value string) bool { return e.catalogued(value) },
	"DATE":       func(e *entry, value string) bool { e.date(value); return true },
	"LTIME":      func(e *entry, value string) bool { e.created(value); return true },
}

// states are words that say something of a log data set by themselves.
var states = map[string]func(*Log){
	"NEW":           func(log *Log) { log.Status = New },
	"REUSABLE":      func(log *Log) { log.Status = Reusable },
	"NOTREUSABLE":   func(log *Log) { log.Status = NotReusable },
	"STOPPED":       func(log *Log) { log.Status = Stopped },
	"TRUNCATED":     func(log *Log) { log.Truncated = true },
	"CATALOGUED":    func(log *Log) { log.Catalogued = Yes },
	"CATALOGED":     func(log *Log) { log.Catalogued = Yes },
	"NOTCATALOGUED": func(log *Log) { log.Catalogued = No },
	"NOTCATALOGED":  func(log *Log) { log.Catalogued = No },
}

// attribute reads what a name and a sign say of the entry.
func (r *reader) attribute(label, value string) error {
	if label == "DSN" || label == "DSNAME" {
		return r.name(value)
	}
	take := attributes[label]
	if take == nil || isBlank(value) {
		return nil
	}
	if r.entry == nil {
		return r.fail(label + " belongs to no log data set")
	}
	if !take(r.entry, value) {
		return r.fail(strconv.Quote(value) + " is no " + label + " that is known")
	}
	return nil
}

// name takes the name of the data set. A second one begins the next entry. If the
// addresses below the first name were taken for its LRSNs, they are the RBAs of
// the second: the table has columns for LRSNs, and this entry none.
func (r *reader) name(value string) error {
	value = strings.Trim(value, "'")
	if !isDataSet(value) {
		return r.fail(strconv.Quote(value) + " is no name of a data set")
	}
	if e := r.entry; e != nil && e.named > 0 {
		next := e.split(r.number)
		r.shifted = r.shifted || next.shifted
		if err := r.flush(); err != nil {
			return err
		}
		r.entry = next
	}
	e := r.current()
	e.log.DataSet, e.named, e.namedIn = value, e.count+1, r.number
	return nil
}

// mark keeps what the entry had before its third address.
func (e *entry) mark() {
	if e.day != "" {
		e.created("00:00")
	}
	e.marked.created, e.marked.stamps = e.log.Created, len(e.stamps)
	e.log.Created = time.Time{}
}

// split begins the entry behind this one, whose name was just read. Where names
// stand below the RBAs, what came behind the third address is its own.
func (e *entry) split(line int) *entry {
	next := &entry{log: Log{Line: line}}
	if e.named != 3 || e.count != 4 || e.namedIn == e.log.Line {
		return next
	}
	next.shifted = true
	next.addresses[0], next.addresses[1], next.count = e.addresses[2], e.addresses[3], 2
	e.addresses[2], e.addresses[3], e.count = "", "", 2
	next.day, e.day = e.day, ""
	next.log.Created, e.log.Created = e.log.Created, time.Time{}
	e.stamps, next.stamps = e.stamps[:e.marked.stamps], e.stamps[e.marked.stamps:]
	return next
}

func (e *entry) state(value string) bool {
	set := states[value]
	if set == nil || strings.Contains(value, "CATALOG") {
		return false
	}
	set(&e.log)
	return true
}

func (e *entry) catalogued(value string) bool {
	switch value {
	case "YES", "Y":
		e.log.Catalogued = Yes
	case "NO", "N":
		e.log.Catalogued = No
	default:
		return false
	}
	return true
}

// date takes a date whose time may follow. If none follows it is that of the
// entry, whose time stands one line below.
func (e *entry) date(value string) {
	if e.day != "" {
		e.created("00:00")
	}
	e.day = value
}

// clock takes a time: to the second, with its date, that of the log; to the
// minute that of the entry.
func (e *entry) clock(value string) {
	if strings.Count(value, ":") == 1 {
		e.created(value)
		return
	}
	if at, ok := parseStamp(e.day, value); ok {
		e.stamps = append(e.stamps, at)
	}
	e.day = ""
}

// created takes the time of the entry itself.
func (e *entry) created(value string) {
	day := e.day
	if earlier := cmp.Or(e.log.Created, e.marked.created); day == "" && !earlier.IsZero() {
		day = earlier.Format("2006.002")
	}
	if at, ok := parseStamp(day, value); ok {
		e.log.Created = at.Truncate(time.Minute)
	}
	e.day = ""
}

// flush ends the entry that is read, and checks that it is whole.
func (r *reader) flush() error {
	e := r.entry
	if e == nil {
		return nil
	}
	r.entry = nil
	why := e.finish()
	r.paired = r.paired || e.log.StartLRSN.Known() || e.log.EndLRSN.Known()
	switch {
	case why != "":
	case e.shifted && e.log.Status == New:
		why = "the entry of " + e.log.DataSet + " is new and has a range"
	case r.shifted && r.paired:
		why = "it can't be told whether addresses are the LRSNs of one data set or the RBAs of the next"
	}
	if why != "" {
		return &Error{e.log.Line, why}
	}
	*r.into = append(*r.into, e.log)
	return nil
}

// finish puts the values of an entry into its log data set, and tells what is
// wrong with it.
func (e *entry) finish() string {
	if e.day != "" {
		e.created("00:00")
	}
	log := &e.log
	log.Created = cmp.Or(log.Created, e.marked.created)
	for i, into := range []*address{&log.Start.address, &log.End.address, &log.StartLRSN.address, &log.EndLRSN.address} {
		if e.addresses[i] != "" {
			*into, _ = parseAddress("", e.addresses[i]) // its shape was looked at
		}
	}
	if len(e.stamps) > 0 {
		log.StartTime = e.stamps[0]
	}
	if len(e.stamps) > 1 {
		log.EndTime = e.stamps[1]
	}
	if log.Truncated && log.Status == "" {
		log.Status = Truncated
	}
	return log.wrong()
}

// wrong tells what a log data set lacks, or where it contradicts itself.
func (l Log) wrong() string {
	switch order, ok := l.Start.Compare(l.End); {
	case l.DataSet == "":
		return "the entry has no name of a data set"
	case l.Start.Known() != l.End.Known() || !l.Start.Known() && l.Status != New:
		return "the entry of " + l.DataSet + " lacks an RBA"
	case l.Start.Known() && !ok:
		return "the RBAs of " + l.DataSet + " have two widths"
	case l.Start.Known() && order > 0:
		return "the log in " + l.DataSet + " ends before it begins"
	}
	switch order, ok := l.StartLRSN.Compare(l.EndLRSN); {
	case l.StartLRSN.Known() && l.EndLRSN.Known() && !ok:
		return "the LRSNs of " + l.DataSet + " have two widths"
	case ok && order > 0 && !l.EndLRSN.Zero():
		return "the log in " + l.DataSet + " ends before it begins"
	}
	return ""
}

// isDataSet tells whether a text is the name of a data set: qualifiers of up to
// eight characters with points between, 44 in all.
func isDataSet(name string) bool {
	if len(name) > 44 {
		return false
	}
	for qualifier := range strings.SplitSeq(name, ".") {
		if qualifier == "" || len(qualifier) > 8 || strings.Trim(qualifier, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$-") != "" ||
			strings.ContainsAny(qualifier[:1], "0123456789-") {
			return false
		}
	}
	return true
}

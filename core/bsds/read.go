package bsds

import (
	"fmt"
	"regexp"
	"strings"
)

// Read reads what CSQJU004 printed of one BSDS. The error is an [*Error]: the
// print breaks off, holds what can't be read where log data sets are listed, or
// is of something else. The order of the parts does not matter, and parts that
// are not known are passed over.
func Read(body []byte) (Print, error) {
	r := reader{seen: map[string]bool{}}
	lines := strings.Split(strings.ToValidUTF8(string(body), "\uFFFD"), "\n")
	for i, line := range lines {
		r.number = i + 1
		if strings.TrimSpace(line) != "" {
			r.last = r.number
		}
		if err := r.line(plain(line)); err != nil {
			return Print{}, err
		}
	}
	if err := r.end(); err != nil {
		return Print{}, err
	}
	return r.print, nil
}

// reader goes through the lines of a print.
type reader struct {
	print  Print
	number int // of the line, from 1

	part  part
	table string          // the heading of the table that is read
	seen  map[string]bool // headings of tables

	into    *[]Log // where its entries go
	lrsns   bool   // its column headings name LRSNs, or it has none
	shifted bool   // some entry of the table was shifted
	paired  bool   // some entry of the table has LRSNs
	entry   *entry // whose lines are read; nil between entries
	aside   int    // the line of words that led out of the table; 0: none
	last    int    // the last line that is not blank
}

// part is what the lines belong to.
type part uint8

const (
	head part = iota
	logTable
	restarts
	checkpoints
	other // known to be of no interest, or not known
)

var (
	// The heading of a table of log data sets, also on a further page.
	tableHeading = regexp.MustCompile(`\b(ACTIVE|ARCHIVE) LOG COPY ([12]) DATA SETS?\b`)
	// What is on top of a page.
	page = regexp.MustCompile(`\bPAGE:? +[0-9]+\b`)
	// The headings of the columns of log data sets.
	columns = regexp.MustCompile(`^(START ?RBA|START +(RBA|LRSN|TIME))\b.*\bEND ?(RBA|LRSN|TIME)\b`)
	// A message of the utility. CSQJ200I says that it ended well.
	message = regexp.MustCompile(`^CSQ[A-Z0-9][0-9]{3}[ADEISTW]\b`)
)

// partHeadings begin other parts. The last are Db2's own, whose log manager it is.
var partHeadings = []struct {
	heading string
	part    part
}{
	{"CONDITIONAL RESTART CONTROL RECORD", restarts},
	{"CHECKPOINT QUEUE", checkpoints},
	{"QUIESCE HISTORY", other},
	{"ARCHIVE LOG COMMAND HISTORY", other},
	{"BACKUP SYSTEM UTILITY HISTORY", other},
}

// decoration tells whether a line separates or decorates: rules, boxes, the top
// of a page, and the headings of columns where they went on in a second line.
func decoration(text string) bool {
	return strings.Trim(text, "-=*_. ") == "" || text == "0" || text == "1" || text == "+" || text == "DATA SET INFORMATION" ||
		strings.Contains(text, "PAGE") && page.MatchString(text)
}

// plain gives a line as it is read: in capitals, without the control character of
// a printer in its first column, and without blanks around it.
func plain(line string) string {
	line = strings.Trim(strings.ToUpper(line), "\f\r")
	if controlled(line) {
		line = line[1:]
	}
	return strings.TrimSpace(line)
}

// controlled tells whether a line begins with an ASA control character. A digit
// there may also begin an address, a date or a time: then these have the right
// length with it.
func controlled(line string) bool {
	if line == "" || !strings.ContainsRune("01+-", rune(line[0])) {
		return false
	}
	word, _, _ := strings.Cut(line, " ")
	if isAddress(word) || isDate(word) || isClock(word) {
		return false
	}
	rest := word[1:]
	return rest == "" || strings.ContainsAny(rest, "GHIJKLMNOPQRSTUVWXYZ*(=") ||
		isAddress(rest) || isDate(rest)
}

// line reads one line. A print may have a hundred thousand of them, so none is
// looked at by an expression that it can't match.
func (r *reader) line(text string) error {
	if strings.Contains(text, " LOG COPY ") {
		if match := tableHeading.FindStringSubmatch(text); match != nil {
			return r.open(match[0], match[1] == "ARCHIVE", match[2] == "2")
		}
	}
	if strings.HasPrefix(text, "CSQ") {
		if id := message.FindString(text); id != "" {
			return r.message(id)
		}
	}
	if decoration(text) {
		return nil
	}
	for _, known := range partHeadings {
		if strings.Contains(text, known.heading) {
			return r.turn(known.part)
		}
	}
	switch {
	case text[0] == '*' || strings.Contains(text, "LOG MAP OF"):
		return r.headLine(text)
	case r.part == logTable:
		return r.logLine(text)
	case r.part == restarts:
		return r.restartLine(text)
	case r.part == checkpoints:
		return r.checkpointLine(text)
	case r.part == other && (strings.Contains(text, "DSN=") || strings.Contains(text, "STARTRBA=")):
		return r.fail("a data set outside the tables of log data sets")
	}
	return r.headLine(text)
}

// open begins a table, or goes on with it on a further page.
func (r *reader) open(heading string, archived, second bool) error {
	if r.table == heading && (r.part == logTable || r.aside > 0) {
		r.part, r.aside = logTable, 0
		return nil
	}
	if r.seen[heading] {
		return r.fail("the table " + heading + " stands twice: it is the print of two BSDSs")
	}
	if err := r.turn(logTable); err != nil {
		return err
	}
	r.table, r.seen[heading] = heading, true
	r.lrsns, r.shifted, r.paired = true, false, false
	copies := &r.print.Active
	if archived {
		copies = &r.print.Archive
	}
	r.into = &copies[0]
	if second {
		r.into = &copies[1]
	}
	return nil
}

// turn ends the part that was read and begins another.
func (r *reader) turn(to part) error {
	if err := r.flush(); err != nil {
		return err
	}
	r.part, r.aside = to, 0
	return nil
}

// message reads a message of the utility. Those that are no information say that
// the print is not to be relied on.
func (r *reader) message(id string) error {
	if !strings.HasSuffix(id, "I") || id == "CSQJ201I" { // UTILITY PROCESSING WAS UNSUCCESSFUL
		return r.fail(id + ": the utility did not end well")
	}
	if id == "CSQJ200I" && r.part != head {
		return r.turn(other)
	}
	return nil
}

// end checks that the print is whole: it does not end among log data sets, and
// the tables that every BSDS has were in it.
func (r *reader) end() error {
	if r.part == logTable || r.aside > 0 && r.aside == r.last {
		return r.fail("the print breaks off within " + r.table)
	}
	if err := r.flush(); err != nil {
		return err
	}
	for _, heading := range []string{"ACTIVE LOG COPY 1 DATA SETS", "ARCHIVE LOG COPY 1 DATA SETS"} {
		if !r.seen[heading] && !r.seen[strings.TrimSuffix(heading, "S")] {
			return r.fail("there is no table " + heading)
		}
	}
	return r.check()
}

// check tells of addresses of two widths in one print: they can't be of one BSDS.
func (r *reader) check() error {
	rbas, lrsns := r.print.HighestWritten.width, Width(0)
	for _, place := range r.print.logs() {
		for _, width := range []Width{place.Log.Start.width, place.Log.End.width} {
			if rbas == 0 {
				rbas = width
			}
			if width != rbas {
				return &Error{place.Log.Line, fmt.Sprintf("an RBA of %d bytes, where others have %d", width, rbas)}
			}
		}
		for _, width := range []Width{place.Log.StartLRSN.width, place.Log.EndLRSN.width} {
			if lrsns == 0 {
				lrsns = width
			}
			if width != 0 && width != lrsns {
				return &Error{place.Log.Line, fmt.Sprintf("an LRSN of %d bytes, where others have %d", width, lrsns)}
			}
		}
	}
	return nil
}

func (r *reader) fail(text string) error { return &Error{r.number, text} }

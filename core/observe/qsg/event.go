package qsg

import "github.com/mqhk/mqhk/core/observe"

// Event is a message in a member's log that nobody asked for.
type Event struct {
	Member    string        // whose log it is; the prefix in the message counts before the log's own name
	At        observe.Stamp // local; zero: not printed
	ID        string        // CSQE217I
	Structure string        // as far as the message names one
	Owner     string        // of a shared message data set
	DataSet   string
	Values    map[string]string // by names in capitals: RBA, SIZE, REASON, STATUS, PAGES, TOTAL, PERCENT, ...
	Text      string            // the whole message behind its id, on one line
	Line      int
}

// Number gives a value that is a number.
func (e Event) Number(name string) Number { return numberOf(e.Values[name]) }

package os400

// Reason is the reason code of CPA7090 (reference, IBM i 3.4 [S44]).
type Reason int

// The reasons that occur here.
const (
	NoStorage      Reason = 1
	SequenceUsedUp Reason = 4
)

// words say what a reason code means.
func (r Reason) words() string {
	switch r {
	case NoStorage:
		return "there is no storage left"
	case SequenceUsedUp:
		return "the sequence number is at its maximum"
	}
	return "unknown"
}

// NotJournaled makes CPA7090: a journal takes no entries, in the receiver that
// is attached. Its variables are journal, library and reason, the eighth and
// ninth are the receiver (reference, IBM i 3.4). The cause may be nil.
func NotJournaled(journal, receiver ID, reason Reason, cause error) *Error {
	e := Escape("CPA7090", journal, int(reason), "", "", "", "", receiver.Name, receiver.Library, reason.words())
	e.Err = cause
	return e
}

package os400

import (
	"context"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// ID names an object in a library.
type ID struct{ Library, Name string }

// String gives LIBRARY/NAME.
func (id ID) String() string { return id.Library + "/" + id.Name }

// Options are what a system runs with.
type Options struct {
	// Disk holds the files of the system, from its root. One that refuses
	// writes makes a system that can only be looked at.
	Disk disk.FS
	// Now gives the system's time in its time zone. It may go back.
	Now func() time.Time
	// NoSync leaves syncs out, for rehearsals.
	NoSync bool
	// Exits are the programs that may be registered for the exit point
	// QIBM_QJO_DLT_JRNRCV, by LIBRARY/NAME.
	Exits map[string]ExitProgram
}

// ExitProgram says whether a receiver may be deleted (format DRCV0100). An
// error is a no.
type ExitProgram func(s *System, r Receiver) (bool, error)

// Settings are what a new system is made with.
type Settings struct {
	// Name of the system, 1 to 8 characters.
	Name string
	// SixDigits: generated receiver names count six digits, so that AMQA999999
	// is followed by AMQA000000 and AMQA099999 by AMQA100000 (V6). Otherwise
	// they count five and the digit before them, the restore digit, stays:
	// AMQA099999 is followed by AMQA000000 (9.x).
	SixDigits bool
	// Capacity of the system ASP in bytes; 0: without a limit.
	Capacity int64
}

// Status is the state of a receiver, in the words of the SQL services.
type Status string

// The states (reference, IBM i 1.5).
const (
	Attached Status = "ATTACHED"
	Online   Status = "ONLINE"  // detached, not saved since
	Saved    Status = "SAVED"   // saved after detach
	Freed    Status = "FREED"   // saved, and its storage freed: no data
	Partial  Status = "PARTIAL" // restored from a save made while attached
	Empty    Status = "EMPTY"   // never attached
)

// Number is a place in the receiver directory: cc and nnn of the five digits.
type Number struct{ Chain, Place int }

// Receiver is a journal receiver as the directory knows it. Times have a
// resolution of one second, in the system's zone; zero: none.
type Receiver struct {
	ID
	Journal   ID
	Number    Number // zero for one that is in no journal's directory
	Status    Status
	Damaged   bool  // CPF8136
	Threshold int64 // KB
	Attach    time.Time
	Detach    time.Time
	Save      time.Time
	// First and Last sequence number; of the attached one Last is that of the
	// newest entry. Zero: it has no entries.
	First, Last uint64
	Previous    ID // zero: none
	Next        ID
	// Associated: it joins the chain, so that its entries can be read. A
	// restored one whose neighbour is missing does not (reference 5, Restore).
	Associated bool
	// Start and End are its part of the log: the position of its first entry
	// and that behind its last. A Start of zero: nothing was written to it
	// yet; an End of zero: it is being written.
	Start, End wal.LSN
	// LockedBy names the jobs that hold a lock on it.
	LockedBy []string
	// Behind: a remote journal has not received all of it yet.
	Behind bool
	// Size in bytes on the system.
	Size int64
}

// Entries gives the number of entries.
func (r Receiver) Entries() uint64 {
	if r.First == 0 {
		return 0
	}
	return r.Last - r.First + 1
}

// JournalSpec is CRTJRN.
type JournalSpec struct {
	ID
	// First receiver, which is created and attached: AMQA000000.
	First ID
	// Threshold of its receivers in KB: 1 to 1000000000.
	Threshold int64
	// UserManaged: MNGRCV(*USER), the system attaches no receivers.
	UserManaged bool
	// DeleteReceivers: DLTRCV(*YES).
	DeleteReceivers bool
	// SizeOption is RCVSIZOPT without its asterisk: MAXOPT1 to MAXOPT3, or
	// empty. It bounds the sequence numbers (reference 1.4).
	SizeOption string
	// MessageQueue for the journal's messages; zero: QSYS/QSYSOPR.
	MessageQueue ID
}

// Journal is a journal and its attributes.
type Journal struct {
	JournalSpec
	Remote bool // a remote journal: it is not written here
	// Attached receiver.
	Attached ID
	// Suspended: system management of receivers ended with CPI70E3; the
	// attached one grows until a person attaches another.
	Suspended bool
	// NextSequence is the number of the next entry at the last change of
	// receivers.
	NextSequence uint64
	Remotes      []Remote
}

// MaxSequence gives the highest sequence number that the journal can have.
func (j Journal) MaxSequence() uint64 {
	switch j.SizeOption {
	case "MAXOPT1", "MAXOPT2":
		return 9_999_999_999
	case "MAXOPT3":
		return 18_446_744_073_709_551_600
	default:
		return 2_147_483_136
	}
}

// Remote is a remote journal that a local one is sent to.
type Remote struct {
	ID
	Database string // relational database, the remote system
	Active   bool
	Sync     bool   // delivery
	Behind   uint64 // entries that it has not received yet
}

// Change is CHGJRN. Fields that are nil or empty change nothing.
type Change struct {
	// Receiver to attach: "*GEN", or the name of an empty receiver in the
	// library of Library.
	Receiver string
	Library  string
	Reset    bool // SEQOPT(*RESET)

	UserManaged     *bool
	DeleteReceivers *bool
	MessageQueue    *ID
}

// Writer is who writes a journal now. Its methods are called without locks of
// the system.
type Writer interface {
	// Change goes on in the next receiver, which it asks [Log.Next] for.
	Change(ctx context.Context) error
	// Entries gives the number of entries that were written in the attached
	// receiver.
	Entries() uint64
}

// MessageKind is the type of a message on a queue.
type MessageKind string

// The kinds, in the words of MESSAGE_QUEUE_INFO.
const (
	Informational MessageKind = "INFORMATIONAL"
	Inquiry       MessageKind = "INQUIRY"
	Reply         MessageKind = "REPLY"
)

// Message is a message on a queue.
type Message struct {
	Key      uint64 // unique on the system; given by Send
	ID       string // AMQ7460, CPI70E3
	Kind     MessageKind
	Severity int
	Sent     time.Time
	Text     string
	Help     string // second level
	Tokens   string // substitution data
	Job      string // 123456/QMQM/AMQALMPX
	User     string
	Program  string
	Of       uint64 // of a reply: the key of its inquiry
	Answered bool   // an inquiry that was replied to
}

// Job is who gives a command.
type Job struct {
	Name string // NUMBER/USER/NAME
	User string
	// Inquiries says what becomes of one: CHGJOB INQMSGRPY.
	Inquiries InquiryReply
}

// InquiryReply is the value of INQMSGRPY.
type InquiryReply string

// The values. The zero value is that of *RQD.
const (
	ReplyRequired InquiryReply = "*RQD"     // the job waits for a person (MSGW)
	ReplyDefault  InquiryReply = "*DFT"     // the default reply of the message
	ReplyList     InquiryReply = "*SYSRPYL" // the system reply list (ADDRPYLE)
)

// DeleteOptions is DLTOPT of DLTJRNRCV.
type DeleteOptions struct{ IgnoreInquiry, IgnoreTargets, IgnoreExits bool }

// SaveOptions is what SAVOBJ does beside saving.
type SaveOptions struct {
	Free  bool // STG(*FREE)
	Clear bool // CLEAR(*ALL): what is in the save file is overwritten
	// NoHistory is UPDHST(*NO): no save date, the status stays. What is freed
	// has it all the same.
	NoHistory bool
}

// ObjectTypes is OBJTYPE of SAVOBJ and RSTOBJ; *ALL is both.
type ObjectTypes struct{ Receivers, Journals bool }

// SaveFile is a save file and what is in it.
type SaveFile struct {
	ID
	Library string // that was saved from; empty: the file is empty
	Time    time.Time
	Objects []SavedObject
	Size    int64
}

// SavedObject is an object in a save file.
type SavedObject struct {
	Name string
	Type string // *JRNRCV or *JRN
	// Receiver as it was, nil for a journal.
	Receiver *Receiver
	Size     int64
}

// WaitingJob is a job in MSGW: it waits for a reply and holds its lock.
type WaitingJob struct {
	Job      Job
	Key      uint64 // of the inquiry on QSYS/QSYSOPR
	Receiver ID     // that is to be deleted
	Options  DeleteOptions
}

// ReplyEntry is an entry of the system reply list.
type ReplyEntry struct {
	Sequence int
	Message  string
	Reply    string
}

// Storage is the system ASP.
type Storage struct{ Total, Used, Free int64 } // bytes; Total 0: without a limit

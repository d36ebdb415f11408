package collector

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/mqhk/mqhk/core/observe"
)

// ibmiTemplate is the script around the blocks: a sequence of compound
// (dynamic) statements for RUNSQLSTM.
//
//go:embed ibmi.sql.tmpl
var ibmiTemplate string

// answer is one block that the script writes.
type answer struct {
	Language observe.Language
	Question string // of the transcript, after the queue manager's name
	About    string // why it is asked, a comment of the script
	OneRow   bool   // no row at all is an error
	Attempts []attempt
}

// Header gives the block's header line without the mark.
func (a answer) Header(o Options) string {
	return observe.Question{Language: a.Language, QueueManager: o.QueueManager, Text: a.Question}.String()
}

// attempt is one way to ask. The next one is taken when it fails: it needs
// less of the system.
type attempt struct {
	Suffix  string // of the header
	Columns string // first line of the answer; empty: there is none
	Select  string // gives the lines of the answer; columns as kind marks them
}

// Columns of the services, as IBM Docs and the reference give them.
var (
	journalColumns = append(typed(text, `JOURNAL_NAME JOURNAL_LIBRARY JOURNAL_TYPE
		ATTACHED_JOURNAL_RECEIVER_NAME ATTACHED_JOURNAL_RECEIVER_LIBRARY MESSAGE_QUEUE MESSAGE_QUEUE_LIBRARY
		MANAGE_RECEIVER_OPTION DELETE_RECEIVER_OPTION RECEIVER_MAXIMUM_SIZE`),
		typed(number, `NUMBER_JOURNAL_RECEIVERS TOTAL_SIZE_JOURNAL_RECEIVERS NUMBER_REMOTE_JOURNALS`)...)

	receiverColumns = concat(typed(text, `JOURNAL_RECEIVER_LIBRARY JOURNAL_RECEIVER_NAME JOURNAL_LIBRARY JOURNAL_NAME STATUS`),
		typed(number, `SIZE THRESHOLD`),
		typed(stamp, `ATTACH_TIMESTAMP DETACH_TIMESTAMP SAVE_TIMESTAMP`),
		typed(number, `FIRST_SEQUENCE_NUMBER LAST_SEQUENCE_NUMBER NUMBER_OF_JOURNAL_ENTRIES`),
		typed(text, `PREVIOUS_JOURNAL_RECEIVER PREVIOUS_JOURNAL_RECEIVER_LIBRARY NEXT_JOURNAL_RECEIVER NEXT_JOURNAL_RECEIVER_LIBRARY
			RECEIVER_MAXIMUM_SIZE PENDING_TRANSACTIONS REMOTE_JOURNAL_TYPE`))

	remoteColumns = concat(typed(text, `SOURCE_JOURNAL_LIBRARY SOURCE_JOURNAL REMOTE_DATABASE_NAME REMOTE_JOURNAL_LIBRARY REMOTE_JOURNAL
		REMOTE_JOURNAL_STATE`), typed(number, `ESTIMATED_TIME_BEHIND`))

	aspColumns = concat(typed(text, `DEVICE_DESCRIPTION_NAME`), typed(number, `ASP_NUMBER`), typed(text, `ASP_STATE ASP_TYPE`),
		typed(number, `TOTAL_CAPACITY TOTAL_CAPACITY_AVAILABLE`))
)

// service makes the attempt to read a view of QSYS2.
func service(columns []column, from string) attempt {
	return attempt{Columns: header(columns), Select: "SELECT " + row(columns) + " FROM " + from}
}

// beforeList and afterList are the blocks in the order in which they are
// written: the user space is read before the list and again after it, so that
// a recovery point that moved in between is seen (reference, IBM i 4.4).
func beforeList(o Options) []answer {
	return []answer{
		{
			Language: observe.SQL,
			Question: "QSYS2.JOURNAL_INFO",
			About:    "The journals of the library; a queue manager has one local one.",
			Attempts: both(journalColumns, "NUMBER_REMOTE_JOURNALS RECEIVER_MAXIMUM_SIZE",
				"QSYS2.JOURNAL_INFO WHERE JOURNAL_LIBRARY = '"+o.Library+"'"),
		},
		recoveryMessages(o),
		operatorMessages(),
		journalMessages(o),
		userSpace(o),
		{
			Language: observe.SQL,
			Question: "QSYS2.JOURNAL_RECEIVER_INFO",
			About:    "Their receivers, and every other one in the library.",
			Attempts: both(receiverColumns, "RECEIVER_MAXIMUM_SIZE PENDING_TRANSACTIONS REMOTE_JOURNAL_TYPE NUMBER_OF_JOURNAL_ENTRIES",
				"QSYS2.JOURNAL_RECEIVER_INFO WHERE JOURNAL_LIBRARY = '"+o.Library+"' OR JOURNAL_RECEIVER_LIBRARY = '"+o.Library+"'"),
		},
	}
}

func afterList(o Options) []answer {
	return []answer{
		userSpace(o),
		{
			Language: observe.SQL,
			Question: "QSYS2.REMOTE_JOURNAL_INFO",
			About:    "Remote journals that may not have received everything yet.",
			Attempts: both(remoteColumns, "REMOTE_JOURNAL_STATE ESTIMATED_TIME_BEHIND",
				"QSYS2.REMOTE_JOURNAL_INFO WHERE SOURCE_JOURNAL_LIBRARY = '"+o.Library+"'"),
		},
		{
			Language: observe.SQL,
			Question: "QSYS2.ASP_INFO",
			About:    "How much room there is.",
			Attempts: []attempt{service(aspColumns, "QSYS2.ASP_INFO")},
		},
	}
}

// both tries all columns, then those that every level has.
func both(columns []column, newer, from string) []attempt {
	return []attempt{service(columns, from), service(without(columns, newer), from)}
}

// userSpace reads AMQJRNINF as bytes; where BASE64_ENCODE does not exist, as
// the 37 characters that it holds.
func userSpace(o Options) answer {
	from := " FROM TABLE(QSYS2.USER_SPACE(USER_SPACE => 'AMQJRNINF', USER_SPACE_LIBRARY => '" + o.Library + "'))"
	return answer{
		Language: observe.UsrSpc,
		Question: o.Library + "/AMQJRNINF",
		About:    "The older of the two recovery points, as MQ publishes it.",
		OneRow:   true,
		Attempts: []attempt{
			{Suffix: " BASE64", Select: "SELECT QSYS2.BASE64_ENCODE(SUBSTR(DATA_BINARY, 1, 37))" + from},
			{Select: "SELECT SUBSTR(DATA, 1, 37)" + from},
		},
	}
}

// step is an answer with its place in the script.
type step struct {
	answer
	N       int // from 1
	Options Options
}

// Number tells the attempts of all answers apart; there are at most nine of
// one.
func (s step) Number(attempt int) int { return 10*s.N + attempt + 1 }

func ibmi(o Options) (string, error) {
	t, err := template.New("ibmi").Funcs(template.FuncMap{
		"literal": literal,
		"comment": comment,
		"shell":   assignment,
	}).Parse(ibmiTemplate)
	if err != nil {
		return "", fmt.Errorf("collector for ibmi: %w", err)
	}
	before := beforeList(o)
	data := struct {
		Options
		Path, File string
		Kinds      []kind
		Comma      string
		Steps      []step
		After      int // the first step after the list
	}{Options: o, Path: o.path(), File: o.file(), Kinds: kinds, Comma: comma, After: len(before) + 1}
	for i, a := range append(before, afterList(o)...) {
		data.Steps = append(data.Steps, step{a, i + 1, o})
	}
	var out strings.Builder
	if err = t.Execute(&out, data); err != nil {
		return "", fmt.Errorf("collector for ibmi: %w", err)
	}
	return out.String(), nil
}

package collector

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

// ibmiTemplate is the script around the blocks: a sequence of compound
// (dynamic) statements for RUNSQLSTM.
//
//go:embed ibmi.sql.tmpl
var ibmiTemplate string

// answer is one block that the script writes.
type answer struct {
	Header   string // of the transcript, after the mark
	About    string // why it is asked, a comment of the script
	OneRow   bool   // no row at all is an error
	Attempts []attempt
}

// attempt is one way to ask. The next one is taken when it fails: it needs
// less of the system.
type attempt struct {
	Suffix  string // of the header
	Columns string // first line of the answer; empty: there is none
	Select  string // gives the lines of the answer
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

	messageColumns = concat(typed(text, `MESSAGE_QUEUE_LIBRARY MESSAGE_QUEUE_NAME MESSAGE_ID MESSAGE_TYPE`),
		typed(number, `SEVERITY`), typed(stamp, `MESSAGE_TIMESTAMP`),
		typed(prose, `MESSAGE_TEXT`), typed(tokens, `MESSAGE_TOKENS`), typed(prose, `MESSAGE_SECOND_LEVEL_TEXT`))

	remoteColumns = concat(typed(text, `SOURCE_JOURNAL_LIBRARY SOURCE_JOURNAL REMOTE_DATABASE_NAME REMOTE_JOURNAL_LIBRARY REMOTE_JOURNAL
		REMOTE_JOURNAL_STATE`), typed(number, `ESTIMATED_TIME_BEHIND`))

	aspColumns = concat(typed(text, `DEVICE_DESCRIPTION_NAME`), typed(number, `ASP_NUMBER`), typed(text, `ASP_STATE ASP_TYPE`),
		typed(number, `TOTAL_CAPACITY TOTAL_CAPACITY_AVAILABLE`))
)

func concat(lists ...[]column) []column {
	var all []column
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// service makes the attempt to read a view of QSYS2.
func service(columns []column, from string) attempt {
	return attempt{Columns: header(columns), Select: "SELECT " + row(columns) + "\n FROM " + from}
}

// beforeList and afterList are the blocks in the order in which they are
// written: the user space is read before the list and again after it, so that
// a recovery point that moved in between is seen (reference, IBM i 4.4).
func beforeList(o Options) []answer {
	return []answer{
		{
			Header:   "SQL " + o.QueueManager + ": QSYS2.JOURNAL_INFO",
			About:    "the journals of the library; a queue manager has one local one",
			Attempts: both(journalColumns, "NUMBER_REMOTE_JOURNALS RECEIVER_MAXIMUM_SIZE", "QSYS2.JOURNAL_INFO WHERE JOURNAL_LIBRARY = '"+o.Library+"'"),
		},
		messages(o),
		userSpace(o),
		{
			Header: "SQL " + o.QueueManager + ": QSYS2.JOURNAL_RECEIVER_INFO",
			About:  "every receiver of these journals, and every other one in the library",
			Attempts: both(receiverColumns, "RECEIVER_MAXIMUM_SIZE PENDING_TRANSACTIONS REMOTE_JOURNAL_TYPE NUMBER_OF_JOURNAL_ENTRIES",
				"QSYS2.JOURNAL_RECEIVER_INFO\n WHERE JOURNAL_LIBRARY = '"+o.Library+"' OR JOURNAL_RECEIVER_LIBRARY = '"+o.Library+"'"),
		},
	}
}

func afterList(o Options) []answer {
	return []answer{
		userSpace(o),
		{
			Header:   "SQL " + o.QueueManager + ": QSYS2.REMOTE_JOURNAL_INFO",
			About:    "remote journals that may not have received everything yet",
			Attempts: both(remoteColumns, "REMOTE_JOURNAL_STATE ESTIMATED_TIME_BEHIND", "QSYS2.REMOTE_JOURNAL_INFO WHERE SOURCE_JOURNAL_LIBRARY = '"+o.Library+"'"),
		},
		{
			Header:   "SQL " + o.QueueManager + ": QSYS2.ASP_INFO",
			About:    "how much room there is",
			Attempts: []attempt{service(aspColumns, "QSYS2.ASP_INFO")},
		},
	}
}

// both tries all columns, then those that every level has.
func both(columns []column, newer, from string) []attempt {
	return []attempt{service(columns, from), service(without(columns, newer), from)}
}

// messages reads the queue manager's own message queue for the recovery
// points, and the system operator's and the journal's for CPI70E3: no new
// receiver could be attached (reference, IBM i 1.1 and 2). The last attempt is
// without the substitution data, which one level may not let be cast.
func messages(o Options) answer {
	list := strings.Join(names(messageColumns), ", ")
	own := fmt.Sprintf("WITH OWN AS (SELECT %s FROM QSYS2.MESSAGE_QUEUE_INFO\n"+
		" WHERE MESSAGE_QUEUE_LIBRARY = '%s' AND MESSAGE_QUEUE_NAME = 'QMQMMSG'\n"+
		" AND MESSAGE_ID IN ('AMQ7460', 'AMQ7462', 'AMQ7432', 'AMQ7472')\n"+
		" ORDER BY MESSAGE_TIMESTAMP DESC FETCH FIRST 500 ROWS ONLY)", list, o.Library)
	operator := fmt.Sprintf(",\n OPERATOR AS (SELECT %s FROM QSYS2.MESSAGE_QUEUE_INFO\n"+
		" WHERE MESSAGE_QUEUE_LIBRARY = 'QSYS' AND MESSAGE_QUEUE_NAME = 'QSYSOPR'\n"+
		" AND MESSAGE_ID = 'CPI70E3' AND MESSAGE_TIMESTAMP > CURRENT TIMESTAMP - 31 DAYS)", list)
	journal := fmt.Sprintf(",\n JOURNAL AS (SELECT M.%s\n FROM QSYS2.JOURNAL_INFO J,\n"+
		" TABLE(QSYS2.MESSAGE_QUEUE_INFO(QUEUE_LIBRARY => J.MESSAGE_QUEUE_LIBRARY, QUEUE_NAME => J.MESSAGE_QUEUE)) M\n"+
		" WHERE J.JOURNAL_LIBRARY = '%s' AND J.JOURNAL_NAME LIKE 'AMQ%%' AND J.MESSAGE_QUEUE <> 'QSYSOPR'\n"+
		" AND M.MESSAGE_ID = 'CPI70E3')", strings.Join(names(messageColumns), ", M."), o.Library)
	sources := []string{"SELECT * FROM OWN", "SELECT * FROM OPERATOR", "SELECT * FROM JOURNAL"}
	try := func(columns []column, with string, of int) attempt {
		a := service(columns, "("+strings.Join(sources[:of], " UNION ALL ")+") X ORDER BY MESSAGE_TIMESTAMP")
		a.Select = with + "\n " + a.Select
		return a
	}
	return answer{
		Header: "SQL " + o.QueueManager + ": QSYS2.MESSAGE_QUEUE_INFO",
		About:  "the recovery points as messages, and receivers that could not be changed",
		Attempts: []attempt{
			try(messageColumns, own+operator+journal, 3),
			try(messageColumns, own+operator, 2),
			service(without(messageColumns, "MESSAGE_TOKENS"), "QSYS2.MESSAGE_QUEUE_INFO\n WHERE MESSAGE_QUEUE_LIBRARY = '"+o.Library+
				"' AND MESSAGE_QUEUE_NAME = 'QMQMMSG'\n AND MESSAGE_ID IN ('AMQ7460', 'AMQ7462', 'AMQ7432', 'AMQ7472')"),
		},
	}
}

// userSpace reads AMQJRNINF as bytes; where BASE64_ENCODE does not exist, as
// the 37 characters that it holds.
func userSpace(o Options) answer {
	from := "\n FROM TABLE(QSYS2.USER_SPACE(USER_SPACE => 'AMQJRNINF', USER_SPACE_LIBRARY => '" + o.Library + "'))"
	return answer{
		Header: "USRSPC " + o.QueueManager + ": " + o.Library + "/AMQJRNINF",
		About:  "the older of the two recovery points, as MQ publishes it",
		OneRow: true,
		Attempts: []attempt{
			{Suffix: " BASE64", Select: "SELECT QSYS2.BASE64_ENCODE(SUBSTR(DATA_BINARY, 1, 37))" + from},
			{Select: "SELECT SUBSTR(DATA, 1, 37)" + from},
		},
	}
}

func ibmi(o Options) (string, error) {
	t, err := template.New("ibmi").Funcs(template.FuncMap{
		"literal": literal,
		"name":    func() string { return o.Output },
		"inc":     func(i int) int { return i + 1 },
	}).Parse(ibmiTemplate)
	if err != nil {
		return "", fmt.Errorf("collector for ibmi: %w", err)
	}
	var out strings.Builder
	err = t.Execute(&out, map[string]any{"Options": o, "Before": beforeList(o), "After": afterList(o)})
	if err != nil {
		return "", fmt.Errorf("collector for ibmi: %w", err)
	}
	return out.String(), nil
}

// literal writes a statement as SQL literals, one a line, to be prepared: a
// service that a level lacks is then an error at run time, which a handler
// catches.
func literal(statement string) string {
	var lines []string
	for line := range strings.SplitSeq(statement, "\n") {
		lines = append(lines, "'"+strings.ReplaceAll(line, "'", "''")+"'")
	}
	return strings.Join(lines, "\n        CONCAT ")
}

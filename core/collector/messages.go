package collector

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
)

// messageColumns are those of the view and, but for the first two, of the
// table function, which is asked about one queue.
var messageColumns = concat(typed(text, `MESSAGE_QUEUE_LIBRARY MESSAGE_QUEUE_NAME MESSAGE_ID MESSAGE_TYPE`),
	typed(number, `SEVERITY`), typed(stamp, `MESSAGE_TIMESTAMP`),
	typed(prose, `MESSAGE_TEXT`), typed(tokens, `MESSAGE_TOKENS`), typed(prose, `MESSAGE_SECOND_LEVEL_TEXT`),
	typed(key, `MESSAGE_KEY ASSOCIATED_MESSAGE_KEY`), typed(text, `FROM_JOB`))

// Messages that matter beside a list of receivers (reference, IBM i 2): the
// recovery points, a needed entry that was missing, a damaged object; and, of
// which a month says enough, a receiver that could not be changed, entries that
// could not be journaled, deletions that wait for a reply, and the replies.
const (
	managerIDs   = "M.MESSAGE_ID IN ('AMQ7460', 'AMQ7462', 'AMQ7432', 'AMQ7472')"
	unchangedIDs = "(M.MESSAGE_ID IN ('CPI70E3', 'CPA7090', 'CPA7025', 'CPA705E') OR M.MESSAGE_TYPE = 'REPLY') AND M.MESSAGE_TIMESTAMP > CURRENT TIMESTAMP - 31 DAYS"
)

// mostMessages bounds an answer: a message queue is a history that nobody may
// have cleared for years.
const mostMessages = 500

// recoveryMessages reads the queue manager's own message queue. There is
// another of that name, the product's in QMQM, which it does not use.
func recoveryMessages(o Options) answer {
	return queueMessages(o.Library, "QMQMMSG", managerIDs, "The recovery points as messages: AMQ7460 and AMQ7462.")
}

// operatorMessages reads the system operator's queue, which is that of most
// journals (reference, IBM i 1.1).
func operatorMessages() answer {
	return queueMessages("QSYS", "QSYSOPR", unchangedIDs, "Receivers that could not be changed: CPI70E3 on QSYSOPR.")
}

// journalMessages reads the journal's own queue, where that is another one.
// Which it is only the system knows, so the block answers for every queue
// that has no block of its own.
func journalMessages(o Options) answer {
	journal := "QSYS2.JOURNAL_INFO J, "
	own := "J.JOURNAL_LIBRARY = '" + o.Library + "' AND J.JOURNAL_NAME LIKE 'AMQ%' AND J.MESSAGE_QUEUE <> 'QSYSOPR'"
	function := queue{
		columns: "J.MESSAGE_QUEUE_LIBRARY, J.MESSAGE_QUEUE AS MESSAGE_QUEUE_NAME, M.*",
		from:    journal + "TABLE(QSYS2.MESSAGE_QUEUE_INFO(QUEUE_LIBRARY => J.MESSAGE_QUEUE_LIBRARY, QUEUE_NAME => J.MESSAGE_QUEUE)) M",
		where:   own,
	}
	view := queue{
		columns: "M.*",
		from:    journal + "QSYS2.MESSAGE_QUEUE_INFO M",
		where:   own + " AND M.MESSAGE_QUEUE_LIBRARY = J.MESSAGE_QUEUE_LIBRARY AND M.MESSAGE_QUEUE_NAME = J.MESSAGE_QUEUE",
	}
	return answer{
		Language: observe.SQL,
		Question: "QSYS2.MESSAGE_QUEUE_INFO",
		About:    "The same on the journal's own queue, where it has one.",
		Attempts: messageAttempts(function, view, unchangedIDs),
	}
}

// queueMessages reads one queue that is known by name.
func queueMessages(library, name, ids, about string) answer {
	function := queue{
		columns: fmt.Sprintf("'%s' AS MESSAGE_QUEUE_LIBRARY, '%s' AS MESSAGE_QUEUE_NAME, M.*", library, name),
		from:    fmt.Sprintf("TABLE(QSYS2.MESSAGE_QUEUE_INFO(QUEUE_LIBRARY => '%s', QUEUE_NAME => '%s')) M", library, name),
	}
	view := queue{
		columns: "M.*",
		from:    "QSYS2.MESSAGE_QUEUE_INFO M",
		where:   fmt.Sprintf("M.MESSAGE_QUEUE_LIBRARY = '%s' AND M.MESSAGE_QUEUE_NAME = '%s'", library, name),
	}
	return answer{
		Language: observe.SQL,
		Question: fmt.Sprintf("QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='%s' MESSAGE_QUEUE_NAME='%s'", library, name),
		About:    about,
		Attempts: messageAttempts(function, view, ids),
	}
}

// queue is one way to get the messages of a queue: the columns, those that
// name it among them, where its rows come from, and which of these are its own
// (empty: all).
type queue struct{ columns, from, where string }

// messageAttempts asks the table function first: it opens one queue, the view
// walks all queues of the system. A level may not let the substitution data
// be cast, or may lack the function or the keys that tell an inquiry's reply; the
// texts name the receivers too.
func messageAttempts(function, view queue, ids string) []attempt {
	plain := messageColumns
	for _, name := range []string{"MESSAGE_TOKENS", "MESSAGE_KEY", "ASSOCIATED_MESSAGE_KEY", "FROM_JOB"} {
		plain = without(plain, name)
	}
	return []attempt{function.attempt(messageColumns, ids), function.attempt(plain, ids), view.attempt(plain, ids)}
}

// attempt takes the newest messages of those ids, and shows the oldest first.
func (q queue) attempt(columns []column, ids string) attempt {
	if q.where != "" {
		ids = q.where + " AND " + ids
	}
	return service(columns, fmt.Sprintf("(SELECT %s FROM %s WHERE %s ORDER BY M.MESSAGE_TIMESTAMP DESC FETCH FIRST %d ROWS ONLY) X"+
		" ORDER BY MESSAGE_TIMESTAMP", q.columns, q.from, ids, mostMessages))
}

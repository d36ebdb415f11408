package ibmi

import (
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// journalRow is a journal with its receiver directory.
type journalRow struct {
	os400.Journal
	receivers []os400.Receiver
}

func (r journalRow) total() (sum int64) {
	for _, receiver := range r.receivers {
		sum += kilobytes(receiver.Size)
	}
	return sum
}

func journalInfo() service {
	return viewOf(
		func(m viewer) (rows []journalRow, _ error) {
			for _, j := range m.journals() {
				rows = append(rows, journalRow{j, m.sys.Receivers(j.ID)})
			}
			return rows, nil
		},
		column[journalRow]{"JOURNAL_NAME", func(r journalRow) string { return r.Name }},
		column[journalRow]{"JOURNAL_LIBRARY", func(r journalRow) string { return r.Library }},
		column[journalRow]{"JOURNAL_TYPE", func(r journalRow) string { return either(r.Remote, "*REMOTE", "*LOCAL") }},
		column[journalRow]{"ASP_NUMBER", func(journalRow) string { return "1" }},
		column[journalRow]{"ATTACHED_JOURNAL_RECEIVER_NAME", func(r journalRow) string { return r.Attached.Name }},
		column[journalRow]{"ATTACHED_JOURNAL_RECEIVER_LIBRARY", func(r journalRow) string { return r.Attached.Library }},
		column[journalRow]{"MESSAGE_QUEUE", func(r journalRow) string { return messageQueue(r.Journal).Name }},
		column[journalRow]{"MESSAGE_QUEUE_LIBRARY", func(r journalRow) string { return messageQueue(r.Journal).Library }},
		column[journalRow]{"MANAGE_RECEIVER_OPTION", func(r journalRow) string { return either(r.UserManaged, "USER", "SYSTEM") }},
		column[journalRow]{"MANAGE_RECEIVER_DELAY", func(journalRow) string { return "10" }},
		column[journalRow]{"DELETE_RECEIVER_OPTION", func(r journalRow) string { return either(r.DeleteReceivers, "YES", "NO") }},
		column[journalRow]{"DELETE_RECEIVER_DELAY", func(journalRow) string { return "10" }},
		column[journalRow]{"RECEIVER_MAXIMUM_SIZE", func(r journalRow) string { return r.SizeOption }},
		column[journalRow]{"NUMBER_JOURNAL_RECEIVERS", func(r journalRow) string { return strconv.Itoa(len(r.receivers)) }},
		column[journalRow]{"TOTAL_SIZE_JOURNAL_RECEIVERS", func(r journalRow) string { return strconv.FormatInt(r.total(), 10) }},
		column[journalRow]{"NUMBER_REMOTE_JOURNALS", func(r journalRow) string { return strconv.Itoa(len(r.Remotes)) }},
	)
}

// receivers gives all receivers of the system: journal by journal in directory
// order, then those that are in no directory.
func (m *Machine) receivers() []os400.Receiver {
	var all []os400.Receiver
	seen := map[os400.ID]bool{}
	add := func(receivers []os400.Receiver) {
		for _, r := range receivers {
			if !seen[r.ID] {
				all, seen[r.ID] = append(all, r), true
			}
		}
	}
	libraries := []string{general}
	for _, j := range m.sys.Journals("") {
		add(m.sys.Receivers(j.ID))
		libraries = append(libraries, j.Library)
	}
	for _, manager := range m.Managers() {
		libraries = append(libraries, manager.Library())
	}
	slices.Sort(libraries)
	for _, library := range slices.Compact(libraries) {
		add(m.sys.ReceiversIn(library))
	}
	return all
}

func receiverInfo() service {
	type row = os400.Receiver
	return viewOf(
		func(m viewer) ([]row, error) { return m.seenReceivers(), nil },
		column[row]{"JOURNAL_RECEIVER_LIBRARY", func(r row) string { return r.Library }},
		column[row]{"JOURNAL_RECEIVER_NAME", func(r row) string { return r.Name }},
		column[row]{"JOURNAL_RECEIVER_ASP_NUMBER", func(row) string { return "1" }},
		column[row]{"JOURNAL_LIBRARY", func(r row) string { return r.Journal.Library }},
		column[row]{"JOURNAL_NAME", func(r row) string { return r.Journal.Name }},
		column[row]{"THRESHOLD", func(r row) string { return strconv.FormatInt(r.Threshold, 10) }},
		column[row]{"SIZE", func(r row) string { return strconv.FormatInt(kilobytes(r.Size), 10) }},
		column[row]{"STATUS", func(r row) string { return string(r.Status) }},
		column[row]{"NUMBER_OF_JOURNAL_ENTRIES", func(r row) string { return strconv.FormatUint(r.Entries(), 10) }},
		column[row]{"FIRST_SEQUENCE_NUMBER", func(r row) string { return count(r.First) }},
		column[row]{"LAST_SEQUENCE_NUMBER", func(r row) string { return count(r.Last) }},
		column[row]{"ATTACH_TIMESTAMP", func(r row) string { return stamp(r.Attach) }},
		column[row]{"DETACH_TIMESTAMP", func(r row) string { return stamp(r.Detach) }},
		column[row]{"SAVE_TIMESTAMP", func(r row) string { return stamp(r.Save) }},
		column[row]{"PREVIOUS_JOURNAL_RECEIVER", func(r row) string { return r.Previous.Name }},
		column[row]{"PREVIOUS_JOURNAL_RECEIVER_LIBRARY", func(r row) string { return r.Previous.Library }},
		column[row]{"NEXT_JOURNAL_RECEIVER", func(r row) string { return r.Next.Name }},
		column[row]{"NEXT_JOURNAL_RECEIVER_LIBRARY", func(r row) string { return r.Next.Library }},
	)
}

// remoteRow is a remote journal with the local one that it is sent from.
type remoteRow struct {
	os400.Remote
	source os400.ID
}

// remoteInfo shows how far remote journals are. How long they will take is not
// known here, so ESTIMATED_TIME_BEHIND is null.
func remoteInfo() service {
	type row = remoteRow
	return viewOf(
		func(m viewer) (rows []row, _ error) {
			for _, j := range m.journals() {
				for _, r := range j.Remotes {
					rows = append(rows, row{r, j.ID})
				}
			}
			return rows, nil
		},
		column[row]{"SOURCE_JOURNAL_LIBRARY", func(r row) string { return r.source.Library }},
		column[row]{"SOURCE_JOURNAL", func(r row) string { return r.source.Name }},
		column[row]{"REMOTE_DATABASE_NAME", func(r row) string { return r.Database }},
		column[row]{"REMOTE_JOURNAL_LIBRARY", func(r row) string { return r.Library }},
		column[row]{"REMOTE_JOURNAL", func(r row) string { return r.Name }},
		column[row]{"REMOTE_JOURNAL_STATE", func(r row) string { return "*" + stateOf(r.Remote) }},
		column[row]{"DELIVERY_MODE", func(r row) string { return delivery(r.Remote) }},
		column[row]{"ESTIMATED_TIME_BEHIND", func(row) string { return "" }},
		column[row]{"NUMBER_ENTRIES_BEHIND", func(r row) string { return strconv.FormatUint(r.Behind, 10) }},
	)
}

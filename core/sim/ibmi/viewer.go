package ibmi

import (
	"slices"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// viewer is the system as one user sees it: the services of QSYS2 leave out
// what the user may not see, without a word. How many receivers a journal has
// they say all the same (reference, IBM i 3.7, trap 32).
type viewer struct {
	*Machine
	user string
}

// sees tells whether the user may see what asks for all these.
func (m viewer) sees(needs ...need) bool { return m.permit(m.user, needs...) == nil }

// journals gives the journals that the user may see.
func (m viewer) journals() []os400.Journal {
	return slices.DeleteFunc(m.sys.Journals(""), func(j os400.Journal) bool { return !m.sees(shownJournal(j.ID)) })
}

// seenReceivers gives the receivers that the user may see.
func (m viewer) seenReceivers() []os400.Receiver {
	all := m.receivers()
	if m.sys.Special(m.user, "*ALLOBJ") {
		return all
	}
	return slices.DeleteFunc(all, func(r os400.Receiver) bool { return !m.sees(m.shownReceiver(r.ID)...) })
}

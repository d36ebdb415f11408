package ibmi

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// ExitPrograms gives the programs that can be registered for the exit point
// QIBM_QJO_DLT_JRNRCV, by LIBRARY/NAME:
//
//	QGPL/VETO           says no to every deletion
//	MQJRNMNT/JRNMAINT   says yes to receivers that jrnmaint would delete
func ExitPrograms() map[string]os400.ExitProgram {
	return map[string]os400.ExitProgram{
		"QGPL/VETO":         func(*os400.System, os400.Receiver) (bool, error) { return false, nil },
		"MQJRNMNT/JRNMAINT": journalMaintenance,
	}
}

// journalMaintenance is the logic of the published jrnmaint as an exit program
// (reference, IBM i 3.6, 4.2): scanning from the newest receiver, the first
// that was attached before the entry of AMQJRNINF is the oldest to keep. What
// lies before that one may go. As there, names are not used, 13 characters are
// compared and a tie keeps one more.
//
// Receivers of journals that are not a queue manager's are none of its
// business: they may go. A space that is missing or holds no time keeps all.
func journalMaintenance(s *os400.System, r os400.Receiver) (bool, error) {
	if !strings.HasPrefix(r.Journal.Name, "AMQ") {
		return true, nil
	}
	space := os400.ID{Library: r.Journal.Library, Name: "AMQJRNINF"}
	content, err := s.Space(space)
	if err != nil {
		return false, fmt.Errorf("reading user space %s: %w", space, err)
	}
	mark, err := compareForm(fromEBCDIC(content))
	if err != nil {
		return false, fmt.Errorf("user space %s: %w", space, err)
	}
	return mayGo(s.Receivers(r.Journal), r.ID, mark), nil
}

// mayGo tells whether a receiver lies before the oldest one to keep, for a mark
// in the form that is compared.
func mayGo(receivers []os400.Receiver, id os400.ID, mark string) bool {
	for oldest := len(receivers) - 1; oldest >= 0; oldest-- {
		if attachForm(receivers[oldest].Attach) >= mark {
			continue
		}
		for _, older := range receivers[:oldest] {
			if older.ID == id {
				return true
			}
		}
		return false
	}
	return false
}

// compareForm makes the 13 characters that jrnmaint compares, CYYMMDDHHMMSS,
// of the 37 of AMQJRNINF: C is 0 when the year begins with 1, else 1, and the
// milliseconds are cut off (reference, IBM i 2.3).
func compareForm(space string) (string, error) {
	const length, stamp = 37, 20
	if len(space) < length {
		return "", fmt.Errorf("it holds %d characters instead of %d", len(space), length)
	}
	digits := space[stamp:length]
	if strings.Trim(digits, "0123456789") != "" {
		return "", fmt.Errorf("%q is no time of an entry", digits)
	}
	century := "1"
	if digits[0] == '1' {
		century = "0"
	}
	return century + digits[2:14], nil
}

// attachForm gives an attach time as the journal API does: CYYMMDDHHMMSS.
func attachForm(attach time.Time) string {
	if attach.IsZero() {
		return strings.Repeat("0", 13)
	}
	century := "1"
	if attach.Year() < 2000 {
		century = "0"
	}
	return century + attach.Format("060102150405")
}

// fromEBCDIC decodes CCSID 37, the job's in which the queue manager writes.
func fromEBCDIC(content []byte) string {
	text, err := charmap.CodePage037.NewDecoder().Bytes(content)
	if err != nil {
		return string(content)
	}
	return string(text)
}

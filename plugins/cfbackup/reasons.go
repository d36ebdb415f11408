package cfbackup

import (
	"fmt"
	"strings"
)

// cause is what a reason code of CSQE106E means, and what a person does first.
type cause struct{ means, first string }

// causes are the reason codes of backups that failed (manual, codes C5 and D1;
// APAR PH56833; IBM technote 707913). After none of them a backup is sent again by
// itself: what it names has to be done first, or the next run comes.
var causes = map[string]cause{
	"00C50D00": {"a shared message data set of it can't be used", "START SMDSCONN(*) CFSTRUCT({structure}) CMDSCOPE({member}) on the member that takes the backup, and see CSQE222E for why it could not be allocated"},
	"00C50006": {"the queue manager is not connected to Db2", "see to Db2, and RESUME QMGR FACILITY(DB2) where it was suspended"},
	"00C50012": {"the structure is full", "have its messages read, or enlarge it"},
	"00C50014": {"Db2 gave an error", "look at the messages of Db2 (CSQ5*)"},
	"00C50050": {"a recovery of it is running", "wait until it ends (CSQE131I)"},
	"00C5005B": {"the BSDS of another member could not be read", "see to SHAREOPTIONS(2 3) and READ authority of {member} on the BSDS and logs of every member"},
	"00C50064": {"the coupling facility does not support the level", "see to the coupling facility that holds the structure"},
	"00C510AB": {"there was too little private storage, of which a backup takes 63 MB", "enlarge the region of {member} (message data in Db2 is read in blocks of 63 MB, and intra-group queuing takes 100 MB)"},
}

// causeOf explains a reason code; one that is not known is to be looked up.
func causeOf(reason, structure, member string) string {
	c, ok := causes[strings.ToUpper(reason)]
	if !ok {
		return fmt.Sprintf("reason %s is to be looked up in the manual", orNotKnown(reason))
	}
	return fmt.Sprintf("%s: %s; first: %s", reason, c.means, strings.NewReplacer("{structure}", structure, "{member}", member).Replace(c.first))
}

package ibmi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// text is a message of CL or of MQ that package os400 does not send. The words
// are ours; verified says whether a source confirms that the id has this
// meaning. Ids SIMnnnn stand where no id of the product is known.
type text struct {
	id       string
	text     string // &1, &2 ... stand for the data
	verified bool
	source   string
}

// texts is the one table of messages of this package.
var texts = []text{
	{"CPD0020", "The text is not CL: &1.", false, "from memory"},
	{"CPD0030", "Command &1 in library &2 not found.", false, "from memory"},
	{"CPD0031", "Command &1 takes &2 at most.", false, "from memory"},
	{"CPD0038", "Parameter &1 takes &2, not &3.", false, "from memory"},
	{"CPD0041", "Parameter &1 is given more than once.", false, "from memory"},
	{"CPD0043", "Keyword &1 not valid for this command.", false, "from memory"},
	{"CPD0071", "Parameter &1 required.", false, "from memory"},
	{"CPD0084", "Value of parameter &1 not valid: &2. It takes &3.", false, "from memory"},
	{"CPF1321", "Job &1 not found.", false, "from memory"},
	{"CPF2117", "&1 of type *JRNRCV deleted, &2 not deleted.", false, "reference, IBM i 3.4"},
	{"CPF2557", "Message queue &1 has no inquiry that waits for a reply.", false, "from memory"},
	{"CPF3812", "Save file parameter required with DEV(*SAVF).", false, "from memory"},
	{"CPF9814", "Device &1 not found.", false, "from memory"},
	{"CPFA0A9", "Object not found: &1.", false, "from memory"},
	{"CPF3CDB", "Exit program number &1 not found.", false, "from memory"},

	{"CPC2102", "Library &1 created.", false, "from memory"},
	{"CPC2191", "Object &1 type *&2 deleted.", false, "reference, IBM i 7.6"},
	{"CPC7301", "File &1 created.", false, "from memory"},
	{"CPC7011", "Journal &1 created.", false, "from memory"},
	{"CPC7012", "Journal receiver &1 created.", false, "from memory"},
	{"CPC7013", "Journal &1 changed: &2.", false, "from memory"},
	{"CPC3722", "&1 saved.", false, "from memory"},
	{"CPC3703", "&1 restored.", false, "from memory"},
	{"CPC1231", "Message queue &1 cleared.", false, "from memory"},
	{"CPC1126", "Job &1 changed.", false, "from memory"},
	{"CPC1125", "Job &1 ended.", false, "from memory"},
	{"CPC2435", "Reply list entry &1 added.", false, "from memory"},
	{"CPC2436", "Reply list entry &1 removed.", false, "from memory"},
	{"CPC2437", "Reply sent.", false, "from memory"},
	{"CPC3CD1", "Exit program &1 added to QIBM_QJO_DLT_JRNRCV.", false, "from memory"},
	{"CPC3CD2", "Exit program &1 removed from QIBM_QJO_DLT_JRNRCV.", false, "from memory"},

	{"AMQ7048", "The queue manager name is missing or not valid: &1.", false, "from memory"},
	{"AMQ8002", "Queue manager &1 created in library &2.", false, "from memory"},
	{"AMQ8003", "Queue manager &1 started.", false, "from memory"},
	{"AMQ8004", "Queue manager &1 ended.", false, "from memory"},
	{"AMQ8006", "Queue &1 created.", false, "from memory"},
	{"AMQ8007", "Queue &1 deleted.", false, "from memory"},
	{"AMQ8008", "Queue &1 changed.", false, "from memory"},
	{"AMQ8010", "Queue manager &1 runs already.", false, "from memory"},
	{"AMQ8101", "Unexpected error: &1.", false, "from memory"},
	{"AMQ8110", "Queue manager &1 already exists.", false, "from memory"},
	{"AMQ8118", "Queue manager &1 does not exist&2.", true, "core/observe, readStatus"},
	{"AMQ8143", "Queue &1 is not empty.", false, "from memory"},
	{"AMQ8146", "Queue manager &1 is not available.", true, "core/observe, readStatus"},
	{"AMQ8147", "Object &1 not found.", true, "core/mqsc, NotFound"},
	{"AMQ8148", "Object &1 in use.", false, "from memory"},
	{"AMQ8149", "Object &1 damaged.", false, "from memory"},
	{"AMQ8150", "Object &1 already exists.", false, "from memory"},
	{"SIM0001", "Transaction &1 of queue manager &2 not found.", false, "ours"},
	{"SIM0002", "Transaction &1 resolved: &2.", false, "ours"},
	{"SIM0003", "Remote journal &1 on &2 added.", false, "ours"},
	{"SIM0004", "Remote journal &1 on &2 removed.", false, "ours"},
	{"SIM0005", "Queue manager &1 has no remote journal &2 on &3.", false, "ours"},
	{"SIM0006", "Media images of &1 recorded.", false, "ours"},
	{"SIM0007", "&1 re-created.", false, "ours"},
	{"SIM0008", "System &1 was started again.", false, "ours"},
	{"SIM0009", "Units of work are open in queue manager &1: a controlled end waits for them. OPTION(*IMMED) backs them out.", false, "ours"},
	{"SIM0010", "Transaction &1 is not in doubt: its application ends it.", false, "ours"},
	{"SIM0011", "Media images of &1 recorded, of &2 not: damaged.", false, "ours"},
	{"SIM0012", "Queue manager &2: &1 backed out.", false, "ours"},
	{"SIM0013", "Queue manager &2: &1 in doubt. WRKMQMTRN lists and RSVMQMTRN ends what is in doubt.", false, "ours"},
	{"SIM0014", "Messages that were not persistent are gone; after an unexpected end nobody knows how many.", false, "ours"},
	{"SIM0015", "Journal &1 stays as it is.", false, "ours"},
	{"SIM0016", "&1 associated with journal &2.", false, "ours"},
	{"SIM0017", "Queue manager &1: &2 lost, not persistent.", false, "ours"},
}

// findText gives a row of the table.
func findText(id string) text {
	i := slices.IndexFunc(texts, func(t text) bool { return t.id == id })
	return texts[i] // the ids are constants of this package, which a test looks up
}

// fill puts the data of a message in its text.
func (t text) fill(args []any) string {
	pairs := make([]string, 0, 2*len(args))
	for i := len(args); i > 0; i-- { // &10 before &1
		pairs = append(pairs, "&"+strconv.Itoa(i), fmt.Sprint(args[i-1]))
	}
	return strings.NewReplacer(pairs...).Replace(t.text)
}

// escape makes an escape message of this table; those of the system itself are
// made by [os400.Escape].
func escape(id string, object os400.ID, args ...any) *os400.Error {
	t := findText(id)
	return &os400.Error{ID: id, Text: t.fill(args), Object: object}
}

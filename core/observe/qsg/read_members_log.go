package qsg

import (
	"errors"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// printLogMap is the utility whose print is asked for.
const printLogMap = "CSQJU004"

// readBSDS reads the print of each member's bootstrap data set. One that is torn
// is none: half an inventory would let go what the other half needs.
func (r *reader) readBSDS() {
	var missing []observe.Question
	var why error
	for _, name := range r.names() {
		body, err := r.ask(observe.Job, name, printLogMap)
		if err != nil {
			why = errors.Join(why, err)
			missing = append(missing, observe.Question{Language: observe.Job, QueueManager: name, Text: printLogMap})
			continue
		}
		p, err := bsds.Read(body)
		switch {
		case err != nil:
			r.open(finding.FactsUnreadable, "JOB %s: %s: %v", name, printLogMap, err)
		case p.Member != "" && p.Member != name:
			r.open(finding.FactsUnreadable, "JOB %s: %s: the print is of %s", name, printLogMap, p.Member)
		case p.Group != "" && p.Group != r.target.Name:
			r.open(finding.FactsUnreadable, "JOB %s: %s: the print is of a member of %s", name, printLogMap, p.Group)
		default:
			r.members[name].BSDS = &p
		}
	}
	if len(missing) > 1 {
		why = nil
	}
	r.unheard(finding.NotChecked, "inventory of logs (BSDS)", missing, why)
}

package observe

import (
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/mqsc"
)

// identity is what a log belongs to. The number of an extent means something
// only within one: a queue manager that is made anew under the same name begins
// at S0000000 again.
type identity struct {
	manager string // QMID
	folder  string // of the log, without active
	begun   string // where the log begins: LOGSTRDA, LOGSTRTI and LOGSTRL
	life    string // when it was last found put back to an older state; empty: it never was
	start   Stamp  // LOGSTRDA and LOGSTRTI
}

// The words of an incarnation, in this order.
const (
	managerWord = "qmid="
	folderWord  = "log="
	begunWord   = "begun="
	lifeWord    = "life="
)

// String writes the parts that are known, in one line.
func (i identity) String() string {
	var parts []string
	for _, p := range []struct{ word, value string }{{managerWord, i.manager}, {folderWord, i.folder}, {begunWord, i.begun}, {lifeWord, i.life}} {
		if p.value != "" {
			parts = append(parts, p.word+p.value)
		}
	}
	return strings.Join(parts, "; ")
}

// LogOf gives the folder of the log in what extents belong to, as
// Inventory.Incarnation and Copy.Incarnation give it; empty: not told. False:
// it is not of extents.
func LogOf(incarnation string) (folder string, ofExtents bool) {
	for part := range strings.SplitSeq(incarnation, "; ") {
		word, value, _ := strings.Cut(part, "=")
		switch word + "=" {
		case folderWord:
			return value, true
		case managerWord, begunWord, lifeWord:
			ofExtents = true
		}
	}
	return "", ofExtents
}

// readIdentity asks for QMID, and reads where the log begins.
func (g *extentGatherer) readIdentity() {
	day, _ := g.status.tells("LOGSTRDA")
	clock, _ := g.status.tells("LOGSTRTI")
	position, _ := g.status.tells("LOGSTRL")
	g.identity.begun = strings.Join(strings.Fields(day+" "+clock+" "+position), " ")
	if stamp, err := ParseStamp(day + " " + clock); err == nil && day != "" && clock != "" {
		g.identity.start = stamp
	}
	g.identity.manager = g.readManagerID()
	if g.identity.manager == "" && g.identity.begun == "" {
		g.doubt("whether it is the same log as at other times: neither QMID of DISPLAY QMGR nor LOGSTRDA of DISPLAY QMSTATUS was told%s", behindColon(g.whyNot(managerQuestion)))
	}
}

// managerQuestion asks for the id of the queue manager, which one that is made
// anew under the same name does not have.
const managerQuestion = "DISPLAY QMGR QMID"

func (g *extentGatherer) readManagerID() string {
	body, ok := g.try(MQSC, managerQuestion)
	if !ok {
		return ""
	}
	answer, err := mqsc.ParseAnswer(body)
	if err != nil || len(answer.Objects) != 1 {
		return ""
	}
	if name, told := answer.Objects[0].Get("QMNAME"); told && name != g.target.Name {
		return ""
	}
	return attribute(answer.Objects[0], "QMID")
}

// SameLog compares what two logs belong to, as Inventory.Incarnation and
// Copy.Incarnation give it: by the parts that both tell, since a later level
// tells more of them. Known is false where those that tell one log from another
// of the same directory are not among them.
//
// A log that was put back to an older state goes on with the numbers, and the
// words for all else, that it had had: only the life that began then tells what
// was written after it. What has no life is from before any.
func SameLog(a, b string) (same, known bool) {
	of := make(map[string]string)
	for part := range strings.SplitSeq(a, "; ") {
		word, value, _ := strings.Cut(part, "=")
		of[word+"="] = value
	}
	life := ""
	for part := range strings.SplitSeq(b, "; ") {
		word, value, _ := strings.Cut(part, "=")
		if word+"=" == lifeWord {
			life = value
			continue
		}
		other, both := of[word+"="]
		switch {
		case !both || value == "":
		case other != value && !(word+"=" == folderWord && mqini.SameLog(other, value)):
			return false, true
		case word+"=" != folderWord:
			known = true
		}
	}
	if life != of[lifeWord] {
		return false, true
	}
	return true, known
}

// sameLog compares many with one, which mostly are alike.
type sameLog struct {
	of, last    string
	asked       bool
	same, known bool
}

func (s *sameLog) compare(with string) (same, known bool) {
	if !s.asked || with != s.last {
		s.same, s.known = SameLog(s.of, with)
		s.asked, s.last = true, with
	}
	return s.same, s.known
}

package connect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// Aimed tells whether a command acts on a target's own objects: nil, or why it
// does not. A job on IBM i reaches every queue manager of the system, so it is
// the text that counts and not whom the command is said to be for. library is
// the target's queue manager library as the host itself learned it; where it is
// empty, so not known, a command that has to name it is refused.
//
// On other platforms MQSC acts on the queue manager that it is sent to, and a
// control command on that behind its -m; without one on the default one of the
// machine. On z/OS CMDSCOPE sends it on to another member.
func Aimed(target observe.Target, library string, c plugins.Command) error {
	switch {
	case target.Platform == observe.ZOS && c.Language == observe.MQSC:
		return aimedMember(target, c)
	case target.Platform != observe.IBMi && c.Language == observe.CTL:
		return aimedControl(target.Name, c.Text)
	case target.Platform != observe.IBMi:
		return nil
	case c.QueueManager != target.Name:
		return fmt.Errorf("it is for queue manager %q, not for %s", c.QueueManager, target.Name)
	case c.Language != observe.CL:
		return errors.New("IBM i is changed by CL commands")
	}
	command, err := cl.Parse(c.Text)
	if err != nil {
		return err
	}
	a := aim{command, target.Name, library}
	switch command.Name {
	case "RCDMQMIMG":
		return a.manager("MQMNAME")
	case "CHGJRN":
		return a.journal()
	case "SAVOBJ":
		return a.save()
	case "CRTSAVF":
		return a.saveFile("FILE")
	default:
		return fmt.Errorf("it is not known what %s acts on", command.Name)
	}
}

// aimedControl wants the queue manager named once, and in a way that every level
// reads alike: of several -m the last counts, and -mNAME is one too.
func aimedControl(queueManager, text string) error {
	words, err := observe.ControlWords(text)
	if err != nil {
		return err
	}
	named := 0
	for i, word := range words {
		switch {
		case !strings.HasPrefix(word, "-m"):
		case word == "-m" && i+1 < len(words) && words[i+1] == queueManager:
			named++
		default:
			named = 2
		}
	}
	if named != 1 {
		return fmt.Errorf("%s does not name queue manager %s as -m %s, and no other", words[0], queueManager, queueManager)
	}
	return nil
}

// aim is a command with what it may act on.
type aim struct {
	cl.Command
	queueManager, library string
}

// values gives all that a keyword has, one by one.
func (a aim) values(keyword string) []cl.Value {
	value, given := a.Get(keyword)
	switch {
	case !given:
		return nil
	case value.Kind == cl.List:
		return value.Values
	default:
		return []cl.Value{value}
	}
}

// said gives KEYWORD(values) as it was written; without the keyword, that it
// is not there.
func (a aim) said(keyword string) string {
	for _, param := range a.Params {
		if param.Keyword == keyword {
			return cl.Command{Name: a.Name, Params: []cl.Param{param}}.String()
		}
	}
	return a.Name + " without " + keyword
}

// manager wants the queue manager named: without a name, or with *DFT, it is
// the system's default one.
func (a aim) manager(keyword string) error {
	name, _ := a.Get(keyword)
	if named := name.Kind == cl.Word || name.Kind == cl.Text; !named || name.Text != a.queueManager {
		return fmt.Errorf("%s does not name queue manager %s", a.said(keyword), a.queueManager)
	}
	return nil
}

// journal wants journal and receivers in the queue manager library.
func (a aim) journal() error {
	if err := a.known(); err != nil {
		return err
	}
	journals := a.values("JRN")
	if len(journals) == 0 || !all(journals, a.inLibrary) {
		return fmt.Errorf("%s is no journal of the library %s of queue manager %s", a.said("JRN"), a.library, a.queueManager)
	}
	ours := func(v cl.Value) bool { return v.Is("*GEN") || v.Is("*SAME") || a.inLibrary(v) }
	if !all(a.values("JRNRCV"), ours) {
		return fmt.Errorf("%s is no receiver of the library %s of queue manager %s", a.said("JRNRCV"), a.library, a.queueManager)
	}
	return nil
}

// save wants objects of the queue manager library saved, and of no other.
func (a aim) save() error {
	if err := a.known(); err != nil {
		return err
	}
	libraries := a.values("LIB")
	if len(libraries) == 0 || !all(libraries, func(v cl.Value) bool { return v.Kind == cl.Word && v.Text == a.library }) {
		return fmt.Errorf("%s is not the library %s of queue manager %s", a.said("LIB"), a.library, a.queueManager)
	}
	if _, given := a.Get("SAVF"); !given {
		return nil
	}
	return a.saveFile("SAVF")
}

// saveFile keeps a save file out of the system's and MQ's libraries (QMQM1 is
// the queue manager library of QM1), and off the names that are mqhk's own,
// which may be deleted.
func (a aim) saveFile(keyword string) error {
	files := a.values(keyword)
	if len(files) != 1 {
		return fmt.Errorf("%s does not name a save file", a.said(keyword))
	}
	file, ok := files[0].Qualified()
	switch {
	case !ok || cl.CheckName(file.Library) != nil || cl.CheckName(file.Name) != nil:
		return fmt.Errorf("%s does not name a save file with its library", a.said(keyword))
	case strings.HasPrefix(file.Library, "QSYS") || strings.HasPrefix(file.Library, "QMQM"):
		return fmt.Errorf("%s is in a library of the system or of MQ", a.said(keyword))
	case ownSaveFile.MatchString(file.Name):
		return fmt.Errorf("%s has a name that the copies of mqhk have", a.said(keyword))
	}
	return nil
}

// known refuses to compare with a library that is not known.
func (a aim) known() error {
	if a.library == "" {
		return fmt.Errorf("%s: the library of queue manager %s is not known", a.Name, a.queueManager)
	}
	return nil
}

// inLibrary tells whether a value is LIBRARY/NAME in the queue manager library.
func (a aim) inLibrary(v cl.Value) bool {
	q, ok := v.Qualified()
	return ok && q.Library == a.library && cl.CheckName(q.Name) == nil
}

// all tells whether every value is fit.
func all(values []cl.Value, fit func(cl.Value) bool) bool {
	for _, v := range values {
		if !fit(v) {
			return false
		}
	}
	return true
}

package ibmi

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Whom something is shipped for: everybody, and the group of those who
// administer IBM MQ.
const (
	everybody = "*PUBLIC"
	mqGroup   = "QMQMADM"
	product   = "QMQM" // library of the product, and the profile that owns what is MQ's
)

// group1 are the commands that only members of QMQMADM give, and who has
// *ALLOBJ, whatever else was granted (IBM MQ, "Access authorities for IBM MQ
// objects on IBM i"). MQSC is theirs too: STRMQMMQSC is in this group.
var group1 = []string{"CRTMQM", "ENDMQM", "RCDMQMIMG", "RCRMQMOBJ", "RSVMQMTRN", "STRMQM", "WRKMQMTRN"}

// restricted are the commands of the system that are shipped with *EXCLUDE for
// everybody: CHGJRN (reference, IBM i 3.3 [S30]). The others are from memory; of
// RSTOBJ older documentation (5.4, RVKPUBAUT) says that everybody may, the
// newer one of RSTLIB that nobody may.
var restricted = []string{"ADDRPYLE", "CHGJRN", "PWRDWNSYS", "RMVRPYLE", "RSTOBJ"}

// ofMQ tells whether a command is one of IBM MQ's.
func ofMQ(command string) bool { return strings.Contains(command, "MQM") }

// commandObject gives a command as an object. Those of MQ are in QMQM: the one
// in QSYS is a proxy, which has no authority of its own (IBM MQ, "IBM MQ
// authorities on IBM i").
func commandObject(name string) os400.Object {
	library := systemLib
	if ofMQ(name) {
		library = product
	}
	return os400.Object{ID: os400.ID{Library: library, Name: name}, Type: "CMD"}
}

// libraryObject gives a library as an object.
func libraryObject(name string) os400.Object {
	return os400.Object{ID: os400.ID{Library: systemLib, Name: name}, Type: "LIB"}
}

// shipped gives what an object is made with, until somebody grants or revokes
// more. That MQ excludes everybody from the objects of a queue manager is the
// strictest it can be: no source says.
func (m *Machine) shipped(o os400.Object) map[string]os400.Authority {
	switch {
	case o.Type == "CMD" && ofMQ(o.Name):
		return map[string]os400.Authority{mqGroup: os400.AutUse, everybody: os400.AutExclude}
	case o.Type == "CMD" && slices.Contains(restricted, o.Name), o.Type == "USRPRF":
		return map[string]os400.Authority{everybody: os400.AutExclude}
	case o.Type == "CMD", o == libraryObject(systemLib):
		return map[string]os400.Authority{everybody: os400.AutUse}
	case o.Type == "FILE": // the default of CRTSAVF
		return map[string]os400.Authority{everybody: os400.AutExclude}
	case m.holdsManager(o.Library), o.Type == "LIB" && m.holdsManager(o.Name):
		return map[string]os400.Authority{everybody: os400.AutExclude}
	default: // the default of CRTLIB, and of what is made in such a library
		return map[string]os400.Authority{everybody: os400.AutChange}
	}
}

// holdsManager tells whether a library is that of a queue manager.
func (m *Machine) holdsManager(library string) bool {
	for _, manager := range m.Managers() {
		if manager.Library() == library {
			return true
		}
	}
	return false
}

// access gives what a user may do with an object.
func (m *Machine) access(user string, o os400.Object) os400.Authority {
	return m.sys.Access(user, o, m.shipped(o))
}

// mayAdminister tells whether a user may give the commands of group 1.
func (m *Machine) mayAdminister(user string) bool {
	return m.sys.InGroup(user, mqGroup) || m.sys.Special(user, "*ALLOBJ")
}

// there says why an object can't be worked with: CPF9801, or CPF9810 for a
// library.
func (m *Machine) there(o os400.Object) error {
	var found bool
	switch o.Type {
	case "LIB":
		found = m.sys.HasLibrary(o.Name) || o.Name == product
		if !found {
			return os400.Escape("CPF9810", os400.ID{Name: o.Name})
		}
	case "CMD":
		_, found = commandNamed(o.Name)
	case "USRPRF":
		_, err := m.sys.Profile(o.Name)
		found = err == nil
	case "JRN":
		_, err := m.sys.Journal(o.ID)
		found = err == nil
	case "JRNRCV":
		_, err := m.sys.Receiver(o.ID)
		found = err == nil
	case "MSGQ":
		_, err := m.sys.Messages(o.ID)
		found = err == nil
	case "USRSPC":
		_, err := m.sys.Space(o.ID)
		found = err == nil
	case "FILE":
		_, err := m.sys.SaveFile(o.ID)
		found = err == nil
	}
	if !found {
		return os400.Escape("CPF9801", o.ID, o.Type)
	}
	return nil
}

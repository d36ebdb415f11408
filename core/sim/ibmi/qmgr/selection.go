package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// ErrSelection says that OBJTYPE is none of its values, or OBJ is empty.
var ErrSelection = errors.New("not a selection of objects")

// Selection is OBJ and OBJTYPE of RCDMQMIMG and RCRMQMOBJ.
type Selection struct {
	// Name is *ALL, a generic name that ends in an asterisk, or a name.
	Name string
	// Type is *ALL, *Q, *LCLQ, *MQM, *CTLG or another value of OBJTYPE.
	Type string
	// Checkpoint is DSPJRNDTA(*YES): with *ALL and *ALL it takes a checkpoint
	// and publishes the recovery points.
	Checkpoint bool
}

// objectTypes are the values of OBJTYPE with the kinds of objects that they
// mean; of those without a kind the simulator has no objects (reference, IBM i
// 3.1 [S11, S12]).
var objectTypes = map[string][]engine.Kind{
	"*ALL":  {engine.Queue, kindManager, kindCatalogue},
	"*Q":    {engine.Queue},
	"*LCLQ": {engine.Queue},
	"*MQM":  {kindManager},
	"*CTLG": {kindCatalogue},
	"*ALSQ": nil, "*MDLQ": nil, "*RMTQ": nil, "*AUTHINFO": nil, "*NMLIST": nil, "*PRC": nil, "*CHL": nil,
	"*CLTCN": nil, "*LSR": nil, "*SVC": nil, "*SYNCFILE": nil, "*TOPIC": nil, "*CLCHLTAB": nil,
}

// typeOf gives the value of OBJTYPE for a kind, as messages name it.
func typeOf(kind engine.Kind) string {
	switch kind {
	case kindManager:
		return "*MQM"
	case kindCatalogue:
		return "*CTLG"
	}
	return "*LCLQ"
}

// everything tells whether all objects are meant.
func (s Selection) everything() bool { return s.Name == "*ALL" && s.Type == "*ALL" }

// selected gives the objects that are meant, in the order of their
// definition. A name that is not generic and that no object has is
// engine.ErrNoObject.
func (s Selection) selected(e *engine.Engine) ([]engine.Object, error) {
	kinds, ok := objectTypes[s.Type]
	if !ok || s.Name == "" {
		return nil, fmt.Errorf("%w: OBJ(%s) OBJTYPE(%s)", ErrSelection, s.Name, s.Type)
	}
	var found []engine.Object
	for _, o := range e.Objects() {
		if slices.Contains(kinds, o.Ref.Kind) && s.matches(o.Ref.Name) {
			found = append(found, o)
		}
	}
	if len(found) == 0 && s.Name != "*ALL" && !strings.HasSuffix(s.Name, "*") {
		return nil, fmt.Errorf("%s, type %s: %w", s.Name, s.Type, engine.ErrNoObject)
	}
	return found, nil
}

func (s Selection) matches(name string) bool {
	return s.Name == "*" || os400.Generic(s.Name, name)
}

// ownObjects are those whose images MQ records regularly itself (reference,
// IBM i 3.1: *CTLG and *MQM).
func ownObjects(e *engine.Engine) []engine.Ref {
	return refsOf(e, func(o engine.Object) bool { return o.Ref.Kind != engine.Queue })
}

// cheapObjects are those whose images are recorded at every end: all that are
// no local queues, and local queues without messages.
func cheapObjects(e *engine.Engine) []engine.Ref {
	return refsOf(e, func(o engine.Object) bool {
		return o.Ref.Kind != engine.Queue || o.Depth == 0 && o.Uncommitted == 0
	})
}

// soundObjects are all that can be recorded.
func soundObjects(e *engine.Engine) []engine.Ref {
	return refsOf(e, func(engine.Object) bool { return true })
}

// refsOf names the objects that are not damaged and wanted.
func refsOf(e *engine.Engine, wanted func(engine.Object) bool) []engine.Ref {
	var refs []engine.Ref
	for _, o := range e.Objects() {
		if !o.Damaged && wanted(o) {
			refs = append(refs, o.Ref)
		}
	}
	return refs
}

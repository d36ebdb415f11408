package qsg

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// everywhere sends a command to all members that are active.
const everywhere = " CMDSCOPE(*)"

// command puts an MQSC command and reads its answer. One answer may serve many
// questions, when a transcript has it under the command's verb and object; it is
// read once.
func (r *reader) command(name, text string) (*mqsc.Answered, error) {
	body, err := r.ask(observe.MQSC, name, text)
	if err != nil {
		return nil, err
	}
	if known, ok := r.parsed[string(body)]; ok {
		return known, nil
	}
	answered, err := mqsc.ParseReplies(body)
	if err != nil {
		r.open(finding.FactsUnreadable, "MQSC %s: %s: %v; what stands behind it is not known", name, text, err)
	}
	if answered.More {
		r.open(finding.FactsUnreadable, "MQSC %s: %s: the answer is not whole: its last set says that another follows", name, text)
	}
	r.parsed[string(body)] = &answered
	return &answered, nil
}

// grouped puts a command whose answer is the same on every member: to the group,
// else to one member after the other. False when nobody answered.
func (r *reader) grouped(what, text string, code finding.Code) (mqsc.Answer, bool) {
	var questions []observe.Question
	var first error
	for _, name := range append([]string{r.target.Name}, r.askable()...) {
		answered, err := r.command(name, text)
		if err == nil {
			if answered.Failed && !objectsIn(answered) {
				r.open(finding.FactsUnreadable, "MQSC %s: %s ended abnormally", name, text)
			}
			return whole(answered), true
		}
		if first == nil {
			first = err
		}
		questions = append(questions, observe.Question{Language: observe.MQSC, QueueManager: name, Text: text})
	}
	r.unheard(code, what, questions[:1], first)
	return mqsc.Answer{}, false
}

// whole puts the replies of one answer together.
func whole(answered *mqsc.Answered) mqsc.Answer {
	var all mqsc.Answer
	for _, reply := range answered.Replies {
		all.Objects = append(all.Objects, reply.Objects...)
		all.Messages = append(all.Messages, reply.Messages...)
	}
	return all
}

func objectsIn(answered *mqsc.Answered) bool {
	return slices.ContainsFunc(answered.Replies, func(reply mqsc.Reply) bool { return len(reply.Objects) > 0 })
}

// askable gives the members that may answer a command: all but those that are
// known not to run.
func (r *reader) askable() []string {
	return slices.DeleteFunc(r.names(), func(name string) bool { return r.members[name].Status.down() })
}

// down tells whether a member in the state runs no commands.
func (s MemberStatus) down() bool {
	return s == MemberInactive || s == MemberFailed || s == MemberCreated
}

// each puts a command whose answer each member gives for itself: to all of them
// through the group, and to each member of which that answer lacks the reply.
// The reply of a member that gave none is not in the map.
func (r *reader) each(what, text string) map[string]mqsc.Answer {
	found := map[string]mqsc.Answer{}
	answered, err := r.command(r.target.Name, text+everywhere)
	heard := err == nil
	if heard {
		r.attribute(found, answered, "")
		for _, name := range answered.Silent {
			r.serves(name, No)
		}
	}
	var missing []observe.Question
	for _, name := range r.askable() {
		if _, ok := found[name]; ok {
			r.serves(name, Yes)
			continue
		}
		if heard && len(found) > 0 {
			r.serves(name, No)
		}
		own, ownErr := r.command(name, text)
		if ownErr != nil {
			if err == nil {
				err = ownErr
			}
			missing = append(missing, observe.Question{Language: observe.MQSC, QueueManager: name, Text: text})
			continue
		}
		r.attribute(found, own, name)
	}
	r.unheard(finding.NotChecked, what, missing, err)
	return found
}

// serves notes whether a member's command server answers. One answer is proof;
// silence counts only while there is none.
func (r *reader) serves(name string, flag Flag) {
	if m, ok := r.members[name]; ok && m.CommandServer != Yes {
		m.CommandServer = flag
	}
}

// attribute gives every reply to the member whose it is: the one that CSQN121I
// names, else the one whose prefix the messages have, else the one that was
// asked. What belongs to nobody is left out: with the wrong member's name it
// would be worse than nothing (trap 28).
func (r *reader) attribute(found map[string]mqsc.Answer, answered *mqsc.Answered, own string) {
	for _, reply := range answered.Replies {
		name := reply.QueueManager
		if name == "" {
			name = r.prefixes[reply.Prefix]
		}
		if own != "" && (name == "" || reply.QueueManager == "" && r.members[name] == nil) {
			name = own
		}
		if r.members[name] == nil || !tells(reply) {
			continue
		}
		all := found[name]
		all.Objects = append(all.Objects, reply.Objects...)
		all.Messages = append(all.Messages, reply.Messages...)
		found[name] = all
	}
}

// tells tells whether a reply says more than that a command was sent on or ended.
func tells(reply mqsc.Reply) bool {
	return len(reply.Objects) > 0 || slices.ContainsFunc(reply.Messages, func(m mqsc.Message) bool {
		return !strings.HasPrefix(m.ID, "CSQN") && !strings.HasPrefix(m.ID, "CSQ90")
	})
}

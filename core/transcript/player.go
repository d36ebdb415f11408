package transcript

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Player answers questions from a transcript. It is a connection to a system
// as the transcript shows it: it reads every text before it answers, as a
// connection to a real one does before it sends.
type Player struct {
	exact   map[place][]answer // by their text
	general map[place][]answer // those that name only verb and object, by these

	mu    sync.Mutex
	asked map[place]int // how often each question was asked
}

// place is where a question's answers are found. The text is folded.
type place struct {
	language observe.Language
	manager  string
	text     string
}

type answer struct {
	block *block
	at    time.Time
}

// Player gives a fresh player, which begins with the first answer to every
// question.
func (t *Transcript) Player() *Player {
	p := &Player{exact: map[place][]answer{}, general: map[place][]answer{}, asked: map[place]int{}}
	seen := clocks{}
	for _, e := range t.entries {
		switch e := e.(type) {
		case *clock:
			seen[e.manager] = e.at
		case *block:
			found := answer{block: e, at: seen.of(e.manager)}
			p.exact[e.place()] = append(p.exact[e.place()], found)
			if at, ok := e.generalPlace(); ok && observe.OnlyVerbObject(e.language, e.text) {
				p.general[at] = append(p.general[at], found)
			}
		}
	}
	return p
}

func (b *block) place() place {
	return place{language: b.language, manager: b.manager, text: observe.Fold(b.text)}
}

// generalPlace is where a block stands that answers every form of the
// question; false in languages whose questions have but one form.
func (b *block) generalPlace() (place, bool) {
	form := observe.VerbObject(b.language, b.text)
	return place{language: b.language, manager: b.manager, text: observe.Fold(form)}, form != ""
}

// Ask answers a question from the block with the same text, case and white
// space folded; else from the one that names only its verb and object; else
// from the one that names no question. Asked again, the same question gets
// the next such block, and the last one from then on.
//
// Answer.At is the time of the last CLOCK line before the block that names
// its queue manager, else of the last that names none, else zero.
//
// A text that is not a display is an [observe.Refused]; an ERROR block is an
// [observe.Failed] with what came back; a question without a block is an
// [observe.NotAnswered], but an empty answer in a language of the host.
// The queue manager's name is compared as it is written: in MQ case matters.
func (p *Player) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	if err := ctx.Err(); err != nil {
		return observe.Answer{}, fmt.Errorf("asking %s: %w", q, err)
	}
	if err := refuse(q); err != nil {
		return observe.Answer{}, err
	}
	found, ok := p.next(q)
	switch {
	case !ok && q.Language.OfHost():
		return observe.Answer{}, nil
	case !ok:
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	case found.block.failed:
		return observe.Answer{}, &observe.Failed{Question: q, Body: bytes.Clone(found.block.body)}
	}
	return observe.Answer{Body: bytes.Clone(found.block.body), At: found.at}, nil
}

// refuse turns away what is not a display, and what nobody can read.
func refuse(q observe.Question) error {
	class, _, err := observe.Classify(q.Language, q.Text)
	switch {
	case err != nil:
		return &observe.Refused{Question: q, Why: err.Error()}
	case class != observe.Display:
		return &observe.Refused{Question: q, Why: "class " + class.String()}
	}
	return nil
}

// next finds the answer that is due. Each question counts for itself, so two
// forms of one question that share a general block both begin with its first
// answer.
func (p *Player) next(q observe.Question) (answer, bool) {
	asked := block{language: q.Language, manager: q.QueueManager, text: q.Text}
	own := asked.place()
	answers := p.exact[own]
	if at, ok := asked.generalPlace(); ok && len(answers) == 0 {
		answers = p.general[at]
	}
	if len(answers) == 0 {
		answers = p.exact[place{language: q.Language, manager: q.QueueManager}]
	}
	if len(answers) == 0 {
		return answer{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	turn := min(p.asked[own], len(answers)-1)
	p.asked[own]++
	return answers[turn], true
}

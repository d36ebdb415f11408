package qsg_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/core/observe/qsg/qsgtest"
)

// parrot answers every question with the same, and counts how often each was
// put.
type parrot struct {
	body  []byte
	asked map[observe.Question]int
}

func (p *parrot) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	p.asked[q]++
	return observe.Answer{Body: p.body, At: qsgtest.When}, nil
}

var fuzzed = observe.Target{Name: "QSG1", Platform: observe.ZOS, Group: true, Members: []string{"QMA1", "QMA2", "QMBK"}}

// Whatever a group answers is read without a panic; each question is put once;
// every question is a display; and every data set has a structure and an owner.
func FuzzRead(f *testing.F) {
	for _, layout := range qsgtest.Layouts() {
		text := string(qsgtest.Write(qsgtest.Make(1, qsgtest.Size{Members: 3, Structures: 2, Days: 1, Archives: 2}), layout))
		for block := range strings.SplitSeq(text, ">>> ") {
			_, body, _ := strings.Cut(block, "\n")
			if len(body) < 4000 {
				f.Add([]byte(body))
			}
		}
	}
	f.Add([]byte(syslog))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := &parrot{body, map[observe.Question]int{}}
		g, err := qsg.Read(t.Context(), p, fuzzed, qsg.Everything)
		if err != nil {
			t.Fatal(err)
		}
		for q, n := range p.asked {
			if n > 1 {
				t.Errorf("%s was asked %d times", q, n)
			}
			if class, _, err := observe.Classify(q.Language, q.Text); class != observe.Display {
				t.Errorf("%s is %s: %v", q, class, err)
			}
		}
		for _, d := range g.DataSets {
			if d.Structure == "" || d.Owner == "" {
				t.Errorf("data set %+v", d)
			}
		}
		for _, m := range g.Members {
			if m.Name == "" {
				t.Error("a member without a name")
			}
		}
	})
}

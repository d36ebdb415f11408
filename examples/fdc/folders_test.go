package main

import (
	"context"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// ini answers every question with one text.
type ini string

func (i ini) Ask(context.Context, observe.Question) (observe.Answer, error) {
	return observe.Answer{Body: []byte(i)}, nil
}

// "QueueManager stanza of the mqs.ini file", "AllQueueManagers stanza": where a
// folder is not told, or told twice, it is not guessed.
func TestFolders(t *testing.T) {
	const all, own = "AllQueueManagers:\n   DefaultPrefix=/var/mqm\n", "QueueManager:\n   Name=QM1\n   Prefix=/var/mqm\n   Directory=QM!1\n"
	for _, test := range []struct {
		name string
		text ini
		want []string // none: an error
	}{
		{"as crtmqm writes it", all + own, []string{"/var/mqm/errors", "/var/mqm/qmgrs/QM!1/errors", "/var/mqm/trace"}},
		{"data elsewhere", all + "QueueManager:\n   Name=QM1\n   DataPath=/MQHA/QM1\n", []string{"/MQHA/QM1/errors", "/var/mqm/errors", "/var/mqm/trace"}},
		{"of the machine only", all + "QueueManager:\n   Name=QM1\n", []string{"/var/mqm/errors", "/var/mqm/trace"}},
		{"of the queue manager only", own, []string{"/var/mqm/qmgrs/QM!1/errors"}},
		{"two prefixes", all + all + own, []string{"/var/mqm/qmgrs/QM!1/errors"}},
		{"relative paths", "AllQueueManagers:\n   DefaultPrefix=mqm\nQueueManager:\n   Name=QM1\n   DataPath=QM1\n", nil},
		{"another queue manager", all + "QueueManager:\n   Name=qm1\n   DataPath=/MQHA/QM1\n", nil},
		{"two of the name", all + own + own, nil},
		{"nothing", "", nil},
	} {
		got, err := folders(t.Context(), test.text, "QM1")
		if !slices.Equal(got, test.want) || (err == nil) != (test.want != nil) {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

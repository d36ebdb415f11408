package qmgr

import "testing"

// Reference, IBM i 3.2 for checkpoints and 2.1 for the publication.
func TestOccasionTable(t *testing.T) {
	want := map[occasionName][2]bool{ // checkpoint, publication
		atStart: {true, true}, atEnd: {true, false}, onInterval: {true, false}, onRecords: {true, false},
		onChange: {true, true}, onImages: {true, true}, onSomeImage: {false, false}, byPerson: {false, false},
	}
	for _, o := range occasions {
		if w, ok := want[o.name]; !ok || w != [2]bool{o.checkpoint, o.publish} || o.source == "" {
			t.Errorf("%+v", o)
		}
		delete(want, o.name)
	}
	if len(want) > 0 {
		t.Errorf("no rows for %v", want)
	}
}

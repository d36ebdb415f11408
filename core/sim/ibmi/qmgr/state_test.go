package qmgr

import (
	"encoding/json"
	"testing"
)

const stateExample = `{"Format":1,"Name":"TEST","Library":"QMTEST","Letter":65,"Directory":"TEST","State":"RUNNING","Suspended":true,` +
	`"Applications":{"7":"PAYROLL"},"Queues":[{"Name":"A","Depth":2}]}`

func TestParseState(t *testing.T) {
	k, err := parseState([]byte(stateExample))
	if err != nil || k.Applications[7] != "PAYROLL" || k.Queues[0].Depth != 2 || !k.Suspended {
		t.Errorf("%+v, %v", k, err)
	}
	for _, bad := range []string{
		"", "{}", `{"Format":1,"Name":"A B"}`, `{"Format":2,"Name":"TEST"}`,
		`{"Format":1,"Name":"TEST","State":"RUNNING"}`,
		`{"Format":1,"Name":"TEST","Library":"QMTEST","Letter":65,"Directory":"TEST","State":"SLEEPING"}`,
		`{"Format":1,"Name":"TEST","Library":"QMTEST","Letter":65,"Directory":"TEST","State":"ENDED NORMALLY","Suspended":true}`,
		`{"Format":1,"Name":"TEST","Library":"QMTEST","Letter":33,"Directory":"TEST","State":"RUNNING"}`,
	} {
		if _, err := parseState([]byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

func FuzzParseState(f *testing.F) {
	f.Add([]byte(stateExample))
	f.Add([]byte(`{"Format":1,"Name":"TEST","Library":"QMTEST","Letter":65,"Directory":"T","State":"ENDED NORMALLY","Points":{"Media":{"Receiver":"**********"}}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		k, err := parseState(content)
		if err != nil {
			return
		}
		again, err := json.Marshal(&k)
		if err == nil {
			_, err = parseState(again)
		}
		if err != nil {
			t.Fatalf("%s was taken, and then not: %v", content, err)
		}
	})
}

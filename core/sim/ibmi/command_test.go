package ibmi

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/cl"
)

// The table is read by people: a default that its own parameter would refuse,
// or a keyword in two places, would make it say two things.
func TestTableOfCommands(t *testing.T) {
	for _, c := range commands() {
		if c.positional > len(c.params) {
			t.Errorf("%s has %d positional parameters of %d", c.name, c.positional, len(c.params))
		}
		seen := map[string]bool{}
		for _, p := range c.params {
			if seen[p.keyword] {
				t.Errorf("%s has %s twice", c.name, p.keyword)
			}
			seen[p.keyword] = true
			if p.required && p.fallback != "" {
				t.Errorf("%s: %s is required and has a default", c.name, p.keyword)
			}
			if p.fallback != "" && !p.accepts(cl.Value{Text: p.fallback}) {
				t.Errorf("%s: %s does not take its default %s", c.name, p.keyword, p.fallback)
			}
			for _, word := range p.specials {
				if word != strings.ToUpper(word) || word[0] != '*' {
					t.Errorf("%s: %s: %q is no special value", c.name, p.keyword, word)
				}
			}
		}
	}
}

func TestReadArguments(t *testing.T) {
	for _, test := range []struct {
		text   string
		faults []string // ids, a silent one in brackets
		args   map[string][]string
	}{
		{"DLTJRNRCV LIBA/AMQA000001", nil, map[string][]string{"JRNRCV": {"LIBA/AMQA000001"}, "DLTOPT": {"*NONE"}}},
		{"DLTJRNRCV JRNRCV(LIBA/AMQA0*) DLTOPT(*IGNINQMSG '*igntgtrcv')", nil,
			map[string][]string{"JRNRCV": {"LIBA/AMQA0*"}, "DLTOPT": {"*IGNINQMSG", "*IGNTGTRCV"}}},
		{"dltjrnrcv liba/amqa000001 *none", nil, map[string][]string{"JRNRCV": {"LIBA/AMQA000001"}, "DLTOPT": {"*NONE"}}},
		{"DLTJRNRCV", []string{"CPD0071"}, nil},
		{"DLTJRNRCV JRNRCV(LIBA/AMQA000001) DLTOPT(*IGNINQSG)", []string{"(CPD0084)"}, nil},
		{"DLTJRNRCV JRNRCV(LIBA/AMQA000001) DLTOPT(*NONE *NONE *NONE *NONE)", []string{"(CPD0038)"}, nil},
		{"DLTJRNRCV JRNRCV(LIBA/AMQA000001) OPTION(*NONE)", []string{"CPD0043"}, nil},
		{"DLTJRNRCV LIBA/AMQA000001 JRNRCV(LIBA/AMQA000002)", []string{"CPD0041"}, nil},
		{"DLTJRNRCV LIBA/AMQA000001 *NONE *NONE", []string{"CPD0031"}, nil},
		{"DLTJRNRCV JRNRCV(A/B/C)", []string{"CPD0084"}, nil},
		{"DLTJRNRCV JRNRCV(&RCV)", []string{"CPD0084"}, nil},
		{"DLTJRNRCV JRNRCV()", []string{"CPD0038"}, nil},
		{"DLTJRNRCV JRNRCV((LIBA/AMQA000001))", []string{"CPD0084"}, nil},
		{"STRMQM", nil, map[string][]string{"MQMNAME": {"*DFT"}, "STANDBY": {"*NO"}}},
		{"STRMQM test", nil, map[string][]string{"MQMNAME": {"TEST"}, "STANDBY": {"*NO"}}},
		{"STRMQM 'test'", nil, map[string][]string{"MQMNAME": {"test"}, "STANDBY": {"*NO"}}},
		{"STRMQM MQMNAME('" + strings.Repeat("X", 49) + "')", []string{"CPD0084"}, nil},
		{"CRTMQM MQMNAME(A) THRESHOLD(99999)", []string{"CPD0084"}, nil},
		{"CRTJRNRCV A/B THRESHOLD(*NONE)", nil, map[string][]string{"JRNRCV": {"A/B"}, "THRESHOLD": {"*NONE"}}},
		{"SNDRPY X'0000002a' RPY(i)", nil, map[string][]string{"MSGKEY": {"0000002A"}, "MSGQ": {"*SYSOPR"}, "RPY": {"I"}}},
		{"PWRDWNSYS OPTION(*IMMED)", []string{"CPD0071"}, nil},
		{"PWRDWNSYS OPTION(*IMMED) RESTART(*NO)", []string{"CPD0084"}, nil},
	} {
		given, err := cl.Parse(test.text)
		if err != nil {
			t.Fatalf("%s: %v", test.text, err)
		}
		row, known := commandNamed(given.Name)
		if !known {
			t.Fatalf("%s is not known", given.Name)
		}
		args, faults := row.read(given)
		var ids []string
		for _, f := range faults {
			if f.silent {
				f.id = "(" + f.id + ")"
			}
			ids = append(ids, f.id)
		}
		if !slices.Equal(ids, test.faults) {
			t.Errorf("%s: faults %v, not %v", test.text, ids, test.faults)
		}
		if test.args == nil {
			continue
		}
		got := map[string][]string{}
		for keyword := range args {
			got[keyword] = args.texts(keyword)
		}
		if diff := cmp.Diff(test.args, got); diff != "" {
			t.Errorf("%s: %s", test.text, diff)
		}
	}
}

func TestObjectOfAnArgument(t *testing.T) {
	for text, want := range map[string]string{
		"WRKJRNA LIBA/AMQAJRN":         "LIBA/AMQAJRN",
		"WRKJRNA AMQAJRN":              "QGPL/AMQAJRN",
		"WRKJRNA *LIBL/AMQAJRN":        "QGPL/AMQAJRN",
		"WRKJRNA QMSATURN.Q/AMQBJRN":   "QMSATURN.Q/AMQBJRN",
		"WRKJRNA JRN(*CURLIB/amqajrn)": "QGPL/AMQAJRN",
	} {
		given, err := cl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		row, _ := commandNamed(given.Name)
		args, faults := row.read(given)
		if got := args.object("JRN", general).String(); len(faults) > 0 || got != want {
			t.Errorf("%s: %s %v, not %s", text, got, faults, want)
		}
	}
}

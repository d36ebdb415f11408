package connect

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// says answers CL by what a question begins with; a text that begins with an
// id of a message is a failure.
type says map[string]string

func (s says) Ask(_ context.Context, q observe.Question) (observe.Answer, error) {
	for begin, body := range s {
		if strings.HasPrefix(q.Text, begin) {
			if messageID.MatchString(body) {
				return observe.Answer{}, &observe.Failed{Question: q, Body: []byte(body)}
			}
			return observe.Answer{Body: []byte(body)}, nil
		}
	}
	return observe.Answer{}, &observe.NotAnswered{Question: q}
}

func TestCheckAuthority(t *testing.T) {
	row := authority{what: "library", object: object{"QSYS", "MQVAULT", "*LIB"}, needed: map[Use][]string{ForSave: {"*READ", "*ADD"}}, grant: "CRTLIB LIB(MQVAULT)"}
	grant := "GRTOBJAUT OBJ(QSYS/MQVAULT) OBJTYPE(*LIB) USER(MQHK) AUT(*READ *ADD)"
	for _, test := range []struct {
		name, answer string
		want         Verdict
		grants       []string
		detail       string
	}{
		{"all there", "", Yes, nil, ""},
		{"lacks it", "CPF9802: Not authorized to object MQVAULT.\nmore", No, []string{grant}, "CPF9802: Not authorized to object MQVAULT."},
		{"in another language", "CPF9802: Keine Berechtigung", No, []string{grant}, "CPF9802: Keine Berechtigung"},
		{"not there", "CPF9810: Library not found.", No, []string{"CRTLIB LIB(MQVAULT)", grant}, "CPF9810: Library not found."},
		{"closed", "CPF9820: Not authorized to use library.", Unknown, nil, closedToTheAsk},
		{"what nobody knows", "CPF9999: Function check.", Unknown, nil, "CPF9999: Function check."},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &checker{ctx: t.Context(), reader: says{"CHKOBJ": test.answer}, who: profile{name: "MQHK"}}
			got, ok := c.testAuthority(row, site{})
			if !ok || got.Verdict != test.want || !slices.Equal(got.Grant, test.grants) || got.Detail != test.detail {
				t.Errorf("%t %+v", ok, got)
			}
			if want := "CL : CHKOBJ OBJ(QSYS/MQVAULT) OBJTYPE(*LIB) AUT(*READ *ADD)"; !slices.Equal(got.Questions, []string{want}) {
				t.Errorf("asked %q", got.Questions)
			}
		})
	}
	c := &checker{ctx: t.Context(), reader: says{}, needs: Needs{Uses: []Use{ForPlan}}}
	if got, ok := c.testAuthority(row, site{}); ok {
		t.Errorf("a plan asks for %+v", got)
	}
}

// Who may give DLTJRNRCV is told by a service: what is said of the user counts
// before what is said of its group, and that before what everybody may.
func TestCheckDeleteCommand(t *testing.T) {
	const head = "SYSTEM_OBJECT_NAME,AUTHORIZATION_NAME,OBJECT_AUTHORITY,OBJECT_OPERATIONAL,DATA_READ,DATA_EXECUTE\n"
	row := authority{what: "command", object: object{"QSYS", deleteCommand, "*CMD"}, needed: map[Use][]string{ForDelete: {"*USE"}}}
	for _, test := range []struct {
		name, rows string
		want       Verdict
	}{
		{"everybody may", "DLTJRNRCV,*PUBLIC,*USE,,,\n", Yes},
		{"nobody may", "DLTJRNRCV,*PUBLIC,*EXCLUDE,,,\n", No},
		{"everybody but MQHK", "DLTJRNRCV,*PUBLIC,*USE,,,\nDLTJRNRCV,MQHK,*EXCLUDE,,,\n", No},
		{"MQHK alone", "DLTJRNRCV,*PUBLIC,*EXCLUDE,,,\nDLTJRNRCV,MQHK,*ALL,,,\n", Yes},
		{"one by one", "DLTJRNRCV,MQHK,USER DEFINED,YES,YES,YES\n", Yes},
		{"one by one, one missing", "DLTJRNRCV,MQHK,USER DEFINED,YES,NO,YES\n", No},
		{"one by one, not said", "DLTJRNRCV,MQHK,USER DEFINED,,,\n", Unknown},
		{"of another command", "SAVOBJ,MQHK,*ALL,,,\n", Unknown},
		{"of another user", "DLTJRNRCV,OTHER,*ALL,,,\n", Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &checker{ctx: t.Context(), reader: says{"QSYS2.OBJECT_PRIVILEGES": head + test.rows}, who: profile{name: "MQHK"}}
			got, _ := c.testAuthority(row, site{})
			if got.Verdict != test.want || (got.Verdict == No) != (len(got.Grant) == 1) {
				t.Errorf("%+v", got)
			}
		})
	}
	for name, reader := range map[string]says{"not asked": {}, "no table": {"QSYS2": ""}, "no such service": {"QSYS2": "SQL0204: not found"}} {
		c := &checker{ctx: t.Context(), reader: reader, who: profile{name: "MQHK"}}
		if got, _ := c.testAuthority(row, site{}); got.Verdict != Unknown {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReadProfile(t *testing.T) {
	for _, test := range []struct {
		name, print string
		want        profile
		join        string
	}{
		{"plain", " Display User Profile\n User profile  . . . :   MQHK\n Special authority . :   *NONE\n Group profile . . . :   *NONE\n",
			profile{name: "MQHK"}, "CHGUSRPRF USRPRF(MQHK) GRPPRF(QMQMADM)"},
		{"German", " Benutzerprofil . . . . . . :   MQHK\r\n Sonderberechtigung . . . . :   *SAVSYS\r\n                                *JOBCTL\r\n",
			profile{name: "MQHK", special: []string{"*SAVSYS", "*JOBCTL"}}, "CHGUSRPRF USRPRF(MQHK) GRPPRF(QMQMADM)"},
		{"another group", " User profile  . . . :   MQHK\n Group profile . . . :   OPERATORS\n",
			profile{name: "MQHK", grouped: true}, "CHGUSRPRF USRPRF(MQHK) SUPGRPPRF(QMQMADM)"},
		{"nothing", "", profile{}, ""},
	} {
		got := readProfile(test.print)
		if got.name != test.want.name || !slices.Equal(got.special, test.want.special) || got.grouped != test.want.grouped {
			t.Errorf("%s: %+v", test.name, got)
		}
		if test.join != "" && got.join() != test.join {
			t.Errorf("%s: %s", test.name, got.join())
		}
	}
}

// FuzzReadProfile reads a print of any system.
func FuzzReadProfile(f *testing.F) {
	for _, seed := range []string{"", "User profile . . :   MQHK", ". :   *NONE\n. : X", "Group profile : \n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, printed string) {
		p := readProfile(printed)
		if strings.ContainsAny(p.name, " \n\t") {
			t.Errorf("the name %q", p.name)
		}
	})
}

// Of many receivers the oldest and the newest are tested, and the answer says
// how many that were.
func TestCheckOfManyReceivers(t *testing.T) {
	facts := observe.JournalFacts{Journal: observe.Journal{Library: "QMX", Name: "AMQBJRN", Receivers: 1000}}
	for range 1000 {
		facts.Receivers = append(facts.Receivers, observe.Receiver{ID: recovery.SegmentID{Library: "QMX", Name: "AMQB000001"}})
	}
	s := siteOf(observe.Target{Name: "X", Platform: observe.IBMi}, facts)
	c := &checker{ctx: t.Context(), reader: says{"CHKOBJ": ""}, who: profile{name: "MQHK"}}
	for _, a := range s.authorities(nil, c.who) {
		if a.object.kind != "*JRNRCV" {
			continue
		}
		row, _ := c.testAuthority(a, s)
		if len(row.Questions) != mostReceivers || row.Detail != "64 of 1000 were tested" || row.Verdict != Yes || a.object.name != "AMQB*" {
			t.Errorf("%s %d questions: %+v", a.object, len(row.Questions), row.Detail)
		}
	}
}

// *SAVSYS stands for what saving and restoring need of objects; a store in the
// library of the queue manager has one grant with it.
func TestTableOfAuthorities(t *testing.T) {
	s := site{library: "QMX", journal: "AMQAJRN", letters: "AMQA"}
	of := func(rows []authority, name string) map[Use][]string {
		for _, row := range rows {
			if row.object.name == name {
				return row.needed
			}
		}
		return nil
	}
	plain, special := s.authorities(nil, profile{}), s.authorities(nil, profile{special: []string{"*SAVSYS"}})
	if len(of(plain, "AMQA*")[ForSave]) == 0 || len(of(special, "AMQA*")[ForSave]) > 0 || of(plain, "QMQM") == nil || of(special, "QMQM") != nil {
		t.Errorf("%v\n%v", plain, special)
	}
	if got := of(s.authorities([]Store{{Kind: "savf", Library: "QMX"}}, profile{}), "QMX")[ForSave]; !slices.Equal(got, []string{"*READ", "*ADD", "*EXECUTE"}) {
		t.Errorf("the library needs %v to save in it", got)
	}
}

// A union of words has each once, in order, and needs no more than they did.
func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom(append([]string{"*USE"}, authorityOrder...)))
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		got := union(a, b)
		if !slices.Equal(got, union(b, a)) || !slices.Equal(got, union(got)) {
			t.Fatalf("%v and %v give %v", a, b, got)
		}
		want := expand(append(slices.Clone(a), b...))
		for _, word := range authorityOrder {
			if slices.Contains(want, word) != slices.Contains(expand(got), word) {
				t.Fatalf("%v and %v give %v: %s", a, b, got, word)
			}
		}
	})
}

// A name that is no name becomes no command.
func TestCheckStatementsOfForeignNames(t *testing.T) {
	for _, o := range []object{{"QSYS", "X) DLTLIB(Y", "*LIB"}, {"A B", "X", "*JRN"}, {"", "X", "*JRN"}, {"X", "*", "*JRN"}} {
		if text, err := checkObject(o, []string{"*USE"}); err == nil {
			t.Errorf("%v: %s", o, text)
		}
	}
	if text, err := grantObject(object{"A", "B", "*JRN"}, "X) SPCAUT(*ALLOBJ", []string{"*USE"}); err == nil {
		t.Error(text)
	}
}

// What platform it is not known of is an error, and a context that has ended.
func TestCheckRefuses(t *testing.T) {
	if _, err := Check(t.Context(), observe.Target{Name: "Q", Platform: observe.ZOS}, says{}, Needs{}); err == nil || !strings.Contains(err.Error(), "zos") {
		t.Errorf("error %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ended, observe.Target{Name: "Q", Platform: observe.IBMi}, says{}, Needs{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

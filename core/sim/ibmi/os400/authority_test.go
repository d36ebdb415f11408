package os400

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func TestParseAuthority(t *testing.T) {
	for _, test := range []struct {
		words string
		want  Authority
		text  string // empty: as it was written
		wrong string
	}{
		{words: "*USE", want: ObjOpr | Read | Execute},
		{words: "*CHANGE", want: AutChange},
		{words: "*ALL", want: 1<<10 - 1},
		{words: "*EXCLUDE", want: 0},
		{words: "*READ *OBJOPR", want: ObjOpr | Read, text: "*OBJOPR *READ"},
		{words: "*OBJOPR *READ *EXECUTE", want: AutUse, text: "*USE"},
		{words: "*EXCLUDE *READ", wrong: "alone"},
		{words: "*WRITE", wrong: "not known"},
	} {
		got, err := ParseAuthority(strings.Fields(test.words)...)
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%s: error %v, want one that says %q", test.words, err, test.wrong)
			}
			continue
		}
		want := test.text
		if want == "" {
			want = test.words
		}
		if err != nil || got != test.want || got.String() != want {
			t.Errorf("%s: %v %s, error %v", test.words, got, got.String(), err)
		}
	}
}

// An access list says of each user what was put there last, whatever was put
// before, and is the same text however it came about.
func TestAccessList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]Authority{}
		var list accessList
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			user := rapid.SampledFrom([]string{"A", "B", "MQHK", public}).Draw(t, "user")
			if rapid.Bool().Draw(t, "drop") {
				list = list.without(user)
				delete(want, user)
				continue
			}
			a := Authority(rapid.IntRange(0, int(AutAll)).Draw(t, "authority"))
			list, want[user] = list.with(user, a), a
		}
		if err := list.check(); err != nil {
			t.Fatal(err)
		}
		var again accessList
		for _, user := range []string{"MQHK", public, "B", "A"} {
			a, there := list.of(user)
			if wanted, ok := want[user]; there != ok || a != wanted {
				t.Fatalf("%s: %s, %t; want %s, %t in %q", user, a, there, wanted, ok, list)
			}
			if there {
				again = again.with(user, a)
			}
		}
		if again != list {
			t.Fatalf("%q and %q say the same", list, again)
		}
	})
}

// FuzzAccessList reads what a person may have edited.
func FuzzAccessList(f *testing.F) {
	for _, seed := range []string{"", "MQHK=*USE", "*PUBLIC=*EXCLUDE;MQHK=*OBJOPR *READ", "=;", "A=", "a=*USE", "A=*EXCLUDE *READ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := accessList(text)
		if list.check() != nil {
			return
		}
		list.each(func(user, _ string) {
			a, _ := list.of(user)
			if got, ok := list.with(user, a).of(user); !ok || got != a {
				t.Errorf("%q: %s has %s, then %s", text, user, a, got)
			}
		})
	})
}

// What was granted is there when the system is opened again, on receivers and
// on everything else; a system on which nothing was granted has no file of it.
func TestGrantsAreKept(t *testing.T) {
	d := crashdisk.New()
	opts := Options{Disk: d, Now: func() time.Time { return time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC) }}
	s, err := Create(opts, Settings{Name: "PAY1"})
	if err != nil {
		t.Fatal(err)
	}
	receiver := Object{ID{"QGPL", "AMQA000000"}, "JRNRCV"}
	library := Object{ID{"QSYS", "QGPL"}, "LIB"}
	if err := s.CreateReceiver(receiver.ID, 64); err != nil {
		t.Fatal(err)
	}
	if names, err := d.List("."); err != nil || strings.Contains(strings.Join(names, " "), securityName) {
		t.Errorf("files %s, error %v: nothing was granted yet", names, err)
	}
	steps := []error{
		s.CreateProfile(Profile{Name: "MQHK", Group: "QMQMADM", Special: []string{"*SAVSYS", "*JOBCTL", "*SAVSYS"}}),
		s.Grant(receiver, "MQHK", ObjOpr), s.Grant(receiver, "MQHK", Read), s.Grant(library, "MQHK", AutChange),
		s.Revoke(library, "MQHK", Add), s.Grant(library, public, AutExclude),
	}
	for i, err := range steps {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	if s, err = Open(opts); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		user   string
		object Object
		want   Authority
	}{
		{"MQHK", receiver, ObjOpr | Read},
		{"MQHK", library, AutChange &^ Add},
		{"OTHER", library, AutExclude}, // *PUBLIC was excluded, whatever was shipped
		{"QMQM", library, AutAll},
	} {
		if got := s.Access(test.user, test.object, map[string]Authority{public: AutUse}); got != test.want {
			t.Errorf("%s has %s to %s, want %s", test.user, got, test.object, test.want)
		}
	}
	if !s.Special("MQHK", "*SAVSYS") || s.Special("MQHK", "*ALLOBJ") || !s.InGroup("MQHK", "QMQMADM") {
		t.Error("the profile is another one")
	}
}

// A file that makes no sense is refused when the system is opened.
func TestSecurityThatMakesNoSense(t *testing.T) {
	for _, content := range []string{
		`{"Format":2}`, `{"Format":1,"Profiles":{"A":{"Name":"B"}}}`, `{"Format":1,"Profiles":{"A":{"Name":"A","Special":["*GOD"]}}}`,
		`{"Format":1,"Granted":{"QSYS/X *LIB":"A=*GOD"}}`, `[]`, `{`,
	} {
		d := crashdisk.New()
		opts := Options{Disk: d, Now: time.Now}
		if _, err := Create(opts, Settings{Name: "PAY1"}); err != nil {
			t.Fatal(err)
		}
		if err := disk.Replace(d, securityName, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(opts); err == nil || !strings.Contains(err.Error(), securityName) {
			t.Errorf("%s: error %v", content, err)
		}
	}
}

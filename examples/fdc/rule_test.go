package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
)

// night is when the tests plan.
var night = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)

// file is a regular file that was last written so long before night.
func file(name string, age time.Duration) observe.ListedFile {
	return observe.ListedFile{Name: name, Bytes: 100, Modified: night.Add(-age), Owner: "mqm:mqm", Mode: "-rw-rw----"}
}

func TestKinds(t *testing.T) {
	for name, want := range map[string]string{
		"AMQ12345.0.FDC":             kindReport,
		"AMQ1.17.FDC":                kindReport,
		"AMQ12345.0.TRC":             kindTrace,
		"AMQ12345.0.TRS":             kindTrace,
		"AMQ12345.0.FMT":             kindTrace,
		"AMQERR01.LOG.20260501":      kindCopy,
		"AMQERR03.json-20260501.gz":  kindCopy,
		"AMQERR02.LOG.1":             kindCopy,
		"AMQERR01.LOG":               "", // the queue manager's own
		"AMQERR02.LOG":               "",
		"AMQERR03.LOG":               "",
		"AMQERR01.json":              "",
		"AMQERR01.LOG.":              "",
		"AMQERR01.LOG.keep":          "",
		"AMQERR04.LOG.1":             "",
		"amq12345.0.fdc":             "", // another file than AMQ12345.0.FDC
		"AMQ12345.0.FDC.case12345":   "", // somebody kept it for IBM
		"AMQ12345.FDC":               "",
		"AMQ.0.FDC":                  "",
		"AMQ12345.0.FDC\n":           "",
		"../AMQ12345.0.FDC":          "",
		"S0000000.LOG":               "",
		"amqhlctl.lfh":               "",
		"AMQ12345678901234567.0.FDC": "",
	} {
		if got := kindOf(name); got != want {
			t.Errorf("%q is of kind %q, want %q", name, got, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	with := func(f observe.ListedFile, change func(*observe.ListedFile)) observe.ListedFile {
		change(&f)
		return f
	}
	old := file("AMQ1.0.FDC", 40*day)
	reports := rule{kinds: []string{kindReport}, minAge: 30 * day}
	for _, test := range []struct {
		name string
		rule rule
		file observe.ListedFile
		goes bool
		why  string
	}{
		{"old", reports, old, true, "40 days"},
		{"of that very age", reports, file("AMQ1.0.FDC", 30*day), true, "30 days"},
		{"a moment younger", reports, file("AMQ1.0.FDC", 30*day-1), false, "29 days ago, and 30 days"},
		{"among the newest", rule{[]string{kindReport}, 30 * day, 1}, old, false, "number 1 of the newest 1"},
		{"another kind", reports, file("AMQ1.0.TRC", 40*day), false, "kind trace"},
		{"a copy that nobody asked for", reports, file("AMQERR01.LOG.1", 40*day), false, "kind error-log-copies"},
		{"written after it was listed", reports, file("AMQ1.0.FDC", -time.Second), false, "by the clocks"},
		{"a link", reports, with(old, func(f *observe.ListedFile) { f.Mode = "lrwxrwxrwx" }), false, "regular"},
		{"a directory", reports, with(old, func(f *observe.ListedFile) { f.Mode = "drwxrwx---" }), false, "regular"},
		{"no mode", reports, with(old, func(f *observe.ListedFile) { f.Mode = "" }), false, "regular"},
		{"no time", reports, with(old, func(f *observe.ListedFile) { f.Modified = time.Time{} }), false, "how old"},
	} {
		list := test.rule.judge([]observe.ListedFile{test.file}, night)
		if len(list) != 1 || list[0].goes != test.goes || !strings.Contains(list[0].why, test.why) {
			t.Errorf("%s: %+v, want %v because of %q", test.name, list, test.goes, test.why)
		}
	}
	if list := reports.judge([]observe.ListedFile{old}, time.Time{}); list[0].goes {
		t.Error("without a clock it goes")
	}
}

// Whatever lies there: nothing goes that is younger, among the newest, of
// another kind or no regular file, and all goes that is none of these.
func TestRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfDistinct(rapid.SampledFrom([]string{kindReport, kindTrace, kindCopy}), rapid.ID[string]).Draw(t, "kinds")
		r := rule{kinds, time.Duration(rapid.Int64Range(int64(day), int64(100*day)).Draw(t, "age")), rapid.IntRange(0, 5).Draw(t, "newest")}
		var files []observe.ListedFile
		for i := range rapid.IntRange(0, 30).Draw(t, "files") {
			name := fmt.Sprintf(rapid.SampledFrom([]string{"AMQ%d.0.FDC", "AMQ%d.0.TRC", "AMQERR01.LOG.%d", "AMQERR0%d.LOG", "other%d"}).Draw(t, "name"), i)
			f := file(name, time.Duration(rapid.Int64Range(-int64(day), int64(200*day)).Draw(t, "written")))
			f.Mode = rapid.SampledFrom([]string{"-rw-rw----", "-rw-rw----", "lrwxrwxrwx", ""}).Draw(t, "mode")
			files = append(files, f)
		}
		list := r.judge(files, night)
		for _, j := range list {
			newer := 0
			for _, f := range files {
				if kindOf(f.Name) == j.kind && (f.Modified.After(j.Modified) || f.Modified.Equal(j.Modified) && f.Name < j.Name) {
					newer++
				}
			}
			may := slices.Contains(kinds, j.kind) && j.Mode == "-rw-rw----" && night.Sub(j.Modified) >= r.minAge && newer >= r.keepNewest
			if j.goes != may || j.why == "" {
				t.Fatalf("%s goes: %v (%s), want %v", j.Name, j.goes, j.why, may)
			}
		}
	})
}

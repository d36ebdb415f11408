package finding_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
)

// named is a code as the rest of the program names it.
var named = regexp.MustCompile(`\bfinding\.([A-Z]\w+)`)

// users gives the files that name each constant of a code. Tests and simulated
// systems are none of them.
func users(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	for _, room := range []string{"core/observe", "core/recovery", "plugins", "agent", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range named.FindAllStringSubmatch(string(text), -1) {
				files[found[1]] = append(files[found[1]], filepath.ToSlash(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// shared gives the codes that a log of Multiplatforms may get: all that more than
// the code for journals names.
func shared(t *testing.T) map[finding.Code]bool {
	t.Helper()
	names := declaredCodes(t)
	codes := map[finding.Code]bool{}
	for name, files := range users(t) {
		for _, file := range files {
			code, ok := names[name]
			if ok && !strings.Contains(file, "journal") && !onJournals[code] {
				codes[code] = true
			}
		}
	}
	if len(codes) < 30 {
		t.Fatalf("only %d codes are shared", len(codes))
	}
	return codes
}

// onJournals are codes that shared code names and only a journal gets: its rows
// come from SQL services, it alone has remote journals, and the messages about
// damaged objects are read there alone.
var onJournals = map[finding.Code]bool{finding.ServiceMissing: true, finding.RemoteBehind: true, finding.ObjectDamaged: true}

var (
	// ofIBMi are words that are nothing to an administrator of Linux.
	ofIBMi = regexp.MustCompile(`\b(CHGJRN|SAVOBJ|RCDMQMIMG|RCRMQMOBJ|WRKMQM\w*|RSVMQM\w*|AMQJRNINF|QMQMMSG|AMQ74(32|60|62)|savf|journals?|receivers?|auxiliary)\b`)
	// ofMulti are words that are nothing to an administrator of IBM i.
	ofMulti = regexp.MustCompile(`\b(rcdmqimg|rcrmqobj|dspmqtrn|rsvmqtrn|strmqm|RECLOG|CURRLOG|AMQ7017|AMQ6767|LOGPATH|chown)\b`)
	// part begins what is said of one platform.
	part = regexp.MustCompile(`(?i)\bon (IBM i|Multiplatforms):`)
)

// parts gives what a text says of both platforms, of IBM i, and of
// Multiplatforms. A part goes as far as the next, or to the bracket in which it
// stands.
func parts(text string) (both, ibmi, multi string) {
	into := &both
	for {
		at := part.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		*into += text[:at[0]]
		if into = &ibmi; text[at[2]:at[3]] != "IBM i" {
			into = &multi
		}
		text = text[at[1]:]
		if end := strings.IndexByte(text, ')'); part.FindStringIndex(text) == nil && end >= 0 && !strings.Contains(text[:end], "(") {
			*into += text[:end]
			into, text = &both, text[end:]
		}
	}
	*into += text
	return both, ibmi, multi
}

// What may be said of a log of either platform is true on both: what holds on one
// alone says so, and nobody is left without a remedy.
func TestSharedCodesSpeakOfBothPlatforms(t *testing.T) {
	codes := shared(t)
	for _, entry := range finding.Catalogue() {
		if !codes[entry.Code] || strings.HasPrefix(entry.More, "multiplatforms.md#") {
			continue
		}
		both, ibmi, multi := parts(entry.Remedy)
		if common := strings.TrimSpace(both); common == "" && (ibmi == "" || multi == "") {
			t.Errorf("%s has a remedy for one platform alone: %s", entry.Code, entry.Remedy)
		}
		for _, wrong := range []struct {
			words *regexp.Regexp
			text  string
		}{{ofIBMi, both}, {ofMulti, both}, {ofIBMi, multi}, {ofMulti, ibmi}} {
			if word := wrong.words.FindString(wrong.text); word != "" {
				t.Errorf("%s: %q is nothing to one platform: %s", entry.Code, word, entry.Remedy)
			}
		}
		if ofIBMi.MatchString(entry.Meaning) && !strings.Contains(entry.Meaning, "extent") && part.FindStringIndex(entry.Meaning) == nil {
			t.Errorf("%s speaks of receivers and not of extents: %s", entry.Code, entry.Meaning)
		}
		if links := entry.Pages(); len(links) == 1 && strings.HasPrefix(links[0], "ibmi.md#") {
			t.Errorf("%s leads to the page of IBM i alone", entry.Code)
		}
	}
}

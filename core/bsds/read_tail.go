package bsds

import (
	"regexp"
	"strings"
	"time"
)

var (
	newRestart    = regexp.MustCompile(`\bCRCR IDENTIFIER\b`)
	restartState  = regexp.MustCompile(`\bCRCR (NOT )?ACTIVE\b|\bACTIVE CRCR\b`)
	restartEnd    = regexp.MustCompile(`\bEND ?(RBA|LRSN)` + between + `([0-9A-F]+)\b`)
	checkpointRBA = regexp.MustCompile(`\b(BEGIN|START|END) ?(?:CHECKPOINT )?RBA` + between + `([0-9A-F]+)\b`)
	checkpointAt  = regexp.MustCompile(`\b([0-9]{4}\.[0-9]{3}) +([0-9:.]+)|\b([0-9]{2}:[0-9]{2}:[0-9]{2}) +([A-Z]+ +[0-9]{1,2}, +[0-9]{4})`)
)

// restartLine reads a line of the conditional restart control records.
func (r *reader) restartLine(text string) error {
	records := &r.print.Restarts
	if newRestart.MatchString(text) || len(*records) == 0 && (restartState.MatchString(text) || restartEnd.MatchString(text)) {
		*records = append(*records, Restart{})
	}
	if len(*records) == 0 {
		return nil
	}
	record := &(*records)[len(*records)-1]
	if match := restartState.FindStringSubmatch(text); match != nil {
		record.Active = Yes
		if match[1] != "" {
			record.Active = No
		}
	}
	for _, match := range restartEnd.FindAllStringSubmatch(text, 2) {
		var err error
		if match[1] == "RBA" {
			record.EndRBA, err = ParseRBA(match[2])
		} else {
			record.EndLRSN, err = ParseLRSN(match[2])
		}
		if err != nil {
			return r.fail(err.Error())
		}
	}
	return nil
}

// checkpointLine reads a line of the queue of checkpoints. An entry ends where
// one of its values comes a second time.
func (r *reader) checkpointLine(text string) error {
	queue := &r.print.Checkpoints
	last := func(full func(Checkpoint) bool) *Checkpoint {
		if n := len(*queue); n == 0 || full((*queue)[n-1]) {
			*queue = append(*queue, Checkpoint{})
		}
		return &(*queue)[len(*queue)-1]
	}
	if match := checkpointAt.FindStringSubmatch(text); match != nil {
		at, ok := parseStamp(match[1], match[2])
		if match[3] != "" {
			var err error
			at, err = time.Parse("15:04:05 January 2, 2006", match[3]+" "+strings.Join(strings.Fields(match[4]), " "))
			ok = err == nil
		}
		if ok {
			last(func(c Checkpoint) bool { return !c.At.IsZero() }).At = at
		}
	}
	for _, match := range checkpointRBA.FindAllStringSubmatch(text, 2) {
		rba, err := ParseRBA(match[2])
		switch {
		case err != nil:
			return r.fail(err.Error())
		case match[1] == "END":
			last(func(c Checkpoint) bool { return c.End.Known() }).End = rba
		default:
			last(func(c Checkpoint) bool { return c.Start.Known() }).Start = rba
		}
	}
	return nil
}

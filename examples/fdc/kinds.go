package main

import "regexp"

// The kinds of files that may go, as the setting names them.
const (
	kindReport = "fdc"
	kindTrace  = "trace"
	kindCopy   = "error-log-copies"
)

// named says by what names each kind is known. FDC is "first failure data
// capture"; the numbers are those of the process and of the file ("Contents of
// the FFST files", "Using trace").
//
// AMQERR01 to AMQERR03, .LOG and .json, are none of them: the queue manager
// renames and overwrites these itself ("Error log directories"), and where
// DISPLAY QMSTATUS does not tell the recovery points, AMQ7467 and AMQ7468 in
// them are all that does. A copy has its date or number behind such a name.
var named = []struct {
	kind string
	is   *regexp.Regexp
}{
	{kindReport, regexp.MustCompile(`^AMQ[0-9]{1,10}\.[0-9]{1,10}\.FDC$`)},
	{kindTrace, regexp.MustCompile(`^AMQ[0-9]{1,10}\.[0-9]{1,10}\.(TRC|TRS|FMT)$`)},
	{kindCopy, regexp.MustCompile(`^AMQERR0[1-3]\.(LOG|json)[.-][0-9]{1,14}(\.(gz|Z|bz2|xz|zst))?$`)},
}

// kindOf gives the kind of a file by its name; empty: it is none that may go.
func kindOf(file string) string {
	for _, n := range named {
		if n.is.MatchString(file) {
			return n.kind
		}
	}
	return ""
}

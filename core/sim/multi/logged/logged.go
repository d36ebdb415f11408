// Package logged is what the log of a queue manager on Multiplatforms holds
// beside the records of the engine, and how its positions are written: qmgr
// writes it, dmpmqlog and displays read it.
package logged

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/wal"
)

// The kinds of notes about a queue manager's life (reference, Multiplatforms 5).
const (
	Started = "started"
	Stopped = "stopped" // the text says how
)

// What begins the keys of what the log keeps for the coordinator of global units
// of work (reference, Multiplatforms 5): who takes part, and the transactions
// whose commit is decided. Forgetting one is Transaction Forget.
const (
	Participant = "participant " // the number; a Resource in JSON
	Prepared    = "prepared "    // the XID in hexadecimal; the numbers in JSON
)

// Resource is an XAResourceManager stanza of qm.ini.
type Resource struct {
	Name, SwitchFile, OpenString, CloseString string
}

// LSN is a position in the log as MQ prints it: <0:0:8:65136>, four decimal
// words of sixteen bits (reference, Multiplatforms 1.4 item 26).
func LSN(at wal.LSN) string { return string(AppendLSN(nil, at)) }

// AppendLSN writes it behind what is there.
func AppendLSN(b []byte, at wal.LSN) []byte {
	b = append(b, '<')
	for shift := 48; shift >= 0; shift -= 16 {
		b = strconv.AppendUint(b, uint64(uint16(at>>shift)), 10)
		if shift > 0 {
			b = append(b, ':')
		}
	}
	return append(b, '>')
}

// ParseLSN reads it as the arguments of dmpmqlog have it, without brackets, or
// with them.
func ParseLSN(text string) (wal.LSN, error) {
	words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">"), ":")
	var at wal.LSN
	for _, word := range words {
		n, err := strconv.ParseUint(word, 10, 16)
		if err != nil || len(words) != 4 {
			return 0, fmt.Errorf("%q is no LSN: nnnn:nnnn:nnnn:nnnn", text)
		}
		at = at<<16 | wal.LSN(n)
	}
	return at, nil
}

package bsds

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// layouts of times: what is of the log to the tenth of a second, what is of the
// BSDS to the hundredth.
const (
	logTime   = "2006.002 15:04:05.0"
	fileTime  = "DATE=2006.002 LTIME=15:04:05.00"
	entryTime = "2006.002 15:04"
)

// String gives the print that [Print.WriteTo] writes.
func (p Print) String() string {
	var b bytes.Buffer
	_, _ = p.WriteTo(&b) // a Buffer takes everything
	return b.String()
}

// WriteTo writes the print as CSQJU004 would: the head, the tables of both copies
// with a line each for the RBAs, times and LRSNs of a log data set, the
// conditional restart records and the queue of checkpoints. [Read] reads it back,
// but for fractions of a second that are not printed.
func (p Print) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	p.writeHead(&b)
	for i := range Copies {
		writeLogs(&b, fmt.Sprintf("ACTIVE LOG COPY %d DATA SETS", i+1), p.Active[i], false)
		writeLogs(&b, fmt.Sprintf("ARCHIVE LOG COPY %d DATA SETS", i+1), p.Archive[i], true)
	}
	p.writeTail(&b)
	return b.WriteTo(w)
}

func (p Print) writeHead(b *bytes.Buffer) {
	box := " " + strings.Repeat("*", 79)
	fmt.Fprintf(b, "1%s\n", box[1:])
	if p.Member != "" || p.Group != "" {
		fmt.Fprintf(b, " *  LOG MAP OF THE BSDS DATA SET BELONGING TO QMGR '%s' OF GROUP '%s'  *\n", orNone(p.Member), orNone(p.Group))
	}
	fmt.Fprintf(b, "%s\n", box)
	if p.DataSet != "" {
		fmt.Fprintf(b, "     LOG MAP OF BSDS DATA SET COPY 1, DSN=%s\n", p.DataSet)
	}
	if p.Version != 0 {
		fmt.Fprintf(b, "     BSDS VERSION %d\n", p.Version)
	}
	if p.Raw {
		fmt.Fprintln(b, "     TIME(RAW): TIMES ARE THOSE OF THE CLOCK, WITHOUT OFFSETS.")
	} else {
		fmt.Fprintln(b, "     LTIME INDICATES LOCAL TIME, ALL OTHER TIMES ARE GMT.")
	}
	if p.Number != 0 {
		fmt.Fprintf(b, "       QMGR NUMBER             %d\n", p.Number)
	}
	if !p.System.IsZero() {
		fmt.Fprintf(b, "       SYSTEM TIMESTAMP  - %s\n", p.System.Format(fileTime))
	}
	if !p.Utility.IsZero() {
		fmt.Fprintf(b, "       UTILITY TIMESTAMP - %s\n", p.Utility.Format(fileTime))
	}
	if p.HighestWritten.Known() {
		fmt.Fprintf(b, "       HIGHEST RBA WRITTEN     %s  %s\n", p.HighestWritten, stampText(p.WrittenAt, logTime))
	}
	if p.HighestOffloaded.Known() {
		fmt.Fprintf(b, "       HIGHEST RBA OFFLOADED   %s\n", p.HighestOffloaded)
	}
}

func orNone(name string) string {
	if name == "" {
		return "NO NAME"
	}
	return name
}

func stampText(at time.Time, layout string) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(layout)
}

// writeLogs writes a table. It has columns for LRSNs when one of its logs has any.
func writeLogs(b *bytes.Buffer, heading string, logs []Log, archived bool) {
	lrsns := slices.ContainsFunc(logs, func(log Log) bool { return log.StartLRSN.Known() || log.EndLRSN.Known() })
	third := ""
	if lrsns {
		third = "/LRSN"
	}
	fmt.Fprintf(b, "0    %s\n", heading)
	fmt.Fprintf(b, " %-22s %-22s %-14s  %s\n", "START RBA/TIME"+third, "END RBA/TIME"+third, "DATE/LTIME", "DATA SET INFORMATION")
	fmt.Fprintf(b, " %-22s %-22s %-14s  %s\n", "---------------------", "---------------------", "--------------", "--------------------")
	for _, log := range logs {
		line := func(start, end, entry, said string) {
			b.WriteString(strings.TrimRight(fmt.Sprintf(" %-22s %-22s %-14s  %s", start, end, entry, said), " ") + "\n")
		}
		line(log.Start.String(), log.End.String(), stampText(log.Created, entryTime), "DSN="+log.DataSet)
		line(stampText(log.StartTime, logTime), stampText(log.EndTime, logTime), "", log.said(archived))
		switch {
		case log.StartLRSN.Known() && log.EndLRSN.Known():
			line(log.StartLRSN.String(), log.EndLRSN.String(), "", "")
		case log.StartLRSN.Known(): // one alone has its name, to be told from the next RBA
			line("STARTLRSN="+log.StartLRSN.String(), "", "", "")
		case log.EndLRSN.Known():
			line("", "ENDLRSN="+log.EndLRSN.String(), "", "")
		}
	}
}

// said gives what a table says of a log data set beside its ranges.
func (l Log) said(archived bool) string {
	if !archived {
		states := string(l.Status)
		if l.Truncated && l.Status != Truncated {
			states = strings.TrimPrefix(states+", TRUNCATED", ", ")
		}
		if states == "" {
			return ""
		}
		return "STATUS=" + states
	}
	var said []string
	for _, attribute := range []struct{ name, value string }{{"VOL", l.Volume}, {"UNIT", l.Unit}, {"CATALOGUED", l.Catalogued.String()}} {
		if attribute.value != "" {
			said = append(said, attribute.name+"="+attribute.value)
		}
	}
	return strings.Join(said, " ")
}

func (p Print) writeTail(b *bytes.Buffer) {
	fmt.Fprintln(b, "0    CONDITIONAL RESTART CONTROL RECORD")
	for i, record := range p.Restarts {
		fmt.Fprintf(b, "       CRCR IDENTIFIER         %04d\n", i+1)
		switch record.Active {
		case Yes:
			fmt.Fprintln(b, "       CRCR ACTIVE")
		case No:
			fmt.Fprintln(b, "       CRCR NOT ACTIVE")
		}
		if record.EndRBA.Known() {
			fmt.Fprintf(b, "       ENDRBA                  %s\n", record.EndRBA)
		}
		if record.EndLRSN.Known() {
			fmt.Fprintf(b, "       ENDLRSN                 %s\n", record.EndLRSN)
		}
	}
	fmt.Fprintln(b, "0    CHECKPOINT QUEUE")
	for _, checkpoint := range p.Checkpoints {
		if !checkpoint.At.IsZero() {
			fmt.Fprintf(b, "       TIME OF CHECKPOINT      %s\n", checkpoint.At.Format(logTime))
		}
		fmt.Fprintf(b, "       BEGIN CHECKPOINT RBA    %s\n", checkpoint.Start)
		fmt.Fprintf(b, "       END CHECKPOINT RBA      %s\n", checkpoint.End)
	}
	fmt.Fprintln(b, " CSQJ200I CSQJU004 PRINT LOG MAP UTILITY PROCESSING COMPLETED SUCCESSFULLY")
}

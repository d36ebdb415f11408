package errlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// told is a message as a queue manager would write it, before it is written in
// a layout.
type told struct {
	id, severity string
	at           time.Time
	manager      string
	arith        [2]string
	comment      [3]string
	text         string // behind the id
	explanation  string
}

// message makes a told record of a watermark or of whatever else.
func message(id, manager, at, text string, comments ...string) told {
	m := told{id: id, severity: "I", manager: manager, text: text, explanation: "A message."}
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err != nil {
		panic(err)
	}
	m.at = when
	copy(m.comment[:], comments)
	return m
}

func restart(manager, at, extent string) told {
	return message("AMQ7467", manager, at, "The oldest log file required to start queue manager "+manager+" is "+extent+".")
}

func media(manager, at, extent string) told {
	return message("AMQ7468", manager, at, "The oldest log file required to perform media recovery of queue manager "+manager+" is "+extent+".")
}

// look is how a text log is written.
type look struct {
	width  int
	indent int
	date   string // of the first line
	level  int    // 70: no host lines, 75: no Time and inserts, 91: all
	eol    string
}

var modern = look{79, 20, "01/02/06 15:04:05", 91, "\n"}

// wrap breaks a text at blanks, as MQ does at 79 columns.
func wrap(text string, width int) []string {
	var lines []string
	row := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case row == "":
			row = word
		case len(row)+1+len(word) <= width:
			row += " " + word
		default:
			lines, row = append(lines, row), word
		}
	}
	return append(lines, row)
}

// header gives the lines above the message.
func (m told) header(l look) []string {
	pad := strings.Repeat(" ", l.indent)
	lines := []string{m.at.Format(l.date) + " - Process(2272.1) User(mqm) Program(amqzmuc0)"}
	if l.level < 75 {
		return lines
	}
	version := pad + "VRMF(9.1.0.0)"
	if m.manager != "" {
		version += " QMgr(" + m.manager + ")"
	}
	lines = append(lines, pad+"Host(h1) Installation(Installation1)", version)
	if l.level >= 91 {
		lines = append(lines, pad+"Time("+m.at.Format("2006-01-02T15:04:05.000Z")+")")
		var arith []string
		for i, value := range m.arith {
			if value != "" {
				arith = append(arith, fmt.Sprintf("ArithInsert%d(%s)", i+1, value))
			}
		}
		if arith != nil {
			lines = append(lines, pad+strings.Join(arith, " "))
		}
		for i, value := range m.comment {
			if value != "" {
				lines = append(lines, fmt.Sprintf("%sCommentInsert%d(%s)", pad, i+1, value))
			}
		}
	}
	return append(lines, pad[1:])
}

func (m told) asText(l look) string {
	lines := m.header(l)
	severity := m.severity
	if l.level < 91 {
		severity = ""
	}
	lines = append(lines, wrap(m.id+severity+": "+m.text, l.width)...)
	lines = append(lines, "", "EXPLANATION:")
	lines = append(lines, wrap(m.explanation, l.width)...)
	lines = append(lines, "ACTION:", "None.", "----- amqzmuc0.c : 439 "+strings.Repeat("-", 56), "")
	if l.level < 75 {
		lines[len(lines)-2] = strings.Repeat("-", 79)
	}
	return strings.Join(lines, l.eol)
}

// asJSON writes the object as 9.2 does. Upper: the documentation's spelling.
func (m told) asJSON(upper bool) string {
	id := "ibm_messageId"
	if upper {
		id = "ibm_messageID"
	}
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"%s":"%s"`, id, m.id+m.severity)
	for i, value := range m.arith {
		if value == "" {
			value = "0"
		}
		fmt.Fprintf(&b, `,"ibm_arithInsert%d":%s`, i+1, value)
	}
	for i, value := range m.comment {
		if value != "" {
			fmt.Fprintf(&b, `,"ibm_commentInsert%d":%s`, i+1, quote(value))
		}
	}
	fmt.Fprintf(&b, `,"ibm_datetime":"%s"`, m.at.Format("2006-01-02T15:04:05.000Z"))
	if m.manager != "" {
		fmt.Fprintf(&b, `,"ibm_serverName":%s`, quote(m.manager))
	}
	fmt.Fprintf(&b, `,"type":"mq_log","host":"h1","loglevel":"INFO","module":"amqzmuc0.c:439","ibm_sequence":"1679338418_605675345"`)
	fmt.Fprintf(&b, `,"ibm_processId":"2272","ibm_threadId":"1","ibm_version":"9.1.0.0","ibm_processName":"amqzmuc0"`)
	fmt.Fprintf(&b, `,"ibm_userName":"mqm","ibm_installationName":"Installation1","ibm_installationDir":"C:\\MQ","message":%s}`, quote(m.id+m.severity+": "+m.text))
	return b.String() + "\n"
}

// asConsole writes the line of a container; outer adds the stamp of whoever
// collected it.
func (m told) asConsole(outer bool) string {
	var inserts []string
	for i, value := range m.arith {
		if value != "" {
			inserts = append(inserts, fmt.Sprintf("ArithInsert%d(%s)", i+1, value))
		}
	}
	for i, value := range m.comment {
		if value != "" {
			inserts = append(inserts, fmt.Sprintf("CommentInsert%d(%s)", i+1, value))
		}
	}
	text := m.at.Format("2006-01-02T15:04:05.000Z") + " " + m.id + m.severity + ": " + m.text
	if outer {
		text = m.at.Add(-5*time.Hour+time.Second).Format("2006-01-02 15:04:05.000") + " | " + text
	}
	if inserts != nil {
		text += " [" + strings.Join(inserts, ", ") + "]"
	}
	return text + "\n"
}

// record is what a reader must make of the message, but for its place.
func (m told) record(layout Layout, l look) Record {
	r := Record{
		ID: m.id, Severity: Severity(m.severity[0]), Time: m.at, Clock: UTC, QueueManager: m.manager,
		Host: "h1", Process: "2272", Program: "amqzmuc0", Version: "9.1.0.0", Module: "amqzmuc0.c:439",
		Arith: m.arith, Comment: m.comment, Text: m.id + m.severity + ": " + m.text, Layout: layout,
	}
	switch layout {
	case Console:
		r.QueueManager, r.Host, r.Process, r.Program, r.Version, r.Module = "", "", "", "", "", ""
	case JSON:
	case Text:
		r.Module = ""
		r.Date = m.at.Format(l.date)
		if l.level < 91 {
			r.Severity, r.Text = 0, m.id+": "+m.text
			r.Arith, r.Comment = [2]string{}, [3]string{}
			r.Time, r.Clock = readDate(r.Date).alone()
		}
		if l.level < 75 {
			r.Host, r.Version, r.QueueManager = "", "", ""
		}
	}
	return r
}

// scanned is what came of a log.
type scanned struct {
	records []Record
	damage  []*Damage
}

func scan(t interface{ Fatal(...any) }, log string) scanned {
	var s scanned
	for r, err := range Scan(strings.NewReader(log)) {
		var d *Damage
		switch {
		case errors.As(err, &d):
			s.damage = append(s.damage, d)
		case err != nil:
			t.Fatal(err)
		default:
			s.records = append(s.records, r)
		}
	}
	return s
}

// placeless is a record without its place.
func placeless(r Record) Record {
	r.Line, r.Offset = 0, 0
	return r
}

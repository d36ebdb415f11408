package amqerr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// object gives a record of the JSON log: one object in one line. A message has
// the letter of its severity there at every level.
func (s Settings) object(m Message, sequence time.Time) []byte {
	t := Of(m.ID)
	id := t.ID + string(rune(t.Severity))
	arith := m.arith()
	for i, value := range arith {
		if value == "" {
			arith[i] = "0"
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(record{
		ID: id, Arith1: json.Number(arith[0]), Arith2: json.Number(arith[1]),
		Comment1: m.C1, Comment2: m.C2, Comment3: m.C3,
		DateTime: stamp(m), ServerName: s.QueueManager, Type: "mq_log", Host: s.Host, LogLevel: levels[t.Severity],
		Module: fmt.Sprintf("%s:%d", m.from.module(), m.from.line), Sequence: fmt.Sprintf("%d_%09d", sequence.Unix(), sequence.Nanosecond()),
		QMID: s.QMID, ProcessID: fmt.Sprint(m.Process), ThreadID: fmt.Sprint(thread), Version: s.Release.String(),
		ProcessName: m.from.program, UserName: s.User, InstallationName: s.Installation, InstallationDir: s.InstallationPath,
		Message: id + ": " + fill(t.Text, s.Release, m.Inserts),
	})
	if err != nil { // strings and numbers alone
		panic(fmt.Sprintf("message %s: %v", m.ID, err))
	}
	return b.Bytes()
}

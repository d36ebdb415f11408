package dmpmqlog

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
)

// noteType tells the records of a queue manager's life.
func noteType(e *engine.Entry) (recordType, bool) {
	switch e.Key {
	case logged.Started:
		return recordType{"Start Queue Manager", (*printer).started}, true
	case logged.Stopped:
		return recordType{"Stop Queue Manager", (*printer).stopped}, true
	}
	return recordType{}, false
}

// The layouts of dates and times.
const (
	dateLayout = "20060102"
	timeLayout = "15.04.05"
)

func (p *printer) started(e *engine.Entry) {
	at := e.Time.In(p.opts.Zone)
	p.field("StartDate  . . . : ", at.Format(dateLayout))
	p.field("StartTime  . . . : ", at.Format(timeLayout))
}

func (p *printer) stopped(e *engine.Entry) {
	at := e.Time.In(p.opts.Zone)
	p.field("StopDate . . . . : ", at.Format(dateLayout))
	p.field("StopTime . . . . : ", at.Format(timeLayout))
	p.field("ForceFlag  . . . : ", string(e.Value))
}

// globalType tells the records of the XA transaction manager.
func globalType(e *engine.Entry) (recordType, bool) {
	participant, prepared := strings.HasPrefix(e.Key, logged.Participant), strings.HasPrefix(e.Key, logged.Prepared)
	switch {
	case participant && e.Kind == engine.EntryKeep:
		return recordType{"Transaction Participants", (*printer).participant}, true
	case prepared && e.Kind == engine.EntryKeep:
		return recordType{"Transaction Prepared", (*printer).prepared}, true
	case prepared && e.Kind == engine.EntryDrop:
		return recordType{"Transaction Forget", nil}, true
	}
	return recordType{}, false
}

// globalXID gives the identifier that such a record is about.
func globalXID(e *engine.Entry) []byte {
	text, ok := strings.CutPrefix(e.Key, logged.Prepared)
	if !ok {
		return nil
	}
	xid, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return xid
}

// participant prints a resource manager that takes part. A value that can't be
// read is printed as it is.
func (p *printer) participant(e *engine.Entry) {
	var r logged.Resource
	if err := json.Unmarshal(e.Value, &r); err != nil {
		r.Name = string(e.Value)
	}
	p.field("RMName . . . . . : ", r.Name)
	p.field("RMID . . . . . . : ", strings.TrimPrefix(e.Key, logged.Participant))
	p.field("SwitchFile . . . : ", r.SwitchFile)
	p.field("XAOpenString . . : ", r.OpenString)
	p.field("XACloseString  . : ", r.CloseString)
}

// prepared prints who is to be told of the commit; 0 is the queue manager.
func (p *printer) prepared(e *engine.Entry) {
	for id := range bytes.SplitSeq(bytes.Trim(e.Value, "[] \n"), []byte(",")) {
		p.field("RMID . . . . . . : ", string(bytes.TrimSpace(id)))
	}
}

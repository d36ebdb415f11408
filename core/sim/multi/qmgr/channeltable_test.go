package qmgr

import (
	"bytes"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// The client channel definition table has a channel as soon as that is defined,
// in its file too, and a start makes up for a crash in between the two.
func TestChannelTable(t *testing.T) {
	for _, kind := range kinds {
		s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
		s.start()
		file := func() []byte {
			content, err := disk.ReadAll(s.site.Disk, s.m.path("@ipcc/AMQCLCHL.TAB"))
			s.must(err)
			return content
		}
		channel := engine.Ref{Kind: objects.ClientChannel, Name: "TO.QM1"}
		s.must(s.m.DefineObject(s.ctx, channel, map[string]string{"CONNAME": "h(1414)"}))
		if content := file(); !bytes.Contains(content, []byte("TO.QM1")) || !bytes.Contains(content, []byte("CONNAME('h(1414)')")) {
			t.Errorf("%q", content)
		}
		// Past the manager, as one that died behind the definition.
		s.must(s.m.Engine().Define(s.ctx, engine.Ref{Kind: objects.ClientChannel, Name: "LATE"}, map[string]string{"CONNAME": "late"}))
		s.must(s.m.Crash())
		s.start()
		if content := file(); !bytes.Contains(content, []byte("CONNAME('late')")) {
			t.Errorf("%q", content)
		}
		// A power failure does not take what the file has: the log has it first.
		s.must(s.m.DeleteObject(s.ctx, channel, false))
		s.crash.Crash()
		s.reopen()
		s.start()
		o, err := s.m.Object(channelTable)
		if _, there := o.Attributes[channel.Name]; err != nil || o.Damaged || there || o.Attributes["LATE"] != "CONNAME('late')" {
			t.Errorf("%+v, %v", o, err)
		}
	}
}

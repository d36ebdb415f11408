package qmgr

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// fill writes so many extents of 256 KiB full, without leaving messages.
func (s *station) fill(n int) {
	s.Helper()
	for range 26 * n {
		s.put("FILL", long(9_000))
		_, err := s.m.Get(s.ctx, "FILL")
		s.must(err)
	}
}

// An image of one queue moves MEDIALOG only if that queue held it (reference,
// Multiplatforms 4.5 item 101).
func TestImageMovesMediaLogOnlyOfThePin(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.define("FILL", "OLD")
	s.put("OLD", "never read")
	s.fill(2)
	s.define("YOUNG")
	s.put("YOUNG", "y")
	s.fill(2)
	image := func(selection Selection) string {
		t.Helper()
		got, err := s.m.Image(s.ctx, selection)
		s.must(err)
		for _, i := range got {
			if i.Outcome != Recorded {
				t.Errorf("%+v", i)
			}
		}
		_, media := s.watermarks()
		if shown := s.m.Status().MediaLog; shown != media {
			t.Errorf("MEDIALOG(%s), AMQ7468 %s", shown, media)
		}
		return media
	}
	for _, o := range s.m.Objects() { // everything but the two queues
		if name := o.Ref.Name; name != "OLD" && name != "YOUNG" && o.Recoverable {
			s.must(s.m.Engine().Image(s.ctx, o.Ref))
		}
	}
	s.must(s.m.Checkpoint(s.ctx))
	before := s.m.Status().MediaLog
	if before != "S0000000.LOG" {
		t.Fatal(before)
	}
	if got := image(Selection{"qlocal", "YOUNG"}); got != before {
		t.Errorf("an image of YOUNG moved MEDIALOG to %s", got)
	}
	pinned := s.m.QueueStatus()
	i := slices.IndexFunc(pinned, func(q QueueStatus) bool { return q.Name == "OLD" })
	if pinned[i].MediaLog != before {
		t.Errorf("%+v", pinned[i])
	}
	if got := image(Selection{"qlocal", "OLD"}); got == before {
		t.Error("an image of OLD left MEDIALOG where it was")
	}
}

// What an rcdmqimg tells of each object (reference, Multiplatforms 3.4 item 67).
func TestOutcomesOfImages(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.define("Q", "BROKEN")
	s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Queue, Name: "OUT"}, map[string]string{"IMGRCOVQ": "NO"}))
	s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Channel, Name: "C"}, map[string]string{"CHLTYPE": "SDR"}))
	s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: objects.Queue, Name: "DYN"}, map[string]string{"DEFTYPE": "TEMPDYN"}))
	s.must(s.m.Damage(s.ctx, queueRef("BROKEN")))
	for _, test := range []struct {
		s    Selection
		want Outcome
	}{
		{Selection{"queue", "Q"}, Recorded},
		{Selection{"q", "BROKEN"}, IsDamaged},
		{Selection{"ql", "OUT"}, NotRecoverable},
		{Selection{"channel", "C"}, NotRecoverable},
		{Selection{"queue", "DYN"}, Temporary},
		{Selection{"qmgr", ""}, Recorded},
		{Selection{"catalog", ""}, Recorded},
		{Selection{"syncfile", ""}, Recorded},
	} {
		got, err := s.m.Image(s.ctx, test.s)
		if err != nil || len(got) != 1 || got[0].Outcome != test.want {
			t.Errorf("%v: %+v, %v", test.s, got, err)
		}
	}
	_, err := s.m.Image(s.ctx, Selection{"queue", "NOBODY"})
	s.refuses(err, engine.ErrNoObject)
	_, err = s.m.Image(s.ctx, Selection{"cube", "*"})
	s.refuses(err, ErrSelection)
	// The queue that is not recoverable holds no log, and can't be recreated.
	s.must(s.m.Damage(s.ctx, queueRef("OUT")))
	got, err := s.m.Recreate(s.ctx, Selection{"queue", "OUT"})
	if err != nil || got[0].Outcome != NotRecoverable {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := s.m.Recreate(s.ctx, Selection{"queue", "Q"}); err != nil || got[0].Outcome != Sound {
		t.Errorf("%+v, %v", got, err)
	}

	for _, kind := range kinds { // these need no image
		c := inMemory(t, Spec{Log: small(kind, extents.Manual)})
		c.start()
		for _, ref := range []engine.Ref{syncFile, channelTable} {
			c.must(c.m.Damage(c.ctx, ref))
			got, err := c.m.Recreate(c.ctx, Selection{objects.WordOf(ref.Kind), ""})
			if err != nil || len(got) != 1 || got[0].Outcome != Recreated {
				t.Errorf("%s: %+v, %v", ref, got, err)
			}
			if o, err := c.m.Object(ref); err != nil || o.Damaged {
				t.Errorf("%+v, %v", o, err)
			}
		}
		c.end()
	}
	c := inMemory(t, Spec{Log: small(extents.Circular, extents.Manual)})
	c.start()
	_, err = c.m.Image(c.ctx, Selection{"all", "*"})
	c.refuses(err, ErrLogType)
	c.says(err, "AMQ7044")
}

// At a clean end images are taken of processes, queues that are not local and
// empty local queues, of nothing else (SEED 7.2.2.3).
func TestImagesAtTheEnd(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.define("FILL", "EMPTY", "FULL")
	s.put("FULL", "x")
	for _, kind := range []engine.Kind{objects.Process, objects.RemoteQueue, objects.AliasQueue, objects.ModelQueue, objects.Namelist} {
		s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: kind, Name: "X." + strings.ToUpper(strings.ReplaceAll(string(kind), "-", "."))}, nil))
	}
	s.fill(1)
	before := map[engine.Ref]engine.Mark{}
	for _, o := range s.m.Objects() {
		before[o.Ref] = o.Media
	}
	s.end()
	s.start()
	for _, o := range s.m.Objects() {
		moved := o.Media != before[o.Ref]
		want := false
		switch o.Ref.Kind {
		case objects.Process, objects.RemoteQueue, objects.AliasQueue, objects.ModelQueue:
			want = true
		case objects.Queue:
			want = o.Ref.Name != "FULL"
		}
		if moved != want {
			t.Errorf("%s: its media mark has moved: %v", o.Ref, moved)
		}
	}
}

// Automatic images: by minutes, by megabytes, and only where they are switched
// on (reference, Multiplatforms 1.3).
func TestAutomaticImages(t *testing.T) {
	for _, test := range []struct {
		name       string
		attributes map[string]string
		minutes    int
		extents    int
		want       bool
	}{
		{"off", nil, 300, 6, false},
		{"60 minutes", map[string]string{"IMGSCHED": "AUTO"}, 61, 1, true},
		{"too early", map[string]string{"IMGSCHED": "AUTO"}, 30, 1, false},
		{"1 MB", map[string]string{"IMGSCHED": "AUTO", "IMGINTVL": "OFF", "IMGLOGLN": "1"}, 0, 5, true},
		{"less than 1 MB", map[string]string{"IMGSCHED": "AUTO", "IMGINTVL": "OFF", "IMGLOGLN": "1"}, 300, 2, false},
		{"both off", map[string]string{"IMGSCHED": "AUTO", "IMGINTVL": "OFF", "IMGLOGLN": "OFF"}, 300, 6, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := inMemory(t, Spec{Log: small(extents.Linear, extents.Automatic)})
			s.start()
			s.define("FILL", "Q")
			s.put("Q", "kept")
			if test.attributes != nil {
				attributes := s.m.Attributes()
				for name, value := range test.attributes {
					attributes[name] = value
				}
				s.must(s.m.AlterManager(s.ctx, attributes))
			}
			s.end() // the attributes are known again after a start
			s.start()
			q, err := s.m.Object(queueRef("Q"))
			s.must(err)
			s.fill(test.extents)
			s.clock.advance(time.Duration(test.minutes) * time.Minute)
			s.must(s.m.Tick(s.ctx))
			now, err := s.m.Object(queueRef("Q"))
			s.must(err)
			if moved := now.Media != q.Media; moved != test.want {
				t.Errorf("an image was taken: %v", moved)
			}
			if media := s.m.Status().MediaLog; (media != "S0000000.LOG") != (test.want && test.extents > 1) && test.extents > 1 {
				t.Error(media)
			}
		})
	}
}

// IMGRCOVO and IMGRCOVQ: what is not recoverable holds no log.
func TestWhatIsNotRecoverableHoldsNoLog(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.define("FILL", "Q")
	s.put("Q", "x")
	s.fill(2)
	attributes := s.m.Attributes()
	attributes["IMGRCOVO"], attributes["IMGRCOVQ"] = "NO", "NO"
	s.must(s.m.AlterManager(s.ctx, attributes))
	for _, o := range s.m.Objects() {
		if o.Recoverable {
			s.must(s.m.Engine().Image(s.ctx, o.Ref))
		}
	}
	s.must(s.m.Checkpoint(s.ctx))
	if got := s.m.Status().MediaLog; got == "S0000000.LOG" {
		t.Error(got)
	}
	if _, media := s.watermarks(); media == "S0000000.LOG" {
		t.Error(media)
	}
}

// Under management Automatic extents are reused and deleted by the queue
// manager, and AMQ7490 counts them.
func TestAutomaticManagement(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Automatic)})
	s.start()
	s.define("FILL")
	for range 4 {
		s.fill(3)
		_, err := s.m.Image(s.ctx, Selection{"all", "*"})
		s.must(err)
	}
	var reused, created int
	for _, line := range s.errorLog() {
		var c, r, d int
		if n, _ := fmt.Sscanf(line, "AMQ7490I: Log extent statistics: %d created. %d reused. %d deleted.", &c, &r, &d); n == 3 {
			created, reused = created+c, reused+r
		}
	}
	if reused < 6 {
		t.Errorf("%d created, %d reused", created, reused)
	}
	if names := s.extentNames(); len(names) > 8 {
		t.Errorf("%q", names)
	}
	s.refuses(s.m.SetArchived("S0000000.LOG"), ErrLogType)
}

// Under management Archive an extent goes only when it was reported: SET LOG,
// RESET QMGR TYPE(ARCHLOG).
func TestArchiveManagement(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Archive)})
	s.start()
	s.define("FILL")
	s.fill(4)
	_, err := s.m.Image(s.ctx, Selection{"all", "*"})
	s.must(err)
	if !slices.Contains(s.extentNames(), "S0000000.LOG") || s.m.Status().Log.Archived != "S0000000.LOG" {
		t.Error(s.extentNames(), s.m.Status().Log.Archived)
	}
	s.must(s.m.SetArchived("S0000000.LOG"))
	if slices.Contains(s.extentNames(), "S0000000.LOG") || s.m.Status().Log.Archived != "S0000001.LOG" {
		t.Error(s.extentNames(), s.m.Status().Log.Archived)
	}
	s.refuses(s.m.SetArchived(s.m.Status().CurrLog), extents.ErrCurrent)
	s.refuses(s.m.SetArchived("S0000000.LOG"), extents.ErrNotFound)
	s.refuses(s.m.SetArchived("R0000001.LOG"), extents.ErrReuse)
	s.must(s.m.ArchiveUpTo(s.m.owner.log.Oldest()))
	current := s.m.Status().CurrLog
	s.must(s.m.AdvanceLog(s.ctx))
	if next := s.m.Status().CurrLog; next == current {
		t.Error(next)
	}
	s.must(s.m.SetArchived(current))
	s.must(s.m.SetArchived(current)) // accepted
	if _, err := s.m.ReduceLog(s.ctx, extents.ReduceMax); err != nil {
		t.Error(err)
	}
}

func TestLogCommandsOfACircularLog(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Circular, extents.Manual)})
	s.start()
	s.refuses(s.m.SetArchived("S0000000.LOG"), ErrLogType)
	s.refuses(s.m.ArchiveUpTo("S0000000.LOG"), ErrLogType)
	s.refuses(s.m.AdvanceLog(s.ctx), ErrLogType)
	if s := s.m.Status(); s.CurrLog+s.RecLog+s.MediaLog != "" {
		t.Errorf("%+v", s)
	}
}

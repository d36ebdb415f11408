package smdsexpand

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// Whatever a system printed, a plan comes of it: no number makes it fail, run for
// ever, or ask for more buffers than there may be.
func TestAbsurdNumbers(t *testing.T) {
	c := usual(t)
	c.alter = true
	value := rapid.OneOf(rapid.Int64Range(-10, 300), rapid.Int64(), rapid.Just(int64(256<<10)), rapid.Just(int64(1911767040)))
	rapid.Check(t, func(t *rapid.T) {
		number := func(label string) qsg.Number {
			return qsg.Number{Value: value.Draw(t, label), Known: rapid.Bool().Draw(t, label+" known")}
		}
		printed := func(label string) idcams.Number { return idcams.Number(number(label)) }
		d := qsg.DataSet{
			Structure: "APPSTR1", Owner: "QMA1",
			Usage:   qsg.SpaceUsage{Known: true, Total: number("total"), Data: number("data"), Used: number("used"), Part: number("part")},
			Buffers: qsg.BufferUsage{Known: true, BlockBytes: number("block"), Total: number("buffers"), LowestFree: number("lowest"), WaitRate: number("waits")},
			Catalog: &idcams.Cluster{
				Extents: printed("extents"), Primary: printed("primary"), Secondary: printed("secondary"), Allocated: printed("allocated"),
				SpaceType: rapid.SampledFrom([]string{"CYLINDER", "TRACK", "MEGABYTE", "KILOBYTE", "RECORD", ""}).Draw(t, "unit"),
				Volumes:   []idcams.Volume{{Extents: printed("on the first")}, {Extents: printed("on the second")}},
			},
		}
		g := &qsg.Group{
			Name: "QSG1", Observed: now, Members: []qsg.Member{{Name: "QMA1", Status: qsg.MemberActive}}, DataSets: []qsg.DataSet{d},
			Structures: []qsg.Structure{{Name: "APPSTR1", SizeUsed: number("fill"), EntriesUsed: number("entries"), EntriesMax: number("most entries")}},
			History:    samples("QMA1", 60, func(h int) int64 { return value.Draw(t, "sample") }),
		}
		v := viewOf(t.Context(), g, c)
		_, _ = findings(g, v, c), objects(v, c)
		if err := plugins.CheckPictures(pictures(g, v, c)); err != nil {
			t.Fatal(err)
		}
		for _, s := range v.dataSets {
			if e, ok := s.pool.enlarge(c.storage); ok && e.buffers > max(mostBuffers, s.pool.now.Value) {
				t.Fatalf("%+v", e)
			}
		}
	})
}

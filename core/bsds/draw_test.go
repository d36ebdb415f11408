package bsds_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/bsds"
)

// drawPrint draws the BSDS of a queue manager that wrote its log from low to high
// without a gap, in data sets of many sizes, and archived most of it.
func drawPrint(t *rapid.T) bsds.Print {
	d := drawer{T: t, width: rapid.SampledFrom([]bsds.Width{bsds.Six, bsds.Eight}).Draw(t, "width"), grouped: rapid.Bool().Draw(t, "grouped")}
	d.next = rapid.Uint64Range(0, 1<<40).Draw(t, "first") << 2
	d.clock = rapid.Uint64Range(0xE00000000000, 0xE10000000000).Draw(t, "clock")
	p := bsds.Print{
		DataSet: "QMA1.BSDS01", Member: "QMA1", Raw: rapid.Bool().Draw(t, "raw"), Version: rapid.IntRange(0, 2).Draw(t, "version"),
		System: base.Add(time.Duration(rapid.IntRange(0, 1e9).Draw(t, "system")) * 10 * time.Millisecond),
	}
	if d.grouped {
		p.Group, p.Number = "QSG1", rapid.IntRange(1, 32).Draw(t, "number")
	}
	count := rapid.IntRange(0, 12).Draw(t, "archives")
	for i := range count {
		log := d.log(fmt.Sprintf("QMA1.ARCLOG1.A%07d", i+1))
		log.Volume, log.Unit = "ARC001", rapid.SampledFrom([]string{"", "3390", "TAPE"}).Draw(t, "unit")
		log.Catalogued = rapid.SampledFrom([]bsds.Answer{bsds.Unsaid, bsds.Yes, bsds.No}).Draw(t, "catalogued")
		p.Archive[0] = append(p.Archive[0], log)
		second := log
		second.DataSet = fmt.Sprintf("QMA1.ARCLOG2.A%07d", i+1)
		p.Archive[1] = append(p.Archive[1], second)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "actives") {
		log := d.log(fmt.Sprintf("QMA1.LOGCOPY1.DS%02d", i+1))
		log.Status, log.Truncated = bsds.NotReusable, rapid.Bool().Draw(t, "truncated")
		p.Active[0] = append(p.Active[0], log)
		p.HighestWritten = log.End
	}
	if rapid.Bool().Draw(t, "new") {
		p.Active[0] = append(p.Active[0], bsds.Log{DataSet: "QMA1.LOGCOPY1.DS09", Status: bsds.New})
	}
	if count > 0 {
		p.HighestOffloaded = p.Archive[0][count-1].End
	}
	p.WrittenAt = base
	p.Restarts = []bsds.Restart{{Active: bsds.Yes, EndRBA: p.HighestWritten}}
	p.Checkpoints = []bsds.Checkpoint{{Start: p.Active[0][0].Start, End: p.Active[0][0].Start, At: base}}
	return p
}

var base = time.Date(2026, 1, 28, 7, 1, 19, 4e8, time.UTC)

type drawer struct {
	*rapid.T
	width       bsds.Width
	grouped     bool
	next, clock uint64
	at          int
}

// log draws the log data set behind the last one.
func (d *drawer) log(name string) bsds.Log {
	size := rapid.Uint64Range(2, 1<<20).Draw(d.T, "size")
	log := bsds.Log{DataSet: name, Start: d.rba(d.next), End: d.rba(d.next + size - 1), Created: base.Truncate(time.Minute)}
	d.next += size
	log.StartTime = base.Add(time.Duration(d.at) * 100 * time.Millisecond)
	d.at += rapid.IntRange(0, 36000).Draw(d.T, "tenths")
	log.EndTime = base.Add(time.Duration(d.at) * 100 * time.Millisecond)
	if d.grouped {
		log.StartLRSN = d.lrsn(d.clock)
		d.clock += rapid.Uint64Range(1, 1<<30).Draw(d.T, "span")
		log.EndLRSN = d.lrsn(d.clock)
		d.clock += rapid.Uint64Range(0, 1<<20).Draw(d.T, "pause")
	}
	return log
}

func (d *drawer) rba(value uint64) bsds.RBA {
	rba, err := bsds.NewRBA(value, d.width)
	if err != nil {
		d.Fatal(err)
	}
	return rba
}

func (d *drawer) lrsn(value uint64) bsds.LRSN {
	lrsn, err := bsds.NewLRSN(value, d.width)
	if err != nil {
		d.Fatal(err)
	}
	return lrsn
}

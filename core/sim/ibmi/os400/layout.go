package os400

import "github.com/mqhk/mqhk/core/wal"

// Sizes of a receiver's file. It grows: the threshold is a wish, not a cap.
const (
	receiverHead = 8 << 10 // before its records
	receiverSize = 64 << 10
	maxGrowth    = 1 << 20
)

// layout gives a receiver as package wal makes it. It grows by an eighth of
// its threshold at a time, in powers of two.
func (l *Log) layout(id ID) wal.Layout {
	grow := int64(receiverSize)
	for grow < maxGrowth && grow*16 <= l.sys.state().receivers.of(id).Threshold*1024 {
		grow *= 2
	}
	return wal.Layout{Name: l.sys.FileOf(id), Size: receiverSize, Grow: grow}
}

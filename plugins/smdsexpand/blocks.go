package smdsexpand

import "github.com/mqhk/mqhk/core/observe/qsg"

// leastBlock is the smallest DSBLOCK that is advised: below it each message takes
// several blocks, and the space map of a large data set more than one of its own
// (trap 41).
const leastBlock = 64 << 10

// mapHeader is what a block of the space map does not use for entries, of which
// each is a byte and stands for a block.
const mapHeader = 4 << 10

// oneMapHolds gives how many bytes of data one block of the space map stands for:
// 63 GB with blocks of 256 KB (APAR PI40571).
func oneMapHolds(block int64) int64 { return max(0, block-mapHeader) * block }

// outgrown tells whether the space map of a data set has more than one block,
// with small blocks: where an old defect overwrote messages.
func outgrown(block qsg.Number, data qsg.Number) bool {
	return block.Known && data.Known && block.Value < leastBlock && sane(data.Value, block.Value).Value > oneMapHolds(block.Value)
}

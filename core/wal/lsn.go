package wal

import (
	"fmt"
	"hash/crc32"
)

// LSN is a position in the log: a byte count over all segments, comparable
// over the whole log. The LSN of a record is that of its first byte; a
// multiple of [Align]. Zero is no position.
type LSN uint64

// First is where a log begins when its owner has no other wish.
const First LSN = Align

// String gives sixteen hexadecimal digits.
func (l LSN) String() string { return fmt.Sprintf("%016X", uint64(l)) }

// ID tells one log from another. Its owner draws it at random, once; two logs
// with the same ID could take each other's segments for their own.
type ID [16]byte

// String gives thirty-two hexadecimal digits.
func (id ID) String() string { return fmt.Sprintf("%X", id[:]) }

// castagnoli is the polynomial of every checksum here: the one that
// processors compute themselves.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seeds gives the checksums of a log their start value.
type seeds uint32

func (id ID) seeds() seeds { return seeds(crc32.Checksum(id[:], castagnoli)) }

// at is the start value for a record at a position. A checksum is one-to-one
// in its start value, and the start values of two positions less than 32 GiB
// apart differ: a record that turns up at another place of the log, or in
// another log, never has a right checksum there by more than chance.
func (s seeds) at(l LSN) uint32 { return uint32(s) ^ uint32(l/Align) ^ uint32(l>>36) }

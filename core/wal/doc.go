// Package wal is an append-only log of records on a disk, in segments that its
// owner names, makes, lists and throws away. A record that was acknowledged is
// there after every crash; a record that was not is there whole or not at all.
// It is under every simulated queue manager and knows nothing of any.
//
// # Writing
//
//	w, err := wal.Create(disk.At(folder), wal.Layout{Name: "S0000000.LOG", Size: 16 << 20}, id, 0, wal.Options{})
//	at, err := w.Commit(ctx, payload)   // Append and Force: durable on return
//	at, err = w.Append(payload)         // does not wait
//	err = w.Force(ctx, at)              // that record and all before it
//
// Many goroutines commit at once: one sync serves all who came while the one
// before it was under way. [Writer.Append] says [ErrFull] when a segment has no
// room; the owner makes the next one, in this order, so that a crash at any
// point leaves a list that holds every segment with a record in it:
//
//  1. [Prepare] its file. This takes long and can be done ahead.
//  2. Put its name in the list, durably, without a start.
//  3. [Writer.Rotate] to it.
//  4. Put its start in the list ([Writer.Current]). This may be late or lost.
//
// A write or a sync that fails ends the writer ([ErrFailed]): nothing is
// acknowledged any more. A disk that is full when a segment is prepared or
// extended is not such a failure.
//
// # Reading and restart
//
//	r, err := wal.NewReader(open, segments, wal.ReadOptions{ID: id, Durable: checkpoint})
//	err = r.Seek(checkpoint)
//	for { rec, err := r.Next() ... }    // io.EOF at the end, *Damage before it
//	tail, _ := r.Tail()
//	w, err := wal.Resume(d, tail, wal.Options{})
//
// The owner opens the segments, by name, so it sees which ones a restart needed;
// none before the position that is sought is opened. [Open] is the short form
// for who does not want the records. To read behind a writer that is at work,
// set [ReadOptions.Until] to its [Writer.Durable].
//
// # The file
//
// All numbers are little-endian. A segment file has its header in the first
// sector of its first page, a note in the first sector of its second page, and
// records from byte 8192 on. A sector is 512 bytes, a page 4096. Behind the last
// record every byte is zero, up to the end of the file; bytes that a file does
// not have count as zeros.
//
//	header   0  8  "mqhk wal"
//	         8  4  version, 1
//	        12  4  CRC-32C of the sector with these four bytes as zeros
//	        16 16  ID of the log
//	        32  8  LSN of the segment's first record
//	        40  8  bytes for records that were filled with zeros ahead
//	        48  8  bytes by which the file grows; 0: it does not
//	        56  8  number of the segment in the log, from 0
//	        64  4  checksum of the header of the segment before it; 0 in the first
//	       511  1  A5
//
//	note     0  8  "mqhknote"
//	         8  4  kind: 1 prepared, 2 a torn tail is being erased
//	        12  4  CRC-32C, as in the header
//	        16  8  prepared: length of the file; torn: LSN of the torn record
//	        24  8  torn: offset behind the last byte to be erased
//	        32  4  torn: checksum of the segment's header
//	       511  1  A5
//
//	record   0  4  CRC-32C of all that follows
//	         4  4  n, the length of the payload
//	         8  4  how far before this record the log was durable when it was
//	               written; FFFFFFFF: not known
//	        12  3  the low bits of the CRC-32C of the eight bytes before
//	        15  1  A5
//	        16  n  payload
//	      16+n     displaced bytes, then A5 at least once, to a multiple of 16
//
// A record lies in one segment. The last byte of every sector within it is A5:
// the payload byte that belongs there is displaced, they follow the payload in
// their order (in that part too the last byte of a sector is left out, and is
// A5). Both checksums of a record start from a value made of the log's ID and
// the record's LSN: a record of another log, of another place, or of an earlier
// life of the same file is not valid.
//
// The LSN of the first record behind a segment's last is the start of the next
// segment: LSNs count the bytes of records and nothing else.
//
// # Torn or damaged
//
// The log ends where no valid record follows. That is its end, perhaps torn by a
// crash, or it is damage: something durable was there and is not any more. The
// two must not be mixed up in either direction. Erasing damage as a torn tail
// loses acknowledged records; taking a torn tail for damage keeps a queue manager
// down after a mere loss of power.
//
// What a crash can do: since the last sync that was acknowledged, the file has
// only been written behind what was there, over zeros. The disk keeps sectors in
// any order, and of each a beginning, the rest as it was. So after a crash every
// sector holds a beginning of what was meant for it, then zeros. The A5 at the
// end of each sector and of each record make visible how much is there: a sector
// of the record that has a byte other than zero at or behind the record's last
// byte in it was written as far as the record goes.
//
// The place is damage if any of these holds, in this order:
//
//   - a later segment was begun: all before it is durable
//     ([Writer.Rotate] sees to that);
//   - the owner knows better: [ReadOptions.Durable] lies behind it, or
//     [Reader.Seek] asked for this very record;
//   - behind it in the segment stands the header of a record that was written
//     when the log was durable beyond it;
//   - every sector of the record was written, as far as the record goes; of a
//     record without a valid header the sector that its header is in.
//
// Otherwise it is the end, and torn if any byte behind it is not zero. Erasing
// takes a note, since half erased the tail would look as no crash can make it:
// the note says until it is done that the log ends here.
//
// What follows: a flipped bit, or any change that leaves the A5 bytes other than
// zero, is damage in every acknowledged record, without a sync more than one for
// a force. A file filled ahead that is too short is damage. Zeros in the place of
// records are damage if anything stands behind them that was written when they
// were durable: a segment, or in theirs the header of a record of a later force.
//
// What can't be seen in the file are zeros, or the end of a growing file, in the
// last segment with nothing later behind them. A log that is cut there looks like
// one that ended there, however many forces have acknowledged what is gone: not
// the last one alone, but all behind the position that the owner knows
// ([ReadOptions.Durable]) or the start of the segment. And in the last force a
// hole up to the end of a sector is what a crash leaves of a force that nobody
// was told of.
//
// After a sync that failed, and a process that was killed, the system may show
// what it never wrote. So [Resume] writes once more whatever is not known to have
// been durable, before it lets anyone rely on it.
package wal

package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"syscall"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// An object's file is a magic and then batches, each the changes from one
// hardening to the next:
//
//	0  4  n, the length of the payload
//	4  4  CRC-32C of n and payload, begun with that of the batch before
//	8  n  payload
//
// numbers little-endian. A batch that is not valid ends the file: a crash tore
// it, and it was never relied on. Or it was, then the file does not reach as
// far as the last checkpoint says, and that is damage. Since each checksum
// begins with the one before, what is left of a torn batch never continues
// another.
const (
	fileMagic  = "mqhkobj\x02"
	batchHead  = 8
	smallFile  = 64 << 10 // below this many bytes a file is not worth writing anew
	batchLimit = 1<<32 - 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fileState is what the engine knows of an object's file.
type fileState struct {
	hardened wal.LSN // everything committed before it is in the file; 0: no file
	size     int64   // up to the end of the last valid batch
	sum      uint32  // of that batch
	last     int64   // where it begins
}

// batch is the payload of one.
type batch struct {
	hardened wal.LSN
	id       uint64
	next     uint64
	// ref and attrs are in the first batch and in those that change them.
	defines bool
	ref     Ref
	attrs   map[string]string
	leaving []uint64
	coming  []Message
}

func (p *batch) encode(b []byte) []byte {
	b = appendNumbers(b, uint64(p.hardened), p.id, p.next)
	if p.defines {
		b = appendAttributes(appendRef(append(b, 1), p.ref), p.attrs)
	} else {
		b = append(b, 0)
	}
	b = appendNumbers(b, uint64(len(p.leaving)))
	b = appendNumbers(b, p.leaving...)
	b = appendNumbers(b, uint64(len(p.coming)))
	for i := range p.coming {
		b = appendFileMessage(b, &p.coming[i])
	}
	return b
}

func decodeBatch(b []byte) (batch, error) {
	d := decoder{rest: b}
	p := batch{hardened: wal.LSN(d.number()), id: d.number(), next: d.number()}
	if p.defines = d.byte() == 1; p.defines {
		p.ref, p.attrs = d.ref(), d.attributes()
	}
	for range d.count() {
		p.leaving = append(p.leaving, d.number())
	}
	for range d.count() {
		m := d.fileMessage()
		if d.err != nil {
			break
		}
		p.coming = append(p.coming, m)
	}
	return p, d.end()
}

// seal puts a batch's payload, which lies behind batchHead bytes in b, in its
// frame and gives its checksum.
func seal(b []byte, before uint32) uint32 {
	binary.LittleEndian.PutUint32(b, uint32(len(b)-batchHead))
	sum := crc32.Update(crc32.Update(before, castagnoli, b[:4]), castagnoli, b[batchHead:])
	binary.LittleEndian.PutUint32(b[4:], sum)
	return sum
}

// readObject makes an object of the content of its file. Its media mark and
// its position in a checkpoint are not in it.
func readObject(content []byte) (*object, error) {
	if len(content) < len(fileMagic) || string(content[:len(fileMagic)]) != fileMagic {
		return nil, fmt.Errorf("%w: not the file of an object", ErrFormat)
	}
	o := newObject(0, Ref{}, nil, Mark{})
	o.file.size = int64(len(fileMagic))
	for {
		payload, sum, ok := nextBatch(content[o.file.size:], o.file.sum)
		if !ok {
			break
		}
		p, err := decodeBatch(payload)
		if err == nil {
			err = o.harden(&p)
		}
		if err != nil {
			return nil, fmt.Errorf("at byte %d: %w", o.file.size, err)
		}
		at := o.file.size
		o.file = fileState{hardened: p.hardened, size: at + batchHead + int64(len(payload)), sum: sum, last: at}
	}
	if o.file.hardened == 0 {
		return nil, fmt.Errorf("%w: no valid batch is in the file", ErrFormat)
	}
	o.leaving, o.changed = nil, false
	return o, nil
}

func nextBatch(b []byte, before uint32) (payload []byte, sum uint32, ok bool) {
	if len(b) < batchHead {
		return nil, 0, false
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if n > int64(len(b)-batchHead) {
		return nil, 0, false
	}
	payload = b[batchHead : batchHead+n]
	sum = crc32.Update(crc32.Update(before, castagnoli, b[:4]), castagnoli, payload)
	return payload, sum, sum == binary.LittleEndian.Uint32(b[4:])
}

// harden takes a batch that was read from the file.
func (o *object) harden(p *batch) error {
	first := o.file.hardened == 0
	if first && !p.defines || !first && o.id != p.id || p.hardened < o.file.hardened || p.hardened == 0 {
		return fmt.Errorf("%w: the batch does not continue the file", ErrFormat)
	}
	o.id = p.id
	if p.defines {
		o.ref, o.attrs = p.ref, p.attrs
	}
	for _, s := range p.leaving {
		m := o.find(s)
		if m == nil {
			return fmt.Errorf("%w: message %d leaves and never came", ErrFormat, s)
		}
		o.remove(m)
	}
	for _, m := range p.coming {
		if m.Sequence == 0 || o.find(m.Sequence) != nil {
			return fmt.Errorf("%w: message %d comes twice", ErrFormat, m.Sequence)
		}
		o.add(&message{Message: m, inFile: true})
	}
	o.next = max(o.next, p.next)
	return nil
}

// load reads the object of a file. An error that is ErrFormat or
// fs.ErrNotExist is about the file, any other about the disk.
func (s *store) load(ref Ref) (*object, error) {
	name := s.path(s.object(ref))
	content, err := disk.ReadAll(s.disk, name)
	if err != nil {
		return nil, err
	}
	o, err := readObject(content)
	if err == nil && o.ref != ref {
		err = fmt.Errorf("%w: it is the file of %s", ErrFormat, o.ref)
	}
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", name, err)
	}
	return o, nil
}

// errChanged says that a file is not what the object knows of it.
var errChanged = fmt.Errorf("%w: it is not the file that was there", ErrFormat)

// probe asserts, without reading the whole file of an object, that it is there
// and ends as it did. Bytes behind its end count for nothing: a batch that could
// not be forced is there.
func (s *store) probe(o *object) error {
	if o.file.hardened == 0 {
		return nil
	}
	f, err := s.disk.Open(s.path(s.object(o.ref)))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", errChanged, err)
	}
	if err != nil {
		return err
	}
	err = probeFile(f, &o.file)
	return errors.Join(err, f.Close())
}

// probeFile compares the magic and the head of the last batch.
func probeFile(f disk.File, is *fileState) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	if size < is.size {
		return fmt.Errorf("%w: it is shorter than it was", errChanged)
	}
	magic, head := make([]byte, len(fileMagic)), make([]byte, batchHead)
	if _, err := f.ReadAt(magic, 0); err != nil {
		return err
	}
	if _, err := f.ReadAt(head, is.last); err != nil {
		return err
	}
	n := is.size - is.last - batchHead
	if string(magic) != fileMagic || int64(binary.LittleEndian.Uint32(head)) != n || binary.LittleEndian.Uint32(head[4:]) != is.sum {
		return errChanged
	}
	return nil
}

// unreadable tells an error about what is in a file from one about the disk. A
// folder in the place of a file, or a file in that of a folder, is no file
// either.
func unreadable(err error) bool {
	return errors.Is(err, ErrFormat) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) ||
		errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

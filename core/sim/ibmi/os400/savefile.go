package os400

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// A save file is QSYS.LIB/LIBRARY.LIB/NAME.SAVF. An empty one has no bytes.
// Else it begins with the length of its index and the CRC-32C of it, in eight
// hexadecimal digits each with a blank between and a new line behind them.
// Then come the index, in JSON, and the receivers, byte for byte, one after
// the other.

// index is what is in a save file.
type index struct {
	Library string
	Time    time.Time
	Objects []saved
}

// saved is an object in a save file: a receiver or a journal.
type saved struct {
	Receiver *receiver `json:",omitempty"`
	Journal  *journal  `json:",omitempty"`
	Last     Number    `json:",omitzero"` // of the journal's attached receiver
	Size     int64     `json:",omitzero"` // of the bytes that follow
}

func (o *saved) name() string {
	if o.Journal != nil {
		return o.Journal.Name
	}
	return o.Receiver.Name
}

const (
	indexHead = 18       // bytes before the index
	maxIndex  = 64 << 20 // bytes: no save has so many objects
)

func (x *index) encode() ([]byte, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, "%08x %08x\n", len(text), crc32.Checksum(text, castagnoli)), text...), nil
}

// errNoIndex: a file is no save file, or was damaged.
var errNoIndex = errors.New("it is not what a save has written")

// readIndex reads the index of a save file of so many bytes. The offset is
// where the objects begin; an index without objects is that of an empty one.
func readIndex(f io.ReaderAt, size int64) (index, int64, error) {
	var x index
	if size == 0 {
		return x, 0, nil
	}
	head := make([]byte, indexHead)
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return x, 0, err
	}
	var length int64
	var sum uint32
	if _, err := fmt.Sscanf(string(head), "%08x %08x\n", &length, &sum); err != nil || length < 2 || length > min(maxIndex, size) {
		return x, 0, errNoIndex
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, indexHead); err != nil && !errors.Is(err, io.EOF) {
		return x, 0, err
	}
	if crc32.Checksum(text, castagnoli) != sum || json.Unmarshal(text, &x) != nil {
		return index{}, 0, errNoIndex
	}
	end := indexHead + length
	for _, o := range x.Objects {
		if o.Size < 0 || o.Size > size || (o.Receiver == nil) == (o.Journal == nil) {
			return index{}, 0, errNoIndex
		}
		end += o.Size
	}
	if end != size {
		return index{}, 0, errNoIndex
	}
	return x, indexHead + length, nil
}

// CreateSaveFile is CRTSAVF. CPF7010: there is one already.
func (s *System) CreateSaveFile(id ID) error {
	if err := s.place(id); err != nil {
		return fmt.Errorf("creating save file %s: %w", id, err)
	}
	f, err := s.Disk().Create(fileOf(id, "SAVF"))
	if errors.Is(err, fs.ErrExist) {
		err = Escape("CPF7010", id, "FILE")
	}
	if err == nil {
		err = errors.Join(f.Close(), s.opts.Disk.SyncDir(folder(id.Library)))
	}
	if err != nil {
		return fmt.Errorf("creating save file %s: %w", id, err)
	}
	return nil
}

// DeleteSaveFile is DLTF. CPF2105: it is not there.
func (s *System) DeleteSaveFile(id ID) error {
	err := s.reserve().Remove(fileOf(id, "SAVF"))
	if errors.Is(err, fs.ErrNotExist) {
		err = Escape("CPF2105", id, "FILE")
	}
	if err == nil {
		err = s.opts.Disk.SyncDir(folder(id.Library))
	}
	if err != nil {
		return fmt.Errorf("deleting save file %s: %w", id, err)
	}
	return nil
}

// SaveFile tells what is in a save file. CPF9801: it is not there. CPF3782: it
// is none, or was damaged.
func (s *System) SaveFile(id ID) (SaveFile, error) {
	f, err := s.openSaveFile(id)
	if err != nil {
		return SaveFile{}, fmt.Errorf("reading save file %s: %w", id, err)
	}
	shown := SaveFile{ID: id, Library: f.Library, Time: f.Time.In(s.Now().Location()), Size: f.size}
	for _, o := range f.Objects {
		object := SavedObject{Name: o.name(), Type: "*JRN", Size: o.Size}
		if o.Receiver != nil {
			r := s.view(s.state(), *o.Receiver, nil)
			object.Type, object.Receiver = "*JRNRCV", &r
		}
		shown.Objects = append(shown.Objects, object)
	}
	return shown, f.Close()
}

// SaveFiles gives those in a library that can be read, in the order of their
// names.
func (s *System) SaveFiles(library string) []SaveFile {
	names, err := s.opts.Disk.List(folder(library))
	if err != nil {
		return nil // there is no such library
	}
	var all []SaveFile
	for _, name := range names {
		if path.Ext(name) != ".SAVF" {
			continue
		}
		if f, err := s.SaveFile(ID{library, strings.TrimSuffix(name, ".SAVF")}); err == nil {
			all = append(all, f)
		}
	}
	return all
}

// openFile is a save file that is read.
type openFile struct {
	index
	wal.Source
	at   int64 // of the first object
	size int64
}

func (s *System) openSaveFile(id ID) (*openFile, error) {
	if id.check() != nil {
		return nil, missing(id, "FILE")
	}
	f, err := s.opts.Disk.Open(fileOf(id, "SAVF"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(id, "FILE")
	}
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	open := &openFile{Source: f, size: size}
	if err == nil {
		open.index, open.at, err = readIndex(f, size)
	}
	if errors.Is(err, errNoIndex) {
		notOne := Escape("CPF3782", id)
		notOne.Err = err
		err = notOne
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return open, nil
}

// section gives the bytes of an object.
func (f *openFile) section(i int) *io.SectionReader {
	at := f.at
	for _, o := range f.Objects[:i] {
		at += o.Size
	}
	return io.NewSectionReader(f, at, f.Objects[i].Size)
}

// find gives the places of the objects that names mean: journals first, so that
// the receivers behind them find theirs, then these, the newest first: only so
// does each find the one that follows it (reference, IBM i 5).
func (f *openFile) find(names []string, types ObjectTypes) []int {
	var journals, receivers []int
	for i, o := range f.Objects {
		switch wanted := slices.ContainsFunc(names, func(p string) bool { return Generic(p, o.name()) }); {
		case wanted && types.Journals && o.Journal != nil:
			journals = append(journals, i)
		case wanted && types.Receivers && o.Receiver != nil:
			receivers = append(receivers, i)
		}
	}
	slices.SortStableFunc(receivers, func(a, b int) int { return -savedOrder(f.Objects[a].Receiver, f.Objects[b].Receiver) })
	return append(journals, receivers...)
}

// savedOrder compares two receivers of one save by age. All were saved at one
// time, when the directory had them in this order; those that were in none are
// the oldest.
func savedOrder(a, b *receiver) int {
	if a.Number == (Number{}) && b.Number == (Number{}) {
		return byAge(a, b)
	}
	return a.Number.compare(b.Number)
}

// copyTo writes what a reader has at an offset of a file.
func copyTo(f disk.File, off int64, from io.Reader) error {
	_, err := io.CopyBuffer(io.NewOffsetWriter(f, off), onlyReader{from}, make([]byte, 1<<20))
	return err
}

// onlyReader hides what else a reader can do, so that the buffer is used.
type onlyReader struct{ io.Reader }

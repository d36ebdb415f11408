package dmpmqlog

import (
	"io"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal"
)

// printer gathers text and writes it in large pieces. After a failed write it
// does nothing any more.
type printer struct {
	opts   *Options
	w      io.Writer
	b      []byte
	failed error

	queues map[uint64][]byte // lines that name an object, by its number
	xids   map[uint64][]byte // of global units of work
}

// full is how much text is gathered.
const full = 64 << 10

func newPrinter(w io.Writer, o *Options) *printer {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	return &printer{
		opts: o, w: w, b: make([]byte, 0, full+4096),
		queues: map[uint64][]byte{}, xids: map[uint64][]byte{},
	}
}

func (p *printer) flush() error {
	if p.failed == nil {
		_, p.failed = p.w.Write(p.b)
	}
	p.b = p.b[:0]
	return p.failed
}

func (p *printer) text(text string) { p.b = append(p.b, text...) }

func (p *printer) bytes(text []byte) { p.b = append(p.b, text...) }

func (p *printer) number(n uint64) { p.b = strconv.AppendUint(p.b, n, 10) }

func (p *printer) lsn(l wal.LSN) { p.b = logged.AppendLSN(p.b, l) }

// field is a line with a label, which has its dots and its colon.
func (p *printer) field(label, value string) {
	p.b = append(append(append(p.b, label...), value...), '\n')
}

func (p *printer) numberField(label string, n uint64) {
	p.text(label)
	p.number(n)
	p.b = append(p.b, '\n')
}

func (p *printer) lsnField(label string, l wal.LSN) {
	p.text(label)
	p.lsn(l)
	p.b = append(p.b, '\n')
}

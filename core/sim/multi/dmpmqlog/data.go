package dmpmqlog

import (
	"encoding/binary"

	"github.com/mqhk/mqhk/core/sim/engine"
)

func (p *printer) put(e *engine.Entry) {
	p.numberField("SpcIndex . . . . : ", e.Sequence)
	if !p.opts.Data {
		return
	}
	p.text("Data . . . . . . :\n")
	p.dump16(0, p.descriptor(e), e.Body)
}

func (p *printer) putPart(e *engine.Entry) {
	if !p.opts.Data {
		return
	}
	p.text("Data . . . . . . :\n")
	p.dump16(0, e.Body)
}

// An MQMD of version 1 is 324 bytes long, and these are the offsets in it that
// are not zero or blank.
const (
	mdBytes       = 324
	mdVersion     = 4
	mdMsgType     = 12
	mdExpiry      = 16
	mdEncoding    = 24
	mdCCSID       = 28
	mdFormat      = 32
	mdPriority    = 40
	mdPersistence = 44
	mdText        = 100 // ReplyToQ and what follows
	mdAccounting  = 208
	mdIdentity    = 240
	mdPutApplType = 272
	mdPutApplName = 276
	mdPutDate     = 304
	mdPutTime     = 312
)

// descriptor makes the message descriptor that precedes the data. The simulator
// keeps of it the priority and the time of the put.
func (p *printer) descriptor(e *engine.Entry) []byte {
	md := make([]byte, mdBytes)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			md[i] = ' '
		}
	}
	set := func(at int, value int32) { binary.LittleEndian.PutUint32(md[at:], uint32(value)) }
	copy(md, "MD  ")
	set(mdVersion, 1)
	set(mdMsgType, 8)    // a datagram
	set(mdExpiry, -1)    // unlimited
	set(mdEncoding, 546) // little-endian
	set(mdCCSID, 1208)
	copy(md[mdFormat:], "MQSTR   ")
	set(mdPriority, int32(e.Priority))
	set(mdPersistence, 1)
	blank(mdText, mdAccounting)
	blank(mdIdentity, mdPutApplType)
	set(mdPutApplType, 6) // UNIX
	blank(mdPutApplName, mdBytes)
	at := e.Time.UTC() // of the put to a hundredth of a second
	copy(md[mdPutDate:], at.Format(dateLayout))
	hundredths := at.Format("150405.00")
	copy(md[mdPutTime:], hundredths[:6]+hundredths[7:])
	return md
}

const digits = "0123456789ABCDEF"

// hex prints bytes without spaces.
func (p *printer) hex(b []byte) {
	for _, c := range b {
		p.b = append(p.b, digits[c>>4], digits[c&15])
	}
}

// dump16 prints bytes, sixteen a line, in hexadecimal and as text.
func (p *printer) dump16(at int, pieces ...[]byte) {
	var line [16]byte
	n := 0
	for _, piece := range pieces {
		for len(piece) > 0 {
			took := copy(line[n:], piece)
			piece, n = piece[took:], n+took
			if n == len(line) {
				p.line16(at, line[:])
				at, n = at+n, 0
			}
		}
	}
	if n > 0 {
		p.line16(at, line[:n])
	}
}

func (p *printer) line16(at int, b []byte) {
	const width = 5 // of the offset, at least
	from := len(p.b)
	p.number(uint64(at))
	for pad := width - (len(p.b) - from); pad > 0; pad-- {
		p.b = append(p.b, '0')
		copy(p.b[from+1:], p.b[from:])
		p.b[from] = '0'
	}
	p.b = append(p.b, ':', ' ')
	for i := range 16 {
		if i >= len(b) {
			p.b = append(p.b, "   "...)
			continue
		}
		p.b = append(p.b, ' ', digits[b[i]>>4], digits[b[i]&15])
	}
	p.b = append(p.b, "  "...)
	for _, c := range b {
		if c < ' ' || c > '~' {
			c = '.'
		}
		p.b = append(p.b, c)
	}
	p.b = append(p.b, '\n')
	if len(p.b) >= full {
		_ = p.flush() // kept in p.failed
	}
}

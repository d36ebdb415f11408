package dmpmqlog

import "github.com/mqhk/mqhk/core/observe"

// header prints the log file header (SEED 7.6).
func (p *printer) header(log *Source, at place) {
	p.text("LOG FILE HEADER\n***************\n\n")
	p.numberField("logactive  . . . : ", uint64(log.Primary))
	p.numberField("loginactive  . . : ", uint64(log.Secondary))
	p.numberField("logsize  . . . . : ", uint64(log.FilePages))
	p.lsnField("baselsn  . . . . : ", at.base)
	p.lsnField("nextlsn  . . . . : ", at.next)
	p.lsnField("headlsn  . . . . : ", log.Head)
	p.lsnField("tailsn . . . . . : ", at.next-1)
	if log.Circular {
		p.field("hflag1 . . . . . : ", "0\n  -> CIRCULAR")
	} else {
		p.field("hflag1 . . . . . : ", "1\n  -> LOG RETAIN")
	}
	_, number, err := observe.ParseExtent(at.head)
	if err == nil {
		p.numberField("HeadExtentID . . : ", uint64(number))
	}
	p.text("\n")
}

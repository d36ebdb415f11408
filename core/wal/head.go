package wal

import "errors"

// Head is what the header of a segment says of itself: enough to tell, without
// reading a record, to which log it belongs and where in it.
type Head struct {
	Name     string
	ID       ID
	Start    LSN    // of its first record; 0: the file never became a segment of a log
	Sequence uint64 // 0 is the log's first segment

	link, sum uint32
}

// Follows tells whether a segment was begun behind another one, next to it, in
// the same log.
func (h Head) Follows(before Head) bool {
	return h.Start != 0 && before.Start != 0 && h.ID == before.ID &&
		h.Sequence == before.Sequence+1 && h.link == before.sum && h.Start >= before.Start
}

// ReadHead reads the header of a segment and nothing else. For an owner who
// finds files in a folder that its list does not have. The error is a *[Damage].
func ReadHead(open Opener, name string) (Head, error) {
	src, err := open(name)
	if err != nil {
		return Head{}, unreadable(name, 0, err)
	}
	defer src.Close()
	h, _, err := readHeader(src)
	switch {
	case errors.Is(err, errBlank), errors.Is(err, errTorn):
		return Head{Name: name}, nil
	case err != nil:
		return Head{}, unreadable(name, 0, err)
	}
	return Head{Name: name, ID: h.ID, Start: h.Start, Sequence: h.Sequence, link: h.Link, sum: h.Sum}, nil
}

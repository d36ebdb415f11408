package workload

import "bytes"

// Marker is what every message body begins with, and what comes again and
// again in long ones, so that a search finds bodies wherever they are.
const Marker = "mqhk-sim-message "

const (
	filler = Marker + "is what an application had to say, and nobody else's business. "
	digits = 12 // of a message's number
)

// bodies makes message bodies: the marker, the number of the message, and text
// up to the size that is asked for. The text is the same for all, so only the
// number is written each time.
type bodies struct{ text []byte }

// make gives a body that is good until the next one is made.
func (b *bodies) make(number uint64, size int) []byte {
	if size > len(b.text) {
		b.text = bytes.Repeat([]byte(filler), max(size, 4<<10)/len(filler)+1)
	}
	head := b.text[len(Marker) : len(Marker)+digits+1]
	for i := digits - 1; i >= 0; i-- {
		head[i] = byte('0' + number%10)
		number /= 10
	}
	head[digits] = ' '
	return b.text[:size:size]
}

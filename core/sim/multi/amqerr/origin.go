package amqerr

import (
	"hash/crc32"
	"slices"
)

// origin is the part of the queue manager that writes a message.
type origin struct {
	program string
	process int // behind the first one
	line    int // of its source
}

// thread is that of every message.
const thread = 1

// origins are the programs of the product's that write messages: the one that
// starts the others, those that applications work in, and the one that moves the
// log, which writes what is not among these (from memory).
var origins = []struct {
	origin

	ids []string
}{
	{origin{program: "amqzxma0"}, []string{"AMQ6184", "AMQ6767", "AMQ7017", "AMQ7229", "AMQ7230", "AMQ7231", "AMQ7232", "AMQ7233", "AMQ7374", "AMQ8003", "AMQ8004"}},
	{origin{program: "amqzlaa0", process: 9}, []string{"AMQ6709", "AMQ7081", "AMQ7086", "AMQ7472"}},
	{origin{program: "amqzmuc0", process: 4}, nil},
}

// originOf gives who writes a message. The line is made up, and always the same.
func originOf(id string) origin {
	from := origins[len(origins)-1].origin
	for _, o := range origins {
		if slices.Contains(o.ids, id) {
			from = o.origin
		}
	}
	from.line = 100 + int(crc32.ChecksumIEEE([]byte(id))%2000)
	return from
}

func (o origin) module() string { return o.program + ".c" }

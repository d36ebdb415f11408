package engine

// op is one change of a queue by a unit of work: a put or a get.
type op struct {
	unit   uint64
	object uint64
	get    bool
	// volatile: the message is not persistent, so the log has nothing of it.
	volatile bool
	// message that was put, when the op comes from the log; else, and of a
	// get, its sequence alone.
	message Message
	// In an image whose pieces are short: total is the length of the body that
	// begins here and goes on in the next pieces, more marks such a piece.
	total int
	more  bool
}

// The marks of an op in an image's part, in the low half of its first byte; the
// high half has the priority.
const (
	opPut  byte = 1
	opGet  byte = 2
	opLong byte = 3 // a put of which the body goes on
	opMore byte = 4 // the next piece of it
)

func encodeOps(b []byte, ops []op) []byte {
	b = appendNumbers(b, uint64(len(ops)))
	for i := range ops {
		b = ops[i].encode(b)
	}
	return b
}

func (o *op) encode(b []byte) []byte {
	priority := byte(o.message.Priority) << 4
	switch {
	case o.more:
		return appendText(append(b, opMore), o.message.Body)
	case o.get:
		return appendNumbers(append(b, opGet), o.unit, o.message.Sequence)
	case o.total > 0:
		return appendMessage(appendNumbers(append(b, opLong|priority), o.unit, uint64(o.total)), &o.message)
	}
	return appendMessage(appendNumbers(append(b, opPut|priority), o.unit), &o.message)
}

// ops reads the ops of an image's part. Their object is that of the image.
func (d *decoder) ops() []op {
	var ops []op
	for range d.count() {
		o := d.op()
		if d.err != nil {
			return nil
		}
		ops = append(ops, o)
	}
	return ops
}

func (d *decoder) op() op {
	first := d.byte()
	mark, priority := first&0x0F, int(first>>4)
	if mark == opMore && priority == 0 {
		return op{more: true, message: Message{Body: d.kept()}}
	}
	o := op{unit: d.number(), get: mark == opGet}
	switch {
	case mark == opPut && priority <= MaxPriority:
		o.message = d.message()
	case mark == opLong && priority <= MaxPriority:
		o.total = int(d.number())
		if o.message = d.message(); d.err == nil && o.total <= len(o.message.Body) {
			d.fail("the first piece is the whole message")
		}
	case mark == opGet && priority == 0:
		o.message.Sequence = d.number()
	default:
		d.fail("neither a put nor a get")
	}
	o.message.Priority = priority
	return o
}

package engine

// op is one change of a queue by a unit of work: a put or a get.
type op struct {
	unit   uint64
	object uint64
	get    bool
	// message that was put, when the op comes from the log; else, and of a
	// get, its sequence alone.
	message Message
}

// The marks of an op in an image's part.
const (
	opPut byte = 1
	opGet byte = 2
)

func encodeOps(b []byte, ops []op) []byte {
	b = appendNumbers(b, uint64(len(ops)))
	for i := range ops {
		o := &ops[i]
		if o.get {
			b = appendNumbers(append(b, opGet), o.unit, o.message.Sequence)
		} else {
			b = appendMessage(appendNumbers(append(b, opPut), o.unit), &o.message)
		}
	}
	return b
}

// ops reads the ops of an image's part. Their object is that of the image.
func (d *decoder) ops() []op {
	var ops []op
	for range d.count() {
		mark := d.byte()
		o := op{unit: d.number(), get: mark == opGet}
		switch mark {
		case opPut:
			o.message = d.message()
		case opGet:
			o.message.Sequence = d.number()
		default:
			d.fail("neither a put nor a get")
		}
		if d.err != nil {
			return nil
		}
		ops = append(ops, o)
	}
	return ops
}

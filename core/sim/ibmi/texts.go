package ibmi

import (
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
)

// escape makes an escape message of CL or MQ; those of the system itself are
// made by [os400.Escape].
func escape(id string, object os400.ID, args ...any) *os400.Error {
	return &os400.Error{ID: id, Text: wording.Of(id).Fill(args...), Object: object}
}

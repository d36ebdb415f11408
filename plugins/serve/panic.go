package serve

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// maxStack is how many bytes of a panic's stack are kept.
const maxStack = 8 << 10

// mostFrames is how deep the author's own frame is looked for.
const mostFrames = 64

// stack gives the stack of the goroutine that panics.
func stack() []byte {
	buffer := make([]byte, maxStack)
	return buffer[:runtime.Stack(buffer, false)]
}

// kit are the packages whose frames are not an author's own: the panic that a
// getter of schema.Value ends with is a slip where it is called.
var kit = []string{"runtime", "github.com/mqhk/mqhk/plugins/serve", "github.com/mqhk/mqhk/plugins/schema"}

// culprit gives file and line of the author's code that panicked, in brackets.
// It is for the deferred function that recovers. Empty: no frame is the
// author's.
func culprit() string {
	pcs := make([]uintptr, mostFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicked := false; ; {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicked = true
		case !panicked: // what recovers it
		case strings.HasSuffix(frame.Function, "(*server).guarded"): // what called the author's code
			return ""
		case !ofKit(frame):
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

func ofKit(frame runtime.Frame) bool {
	for _, name := range kit {
		if rest, ok := strings.CutPrefix(frame.Function, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '/') {
			return !strings.HasSuffix(frame.File, "_test.go") // this package's own tests write plugins too
		}
	}
	return false
}

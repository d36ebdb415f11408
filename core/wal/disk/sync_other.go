//go:build !linux

package disk

import "os"

// syncData is all of fsync where package syscall has nothing less (AIX), or
// nothing less is enough (F_FULLFSYNC on macOS, FlushFileBuffers on Windows).
func syncData(f *os.File) error { return f.Sync() }

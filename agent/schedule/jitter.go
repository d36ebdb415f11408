package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Name names the entry of a policy's task. Neither name can hold a slash.
func Name(policy, task string) string { return policy + "/" + task }

// Jitter says how much later than its moment a firing starts: whole seconds
// from 0 to within, spread evenly over names and keys. It is a hash, so every
// agent waits equally long for a firing, and still does after a restart. It is
// 0 where within is less than a second.
func Jitter(name, key string, within time.Duration) time.Duration {
	seconds := within / time.Second
	if seconds < 1 {
		return 0
	}
	// Neither names nor keys hold a NUL.
	hash := sha256.Sum256([]byte(name + "\x00" + key))
	return time.Duration(binary.BigEndian.Uint64(hash[:])%uint64(seconds+1)) * time.Second
}

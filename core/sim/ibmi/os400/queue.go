package os400

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// operator is the queue that inquiries of batch jobs go to (reference,
// IBM i 3.3).
var operator = ID{"QSYS", "QSYSOPR"}

const (
	queueKeeps = 5000 // messages: the oldest go (*WRAP)
	queueSlack = 500  // that may be in the file beyond it before it is rewritten
)

// queues are the message queues that were used so far.
type queues struct {
	disk disk.FS

	mu    sync.Mutex
	used  map[ID]*queue
	last  uint64 // highest key given on the system
	keyed bool   // last is right
}

// queue is one of them, as its file is.
type queue struct {
	contents
	size int64 // of the file
}

func newQueues(d disk.FS) *queues {
	return &queues{disk: d, used: map[ID]*queue{}}
}

func queueFile(id ID) string { return fileOf(id, "MSGQ") }

// create makes an empty queue.
func (q *queues) create(id ID) error {
	f, err := q.disk.Create(queueFile(id))
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return q.disk.SyncDir(folder(id.Library))
}

// load reads a queue that was not used yet. The caller holds the lock.
func (q *queues) load(id ID) (*queue, error) {
	if have := q.used[id]; have != nil {
		return have, nil
	}
	if id.check() != nil {
		return nil, missing(id, "MSGQ")
	}
	b, err := disk.ReadAll(q.disk, queueFile(id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(id, "MSGQ")
	case err != nil:
		return nil, fmt.Errorf("reading message queue %s: %w", id, err)
	}
	read := &queue{contents: decodeQueue(b), size: int64(len(b))}
	q.used[id] = read
	return read, nil
}

// key gives the next key. All queues of the system are read for the first.
func (q *queues) key(all func() []ID) (uint64, error) {
	if !q.keyed {
		for _, id := range all() {
			have, err := q.load(id)
			if err != nil {
				return 0, err
			}
			q.last = max(q.last, have.last)
		}
		q.keyed = true
	}
	q.last++
	return q.last, nil
}

// send adds a message, durably.
func (q *queues) send(id ID, m Message, all func() []ID) (uint64, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	have, err := q.load(id)
	if err != nil {
		return 0, err
	}
	if m.Key, err = q.key(all); err != nil {
		return 0, err
	}
	if have.whole && len(have.messages) < queueKeeps+queueSlack {
		return m.Key, q.append(id, have, m)
	}
	kept := append(slices.Clone(newest(have.messages)), m)
	return m.Key, q.rewrite(id, kept, m.Key)
}

// newest gives as many messages as leave room for one more.
func newest(all []Message) []Message { return all[max(0, len(all)-queueKeeps+1):] }

func (q *queues) append(id ID, have *queue, m Message) error {
	text, err := encodeLine(line{Message: m})
	if err != nil {
		return err
	}
	f, err := q.disk.OpenWrite(queueFile(id))
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, have.size)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		delete(q.used, id) // what is in the file is not known
		return err
	}
	have.size += int64(len(text))
	have.messages, have.last = append(have.messages, m), max(have.last, m.Key)
	return nil
}

// rewrite replaces the whole queue. Last is the highest key that it ever had.
func (q *queues) rewrite(id ID, messages []Message, last uint64) error {
	var b bytes.Buffer
	if len(messages) == 0 || messages[len(messages)-1].Key < last {
		text, err := encodeLine(line{Message: Message{Key: last}, Cleared: true})
		if err != nil {
			return err
		}
		b.Write(text)
	}
	for _, m := range messages {
		text, err := encodeLine(line{Message: m})
		if err != nil {
			return err
		}
		b.Write(text)
	}
	delete(q.used, id)
	if err := disk.Replace(q.disk, queueFile(id), b.Bytes()); err != nil {
		return err
	}
	q.used[id] = &queue{contents: contents{messages: messages, last: last, whole: true}, size: int64(b.Len())}
	return nil
}

// edit replaces what is on a queue.
func (q *queues) edit(id ID, do func([]Message) []Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	have, err := q.load(id)
	if err != nil {
		return err
	}
	return q.rewrite(id, do(slices.Clone(have.messages)), have.last)
}

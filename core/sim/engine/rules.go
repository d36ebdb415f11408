package engine

import "fmt"

// Rules are what attributes of a queue, or of [Options.Manager], have a put and a
// get meet. Work that is done again from the log, or is backed out, meets none.
type Rules struct {
	// NoPut and NoGet: puts and gets are inhibited.
	NoPut, NoGet bool
	// MaxDepth is how many messages a queue takes, those of units of work among
	// them; of the manager nothing. MaxLength is that of a body in bytes.
	// MaxChanges, of the manager, is how many puts and gets a unit of work
	// takes. A negative number is no limit.
	MaxDepth, MaxLength, MaxChanges int
	// Priority and Persistent are for messages that leave it to the queue.
	Priority   int
	Persistent bool
	// Arrival: messages are got in the order in which they came. One that is put
	// then has the priority of the queue, whatever it says itself.
	Arrival bool
}

// free are the rules of who has none.
var free = Rules{MaxDepth: -1, MaxLength: -1, MaxChanges: -1}

// rules gives those of an object, which stay until it is altered.
func (e *Engine) rules(o *object) *Rules {
	switch {
	case e.opts.Rules == nil || o == nil || o.damaged:
		return &free
	case o.rules == nil:
		r := e.opts.Rules(o.ref, o.attrs)
		o.rules = &r
	}
	return o.rules
}

// mayPut asserts that a queue takes a message, and fills in what the message
// leaves to it.
func (e *Engine) mayPut(u *Unit, o *object, m *Message) error {
	queue, manager := e.rules(o), e.rules(e.objects[e.opts.Manager])
	if m.Priority < PriorityAsQueue || m.Priority > MaxPriority {
		return fmt.Errorf("%w: %d", ErrPriority, m.Priority)
	}
	if m.AsQueue {
		m.Persistent = queue.Persistent
	}
	if m.Priority == PriorityAsQueue || queue.Arrival {
		m.Priority = queue.Priority
	}
	length := len(m.Body)
	switch {
	case queue.NoPut:
		return ErrPutInhibited
	case queue.MaxLength >= 0 && length > queue.MaxLength:
		return fmt.Errorf("%w: %d bytes, and %d are allowed", ErrTooLong, length, queue.MaxLength)
	case manager.MaxLength >= 0 && length > manager.MaxLength:
		return fmt.Errorf("%w: %d bytes, and %d are allowed", ErrTooLongForManager, length, manager.MaxLength)
	case queue.MaxDepth >= 0 && o.present >= queue.MaxDepth:
		return fmt.Errorf("%w: it holds %d messages", ErrFull, o.present)
	}
	return manager.mayChange(u)
}

// mayGet asserts that a message may be got from a queue.
func (e *Engine) mayGet(u *Unit, o *object) error {
	if e.rules(o).NoGet {
		return ErrGetInhibited
	}
	return e.rules(e.objects[e.opts.Manager]).mayChange(u)
}

// mayChange asserts that a unit of work takes another change.
func (r *Rules) mayChange(u *Unit) error {
	if u != nil && r.MaxChanges >= 0 && len(u.ops) >= r.MaxChanges {
		return fmt.Errorf("unit of work %d: %w: %d", u.id, ErrTooMany, r.MaxChanges)
	}
	return nil
}

// Persists tells whether a message would be persistent on a queue.
func (e *Engine) Persists(queue string, m Message) bool {
	if !m.AsQueue {
		return m.Persistent
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rules(e.objects[Ref{Queue, queue}]).Persistent
}

package engine

// ImageBytes gives how many bytes of messages an image of an object would hold
// now, with what it takes beside each of them at most: what a platform makes
// room for before it has one recorded.
func (e *Engine) ImageBytes(ref Ref) (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return 0, err
	}
	o, err := e.sound(ref)
	if err != nil {
		return 0, err
	}
	limit := max(1, e.imagePart()-opBytes)
	bytes := int64(0)
	for p := range e.content(o) {
		n := len(p.message.Body)
		bytes += int64(n + opBytes*(1+n/limit))
	}
	return bytes, nil
}

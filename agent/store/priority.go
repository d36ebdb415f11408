package store

// start does something in a goroutine of its own: gently, on a thread of low
// priority, so that a queue manager on this machine goes first. A thread may not
// raise its priority again, so it ends with the goroutine.
func start(gently bool, do func()) {
	go func() {
		if gently {
			lowerPriority()
		}
		do()
	}()
}

// gentle does something at low priority, when it is to be, and waits for it.
func gentle(gently bool, do func() error) error {
	if !gently {
		return do()
	}
	done := make(chan error, 1)
	start(true, func() { done <- do() })
	return <-done
}

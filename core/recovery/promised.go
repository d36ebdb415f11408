package recovery

// Promised says what a strategy promises after a failure: whether a recovery
// begins at once, or segments are restored from the store first. Only Ready
// of each is set (design, section 1).
func (s Strategy) Promised() Outlook {
	restart, rebuild, startUp := AtOnce, AtOnce, AtOnce // no strategy keeps everything
	switch s {
	case FastStartup:
		// A damaged object that the start needs is rebuilt from its media
		// image, which may lie before the restart point.
		rebuild, startUp = RestoreFirst, RestoreFirst
	case Aggressive:
		restart, rebuild, startUp = RestoreFirst, RestoreFirst, RestoreFirst
	}
	return Outlook{Recovery{Ready: restart}, Recovery{Ready: rebuild}, Recovery{Ready: startUp}}
}

package policies

import "github.com/mqhk/mqhk/core/recovery"

// Promised says what a strategy promises after a failure: whether a recovery
// begins at once or segments are restored from the store first. Only Ready
// of each is set.
func Promised(s recovery.Strategy) recovery.Outlook {
	at := func(restart, rebuild, startUp recovery.Readiness) recovery.Outlook {
		return recovery.Outlook{
			Restart:       recovery.Recovery{Ready: restart},
			Rebuild:       recovery.Recovery{Ready: rebuild},
			StartUpDamage: recovery.Recovery{Ready: startUp},
		}
	}
	switch s {
	case recovery.FastStartup:
		// A damaged object that the start needs is rebuilt from its media
		// image, which may lie before the restart point.
		return at(recovery.AtOnce, recovery.RestoreFirst, recovery.RestoreFirst)
	case recovery.Aggressive:
		return at(recovery.RestoreFirst, recovery.RestoreFirst, recovery.RestoreFirst)
	default: // NoStrategy keeps everything
		return at(recovery.AtOnce, recovery.AtOnce, recovery.AtOnce)
	}
}

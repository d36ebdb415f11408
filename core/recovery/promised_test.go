package recovery

import "testing"

// The promise table of the three strategies.
func TestPromised(t *testing.T) {
	now, first := AtOnce, RestoreFirst
	for strategy, want := range map[Strategy][3]Readiness{
		Conservative: {now, now, now},
		FastStartup:  {now, first, first},
		Aggressive:   {first, first, first},
	} {
		o := strategy.Promised()
		if got := [3]Readiness{o.Restart.Ready, o.Rebuild.Ready, o.StartUpDamage.Ready}; got != want {
			t.Errorf("%s promises %v, want %v", strategy, got, want)
		}
	}
}

package run

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/plugins"
)

// check refuses a plan that could not be carried out word for word, or not be
// held against what is there then.
func (k Kept) check() error {
	switch {
	case k.Made.IsZero():
		return errors.New("it does not say when it was made")
	case len(k.Tasks) == 0:
		return errors.New("it holds no task")
	}
	seen := make(map[[3]string]bool, len(k.Tasks))
	for _, t := range k.Tasks {
		key := [3]string{t.Policy, t.Task, t.Target}
		if seen[key] {
			return fmt.Errorf("%s stands twice in it", t)
		}
		seen[key] = true
		if err := t.check(); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

func (t KeptTask) check() error {
	for what, value := range map[string]string{
		"target": t.Target, "platform": t.Platform, "policy": t.Policy, "policy's digest": t.PolicyDigest,
		"task": t.Task, "plugin": t.Plugin.Name, "plugin's SHA-256": t.Plugin.SHA256,
	} {
		if value == "" {
			return fmt.Errorf("the %s is not named", what)
		}
	}
	managers := make(map[string]bool, len(t.Managers))
	for _, m := range t.Managers {
		if m.Name == "" || managers[m.Name] {
			return fmt.Errorf("queue manager %q has no name or stands twice", m.Name)
		}
		managers[m.Name] = true
		if err := m.check(); err != nil {
			return fmt.Errorf("queue manager %s: %w", m.Name, err)
		}
	}
	return t.checkActions(managers)
}

// check refuses a line in which marks have no place, or more than one.
func (m KeptManager) check() error {
	for _, mark := range m.Marks {
		if mark.Position >= len(m.Line) {
			return fmt.Errorf("the %s point lies behind the newest segment", mark.Kind)
		}
	}
	named := make(map[string]bool, len(m.Line))
	for _, name := range m.Line {
		if name != "" && named[name] {
			return fmt.Errorf("%s stands twice in its line", name)
		}
		named[name] = true
	}
	return nil
}

func (t KeptTask) checkActions(managers map[string]bool) error {
	ids := make(map[string]bool, len(t.Actions))
	for _, a := range t.Actions {
		if a.ID == "" || ids[a.ID] {
			return fmt.Errorf("action %q has no ID or stands twice", a.ID)
		}
		ids[a.ID] = true
	}
	for _, a := range t.Actions {
		for _, before := range a.After {
			if !ids[before] {
				return fmt.Errorf("action %s comes after %q, which is not in the plan", a.ID, before)
			}
		}
		if err := a.check(managers); err != nil {
			return fmt.Errorf("action %s: %w", a.ID, err)
		}
	}
	return nil
}

func (a KeptAction) check(managers map[string]bool) error {
	switch a.Kind {
	case plugins.KindCommand, plugins.KindAlert, plugins.KindCustom:
		return nil
	case plugins.KindArchive, plugins.KindMarkArchived, plugins.KindDelete:
	default:
		return fmt.Errorf("its kind %q is not known", a.Kind)
	}
	switch {
	case a.Segment.Name == "":
		return errors.New("it names no segment")
	case a.Fingerprint == "":
		return fmt.Errorf("%s has no fingerprint by which it could be known again", a.Segment.Name)
	case !managers[a.Segment.QueueManager]:
		return fmt.Errorf("nothing is known of %s, the queue manager of %s", a.Segment.QueueManager, a.Segment.Name)
	}
	return nil
}

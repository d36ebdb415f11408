package mqini

import (
	"fmt"
	"strings"
)

// DefaultManager gives the name that a command without one means, from the
// DefaultQueueManager stanza of mqs.ini.
func DefaultManager(f File) (string, bool) { return one(f, "DefaultQueueManager", "Name") }

// DefaultPrefix gives the folder below which queue managers are made, from the
// AllQueueManagers stanza of mqs.ini.
func DefaultPrefix(f File) (string, bool) { return one(f, "AllQueueManagers", "DefaultPrefix") }

func one(f File, stanza, attribute string) (string, bool) {
	found := settingOf(sourceOf(f, stanza), attribute, filled)
	return found.Value, found.Known()
}

// collisions is how many of the endings .000, .001 ... are guessed.
const collisions = 10

// MangledName gives the folder's name that a queue manager's name likely has: a
// full stop becomes an exclamation mark, a slash an ampersand ("IBM MQ file
// names"). It is a guess: Directory and DataPath of mqs.ini say what it is.
func MangledName(name string) string {
	return strings.NewReplacer(".", "!", "/", "&").Replace(name)
}

// MangledNames gives what a queue manager's folder may be called, the likeliest
// first: [MangledName], then with the endings .000 to .009 that crtmqm appends
// when the name was taken. All of them are guesses, to look for what mqs.ini
// does not name and never to delete in.
func MangledNames(name string) []string {
	names := []string{MangledName(name)}
	for i := range collisions {
		names = append(names, fmt.Sprintf("%s.%03d", names[0], i))
	}
	return names
}

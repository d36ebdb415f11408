package mqini

import "strings"

// MangledName gives the folder's name that a queue manager's name likely has: a
// full stop becomes an exclamation mark, a slash an ampersand ("IBM MQ file
// names"). It is a guess, to look for what mqs.ini does not name and never to delete
// in: Directory and DataPath say what it is, and crtmqm appends .000 to .009 where
// the name was taken.
func MangledName(name string) string {
	return strings.NewReplacer(".", "!", "/", "&").Replace(name)
}

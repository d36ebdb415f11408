package observe

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Platform is one of the three families that log in their own way.
type Platform string

// The platforms.
const (
	IBMi           Platform = "ibmi"
	Multiplatforms Platform = "multiplatforms"
	ZOS            Platform = "zos"
)

// ParsePlatform reads one of the three words.
func ParsePlatform(word string) (Platform, error) {
	switch p := Platform(strings.ToLower(word)); p {
	case IBMi, Multiplatforms, ZOS:
		return p, nil
	default:
		return "", fmt.Errorf("platform %q is none of ibmi, multiplatforms, zos", word)
	}
}

// Target is a queue manager, or a queue-sharing group with its members, that
// tasks work on.
type Target struct {
	Name     string
	Platform Platform
	Group    bool     // a queue-sharing group
	Members  []string // its queue managers; empty for a single one
	Library  string   // IBM i: the queue manager library; empty: to be learned
	Zone     string   // Area/City in which the system's local stamps are; empty: not known
	Backup   string   // of a group: the member that takes the backups of structures; empty: not said
}

// String gives platform/name, as patterns match it.
func (t Target) String() string { return string(t.Platform) + "/" + t.Name }

// Owns tells whether a queue manager is the target, or a member of it.
func (t Target) Owns(queueManager string) bool {
	return queueManager == t.Name || t.Group && slices.Contains(t.Members, queueManager)
}

// Piece gives what a platform's people call a log piece: "receiver", "extent",
// "log data set"; of a platform that is not known "segment".
func (p Platform) Piece() string {
	switch p {
	case IBMi:
		return "receiver"
	case Multiplatforms:
		return "extent"
	case ZOS:
		return "log data set"
	default:
		return "segment"
	}
}

// Pieces counts log pieces for people: "1 extent", "3 receivers".
func (p Platform) Pieces(n int) string { return counted(n, p.Piece()) }

// Matches tells whether the target fits one of the patterns platform/name,
// in which * stands for any run of characters but a slash.
func (t Target) Matches(patterns []string) bool {
	for _, pattern := range patterns {
		if ok, err := path.Match(pattern, t.String()); err == nil && ok {
			return true
		}
	}
	return false
}

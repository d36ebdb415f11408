package qmgr

import "path"

// baseOf gives the name of an extent from that of its file.
func baseOf(segment string) string {
	if segment == "" {
		return ""
	}
	return path.Base(segment)
}

// Package house holds this repository to its own plan: which room may import
// which, which other modules a room may know, and how long a file may be.
//
// The plan itself is data in table.go and modules.go; docs/decisions holds
// the reasons (0001-import-table.md). A room is a folder of this module. Its
// subfolders belong to it unless they have a row of their own, and a folder
// that holds other rooms (agent, plugins) is a room for itself alone: a new
// folder beside them needs a row before its tests are green.
package house

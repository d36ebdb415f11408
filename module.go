// Package mqhk holds what the module is made with: mqhk plugin new writes the
// same versions into the module of a new plugin, whose packages are the same
// ones then, and need no network where these are there.
package mqhk

import _ "embed" // of the two files

// GoMod is the module's go.mod.
//
//go:embed go.mod
var GoMod []byte

// GoSum is the module's go.sum.
//
//go:embed go.sum
var GoSum []byte

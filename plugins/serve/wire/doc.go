// Package wire is the form in which a plugin's values travel: the messages
// generated from mqhk/plugin/v1/plugin.proto, and their translation to and
// from the types of package plugins.
//
// The translation loses nothing, but two things that mean the same come back
// alike: an empty list as nil, and a time zone as its offset. Numbers of an
// enum that the reader does not know become the Go type's zero value where
// they do not fit in it, and the zero values are the careful ones: keep,
// unknown, no strategy.
package wire

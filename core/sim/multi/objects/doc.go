// Package objects says what kinds of objects a queue manager on Multiplatforms
// has: how MQSC, rcdmqimg and messages call them, which attributes they have in
// the order in which a DISPLAY shows them, what these may be set to, and which
// objects crtmqm makes.
//
// An object is kept with those attributes alone that are not what the table says
// of a new one, so that the log takes of it what a queue manager's own does; see
// [Class.Value] and [Class.Differences].
package objects

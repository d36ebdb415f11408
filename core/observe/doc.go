// Package observe asks queue managers for facts and turns the answers into
// what core/recovery decides from.
//
// There is one question interface, [Asker]. A question is a language, a queue
// manager and a text; everything that observes goes through it, so the same
// code reads a simulator, a transcript, a local queue manager and a remote
// one. Every text is read before it is sent: [Classify] tells a display from
// a change, and Ask takes displays only.
package observe

// Package logsize says how large the log of a queue manager on Multiplatforms
// has to be: which counts and sizes of files a release allows, how many bytes
// of the log an operation takes, and what follows from a load for LogFilePages,
// LogPrimaryFiles and LogSecondaryFiles. It knows no queue manager and asks
// nobody.
package logsize

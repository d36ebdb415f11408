// Package transcript reads, plays, records and writes transcripts: text files
// that hold the questions a plan asks and the answers a system gave.
//
// A transcript is also a connection. [Transcript.Player] answers questions
// from the file, so a plan can be made without any access to the system it is
// about; [Recorder] writes such a file while a plan is made on a real one; and
// [Anonymise] takes the names out of it before it is mailed. The format is
// written down for users in docs/transcript.md.
package transcript

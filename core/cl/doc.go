// Package cl reads and writes IBM i control language commands.
//
// [Parse] reads one command and [ParseScript] one command a line, as CL reads
// them: keyword and positional parameters, lists, quoted text, qualified and
// generic names, comments, labels, and lines continued with + or -. What is
// not quoted is folded to capitals. An [Error] names the physical line and
// column.
//
// The writers ([DeleteReceiver], [CreateSaveFile], [SaveReceivers],
// [RestoreReceivers], [DeleteFile], [GenerateReceiver], [RecordImages]) make
// the commands that mqhk sends. They refuse every name that is none, so that no
// name can carry a second parameter or command.
// [Command.String] prints a command on one line; Parse reads it back the same.
package cl

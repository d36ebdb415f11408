// Package mqsc reads MQSC: the commands of a queue manager and its answers.
//
// [ParseCommand] reads one command and [ParseCommands] several, as a queue
// manager reads them: lines continued with + or -, comment lines, quoted
// values, a semicolon or the end of a line as the end of a command. What is
// not quoted is folded to capitals. An [Error] names the physical line and
// column.
//
// [ParseAnswer] reads an answer in any layout that a queue manager prints: the
// two columns of runmqsc, one attribute a line, several objects on a line, the
// z/OS console and the command server (case 84).
package mqsc

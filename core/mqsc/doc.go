// Package mqsc reads MQSC: the commands of a queue manager and its answers.
//
// [ParseCommand] reads one command, as a queue manager reads it: lines continued
// with + or -, comment lines, quoted values, a semicolon or the end of a line as
// its end. What is not quoted is folded to capitals. An [Error] names the
// physical line and column. It is strict, because what it reads may be sent: a
// text that two programs could take for two things is an error.
//
// [Script] reads files of commands, as dmpmqcfg and people write them. It takes
// what runmqsc takes, gives each command its place, and goes on behind one that
// it can't read.
//
// [ParseAnswer] reads an answer in any layout that a queue manager prints: the
// two columns of runmqsc, one attribute a line, several objects on a line, the
// z/OS console and the command server (case 84). The language of a message does
// not matter: ids and names of attributes are the same in all.
package mqsc

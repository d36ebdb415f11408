// Package policies reads the policy language: files of HCL become a
// [Configuration] of typed policies, targets and stores, or a list of
// [Diagnostics] with every mistake of every file, each with its file, line,
// column and a caret.
//
// A value is written out: a string, a whole number, true or false, or a list.
// There are no variables and no operators, so that a policy means what it
// shows. The two functions env and file bring secrets in, and only where
// settings of a connection, a store or a plugin stand.
//
// What another room knows (a cron expression, a plugin's settings) is checked
// by functions and schemas that the caller passes in with [Checks]; what they
// complain of becomes one of the file's diagnostics.
//
// docs/policies.md is the language's manual.
package policies

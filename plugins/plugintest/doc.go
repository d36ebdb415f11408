// Package plugintest is for the tests of plugins.
//
// [Plan] makes one plan on a transcript and gives all that came of it: the
// plan, the questions, the log records, the progress. [Start] serves a plugin
// for a whole test, with which plans, confirms and performs are called one by
// one. Both go over the wire form that a host uses, in memory, so that a panic
// and a cancelled call show as they do in a run.
//
// [Conform] tries a plugin with every check of [Checks]; mqhk plugin check
// tries a file with the same ones. docs/plugins.md lists them.
package plugintest

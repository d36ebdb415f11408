// Package standin stands in for the commands of IBM MQ in tests: runmqsc, dspmq,
// dspmqinf and rcdmqimg, over a state file and a tree that it lays out. The
// commands are a small program, or the test's own, under other names; a package
// that uses them calls [Main] first of all in its TestMain, and [Prepare] before
// its tests.
//
// It is no simulator. It keeps no messages, and its recovery points are where a
// test puts them. It answers what mqhk asks, marks and removes extents by the
// rules of a queue manager (case 36, and who removes under which LogManagement),
// and misbehaves when it is told to.
package standin

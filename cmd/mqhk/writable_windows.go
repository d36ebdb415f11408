package main

import "github.com/mqhk/mqhk/agent/connect"

// writable is not told without writing here: access lists of Windows are more
// than a mode.
func writable(string) connect.Verdict { return connect.Unknown }

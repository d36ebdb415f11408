package main

// keepInherited has nothing to do: a process is given the handles that are
// named for it, and no others.
func keepInherited() {}

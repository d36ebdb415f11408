//go:build unix && !linux

package main

// keepInherited keeps what this process inherited from those that it starts.
func keepInherited() { keepEach() }

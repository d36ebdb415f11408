//go:build !unix

package serve

// closeOnExec does nothing: elsewhere the lifeline is standard input.
func closeOnExec(uintptr) {}

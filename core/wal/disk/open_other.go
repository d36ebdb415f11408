//go:build !unix

package disk

// Elsewhere a pipe is no name in a folder, and a link takes rights to make.
const noFollow, noWait = 0, 0

//go:build !race

package observe

// stride is how many bytes of an answer lie between two that are broken.
const stride = 1

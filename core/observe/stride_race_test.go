//go:build race

package observe

// stride is how many bytes of an answer lie between two that are broken: the
// race detector makes each try ten times as slow, and no two run at once.
const stride = 11

// Package points holds what the plugins of journals and of log extents say
// alike of recovery points: how far one lies behind, since when, and what pins
// it; and what media images, which move one of them, would write and let go.
package points

// Package host starts plugins, serves their calls, bounds them and ends them.
//
// A plugin is a stranger. It gets a process group, a socket directory, a
// cleaned environment and a certificate of its own; every call has a
// deadline; what it prints, sends and asks is bounded before it is used. It
// dies with the host, and the host never hangs on it: [Process.Stop] returns
// within the stop limit and a moment, whatever the plugin does.
//
// The plugins that ship go the same way: [SelfExec] starts the running file
// itself.
package host

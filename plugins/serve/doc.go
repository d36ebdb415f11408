// Package serve is what a plugin's main calls:
//
//	func main() { serve.Plugin(myPlugin{}) }
//
// It speaks the protocol of package wire through go-plugin, over a socket in
// a private directory with mutual TLS, and ends the process when the host
// ends. A panic in one of the plugin's calls becomes an error of that call;
// the other targets of the run go on. Log records travel to the host with
// their level.
package serve

//go:generate go tool -modfile=../../tools/proto/go.mod buf generate

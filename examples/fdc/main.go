// Mqhk-plugin-fdc is an example of a plugin that performs its own actions: it
// removes old failure reports, traces and copies of error logs of a queue
// manager on Multiplatforms, and nothing that its plan did not name.
//
// The host has no hands for such files, so the plan holds custom actions and
// the plugin's own Perform removes what they name. The guard of the host does
// not check that; what keeps it sound is in this folder: [rule] says what may
// go, [folders] where, and [remove] looks at every file once more before it is
// unlinked.
package main

import "github.com/mqhk/mqhk/plugins/serve"

func main() { serve.Plugin(plugin{}) }

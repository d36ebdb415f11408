package amqerr

import "slices"

// Table is the one table of messages, by id. Texts that no source gives are
// marked as from memory or as the simulator's own: whoever finds out more mends
// a row.
var Table = slices.Concat(tableOfLogs, tableOfCommands)

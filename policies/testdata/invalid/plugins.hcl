plugins "mine" { # ERROR: a label too many: plugins has no name
}

plugins {
  directory   = ""     # ERROR: not a path: leave directory out where there are only built-in plugins
  start_limit = 10     # ERROR: missing unit
  call_limit  = "2d"   # ERROR: out of bounds: call_limit is between 1s and 1d
  stop_limit  = "10ms" # ERROR: out of bounds: stop_limit is between 100ms and 1m
  memory      = 2      # ERROR: missing unit: a size is a string with a unit
  questions   = 0      # ERROR: out of bounds: questions is between 1 and 100000000
  message     = "1KiB" # ERROR: out of bounds: message is between 1MiB and 256MiB
  plan        = "1PiB" # ERROR: not a size
  log_rate    = "many" # ERROR: wrong kind of value: log_rate is a number, not a string
  memroy      = "2GiB" # ERROR: unknown argument: plugins has no argument "memroy"; did you mean "memory"?
}

plugins { # ERROR: a second plugins: the first is at
}

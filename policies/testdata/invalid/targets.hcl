queue_manager "" { # ERROR: not a queue manager
  platform = "ibmi"
  connection "sim" {}
}

queue_manager "A/B" { # ERROR: not a queue manager
  platform = "ibmi"
  connection "sim" {}
}

queue_manager "QMTOOLONG" { # ERROR: on z/OS a queue manager has 1 to 4 characters
  platform = "zos"
  library  = "QMX" # ERROR: only a queue manager on IBM i has a library
  connection "sim" {}
}

queue_manager "ORDERS" {
  platform = "as400"       # ERROR: unknown platform: "as400" is not known
  zone     = "Berlin"      # ERROR: unknown time zone
  connection "simm" {}     # ERROR: unknown connection kind: "simm" is not known; did you mean "sim"?
}

queue_manager "PAY" {
  platform = "ibmi"
  library  = "qm pay"    # ERROR: not a library
  zone     = env("ZONE") # ERROR: a secret can't stand here
  connection "sim" {
    path  = 7         # ERROR: path is a string, not a number
    paths = "x"       # ERROR: unknown setting: connection has no setting "paths"; did you mean "path"?
    sub {}            # ERROR: unknown block: connection has no block "sub"
  }
}

queue_manager "STOCK" {
  platform = "ibmi"
  connection "ssh" { # ERROR: missing host: connection needs it
    password = "hunter2" # ERROR: password is a secret and not written in the file
  }
}

queue_manager "SALES" {
  platform = "ibmi"
  connection "ssh" {
    host     = env("MQHK_TEST_PASSWORD")                   # ERROR: host is shown in plans and reports; it takes no secret
    password = env("MQHK_TEST_NOT_SET")        # ERROR: environment variable "MQHK_TEST_NOT_SET" is not set or empty
    key      = file("no-such-file")            # ERROR: this secret can't be read
    pin      = env("A", "B")                   # ERROR: env takes one string # ERROR: unknown setting
  }
}

sharing_group "QSG10" { # ERROR: a group has 1 to 4 characters
  members              = ["QMA1", "QMA2"]
  backup_queue_manager = "QMA3" # ERROR: not a member: "QMA3"; did you mean "QMA1"?
  connection "sim" {}
}

sharing_group "QSG2" {
  members = [] # ERROR: a group has at least one queue manager
  connection "sim" {}
}

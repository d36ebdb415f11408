# Case 80: a name that is taken is an error that shows both places.
policy "a" {
  description = "x"
  description = "y" # ERROR: argument set twice
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
  task "archive" "receivers" { # ERROR: task defined twice: the first task "receivers" of this policy is at testdata/invalid/duplicates.hcl:5:18
    targets  = ["ibmi/*", "ibmi/*"] # ERROR: target pattern given twice
    strategy = "conservative"
  }
}

policy "a" { # ERROR: policy defined twice: the first policy "a" is at testdata/invalid/duplicates.hcl:2:8
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}

queue_manager "QM1" {
  platform = "zos"
  connection "sim" {}
  connection "sim" {} # ERROR: a second connection
}

sharing_group "QM1" { # ERROR: target defined twice: the first target "QM1" is at testdata/invalid/duplicates.hcl:22:15
  members = ["QM1", "QM1"] # ERROR: member given twice
  connection "sim" {}
}

store "vault" {
  kind = "external"
}

store "vault" { # ERROR: store defined twice
  kind = "external"
}

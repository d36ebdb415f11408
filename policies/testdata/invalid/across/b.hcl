policy "orders" { # ERROR: the first policy "orders" is at testdata/invalid/across/a.hcl:2:8
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}

store "vault" { # ERROR: the first store "vault" is at testdata/invalid/across/a.hcl:10:7
  kind = "external"
}

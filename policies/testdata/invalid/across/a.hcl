# Case 80, across files.
policy "orders" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    store    = "vualt" # ERROR: unknown store "vualt": did you mean "vault"?
  }
}

store "vault" {
  kind = "external"
}

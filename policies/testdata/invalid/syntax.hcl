policy "a" {
  task "journal" "x" {
    targets = ["ibmi/*"
    strategy = "conservative" # ERROR: missing item separator

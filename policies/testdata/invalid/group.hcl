sharing_group "QSG1" { # ERROR: missing connection: the group has none, and its member QMA2 has no queue_manager block
  members = ["QMA1", "QMA2"]
}

queue_manager "QMA1" {
  platform = "zos"
  connection "sim" {}
}

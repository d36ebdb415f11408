# Targets and stores of a site.
queue_manager "ORDERS" {
  platform = "ibmi"
  library  = "QMORDERS"
  zone     = "Europe/Berlin"

  connection "ssh" {
    host     = "as400.example"
    port     = 22
    strict   = true
    ciphers  = ["aes256-ctr", "aes128-ctr"]
    password = env("MQHK_TEST_PASSWORD")
  }
}

queue_manager "QM.linux_1" {
  platform = "multiplatforms"
  connection "local" {}
}

queue_manager "QMA1" {
  platform = "zos"
  connection "mqweb" {
    key = file("secret.txt")
  }
}

queue_manager "QMBK" {
  platform = "zos"
  connection "mqweb" {
    token = env("MQHK_TEST_PASSWORD")
  }
}

sharing_group "QSG1" {
  members              = ["QMA1", "QMBK"]
  backup_queue_manager = "QMBK"
  zone                 = "Europe/Berlin"
}

store "vault" {
  kind            = "directory"
  path            = "vault"
  same_filesystem = true
}

store "tape" {
  kind  = "external"
  label = "BRMS"
}

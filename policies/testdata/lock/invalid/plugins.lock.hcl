owner = "me" # ERROR: unknown argument: a lock file has no argument "owner"

plugin "fdc" {
  version  = "1.0.0"
  protocol = 1
  file "linux/amd64" {
    sha256 = "615D58B0995DDE7791CEF922A0B29F7BC0B56322A9DF5E315AFB657467D806B3" # ERROR: not a SHA-256: write it in lower case: 615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3
  }
  file "linux/arm64" {
    sha256 = "15d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3" # ERROR: not a SHA-256: it has 64 hexadecimal digits, and this has 63 characters
  }
  file "linux/arm64" { # ERROR: platform given twice: the first file "linux/arm64" of this plugin is at
    sha256 = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3"
  }
  file "linux/s390x" {
    sha256 = "sha256:0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3" # ERROR: not a SHA-256: it has 64 hexadecimal digits, and this has 64 characters
  }
  file "Linux" { # ERROR: not a platform: "Linux": a platform is GOOS/GOARCH
    sha256 = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3"
  }
  file "aix/ppc64" { # ERROR: missing sha256: the hash of the file is what locks it
  }
  file "darwin/arm64" { # ERROR: missing sha256
    sha512 = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3" # ERROR: unknown argument: file has no argument "sha512"; it is one of sha256
  }
}

plugin "fdc" { # ERROR: plugin locked twice: the first "fdc" is at
  version  = "1.0.0"
  protocol = 1
  file "linux/amd64" {
    sha256 = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3"
  }
}

plugin "FDC" { # ERROR: not a name: "FDC": a plugin's name has lower-case letters
  version  = "1.0 beta" # ERROR: not a version: "1.0 beta": a version has no blanks
  protocol = "1"        # ERROR: wrong kind of value: protocol is a number, not a string
  file "linux/amd64" {
    sha256 = env("HASH") # ERROR: a secret can't stand here
  }
}

plugin "../fdc" { # ERROR: not a name # ERROR: a plugin without a file: write file "linux/amd64" { ... }
  version  = ""     # ERROR: not a version: a version is not empty
  protocol = 0      # ERROR: out of bounds: protocol is between 1 and 1000
  sha256   = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3" # ERROR: unknown argument: plugin has no argument "sha256"
}

plugin "dlq" { # ERROR: missing version # ERROR: missing protocol
  file "linux/amd64" "x" { # ERROR: wrong number of names: write file "GOOS/GOARCH" { ... }
    sha256 = "615d58b0995dde7791cef922a0b29f7bc0b56322a9df5e315afb657467d806b3"
  }
}

plugin { # ERROR: wrong number of names: write plugin "name" { ... }
}

policy "x" { # ERROR: unknown block: a lock file has no block "policy"
}

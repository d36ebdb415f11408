// The vulnerability database that govulncheck reads, as a module: its folder
// data/osv is data only, nothing imports it. So go mod tidy must not be run here.
module github.com/mqhk/mqhk/tools/vulndb

go 1.26.0

require golang.org/x/vulndb v0.0.0-20261105234957-e22db6528018

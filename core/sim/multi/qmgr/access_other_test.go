//go:build !unix

package qmgr

var ownedBySomebody any

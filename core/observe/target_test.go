package observe

import "testing"

func TestParsePlatform(t *testing.T) {
	for word, want := range map[string]Platform{"ibmi": IBMi, "IBMi": IBMi, "multiplatforms": Multiplatforms, "ZOS": ZOS} {
		if got, err := ParsePlatform(word); err != nil || got != want {
			t.Errorf("%q: %s, %v", word, got, err)
		}
	}
	for _, word := range []string{"", "i", "linux", "z/os"} {
		if got, err := ParsePlatform(word); err == nil {
			t.Errorf("%q: %s", word, got)
		}
	}
}

func TestTargetMatches(t *testing.T) {
	target := Target{Name: "ORDERS.EU", Platform: IBMi}
	if target.String() != "ibmi/ORDERS.EU" {
		t.Error(target)
	}
	for pattern, want := range map[string]bool{
		"ibmi/*": true, "*/*": true, "*/ORDERS*": true, "ibmi/ORDERS.EU": true, "ibmi/ORDERS.??": true,
		"*": false, "ibmi": false, "zos/*": false, "ibmi/ORDERS": false, "ibmi/orders.eu": false, "ibmi/[": false, "": false,
	} {
		if target.Matches([]string{pattern}) != want {
			t.Errorf("%q: %t", pattern, !want)
		}
	}
	if target.Matches(nil) || !target.Matches([]string{"zos/*", "ibmi/*"}) {
		t.Error("several patterns")
	}
}

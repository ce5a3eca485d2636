package program

import (
	"strconv"
	"strings"
)

// either joins alternatives as a reader expects: "a", "a or b", "a, b or c".
func either(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func decimal(n int) string { return strconv.Itoa(n) }

func quoted(s string) string { return strconv.Quote(s) }

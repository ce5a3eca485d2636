//go:build !unix

package transport

import "math"

// fileLimit is how many files and connections the system lets this process have.
func fileLimit() int { return math.MaxInt }

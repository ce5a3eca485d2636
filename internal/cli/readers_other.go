//go:build !unix

package cli

import "io/fs"

// readableBy is the permissions that nobody but this process should have. Here the system
// doesn't tell.
func readableBy(fs.FileInfo) fs.FileMode { return 0 }

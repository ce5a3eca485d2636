//go:build tools

// This file lists the programs that work on this repository and why each is here. The
// `tool` lines of go.mod make `go tool NAME` run the very version that go.sum pins;
// internal/house keeps the two lists equal. It is never compiled, nor vetted with
// -tags tools: programs can't be imported.

package echomcp

import (
	// gotestsum runs `go test` in CI: it prints how many tests ran, and each failure
	// once more at the end, where a reader of the log looks.
	_ "gotest.tools/gotestsum"

	// staticcheck finds what vet doesn't: results never used, code never reached,
	// calls that can't work. `make lint` runs it.
	_ "honnef.co/go/tools/cmd/staticcheck"

	// gofumpt is the formatting of this repository, gofmt with fewer choices left.
	// `make fmt` writes it, `make lint` checks it.
	_ "mvdan.cc/gofumpt"
)

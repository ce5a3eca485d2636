package echomcp

// -assert-format: what an agent sends here is checked, so `format` is an assertion in
// this repository. The specification's default, an annotation, is echo-gen's default too.
//
//go:generate go run ./cmd/echo-gen -assert-format

// The client of a small server of typed tools, with which mcpkit/client/typed is tested.
//
//go:generate go run ./cmd/echo-gen -catalog mcpkit/client/typed/internal/shopmcp/shop.json -out mcpkit/client/typed/internal/shopmcp

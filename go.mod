module github.com/zenlix/echo-mcp

go 1.26.0

require github.com/stretchr/testify v1.12.1

require (
	github.com/dlclark/regexp2/v2 v2.13.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

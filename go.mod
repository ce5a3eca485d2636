module github.com/zenlix/echo-mcp

go 1.26

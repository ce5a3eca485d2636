SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# A file that git doesn't know can be compiled in too, so it makes a commit dirty as well.
COMMIT    ?= $(shell head=$$(git rev-parse HEAD 2>/dev/null) && echo "$$head$$([ -z "$$(git status --porcelain)" ] || echo -dirty)" || echo unknown)
GOTEST    ?= go test
GOLANGCI  := v2.15.0
FUZZTIME  ?= 10s
BENCH     ?= .
BENCHTIME ?= 1s
LOADTIME  ?= 20s
RACE      ?=
ROUNDS    ?= 5
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
DIFFTIME  ?= 10m
SEED      ?= 1
# A program with the race detector waits a second when it ends, for races of what still runs. The
# tests start thousands of them.
export GORACE ?= atexit_sleep_ms=20
SUITES    := json-schema-test-suite json-parsing validation-bench schemastore authors

# The package that echo-gen makes from a catalogue.
SHOP := mcpkit/client/typed/internal/shopmcp

# The package whose variables version and commit the linker sets.
CLI := github.com/zenlix/echo-mcp/internal/cli

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z][a-z0-9-]*:.*## / { printf "%-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: generate
generate: ## Turn schemas/ into generated/ (after every change of a schema or of gen/)
	go generate .

.PHONY: check-generate
check-generate: ## Fail if what echo-gen wrote is not what it would write today
	go run ./cmd/echo-gen -assert-format -check
	go run ./cmd/echo-gen -check -catalog $(SHOP)/shop.json -out $(SHOP)

.PHONY: build
build: ## Build bin/echo-mcp
	go build -trimpath -ldflags '-X $(CLI).version=$(VERSION) -X $(CLI).commit=$(COMMIT)' -o bin/echo-mcp ./cmd/echo-mcp

.PHONY: test
test: ## Run the Go tests with the race detector; needs nothing but Go
	@# -count=1: many tests build programs, and the go command's cache of results does not see
	@# what those are made of.
	$(GOTEST) -race -count=1 ./...
	.ci/only '!race' $(GOTEST) -count=1

.PHONY: suite
suite: ## Run all suites and real schemas in ../shared/suites (CONTRIBUTING.md says how to get them)
	.ci/suites $(SUITES)
	.ci/only suite $(GOTEST) -tags suite -count=1 -timeout 30m

.PHONY: suite-official
suite-official: ## Run only the two official suites, which anybody can clone into ../shared/suites
	.ci/suites json-schema-test-suite json-parsing
	$(GOTEST) -tags suite -count=1 -timeout 30m -run '^(TestOfficial(Suite|Formats|Patterns)|TestParsingSuite)$$' \
		./gen/internal/trial ./gen/jsonrt ./internal/pattern ./gen/jsontape

.PHONY: types-proof
types-proof: ## Print how many schemas and documents of each corpus in ../shared/suites the Go types fit
	.ci/suites $(SUITES)
	go test -tags suite -count=1 -timeout 30m -run TestProof -v ./gen/internal/types

.PHONY: lint
lint: ## Check the formatting, go vet, staticcheck and, where installed, golangci-lint
	.ci/lint

.PHONY: golangci-lint
golangci-lint: ## Build bin/golangci-lint (about three minutes)
	GOBIN=$(CURDIR)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI)

.PHONY: fmt
fmt: ## Format every Go file
	go tool gofumpt -w $$(git ls-files '*.go')

.PHONY: e2e
e2e: build ## Drive the built binary with the official clients, its page with Chromium (needs Node)
	.ci/e2e

.PHONY: e2e-clients
e2e-clients: build ## Drive the built binary with the agents and bridges of other makers (needs Node)
	.ci/e2e-clients

.PHONY: bench
bench: ## Run the benchmarks, some over data in ../shared/suites (BENCH=regexp, BENCHTIME=1s)
	.ci/suites validation-bench
	go test -tags suite -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem ./...

.PHONY: bench-server
bench-server: ## Echo, start-up and memory beside plain servers on mcp-go and the official SDK (ROUNDS=5)
	go run ./internal/bench -rounds $(ROUNDS)

.PHONY: sizes
sizes: ## Print how large stripped programs are: one over generated types, one that parses results, servers
	.ci/sizes

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME=10s each
	.ci/fuzz $(FUZZTIME)

.PHONY: differential
differential: ## Compare with an interpreter on random schemas for DIFFTIME=10m; SEED=1 begins elsewhere
	go test -run '^TestDifferential$$' -timeout 0 -count=1 -v ./gen/internal/trial -args -differential=$(DIFFTIME) -seed=$(SEED)

.PHONY: load
load: ## Load a server over stdio and HTTP for LOADTIME=20s, good and bad clients at once (RACE=-race)
	go build $(RACE) -trimpath -o bin/echo-mcp-load ./cmd/echo-mcp
	go run ./internal/load -for $(LOADTIME) bin/echo-mcp-load

.PHONY: demo
demo: build ## Watch a client list the schemas, echo a payload, see a bad one refused
	go run ./internal/demo bin/echo-mcp

.PHONY: release
release: ## Build programs, SBOMs, notices, provenance into dist/ (VERSION=v1.2.3, PLATFORMS="linux/amd64 …")
	go run ./internal/release $(VERSION) $(COMMIT) $(PLATFORMS)

.PHONY: ci
ci: ## Run what CI runs
	bash .ci/run

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin dist internal/e2e/node_modules internal/e2e/clients/node_modules

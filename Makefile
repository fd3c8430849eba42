# keyspread: every job of a developer is a target here; .ci/run calls the same ones.

GO       ?= go
FUZZTIME ?= 30s
BENCH    ?= .
COUNT    ?= 6

.DEFAULT_GOAL := help

.PHONY: help demo build test test-long race fuzz bench vectors golden lint

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## the main job on two real inputs, with figures in out/
	@$(GO) build -o bin/keyspread ./cmd/keyspread
	@echo '== four keys on six partitions, as three clients place them'
	bin/keyspread map --client java,librdkafka,sarama -p 6 user-1042 user-8831 user-2207 user-77519
	@echo
	@echo '== 25,000 real flights, key = route: how balanced are 12 partitions?'
	bin/keyspread spread example:flights --client java -p 12 --figures out/flights
	@echo
	@echo '== downloads of 5,000 npm packages, key = package: 6, 12 or 50 partitions?'
	bin/keyspread spread example:npm --client java,librdkafka -p 6,12,50 --figures out/npm

build: ## the command, as bin/keyspread
	$(GO) build -o bin/keyspread ./cmd/keyspread

test: ## all tests, under two minutes
	$(GO) test ./...

test-long: ## what takes longer: race detector, portable code, other platforms, every fuzz target for a while
	$(GO) test -race ./...
	$(GO) test -tags purego ./partition/...
	GOARCH=386 $(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...
	$(MAKE) fuzz FUZZTIME=10s

race: ## all tests with the race detector
	$(GO) test -race ./...

fuzz: ## every fuzz target for FUZZTIME each
	@sh .ci/fuzz $(FUZZTIME)

bench: ## all benchmarks, COUNT times, as benchstat reads them
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

vectors: ## golden vectors from the real clients; needs their languages' tools
	sh partition/testdata/clients/generate.sh

golden: ## regenerate expected output of tests; read the diff before committing
	$(GO) test . ./cmd/keyspread ./reports/... -update

lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt -w these files:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

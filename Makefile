# keyspread: every job of a developer is a target here; .ci/run calls the same ones.

GO       ?= go
FUZZTIME ?= 30s
BENCH    ?= .
COUNT    ?= 6

.DEFAULT_GOAL := help

.PHONY: help demo build test test-long race fuzz bench vectors golden lint

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## the main job on two real inputs, with a report and figures in out/
	@$(GO) build -o bin/keyspread ./cmd/keyspread
	@mkdir -p out
	@echo '== four keys on six partitions, as three clients place them'
	bin/keyspread map --client java,librdkafka,sarama -p 6 user-1042 user-8831 user-2207 user-77519
	@echo
	@echo '== 25,000 real flights, key = route: how balanced are 12 partitions, what moves to 18?'
	bin/keyspread spread example:flights -p 12 --format json -o out/flights-spread.json
	bin/keyspread churn example:flights --from 12 --to 18 --format json -o out/flights-churn.json
	@echo
	@echo '== downloads of 5,000 npm packages, key = package: 12 or 50 partitions, what moves from 12 to 18?'
	bin/keyspread spread example:npm -p 12,50 --format json -o out/npm-spread.json
	bin/keyspread churn example:npm --from 12 --to 18 --format json -o out/npm-churn.json
	@echo
	@echo '== one report of all four'
	bin/keyspread report out/flights-spread.json out/flights-churn.json out/npm-spread.json out/npm-churn.json \
		--title 'Flights and npm downloads: 12 partitions today' --format markdown -o out/report.md --figures out/figures
	@echo
	@sed '/^## /,$$d' out/report.md
	@echo 'The whole report is out/report.md, its figures are in out/figures.'

build: ## the command, as bin/keyspread
	$(GO) build -o bin/keyspread ./cmd/keyspread

test: ## all tests, under two minutes
	$(GO) test ./...

test-long: ## what takes longer: race detector, portable code, other platforms, every fuzz target for a while
	$(GO) test -race ./...
	$(GO) test -tags purego ./partition/...
	GOARCH=386 $(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...
	$(MAKE) fuzz FUZZTIME=5s

race: ## all tests with the race detector
	$(GO) test -race ./...

fuzz: ## every fuzz target for FUZZTIME each
	@sh .ci/fuzz $(FUZZTIME)

bench: ## all benchmarks, COUNT times, as benchstat reads them
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

vectors: ## golden vectors from the real clients; needs their languages' tools
	partition/testdata/clients/generate.sh

golden: ## regenerate expected output of tests; read the diff before committing
	$(GO) test . ./cmd/keyspread ./reports/... -update

lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt -w these files:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

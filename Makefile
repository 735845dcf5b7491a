# Every target is one line and is used by .ci/run under the same name (contracts 10); those of later issues fail by name.
SECONDS   ?= 15
SABOTAGE  ?=
FUZZTIME  ?= 10s
BENCHTIME ?= 1s
N         ?= 20
SEED      ?=
VERSION   ?= $(shell git describe --tags --always 2>/dev/null || echo dev)
STAMP      = -ldflags "-X main.Version=$(VERSION)"
BIN        = bin/redpanda-connect-oracle
GOLANGCI   = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT    = go run mvdan.cc/gofumpt@v0.12.0

.PHONY: build demo docs docs-check config-test test race lint fmt fmt-fix fuzz bench chaos kill mutants conformance test-oracle
build: ; go build ./... && go build $(STAMP) -o bin/ ./cmd/...
demo: build ; @bin/quickstart -seconds "$(SECONDS)" -sabotage "$(SABOTAGE)"
test: ; go test ./...
race: ; go test -race -timeout 30m ./...
lint: ; $(GOLANGCI) run --allow-parallel-runners ./...
fmt: ; @out="$$($(GOFUMPT) -l .)" && test -z "$$out" || { echo "not formatted, run make fmt-fix:" $$out >&2; exit 1; }
fmt-fix: ; $(GOFUMPT) -w .
fuzz: ; @grep -rE '^func Fuzz' --include='*_test.go' . | sed -E 's|^\./(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\1 \2|' | while read -r dir name; do go test -run='^$$' -fuzz="^$$name$$" -fuzztime=$(FUZZTIME) "./$$dir" </dev/null || exit 1; done
docs: ; go run ./cmd/docgen
docs-check: ; go run ./cmd/docgen -check
config-test: build ; $(BIN) lint ./config/... && $(BIN) test ./config/...
bench: ; go test -run='^$$' -bench=. -benchtime=$(BENCHTIME) -benchmem ./...
conformance: ; ORACLETEST_CONFORMANCE=1 ORACLE_CDC_CONNECT=1 go test -count=1 -v -run 'TestConformance|TestConnectsJSON|TestDebeziumsOwn' ./input/oracletest/conformance ./schema/debezium
test-oracle: ; ORACLE_CDC_TEST=real go test -count=1 -timeout 2h -v ./input/scenario/
kill: build ; @bin/quickstart -kills "$(N)" -pause 60ms $(if $(SEED),-seed "$(SEED)")
chaos mutants: ; @echo "make $@ comes with a later issue, see CHANGELOG.md" >&2; exit 1

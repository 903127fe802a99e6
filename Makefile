# Each verb is a thin line over cargo or a script. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := bash
CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
# On a terminal cargo shows its progress; in a pipe only what goes wrong.
QUIET := $(shell test -t 2 || echo --quiet)
# The services whose typed modules are tested. Their features stay out of the workspace's own build, hence a step apart.
TYPED := dynamodb,iam,logs,s3,sqs
GENERATE_FLAGS = $(if $(SOURCE),--source "$(SOURCE)") $(if $(REGIONS),--region "$(REGIONS)") $(if $(STRICT),--strict)

.PHONY: help
help: ## What can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: tools generate ## Fresh machine to finished story: one stack with the real engine on the local Cloud Control; PROFILE=realistic|chaos|FILE SEED=N
	@$(CARGO) build $(QUIET) -p provider -p emulator -p tests --bins
	@$(CARGO) run --quiet -p tests --bin demo -- $(if $(PROFILE),--profile "$(PROFILE)") --seed $(or $(SEED),4)

.PHONY: test
test: tools generate ## Everything that must pass
	$(CARGO) test --workspace
	$(CARGO) test -p generated --features $(TYPED) --lib --test types

.PHONY: emulator-kill
emulator-kill: generate ## Kill the local Cloud Control COUNT times (500) under load; SEED=N for other runs
	@EMULATOR_KILLS=$(or $(COUNT),500) EMULATOR_KILLS_SEED=$(or $(SEED),1) $(CARGO) test $(QUIET) -p emulator --test kills -- --nocapture

.PHONY: emulator-types
emulator-types: generate ## Every type's whole life in the local Cloud Control: counts, slowest types, figures of validation
	@EMULATOR_FIGURES=1 $(CARGO) test $(QUIET) -p emulator --test every_type --test maximal -- --nocapture
	@EMULATOR_FIGURES=1 $(CARGO) test $(QUIET) -p emulator --lib figures -- --nocapture

.PHONY: emulator-differential
emulator-differential: generate ## Hold the local Cloud Control's verdicts about 9,000 models against another validator
	@EMULATOR_CORPUS="$(abspath $(TARGET))/models.jsonl" $(CARGO) test $(QUIET) -p emulator --lib models_are_made
	@test -x $(TARGET)/differential/bin/python || { python3 -m venv $(TARGET)/differential && \
		$(TARGET)/differential/bin/pip install --quiet --require-hashes --only-binary=:all: -r scripts/emulator-differential.txt; }
	@$(TARGET)/differential/bin/python -W ignore scripts/emulator-differential.py $(TARGET)/models.jsonl

.PHONY: emulator-soak
emulator-soak: generate ## Eight clients on the local Cloud Control with profile chaos for SECONDS (600); SEED=N for other runs
	@$(CARGO) build $(QUIET) -p emulator -p tests --bins
	@$(CARGO) run --quiet -p tests --bin soak -- --seconds $(or $(SECONDS),600) --seed $(or $(SEED),1)

.PHONY: emulator-fuzz
emulator-fuzz: generate ## Every kind of input of the local Cloud Control made up at random, each for SECONDS (120)
	@EMULATOR_FUZZ_SECONDS=$(or $(SECONDS),120) $(CARGO) test $(QUIET) -p emulator --test fuzz

.PHONY: kill
kill: tools generate ## Kill the provider and the engine COUNT times (210) during creates, updates and deletes; SEED=N for other points
	@$(CARGO) build $(QUIET) -p provider -p emulator -p tests --bins
	@$(CARGO) run --quiet -p tests --bin kill -- --count $(or $(COUNT),210) --seed $(or $(SEED),1)

.PHONY: interop
interop: tools generate ## Hand stacks from the published provider in PEER=FOLDER to this one and back; RECORD=1 writes down what `test` begins with
	@test -n "$(PEER)" || { echo "interop: give PEER=FOLDER with the published provider's pulumi-resource-aws-native" >&2; exit 1; }
	@$(CARGO) build $(QUIET) -p provider -p emulator -p tests --bins
	@$(CARGO) run --quiet -p tests --bin interop -- --peer "$(PEER)" $(if $(RECORD),--record)

.PHONY: ministack
ministack: tools generate ## The life of a stack on PyPI ministack, a double of AWS that others wrote; also in `test` where it can be installed
	@$(CARGO) build $(QUIET) -p provider -p emulator -p tests --bins
	@MINISTACK=required $(CARGO) test $(QUIET) -p tests --test ministack

.PHONY: scale
scale: build tools ## COUNT (1000) resources at once: time, CPU and memory; PEER=FOLDER for the published provider beside ours, PROFILE=realistic|FILE
	@$(CARGO) build $(QUIET) -p emulator -p tests --bins
	@$(CARGO) run --quiet -p tests --bin scale -- --provider bin/pulumi-resource-aws-native --count $(or $(COUNT),1000) \
		--profile "$(or $(PROFILE),test)" --seed $(or $(SEED),1) $(if $(PEER),--peer "$(PEER)")

.PHONY: generate
generate: ## Fetch the pinned schemas and regenerate; SOURCE=aws|FILE.zip|FOLDER for others, REGIONS=a,b with aws, STRICT=1 forbids skips
	@$(CARGO) build $(QUIET) -p codegen --bins
	@$(CARGO) run --quiet -p codegen --bin pulumi-gen-aws-native -- generate $(GENERATE_FLAGS)

.PHONY: parity
parity: ## Compare with FACTS=FOLDER about the published provider; SNAPSHOT=FOLDER of its schemas for the digests too
	@test -n "$(FACTS)" || { echo "parity: give FACTS=FOLDER, see scripts/parity.py" >&2; exit 1; }
	@$(CARGO) build $(QUIET) -p codegen --bins
	@python3 scripts/parity.py $(TARGET)/debug/pulumi-gen-aws-native "$(FACTS)" $(if $(SNAPSHOT),"$(SNAPSHOT)")

.PHONY: replay
replay: generate ## Send recorded requests to the provider, FACTS=FOLDER of the recording; GROUP=NAME for one group (docs/testing.md)
	@test -n "$(FACTS)" || { echo "replay: give FACTS=FOLDER, see scripts/replay.py" >&2; exit 1; }
	@$(CARGO) build $(QUIET) -p provider --bins
	@test -x $(TARGET)/replay/bin/python || { python3 -m venv $(TARGET)/replay && \
		$(TARGET)/replay/bin/pip install --quiet --require-hashes --only-binary=:all: -r scripts/replay.txt; }
	@FACTS="$(abspath $(FACTS))" $(CARGO) test $(QUIET) -p provider --test recorded -- --nocapture
	@$(TARGET)/replay/bin/python scripts/replay.py $(TARGET)/debug/pulumi-resource-aws-native "$(abspath $(FACTS))" $(if $(GROUP),--group $(GROUP))

.PHONY: fuzz
fuzz: ## Every fuzz target of the provider for SECONDS (120); SEED=N for another search, KEEP=1 keeps what behaves in a new way
	@FUZZ_SECONDS=$(or $(SECONDS),120) FUZZ_SEED=$(or $(SEED),1) $(if $(KEEP),FUZZ_KEEP=1) $(CARGO) test $(QUIET) -p tests --test fuzz -- --nocapture

.PHONY: accept
accept: ## Accept the package schema as it is now: rewrite codegen/compat/digests.tsv
	@$(CARGO) build $(QUIET) -p codegen --bins
	@$(CARGO) run --quiet -p codegen --bin pulumi-gen-aws-native -- export token-digests -o codegen/compat/digests.tsv

.PHONY: check-changes
check-changes: ## Fail on breaking changes for users since this branch left BASE=REVISION (origin/main when not given)
	@$(CARGO) build $(QUIET) -p codegen --bins
	@scripts/check-changes.sh "$(or $(BASE),origin/main)"

.PHONY: check-types
check-types: generate ## Compile the typed modules of all services once, and print the time and memory that takes
	@scripts/check-types.py $(CARGO) check $(QUIET) -p generated --features all-types --target-dir $(TARGET)/check-types

.PHONY: build
build: generate ## Release binaries into bin/
	$(CARGO) build --release -p provider -p emulator -p codegen --bins
	@mkdir -p bin
	@cp $(TARGET)/release/pulumi-resource-aws-native $(TARGET)/release/cloudcontrol-emulator $(TARGET)/release/pulumi-gen-aws-native bin/

.PHONY: install
install: build tools ## The plugin into the Pulumi home (PULUMI_HOME, else ~/.pulumi)
	@scripts/install.sh

.PHONY: bench
bench: build ## The numbers as a table; PEER=FOLDER measures the Go provider and generator beside ours
	@$(CARGO) build $(QUIET) --release -p tests --bins
	@$(CARGO) run --quiet --release -p tests --bin bench -- $(if $(PEER),--peer "$(PEER)")

.PHONY: bench-emulator
bench-emulator: generate ## Rates, latencies, memory and start of the local Cloud Control (docs/emulator/performance.md)
	@$(CARGO) build $(QUIET) --release -p emulator
	@$(CARGO) run $(QUIET) -p tests --bin load -- --emulator $(TARGET)/release/cloudcontrol-emulator $(LOAD)

.PHONY: tools
tools: ## The Pulumi CLI and the YAML host into bin/tools: from PATH, else built from pinned Go modules
	@scripts/tools.sh

.PHONY: sdk
sdk: generate ## SDKs into sdk/ from the package schema, SDK=python|nodejs|go|all (docs/sdks.md)
	@scripts/sdk.sh "$(or $(SDK),all)"

.PHONY: check-sdk
check-sdk: generate ## All SDKs made, within budget, compiled, type-checked and used by a program
	@scripts/check-sdk.sh

.PHONY: check-clients
check-clients: generate ## The AWS SDK for Go against the local Cloud Control; boto3, the AWS CLI and the SDK for Rust are part of `test`
	@$(CARGO) build $(QUIET) -p emulator --bins
	@scripts/go-client.sh

.PHONY: check-examples
check-examples: generate ## The example of every resource bound as the Pulumi YAML host would
	@scripts/check-examples.sh

.PHONY: lint
lint: generate ## Formatting and clippy, warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy -p generated --features $(TYPED) --all-targets -- -D warnings

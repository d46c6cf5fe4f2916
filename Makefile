# SPDX-License-Identifier: MIT
# A thin front to the CMake presets (CMakePresets.json). `make help` lists the targets.
#
#   make test PRESET=release     one preset only
#   make test LABEL=network      one area only (tests/<area>)
#   make validate DTOWN=dtown.inp
#   make fuzz SECONDS=60 TARGET=fuzz_inp
#   make install PREFIX=/opt/sluice

PRESET  ?=
LABEL   ?=
SECONDS ?= 1200
TARGET  ?= all
DTOWN   ?=
PREFIX  ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := build
.PHONY: build debug tsan demo test test-all validate lint format fuzz mutate bench docs install clean help bootstrap

build: build/release/build.ninja ## build the program: build/release/sluice, and the libraries
	@cmake --build --preset release --target sluice sluice_shared sluice_static cosim echo fibonacci

debug: build/debug/build.ninja ## build with AddressSanitizer and UndefinedBehaviorSanitizer
	@cmake --build --preset debug

tsan: build/tsan/build.ninja ## build with ThreadSanitizer
	@cmake --build --preset tsan

demo: build ## build and show the program at work
	@scripts/demo

test: bootstrap ## build and test release, debug, tsan and clang (PRESET=release: that one; LABEL=area: that area)
	@scripts/test $(if $(LABEL),--label $(LABEL)) $(PRESET)

test-all: bootstrap ## the same with the slow tests, then fuzzing, planted faults and the bits of other builds
	@scripts/test --all $(if $(LABEL),--label $(LABEL)) $(PRESET)

validate: build ## run the public networks with EPANET and with Sluice, and rewrite the tables of docs/validation.md
	@scripts/bootstrap bench
	@scripts/validate $(if $(DTOWN),--dtown $(DTOWN))

lint: build/release/build.ninja ## formatting, clang-tidy, cppcheck, scripts
	@scripts/bootstrap lint
	@scripts/lint

format: ## rewrite the C files in the project's format
	@scripts/bootstrap lint
	@scripts/format

fuzz: ## fuzz with libFuzzer (SECONDS=1200 for all targets together, TARGET=all)
	@scripts/bootstrap build fuzz
	@scripts/fuzz $(TARGET) --seconds $(SECONDS)

mutate: bootstrap ## plant faults in a copy of the tree and name those that no test catches
	@scripts/mutate

bench: build ## run the benchmarks in bench/
	@scripts/bootstrap bench
	@scripts/bench

docs: build ## check the manual: its commands, outputs and links
	@ctest --test-dir build/release -L '^docs$$' --output-on-failure

install: build ## install program, libraries, headers, manual pages and completions under PREFIX (/usr/local)
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything built
	@rm -rf build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

bootstrap: # install missing packages; silent when there are none
	@scripts/bootstrap build

build/%/build.ninja: CMakePresets.json | bootstrap
	@echo "configuring build/$*"
	@cmake --preset $* >/dev/null
	@touch $@

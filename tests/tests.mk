# What the tests, the lint and the measurements need beyond the programs.

CLANG ?= clang

# A report of a sanitizer is no ordinary failure.
export ASAN_OPTIONS := exitcode=99
export UBSAN_OPTIONS := exitcode=99:print_stacktrace=1

# Unit tests: tests/unit/*.c is one program each, tests/unit/support/*.c is linked to all.

UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
UNIT_SUPPORT := $(call objects,tests/unit/support/*.c)

$(B)/tests/%.o: NEEDS = cmocka libxml-2.0 $(filter-out -%,$(OPTIONAL))
TEST_LIBS = cmocka libxml-2.0 $(SVG_LIBS) $(PERFDATA_LIBS)
$(UNIT_TESTS:%=$(B)/unit/%): LIBS = $(TEST_LIBS)
$(UNIT_TESTS:%=$(B)/unit/%): $(B)/unit/%: $(B)/tests/unit/%.o $(UNIT_SUPPORT) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

# A program that only tests run.

$(B)/tests/tools/perfdata-text: LIBS = $(PERFDATA_LIBS)
$(B)/tests/tools/perfdata-text: $(B)/tests/tools/perfdata-text.o $(B)/libcollapse.a $(LIB)
	$(call say,LD)
	$(Q)$(link)

# Fuzz targets: tests/fuzz/*.c is one each; tests/fuzz/collapse.c is one a format, as
# collapse/main.c is one program a format. libFuzzer brings its own main; without it, the
# driver replays files.

FUZZERS := $(filter-out collapse,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))) \
	$(COLLAPSERS)
FUZZ_DRIVER = $(B)/tools/fuzz-replay.o

$(COLLAPSERS:%=$(B)/tests/fuzz/%.o): $(B)/tests/fuzz/collapse-%.o: tests/fuzz/collapse.c \
		$(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)
$(B)/tests/fuzz/collapse-%.o: DEFINES = -DFG_FORMAT=$(subst -,_,$*)

$(FUZZERS:%=$(B)/fuzz/%): LIBS = $(TEST_LIBS)
$(FUZZERS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/unit/support/xml.o \
		$(ARCHIVES) $(FUZZ_DRIVER)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

.PHONY: unit fuzzers
unit: $(UNIT_TESTS:%=$(B)/unit/%) $(B)/tests/tools/perfdata-text
fuzzers: $(FUZZERS:%=$(B)/fuzz/%)

# Variants: everything once more with other flags, below build/VARIANT. san is what most
# tests run, dbg what valgrind runs, plain is compiled as for a machine without SSE2.
# programs-san, unit-san and fuzzers-san follow each other, as all need the archives.

SANITIZE = $(eval SANITIZE := $$(shell tools/can-sanitize $$(CC)))$(SANITIZE)
FLAGS.san = OPT="-O1 -g -fno-omit-frame-pointer $(SANITIZE)"
FLAGS.dbg = OPT="-O1 -g -DFG_NO_JIT"
FLAGS.plain = OPT="-O1 -DFG_PLAIN_C"
FLAGS.lint-gcc = CC=gcc OPT="-O2 -Werror"
FLAGS.lint-clang = CC="$(CLANG)" OPT="-O1 -Werror"
FLAGS.fuzz = CC="$(CLANG)" OPT="-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined" LINK=-fsanitize=fuzzer FUZZ_DRIVER=
VARIANTS := san dbg plain lint-gcc lint-clang

submake = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
variant = +$(Q)$(submake) B=build/$(1) LINK= $(FLAGS.$(1))

.PHONY: $(VARIANTS:%=programs-%) $(VARIANTS:%=unit-%) $(VARIANTS:%=fuzzers-%)
$(VARIANTS:%=programs-%): programs-%: build/gen/assets.c
	$(call variant,$*) programs
$(VARIANTS:%=unit-%): unit-%: programs-%
	$(call variant,$*) unit
$(VARIANTS:%=fuzzers-%): fuzzers-%: unit-%
	$(call variant,$*) fuzzers

# Each part of the tests writes its counts to build/check/PART.count, and fails where a
# test failed. `make check` runs every part and then adds up.

PARTS := unit golden plain cli viewer browser fuzz-replay valgrind
part = tools/check-part $(1)

.PHONY: check check-quick check-build $(PARTS:%=check-%) check-foreign bless parts
check: ## install what is missing, then run all tests
	@tools/need check
	@rm -rf build/check
	+@$(submake) --keep-going check-build
	+@$(MAKE) --no-print-directory --keep-going --output-sync=target $(PARTS:%=check-%) || true
	@tools/sum build/check $(PARTS)

# For .ci/run.
parts:
	@echo $(PARTS)

check-build: programs programs-san unit-san fuzzers-san programs-dbg unit-dbg programs-plain

check-quick: ## unit tests and goldens: a minute or two, for the loop of a change
	@rm -f build/check/unit.count build/check/golden.count
	+@$(submake) unit-san
	+@$(MAKE) --no-print-directory --keep-going check-unit check-golden || true
	@tools/sum build/check unit golden

check-unit: unit-san ## unit tests (cmocka)
	@$(call part,unit) tools/run-units $(UNIT_TESTS:%=build/san/unit/%)

check-golden: programs-san ## golden folders: input and args to expected output
	@BIN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) $(call part,golden) tests/golden/run

check-cli: programs unit-san ## command-line edge cases (bats)
	@BIN="$(CURDIR)/build/san/bin" $(call part,cli) tools/run-bats tests/cli

check-viewer: ## the parts of the viewer that need no browser, skipped without node
	@$(call part,viewer) tools/run-browser tests/viewer/run

check-browser: programs ## the viewer in a real browser, skipped without one
	@BIN="$(CURDIR)/build/bin" $(call part,browser) tools/run-browser

check-fuzz-replay: fuzzers-san ## seeds, past crashers and goldens through each fuzz target
	@JOBS=$(JOBS) $(call part,fuzz-replay) tools/replay-fuzzers $(FUZZERS:%=build/san/fuzz/%)

check-valgrind: unit-dbg ## unit tests and one golden in EVERY (10) under valgrind
	@BIN="$(CURDIR)/build/dbg/bin" JOBS=$(JOBS) $(call part,valgrind) \
		tools/run-valgrind $(UNIT_TESTS:%=build/dbg/unit/%)

check-plain: programs-plain ## goldens of the collapsers as compiled without SSE2
	@BIN="$(CURDIR)/build/plain/bin" JOBS=$(JOBS) EVERY=4 $(call part,plain) \
		tests/golden/run $(COLLAPSERS)

FOREIGN ?= i386 arm64 s390x
check-foreign: ## unit tests and goldens for other machines, FOREIGN, in qemu; not part of check
	@tools/need foreign
	@JOBS=$(JOBS) tools/check-foreign $(FOREIGN)

bless: programs-san ## rewrite the expected files of the goldens, then show the difference
	@BLESS=1 BIN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) tests/golden/run
	@git --no-pager diff -- tests/golden
	@git status --short -- tests/golden

.PHONY: bundle lint fuzz bench bench-count bench-browser pictures
bundle: ## make the viewer's one script and style sheet from their sources, with esbuild
	@tools/bundle-viewer

lint: ## layers, style, warnings as errors, static analysis, manuals, scripts
	@tools/need lint
	@rm -rf build/lint
	+@$(submake) all compile_commands.json
	+@MAKE="$(submake)" FLAGS=$(call quote,$(FG_CPPFLAGS) $(FEATURES)) BIN="$(CURDIR)/$(BIN)" \
		PROGRAMS="$(INSTALLED)" SCRIPTS="$(SCRIPTS:%=$(BIN)/%)" tools/lint build/lint || true
	@tools/sum build/lint lint

# What make would run, as editors and clang-tidy read it.
compile_commands.json: FORCE ## how each file is compiled, for editors
	+@$(MAKE) -nB --no-print-directory programs unit fuzzers | tools/compile-commands > $@

FUZZ_SECONDS ?= 60
fuzz: build/gen/assets.c ## fuzz each target for FUZZ_SECONDS (60), from the seeds, with clang's libFuzzer
	@tools/need fuzz
	$(call variant,fuzz) fuzzers
	@tools/fuzz $(FUZZ_SECONDS) $(FUZZERS:%=build/fuzz/fuzz/%)

bench: all ## times and memory beside the peers on PATH, and how they grow: 15 minutes
	@BIN="$(CURDIR)/$(BIN)" tests/bench/run

bench-count: all ## instruction counts, which do not vary from run to run
	@BIN="$(CURDIR)/$(BIN)" tests/bench/run --count

pictures: all ## take the screenshots in docs/ again, with Chromium, pngquant and zopflipng
	@FLAMEGRAPH="$(CURDIR)/$(BIN)/flamegraph" tests/browser/run --pictures

bench-browser: all ## the pictures in a browser, beside those of the peers on PATH
	@FLAMEGRAPH="$(CURDIR)/$(BIN)/flamegraph" tests/browser/run --bench

# Targets of the tests, the lint and the measurements.

CLANG ?= clang

# Unit tests: each tests/unit/*.c is a program; tests/unit/support/*.c is linked to all.

UNIT_TESTS := $(filter-out $(if $(RECORDER),,test_record_%), \
	$(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c)))
UNIT_SUPPORT := $(call objects,tests/unit/support/*.c)

$(B)/tests/%.o: NEEDS = cmocka libxml-2.0 $(filter-out -%,$(OPTIONAL))
TEST_LIBS = cmocka libxml-2.0 $(SVG_LIBS) $(SYMBOLS_LIBS)
$(UNIT_TESTS:%=$(B)/unit/%): LIBS = $(TEST_LIBS)
$(UNIT_TESTS:%=$(B)/unit/%): $(B)/unit/%: $(B)/tests/unit/%.o $(UNIT_SUPPORT) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

# A program that only tests run: prints a recording like perf script.

$(B)/tests/tools/perfdata-text: LIBS = $(SYMBOLS_LIBS)
$(B)/tests/tools/perfdata-text: $(B)/tests/tools/perfdata-text.o \
		$(B)/tests/unit/support/perftext.o $(B)/libcollapse.a $(LIB)
	$(call say,LD)
	$(Q)$(link)

# The tests of failing calls have a program, and a library for LD_PRELOAD, which needs glibc.
# preload-san.so leaves memory alone, because the sanitizers want it for themselves.

FAULTS := $(B)/faults/drive $(B)/faults/preload.so $(B)/faults/preload-san.so
$(B)/faults/drive: LIBS = $(BASE_LIBS)
$(B)/faults/drive: $(B)/tests/faults/drive.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

$(B)/faults/preload-san.so: DEFINES = -DFAULTS_LEAVE_MEMORY
$(B)/faults/%.so: tests/faults/preload.c tests/faults/plan.h $(B)/flags
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)if echo '#include <features.h>' | $(CC) -dM -E - | grep -q 'define __GLIBC__'; then \
		$(CC) -I. $(FG_CFLAGS) $(DEFINES) -O1 -fPIC -shared -o $@ $< -ldl; fi

# Fuzz targets: each tests/fuzz/*.c is one, except that tests/fuzz/collapse.c makes one for each
# format, like collapse/main.c makes a program for each format. libFuzzer brings its own main;
# without it, the driver replays files.

FUZZERS := $(filter-out collapse,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))) \
	$(COLLAPSERS)
FUZZ_DRIVER = $(B)/tools/fuzz-replay.o

$(COLLAPSERS:%=$(B)/tests/fuzz/%.o): $(B)/tests/fuzz/collapse-%.o: tests/fuzz/collapse.c \
		$(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)
$(B)/tests/fuzz/collapse-%.o: DEFINES = -DFG_FORMAT=$(subst -,_,$*)

# Mutators change an input by its structure. They are linked without libFuzzer, too, but not called.

MUTATED_perf := perfdata perfdata_unwind collapse-perf
MUTATED_proto := collapse-pprof collapse-otlp
MUTATED_json := json $(patsubst %,collapse-%,chrome cpuprofile dhat firefox memray \
	pyinstrument speedscope stackprof)
MUTATED_lines := folded diff filter report rules flamegraph palette_map \
	perfdata_kallsyms perfdata_map $(filter-out $(MUTATED_perf) $(MUTATED_proto) \
	$(MUTATED_json) collapse-jfr,$(COLLAPSERS))
$(MUTATED_perf:%=$(B)/fuzz/%): $(call objects,tests/fuzz/mutate/perf*.c)
$(MUTATED_proto:%=$(B)/fuzz/%): $(call objects,tests/fuzz/mutate/protobuf.c)
$(MUTATED_json:%=$(B)/fuzz/%): $(call objects,tests/fuzz/mutate/json.c)
$(MUTATED_lines:%=$(B)/fuzz/%): $(call objects,tests/fuzz/mutate/lines.c)

$(FUZZERS:%=$(B)/fuzz/%): LIBS = $(TEST_LIBS)
$(FUZZERS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/unit/support/xml.o \
		$(ARCHIVES) $(FUZZ_DRIVER)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

.PHONY: unit fuzzers faults
faults: $(FAULTS)
unit: $(UNIT_TESTS:%=$(B)/unit/%) $(B)/tests/tools/perfdata-text \
	$(call objects,library/*.c)
fuzzers: $(FUZZERS:%=$(B)/fuzz/%)

# Variants: everything once more with other flags, below build/VARIANT. Most tests run san,
# valgrind runs dbg, and plain is compiled like for a machine without SSE2. programs-san, unit-san
# and fuzzers-san run one after the other, because all need the archives.

SANITIZE = $(eval SANITIZE := $$(shell tools/can-sanitize $$(CC)))$(SANITIZE)
FLAGS.san = OPT="-O1 -g -fno-omit-frame-pointer $(SANITIZE)"
FLAGS.dbg = OPT="-O1 -g -DFG_NO_JIT -DFG_NO_CONFINE"
FLAGS.plain = OPT="-O1 -g -fno-omit-frame-pointer -DFG_PLAIN_C $(SANITIZE)"
FLAGS.lint-gcc = CC=gcc OPT="-O2 -Werror"
FLAGS.lint-clang = CC="$(CLANG)" OPT="-O1 -Werror"
FLAGS.fuzz = CC="$(CLANG)" OPT="-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined" LINK=-fsanitize=fuzzer FUZZ_DRIVER=
FLAGS.cover = CC="$(CLANG)" OPT="-O1 -g -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined -fprofile-instr-generate -fcoverage-mapping" \
	LINK=-fsanitize=fuzzer FUZZ_DRIVER=
VARIANTS := san dbg plain lint-gcc lint-clang

submake = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
variant = +$(Q)$(submake) B=build/$(1) LINK= $(FLAGS.$(1))

.PHONY: $(VARIANTS:%=programs-%) $(VARIANTS:%=library-%) $(VARIANTS:%=unit-%) $(VARIANTS:%=fuzzers-%)
$(VARIANTS:%=programs-%): programs-%: build/gen/assets.c
	$(call variant,$*) programs
$(VARIANTS:%=library-%): library-%: programs-%
	$(call variant,$*) library
$(VARIANTS:%=unit-%): unit-%: programs-%
	$(call variant,$*) unit
$(VARIANTS:%=fuzzers-%): fuzzers-%: unit-%
	$(call variant,$*) fuzzers

# Each part of the tests writes its counts to build/check/PART.count, and fails if a
# test failed or a sanitizer had something to report. `make check` runs every part and then adds up.

# valgrind and plain need a build of everything for themselves, so only `make check-all` runs them,
# and `make check` does not.
LONG_PARTS := plain valgrind
PARTS := unit golden faults cli viewer browser export fuzz-replay $(if $(filter all,$(CHECK)),$(LONG_PARTS))
part = TURN=$(TURN) tools/tests part $(1)

# Long tests run on a sample. TURN, a number that differs from commit to commit, chooses the sample.
# EVERY=1 takes everything.
TURN ?= $(eval TURN := $$(shell git rev-list --count HEAD 2>/dev/null || echo 0))$(TURN)

# The browsers mostly wait, so they run beside the parts that compute, in a make of their own,
# because the two would share the jobs otherwise.
alone = MAKEFLAGS= $(MAKE) --no-print-directory --keep-going $(MAKEOVERRIDES)
WAITING := viewer browser

.PHONY: check check-all check-quick check-build $(sort $(PARTS:%=check-%) $(LONG_PARTS:%=check-%)) \
	check-foreign bless parts
check: ## install what is missing, then run all tests
	@tools/need check
	@rm -rf build/check
	@mkdir -p build/check
	+@$(submake) programs
	@$(alone) programs $(patsubst %,check-%,$(filter $(WAITING),$(PARTS))) > build/check/waiting.log 2>&1 & \
		$(alone) -j$(JOBS) check-build; \
		$(alone) programs $(patsubst %,check-%,$(filter-out $(WAITING),$(PARTS))); \
		wait; cat build/check/waiting.log
	@[ "$(CHECK)" = all ] || echo "a sample, which TURN=$(TURN) takes again; make check-all takes all"
	@tools/tests sum build/check $(PARTS)

check-all: ## the same, and nothing is left to the next turn: an hour
	+@CHECK=all EVERY=1 $(MAKE) --no-print-directory check

# For .ci/run.
parts:
	@echo $(PARTS)

BUILDS := programs faults programs-san library-san unit-san fuzzers-san \
	$(if $(filter all,$(CHECK)),dbg-sample plain-collapsers)
check-build: $(BUILDS)

# Only the unit tests that run are built.
EVERY_UNIT = $(if $(EVERY),$(EVERY),4)
DBG_UNITS = $(shell printf '%s\n' $(UNIT_TESTS) | awk '(NR + $(TURN)) % $(EVERY_UNIT) == 0')

.PHONY: dbg-sample plain-collapsers
dbg-sample: programs-dbg
	$(call variant,dbg) unit UNIT_TESTS="$(DBG_UNITS)"
plain-collapsers: build/gen/assets.c
	$(call variant,plain) $(COLLAPSERS:%=build/plain/bin/%)

check-quick: ## unit tests and goldens: a minute or two, for the loop of a change
	@rm -f build/check/unit.count build/check/golden.count
	+@$(submake) unit-san
	+@$(MAKE) --no-print-directory --keep-going check-unit check-golden || true
	@tools/tests sum build/check unit golden

check-unit: unit-san ## unit tests (cmocka)
	@printf '%s\n' $(UNIT_TESTS:%=build/san/unit/%) | \
		CMOCKA_MESSAGE_OUTPUT=TAP $(call part,unit) tools/tests tap unit env

check-golden: programs-san ## golden folders: input and args to expected output
	@BIN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) $(call part,golden) tests/golden/run

check-faults: programs programs-san faults ## goldens with their calls failing in turn
	@BIN="$(CURDIR)/$(BIN)" SAN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) $(call part,faults) \
		tests/faults/run $(B)/faults

check-cli: programs manuals unit-san ## command-line edge cases (bats)
	@ls -S tests/cli/*.bats | BIN="$(CURDIR)/build/san/bin" \
		$(call part,cli) tools/tests tap cli bats --tap

check-viewer: ## the parts of the viewer that need no browser, skipped without node
	@$(call part,viewer) tools/tests node tests/viewer/run

check-browser: programs ## the viewer in a real browser, skipped without one
	@BIN="$(CURDIR)/build/bin" EVERY=$${EVERY:-4} $(call part,browser) tools/tests node

check-export: programs ## files for other viewers through their own code, skipped without it
	@BIN="$(CURDIR)/build/bin" $(call part,export) tools/tests node tests/viewers/run

check-fuzz-replay: fuzzers-san ## seeds, past crashers and goldens through each fuzz target
	@JOBS=$(JOBS) $(call part,fuzz-replay) tools/tests fuzzers $(FUZZERS:%=build/san/fuzz/%)

check-valgrind: dbg-sample ## some unit tests (EVERY, 4) and goldens (EVERY, 20) under valgrind
	@BIN="$(CURDIR)/build/dbg/bin" JOBS=$(JOBS) $(call part,valgrind) \
		tools/tests valgrind $(DBG_UNITS:%=build/dbg/unit/%)

check-plain: plain-collapsers ## goldens of the collapsers as compiled without SSE2
	@BIN="$(CURDIR)/build/plain/bin" JOBS=$(JOBS) EVERY=$${EVERY:-4} $(call part,plain) \
		tests/golden/run $(COLLAPSERS)

FOREIGN ?= i386 arm64 s390x
check-foreign: ## unit tests and goldens for other machines, FOREIGN, in qemu; not part of check
	@tools/need foreign
	@JOBS=$(JOBS) tools/check-foreign $(FOREIGN)

.PHONY: check-musl
check-limits: programs ## what is as large as it gets (1 GiB lines, 10,000,000 stacks): an hour; not part of check
	@BIN="$(CURDIR)/$(BIN)" tests/limits/run

soak: programs ## record-perf records the machine for MINUTES (10) into collapse-perf --every: memory, and samples in and out
	@BIN="$(CURDIR)/$(BIN)" tests/soak/run

.PHONY: check-limits soak mutate fuzz-peers fuzz-growth
mutate: ## whether the tests see MUTANTS (200) faults of SEED (1) in FILES; see tests/break/mutate
	@tests/break/mutate $(FILES)

fuzz-peers: programs ## inputs at random through us and the scripts, see tests/fuzz/peers; what is not here is skipped
	@BIN="$(CURDIR)/$(BIN)" tests/fuzz/peers $(CASES)

fuzz-growth: programs ## inputs that grow at random, for FUZZ_SECONDS: whether time grows faster
	@BIN="$(CURDIR)/$(BIN)" tests/fuzz/grow $(FUZZ_SECONDS)

check-musl: ## whether all of it compiles with musl's headers; not part of check
	@JOBS=$(JOBS) tools/check-musl

bless: programs-san ## rewrite the expected files of the goldens, then show the difference
	@BLESS=1 BIN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) tests/golden/run
	@git --no-pager diff -- tests/golden
	@git status --short -- tests/golden

.PHONY: bundle lint fuzz fuzz-coverage bench bench-count bench-growth bench-recording bench-browser \
	bench-heat pictures
bundle: ## make the viewer's scripts and style sheets from their sources, with esbuild
	@tools/bundle-viewer

lint: ## layers, style, warnings as errors, static analysis, manuals, scripts
	@tools/need lint
	@rm -rf build/lint
	+@$(submake) all compile_commands.json
	+@MAKE="$(submake)" FLAGS=$(call quote,$(FG_CPPFLAGS) $(FEATURES)) BIN="$(CURDIR)/$(BIN)" \
		PROGRAMS="$(INSTALLED)" tools/lint build/lint || true
	@tools/tests sum build/lint lint

.PHONY: analyze
analyze: build/gen/assets.c ## gcc 12 -fanalyzer over all: new warnings fail, tools/analyze.known has the others
	+@MAKE="$(submake)" tools/analyze build/analyze

# The commands that make would run, in the form that editors and clang-tidy read.
compile_commands.json: FORCE ## how each file is compiled, for editors
	+@$(MAKE) -nB --no-print-directory programs unit fuzzers | tools/compile-commands > $@

FUZZ_SECONDS ?= 60
fuzz: build/gen/assets.c ## fuzz each target for FUZZ_SECONDS (60), from the seeds, with clang's libFuzzer
	@tools/need fuzz
	$(call variant,fuzz) fuzzers
	@JOBS=$(JOBS) tools/fuzz $(FUZZ_SECONDS) $(FUZZERS:%=build/fuzz/fuzz/%)

.PHONY: fuzz-targets
fuzz-targets: ## list them
	@printf '%s\n' $(FUZZERS)

fuzz-coverage: build/gen/assets.c ## fuzz as much, and what of each parser is reached: tests/fuzz/RESULTS.md
	@tools/need fuzz
	$(call variant,cover) fuzzers
	@JOBS=$(JOBS) tests/fuzz/coverage $(FUZZ_SECONDS) $(FUZZERS:%=build/cover/fuzz/%)

bench: all ## times and memory beside the peers on PATH, and how they grow: 15 minutes
	@BIN="$(CURDIR)/$(BIN)" tests/bench/run

bench-count: all ## instruction counts, which do not vary from run to run
	@BIN="$(CURDIR)/$(BIN)" tests/bench/run --count

bench-recording: all ## from recordings that are made here to pictures, beside perf script and the floor
	@BIN="$(CURDIR)/$(BIN)" tests/bench/run --recording

bench-growth: all ## inputs that make careless programs slow, at N and 8 N: linear, or it fails
	@BIN="$(CURDIR)/$(BIN)" tests/bench/shapes

pictures: all ## take the screenshots in docs/ again, with Chromium, pngquant and zopflipng
	@FLAMEGRAPH="$(CURDIR)/$(BIN)/flamegraph" tests/browser/run --pictures

bench-browser: all ## the pictures in a browser, beside those of the peers on PATH
	@FLAMEGRAPH="$(CURDIR)/$(BIN)/flamegraph" tests/browser/run --bench

bench-heat: all ## heat maps in a browser: a minute, a day; JFR=, CONVERTER=: beside async-profiler's
	@FLAMEGRAPH="$(CURDIR)/$(BIN)/flamegraph" tests/browser/run --bench-heat

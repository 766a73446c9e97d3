# flamepipe: `make` builds, `make help` lists the targets.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR are the user's; what they
# say comes last on every command line. V=1 shows the commands.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
PKG_CONFIG ?= pkg-config
AR ?= ar
CLANG ?= clang
INSTALL ?= install
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
Q := $(if $(V),,@)

VERSION := $(shell cat VERSION)

# One row of collapse/formats.def is FORMAT(name, "older names"): name is a C token, and
# an underscore in it is a dash in the program's name.
FORMATS := $(shell sed -n 's/^FORMAT.\([a-z0-9_]*\),.*/\1/p' collapse/formats.def 2>/dev/null)

COLLAPSERS := $(foreach f,$(FORMATS),collapse-$(subst _,-,$(f)))
PROGRAMS := $(COLLAPSERS) flamegraph diff-folded

# Flags. pkg-config runs when a recipe first needs its answer, never at parse time, so
# that `make help` and the installation of what is missing work without it.

ask = $(eval $(1) := $$(shell $(PKG_CONFIG) $(2)))$($(1))
PCRE2_CFLAGS = $(call ask,PCRE2_CFLAGS,--cflags libpcre2-8)
PCRE2_LIBS = $(call ask,PCRE2_LIBS,--libs libpcre2-8)
DEFLATE_CFLAGS = $(call ask,DEFLATE_CFLAGS,--cflags libdeflate)
DEFLATE_LIBS = $(call ask,DEFLATE_LIBS,--libs libdeflate)
XML2_CFLAGS = $(call ask,XML2_CFLAGS,--cflags libxml-2.0)
XML2_LIBS = $(call ask,XML2_LIBS,--libs libxml-2.0)
# libxml2 is loaded by this name when an SVG is read; where there is none, it is linked.
XML2_SONAME = $(eval XML2_SONAME := $$(shell \
	tools/xml2-soname "$(XML2_LIBS)" $(CC) $(CFLAGS) $(LDFLAGS)))$(XML2_SONAME)
SVG_LIBS = $(DEFLATE_LIBS) $(if $(XML2_SONAME),,$(XML2_LIBS))
TEST_CFLAGS = $(call ask,TEST_CFLAGS,--cflags cmocka libxml-2.0)
TEST_LIBS = $(call ask,TEST_LIBS,--libs cmocka libxml-2.0)
SANITIZE = $(eval SANITIZE := $$(shell tools/can-sanitize $(CC)))$(SANITIZE)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wconversion -Wno-sign-conversion -Wwrite-strings -Wvla -Wundef
FG_CPPFLAGS := -I. -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 \
	-DFG_VERSION='"$(VERSION)"'
FG_CFLAGS := -std=c11 -pthread $(WARNINGS)

# A report of a sanitizer is no ordinary failure.
export ASAN_OPTIONS := exitcode=99
export UBSAN_OPTIONS := exitcode=99:print_stacktrace=1

# Variants: the same rules, other flags. rel is what is installed, san what most tests
# run, dbg what valgrind runs, plain is compiled as for a machine without SSE2.

VARIANTS := rel san dbg plain fuzz lint-gcc lint-clang
CC.rel = $(CC)
CC.san = $(CC)
CC.dbg = $(CC)
CC.plain = $(CC)
CC.fuzz = $(CLANG)
CC.lint-gcc = gcc
CC.lint-clang = $(CLANG)
OPT.rel := -O3
OPT.san = -O1 -g -fno-omit-frame-pointer $(SANITIZE)
OPT.dbg := -O1 -g -DFG_NO_JIT
OPT.plain := -O1 -DFG_PLAIN_C
OPT.fuzz := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all
OPT.lint-gcc := -O2 -Werror
OPT.lint-clang := -O1 -Werror

BIN := $(CURDIR)/build/bin
BIN.rel := build/bin
$(foreach v,$(filter-out rel,$(VARIANTS)),$(eval BIN.$(v) := build/$(v)/bin))

# Sources. main.c of a folder is its program, the rest an archive which the tests link
# too. collapse/main.c is compiled once a format, with -DFG_FORMAT=name.

LIB_SRC := $(wildcard lib/*.c)
COLLAPSE_SRC := $(filter-out collapse/main.c,$(wildcard collapse/*.c))
FLAMEGRAPH_SRC := $(filter-out flamegraph/main.c,$(wildcard flamegraph/*.c))
DIFFFOLDED_SRC := $(filter-out difffolded/main.c,$(wildcard difffolded/*.c))
# viewer.js and viewer.css are made by `make bundle` and kept, so that this needs no node.
ASSETS := $(sort $(wildcard flamegraph/assets/*.js flamegraph/assets/*.css))

# tests/unit/*.c: one program each; tests/unit/support/*.c is linked to all of them.
# tests/fuzz/*.c: one target each; tests/fuzz/collapse.c is one target a format, with
# the same -DFG_FORMAT=name.
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
UNIT_SUPPORT := $(wildcard tests/unit/support/*.c)
FUZZ_PLAIN := $(filter-out collapse,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_COLLAPSE := $(if $(wildcard tests/fuzz/collapse.c),$(FORMATS:%=collapse-%))
FUZZERS := $(FUZZ_PLAIN) $(FUZZ_COLLAPSE)

say = $(if $(V),,@echo "  $(1) $@")
compile = $(CC.$(1)) $(FG_CPPFLAGS) $(EXTRA_CPPFLAGS) $(FG_CFLAGS) $(OPT.$(1)) \
	$(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
link = $(CC.$(1)) $(FG_CFLAGS) $(OPT.$(1)) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) \
	$(filter-out %/libflamepipe.a,$(filter %.a,$^)) build/$(1)/libflamepipe.a
flags = $(CC.$(1)) $(FG_CPPFLAGS) $(FG_CFLAGS) $(OPT.$(1)) $(CPPFLAGS) $(CFLAGS) \
	$(LDFLAGS) $(LDLIBS)
quote = '$(subst ','\'',$(1))'

define VARIANT_RULES
objects.$(1) = $$(patsubst %.c,build/$(1)/%.o,$$(1))
archives.$(1) := $$(patsubst %,build/$(1)/lib%.a,collapse flamegraph difffolded flamepipe)

# Objects are made again when a flag changes.
build/$(1)/flags: FORCE
	@mkdir -p $$(@D)
	@new=$$@.$$$$$$$$; printf '%s\n' $$(call quote,$$(call flags,$(1))) > $$$$new; \
		if cmp -s $$$$new $$@; then rm $$$$new; else mv $$$$new $$@; fi

build/$(1)/%.o: %.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call compile,$(1))

build/$(1)/gen/assets.o: build/gen/assets.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(Q)$$(call compile,$(1))

build/$(1)/lib/regex.o: EXTRA_CPPFLAGS = $$(PCRE2_CFLAGS)
build/$(1)/lib/deflate.o: EXTRA_CPPFLAGS = $$(DEFLATE_CFLAGS)
build/$(1)/lib/svgparse.o: EXTRA_CPPFLAGS = $$(XML2_CFLAGS)
build/$(1)/lib/xml2.o: EXTRA_CPPFLAGS = $$(XML2_CFLAGS) \
	$$(if $$(XML2_SONAME),-DFG_XML2_SONAME='"$$(XML2_SONAME)"')
build/$(1)/tests/unit/%.o: EXTRA_CPPFLAGS = $$(TEST_CFLAGS)

build/$(1)/libflamepipe.a: $$(call objects.$(1),$$(LIB_SRC))
build/$(1)/libcollapse.a: $$(call objects.$(1),$$(COLLAPSE_SRC))
build/$(1)/libflamegraph.a: $$(call objects.$(1),$$(FLAMEGRAPH_SRC)) \
	build/$(1)/gen/assets.o
build/$(1)/libdifffolded.a: $$(call objects.$(1),$$(DIFFFOLDED_SRC))
$$(archives.$(1)):
	@mkdir -p $$(@D)
	$$(call say,AR)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$^

$$(foreach f,$$(FORMATS),$$(eval $$(call FORMAT_RULES,$(1),$$(f),$$(subst _,-,$$(f)))))
$(BIN.$(1))/flamegraph: build/$(1)/flamegraph/main.o build/$(1)/libflamegraph.a
$(BIN.$(1))/diff-folded: build/$(1)/difffolded/main.o build/$(1)/libdifffolded.a
$(BIN.$(1))/flamegraph $(BIN.$(1))/diff-folded: PROGRAM_LIBS = $$(SVG_LIBS)
$$(PROGRAMS:%=$(BIN.$(1))/%): build/$(1)/libflamepipe.a
	@mkdir -p $$(@D)
	$$(call say,LD)
	$$(Q)$$(call link,$(1)) $$(PROGRAM_LIBS) $$(PCRE2_LIBS) $$(LDLIBS)

$$(UNIT_TESTS:%=build/$(1)/unit/%): build/$(1)/unit/%: build/$(1)/tests/unit/%.o \
		$$(call objects.$(1),$$(UNIT_SUPPORT)) $$(archives.$(1))
	@mkdir -p $$(@D)
	$$(call say,LD)
	$$(Q)$$(call link,$(1)) $$(TEST_LIBS) $$(SVG_LIBS) $$(PCRE2_LIBS) $$(LDLIBS)

$$(FUZZ_PLAIN:%=build/$(1)/fuzz/%): build/$(1)/fuzz/%: build/$(1)/tests/fuzz/%.o
$$(FUZZERS:%=build/$(1)/fuzz/%): build/$(1)/tests/unit/support/xml.o $$(archives.$(1)) \
		$$(FUZZ_DRIVER.$(1))
	@mkdir -p $$(@D)
	$$(call say,LD)
	$$(Q)$$(call link,$(1)) $$(FUZZ_LINK.$(1)) $$(TEST_LIBS) $$(SVG_LIBS) $$(PCRE2_LIBS) $$(LDLIBS)

.PHONY: programs-$(1) unit-$(1) fuzzers-$(1)
programs-$(1): $$(PROGRAMS:%=$(BIN.$(1))/%)
unit-$(1): $$(UNIT_TESTS:%=build/$(1)/unit/%)
fuzzers-$(1): $$(FUZZERS:%=build/$(1)/fuzz/%)
endef

# $(1) variant, $(2) format, $(3) the format as programs are named.
define FORMAT_RULES
build/$(1)/collapse/main-$(2).o build/$(1)/tests/fuzz/collapse-$(2).o: \
	EXTRA_CPPFLAGS = -DFG_FORMAT=$(2)
build/$(1)/collapse/main-$(2).o: collapse/main.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call compile,$(1))
build/$(1)/tests/fuzz/collapse-$(2).o: tests/fuzz/collapse.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$$(call compile,$(1))
$(BIN.$(1))/collapse-$(3): build/$(1)/collapse/main-$(2).o build/$(1)/libcollapse.a
build/$(1)/fuzz/collapse-$(2): build/$(1)/tests/fuzz/collapse-$(2).o
endef

# libFuzzer brings its own main; every other variant replays files.
FUZZ_LINK.fuzz := -fsanitize=fuzzer
$(foreach v,$(filter-out fuzz,$(VARIANTS)),\
	$(eval FUZZ_DRIVER.$(v) := build/$(v)/tools/fuzz-replay.o))

$(foreach v,$(VARIANTS),$(eval $(call VARIANT_RULES,$(v))))

build/gen/assets.c: $(ASSETS) tools/embed
	@mkdir -p $(@D)
	$(Q)tools/embed $(ASSETS) > $@

.PHONY: FORCE
FORCE:

-include $(wildcard build/*/*/*.d build/*/*/*/*.d build/*/*/*/*/*.d)

.SECONDARY:

# Targets

.PHONY: all help
all: programs-rel ## build the programs into build/bin

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 20

# Each part of the tests writes its counts to build/check/PART.count, and fails where a
# test failed. `make check` runs every part and then adds up.

PARTS := unit golden plain cli viewer browser fuzz-replay valgrind
submake = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
part = tools/check-part $(1)

.PHONY: check check-build $(PARTS:%=check-%) check-foreign bless parts
check: ## install what is missing, then run all tests
	@tools/need check
	@rm -rf build/check
	+@$(submake) --keep-going check-build
	+@$(MAKE) --no-print-directory --keep-going --output-sync=target $(PARTS:%=check-%) || true
	@tools/sum build/check $(PARTS)

# For .ci/run.
parts:
	@echo $(PARTS)

check-build: programs-rel programs-san unit-san fuzzers-san programs-dbg unit-dbg \
	$(COLLAPSERS:%=build/plain/bin/%)

check-unit: unit-san ## unit tests (cmocka)
	@$(call part,unit) tools/run-units $(UNIT_TESTS:%=build/san/unit/%)

check-golden: programs-san ## golden directories: input and args to expected output
	@BIN="$(CURDIR)/build/san/bin" JOBS=$(JOBS) $(call part,golden) tests/golden/run

check-cli: programs-san ## command-line edge cases (bats)
	@BIN="$(CURDIR)/build/san/bin" $(call part,cli) tools/run-bats tests/cli

check-viewer: ## the parts of the viewer that need no browser, skipped without node
	@$(call part,viewer) tools/run-browser tests/viewer/run

check-browser: programs-rel ## the viewer in a real browser, skipped without one
	@BIN="$(BIN)" $(call part,browser) tools/run-browser

check-fuzz-replay: fuzzers-san ## seeds, past crashers and goldens through each fuzz target
	@JOBS=$(JOBS) $(call part,fuzz-replay) tools/replay-fuzzers $(FUZZERS:%=build/san/fuzz/%)

check-valgrind: programs-dbg unit-dbg ## unit tests and one golden in EVERY (10) under valgrind
	@BIN="$(CURDIR)/build/dbg/bin" JOBS=$(JOBS) $(call part,valgrind) \
		tools/run-valgrind $(UNIT_TESTS:%=build/dbg/unit/%)

check-plain: $(COLLAPSERS:%=build/plain/bin/%) ## goldens of the collapsers as compiled without SSE2
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

.PHONY: bundle lint fuzz bench bench-count bench-browser demo
bundle: ## make the viewer's one script and style sheet from their sources, with esbuild
	@tools/bundle-viewer

lint: ## layers, style, warnings as errors, static analysis, manuals, scripts
	@tools/need lint
	@rm -rf build/lint
	+@$(submake) all
	+@MAKE="$(submake)" FLAGS=$(call quote,$(FG_CPPFLAGS)) BIN="$(BIN)" \
		PROGRAMS="$(PROGRAMS)" tools/lint build/lint || true
	@tools/sum build/lint lint

FUZZ_SECONDS ?= 60
fuzz: ## fuzz each target for FUZZ_SECONDS (60), from the seeds, with clang's libFuzzer
	@tools/need fuzz
	+@$(submake) fuzzers-fuzz
	@tools/fuzz $(FUZZ_SECONDS) $(FUZZERS:%=build/fuzz/fuzz/%)

bench: all ## times and memory beside the peers on PATH, and how they grow: 15 minutes
	@BIN="$(BIN)" tests/bench/run

bench-count: all ## instruction counts, which do not vary from run to run
	@BIN="$(BIN)" tests/bench/run --count

bench-browser: all ## the pictures in a browser, beside those of the peers on PATH
	@FLAMEGRAPH="$(BIN)/flamegraph" tests/browser/run --bench

demo: ## build, then draw a flame graph and a differential one into build/demo
	@tools/need demo
	+@$(submake) all
	@BIN="$(BIN)" tools/demo

MANUALS := $(wildcard man/*.[157])
# What each format's row in formats.def stands in for, as LINK=PROGRAM.
COMPAT := $(shell tools/compat-links collapse/formats.def)

.PHONY: install install-compat uninstall clean
install: all ## install programs, manuals and completions below PREFIX (/usr/local)
	$(INSTALL) -d $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 755 $(PROGRAMS:%=build/bin/%) $(DESTDIR)$(BINDIR)
	$(foreach m,$(MANUALS),$(INSTALL) -d $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m))) && \
		$(INSTALL) -m 644 $(m) $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m))) &&) :
	$(INSTALL) -d $(DESTDIR)$(BASHDIR)
	$(foreach p,$(PROGRAMS),tools/completions build/bin/$(p) > $(DESTDIR)$(BASHDIR)/$(p) &&) :

install-compat: install ## also link the names of the scripts that flamepipe stands in for
	$(foreach c,$(COMPAT),ln -sf $(lastword $(subst =, ,$(c))) \
		$(DESTDIR)$(BINDIR)/$(firstword $(subst =, ,$(c))) &&) :

uninstall: ## remove what install and install-compat made
	cd $(DESTDIR)$(BINDIR) && rm -f $(PROGRAMS) $(foreach c,$(COMPAT),$(firstword $(subst =, ,$(c))))
	rm -f $(PROGRAMS:%=$(DESTDIR)$(BASHDIR)/%)
	rm -f $(foreach m,$(MANUALS),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m)))

clean: ## remove build/
	rm -rf build

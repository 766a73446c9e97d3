# flamepipe: `make` builds, `make help` lists the targets. What the tests need beyond the
# programs is in tests/tests.mk.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR are the user's; what they
# say comes last on every command line. V=1 shows the commands.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
PKG_CONFIG ?= pkg-config
AR ?= ar
INSTALL ?= install
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")
# A word of the shell, which may have blanks.
quote = '$(subst ','\'',$(1))'

VERSION := $(shell cat VERSION)

# Objects and archives go to B, programs to BIN. Tests build again with other flags in a
# folder of their own, as `make B=build/san OPT=-O1`: see tests/tests.mk.
B := build/rel
BIN := $(patsubst build/rel/bin,build/bin,$(B)/bin)

# One row of collapse/formats.def is FORMAT(name, "older names"): name is a C token, and
# an underscore in it is a dash in the program's name.
FORMATS := $(shell sed -n 's/^FORMAT.\([a-z0-9_]*\),.*/\1/p' collapse/formats.def)
COLLAPSERS := $(patsubst %,collapse-%,$(subst _,-,$(FORMATS)))
PROGRAMS := $(COLLAPSERS) collapse-guess flamegraph diff-folded filter-folded report-folded
# Programs of the shell, each joined from parts in flame/.
SCRIPTS := flame cargo-flame

# Libraries. pkg-config runs when a recipe needs its answer, not when this file is read,
# so that `make help` and the installation of what is missing work without it.

# A list may have words of the linker, as -lm.
cflags = $(if $(strip $(1)),$(shell $(PKG_CONFIG) --cflags $(filter-out -%,$(1))))
libs = $(shell $(PKG_CONFIG) --libs $(filter-out -%,$(1))) $(filter -%,$(1))
if_here = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))

# What may be missing: the programs then say so when they meet what needs it. libiberty is
# not known to pkg-config. All of it is looked for once, when it is needed.
OPTIONAL = $(eval OPTIONAL := $$(foreach l,libzstd libelf libdw,$$(call if_here,$$(l))) \
	$$(shell tools/have-libiberty $(CC) $(CFLAGS) $(LDFLAGS) && echo -liberty))$(OPTIONAL)
HERE_libzstd := -DFG_ZSTD -DFG_HAVE_LIBZSTD
HERE_libelf := -DFG_HAVE_LIBELF
HERE_libdw := -DFG_HAVE_LIBDW
HERE_-liberty := -DFG_HAVE_LIBIBERTY
FEATURES = $(foreach l,$(OPTIONAL),$(HERE_$(l)))

# What a file includes, and what programs are linked with.
$(B)/lib/regex.o: NEEDS = libpcre2-8
$(B)/lib/unpack.o: NEEDS = zlib $(filter libzstd,$(OPTIONAL))
$(B)/collapse/perfdata/%.o: NEEDS = $(filter-out -%,$(OPTIONAL))
$(B)/lib/deflate.o: NEEDS = libdeflate
$(B)/lib/svgparse.o $(B)/lib/xmlread.o: NEEDS = libxml-2.0
BASE_LIBS = libpcre2-8 zlib $(filter libzstd,$(OPTIONAL)) -lm
PERFDATA_LIBS = $(OPTIONAL) $(BASE_LIBS)
SVG_LIBS = libdeflate libxml-2.0 $(BASE_LIBS)

# Flags. What compiler and linker know of hardening is tried out once, when it is needed.

HARDEN = $(eval HARDEN := $$(shell tools/hardening compile \
	$$(call quote,$$(CPPFLAGS) $$(CFLAGS)) $$(CC)))$(HARDEN)
HARDEN_LINK = $(eval HARDEN_LINK := $$(shell tools/hardening link \
	$$(call quote,$$(CFLAGS) $$(LDFLAGS)) $$(CC)))$(HARDEN_LINK)
OPT = -O3 $(HARDEN)
LINK = $(HARDEN_LINK)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wconversion -Wno-sign-conversion -Wwrite-strings -Wvla -Wundef
FG_CPPFLAGS := -I. -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 \
	-DFG_VERSION='"$(VERSION)"'
FG_CFLAGS := -std=c11 -pthread $(WARNINGS)

compile = $(CC) $(FG_CPPFLAGS) $(FEATURES) $(DEFINES) $(call cflags,$(NEEDS)) $(FG_CFLAGS) \
	$(OPT) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
link = $(CC) $(FG_CFLAGS) $(OPT) $(LINK) $(CFLAGS) $(LDFLAGS) -o $@ \
	$(filter %.o,$^) $(filter %.a,$^) $(call libs,$(LIBS)) $(LDLIBS)

# Objects are made again when a flag changes.
flags = $(CC) $(FG_CPPFLAGS) $(FEATURES) $(FG_CFLAGS) $(OPT) $(LINK) $(CPPFLAGS) $(CFLAGS) \
	$(LDFLAGS) $(LDLIBS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@now() { printf '%s\n' $(call quote,$(flags)); }; now | cmp -s - $@ || now > $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)

-include $(wildcard $(B)/*.d $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)

# Archives. main.c of a folder is its program, the rest an archive which the tests link
# too; libflamepipe.a comes last where programs are linked, as the others need it.

objects = $(patsubst %.c,$(B)/%.o,$(filter-out %/main.c,$(wildcard $(1))))
ARCHIVES := $(patsubst %,$(B)/lib%.a,collapse flamegraph difffolded filterfolded reportfolded flamepipe)

$(B)/libflamepipe.a: $(call objects,lib/*.c)
$(B)/libcollapse.a: $(call objects,collapse/*.c collapse/*/*.c)
$(B)/libflamegraph.a: $(call objects,flamegraph/*.c) $(B)/gen/assets.o
$(B)/libdifffolded.a: $(call objects,difffolded/*.c)
$(B)/libfilterfolded.a: $(call objects,filterfolded/*.c)
$(B)/libreportfolded.a: $(call objects,reportfolded/*.c)
$(ARCHIVES):
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The viewer in flamegraph: its script and style sheets as an array of bytes each. viewer.js
# and viewer.css are made by `make bundle` and kept, so that this needs no node.
ASSETS := $(sort $(wildcard flamegraph/assets/*.js flamegraph/assets/*.css))

build/gen/assets.c: $(ASSETS) tools/embed
	@mkdir -p $(@D)
	$(Q)tools/embed $(ASSETS) > $@

$(B)/gen/assets.o: build/gen/assets.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(compile)

# Programs. collapse/main.c is compiled once a format, with -DFG_FORMAT=name.

$(COLLAPSERS:%=$(B)/%.o): $(B)/collapse-%.o: collapse/main.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)
$(B)/collapse-%.o: DEFINES = -DFG_FORMAT=$(subst -,_,$*)

# Every collapser knows the other formats by their probes. That of xctrace is compiled once
# more without the rest, so that only collapse-xctrace is linked with libxml2.
$(B)/probe/xctrace.o: DEFINES = -DFG_PROBE_ONLY
$(B)/probe/xctrace.o: collapse/xctrace/xctrace.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)
$(patsubst %,$(BIN)/%,$(filter-out collapse-xctrace,$(COLLAPSERS))): $(B)/probe/xctrace.o

LIB := $(B)/libflamepipe.a
$(COLLAPSERS:%=$(BIN)/%): $(BIN)/%: $(B)/%.o $(B)/libcollapse.a $(LIB)
$(BIN)/collapse-guess: $(B)/collapse/guess/main.o $(B)/libcollapse.a $(LIB)
$(BIN)/flamegraph: $(B)/flamegraph/main.o $(B)/libflamegraph.a $(LIB)
$(BIN)/diff-folded: $(B)/difffolded/main.o $(B)/libdifffolded.a $(LIB)
$(BIN)/report-folded: $(B)/reportfolded/main.o $(B)/libreportfolded.a $(LIB)
$(BIN)/filter-folded: $(B)/filterfolded/main.o $(B)/libfilterfolded.a $(LIB)
$(BIN)/collapse-%: LIBS = $(PERFDATA_LIBS)
$(BIN)/collapse-xctrace $(BIN)/collapse-guess: LIBS = libxml-2.0 $(PERFDATA_LIBS)
$(BIN)/flamegraph $(BIN)/diff-folded $(BIN)/filter-folded $(BIN)/report-folded: LIBS = $(SVG_LIBS)
$(PROGRAMS:%=$(BIN)/%):
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

# The parts in their order, of which some are in both.
FLAME_PARTS := start messages quote values options checks record run compare main
CARGO_PARTS := cargo messages quote values cargo-main
$(BIN)/flame: $(FLAME_PARTS:%=flame/%.sh)
$(BIN)/cargo-flame: $(CARGO_PARTS:%=flame/%.sh)
$(SCRIPTS:%=$(BIN)/%): VERSION
	@mkdir -p $(@D)
	$(call say,JOIN)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $(filter %.sh,$^) > $@
	$(Q)chmod 755 $@

.PHONY: FORCE all programs help demo clean
FORCE:

all: programs ## build the programs into build/bin

programs: $(PROGRAMS:%=$(BIN)/%) $(SCRIPTS:%=$(BIN)/%)

help: ## list the targets
	@sed -n 's/^\([a-z_.-]*\):.*## /\1\t/p' Makefile tests/tests.mk | expand -t 24

demo: ## build, then draw a flame graph and a differential one into build/demo
	@tools/need demo
	+@$(submake) all
	@BIN="$(CURDIR)/$(BIN)" tools/demo

clean: ## remove build/
	rm -rf build

# Installation.

INSTALLED := $(PROGRAMS) $(SCRIPTS)
MANUALS := $(wildcard man/*.[157])
# What each format's row in formats.def stands in for, as LINK=PROGRAM.
COMPAT := $(shell tools/compat-links collapse/formats.def)

# A folder below DESTDIR, as a word of the shell: either may have blanks.
dest = $(call quote,$(DESTDIR)$(1))
man_dest = $(call dest,$(MANDIR)/man$(subst .,,$(suffix $(1))))

.PHONY: install install-compat uninstall
install: all ## install programs, manuals and completions below PREFIX (/usr/local)
	$(INSTALL) -d $(call dest,$(BINDIR)) $(call dest,$(BASHDIR))
	$(INSTALL) -m 755 $(INSTALLED:%=build/bin/%) $(call dest,$(BINDIR))
	$(foreach m,$(MANUALS),$(INSTALL) -d $(call man_dest,$(m)) && \
		$(INSTALL) -m 644 $(m) $(call man_dest,$(m)) &&) :
	$(foreach p,$(INSTALLED),tools/completions build/bin/$(p) > $(call dest,$(BASHDIR)/$(p)) &&) :

install-compat: install ## also the names of the scripts that flamepipe stands in for
	tools/install-compat build/bin $(call dest,$(BINDIR)) $(COMPAT)

uninstall: ## remove what install and install-compat made
	rm -f $(foreach p,$(INSTALLED),$(call dest,$(BINDIR)/$(p)) $(call dest,$(BASHDIR)/$(p))) \
		$(foreach c,$(COMPAT),$(call dest,$(BINDIR)/$(firstword $(subst =, ,$(c))))) \
		$(foreach m,$(MANUALS),$(call man_dest,$(m))/$(notdir $(m)))

include tests/tests.mk

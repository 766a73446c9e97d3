# Builds and installs flamepipe. `make help` lists all targets; those for tests are in
# tests/tests.mk. The ones you need most often:
#
# make                  programs into build/bin, manuals into build/man, the library
# make programs         only the programs
# make demo             build, and draw some flame graphs into build/demo
# make check-quick      unit tests and goldens, a minute or two
# make check, lint      all tests; style and static analysis
# make install          below PREFIX (/usr/local), with DESTDIR before it
# make install-compat   install, and add the names of the scripts that we stand in for
# make bundle           after a change of the viewer: make its scripts anew (needs node)
# make clean            remove build/
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR are yours to set. Your flags come
# last on every command line, after ours. V=1 shows the commands. LIBRARY= leaves the library
# out.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
PKG_CONFIG ?= pkg-config
AR ?= ar
INSTALL ?= install
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")
# Quotes a word for the shell.
quote = '$(subst ','\'',$(1))'

VERSION := $(shell cat VERSION)

# Objects and archives go to B, programs to BIN. Tests build all again with other flags in a
# folder of their own, like `make B=build/san OPT=-O1`: see tests/tests.mk.
B := build/rel
BIN := $(patsubst build/rel/bin,build/bin,$(B)/bin)

# The formats are the rows of lib/recognize/formats.def: FORMAT(name, "older names"). An
# underscore in the name is a dash in the program's name.
FORMATS := $(shell sed -n 's/^FORMAT.\([a-z0-9_]*\),.*/\1/p' lib/recognize/formats.def)
COLLAPSERS := $(patsubst %,collapse-%,$(subst _,-,$(FORMATS)))
PROGRAMS := $(COLLAPSERS) collapse-guess flamegraph diff-folded filter-folded report-folded \
	flame cargo-flame
# Recording is for Linux, and needs its headers.
RECORDER := $(if $(shell $(or $(CC),cc) $(CPPFLAGS) -include linux/perf_event.h -E - \
	< /dev/null 2> /dev/null),record-perf)
PROGRAMS += $(RECORDER)
# Reads SVG with libxml2 for the other programs. Users do not start it.
HELPERS := flamepipe-svg

# ---- Libraries. pkg-config runs when a recipe needs its answer, not when this file is read,
# so `make help` and the installation of missing packages work without it.

# Lists of libraries may have options for the linker, like -lm.
cflags = $(if $(strip $(1)),$(shell $(PKG_CONFIG) --cflags $(filter-out -%,$(1))))
libs = $(shell $(PKG_CONFIG) --libs $(filter-out -%,$(1))) $(filter -%,$(1))
if_here = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))

# Libraries that may be missing. The programs then say so when an input needs them. pkg-config
# does not know libiberty. We look for them once, at the first use of the variable.
OPTIONAL = $(eval OPTIONAL := $$(foreach l,libzstd libelf,$$(call if_here,$$(l))) \
	$$(if $$(call if_here,libelf libdw),libdw) \
	$$(shell tools/have-libiberty $(CC) $(CFLAGS) $(LDFLAGS) && echo -liberty))$(OPTIONAL)
HERE_libzstd := -DFG_HAVE_LIBZSTD
HERE_libelf := -DFG_HAVE_LIBELF
HERE_libdw := -DFG_HAVE_LIBDW
HERE_-liberty := -DFG_HAVE_LIBIBERTY
FEATURES = $(foreach l,$(OPTIONAL),$(HERE_$(l)))

# The libraries whose headers an object includes, and the libraries of each program.
$(B)/lib/base/regex.o: NEEDS = libpcre2-8
$(B)/lib/base/gzip.o: NEEDS = zlib
$(B)/lib/base/unpack.o: NEEDS = zlib $(filter libzstd,$(OPTIONAL))
$(B)/record/compress.o: NEEDS = $(filter libzstd,$(OPTIONAL))
$(B)/collapse/symbols/%.o $(B)/collapse/formats/perf/data/%.o: NEEDS = $(filter-out -%,$(OPTIONAL))
$(B)/lib/base/deflate.o: NEEDS = libdeflate
$(B)/lib/base/xmlread.o $(B)/lib/base/xmlstart.o $(B)/library/xmlstart.o: NEEDS = libxml-2.0
BASE_LIBS = libpcre2-8 $(filter libzstd,$(OPTIONAL)) zlib -lm
SYMBOLS_LIBS = $(OPTIONAL) $(BASE_LIBS)
SVG_LIBS = libdeflate libxml-2.0 $(BASE_LIBS)

# The objects of these sources, except main.c.
objects = $(patsubst %.c,$(B)/%.o,$(filter-out %/main.c,$(wildcard $(1))))

# ---- Flags. We try once which hardening flags compiler and linker accept, at the first use.

HARDEN = $(eval HARDEN := $$(shell tools/hardening compile \
	$$(call quote,$$(CPPFLAGS) $$(CFLAGS)) $$(CC)))$(HARDEN)
HARDEN_LINK = $(eval HARDEN_LINK := $$(shell tools/hardening link \
	$$(call quote,$$(CFLAGS) $$(LDFLAGS)) $$(CC)))$(HARDEN_LINK)
# Keep symbols if the user asks for debug information, with CFLAGS=-g.
STRIP = $(if $(filter -g%,$(CFLAGS) $(LDFLAGS)),,-s)
OPT = -O2 $(HARDEN)
LINK = $(HARDEN_LINK) $(STRIP)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wconversion -Wno-sign-conversion -Wwrite-strings -Wvla -Wundef
FG_CPPFLAGS := -I. -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 \
	-DFG_VERSION='"$(VERSION)"'
FG_CFLAGS := -std=c11 -pthread $(WARNINGS)

compile = $(CC) $(FG_CPPFLAGS) $(FEATURES) $(DEFINES) $(call cflags,$(NEEDS)) $(FG_CFLAGS) \
	$(OPT) $(PIC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
link = $(CC) $(FG_CFLAGS) $(OPT) $(LINK) $(CFLAGS) $(LDFLAGS) -o $@ \
	$(filter %.o,$^) $(filter %.a,$^) $(call libs,$(LIBS)) $(LDLIBS)

# B/flags changes when a flag does, and then all objects are compiled again.
flags = $(CC) $(FG_CPPFLAGS) $(FEATURES) $(FG_CFLAGS) $(OPT) $(PIC) $(LINK) $(CPPFLAGS) $(CFLAGS) \
	$(LDFLAGS) $(LDLIBS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@now() { printf '%s\n' $(call quote,$(flags)); }; now | cmp -s - $@ || now > $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)

-include $(wildcard $(B)/*.d $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d $(B)/*/*/*/*/*.d \
	$(B)/*/*/*/*/*/*.d)

# ---- Archives. main.c of a folder is its program; the rest is an archive, which the tests
# link, too. libflamepipe.a comes last on each command line because the others need it.

ARCHIVES := $(patsubst %,$(B)/lib%.a,flame collapse flamegraph difffolded filterfolded \
	reportfolded $(if $(RECORDER),record) flamepipe)

$(B)/libflamepipe.a: $(call objects,lib/*/*.c)
$(B)/libcollapse.a: $(call objects,collapse/*.c collapse/*/*.c collapse/formats/*/*.c \
	collapse/formats/perf/*/*.c)
$(B)/libflame.a: $(call objects,flame/*.c flame/cargo/*.c)
$(B)/libflamegraph.a: $(call objects,flamegraph/*.c) $(B)/gen/assets.o
$(B)/libdifffolded.a: $(call objects,difffolded/*.c)
$(B)/libfilterfolded.a: $(call objects,filterfolded/*.c)
$(B)/libreportfolded.a: $(call objects,reportfolded/*.c)
$(B)/librecord.a: $(call objects,record/*.c)
$(ARCHIVES):
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The viewer in flamegraph: each script and style sheet becomes an array of bytes. `make bundle`
# makes these files. They are in the repository, so the build does not need node.
ASSETS := $(sort $(wildcard flamegraph/assets/*.js flamegraph/assets/*.css))

build/gen/assets.c: $(ASSETS) tools/embed
	@mkdir -p $(@D)
	$(Q)tools/embed $(ASSETS) > $@

$(B)/gen/assets.o: build/gen/assets.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(compile)

# ---- Programs. collapse/main.c is compiled once for each format, with -DFG_FORMAT=name.

$(COLLAPSERS:%=$(B)/%.o): $(B)/collapse-%.o: collapse/main.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile)
$(B)/collapse-%.o: DEFINES = -DFG_FORMAT=$(subst -,_,$*)

LIB := $(B)/libflamepipe.a
$(COLLAPSERS:%=$(BIN)/%): $(BIN)/%: $(B)/%.o $(B)/libcollapse.a $(LIB)
$(BIN)/collapse-guess: $(B)/collapse/guess/main.o $(B)/libcollapse.a $(LIB)
$(BIN)/flamegraph: $(B)/flamegraph/main.o $(B)/libflamegraph.a $(B)/libcollapse.a $(LIB)
$(BIN)/diff-folded: $(B)/difffolded/main.o $(B)/libdifffolded.a $(B)/libcollapse.a $(LIB)
$(BIN)/report-folded: $(B)/reportfolded/main.o $(B)/libreportfolded.a $(B)/libcollapse.a $(LIB)
$(BIN)/flame: $(B)/flame/main.o $(B)/libflame.a $(B)/libcollapse.a $(LIB)
$(BIN)/filter-folded: $(B)/filterfolded/main.o $(B)/libfilterfolded.a $(B)/libcollapse.a $(LIB)
$(BIN)/cargo-flame: $(B)/flame/cargo/main.o $(B)/libflame.a $(LIB)
$(BIN)/record-perf: $(B)/record/main.o $(B)/librecord.a $(LIB)
# A collapser has only its own grammar. The code that recognises the inputs of all formats is
# in lib/recognize, and needs none of the libraries that some grammars need.
$(BIN)/collapse-%: LIBS = $(BASE_LIBS)
$(BIN)/collapse-perf $(BIN)/collapse-firefox $(BIN)/collapse-gperftools $(BIN)/flame: \
	LIBS = $(SYMBOLS_LIBS)
$(BIN)/collapse-xctrace: LIBS = libxml-2.0 $(BASE_LIBS)
$(BIN)/collapse-guess: LIBS = libxml-2.0 $(SYMBOLS_LIBS)
$(BIN)/flamepipe-svg: $(B)/lib/svg/main.o $(LIB)
$(BIN)/diff-folded $(BIN)/filter-folded $(BIN)/report-folded: LIBS = $(BASE_LIBS)
$(BIN)/record-perf $(BIN)/cargo-flame: LIBS = $(BASE_LIBS)
$(BIN)/flamegraph: LIBS = libdeflate $(BASE_LIBS)
$(BIN)/flamepipe-svg: LIBS = $(SVG_LIBS)
# They run it to read a picture.
$(BIN)/flamegraph $(BIN)/diff-folded $(BIN)/filter-folded $(BIN)/report-folded: | $(BIN)/flamepipe-svg
$(patsubst %,$(BIN)/%,$(PROGRAMS) $(HELPERS)):
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(link)

# ---- The library: the same sources, compiled once more for other programs to load. They free
# memory by a function of the library; library/memory.h tells why, and library/memory.c takes
# the place of lib/base/xalloc.c. A static build leaves the library out.
LIBRARY ?= $(if $(filter -static%,$(CC) $(CFLAGS) $(LDFLAGS)),,libflamepipe)
SOVERSION := 1
ifeq ($(shell uname -s),Darwin)
SONAME := libflamepipe.$(SOVERSION).dylib
SOFILE := libflamepipe.$(VERSION).dylib
SOLINK := libflamepipe.dylib
SHARED = -dynamiclib -install_name $(LIBDIR)/$(SONAME)
localize = :
else
SONAME := libflamepipe.so.$(SOVERSION)
SOFILE := libflamepipe.so.$(VERSION)
SOLINK := libflamepipe.so
SHARED = -shared -Wl,-soname,$(SONAME) -Wl,--version-script=library/flamepipe.map
OBJCOPY ?= objcopy
localize = $(OBJCOPY) --localize-hidden
endif
LIBRARY_LIBS = libdeflate libxml-2.0 $(SYMBOLS_LIBS)
LIBRARY_OBJECTS = $(filter-out $(B)/lib/base/xalloc.o $(B)/lib/base/xmlstart.o \
	 $(B)/lib/base/cli.o, \
	$(call objects,library/*.c lib/*/*.c collapse/*.c collapse/*/*.c collapse/formats/*/*.c \
	collapse/formats/perf/*/*.c flamegraph/*.c difffolded/*.c filterfolded/*.c \
	reportfolded/*.c)) $(B)/gen/assets.o

# The library's objects go below B/pic. Another make builds them, like the variants for tests.
PIC_FLAGS := -fPIC -fvisibility=hidden -fasynchronous-unwind-tables -Dfree=fg_free
.PHONY: library library-files
library: build/gen/assets.c
	+$(Q)$(submake) B=$(B)/pic PIC="$(PIC_FLAGS)" library-files \
		$(foreach f,CFLAGS LDFLAGS,$(f)=$(call quote,$(filter-out -flto% -fPIE -fpie -pie,$($(f)))))
library-files: $(B)/so/$(SOFILE) $(B)/so/libflamepipe.a $(B)/so/flamepipe.pc
	@:

$(B)/so/$(SOFILE): LIBS = $(LIBRARY_LIBS)
$(B)/so/$(SOFILE): $(LIBRARY_OBJECTS) library/flamepipe.map
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(SHARED) $(FG_CFLAGS) $(OPT) $(PIC) $(filter-out -pie,$(LINK)) \
		$(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call libs,$(LIBS)) $(LDLIBS)
	$(Q)ln -sf $(SOFILE) $(@D)/$(SONAME) && ln -sf $(SONAME) $(@D)/$(SOLINK)

# The static library is one object, so that only the names of the header are visible.
$(B)/so/libflamepipe.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR)
	$(Q)$(CC) -r -nostdlib $(PIC) -o $(@D)/flamepipe.o $(filter %.o,$^)
	$(Q)$(localize) $(@D)/flamepipe.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(@D)/flamepipe.o

$(B)/so/flamepipe.pc: library/flamepipe.pc.in VERSION $(B)/flags FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@REQUIRES@|$(filter-out -%,$(LIBRARY_LIBS))|' \
		-e 's|@LIBS@|$(filter -%,$(LIBRARY_LIBS))|' $< > $@

# ---- Manuals. Text that several manuals share is in man/parts.
MANUALS := $(patsubst %,build/%,$(wildcard man/*.[1357]))

manuals: $(MANUALS)
build/man/%: man/% $(wildcard man/parts/*) tools/manual
	@mkdir -p $(@D)
	$(Q)tools/manual man/parts $< > $@

# Completions for bash, zsh and fish, made from the --help of the programs.
build/completions/made: tools/completions $(patsubst %,$(BIN)/%,$(PROGRAMS))
	$(Q)tools/completions $(@D) $(filter $(BIN)/%,$^)
	$(Q)touch $@

.PHONY: FORCE all built programs manuals completions help demo clean
FORCE:

built: programs manuals completions $(if $(LIBRARY),library)
all: built ## build the programs into build/bin, the manuals into build/man
	@$(MISSING)

# Names the missing libraries at the end of the build, where you see it.
MISSING = tools/need missing $(filter-out $(OPTIONAL:-l%=lib%),libelf libdw libzstd libiberty)

programs: $(patsubst %,$(BIN)/%,$(PROGRAMS) $(HELPERS))
completions: build/completions/made

help: ## list the targets
	@sed -n 's/^\([a-z_.-]*\):.*## /\1\t/p' Makefile tests/tests.mk | expand -t 24

# make expands a recipe before it runs the first line. So only makes that start after tools/need
# may look for libraries.
demo: ## build, then draw a flame graph and a differential one into build/demo
	@tools/need demo
	+@$(submake) built
	@BIN="$(CURDIR)/$(BIN)" tools/demo
	+@$(submake) all

clean: ## remove build/
	rm -rf build

# ---- Installation.

INSTALLED := $(PROGRAMS)
# The older tools that our programs stand in for, by formats.def: LINK=PROGRAM.
COMPAT := $(shell tools/compat-links lib/recognize/formats.def)

tell = $(if $(V),,@echo $(call quote,  $(1)))
# A folder below DESTDIR, quoted for the shell: either may have spaces in it.
dest = $(call quote,$(DESTDIR)$(1))
man_dest = $(call dest,$(MANDIR)/man$(subst .,,$(suffix $(1))))

.PHONY: install install-compat uninstall
install: built ## install programs, manuals and completions below PREFIX (/usr/local)
	$(call tell,$(words $(INSTALLED) $(HELPERS)) programs in $(DESTDIR)$(BINDIR))
	$(Q)$(INSTALL) -d $(call dest,$(BINDIR)) $(call dest,$(BASHDIR)) $(call dest,$(ZSHDIR)) \
		$(call dest,$(FISHDIR))
	$(Q)$(INSTALL) -m 755 $(patsubst %,build/bin/%,$(INSTALLED) $(HELPERS)) $(call dest,$(BINDIR))
	$(call tell,$(words $(MANUALS)) manuals in $(DESTDIR)$(MANDIR))
	$(Q)$(foreach m,$(MANUALS),$(INSTALL) -d $(call man_dest,$(m)) && \
		$(INSTALL) -m 644 $(m) $(call man_dest,$(m)) &&) :
	$(call tell,completions in $(DESTDIR)$(BASHDIR))
	$(Q)$(INSTALL) -m 644 $(INSTALLED:%=build/completions/bash/%) $(call dest,$(BASHDIR))
	$(call tell,completions in $(DESTDIR)$(ZSHDIR))
	$(Q)$(INSTALL) -m 644 $(INSTALLED:%=build/completions/zsh/_%) $(call dest,$(ZSHDIR))
	$(call tell,completions in $(DESTDIR)$(FISHDIR))
	$(Q)$(INSTALL) -m 644 $(INSTALLED:%=build/completions/fish/%.fish) $(call dest,$(FISHDIR))

ifneq ($(LIBRARY),)
install: install-library
endif
.PHONY: install-library
install-library: library ## install only the library
	$(call tell,the library in $(DESTDIR)$(LIBDIR))
	$(Q)$(INSTALL) -d $(call dest,$(LIBDIR)) $(call dest,$(INCLUDEDIR)) $(call dest,$(PKGCONFIGDIR))
	$(Q)$(INSTALL) -m 755 $(B)/pic/so/$(SOFILE) $(call dest,$(LIBDIR))
	$(Q)ln -sf $(SOFILE) $(call dest,$(LIBDIR))/$(SONAME)
	$(Q)ln -sf $(SONAME) $(call dest,$(LIBDIR))/$(SOLINK)
	$(Q)$(INSTALL) -m 644 $(B)/pic/so/libflamepipe.a $(call dest,$(LIBDIR))
	$(Q)$(INSTALL) -m 644 library/flamepipe.h $(call dest,$(INCLUDEDIR))
	$(Q)$(INSTALL) -m 644 $(B)/pic/so/flamepipe.pc $(call dest,$(PKGCONFIGDIR))

install-compat: install ## install, and add the names of the scripts that flamepipe stands in for
	$(call tell,$(words $(COMPAT)) names of older tools in $(DESTDIR)$(BINDIR))
	$(Q)AT=$(call quote,$(BINDIR)) tools/install-compat build/bin $(call dest,$(BINDIR)) $(COMPAT)

uninstall: ## remove what install and install-compat made
	$(call tell,removing what was installed in $(DESTDIR)$(BINDIR) and elsewhere)
	$(Q)rm -f $(foreach p,$(HELPERS),$(call dest,$(BINDIR)/$(p))) \
		$(foreach l,$(SOFILE) $(SONAME) $(SOLINK) libflamepipe.a,$(call dest,$(LIBDIR)/$(l))) \
		$(call dest,$(INCLUDEDIR)/flamepipe.h) $(call dest,$(PKGCONFIGDIR)/flamepipe.pc) \
		$(foreach p,$(INSTALLED),$(call dest,$(BINDIR)/$(p)) $(call dest,$(BASHDIR)/$(p)) \
			$(call dest,$(ZSHDIR)/_$(p)) $(call dest,$(FISHDIR)/$(p).fish)) \
		$(foreach c,$(COMPAT),$(call dest,$(BINDIR)/$(firstword $(subst =, ,$(c))))) \
		$(foreach m,$(MANUALS),$(call man_dest,$(m))/$(notdir $(m)))

# ---- The archive of a release, and a build from it.

.PHONY: dist distcheck package-deb package-rpm package-arch
dist: ## pack flamepipe-VERSION.tar.gz into build/dist, the same bytes for the same commit
	$(Q)tools/dist $(VERSION) build/dist

DISTCHECK ?= check-quick
distcheck: dist ## build, install and test (DISTCHECK) from that archive, without git or network
	$(Q)JOBS=$(JOBS) tools/distcheck build/dist/flamepipe-$(VERSION).tar.gz $(DISTCHECK)

package-deb: ## make Debian packages from that archive in build/deb, and run lintian
package-rpm: ## make RPM packages in build/rpm, and run rpmlint
package-arch: ## make an Arch package in build/arch
package-deb package-rpm package-arch: package-%: dist
	$(Q)JOBS=$(JOBS) tools/package $* build/dist/flamepipe-$(VERSION).tar.gz build/$*

include tests/tests.mk

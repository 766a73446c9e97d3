/* The symbols of ELF files. */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ELFSYMBOLS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ELFSYMBOLS_H

#include "collapse/formats/perf/data/elf.h"
#include "collapse/formats/perf/data/symtab.h"

/*
 * Appends the symbols of `e`, at their offsets in the file `runtime`, which is what was
 * mapped and may be `e` itself, and the entries of the PLT of `runtime`. Their names
 * are read from both when they are needed.
 */
void fg_pd_elf_symbols(struct fg_pd_elf *e, struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t);

#endif

/* The symbols of ELF files. */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ELFSYMBOLS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ELFSYMBOLS_H

#include "collapse/formats/perf/data/elf.h"
#include "collapse/formats/perf/data/symtab.h"

/*
 * Appends the symbols of `e`, and the PLT entries of `runtime`, the file that was
 * mapped (which may be `e` itself). Addresses are file offsets of `runtime`. Names are
 * read only when they are asked for, so both files must outlive `t`.
 */
void fg_pd_elf_symbols(struct fg_pd_elf *e, struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t);

#endif

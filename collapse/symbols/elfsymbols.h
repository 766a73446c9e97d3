/* The symbols of ELF files. */
#ifndef FG_COLLAPSE_SYMBOLS_ELFSYMBOLS_H
#define FG_COLLAPSE_SYMBOLS_ELFSYMBOLS_H

#include "collapse/symbols/elf.h"
#include "collapse/symbols/symtab.h"

/*
 * Appends the symbols of `e`, and the PLT entries of `runtime`, the file that was
 * mapped, which may be `e` itself. Addresses are file offsets of `runtime`. Names are
 * read from the files when they are needed, so both files must outlive `t`.
 */
void fg_elf_symbols(struct fg_elf *e, struct fg_elf *runtime, struct fg_symtab *t);

/*
 * Takes the name of a symbol, valid during the call, and the address it is linked at.
 */
typedef void fg_elf_take_name(void *data, const char *name, uint64_t address);

/*
 * Calls `take` for each symbol that the file defines, in the order of .symtab or,
 * without one, of .dynsym.
 */
void fg_elf_each_name(const struct fg_elf *e, fg_elf_take_name *take, void *data);

#endif

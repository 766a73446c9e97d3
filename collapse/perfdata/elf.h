/*
 * ELF files: build id, debug link, symbols. The only user of libelf.
 */
#ifndef FG_COLLAPSE_PERFDATA_ELF_H
#define FG_COLLAPSE_PERFDATA_ELF_H

#include "collapse/perfdata/buildid.h"
#include "collapse/perfdata/symtab.h"

struct fg_pd_elf;

/* Whether this program was built with libelf. */
bool fg_pd_elf_is_here(void);

/* Takes over a descriptor; NULL where the file is no ELF file. */
struct fg_pd_elf *fg_pd_elf_open(int fd);

/* The same of an image in memory, which is copied. */
struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image);

/* Accepts NULL. Names of symbols that were read from it end here. */
void fg_pd_elf_close(struct fg_pd_elf *e);

/* The length is 0 where it has none. */
struct fg_pd_build_id fg_pd_elf_build_id(const struct fg_pd_elf *e);

bool fg_pd_elf_has_symtab(const struct fg_pd_elf *e);
bool fg_pd_elf_has_dynsym(const struct fg_pd_elf *e);

/* Whether it has debug information (DWARF). */
bool fg_pd_elf_has_debug(const struct fg_pd_elf *e);

/*
 * Of a debug file that shares part of its debug information with others: the build id
 * of the file with that part. The length is 0 where it has none.
 */
struct fg_pd_build_id fg_pd_elf_shared_id(const struct fg_pd_elf *e);

/* The name of a separate debug file, borrowed; empty where there is none. */
struct fg_str fg_pd_elf_debug_link(const struct fg_pd_elf *e);

/* The address that an offset in the file is made for; false where it is not loaded. */
bool fg_pd_elf_address(const struct fg_pd_elf *e, uint64_t offset, uint64_t *address);

/* All of the file, borrowed. */
struct fg_str fg_pd_elf_bytes(const struct fg_pd_elf *e);

/* Its descriptor, borrowed; -1 where it is an image in memory. */
int fg_pd_elf_descriptor(const struct fg_pd_elf *e);

/*
 * Appends the symbols of `e`, at their offsets in the file `runtime`, which is what was
 * mapped and may be `e` itself, and the entries of the PLT of `runtime`. Their names
 * are borrowed from both.
 */
void fg_pd_elf_symbols(const struct fg_pd_elf *e, const struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t);

#endif

/*
 * ELF files: build id, debug link, what is in them at an offset.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ELF_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ELF_H

#include "collapse/formats/perf/data/buildid.h"

struct fg_pd_elf;

/* Whether this program was built with libelf. */
bool fg_pd_elf_is_here(void);

/*
 * Compressed sections may become so many times as large as the file, and this much
 * more, all together.
 */
#define FG_PD_INFLATED_TIMES 16
#define FG_PD_INFLATED_MAX (UINT64_C(64) << 20)

/*
 * Takes over a descriptor; NULL where the file is no ELF file, or, with errno EFBIG,
 * one whose sections are compressed too well to be true.
 *
 * The file is read, not mapped: one that is overwritten meanwhile is damaged, while a
 * page of a mapping that is no longer there ends the program.
 */
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

/* How many bytes the file has. */
uint64_t fg_pd_elf_size(const struct fg_pd_elf *e);

/* Whether any bytes of the file, which may be NULL, could not be read. */
bool fg_pd_elf_failed(const struct fg_pd_elf *e);

/* Copies bytes of the file; false where there are not so many. */
bool fg_pd_elf_read(const struct fg_pd_elf *e, uint64_t offset, void *to, size_t len);

/*
 * The string that is at an offset of the file, and ends in a NUL there; NULL where
 * there is none. It is valid until the file is closed.
 */
const char *fg_pd_elf_text(struct fg_pd_elf *e, uint64_t offset);

#endif

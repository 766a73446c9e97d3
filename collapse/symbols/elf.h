/*
 * ELF files: their build id and debug link, and which address a file offset has.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ELF_H
#define FG_COLLAPSE_SYMBOLS_ELF_H

#include "collapse/symbols/buildid.h"

struct fg_elf;

/* Whether this program was built with libelf. */
bool fg_elf_is_here(void);

/*
 * A file's compressed sections may inflate, all together, to FG_ELF_INFLATED_TIMES
 * times its size plus FG_ELF_INFLATED_MAX bytes: more is a bomb. So is a file that has
 * as many holes.
 */
#define FG_ELF_INFLATED_TIMES 16
#define FG_ELF_INFLATED_MAX (UINT64_C(64) << 20)

/*
 * Takes ownership of the descriptor. Returns NULL if the file is no ELF file or, with
 * errno EFBIG, if its compressed sections, or holes, go beyond the limit above.
 *
 * The file is read, not mapped: a file that is overwritten meanwhile is merely damaged,
 * where a mapping that has lost its pages would kill the program.
 */
struct fg_elf *fg_elf_open(int fd);

/* The same for an image in memory, which is copied. */
struct fg_elf *fg_elf_open_image(struct fg_str image);

/* Accepts NULL. Symbol names that were read from the file become invalid. */
void fg_elf_close(struct fg_elf *e);

/* The build id; its length is 0 if the file has none. */
struct fg_build_id fg_elf_build_id(const struct fg_elf *e);

bool fg_elf_has_symtab(const struct fg_elf *e);
bool fg_elf_has_dynsym(const struct fg_elf *e);

/* Whether it has debug information (DWARF). */
bool fg_elf_has_debug(const struct fg_elf *e);

/*
 * The build id of the file that holds the debug information which this debug file
 * shares with others (.gnu_debugaltlink, made by dwz). Its length is 0 if there is
 * none.
 */
struct fg_build_id fg_elf_shared_id(const struct fg_elf *e);

/* The file name in .gnu_debuglink, borrowed; empty if there is none. */
struct fg_str fg_elf_debug_link(const struct fg_elf *e);

/* The address that a file offset is linked at; false if no segment loads it. */
bool fg_elf_address(const struct fg_elf *e, uint64_t offset, uint64_t *address);

/* The reverse: the file offset of an address. False if no segment has it. */
bool fg_elf_offset(const struct fg_elf *e, uint64_t address, uint64_t *offset);

/* Returns the address that the first segment is linked at, or 0. */
uint64_t fg_elf_base(const struct fg_elf *e);

/* The file's size in bytes. */
uint64_t fg_elf_size(const struct fg_elf *e);

/* Whether a read of the file has failed so far; false for NULL. */
bool fg_elf_failed(const struct fg_elf *e);

/* Whether its names were too long, all together, to be read; false for NULL. */
bool fg_elf_inflates(const struct fg_elf *e);

/* Copies `len` bytes of the file; false if it ends before that. */
bool fg_elf_read(const struct fg_elf *e, uint64_t offset, void *to, size_t len);

/*
 * The NUL-terminated string at a file offset; NULL if there is none, or if this and
 * those before would be much more than the file. It is valid until the file is closed.
 */
const char *fg_elf_text(struct fg_elf *e, uint64_t offset);

#endif

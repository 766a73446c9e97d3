/*
 * Reads ELF files: their build id, debug link, and names of symbols. Also converts
 * between addresses and offsets in the file.
 *
 * Without libelf, fg_elf_open() always returns NULL and there are no symbols.
 */
#ifndef FG_COLLAPSE_SYMBOLS_ELF_H
#define FG_COLLAPSE_SYMBOLS_ELF_H

#include "collapse/symbols/buildid.h"

struct fg_elf;

/* Returns true if this program was built with libelf. */
bool fg_elf_is_here(void);

/*
 * All compressed sections of a file together may inflate to FG_ELF_INFLATED_TIMES times
 * its size plus FG_ELF_INFLATED_MAX bytes. If they inflate to more, the file is a bomb,
 * and we do not open it. The same limit holds for the size of a sparse file, compared
 * with its bytes outside of holes.
 */
#define FG_ELF_INFLATED_TIMES 16
#define FG_ELF_INFLATED_MAX (UINT64_C(64) << 20)

/*
 * Opens an ELF file. Takes ownership of the descriptor. Returns NULL if the file is not
 * an ELF file, or with EFBIG in errno if its compressed sections, or its holes, are
 * beyond the limit above.
 *
 * We read the file and do not map it. If somebody overwrites it, we only read wrong
 * data. A mapping that has lost its pages would kill the program.
 */
struct fg_elf *fg_elf_open(int fd);

/* Like fg_elf_open(), for an image in memory, which is copied. */
struct fg_elf *fg_elf_open_image(struct fg_str image);

/* Accepts NULL. Names of symbols that were read from the file become invalid. */
void fg_elf_close(struct fg_elf *e);

/* Returns the build id. Its length is 0 if the file has none. */
struct fg_build_id fg_elf_build_id(const struct fg_elf *e);

bool fg_elf_has_symtab(const struct fg_elf *e);
bool fg_elf_has_dynsym(const struct fg_elf *e);

/* Returns true if the file has debug information (DWARF). */
bool fg_elf_has_debug(const struct fg_elf *e);

/*
 * Returns the build id of the file with the debug information that this file shares
 * with others (.gnu_debugaltlink, made by dwz). Its length is 0 if there is none.
 */
struct fg_build_id fg_elf_shared_id(const struct fg_elf *e);

/* Returns the file name in .gnu_debuglink, borrowed. It is empty if there is none. */
struct fg_str fg_elf_debug_link(const struct fg_elf *e);

/*
 * Finds the address that a file offset is linked at. Returns false if no segment has
 * that offset.
 */
bool fg_elf_address(const struct fg_elf *e, uint64_t offset, uint64_t *address);

/* Finds the file offset of an address. Returns false if no segment has that address. */
bool fg_elf_offset(const struct fg_elf *e, uint64_t address, uint64_t *offset);

/* Returns the address that the first segment is linked at, or 0. */
uint64_t fg_elf_base(const struct fg_elf *e);

/* Returns the file's size in bytes. */
uint64_t fg_elf_size(const struct fg_elf *e);

/* Returns true if a read of the file has failed so far. Accepts NULL. */
bool fg_elf_failed(const struct fg_elf *e);

/*
 * Returns true if not all names could be read because together they are too long.
 * Accepts NULL.
 */
bool fg_elf_inflates(const struct fg_elf *e);

/* Copies `len` bytes of the file. Returns false if it ends before that. */
bool fg_elf_read(const struct fg_elf *e, uint64_t offset, void *to, size_t len);

/*
 * Returns the string at a file offset, valid until the file is closed. Returns NULL if
 * it has no end, or if all strings read so far would together be much longer than the
 * file.
 */
const char *fg_elf_text(struct fg_elf *e, uint64_t offset);

#endif

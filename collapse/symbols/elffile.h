/* The inside of an open ELF file, only for files that call libelf and libdw. */
#ifndef FG_COLLAPSE_SYMBOLS_ELFFILE_H
#define FG_COLLAPSE_SYMBOLS_ELFFILE_H

#include <errno.h>
#include <gelf.h>

#include "lib/base/arena.h"
#include "lib/base/xalloc.h"

/*
 * Ends the program if a call of libelf or libdw returned NULL for lack of memory, not
 * because it has nothing to return. Set errno to 0 before the call.
 */
static inline void fg_elf_check_memory(const void *got)
{
	if (!got && errno == ENOMEM)
		fg_out_of_memory();
}

/*
 * Bytes of memory that libdw may need for a few stacks, a binary, or an address. Before
 * such a call, we allocate that much and free it again, because libdw leaves out frames
 * or aborts if it gets no memory.
 */
#define FG_DWARF_SPARE ((size_t)4 << 20)

/* Returns a number of up to 8 bytes. `high_first` is true if the file is big-endian. */
static inline uint64_t fg_elf_number(struct fg_str bytes, bool high_first)
{
	uint64_t n = 0;

	for (size_t i = 0; i < bytes.len; i++) {
		size_t at = high_first ? i : bytes.len - 1 - i;

		n = n << 8 | (unsigned char)bytes.ptr[at];
	}
	return n;
}

/* A section and its header. */
struct fg_elf_section {
	Elf_Scn *scn; /* NULL if there is no such section */
	GElf_Shdr header;
};

/*
 * The bytes that were read last. We keep them because the next short read is usually
 * nearby.
 */
struct fg_elf_window {
	uint64_t at;
	size_t len;
	bool failed; /* a read of the file has failed */
	char bytes[1024];
};

struct fg_elf {
	Elf *elf;
	int fd;
	char *image; /* a copy of the file in memory, or NULL if we read from `fd` */
	uint64_t size;
	GElf_Ehdr header;
	size_t names; /* index of the section header string table */
	size_t segments;
	struct fg_elf_section symtab, dynsym;
	struct fg_elf_window *window;
	struct fg_arena texts; /* strings that fg_elf_text() has returned */
	uint64_t texts_left; /* bytes that fg_elf_text() may still read */
	bool inflates; /* fg_elf_text() was asked for more bytes than `texts_left` */
};

const char *fg_elf_section_name(const struct fg_elf *e, const GElf_Shdr *header);

/* Returns the first section with this name. */
struct fg_elf_section fg_elf_section(const struct fg_elf *e, const char *name);

/*
 * Returns a section's contents, as stored (raw) or in this machine's byte order (data).
 * Returns NULL if they cannot be read.
 */
Elf_Data *fg_elf_raw(const struct fg_elf_section *s);
Elf_Data *fg_elf_data(const struct fg_elf_section *s);

/* The place of a string table in the file, up to the last NUL in it. */
struct fg_elf_strings {
	uint64_t at, len;
};

/*
 * Returns the string table with this section index. It is empty if the section is not a
 * string table.
 */
struct fg_elf_strings fg_elf_strings(const struct fg_elf *e, size_t section);

/* Returns the string at an offset of a string table, or NULL if there is none. */
const char *fg_elf_string(const struct fg_elf *e, size_t section, size_t offset);

#endif

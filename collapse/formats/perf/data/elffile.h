/*
 * An open ELF file, for those who read it with libelf.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ELFFILE_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ELFFILE_H

#include <errno.h>
#include <gelf.h>

#include "lib/base/arena.h"
#include "lib/base/xalloc.h"

/*
 * After a call of libelf or libdw, before which errno was set to 0: they say NULL both
 * of what is not there and of what there was no memory for, which is a failure.
 */
static inline void fg_pd_check_memory(const void *got)
{
	if (!got && errno == ENOMEM)
		fg_out_of_memory();
}

/*
 * What libdw may need for a few stacks, a binary, or an address: where it gets none, it
 * leaves out frames, or ends the program without a word.
 */
#define FG_PD_SPARE ((size_t)4 << 20)

/* Where a section is, and what it is called. */
struct fg_pd_section {
	Elf_Scn *scn; /* NULL: there is none */
	GElf_Shdr header;
};

/* What was read last, as those who want few bytes want the next ones then. */
struct fg_pd_window {
	uint64_t at;
	size_t len;
	bool failed; /* something of the file could not be read */
	char bytes[1024];
};

struct fg_pd_elf {
	Elf *elf;
	int fd;
	char *image; /* a copy, or NULL */
	uint64_t size;
	GElf_Ehdr header;
	size_t names; /* the section of sections' names */
	size_t segments;
	struct fg_pd_section symtab, dynsym;
	struct fg_pd_window *window;
	struct fg_arena texts; /* strings that were read */
};

const char *fg_pd_elf_section_name(const struct fg_pd_elf *e, const GElf_Shdr *header);

/* The first section of that name. */
struct fg_pd_section fg_pd_elf_section(const struct fg_pd_elf *e, const char *name);

/*
 * The contents of a section, as they are or in this machine's byte order; NULL where
 * they cannot be read.
 */
Elf_Data *fg_pd_elf_raw(const struct fg_pd_section *s);
Elf_Data *fg_pd_elf_data(const struct fg_pd_section *s);

/* Strings in a file: of a section of them, up to the last that ends. */
struct fg_pd_strings {
	uint64_t at, len;
};

/* Those of the section with that number; none where it is of another kind. */
struct fg_pd_strings fg_pd_elf_strings(const struct fg_pd_elf *e, size_t section);

/* The string at an offset in a section of strings; NULL where there is none. */
const char *fg_pd_elf_string(const struct fg_pd_elf *e, size_t section, size_t offset);

struct fg_pd_symtab;

/* Appends the entries of the file's procedure linkage tables. */
void fg_pd_elf_add_plt(const struct fg_pd_elf *e, struct fg_pd_symtab *t);

#endif

/*
 * An open ELF file, for those who read it with libelf.
 */
#ifndef FG_COLLAPSE_PERFDATA_ELFFILE_H
#define FG_COLLAPSE_PERFDATA_ELFFILE_H

#include <gelf.h>

/* Where a section is, and what it is called. */
struct fg_pd_section {
	Elf_Scn *scn; /* NULL: there is none */
	GElf_Shdr header;
};

struct fg_pd_elf {
	Elf *elf;
	int fd;
	char *image; /* a copy, or NULL */
	GElf_Ehdr header;
	size_t names; /* the section of sections' names */
	size_t segments;
	struct fg_pd_section symtab, dynsym;
};

const char *fg_pd_elf_section_name(const struct fg_pd_elf *e, const GElf_Shdr *header);

/* The first section of that name. */
struct fg_pd_section fg_pd_elf_section(const struct fg_pd_elf *e, const char *name);

struct fg_pd_symtab;

/* Appends the entries of the file's procedure linkage tables. */
void fg_pd_elf_add_plt(const struct fg_pd_elf *e, struct fg_pd_symtab *t);

#endif

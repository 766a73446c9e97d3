/*
 * Entries of procedure linkage tables, which have the names of what they call:
 * "read@plt".
 *
 * perf before 6.3 knows those of .plt only (tools/perf/util/symbol-elf.c).
 */
#include "collapse/formats/perf/data/elf.h"

#ifdef FG_HAVE_LIBELF
#include <stdlib.h>

#include "collapse/formats/perf/data/elffile.h"
#include "collapse/formats/perf/data/symtab.h"
#include "lib/base/xalloc.h"

#define FLAGS (FG_PD_SYMBOL_PLT | FG_PD_SYMBOL_SIZED | FG_PD_SYMBOL_GLOBAL)
#define X86_ENTRY 16

/*
 * How long an entry of the PLT is, and what comes before the first. lld does not say;
 * perf before 6.3, which believes it, has no names for its entries.
 */
struct plt_shape {
	uint64_t header, entry;
};

static struct plt_shape plt_shape(const struct fg_pd_elf *e, const GElf_Shdr *plt)
{
	struct plt_shape shape = { plt->sh_entsize, plt->sh_entsize };

	switch (e->header.e_machine) {
	case EM_ARM:
		return (struct plt_shape){ 20, 12 };
	case EM_AARCH64:
		return (struct plt_shape){ 32, 16 };
	case EM_X86_64:
		return (struct plt_shape){ X86_ENTRY, X86_ENTRY };
	default:
		return shape;
	}
}

/* What names of those that are called are looked up by. */
struct callees {
	const struct fg_pd_elf *e;
	struct fg_pd_strings strings;
	char *symbols; /* the first of .dynsym, as those are that others define */
	size_t len;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct callees callees_of(const struct fg_pd_elf *e)
{
	struct callees c = { .e = e };
	struct fg_pd_section jumps = fg_pd_elf_section(e, ".rela.plt");

	if (!e->dynsym.scn)
		return c;
	c.strings = fg_pd_elf_strings(e, e->dynsym.header.sh_link);
	c.len = (size_t)least(
		least(e->dynsym.header.sh_size, e->size),
		4096 + (jumps.scn ? least(jumps.header.sh_size, 65536) : 0));
	c.symbols = fg_xmalloc(c.len);
	if (!fg_pd_elf_read(e, e->dynsym.header.sh_offset, c.symbols, c.len))
		c.len = 0;
	return c;
}

#define AT_ONCE 256

/*
 * A section of relocations, of which some are here: those of a browser take 10 MB, and
 * libelf keeps what it has read.
 */
struct relocations {
	const struct fg_pd_elf *e;
	struct fg_pd_section section; /* there is none: no count */
	Elf_Type type;
	size_t each;
	uint64_t count;
	uint64_t first, end; /* those that are here */
	char bytes[AT_ONCE * sizeof(Elf64_Rela)];
};

static void find_relocations(const struct fg_pd_elf *e, const char *name,
			     struct relocations *r)
{
	const GElf_Shdr *header = &r->section.header;

	r->e = e;
	r->section = fg_pd_elf_section(e, name);
	r->type = header->sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL;
	r->each = gelf_fsize(e->elf, r->type, 1, EV_CURRENT);
	r->count = r->first = r->end = 0;
	if (r->section.scn && e->dynsym.scn &&
	    (header->sh_type == SHT_RELA || header->sh_type == SHT_REL) &&
	    header->sh_link == elf_ndxscn(e->dynsym.scn) &&
	    header->sh_offset <= e->size &&
	    header->sh_size <= e->size - header->sh_offset)
		r->count = header->sh_size / r->each;
}

static bool read_around(struct relocations *r, uint64_t index)
{
	uint64_t first = index - index % AT_ONCE;
	size_t len = (size_t)(least(r->count - first, AT_ONCE) * r->each);
	Elf_Data data = { .d_buf = r->bytes,
			  .d_type = r->type,
			  .d_version = EV_CURRENT,
			  .d_size = len };

	r->first = first;
	r->end = first + len / r->each;
	return fg_pd_elf_read(r->e, r->section.header.sh_offset + first * r->each,
			      r->bytes, len) &&
	       gelf_xlatetom(r->e->elf, &data, &data, r->e->header.e_ident[EI_DATA]);
}

/* A relocation, by what all kinds of them start with; false: it cannot be read. */
static bool relocation_at(struct relocations *r, uint64_t index, Elf64_Rel *to)
{
	bool is_here = index >= r->first && index < r->end;
	const char *bytes;
	Elf32_Rel narrow;

	if (index >= r->count || (!is_here && !read_around(r, index)))
		return false;
	bytes = r->bytes + (index - r->first) * r->each;
	if (r->e->header.e_ident[EI_CLASS] != ELFCLASS32) {
		memcpy(to, bytes, sizeof(*to));
		return true;
	}
	memcpy(&narrow, bytes, sizeof(narrow));
	to->r_offset = narrow.r_offset;
	to->r_info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(narrow.r_info), 0);
	return true;
}

/* Where the name is of the symbol that a relocation is of; 0: there is none. */
static uint64_t relocated_name(const struct callees *c, const Elf64_Rel *relocation)
{
	const struct fg_pd_elf *e = c->e;
	uint64_t symbol = ELF64_R_SYM(relocation->r_info);
	size_t size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	uint32_t name; /* the first that both kinds of symbols have */
	Elf_Data word = { .d_buf = &name,
			  .d_type = ELF_T_WORD,
			  .d_version = EV_CURRENT,
			  .d_size = sizeof(name) };
	uint64_t at;

	if (symbol >= e->dynsym.header.sh_size / size)
		return 0;
	at = symbol * size;
	if (c->len >= sizeof(name) && at <= c->len - sizeof(name))
		memcpy(&name, c->symbols + at, sizeof(name));
	else if (!fg_pd_elf_read(e, e->dynsym.header.sh_offset + at, &name,
				 sizeof(name)))
		return 0;
	if (!gelf_xlatetom(e->elf, &word, &word, e->header.e_ident[EI_DATA]) ||
	    name >= c->strings.len)
		return 0;
	return c->strings.at + name;
}

/* Entry i of the PLT calls what relocation i is of. */
static void add_lazy(const struct callees *c, struct fg_pd_symtab *t)
{
	const struct fg_pd_elf *e = c->e;
	struct fg_pd_section plt = fg_pd_elf_section(e, ".plt");
	struct plt_shape shape = { 0, 0 };
	struct relocations jumps;
	uint64_t count;

	find_relocations(e, ".rela.plt", &jumps);
	if (!jumps.section.scn)
		find_relocations(e, ".rel.plt", &jumps);
	if (plt.scn && jumps.section.header.sh_entsize)
		shape = plt_shape(e, &plt.header);
	if (!shape.entry || plt.header.sh_size < shape.header)
		return;
	count = (plt.header.sh_size - shape.header) / shape.entry;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Rel relocation;
		uint64_t name = 0;

		if (relocation_at(&jumps, i, &relocation))
			name = relocated_name(c, &relocation);
		if (!name)
			break;
		fg_pd_symtab_add_unread(
			t, plt.header.sh_offset + shape.header + i * shape.entry,
			shape.entry, name, FLAGS);
	}
}

/* ---- x86-64: tables whose entries jump to where a slot says */

/* An entry, and the slot that it jumps by. */
struct entry {
	uint64_t slot, offset;
	uint64_t name; /* where it is; 0: nowhere */
};

struct entries {
	struct entry *list;
	size_t count, alloc;
	size_t unnamed;
	uint64_t size; /* of each */
};

/* "jmp *DISPLACEMENT(%rip)", which "endbr64" or "bnd" may stand before. */
static bool read_slot(struct fg_str code, uint64_t address, uint64_t *slot)
{
	for (size_t at = 0; at + 6 <= code.len && at <= 5; at++) {
		const unsigned char *byte = (const unsigned char *)code.ptr + at;
		uint32_t displacement = byte[2] | (uint32_t)byte[3] << 8 |
					(uint32_t)byte[4] << 16 |
					(uint32_t)byte[5] << 24;

		if (byte[0] != 0xff || byte[1] != 0x25)
			continue;
		*slot = address + at + 6 + (uint64_t)(int64_t)(int32_t)displacement;
		return true;
	}
	return false;
}

static void read_entries(const struct fg_pd_section *table, struct entries *to)
{
	const Elf_Data *data = fg_pd_elf_raw(table);
	uint64_t size = table->header.sh_entsize == 8 ? 8 : X86_ENTRY;

	to->size = size;
	if (!data)
		return;
	for (size_t at = 0; at + size <= data->d_size; at += size) {
		struct fg_str code = fg_str_of((const char *)data->d_buf + at, size);
		struct entry entry = { .offset = table->header.sh_offset + at };

		if (!read_slot(code, table->header.sh_addr + at, &entry.slot))
			continue;
		FG_GROW(to->list, to->alloc, to->count + 1);
		to->list[to->count++] = entry;
	}
	to->unnamed = to->count;
}

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* Relocations of slots come after those of data: the last are looked at first. */
static void name_entries(const struct callees *c, const char *section,
			 struct entries *to)
{
	struct relocations relocations;
	uint64_t i;

	find_relocations(c->e, section, &relocations);
	if (relocations.type != ELF_T_RELA)
		return;
	for (i = relocations.count; i-- && to->unnamed;) {
		struct entry *entry, key = { .slot = 0 };
		Elf64_Rel relocation;

		if (!relocation_at(&relocations, i, &relocation))
			return;
		key.slot = relocation.r_offset;
		entry = bsearch(&key, to->list, to->count, sizeof(key), compare);
		if (!entry || entry->name)
			continue;
		entry->name = relocated_name(c, &relocation);
		to->unnamed--;
	}
}

static void add_jumps(const struct callees *c, const char *section,
		      struct fg_pd_symtab *t)
{
	const struct fg_pd_elf *e = c->e;
	struct fg_pd_section table = fg_pd_elf_section(e, section);
	struct entries entries = { .count = 0 };

	if (!table.scn || !e->dynsym.scn)
		return;
	read_entries(&table, &entries);
	if (entries.count)
		qsort(entries.list, entries.count, sizeof(*entries.list), compare);
	name_entries(c, ".rela.plt", &entries);
	name_entries(c, ".rela.dyn", &entries);
	for (size_t i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];
		char first;

		if (entry->name && fg_pd_elf_read(e, entry->name, &first, 1) && first)
			fg_pd_symtab_add_unread(t, entry->offset, entries.size,
						entry->name, FLAGS);
	}
	free(entries.list);
}

void fg_pd_elf_add_plt(const struct fg_pd_elf *e, struct fg_pd_symtab *t)
{
	struct callees c = callees_of(e);

	add_lazy(&c, t);
	if (e->header.e_machine == EM_X86_64) {
		add_jumps(&c, ".plt.sec", t);
		add_jumps(&c, ".plt.got", t);
	}
	free(c.symbols);
}

#endif

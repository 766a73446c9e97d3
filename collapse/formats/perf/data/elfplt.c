/*
 * Entries of procedure linkage tables, which have the names of what they call:
 * "read@plt".
 *
 * Names are those of perf 6.3 and later (tools/perf/util/symbol-elf.c). perf before
 * that knows the entries of .plt only, by their order, and none of static binaries.
 */
#include "collapse/formats/perf/data/elf.h"

#ifdef FG_HAVE_LIBELF
#include <stdlib.h>

#include "collapse/formats/perf/data/elffile.h"
#include "collapse/formats/perf/data/symtab.h"
#include "lib/base/xalloc.h"

#define FLAGS_HEAD (FG_PD_SYMBOL_SIZED | FG_PD_SYMBOL_GLOBAL)
#define FLAGS (FG_PD_SYMBOL_PLT | FLAGS_HEAD)
#define X86_ENTRY 16

/*
 * How long an entry of the PLT is, and what comes before the first.
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
	default:
		return shape;
	}
}

/* Tables for looking up the names of what is called. */
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
	bool named; /* their symbols are in .dynsym */
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
	r->named = r->section.scn && e->dynsym.scn &&
		   header->sh_link == elf_ndxscn(e->dynsym.scn);
	if (r->section.scn &&
	    (header->sh_type == SHT_RELA || header->sh_type == SHT_REL) &&
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

/* Reads a relocation. Returns false if it cannot be read. */
static bool relocation_at(struct relocations *r, uint64_t index, Elf64_Rela *to)
{
	bool is_here = index >= r->first && index < r->end;
	const char *bytes;
	Elf32_Rela narrow = { .r_addend = 0 };

	if (index >= r->count || (!is_here && !read_around(r, index)))
		return false;
	bytes = r->bytes + (index - r->first) * r->each;
	memset(to, 0, sizeof(*to));
	if (r->e->header.e_ident[EI_CLASS] != ELFCLASS32) {
		memcpy(to, bytes, r->each);
		return true;
	}
	memcpy(&narrow, bytes, r->each);
	to->r_offset = narrow.r_offset;
	to->r_info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(narrow.r_info),
				  ELF32_R_TYPE(narrow.r_info));
	to->r_addend = narrow.r_addend;
	return true;
}

/* Returns where the name of a relocation's symbol is; 0: nowhere. */
static uint64_t relocated_name(const struct callees *c, const Elf64_Rela *relocation)
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

/* Adds the entries of .plt: entry i calls the symbol of relocation i. */
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
	if (plt.scn && jumps.named && jumps.section.header.sh_entsize)
		shape = plt_shape(e, &plt.header);
	if (!shape.entry || plt.header.sh_size < shape.header)
		return;
	count = (plt.header.sh_size - shape.header) / shape.entry;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Rela relocation;
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
	/* where its symbol's name is, or the symbol itself of an ifunc; 0: nowhere */
	uint64_t name;
	bool known; /* by a relocation of the slot */
	bool is_ifunc;
};

struct entries {
	struct entry *list;
	size_t count, alloc;
	size_t unknown;
	uint64_t size; /* of each */
};

/*
 * Finds "jmp *DISPLACEMENT(%rip)" in an entry. The head of a table, which calls the
 * linker, has "push DISPLACEMENT(%rip)" before it and is no entry.
 */
static bool read_slot(struct fg_str code, uint64_t address, uint64_t *slot)
{
	for (size_t at = 0; at + 6 <= code.len; at++) {
		const unsigned char *byte = (const unsigned char *)code.ptr + at;
		uint32_t displacement = byte[2] | (uint32_t)byte[3] << 8 |
					(uint32_t)byte[4] << 16 |
					(uint32_t)byte[5] << 24;

		if (byte[0] != 0xff || (byte[1] != 0x25 && byte[1] != 0x35))
			continue;
		*slot = address + at + 6 + (uint64_t)(int64_t)(int32_t)displacement;
		return byte[1] == 0x25;
	}
	return false;
}

/* Not all linkers give the length of entries. Then it is the alignment of the table. */
static uint64_t entry_size(const GElf_Shdr *table)
{
	bool says = table->sh_entsize == 8 || table->sh_entsize == X86_ENTRY;

	return (says ? table->sh_entsize : table->sh_addralign) == 8 ? 8 : X86_ENTRY;
}

static void read_entries(const struct fg_pd_section *table, struct entries *to)
{
	const Elf_Data *data = fg_pd_elf_raw(table);
	uint64_t size = entry_size(&table->header);

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
	to->unknown = to->count;
}

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* Returns the file offset of an address; 0: it is not in the file. */
static uint64_t offset_of(const struct fg_pd_elf *e, uint64_t address)
{
	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(e->elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
			return address - p.p_vaddr + p.p_offset;
	}
	return 0;
}

/* The function of an ifunc is chosen at run time, by what the addend leads to. */
static void set_name(const struct callees *c, const struct relocations *r,
		     const Elf64_Rela *relocation, struct entry *entry)
{
	entry->known = true;
	entry->is_ifunc = ELF64_R_TYPE(relocation->r_info) == R_X86_64_IRELATIVE;
	if (entry->is_ifunc)
		entry->name = offset_of(c->e, (uint64_t)relocation->r_addend);
	else if (r->named)
		entry->name = relocated_name(c, relocation);
}

/* Relocations of slots come after those of data, so the search starts at the end. */
static void name_entries(const struct callees *c, const char *section,
			 struct entries *to)
{
	struct relocations relocations;
	uint64_t i;

	find_relocations(c->e, section, &relocations);
	if (relocations.type != ELF_T_RELA)
		return;
	for (i = relocations.count; i-- && to->unknown;) {
		struct entry *entry, key = { .slot = 0 };
		Elf64_Rela relocation;

		if (!relocation_at(&relocations, i, &relocation))
			return;
		key.slot = relocation.r_offset;
		entry = bsearch(&key, to->list, to->count, sizeof(key), compare);
		if (!entry || entry->known)
			continue;
		set_name(c, &relocations, &relocation, entry);
		to->unknown--;
	}
}

/* An entry that calls something without a name is called by where it is. */
static void add_entry(const struct entry *entry, uint64_t size, struct fg_pd_symtab *t)
{
	uint32_t flags = FLAGS | (entry->is_ifunc ? FG_PD_SYMBOL_IFUNC : 0);

	if (entry->name)
		fg_pd_symtab_add_unread(t, entry->offset, size, entry->name, flags);
	else
		fg_pd_symtab_add(t, entry->offset, size, "", FLAGS);
}

static void add_jumps(const struct callees *c, const char *section,
		      struct fg_pd_symtab *t)
{
	struct fg_pd_section table = fg_pd_elf_section(c->e, section);
	struct entries entries = { .count = 0 };
	uint64_t head;

	if (!table.scn)
		return;
	read_entries(&table, &entries);
	if (entries.count)
		qsort(entries.list, entries.count, sizeof(*entries.list), compare);
	name_entries(c, ".rela.plt", &entries);
	name_entries(c, ".rela.dyn", &entries);
	head = table.header.sh_size;
	for (size_t i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];

		if (!entry->known)
			continue;
		add_entry(entry, entries.size, t);
		head = least(head, entry->offset - table.header.sh_offset);
	}
	/* where the linker is called, or all of it if .plt.sec has the entries */
	if (head && !strcmp(section, ".plt"))
		fg_pd_symtab_add(t, table.header.sh_offset, head, ".plt", FLAGS_HEAD);
	free(entries.list);
}

void fg_pd_elf_add_plt(const struct fg_pd_elf *e, struct fg_pd_symtab *t)
{
	struct callees c = callees_of(e);

	if (e->header.e_machine == EM_X86_64) {
		add_jumps(&c, ".plt", t);
		add_jumps(&c, ".plt.sec", t);
		add_jumps(&c, ".plt.got", t);
	} else {
		add_lazy(&c, t);
	}
	free(c.symbols);
}

#endif

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

/* Where the name is of the symbol that a relocation is of; 0: there is none. */
static uint64_t relocated_name(const struct callees *c, Elf_Data *relocations,
			       int index)
{
	const struct fg_pd_elf *e = c->e;
	size_t size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Rela rela;
	GElf_Rel rel;
	uint32_t name; /* the first that both kinds of symbols have */
	Elf_Data word = { .d_buf = &name,
			  .d_type = ELF_T_WORD,
			  .d_version = EV_CURRENT,
			  .d_size = sizeof(name) };
	uint64_t info, at;

	if (gelf_getrela(relocations, index, &rela))
		info = rela.r_info;
	else if (gelf_getrel(relocations, index, &rel))
		info = rel.r_info;
	else
		return 0;
	if (GELF_R_SYM(info) >= e->dynsym.header.sh_size / size)
		return 0;
	at = GELF_R_SYM(info) * size;
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
	struct fg_pd_section jumps = fg_pd_elf_section(e, ".rela.plt");
	struct plt_shape shape;
	Elf_Data *data;
	uint64_t count;

	if (!jumps.scn)
		jumps = fg_pd_elf_section(e, ".rel.plt");
	if (!e->dynsym.scn || !plt.scn || !jumps.scn || !jumps.header.sh_entsize ||
	    jumps.header.sh_link != elf_ndxscn(e->dynsym.scn))
		return;
	data = fg_pd_elf_data(&jumps);
	shape = plt_shape(e, &plt.header);
	if (!data || !shape.entry || plt.header.sh_size < shape.header)
		return;
	count = (plt.header.sh_size - shape.header) / shape.entry;
	for (uint64_t i = 0; i < count && i < INT32_MAX; i++) {
		uint64_t name = relocated_name(c, data, (int)i);

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
	const struct fg_pd_elf *e = c->e;
	struct fg_pd_section s = fg_pd_elf_section(e, section);
	Elf_Data *data = fg_pd_elf_data(&s);
	size_t count;

	if (!data || s.header.sh_type != SHT_RELA ||
	    s.header.sh_link != elf_ndxscn(e->dynsym.scn))
		return;
	count = data->d_size / gelf_fsize(e->elf, ELF_T_RELA, 1, EV_CURRENT);
	for (size_t i = count < INT32_MAX ? count : INT32_MAX; i-- && to->unnamed;) {
		struct entry *entry, key = { .slot = 0 };
		GElf_Rela rela;

		if (!gelf_getrela(data, (int)i, &rela))
			return;
		key.slot = rela.r_offset;
		entry = bsearch(&key, to->list, to->count, sizeof(key), compare);
		if (!entry || entry->name)
			continue;
		entry->name = relocated_name(c, data, (int)i);
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

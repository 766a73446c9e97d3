/*
 * Reads the symbols of ELF files: chooses symbols of code and data, and finds their
 * offsets in the file.
 *
 * We choose the same symbols as tools/perf/util/symbol-elf.c. Names stay in the file,
 * because they are most of the table and only a few are needed.
 */
#include "collapse/symbols/elfsymbols.h"

#ifdef FG_HAVE_LIBELF
#include <stdlib.h>

#include "collapse/symbols/elf.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/symtab.h"
#include "lib/base/xalloc.h"

/* The most bytes that we read of a section's name. */
#define SECTION_NAME_MAX 256

/* The facts about a section that matter to the symbols in it. */
struct place {
	bool known; /* the other fields are set */
	bool is_loaded, is_code;
	uint64_t address, offset, size;
	bool is_mapped; /* one segment has the whole section */
	/*
	 * with is_mapped: added to an address, it gives the offset in the mapped file
	 */
	uint64_t shift;
};

/* State while one table is read. */
struct table {
	const struct fg_elf *e, *runtime;
	struct fg_symtab *to;
	struct fg_elf_strings strings; /* the string table with the names */
	struct place *places; /* indexed by section number */
	size_t count;
	GElf_Phdr *segments; /* loaded segments of `runtime` */
	size_t segment_count;
};

/*
 * Returns at most the first SECTION_NAME_MAX bytes of a section's name. We search in
 * the name of each section, and in a malformed file many sections may share a very long
 * name.
 */
static struct fg_str start_of(const char *name)
{
	return fg_str_of(name, strnlen(name, SECTION_NAME_MAX));
}

/*
 * Reads the facts about a section. `is_code` is true for sections in which we want
 * labels.
 */
static struct place look_at_section(const struct fg_elf *e, size_t index)
{
	struct place place = { .known = true };
	Elf_Scn *scn = elf_getscn(e->elf, index);
	struct fg_str name;
	GElf_Shdr header;

	if (!scn || !gelf_getshdr(scn, &header))
		return place;
	name = start_of(fg_elf_section_name(e, &header));
	place.is_loaded = header.sh_flags & SHF_ALLOC;
	place.is_code =
		fg_str_has(name, FG_STR("text")) || fg_str_has(name, FG_STR("data"));
	place.address = header.sh_addr;
	place.offset = header.sh_offset;
	place.size = header.sh_size;
	return place;
}

static bool is_in(const GElf_Phdr *segment, uint64_t value)
{
	return value >= segment->p_vaddr && value - segment->p_vaddr < segment->p_memsz;
}

/* Returns the segment that is loaded at an address, or NULL. */
static const GElf_Phdr *segment_of(const struct table *t, uint64_t address)
{
	for (size_t i = 0; i < t->segment_count; i++)
		if (is_in(&t->segments[i], address))
			return &t->segments[i];
	return NULL;
}

static void look_at_segment(const struct table *t, struct place *place)
{
	const GElf_Phdr *segment = segment_of(t, place->address);

	if (!segment || !place->size ||
	    segment->p_memsz - (place->address - segment->p_vaddr) < place->size)
		return;
	place->is_mapped = true;
	place->shift = segment->p_offset - segment->p_vaddr;
}

/*
 * Returns the offset of an address in the mapped file, by its segment or, if it has
 * none, by its section.
 */
static uint64_t offset_of(const struct table *t, const struct place *place,
			  uint64_t value)
{
	const GElf_Phdr *segment;

	if (place->is_mapped && value - place->address < place->size)
		return value + place->shift;
	segment = segment_of(t, value);
	if (segment)
		return value - segment->p_vaddr + segment->p_offset;
	return value - place->address + place->offset;
}

/* Returns the section of a symbol, or NULL. */
static const struct place *place_of(const struct table *t, const Elf64_Sym *symbol)
{
	size_t index = symbol->st_shndx;

	if (index == SHN_UNDEF || index >= t->count)
		return NULL;
	if (!t->places[index].known) {
		t->places[index] = look_at_section(t->e, index);
		look_at_segment(t, &t->places[index]);
	}
	return &t->places[index];
}

/*
 * Returns true for the names of ARM's mapping symbols, such as "$a" and "$d", which
 * mark where code and data start.
 */
static bool is_mapping_symbol(const struct fg_elf *e, uint64_t name_at)
{
	char name[3] = { 0 };

	if (e->header.e_machine != EM_ARM && e->header.e_machine != EM_AARCH64)
		return false;
	for (size_t i = 0; i < sizeof(name) && (!i || name[i - 1]); i++)
		if (!fg_elf_read(e, name_at + i, &name[i], 1))
			return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (!name[2] || name[2] == '.');
}

static bool is_wanted(const struct table *t, const Elf64_Sym *symbol,
		      const struct place *place)
{
	unsigned visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (!place || !place->is_loaded)
		return false;
	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
	    (!place->is_code || visibility == STV_HIDDEN || visibility == STV_INTERNAL))
		return false;
	return !is_mapping_symbol(t->e, t->strings.at + symbol->st_name);
}

static uint32_t flags_of(const Elf64_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	unsigned binding = GELF_ST_BIND(symbol->st_info);

	return (symbol->st_size ? FG_SYMBOL_SIZED : 0) |
	       (type == STT_NOTYPE ? FG_SYMBOL_UNTYPED : 0) |
	       (binding == STB_WEAK ? FG_SYMBOL_WEAK : 0) |
	       (binding == STB_GLOBAL ? FG_SYMBOL_GLOBAL : 0);
}

static uint64_t value_of(const struct fg_elf *e, const Elf64_Sym *symbol)
{
	if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		/* the lowest bit marks Thumb code */
		return symbol->st_value & ~UINT64_C(1);
	return symbol->st_value;
}

/*
 * Returns the most bytes that a symbol without a size can have: up to the end of its
 * section. Otherwise _init would reach into the PLT, whose entries have names of their
 * own.
 */
static uint64_t room_of(const struct place *place, uint64_t value)
{
	uint64_t at = value - place->address;

	return at < place->size ? place->size - at : 0;
}

static void add_symbol(struct table *t, const Elf64_Sym *symbol)
{
	const unsigned types = 1U << STT_NOTYPE | 1U << STT_FUNC | 1U << STT_OBJECT |
			       1U << STT_GNU_IFUNC;
	const struct place *place;
	uint64_t value, size;

	if (!(types >> GELF_ST_TYPE(symbol->st_info) & 1) || !symbol->st_name ||
	    symbol->st_name >= t->strings.len)
		return;
	place = place_of(t, symbol);
	if (!is_wanted(t, symbol, place))
		return;
	value = value_of(t->e, symbol);
	size = symbol->st_size ? symbol->st_size : room_of(place, value);
	fg_symtab_add_unread(t->to, offset_of(t, place, value), size,
			     t->strings.at + symbol->st_name, flags_of(symbol));
}

/* The symbols that we read at a time: of a 64-bit or a 32-bit file. */
union chunk {
	Elf64_Sym wide[2048];
	Elf32_Sym narrow[3072];
};

static bool is_narrow(const struct fg_elf *e)
{
	return e->header.e_ident[EI_CLASS] == ELFCLASS32;
}

static Elf64_Sym widened(const Elf32_Sym *s)
{
	return (Elf64_Sym){ .st_name = s->st_name,
			    .st_info = s->st_info,
			    .st_other = s->st_other,
			    .st_shndx = s->st_shndx,
			    .st_value = s->st_value,
			    .st_size = s->st_size };
}

static size_t symbol_size(const struct fg_elf *e)
{
	return is_narrow(e) ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
}

/*
 * Reads `count` symbols at an offset of the file. Returns false if the file is too
 * short.
 */
static bool read_symbols(const struct fg_elf *e, uint64_t at, void *to, size_t count)
{
	size_t size = count * symbol_size(e);
	Elf_Data data = { .d_buf = to,
			  .d_type = ELF_T_SYM,
			  .d_version = EV_CURRENT,
			  .d_size = size };

	return fg_elf_read(e, at, to, size) &&
	       gelf_xlatetom(e->elf, &data, &data, e->header.e_ident[EI_DATA]);
}

static void add_chunk(struct table *t, const union chunk *chunk, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		Elf64_Sym symbol;

		if (is_narrow(t->e)) {
			symbol = widened(&chunk->narrow[i]);
			add_symbol(t, &symbol);
		} else {
			add_symbol(t, &chunk->wide[i]);
		}
	}
}

/* Returns the number of symbols of a table, or 0 if it is not inside the file. */
static uint64_t count_of(const struct fg_elf *e, const struct fg_elf_section *s)
{
	uint64_t at = s->header.sh_offset;

	if (!s->scn || !s->header.sh_entsize || at > e->size ||
	    s->header.sh_size > e->size - at)
		return 0;
	return s->header.sh_size / symbol_size(e);
}

/*
 * Adds the symbols of a table. The first one is empty and is left out because it has no
 * name.
 */
static void add_table(struct table *t, const struct fg_elf_section *s)
{
	uint64_t at = s->header.sh_offset, left = count_of(t->e, s);
	size_t each = symbol_size(t->e);
	union chunk *chunk;

	if (!left)
		return;
	t->strings = fg_elf_strings(t->e, s->header.sh_link);
	chunk = fg_xmalloc(sizeof(*chunk));
	while (left) {
		size_t count = sizeof(*chunk) / each;

		if (count > left)
			count = (size_t)left;
		if (!read_symbols(t->e, at, chunk, count))
			break;
		add_chunk(t, chunk, count);
		at += count * each;
		left -= count;
	}
	free(chunk);
}

/* Returns the offset of the first of the two string tables with names. */
static uint64_t first_name(const struct fg_elf *e)
{
	uint64_t a = fg_elf_strings(e, e->symtab.header.sh_link).at;
	uint64_t b = fg_elf_strings(e, e->dynsym.header.sh_link).at;

	return a && (!b || a < b) ? a : b;
}

static void read_segments(struct table *t)
{
	t->segments = fg_xcalloc(t->runtime->segments, sizeof(*t->segments));
	for (size_t i = 0; i < t->runtime->segments && i < INT32_MAX; i++) {
		GElf_Phdr *p = &t->segments[t->segment_count];

		if (gelf_getphdr(t->runtime->elf, (int)i, p) && p->p_type == PT_LOAD)
			t->segment_count++;
	}
}

/* ---- names of all symbols */

/* Passes the name of a symbol to `take` if it is code or data of this file. */
static void take_symbol(const Elf64_Sym *symbol, struct fg_str strings,
			fg_elf_take_name *take, void *data)
{
	const unsigned types = 1U << STT_NOTYPE | 1U << STT_FUNC | 1U << STT_OBJECT |
			       1U << STT_GNU_IFUNC;

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_name ||
	    symbol->st_name >= strings.len ||
	    !(types >> GELF_ST_TYPE(symbol->st_info) & 1))
		return;
	take(data, strings.ptr + symbol->st_name, symbol->st_value);
}

/*
 * Reads a string table, which ends in a NUL. The caller frees it. Returns NULL if there
 * is none or it cannot be read.
 */
static char *read_strings(const struct fg_elf *e, size_t section, size_t *len)
{
	struct fg_elf_strings strings = fg_elf_strings(e, section);
	char *bytes;

	*len = (size_t)strings.len;
	if (!*len)
		return NULL;
	bytes = fg_xmalloc(*len);
	if (fg_elf_read(e, strings.at, bytes, *len) && !bytes[*len - 1])
		return bytes;
	free(bytes);
	return NULL;
}

void fg_elf_each_name(const struct fg_elf *e, fg_elf_take_name *take, void *data)
{
	const struct fg_elf_section *s =
		count_of(e, &e->symtab) ? &e->symtab : &e->dynsym;
	uint64_t at = s->header.sh_offset, left = count_of(e, s);
	size_t each = symbol_size(e), len;
	char *strings = left ? read_strings(e, s->header.sh_link, &len) : NULL;
	union chunk *chunk = fg_xmalloc(sizeof(*chunk));

	while (left && strings) {
		size_t count = sizeof(*chunk) / each;

		count = count > left ? (size_t)left : count;
		if (!read_symbols(e, at, chunk, count))
			break;
		for (size_t i = 0; i < count; i++) {
			Elf64_Sym symbol = is_narrow(e) ? widened(&chunk->narrow[i]) :
							  chunk->wide[i];

			take_symbol(&symbol, fg_str_of(strings, len), take, data);
		}
		at += count * each;
		left -= count;
	}
	free(chunk);
	free(strings);
}

/* ---- procedure linkage tables */

/*
 * Entries of procedure linkage tables have the names of the functions that they call:
 * "read@plt".
 *
 * Our names are the same as in perf 6.3 and later (tools/perf/util/symbol-elf.c). Older
 * versions know only the entries of .plt, by their order, and no entries of static
 * binaries.
 */

#define FLAGS_HEAD (FG_SYMBOL_SIZED | FG_SYMBOL_GLOBAL)
#define FLAGS (FG_SYMBOL_PLT | FLAGS_HEAD)
#define X86_ENTRY 16

/* The bytes of an entry of the PLT, and of the header before the first entry. */
struct plt_shape {
	uint64_t header, entry;
};

static struct plt_shape plt_shape(const struct fg_elf *e, const GElf_Shdr *plt)
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

/* Tables for looking up the names of the called functions. */
struct callees {
	const struct fg_elf *e;
	struct fg_elf_strings strings;
	/* the start of .dynsym, which has the symbols that other files define */
	char *symbols;
	size_t len;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct callees callees_of(const struct fg_elf *e)
{
	struct callees c = { .e = e };
	struct fg_elf_section jumps = fg_elf_section(e, ".rela.plt");

	if (!e->dynsym.scn)
		return c;
	c.strings = fg_elf_strings(e, e->dynsym.header.sh_link);
	c.len = (size_t)least(
		least(e->dynsym.header.sh_size, e->size),
		4096 + (jumps.scn ? least(jumps.header.sh_size, 65536) : 0));
	c.symbols = fg_xmalloc(c.len);
	if (!fg_elf_read(e, e->dynsym.header.sh_offset, c.symbols, c.len))
		c.len = 0;
	return c;
}

#define AT_ONCE 256

/*
 * A section of relocations, and the relocations that were read last. We do not read
 * them with libelf, which would keep all of them: those of a browser take 10 MB.
 */
struct relocations {
	const struct fg_elf *e;
	struct fg_elf_section section; /* `count` is 0 if it cannot be used */
	Elf_Type type;
	size_t each;
	uint64_t count;
	bool named; /* their symbols are in .dynsym */
	uint64_t first, end; /* range of the relocations in `bytes` */
	char bytes[AT_ONCE * sizeof(Elf64_Rela)];
};

static void find_relocations(const struct fg_elf *e, const char *name,
			     struct relocations *r)
{
	const GElf_Shdr *header = &r->section.header;

	r->e = e;
	r->section = fg_elf_section(e, name);
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
	return fg_elf_read(r->e, r->section.header.sh_offset + first * r->each,
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

/* Returns the file offset of the name of a relocation's symbol, or 0. */
static uint64_t relocated_name(const struct callees *c, const Elf64_Rela *relocation)
{
	const struct fg_elf *e = c->e;
	uint64_t symbol = ELF64_R_SYM(relocation->r_info);
	size_t size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	uint32_t name; /* the first field of a symbol, in 32-bit and in 64-bit files */
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
	else if (!fg_elf_read(e, e->dynsym.header.sh_offset + at, &name, sizeof(name)))
		return 0;
	if (!gelf_xlatetom(e->elf, &word, &word, e->header.e_ident[EI_DATA]) ||
	    name >= c->strings.len)
		return 0;
	return c->strings.at + name;
}

/* Adds the entries of .plt: entry i calls the symbol of relocation i. */
static void add_lazy(const struct callees *c, struct fg_symtab *t)
{
	const struct fg_elf *e = c->e;
	struct fg_elf_section plt = fg_elf_section(e, ".plt");
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
		fg_symtab_add_unread(
			t, plt.header.sh_offset + shape.header + i * shape.entry,
			shape.entry, name, FLAGS);
	}
}

/* ---- x86-64: tables whose entries jump to the address in a slot */

/* An entry, and the slot with the address it jumps to. */
struct entry {
	uint64_t slot, offset;
	/*
	 * file offset of its symbol's name or, for an ifunc, of the function that
	 * chooses; 0: none
	 */
	uint64_t name;
	bool known; /* a relocation of the slot was found */
	bool is_ifunc;
};

struct entries {
	struct entry *list;
	size_t count, alloc;
	size_t unknown;
	uint64_t size; /* bytes of an entry in the table */
};

/*
 * Finds "jmp *DISPLACEMENT(%rip)" in an entry and the slot that it reads. Returns false
 * for the head of the table, which calls the linker: there "push DISPLACEMENT(%rip)"
 * comes first.
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

/*
 * Returns the bytes of an entry. If the linker did not write them, takes the table's
 * alignment.
 */
static uint64_t entry_size(const GElf_Shdr *table)
{
	bool is_given = table->sh_entsize == 8 || table->sh_entsize == X86_ENTRY;

	return (is_given ? table->sh_entsize : table->sh_addralign) == 8 ? 8 :
									   X86_ENTRY;
}

static void read_entries(const struct fg_elf_section *table, struct entries *to)
{
	const Elf_Data *data = fg_elf_raw(table);
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

/* Returns the file offset of an address, or 0 if it is not in the file. */
static uint64_t plt_offset_of(const struct fg_elf *e, uint64_t address)
{
	for (size_t i = 0; i < e->segments && i < INT32_MAX; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(e->elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
			return address - p.p_vaddr + p.p_offset;
	}
	return 0;
}

/*
 * Sets the name of an entry. For an ifunc, the function is chosen at run time, by the
 * code at the address in the addend.
 */
static void set_name(const struct callees *c, const struct relocations *r,
		     const Elf64_Rela *relocation, struct entry *entry)
{
	entry->known = true;
	entry->is_ifunc = ELF64_R_TYPE(relocation->r_info) == R_X86_64_IRELATIVE;
	if (entry->is_ifunc)
		entry->name = plt_offset_of(c->e, (uint64_t)relocation->r_addend);
	else if (r->named)
		entry->name = relocated_name(c, relocation);
}

/*
 * Names the entries by the relocations of a section. Searches from the end, because
 * relocations of slots come after those of data.
 */
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

/*
 * Adds an entry. If the function that it calls has no name, the entry has an empty
 * name.
 */
static void add_entry(const struct entry *entry, uint64_t size, struct fg_symtab *t)
{
	uint32_t flags = FLAGS | (entry->is_ifunc ? FG_SYMBOL_IFUNC : 0);

	if (entry->name)
		fg_symtab_add_unread(t, entry->offset, size, entry->name, flags);
	else
		fg_symtab_add(t, entry->offset, size, "", FLAGS);
}

static void add_jumps(const struct callees *c, const char *section, struct fg_symtab *t)
{
	struct fg_elf_section table = fg_elf_section(c->e, section);
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
	/*
	 * the head calls the linker; if .plt.sec has the entries, all of .plt is the
	 * head
	 */
	if (head && !strcmp(section, ".plt"))
		fg_symtab_add(t, table.header.sh_offset, head, ".plt", FLAGS_HEAD);
	free(entries.list);
}

static void add_plt(const struct fg_elf *e, struct fg_symtab *t)
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

/* ---- all of them */

void fg_elf_symbols(struct fg_elf *e, struct fg_elf *runtime, struct fg_symtab *to)
{
	struct table t = { .e = e, .runtime = runtime, .to = to };

	if (elf_getshdrnum(e->elf, &t.count))
		t.count = 0;
	if (t.count > SHN_LORESERVE)
		t.count = SHN_LORESERVE;
	t.places = fg_xcalloc(t.count, sizeof(*t.places));
	to->files.elf = e;
	to->files.runtime = runtime;
	to->names = first_name(e);
	read_segments(&t);
	fg_symtab_reserve(to, count_of(e, &e->symtab) + count_of(e, &e->dynsym));
	add_table(&t, &e->symtab);
	add_table(&t, &e->dynsym);
	free(t.places);
	free(t.segments);
	add_plt(runtime, to);
}

#else

void fg_elf_symbols(struct fg_elf *e, struct fg_elf *runtime, struct fg_symtab *t)
{
	(void)e;
	(void)runtime;
	(void)t;
}

void fg_elf_each_name(const struct fg_elf *e, fg_elf_take_name *take, void *data)
{
	(void)e;
	(void)take;
	(void)data;
}

#endif

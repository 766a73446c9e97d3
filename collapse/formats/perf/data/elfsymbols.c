/*
 * Symbols of ELF files: which of them are functions, and where in the file they are.
 *
 * Which symbols count is as in tools/perf/util/symbol-elf.c. Names stay in the file, as
 * they are most of it, and only a few are asked for.
 */
#include "collapse/formats/perf/data/elfsymbols.h"

#ifdef FG_HAVE_LIBELF
#include <stdlib.h>

#include "collapse/formats/perf/data/elffile.h"

/* A section, as far as it matters to the symbols in it. */
struct place {
	bool known; /* it has been looked at */
	bool is_loaded, is_code;
	uint64_t address, offset, size;
	bool is_mapped; /* all of it, by one segment */
	uint64_t shift; /* then: from addresses to offsets in the mapped file */
};

/* What is needed while one table is read. */
struct table {
	const struct fg_pd_elf *e, *runtime;
	struct fg_pd_symtab *to;
	struct fg_pd_strings strings; /* the names */
	struct place *places; /* by the number of the section */
	size_t count;
	GElf_Phdr *segments; /* those of `runtime` that are loaded */
	size_t segment_count;
};

/* Labels count in sections of code and data. */
static struct place look_at_section(const struct fg_pd_elf *e, size_t index)
{
	struct place place = { .known = true };
	Elf_Scn *scn = elf_getscn(e->elf, index);
	const char *name;
	GElf_Shdr header;

	if (!scn || !gelf_getshdr(scn, &header))
		return place;
	name = fg_pd_elf_section_name(e, &header);
	place.is_loaded = header.sh_flags & SHF_ALLOC;
	place.is_code = strstr(name, "text") || strstr(name, "data");
	place.address = header.sh_addr;
	place.offset = header.sh_offset;
	place.size = header.sh_size;
	return place;
}

static bool is_in(const GElf_Phdr *segment, uint64_t value)
{
	return value >= segment->p_vaddr && value - segment->p_vaddr < segment->p_memsz;
}

/* The segment that is loaded to an address; NULL: there is none. */
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

/* The offset in the mapped file: by the segment that is loaded, else by the section. */
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

/* The section that a symbol is in; NULL where there is no such. */
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

/* The names that ARM compilers give to places where code turns into data. */
static bool is_mapping_symbol(const struct fg_pd_elf *e, uint64_t name_at)
{
	char name[3] = { 0 };

	if (e->header.e_machine != EM_ARM && e->header.e_machine != EM_AARCH64)
		return false;
	for (size_t i = 0; i < sizeof(name) && (!i || name[i - 1]); i++)
		if (!fg_pd_elf_read(e, name_at + i, &name[i], 1))
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

	return (type == STT_NOTYPE ? FG_PD_SYMBOL_UNTYPED : 0) |
	       (binding == STB_WEAK ? FG_PD_SYMBOL_WEAK : 0) |
	       (binding == STB_GLOBAL ? FG_PD_SYMBOL_GLOBAL : 0);
}

static uint64_t value_of(const struct fg_pd_elf *e, const Elf64_Sym *symbol)
{
	if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		return symbol->st_value & ~UINT64_C(1); /* marks Thumb code */
	return symbol->st_value;
}

static void add_symbol(struct table *t, const Elf64_Sym *symbol, uint32_t number)
{
	const unsigned types = 1U << STT_NOTYPE | 1U << STT_FUNC | 1U << STT_OBJECT |
			       1U << STT_GNU_IFUNC;
	const struct place *place;

	if (!(types >> GELF_ST_TYPE(symbol->st_info) & 1) || !symbol->st_name ||
	    symbol->st_name >= t->strings.len)
		return;
	place = place_of(t, symbol);
	if (is_wanted(t, symbol, place))
		fg_pd_symtab_add_item(t->to,
				      offset_of(t, place, value_of(t->e, symbol)),
				      symbol->st_size, number);
}

/* Symbols of 32 or of 64 bits, as many as are read at a time. */
union chunk {
	Elf64_Sym wide[2048];
	Elf32_Sym narrow[3072];
};

static bool is_narrow(const struct fg_pd_elf *e)
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

static size_t symbol_size(const struct fg_pd_elf *e)
{
	return is_narrow(e) ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
}

/* Symbols as the file has them; false where there are not as many bytes. */
static bool read_symbols(const struct fg_pd_elf *e, uint64_t at, void *to, size_t count)
{
	size_t size = count * symbol_size(e);
	Elf_Data data = { .d_buf = to,
			  .d_type = ELF_T_SYM,
			  .d_version = EV_CURRENT,
			  .d_size = size };

	return fg_pd_elf_read(e, at, to, size) &&
	       gelf_xlatetom(e->elf, &data, &data, e->header.e_ident[EI_DATA]);
}

static void add_chunk(struct table *t, const union chunk *chunk, size_t count,
		      uint32_t number)
{
	fg_pd_symtab_reserve(t->to, count);
	for (size_t i = 0; i < count; i++, number++) {
		Elf64_Sym symbol;

		if (is_narrow(t->e)) {
			symbol = widened(&chunk->narrow[i]);
			add_symbol(t, &symbol, number);
		} else {
			add_symbol(t, &chunk->wide[i], number);
		}
	}
}

static uint64_t count_of(const struct fg_pd_elf *e, const struct fg_pd_section *s)
{
	return s->scn ? s->header.sh_size / symbol_size(e) : 0;
}

/*
 * Those of the second table are numbered after those of the first. The first symbol,
 * which is none, has no name either.
 */
static void add_table(struct table *t, bool second)
{
	const struct fg_pd_section *s = second ? &t->e->dynsym : &t->e->symtab;
	uint64_t at = s->header.sh_offset, left = count_of(t->e, s);
	uint64_t number = second ? count_of(t->e, &t->e->symtab) : 0;
	size_t each = symbol_size(t->e);
	union chunk *chunk;

	if (!s->scn || !s->header.sh_entsize || at > t->e->size ||
	    s->header.sh_size > t->e->size - at)
		return;
	t->strings = fg_pd_elf_strings(t->e, s->header.sh_link);
	t->to->strings[second] = t->strings.at;
	chunk = fg_xmalloc(sizeof(*chunk));
	while (left && number < FG_PD_ITEMS_MAX) {
		size_t count = sizeof(*chunk) / each;

		if (count > left)
			count = (size_t)left;
		if (!read_symbols(t->e, at, chunk, count))
			break;
		add_chunk(t, chunk, count, (uint32_t)number);
		at += count * each;
		left -= count;
		number += count;
	}
	free(chunk);
}

/*
 * A symbol without a size does not reach beyond its section, such as _init into the
 * PLT, whose entries have names of their own. Those of a static binary have none, and
 * perf calls them _init.
 */
static uint64_t room_of(const struct fg_pd_symtab *t, const Elf64_Sym *symbol)
{
	const struct place place = look_at_section(t->elf, symbol->st_shndx);
	uint64_t at = value_of(t->elf, symbol) - place.address;

	if (!t->runtime->dynsym.scn)
		return 0;
	return at < place.size ? place.size - at : 0;
}

/* What can be read no more has no name. */
static void read_symbol(const struct fg_pd_symtab *t, uint32_t number,
			struct fg_pd_symbol *to)
{
	const struct fg_pd_elf *e = t->elf;
	uint64_t first = count_of(e, &e->symtab);
	bool second = number >= first;
	const struct fg_pd_section *s = second ? &e->dynsym : &e->symtab;
	uint64_t at = (second ? number - first : number) * symbol_size(e);
	Elf32_Sym narrow = { 0 };
	Elf64_Sym wide = { 0 };
	uint64_t size;

	to->name = "[unknown]";
	to->end = to->start;
	to->flags = FG_PD_SYMBOL_SIZED;
	if (!read_symbols(e, s->header.sh_offset + at,
			  is_narrow(e) ? (void *)&narrow : &wide, 1))
		return;
	if (is_narrow(e))
		wide = widened(&narrow);
	size = wide.st_size ? wide.st_size : room_of(t, &wide);
	to->name_at = t->strings[second] + wide.st_name;
	to->end = size > UINT64_MAX - to->start ? UINT64_MAX : to->start + size;
	to->flags = flags_of(&wide) | FG_PD_SYMBOL_UNREAD |
		    (wide.st_size ? FG_PD_SYMBOL_SIZED : 0);
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

void fg_pd_elf_symbols(struct fg_pd_elf *e, struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *to)
{
	struct table t = { .e = e, .runtime = runtime, .to = to };

	if (elf_getshdrnum(e->elf, &t.count))
		t.count = 0;
	if (t.count > SHN_LORESERVE)
		t.count = SHN_LORESERVE;
	t.places = fg_xcalloc(t.count, sizeof(*t.places));
	to->elf = e;
	to->runtime = runtime;
	to->read = read_symbol;
	read_segments(&t);
	add_table(&t, false);
	add_table(&t, true);
	free(t.places);
	free(t.segments);
	fg_pd_elf_add_plt(runtime, to);
}

#endif

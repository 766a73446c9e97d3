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

/* What may be in the name of a section is in its first bytes. */
#define SECTION_NAME_MAX 256

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

/* Many sections may share a name, which is looked through for each. */
static struct fg_str start_of(const char *name)
{
	return fg_str_of(name, strnlen(name, SECTION_NAME_MAX));
}

/* Labels count in sections of code and data. */
static struct place look_at_section(const struct fg_pd_elf *e, size_t index)
{
	struct place place = { .known = true };
	Elf_Scn *scn = elf_getscn(e->elf, index);
	struct fg_str name;
	GElf_Shdr header;

	if (!scn || !gelf_getshdr(scn, &header))
		return place;
	name = start_of(fg_pd_elf_section_name(e, &header));
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

	return (symbol->st_size ? FG_PD_SYMBOL_SIZED : 0) |
	       (type == STT_NOTYPE ? FG_PD_SYMBOL_UNTYPED : 0) |
	       (binding == STB_WEAK ? FG_PD_SYMBOL_WEAK : 0) |
	       (binding == STB_GLOBAL ? FG_PD_SYMBOL_GLOBAL : 0);
}

static uint64_t value_of(const struct fg_pd_elf *e, const Elf64_Sym *symbol)
{
	if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		return symbol->st_value & ~UINT64_C(1); /* marks Thumb code */
	return symbol->st_value;
}

/*
 * A symbol without a size does not reach beyond its section, such as _init into the
 * PLT, whose entries have names of their own.
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
	fg_pd_symtab_add_unread(t->to, offset_of(t, place, value), size,
				t->strings.at + symbol->st_name, flags_of(symbol));
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

/* How many symbols a table has in the file. */
static uint64_t count_of(const struct fg_pd_elf *e, const struct fg_pd_section *s)
{
	uint64_t at = s->header.sh_offset;

	if (!s->scn || !s->header.sh_entsize || at > e->size ||
	    s->header.sh_size > e->size - at)
		return 0;
	return s->header.sh_size / symbol_size(e);
}

/* The first symbol, which is none, has no name either. */
static void add_table(struct table *t, const struct fg_pd_section *s)
{
	uint64_t at = s->header.sh_offset, left = count_of(t->e, s);
	size_t each = symbol_size(t->e);
	union chunk *chunk;

	if (!left)
		return;
	t->strings = fg_pd_elf_strings(t->e, s->header.sh_link);
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

/* Names are of one or the other table of strings. */
static uint64_t first_name(const struct fg_pd_elf *e)
{
	uint64_t a = fg_pd_elf_strings(e, e->symtab.header.sh_link).at;
	uint64_t b = fg_pd_elf_strings(e, e->dynsym.header.sh_link).at;

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

void fg_pd_elf_symbols(struct fg_pd_elf *e, struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *to)
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
	fg_pd_symtab_reserve(to, count_of(e, &e->symtab) + count_of(e, &e->dynsym));
	add_table(&t, &e->symtab);
	add_table(&t, &e->dynsym);
	free(t.places);
	free(t.segments);
	fg_pd_elf_add_plt(runtime, to);
}

#endif

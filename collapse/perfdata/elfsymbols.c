/*
 * Symbols of ELF files: which of them are functions, and where in the file they are.
 *
 * Which symbols count is as in tools/perf/util/symbol-elf.c. Names are borrowed from
 * the file, as long as it is open.
 */
#include "collapse/perfdata/elf.h"

#ifdef FG_HAVE_LIBELF
#include "collapse/perfdata/elffile.h"

/* What is needed while one table is read. */
struct table {
	const struct fg_pd_elf *e, *runtime;
	struct fg_pd_symtab *to;
	const Elf_Data *symbols;
	size_t strings; /* the section of names */
	size_t last_section;
	bool is_loaded, is_code; /* what the last section is */
	GElf_Shdr header; /* of the last section */
	GElf_Phdr segment; /* the last that a symbol was in */
};

/* Labels count in sections of code and data. */
static void look_at_section(struct table *t, size_t index)
{
	Elf_Scn *scn = elf_getscn(t->e->elf, index);
	const char *name;

	t->last_section = index;
	t->is_loaded = t->is_code = false;
	if (!scn || !gelf_getshdr(scn, &t->header))
		return;
	name = fg_pd_elf_section_name(t->e, &t->header);
	t->is_loaded = t->header.sh_flags & SHF_ALLOC;
	t->is_code = strstr(name, "text") || strstr(name, "data");
}

/* The names that ARM compilers give to places where code turns into data. */
static bool is_mapping_symbol(const struct fg_pd_elf *e, const char *name)
{
	if (e->header.e_machine != EM_ARM && e->header.e_machine != EM_AARCH64)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (!name[2] || name[2] == '.');
}

static bool is_wanted(struct table *t, const GElf_Sym *symbol, const char *name)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	unsigned visibility = GELF_ST_VISIBILITY(symbol->st_other);
	bool label = type == STT_NOTYPE;

	if (!name || !*name || symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_shndx == SHN_ABS)
		return false;
	if (!label && type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT)
		return false;
	if (label && (visibility == STV_HIDDEN || visibility == STV_INTERNAL))
		return false;
	if (symbol->st_shndx != t->last_section)
		look_at_section(t, symbol->st_shndx);
	return t->is_loaded && (t->is_code || !label) && !is_mapping_symbol(t->e, name);
}

static bool is_in(const GElf_Phdr *segment, uint64_t value)
{
	return segment->p_type == PT_LOAD && value >= segment->p_vaddr &&
	       value - segment->p_vaddr < segment->p_memsz;
}

/* The offset in the mapped file: by the segment that is loaded, else by the section. */
static uint64_t offset_of(struct table *t, uint64_t value)
{
	bool found = is_in(&t->segment, value);

	for (size_t i = 0; !found && i < t->runtime->segments && i < INT32_MAX; i++)
		found = gelf_getphdr(t->runtime->elf, (int)i, &t->segment) &&
			is_in(&t->segment, value);
	if (found)
		return value - t->segment.p_vaddr + t->segment.p_offset;
	return value - t->header.sh_addr + t->header.sh_offset;
}

static uint32_t flags_of(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	unsigned binding = GELF_ST_BIND(symbol->st_info);

	return (type == STT_NOTYPE ? FG_PD_SYMBOL_UNTYPED : 0) |
	       (binding == STB_WEAK ? FG_PD_SYMBOL_WEAK : 0) |
	       (binding == STB_GLOBAL ? FG_PD_SYMBOL_GLOBAL : 0);
}

/*
 * A symbol without a size does not reach beyond its section, such as _init into the
 * PLT, whose entries have names of their own. Those of a static binary have none, and
 * perf calls them _init.
 */
static uint64_t room_of(const struct table *t, uint64_t value)
{
	uint64_t at = value - t->header.sh_addr;

	if (!t->runtime->dynsym.scn)
		return 0;
	return at < t->header.sh_size ? t->header.sh_size - at : 0;
}

static void add_symbol(struct table *t, const GElf_Sym *symbol)
{
	const char *name = elf_strptr(t->e->elf, t->strings, symbol->st_name);
	uint64_t value = symbol->st_value, size = symbol->st_size;
	uint32_t flags = flags_of(symbol);

	if (!is_wanted(t, symbol, name))
		return;
	if (t->e->header.e_machine == EM_ARM &&
	    GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		value &= ~UINT64_C(1); /* marks Thumb code */
	if (size)
		flags |= FG_PD_SYMBOL_SIZED;
	else
		size = room_of(t, value);
	fg_pd_symtab_add(t->to, offset_of(t, value), size, name, flags);
}

static void add_table(struct table *t, const struct fg_pd_section *s)
{
	size_t count;

	t->symbols = s->scn ? elf_getdata(s->scn, NULL) : NULL;
	if (!t->symbols || !t->symbols->d_buf || !s->header.sh_entsize)
		return;
	t->strings = s->header.sh_link;
	t->last_section = SHN_UNDEF;
	count = t->symbols->d_size / gelf_fsize(t->e->elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 1; i < count && i < INT32_MAX; i++) {
		GElf_Sym symbol;

		if (gelf_getsym((Elf_Data *)(uintptr_t)t->symbols, (int)i, &symbol))
			add_symbol(t, &symbol);
	}
}

void fg_pd_elf_symbols(const struct fg_pd_elf *e, const struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *to)
{
	struct table t = { .e = e, .runtime = runtime, .to = to };

	add_table(&t, &e->symtab);
	add_table(&t, &e->dynsym);
	fg_pd_elf_add_plt(runtime, to);
}

#else
void fg_pd_elf_symbols(const struct fg_pd_elf *e, const struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t)
{
	(void)e;
	(void)runtime;
	(void)t;
}
#endif

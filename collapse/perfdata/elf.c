/*
 * ELF files, by libelf: which symbols of a binary are functions, and where in the file
 * they are.
 *
 * elf(5); which symbols count is as in tools/perf/util/symbol-elf.c. libelf maps the
 * file, so names are borrowed from it as long as it is open.
 */
#include "collapse/perfdata/elf.h"

#ifdef FG_HAVE_LIBELF
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/xalloc.h"

/* Where a section is, and what it is called. */
struct section {
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
	struct section symtab, dynsym;
};

bool fg_pd_elf_is_here(void)
{
	return true;
}

static const char *section_name(const struct fg_pd_elf *e, const GElf_Shdr *header)
{
	const char *name = elf_strptr(e->elf, e->names, header->sh_name);

	return name ? name : "";
}

static struct section find_section(const struct fg_pd_elf *e, const char *name)
{
	struct section s = { NULL, { 0 } };

	while ((s.scn = elf_nextscn(e->elf, s.scn)))
		if (gelf_getshdr(s.scn, &s.header) &&
		    !strcmp(section_name(e, &s.header), name))
			break;
	return s;
}

/* A table of symbols; in a file of debug information .dynsym has no contents. */
static struct section find_table(const struct fg_pd_elf *e, const char *name,
				 uint32_t type)
{
	struct section s = find_section(e, name);

	if (s.scn && s.header.sh_type != type)
		s.scn = NULL;
	return s;
}

static struct fg_pd_elf *start(Elf *elf, int fd, char *image)
{
	struct fg_pd_elf *e = fg_xcalloc(1, sizeof(*e));

	e->elf = elf;
	e->fd = fd;
	e->image = image;
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &e->header) ||
	    elf_getshdrstrndx(elf, &e->names) || elf_getphdrnum(elf, &e->segments)) {
		fg_pd_elf_close(e);
		return NULL;
	}
	e->symtab = find_table(e, ".symtab", SHT_SYMTAB);
	e->dynsym = find_table(e, ".dynsym", SHT_DYNSYM);
	return e;
}

struct fg_pd_elf *fg_pd_elf_open(int fd)
{
	elf_version(EV_CURRENT);
	return start(elf_begin(fd, ELF_C_READ_MMAP, NULL), fd, NULL);
}

struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image)
{
	char *copy = fg_xmalloc(image.len);

	elf_version(EV_CURRENT);
	if (image.len)
		memcpy(copy, image.ptr, image.len);
	return start(elf_memory(copy, image.len), -1, copy);
}

void fg_pd_elf_close(struct fg_pd_elf *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	free(e->image);
	free(e);
}

/* The contents of a section, borrowed. */
static struct fg_str contents(const struct section *s)
{
	const Elf_Data *data = s->scn ? elf_getdata(s->scn, NULL) : NULL;

	return data && data->d_buf ? fg_str_of(data->d_buf, data->d_size) :
				     fg_str_of("", 0);
}

struct fg_pd_build_id fg_pd_elf_build_id(const struct fg_pd_elf *e)
{
	static const char *const places[] = { ".note.gnu.build-id", ".notes", ".note" };
	struct fg_pd_build_id id = { { 0 }, 0 };

	for (size_t i = 0; i < FG_COUNT_OF(places); i++) {
		struct section s = find_section(e, places[i]);

		if (s.scn && s.header.sh_type == SHT_NOTE &&
		    fg_pd_build_id_from_notes(&id, contents(&s)))
			break;
	}
	return id;
}

bool fg_pd_elf_has_symtab(const struct fg_pd_elf *e)
{
	return e->symtab.scn;
}

bool fg_pd_elf_has_dynsym(const struct fg_pd_elf *e)
{
	return e->dynsym.scn;
}

struct fg_str fg_pd_elf_debug_link(const struct fg_pd_elf *e)
{
	struct section s = find_section(e, ".gnu_debuglink");
	struct fg_str link = contents(&s);
	size_t len = fg_str_find_char(link, '\0');

	return len < link.len ? fg_str_before(link, len) : FG_STR("");
}

struct fg_str fg_pd_elf_bytes(const struct fg_pd_elf *e)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(e->elf, &size);

	return fg_str_of(bytes ? bytes : "", bytes ? size : 0);
}

int fg_pd_elf_descriptor(const struct fg_pd_elf *e)
{
	return e->fd;
}

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
	name = section_name(t->e, &t->header);
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
 * PLT.
 */
static uint64_t room_of(const struct table *t, uint64_t value)
{
	uint64_t at = value - t->header.sh_addr;

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

static void add_table(struct table *t, const struct section *s)
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

/*
 * How long an entry of the PLT is, and what comes before the first. lld does not say,
 * so perf of before 6.3, which believes it, has no names for the entries.
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

static const char *relocated_name(const struct fg_pd_elf *e, Elf_Data *relocations,
				  int index)
{
	Elf_Data *symbols = elf_getdata(e->dynsym.scn, NULL);
	GElf_Rela rela;
	GElf_Rel rel;
	GElf_Sym symbol;
	uint64_t info;

	if (gelf_getrela(relocations, index, &rela))
		info = rela.r_info;
	else if (gelf_getrel(relocations, index, &rel))
		info = rel.r_info;
	else
		return NULL;
	if (!symbols || GELF_R_SYM(info) > INT32_MAX ||
	    !gelf_getsym(symbols, (int)GELF_R_SYM(info), &symbol))
		return NULL;
	return elf_strptr(e->elf, e->dynsym.header.sh_link, symbol.st_name);
}

/* Entry i of the PLT calls what relocation i is of. */
static void add_plt(const struct fg_pd_elf *e, struct fg_pd_symtab *t)
{
	struct section plt = find_section(e, ".plt");
	struct section jumps = find_section(e, ".rela.plt");
	struct plt_shape shape;
	Elf_Data *data;
	uint64_t count;

	if (!jumps.scn)
		jumps = find_section(e, ".rel.plt");
	if (!e->dynsym.scn || !plt.scn || !jumps.scn || !jumps.header.sh_entsize ||
	    jumps.header.sh_link != elf_ndxscn(e->dynsym.scn))
		return;
	data = elf_getdata(jumps.scn, NULL);
	shape = plt_shape(e, &plt.header);
	if (!data || !data->d_buf || !shape.entry || plt.header.sh_size < shape.header)
		return;
	count = (plt.header.sh_size - shape.header) / shape.entry;
	for (uint64_t i = 0; i < count && i < INT32_MAX; i++) {
		const char *name = relocated_name(e, data, (int)i);

		if (!name)
			break;
		fg_pd_symtab_add(
			t, plt.header.sh_offset + shape.header + i * shape.entry,
			shape.entry, name,
			FG_PD_SYMBOL_PLT | FG_PD_SYMBOL_SIZED | FG_PD_SYMBOL_GLOBAL);
	}
}

void fg_pd_elf_symbols(const struct fg_pd_elf *e, const struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *to)
{
	struct table t = { .e = e, .runtime = runtime, .to = to };

	add_table(&t, &e->symtab);
	add_table(&t, &e->dynsym);
	add_plt(runtime, to);
}

#else

bool fg_pd_elf_is_here(void)
{
	return false;
}

struct fg_pd_elf *fg_pd_elf_open(int fd)
{
	(void)fd;
	return NULL;
}

struct fg_pd_elf *fg_pd_elf_open_image(struct fg_str image)
{
	(void)image;
	return NULL;
}

void fg_pd_elf_close(struct fg_pd_elf *e)
{
	(void)e;
}

struct fg_pd_build_id fg_pd_elf_build_id(const struct fg_pd_elf *e)
{
	(void)e;
	return (struct fg_pd_build_id){ { 0 }, 0 };
}

bool fg_pd_elf_has_symtab(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

bool fg_pd_elf_has_dynsym(const struct fg_pd_elf *e)
{
	(void)e;
	return false;
}

struct fg_str fg_pd_elf_debug_link(const struct fg_pd_elf *e)
{
	(void)e;
	return FG_STR("");
}

struct fg_str fg_pd_elf_bytes(const struct fg_pd_elf *e)
{
	(void)e;
	return FG_STR("");
}

int fg_pd_elf_descriptor(const struct fg_pd_elf *e)
{
	(void)e;
	return -1;
}

void fg_pd_elf_symbols(const struct fg_pd_elf *e, const struct fg_pd_elf *runtime,
		       struct fg_pd_symtab *t)
{
	(void)e;
	(void)runtime;
	(void)t;
}

#endif

/* Checks debug information, copies it, and opens the copy with libdw. */
#include "collapse/symbols/dwarf.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elf.h"
#include "collapse/symbols/elffile.h"
#include "lib/base/buf.h"

static const struct fg_str section_names[FG_DEBUG_SECTIONS] = {
	[FG_DEBUG_INFO] = FG_STR_INIT("debug_info"),
	[FG_DEBUG_TYPES] = FG_STR_INIT("debug_types"),
	[FG_DEBUG_ABBREV] = FG_STR_INIT("debug_abbrev"),
	[FG_DEBUG_ADDR] = FG_STR_INIT("debug_addr"),
	[FG_DEBUG_LINE] = FG_STR_INIT("debug_line"),
	[FG_DEBUG_LINE_STR] = FG_STR_INIT("debug_line_str"),
	[FG_DEBUG_STR] = FG_STR_INIT("debug_str"),
	[FG_DEBUG_STR_OFFSETS] = FG_STR_INIT("debug_str_offsets"),
	[FG_DEBUG_RANGES] = FG_STR_INIT("debug_ranges"),
	[FG_DEBUG_RNGLISTS] = FG_STR_INIT("debug_rnglists"),
};

/*
 * Returns the kind of the section with this name, or FG_DEBUG_SECTIONS if we do not
 * need it. Sets *is_z if the name starts with ".z".
 */
static size_t find_name(struct fg_str name, const char *suffix, bool *is_z)
{
	size_t i = 0;

	*is_z = fg_str_cut_start(&name, FG_STR(".z"));
	if ((!*is_z && !fg_str_cut_start(&name, FG_STR("."))) ||
	    !fg_str_cut_end(&name, fg_str_from(suffix)))
		return FG_DEBUG_SECTIONS;
	while (i < FG_DEBUG_SECTIONS && !fg_str_eq(name, section_names[i]))
		i++;
	return i;
}

/*
 * Returns the unpacked bytes of a compressed section of a 32-bit file, or an empty
 * string for other sections. The copy is always a 64-bit ELF file. Debug information is
 * the same in both, but the header of a compressed section is not.
 */
static struct fg_str unpack_short(const struct fg_elf *e, Elf_Scn *scn, uint64_t flags)
{
	Elf_Data *data = NULL;

	if (!(flags & SHF_COMPRESSED) || e->header.e_ident[EI_CLASS] == ELFCLASS64)
		return FG_STR("");
	errno = 0;
	if (elf_compress(scn, 0, 0) >= 0)
		data = elf_rawdata(scn, NULL);
	fg_elf_check_memory(data);
	return data ? fg_str_of(data->d_buf, data->d_size) : FG_STR("");
}

static bool is_in_file(const struct fg_elf *e, const GElf_Shdr *header)
{
	return header->sh_type != SHT_NOBITS && header->sh_size &&
	       header->sh_offset < e->size &&
	       header->sh_size <= e->size - header->sh_offset;
}

void fg_dwarf_find(const struct fg_elf *e, const char *suffix,
		   struct fg_dwarf_source list[FG_DEBUG_SECTIONS])
{
	Elf_Scn *scn = NULL;

	memset(list, 0, FG_DEBUG_SECTIONS * sizeof(*list));
	while ((scn = elf_nextscn(e->elf, scn))) {
		struct fg_dwarf_source s = { .is_z = false };
		size_t i;

		if (!gelf_getshdr(scn, &s.header) || !is_in_file(e, &s.header))
			continue;
		i = find_name(fg_str_from(fg_elf_section_name(e, &s.header)), suffix,
			      &s.is_z);
		if (i == FG_DEBUG_SECTIONS || list[i].header.sh_size)
			continue;
		s.bytes = unpack_short(e, scn, s.header.sh_flags);
		list[i] = s;
	}
}

/* ---- strings */

/*
 * Sections with a name this long are skipped. libdw uses none of them, and reading
 * names would take too long if many sections of a malformed file shared one long name.
 */
#define NAME_MAX_BYTES 256

bool fg_dwarf_next_section(struct fg_dwarf_section *s)
{
	GElf_Shdr header;
	size_t names;

	while ((s->scn = elf_nextscn(s->elf, s->scn))) {
		const Elf_Data *data;

		if (elf_getshdrstrndx(s->elf, &names) || !gelf_getshdr(s->scn, &header))
			continue;
		s->name = elf_strptr(s->elf, names, header.sh_name);
		if (!s->name || strnlen(s->name, NAME_MAX_BYTES) == NAME_MAX_BYTES ||
		    !strstr(s->name, "debug_"))
			continue;
		data = elf_rawdata(s->scn, NULL);
		if (data && data->d_buf) {
			s->bytes = fg_str_of(data->d_buf, data->d_size);
			return true;
		}
	}
	return false;
}

uint64_t fg_dwarf_room(Dwarf *dwarf)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };
	uint64_t room = FG_ELF_INFLATED_MAX;

	while (fg_dwarf_next_section(&s))
		room += FG_ELF_INFLATED_TIMES * s.bytes.len;
	return room;
}

bool fg_dwarf_texts_are_whole(Dwarf *dwarf)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };

	while (fg_dwarf_next_section(&s))
		if (strstr(s.name, "str") && !strstr(s.name, "str_offsets") &&
		    s.bytes.len && s.bytes.ptr[s.bytes.len - 1])
			return false;
	return true;
}

#define TEXT_MAX ((size_t)65536)

static size_t least(size_t len)
{
	return len < TEXT_MAX + 1 ? len : TEXT_MAX + 1;
}

/* Returns true if a string inside a tree ends in its section, and is not too long. */
static bool has_end(Dwarf *dwarf, const char *at)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };

	while (fg_dwarf_next_section(&s)) {
		uintptr_t from = (uintptr_t)at - (uintptr_t)s.bytes.ptr;

		if ((uintptr_t)at >= (uintptr_t)s.bytes.ptr && from < s.bytes.len)
			return memchr(at, 0, least(s.bytes.len - from));
	}
	return false;
}

const char *fg_dwarf_text(Dwarf_Attribute *attribute)
{
	const char *text = dwarf_formstring(attribute);

	if (text && dwarf_whatform(attribute) == DW_FORM_string &&
	    !has_end(dwarf_cu_getdwarf(attribute->cu), text))
		return NULL;
	return text && strnlen(text, TEXT_MAX + 1) <= TEXT_MAX ? text : NULL;
}

/* ---- abbreviations */

/*
 * Bytes of memory that libdw keeps for each byte of a table of abbreviations: 56 bytes
 * for an entry of 5 or more.
 */
#define KEPT 10

/* Bytes of memory that libdw keeps for each unit, even for a short one. */
#define UNIT_KEPT 1200

/*
 * The most attributes of an abbreviation. We need a limit because libdw goes through
 * all attributes to find one. Real ones have at most about 30.
 */
#define ATTRIBUTES_MAX 256

struct abbrevs {
	Dwarf *dwarf;
	uint64_t left; /* bytes that libdw may still keep */
	/* offset and length of the table that was measured last */
	uint64_t offset, len;
};

/* Skips the attributes of an abbreviation. Returns false if there are too many. */
static bool skip_attributes(struct fg_cursor *c)
{
	uint64_t name, form;
	unsigned left = ATTRIBUTES_MAX + 1;

	do {
		if (!left--)
			return false;
		name = fg_cursor_uleb(c);
		form = fg_cursor_uleb(c);
		if (form == DW_FORM_implicit_const)
			fg_cursor_uleb(c);
	} while (!c->bad && (name || form));
	return true;
}

/*
 * Returns the length of the table of abbreviations at an offset. Stops early if it is
 * longer than `most`, with a result above `most`. If several sections have such a
 * table, adds up their lengths. Returns UINT64_MAX if an abbreviation has too many
 * attributes.
 */
static uint64_t table_len(Dwarf *dwarf, uint64_t offset, uint64_t most)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };
	uint64_t len = 0;

	while (fg_dwarf_next_section(&s)) {
		struct fg_cursor c;

		if (!strstr(s.name, "debug_abbrev") || offset >= s.bytes.len)
			continue;
		c = fg_cursor(fg_str_from_pos(s.bytes, (size_t)offset));
		while (!c.bad && s.bytes.len - offset - fg_cursor_left(&c) <= most &&
		       fg_cursor_uleb(&c)) {
			fg_cursor_uleb(&c); /* the tag */
			/* the byte that tells if there are children */
			fg_cursor_skip(&c, 1);
			if (!skip_attributes(&c))
				return UINT64_MAX;
		}
		len += s.bytes.len - offset - fg_cursor_left(&c);
	}
	return len;
}

/*
 * Charges the memory for the table of a unit. Returns false if there is not enough
 * left.
 */
static bool add_unit(struct abbrevs *a, uint64_t offset)
{
	if (!a->len || offset != a->offset)
		a->len = table_len(a->dwarf, offset, a->left / KEPT);
	a->offset = offset;
	if (a->left < UNIT_KEPT || a->len > (a->left - UNIT_KEPT) / KEPT)
		return false;
	a->left -= a->len * KEPT + UNIT_KEPT;
	return true;
}

/* Charges all units of .debug_info or, if `signature` is not NULL, of .debug_types. */
static bool add_units(struct abbrevs *a, uint64_t *signature)
{
	Dwarf_Off at = 0, next, abbrevs;
	size_t header;

	while (!dwarf_next_unit(a->dwarf, at, &next, &header, NULL, &abbrevs, NULL,
				NULL, signature, NULL) &&
	       next > at) {
		if (!add_unit(a, abbrevs))
			return false;
		at = next;
	}
	return true;
}

static bool abbrevs_are_few(Dwarf *dwarf)
{
	struct abbrevs a = { .dwarf = dwarf, .left = fg_dwarf_room(dwarf) };
	uint64_t signature;

	return add_units(&a, NULL) && add_units(&a, &signature);
}

/* ---- the copy */

#define ALIGNMENT 16

struct copy {
	const struct fg_elf *from;
	struct fg_buf *bytes;
	struct fg_buf names;
	Elf64_Shdr table[FG_DEBUG_SECTIONS + 2]; /* the first entry stays empty */
	Elf64_Half count;
};

static size_t size_of(const struct fg_dwarf_source *s)
{
	return s->bytes.len ? s->bytes.len : (size_t)s->header.sh_size;
}

/*
 * Appends a section. The memory for it must be reserved. Returns false if it cannot be
 * read.
 */
static bool add_section(struct copy *c, const struct fg_dwarf_source *s,
			struct fg_str name)
{
	size_t size = size_of(s);

	if (!size)
		return true;
	c->table[c->count++] = (Elf64_Shdr){
		.sh_name = (Elf64_Word)c->names.len,
		.sh_type = SHT_PROGBITS,
		.sh_flags = s->bytes.len ? 0 : s->header.sh_flags & SHF_COMPRESSED,
		.sh_offset = c->bytes->len,
		.sh_size = size,
		.sh_addralign = s->bytes.len ? 1 : s->header.sh_addralign,
	};
	/* never ".z", because unpack() unpacks it, and libdw must not do so again */
	fg_buf_add_char(&c->names, '.');
	fg_buf_add_str(&c->names, name);
	fg_buf_add_char(&c->names, '\0');
	if (s->bytes.len)
		memcpy(c->bytes->ptr + c->bytes->len, s->bytes.ptr, size);
	else if (!fg_elf_read(c->from, s->header.sh_offset,
			      c->bytes->ptr + c->bytes->len, size))
		return false;
	c->bytes->len += size + -size % ALIGNMENT;
	return true;
}

/*
 * Appends the section with the names, and the table of sections. Returns the offset of
 * the table.
 */
static uint64_t add_table(struct copy *c)
{
	Elf_Data table = { .d_buf = c->table,
			   .d_type = ELF_T_SHDR,
			   .d_size = (c->count + 1U) * sizeof(c->table[0]),
			   .d_version = EV_CURRENT };
	uint64_t at;

	c->table[c->count++] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = c->bytes->len,
		.sh_size = c->names.len,
	};
	fg_buf_add_str(c->bytes, fg_buf_str(&c->names));
	while (c->bytes->len % ALIGNMENT)
		fg_buf_add_char(c->bytes, '\0');
	at = c->bytes->len;
	elf64_xlatetof(&table, &table, c->from->header.e_ident[EI_DATA]);
	fg_buf_add(c->bytes, (const char *)c->table, table.d_size);
	return at;
}

static void put_header(const struct copy *c, uint64_t table_at)
{
	const GElf_Ehdr *from = &c->from->header;
	Elf64_Ehdr header = {
		.e_type = from->e_type,
		.e_machine = from->e_machine,
		.e_version = EV_CURRENT,
		.e_shoff = table_at,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(c->table[0]),
		.e_shnum = c->count,
		.e_shstrndx = (Elf64_Half)(c->count - 1),
	};
	Elf_Data data = { .d_buf = &header,
			  .d_type = ELF_T_EHDR,
			  .d_size = sizeof(header),
			  .d_version = EV_CURRENT };

	memcpy(header.e_ident, from->e_ident, sizeof(header.e_ident));
	header.e_ident[EI_CLASS] = ELFCLASS64;
	elf64_xlatetof(&data, &data, from->e_ident[EI_DATA]);
	memcpy(c->bytes->ptr, &header, sizeof(header));
}

static bool copy(struct fg_buf *bytes, const struct fg_elf *e,
		 const struct fg_dwarf_source list[FG_DEBUG_SECTIONS])
{
	struct copy c = { .from = e, .bytes = bytes, .count = 1 };
	size_t room = sizeof(Elf64_Ehdr);
	bool is_whole = true;

	for (size_t i = 0; i < FG_DEBUG_SECTIONS; i++)
		room = fg_size_add(room, fg_size_add(size_of(&list[i]), ALIGNMENT));
	fg_buf_reserve(bytes, room);
	bytes->len = sizeof(Elf64_Ehdr);
	for (size_t i = 0; i < FG_DEBUG_SECTIONS && is_whole; i++)
		is_whole = add_section(&c, &list[i], section_names[i]);
	if (is_whole)
		put_header(&c, add_table(&c));
	fg_buf_release(&c.names);
	return is_whole;
}

/* ---- libdw */

static void release(void *data)
{
	struct fg_dwarf *d = data;

	dwarf_end(d->dwarf);
	elf_end(d->elf);
}

/*
 * Unpacks the sections of the copy. libdw would do so, too, but leave out a section for
 * which it has no memory, and then lose the error in errno.
 */
static void unpack(Elf *elf, const struct fg_dwarf_source list[FG_DEBUG_SECTIONS])
{
	Elf_Scn *scn = NULL;

	for (size_t i = 0; i < FG_DEBUG_SECTIONS; i++) {
		if (!size_of(&list[i]))
			continue;
		scn = elf_nextscn(elf, scn);
		errno = 0;
		if (list[i].is_z)
			elf_compress_gnu(scn, 0, 0);
		else
			elf_compress(scn, 0, 0);
		fg_elf_check_memory(NULL);
	}
}

static struct fg_dwarf *refuse(struct fg_dwarf *d, int error)
{
	fg_dwarf_close(d);
	errno = error;
	return NULL;
}

struct fg_dwarf *fg_dwarf_open(const struct fg_elf *e,
			       const struct fg_dwarf_source list[FG_DEBUG_SECTIONS])
{
	struct fg_dwarf *d = fg_xcalloc(1, sizeof(*d));

	fg_hold(release, d);
	if (!copy(&d->bytes, e, list))
		return refuse(d, ENOEXEC);
	errno = 0;
	d->elf = elf_memory(d->bytes.ptr, d->bytes.len);
	fg_elf_check_memory(d->elf);
	if (d->elf)
		unpack(d->elf, list);
	errno = 0;
	d->dwarf = d->elf ? dwarf_begin_elf(d->elf, DWARF_C_READ, NULL) : NULL;
	fg_elf_check_memory(d->dwarf);
	if (!d->dwarf || !fg_dwarf_texts_are_whole(d->dwarf))
		return refuse(d, ENOEXEC);
	if (!abbrevs_are_few(d->dwarf))
		return refuse(d, EFBIG);
	dwarf_new_oom_handler(d->dwarf,
			      /* libdw calls this if it has no memory */
			      fg_out_of_memory);
	return d;
}

void fg_dwarf_close(struct fg_dwarf *d)
{
	if (!d)
		return;
	fg_let_go(d);
	release(d);
	fg_buf_release(&d->bytes);
	free(d);
}

#endif

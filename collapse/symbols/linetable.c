/* Measures line tables before libdw reads them. */
#include "collapse/symbols/linetable.h"

#include "collapse/symbols/cursor.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>

#include "collapse/symbols/dwarf.h"
#include "collapse/symbols/elffile.h"

/*
 * The fewest bytes of a file's entry: its name, and the numbers of its folder, time and
 * size.
 */
#define FILE_MIN 5
/* Bytes of memory that libdw takes for each file, without its name. */
#define FILE_SIZE 64
/* Tables may always have this many bytes more than the file. */
#define BYTES_SPARE (UINT64_C(1) << 20)

struct table {
	struct fg_cursor c;
	Elf *elf;
	bool high_first; /* the file is big-endian */
	bool is_wide; /* offsets have 64 bits */
	uint64_t folder; /* length of the longest folder */
	uint64_t names, most;
	uint64_t longest; /* the most bytes that a table may have */
};

struct fg_linetable_left fg_linetable_left(Dwarf *dwarf, uint64_t size)
{
	struct fg_linetable_left left = { 0, fg_dwarf_room(dwarf) };
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };

	while (fg_dwarf_next_section(&s))
		if (strstr(s.name, "debug_line"))
			left.bytes += 2 * s.bytes.len;
	if (left.bytes / 2 > size + BYTES_SPARE)
		left.bytes = 2 * (size + BYTES_SPARE);
	return left;
}

static uint64_t read_number(struct table *t, size_t size)
{
	return fg_elf_number(fg_cursor_bytes(&t->c, size), t->high_first);
}

static uint64_t read_offset(struct table *t)
{
	return read_number(t, t->is_wide ? 8 : 4);
}

/* Skips a string and its NUL. Returns its length. */
static uint64_t read_text(struct table *t)
{
	struct fg_str rest = fg_str_of(t->c.at, fg_cursor_left(&t->c));
	size_t len = fg_str_find_char(rest, '\0');

	fg_cursor_skip(&t->c, (uint64_t)len + 1);
	return len;
}

/*
 * Returns the length of the string at an offset of a section. If several sections have
 * the name, takes the longest string.
 */
static uint64_t text_at(const struct table *t, const char *section, uint64_t offset)
{
	struct fg_dwarf_section s = { .elf = t->elf };
	uint64_t most = 0;

	while (fg_dwarf_next_section(&s))
		if (strstr(s.name, section) && offset < s.bytes.len) {
			struct fg_str rest = fg_str_from_pos(s.bytes, (size_t)offset);
			size_t len = fg_str_find_char(rest, '\0');

			most = len > most ? len : most;
		}
	return most;
}

/* Skips a value of an entry. Returns its length if it is a string, or else 0. */
static uint64_t read_value(struct table *t, uint16_t form)
{
	switch (form) {
	case DW_FORM_string:
		return read_text(t);
	case DW_FORM_line_strp:
		return text_at(t, "debug_line_str", read_offset(t));
	case DW_FORM_strp:
		return text_at(t, "debug_str", read_offset(t));
	case DW_FORM_udata:
		fg_cursor_uleb(&t->c);
		break;
	case DW_FORM_data1:
		fg_cursor_skip(&t->c, 1);
		break;
	case DW_FORM_data2:
		fg_cursor_skip(&t->c, 2);
		break;
	case DW_FORM_data4:
		fg_cursor_skip(&t->c, 4);
		break;
	case DW_FORM_data8:
		fg_cursor_skip(&t->c, 8);
		break;
	case DW_FORM_data16:
		fg_cursor_skip(&t->c, 16);
		break;
	case DW_FORM_block:
		fg_cursor_skip(&t->c, fg_cursor_uleb(&t->c));
		break;
	default: /* no compiler writes other forms there */
		t->c.bad = true;
	}
	return 0;
}

static void add_file(struct table *t, uint64_t name)
{
	t->names += t->folder + name + FILE_SIZE;
}

/* Reads the list of folders, or of files, in a table of version 5. */
static void read_entries(struct table *t, bool are_files)
{
	uint16_t forms[UINT8_MAX];
	size_t form_count = fg_cursor_u8(&t->c);
	uint64_t count;

	for (size_t i = 0; i < form_count; i++) {
		/*
		 * its meaning, which we need not know: the longest string is the name
		 */
		fg_cursor_uleb(&t->c);
		forms[i] = (uint16_t)fg_cursor_uleb(&t->c);
	}
	count = fg_cursor_uleb(&t->c);
	if (!form_count && count)
		t->c.bad = true;
	while (count-- && !t->c.bad && t->names <= t->most) {
		uint64_t len = 0;

		for (size_t i = 0; i < form_count; i++) {
			uint64_t value = read_value(t, forms[i]);

			/* charged, because finding its end takes time, too */
			t->names += value;
			len = value > len ? value : len;
		}
		if (are_files)
			add_file(t, len);
		else if (len > t->folder)
			t->folder = len;
	}
}

/*
 * Adds the files that are defined between lines. Such an instruction is 0, a length,
 * DW_LNE_define_file.
 */
static void add_defined(struct table *t)
{
	for (const char *at = t->c.at; at + 2 < t->c.end; at++)
		if (!at[0] && at[2] == DW_LNE_define_file)
			add_file(t, 0);
}

/*
 * Reads the folders of versions before 5. Charges files as if each were in the longest
 * folder.
 */
static void read_folders(struct table *t)
{
	uint64_t len;

	while ((len = read_text(t)) && !t->c.bad)
		if (len > t->folder)
			t->folder = len;
	t->names += (fg_cursor_left(&t->c) / FILE_MIN + 1) * (t->folder + FILE_SIZE);
}

/*
 * Reads a table up to the end of its files. Returns the table's size in bytes, or 0 if
 * it is malformed.
 */
static uint64_t read_table(struct table *t)
{
	uint64_t len = read_number(t, 4), version;
	unsigned codes;

	t->is_wide = len == UINT32_MAX;
	if (t->is_wide)
		len = read_number(t, 8);
	if (len > t->longest)
		return 0;
	t->c = fg_cursor(fg_cursor_bytes(&t->c, len));
	version = read_number(t, 2);
	if (version >= 5)
		fg_cursor_skip(&t->c, 2); /* sizes of an address and of a segment */
	read_offset(t);
	fg_cursor_skip(&t->c, version >= 4 ? 5 : 4);
	codes = fg_cursor_u8(&t->c);
	if (!codes)
		return 0;
	fg_cursor_skip(&t->c, codes - 1);
	if (version >= 5) {
		read_entries(t, false);
		read_entries(t, true);
		add_defined(t);
	} else {
		read_folders(t);
	}
	return t->c.bad ? 0 : len;
}

/*
 * Sets *len to the length of the path of the folder in which a unit was compiled, or to
 * 0 if it is not recorded. Returns false if the attribute is not a string.
 */
static bool folder_len(Dwarf_Die *unit, uint64_t *len)
{
	Dwarf_Attribute attribute;
	const char *folder;

	*len = 0;
	if (!dwarf_attr(unit, DW_AT_comp_dir, &attribute))
		return true;
	folder = fg_dwarf_text(&attribute);
	*len = folder ? strlen(folder) : 0;
	return folder;
}

bool fg_linetable_may_be_read(struct fg_linetable_left *left, Dwarf *dwarf,
			      Dwarf_Die *unit, uint64_t offset)
{
	struct fg_dwarf_section s = { .elf = dwarf_getelf(dwarf) };
	const char *ident = elf_getident(s.elf, NULL);
	uint64_t folder;

	/* libdw reads it, too, so it must be a string */
	if (!folder_len(unit, &folder))
		return false;
	while (fg_dwarf_next_section(&s)) {
		struct table t = { .elf = s.elf,
				   .high_first = ident[EI_DATA] == ELFDATA2MSB,
				   .folder = folder,
				   .most = left->names,
				   .longest = left->bytes };
		uint64_t len;

		if (!strstr(s.name, "debug_line") || strstr(s.name, "debug_line_str") ||
		    offset >= s.bytes.len)
			continue;
		t.c = fg_cursor(fg_str_from_pos(s.bytes, (size_t)offset));
		len = read_table(&t);
		left->bytes -= len;
		if (!len || t.names > left->names)
			return false;
		left->names -= t.names;
	}
	return true;
}

#endif

/*
 * Reads the symbols that simpleperf puts into a recording, from its two kinds of
 * sections.
 */
#include "collapse/symbols/simplefile.h"

#include <stdlib.h>

#include "collapse/symbols/cursor.h"
#include "lib/base/protobuf.h"
#include "lib/base/xalloc.h"

/* The types of files. */
#define TYPE_KERNEL 0
#define TYPE_MODULE 1
#define TYPE_ELF 2
#define TYPE_DEX 3

struct fg_simplefile {
	/* recorded bytes with the symbols; if `is_message`, the whole message */
	struct fg_str symbols;
	struct fg_symtab *table; /* NULL: not looked up yet */
	/* address of the start of the code, in the numbering of the symbols */
	uint64_t first;
	/*
	 * offset of `first` in the file; for a module, from the address it was loaded
	 * at
	 */
	uint64_t offset;
	uint32_t type;
	bool has_offset; /* `offset` was recorded; older versions lack it */
	bool is_message;
};

struct symbol {
	uint64_t start, size;
	struct fg_str name;
};

void fg_simplefiles_init(struct fg_simplefiles *f)
{
	memset(f, 0, sizeof(*f));
	fg_intern_init(&f->paths);
}

void fg_simplefiles_release(struct fg_simplefiles *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->list[i].table)
			fg_symtab_release(f->list[i].table);
		free(f->list[i].table);
	}
	free(f->list);
	fg_intern_release(&f->paths);
	fg_arena_release(&f->names);
	for (size_t i = 0; i < FG_COUNT_OF(f->sections); i++)
		fg_buf_release(&f->sections[i]);
	memset(f, 0, sizeof(*f));
}

/* If a path appears twice, the later entry wins, like in simpleperf. */
static void add_file(struct fg_simplefiles *f, struct fg_str path,
		     const struct fg_simplefile *file)
{
	size_t index = fg_intern(&f->paths, path);

	FG_GROW(f->list, f->alloc, f->paths.count);
	f->list[index] = *file;
	f->count = f->paths.count;
}

/* ---- a file whose fields follow each other */

static struct fg_str cut_text(struct fg_cursor *c)
{
	struct fg_str text = fg_str_of(c->at, fg_cursor_left(c));

	text.len = fg_str_find_char(text, '\0');
	fg_cursor_skip(c, (uint64_t)text.len + 1);
	return text;
}

static bool next_of_fields(struct fg_cursor *c, struct symbol *s)
{
	if (c->bad || !fg_cursor_left(c))
		return false;
	s->start = fg_cursor_u64(c);
	s->size = fg_cursor_u32(c);
	s->name = cut_text(c);
	return !c->bad;
}

/* Reads a file. Returns false if it is cut off; then the complete symbols are kept. */
static bool read_fields(struct fg_simplefiles *f, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(bytes);
	struct fg_simplefile file = { .is_message = false };
	struct fg_str path = cut_text(&c);
	struct symbol s;
	uint32_t count;

	file.type = fg_cursor_u32(&c);
	file.first = fg_cursor_u64(&c);
	count = fg_cursor_u32(&c);
	if (c.bad)
		return false;
	file.symbols.ptr = c.at;
	while (count && next_of_fields(&c, &s)) {
		file.symbols.len = (size_t)(c.at - file.symbols.ptr);
		count--;
	}
	if (!count && file.type == TYPE_DEX)
		fg_cursor_words(&c, fg_cursor_u32(&c));
	file.has_offset = !count && file.type != TYPE_DEX && fg_cursor_left(&c);
	if (file.has_offset)
		file.offset = fg_cursor_u64(&c);
	if (file.symbols.len)
		add_file(f, path, &file);
	return !count && !c.bad;
}

/* ---- a file that is a message */

/* Reads the first field, the offset, of the message about one type of file. */
static void read_offset(struct fg_simplefile *file, struct fg_str bytes)
{
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field field;

	file->has_offset = true;
	while (fg_proto_next(&m, &field))
		if (field.tag == FG_PROTO_NUMBER(1))
			file->offset = field.value;
}

static bool read_message(struct fg_simplefiles *f, struct fg_str bytes)
{
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_simplefile file = { .symbols = bytes, .is_message = true };
	struct fg_proto_field field;
	struct fg_str path = FG_STR("");
	bool has_symbols = false;

	while (fg_proto_next(&m, &field))
		switch (field.tag) {
		case FG_PROTO_BYTES(1):
			path = field.bytes;
			break;
		case FG_PROTO_NUMBER(2):
			file.type = (uint32_t)field.value;
			break;
		case FG_PROTO_NUMBER(3):
			file.first = field.value;
			break;
		case FG_PROTO_BYTES(4):
			has_symbols = true;
			break;
		case FG_PROTO_BYTES(6): /* a library or program */
		case FG_PROTO_BYTES(7): /* a module */
			read_offset(&file, field.bytes);
			break;
		default:
			break;
		}
	if (has_symbols)
		add_file(f, path, &file);
	return !m.fault;
}

static struct symbol symbol_of(struct fg_str bytes)
{
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field field;
	struct symbol s = { .name = FG_STR("") };

	while (fg_proto_next(&m, &field))
		if (field.tag == FG_PROTO_NUMBER(1))
			s.start = field.value;
		else if (field.tag == FG_PROTO_NUMBER(2))
			s.size = field.value;
		else if (field.tag == FG_PROTO_BYTES(3))
			s.name = field.bytes;
	return s;
}

/* ---- all files */

size_t fg_simplefiles_take(struct fg_simplefiles *f, enum fg_simple_form form,
			   struct fg_buf *bytes)
{
	bool (*const read)(struct fg_simplefiles *, struct fg_str) =
		form == FG_SIMPLE_FIELDS ? read_fields : read_message;
	struct fg_cursor c;
	size_t damaged = 0;

	f->sections[form] = *bytes;
	*bytes = (struct fg_buf)FG_BUF_INIT;
	c = fg_cursor(fg_buf_str(&f->sections[form]));
	while (fg_cursor_left(&c)) {
		struct fg_str file = fg_cursor_bytes(&c, fg_cursor_u32(&c));

		damaged += c.bad || !read(f, file);
	}
	return damaged;
}

uint32_t fg_simplefiles_of(struct fg_simplefiles *f, struct fg_str path)
{
	uint32_t index = f->count ? fg_intern(&f->paths, path) : 0;

	return index < f->count ? index + 1 : 0;
}

/* Returns how much to add to simpleperf's addresses to get those in the DSO. */
static uint64_t shift_of(const struct fg_simplefile *file, const struct fg_dso *dso)
{
	if (file->type == TYPE_MODULE)
		return dso->base + file->offset - file->first;
	/* Code that a runtime compiled has the addresses it had in memory. */
	if (file->type != TYPE_ELF || fg_dso_is_absolute(dso))
		return 0;
	/*
	 * Code was mapped from `base` on; the offset of its start in the file may not
	 * be recorded.
	 */
	return (file->has_offset ? file->offset : dso->base) - file->first;
}

/* Adds a symbol, unless it has no name or no size. */
static void add_symbol(struct fg_simplefiles *f, struct fg_simplefile *file,
		       uint64_t shift, struct symbol *s)
{
	char *name;

	/*
	 * Names in the kernel's list are "name [module]". We cut the module off,
	 * because the mapping has it.
	 */
	if (file->type == TYPE_KERNEL)
		s->name = fg_str_before(s->name, fg_str_find_char(s->name, ' '));
	if (!s->name.len || !s->size)
		return;
	name = fg_arena_bytes(&f->names, s->name.len + 1);
	memcpy(name, s->name.ptr, s->name.len);
	name[s->name.len] = '\0';
	fg_symtab_add(file->table, s->start + shift, s->size, name,
		      FG_SYMBOL_SIZED | FG_SYMBOL_GLOBAL);
}

static void make_table(struct fg_simplefiles *f, struct fg_simplefile *file,
		       uint64_t shift)
{
	struct fg_cursor c = fg_cursor(file->symbols);
	struct fg_proto m = fg_proto_of(file->symbols);
	struct fg_proto_field field;
	struct symbol s;

	file->table = fg_xmalloc(sizeof(*file->table));
	/*
	 * Like in the map of a JIT, all sizes are known. Names were already chosen on
	 * the device.
	 */
	fg_symtab_init(file->table, FG_SYMTAB_JIT);
	while (!file->is_message && next_of_fields(&c, &s))
		add_symbol(f, file, shift, &s);
	while (file->is_message && fg_proto_next(&m, &field))
		if (field.tag == FG_PROTO_BYTES(4)) {
			s = symbol_of(field.bytes);
			add_symbol(f, file, shift, &s);
		}
	fg_symtab_finish(file->table);
}

struct fg_symtab_found fg_simplefiles_find(struct fg_simplefiles *f, uint32_t number,
					   const struct fg_dso *dso, uint64_t address)
{
	struct fg_simplefile *file;

	if (!number)
		return (struct fg_symtab_found){ NULL, UINT64_MAX };
	file = &f->list[number - 1];
	if (!file->table)
		make_table(f, file, shift_of(file, dso));
	return fg_symtab_find(file->table, address);
}

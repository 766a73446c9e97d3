/*
 * Tracepoints: reads the formats of their fields, and makes text of samples' payloads.
 */
#include "collapse/formats/perf/data/tracing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "collapse/symbols/cursor.h"
#include "lib/base/xalloc.h"

/*
 * The longest name of a field, event or system. Real ones are C identifiers. But in a
 * malformed recording, many events could repeat a long name, and many samples the names
 * of an event.
 */
#define NAME_LEN_MAX 256

/*
 * We accept formats whose fields have up to this many bytes more than a sample, because
 * the sample may be cut short.
 */
#define FIELDS_SPARE 64

enum kind {
	KIND_SIGNED,
	KIND_UNSIGNED,
	KIND_POINTER,
	KIND_TEXT, /* text inside the field */
	/*
	 * text elsewhere in the sample; the field has its length and offset, 16 bits
	 * each
	 */
	KIND_FAR_TEXT,
	/* like KIND_FAR_TEXT, but the offset counts from the end of the field */
	KIND_NEAR_TEXT,
	KIND_OTHER, /* arrays of numbers */
};

struct fg_pd_field {
	struct fg_str name;
	enum kind kind;
	uint64_t offset, size;
};

struct fg_pd_format {
	struct fg_str name; /* "SYSTEM:EVENT" */
	size_t first, count; /* the event's part of `fields` in struct fg_pd_tracing */
};

void fg_pd_tracing_init(struct fg_pd_tracing *t)
{
	memset(t, 0, sizeof(*t));
}

void fg_pd_tracing_release(struct fg_pd_tracing *t)
{
	free(t->formats);
	free(t->fields);
	fg_map_release(&t->by_id);
	fg_arena_release(&t->text);
	fg_pd_tracing_init(t);
}

/* ---- formats */

/* Returns the number after `name` in "offset:8;\tsize:16;", or 0. */
static uint64_t number_of(struct fg_str line, struct fg_str name)
{
	struct fg_str value = fg_str_from_pos(line, fg_str_find(line, name) + name.len);
	uint64_t number = 0;

	fg_str_u64(fg_str_before(value, fg_str_find_char(value, ';')), &number);
	return number;
}

static enum kind kind_of(struct fg_str declared, bool is_signed)
{
	if (fg_str_starts(declared, FG_STR("__data_loc char[]")))
		return KIND_FAR_TEXT;
	if (fg_str_starts(declared, FG_STR("__rel_loc char[]")))
		return KIND_NEAR_TEXT;
	if (fg_str_has_char(declared, '['))
		return fg_str_starts(declared, FG_STR("char ")) ? KIND_TEXT :
								  KIND_OTHER;
	if (fg_str_has_char(declared, '*'))
		return KIND_POINTER;
	return is_signed ? KIND_SIGNED : KIND_UNSIGNED;
}

/*
 * Adds a field, "field:char prev_comm[16]; offset:8; size:16; signed:0;".
 */
static void read_field(struct fg_pd_tracing *t, struct fg_str line)
{
	struct fg_str declared = fg_str_before(line, fg_str_find_char(line, ';'));
	struct fg_str name;
	struct fg_pd_field *field;

	line = fg_str_from_pos(line, declared.len);
	name = fg_str_from_pos(declared, fg_str_rfind_char(declared, ' ') + 1);
	name = fg_str_before(name, fg_str_find_char(name, '['));
	while (name.len && name.ptr[0] == '*')
		name = fg_str_from_pos(name, 1);
	if (!name.len || name.len > NAME_LEN_MAX ||
	    fg_str_starts(name, FG_STR("common_")))
		return;
	FG_GROW(t->fields, t->field_alloc, t->field_count + 1);
	field = &t->fields[t->field_count++];
	field->name = fg_arena_copy(&t->text, name);
	field->kind = kind_of(declared, number_of(line, FG_STR("signed:")) != 0);
	field->offset = number_of(line, FG_STR("offset:"));
	field->size = number_of(line, FG_STR("size:"));
}

/* Returns "SYSTEM:EVENT". */
static struct fg_str full_name(struct fg_pd_tracing *t, struct fg_str system,
			       struct fg_str event)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str name;

	fg_buf_add_str(&text, system);
	fg_buf_add_char(&text, ':');
	fg_buf_add_str(&text, event);
	name = fg_arena_copy(&t->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return name;
}

/* Adds the format of an id that has no format yet. */
static void add_format(struct fg_pd_tracing *t, uint64_t id,
		       const struct fg_pd_format *format)
{
	if (t->count >= UINT32_MAX - 1)
		return;
	FG_GROW(t->formats, t->alloc, t->count + 1);
	t->formats[t->count++] = *format;
	fg_map_set(&t->by_id, id, t->count);
}

static void read_format(struct fg_pd_tracing *t, struct fg_str system,
			struct fg_str text)
{
	struct fg_pd_format format = { .first = t->field_count };
	struct fg_str name = FG_STR("");
	uint64_t id = 0;
	bool has_id = false;

	while (text.len) {
		struct fg_str line = fg_str_trim(fg_str_cut(&text, '\n'));

		if (fg_str_cut_start(&line, FG_STR("ID: ")))
			has_id = !fg_str_u64(line, &id);
		else if (fg_str_cut_start(&line, FG_STR("name: ")))
			name = line;
		else if (fg_str_cut_start(&line, FG_STR("field:")))
			read_field(t, line);
		else if (fg_str_starts(line, FG_STR("print fmt:")))
			break;
	}
	format.count = t->field_count - format.first;
	if (!has_id || !name.len || name.len > NAME_LEN_MAX ||
	    system.len > NAME_LEN_MAX || fg_map_get(&t->by_id, id))
		return;
	format.name = full_name(t, system, name);
	add_format(t, id, &format);
}

void fg_pd_tracing_add(struct fg_pd_tracing *t, uint64_t id, struct fg_str name)
{
	struct fg_pd_format format = { .name = name };

	if (name.len > 2 * NAME_LEN_MAX || fg_map_get(&t->by_id, id))
		return;
	format.name = fg_arena_copy(&t->text, name);
	add_format(t, id, &format);
}

/* ---- tracing data */

/* Takes a string up to its NUL. */
static struct fg_str read_string(struct fg_cursor *c)
{
	struct fg_str rest = fg_str_of(c->at, fg_cursor_left(c));
	struct fg_str string = fg_cursor_bytes(c, fg_str_find_char(rest, '\0'));

	fg_cursor_skip(c, 1);
	return string;
}

/* Takes bytes that come after their length, a number of 64 bits. */
static struct fg_str read_sized(struct fg_cursor *c)
{
	return fg_cursor_bytes(c, fg_cursor_u64(c));
}

void fg_pd_tracing_read(struct fg_pd_tracing *t, struct fg_str bytes)
{
	static const struct fg_str magic = FG_STR_INIT("\027\010Dtracing");
	struct fg_cursor c = fg_cursor(bytes);
	uint32_t count, systems;

	if (!fg_str_eq(fg_cursor_bytes(&c, magic.len), magic))
		return;
	read_string(&c); /* the version */
	fg_cursor_skip(&c, 6); /* byte order, size of long, size of a page */
	for (int i = 0; i < 2; i++) { /* header_page, header_event */
		read_string(&c);
		read_sized(&c);
	}
	count = fg_cursor_u32(&c);
	for (uint32_t i = 0; i < count && !c.bad; i++) /* formats of ftrace itself */
		read_sized(&c);
	systems = fg_cursor_u32(&c);
	for (uint32_t i = 0; i < systems && !c.bad; i++) {
		struct fg_str system = read_string(&c);

		count = fg_cursor_u32(&c);
		for (uint32_t k = 0; k < count && !c.bad; k++)
			read_format(t, system, read_sized(&c));
	}
}

/* ---- samples */

static const struct fg_pd_format *format_of(const struct fg_pd_tracing *t, uint64_t id)
{
	size_t index = fg_map_get(&t->by_id, id);

	return index ? &t->formats[index - 1] : NULL;
}

struct fg_str fg_pd_tracing_name(const struct fg_pd_tracing *t, uint64_t id)
{
	const struct fg_pd_format *format = format_of(t, id);

	return format ? format->name : FG_STR("");
}

/* Reads a number of 1, 2, 4 or 8 bytes. Returns false for other sizes. */
static bool read_number(struct fg_str bytes, bool is_signed, uint64_t *number)
{
	switch (bytes.len) {
	case 1:
		*number = (unsigned char)bytes.ptr[0];
		break;
	case 2:
		*number = fg_load16(bytes.ptr);
		break;
	case 4:
		*number = fg_load32(bytes.ptr);
		break;
	case 8:
		*number = fg_load64(bytes.ptr);
		return true;
	default:
		return false;
	}
	if (is_signed && *number >> (bytes.len * 8 - 1))
		*number |= UINT64_MAX << (bytes.len * 8);
	return true;
}

static struct fg_str part(struct fg_str raw, uint64_t offset, uint64_t size)
{
	struct fg_cursor c = fg_cursor(raw);

	fg_cursor_skip(&c, offset);
	return fg_cursor_bytes(&c, size);
}

/*
 * Returns the text of a field, or a string with a NULL pointer if the field is
 * malformed.
 */
static struct fg_str text_of(const struct fg_pd_field *f, struct fg_str raw)
{
	struct fg_str bytes = part(raw, f->offset, f->size);
	uint64_t where;

	if (f->kind != KIND_TEXT) {
		if (bytes.len != 4)
			return fg_str_of(NULL, 0);
		where = fg_load32(bytes.ptr);
		bytes = part(raw,
			     (where & 0xffff) +
				     (f->kind == KIND_NEAR_TEXT ? f->offset + 4 : 0),
			     where >> 16);
	}
	return fg_str_before(bytes, fg_str_find_char(bytes, '\0'));
}

/* Charges bytes to the budget. Returns false if not so many are left. */
static bool spend(uint64_t *left, uint64_t bytes)
{
	if (bytes > *left)
		return false;
	*left -= bytes;
	return true;
}

static void add_field(struct fg_buf *b, const struct fg_pd_field *f, struct fg_str raw,
		      uint64_t *left)
{
	struct fg_str text;
	uint64_t number = 0;

	if (f->kind == KIND_OTHER)
		return;
	if (f->kind >= KIND_TEXT) {
		text = text_of(f, raw);
		if (!text.ptr || (f->kind != KIND_TEXT && !spend(left, text.len)))
			return;
	} else if (!read_number(part(raw, f->offset, f->size), f->kind == KIND_SIGNED,
				&number)) {
		return;
	}
	if (b->len)
		fg_buf_add_char(b, ' ');
	fg_buf_add_str(b, f->name);
	fg_buf_add_char(b, '=');
	if (f->kind >= KIND_TEXT)
		fg_buf_add_str(b, text);
	else if (f->kind == KIND_POINTER)
		fg_buf_addf(b, "0x%" PRIx64, number);
	else if (f->kind == KIND_SIGNED)
		fg_buf_addf(b, "%" PRId64, (int64_t)number);
	else
		fg_buf_addf(b, "%" PRIu64, number);
}

/*
 * Fields of a sample do not overlap, so together they are no longer than the sample. We
 * enforce this: a malformed format could make us read the same bytes for each field.
 */
void fg_pd_tracing_payload(const struct fg_pd_tracing *t, uint64_t id,
			   struct fg_str raw, struct fg_buf *text)
{
	const struct fg_pd_format *format = format_of(t, id);
	uint64_t left = (uint64_t)raw.len + FIELDS_SPARE;

	for (size_t i = 0; format && i < format->count; i++) {
		const struct fg_pd_field *f = &t->fields[format->first + i];

		if (!spend(&left, f->size ? f->size : 1))
			break;
		add_field(text, f, raw, &left);
	}
}

/* Chunks and the events in them, as they come. */
#include "collapse/formats/jfr/chunk.h"

#include <stdlib.h>

#include "collapse/formats/jfr/deliver.h"
#include "collapse/formats/jfr/layout.h"
#include "lib/base/xalloc.h"

#define HEADER_SIZE 68
#define MAGIC_SIZE 8

/* Ids of types that are the same in all recordings. */
#define TYPE_METADATA 0
#define TYPE_CHECKPOINT 1

/* The bit of a chunk's flags that says numbers are LEB128. */
#define FLAG_COMPRESSED 1

void jfr_chunk_release(struct jfr_chunk *c)
{
	jfr_metadata_release(&c->metadata);
	jfr_constants_release(&c->constants);
	free(c->seen);
	free(c->wanted);
	fg_buf_release(&c->metadata_bytes);
	fg_buf_release(&c->later);
}

/* ---- events that are whole */

/* Whether an event names a stack, as far as that is easily seen. */
static bool has_stack(const struct jfr_class *class, struct jfr_bytes b)
{
	if (!class->stack)
		return false;
	jfr_skip_numbers(&b, class->stack - 1, 8);
	return jfr_long(&b);
}

/* Whether it was read; if not, what it is has to be learned first. */
static bool read_known(struct jfr *j, uint64_t type, struct jfr_bytes *b)
{
	struct jfr_chunk *c = &j->chunk;
	const struct jfr_class *class;
	size_t index;

	if (type == TYPE_CHECKPOINT)
		return !jfr_constants_add(&c->constants, &c->metadata, b);
	class = jfr_metadata_class(&c->metadata, type);
	if (!class)
		return false;
	index = (size_t)(class - c->metadata.classes);
	c->seen[index] += has_stack(class, *b);
	if (c->wanted[index] != SIZE_MAX)
		jfr_samples_add(&j->samples, c->wanted[index], &c->constants, b);
	return true;
}

static struct jfr_bytes bytes_of(const struct jfr *j, struct fg_str s)
{
	const char *at = s.len ? s.ptr : ""; /* to NULL nothing is added, not even 0 */

	return (struct jfr_bytes){ at, at + s.len, j->chunk.constants.fixed, false };
}

/* Reads once more what was kept; what cannot be read even now is let go. */
static void read_later(struct jfr *j)
{
	struct jfr_bytes b = bytes_of(j, fg_buf_str(&j->chunk.later));

	while (jfr_left(&b)) {
		struct jfr_bytes event = b;
		uint64_t size = jfr_int(&event);

		event.end = b.at + size; /* as it was whole when it was kept */
		b.at = event.end;
		read_known(j, jfr_long(&event), &event);
	}
	fg_buf_clear(&j->chunk.later);
}

/* Metadata may come again, as when there are more types. */
static int read_metadata(struct jfr *j, struct jfr_bytes *b)
{
	struct jfr_chunk *c = &j->chunk;
	struct fg_str bytes = fg_str_of(b->at, jfr_left(b));
	struct jfr_metadata fresh = { .class_count = 0 };

	if (c->has_metadata && fg_str_eq(bytes, fg_buf_str(&c->metadata_bytes)))
		return 0;
	if (jfr_metadata_read(&fresh, b)) {
		jfr_metadata_release(&fresh); /* an event of another kind, perhaps */
		return 0;
	}
	jfr_layout_work_out(&fresh);
	jfr_deliver_forgets(j);
	jfr_metadata_release(&c->metadata);
	c->metadata = fresh;
	c->has_metadata = true;
	fg_buf_clear(&c->metadata_bytes);
	fg_buf_add_str(&c->metadata_bytes, bytes);
	return jfr_deliver_knows(j);
}

static int read_event(struct jfr *j, struct fg_str event)
{
	struct jfr_chunk *c = &j->chunk;
	struct jfr_bytes b = bytes_of(j, event);
	uint64_t type;
	bool first;

	jfr_int(&b);
	type = jfr_long(&b);
	if (b.bad) {
		j->samples.damaged++;
	} else if (type == TYPE_METADATA) {
		first = !c->has_metadata;
		if (read_metadata(j, &b))
			return -1;
		if (first && c->has_metadata)
			read_later(j);
	} else if (!c->has_metadata || !read_known(j, type, &b)) {
		fg_buf_add_str(&c->later, event);
	}
	return 0;
}

/* ---- chunks */

static int end_chunk(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;
	int status;

	if (!c->open)
		return 0;
	if (c->has_metadata)
		read_later(j);
	status = jfr_deliver_ends(j);
	jfr_deliver_forgets(j);
	c->open = false;
	c->has_metadata = false;
	jfr_metadata_release(&c->metadata);
	fg_buf_clear(&c->metadata_bytes);
	fg_buf_clear(&c->later);
	jfr_constants_clear(&c->constants);
	jfr_samples_clear(&j->samples);
	return status;
}

/* "FLR", a zero, and a version that is known. */
static bool is_magic(struct fg_str s)
{
	return fg_str_starts(s, FG_STR("FLR\0\0")) && s.len > 5 && s.ptr[5] >= 1 &&
	       s.ptr[5] <= 2;
}

/* The first bytes of that, as those of an event of a size that is not there, too. */
static bool may_be_magic(struct fg_str s)
{
	return s.len < MAGIC_SIZE &&
	       fg_str_starts(FG_STR("FLR\0\0"), fg_str_before(s, 5));
}

/* How many bytes were used; 0: more are needed. */
static size_t read_header(struct jfr *j, struct fg_str s, int *status)
{
	struct jfr_chunk *c = &j->chunk;
	struct jfr_bytes b = { s.ptr, s.ptr + s.len, true, false };
	uint64_t ticks;

	if (!is_magic(fg_str_before(s, MAGIC_SIZE)) && s.len >= MAGIC_SIZE) {
		if (fg_str_starts(s, FG_STR("FLR\0"))) {
			*status = fg_error(
				fg_sink_diag(j->sink), fg_sink_at(j->sink),
				"this is a recording of version %d.%d of JFR, "
				"which only JDK Mission Control reads",
				(unsigned char)s.ptr[5], (unsigned char)s.ptr[7]);
			return 0;
		}
		if (j->chunks)
			fg_sink_warn_cut(j->sink, "what follows a chunk is none");
		j->over = true;
		return s.len;
	}
	if (s.len < HEADER_SIZE)
		return 0;
	jfr_skip_bytes(&b, 8); /* magic, version */
	c->size = jfr_fixed(&b, 8);
	jfr_skip_bytes(&b, 16); /* constants, metadata */
	c->start = jfr_fixed(&b, 8);
	jfr_skip_bytes(&b, 8); /* duration */
	c->start_ticks = jfr_fixed(&b, 8);
	ticks = jfr_fixed(&b, 8);
	c->constants.fixed = !(jfr_fixed(&b, 4) & FLAG_COMPRESSED);
	j->samples.ticks_a_second = ticks;
	c->open = true;
	j->chunks++;
	c->ended = false;
	c->read = HEADER_SIZE;
	return HEADER_SIZE;
}

/* Goes past the rest of a chunk. */
static void pass_over(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;

	c->ended = true;
	if (c->size > c->read)
		j->skip = c->size - c->read;
	else
		j->over = true;
}

/* The size that an event says it has: 0 where not all of that is there. */
static uint64_t event_size(const struct jfr *j, struct fg_str s, bool *known)
{
	struct jfr_bytes b = bytes_of(j, s);
	uint64_t size = jfr_int(&b);

	*known = !b.bad;
	return size;
}

/* An event, or the end of the chunk. As read_header; -1 through *status. */
static size_t read_part(struct jfr *j, struct fg_str s, int *status)
{
	struct jfr_chunk *c = &j->chunk;
	uint64_t size;
	bool known;

	if (c->size == c->read || (s.len >= MAGIC_SIZE && is_magic(s))) {
		*status = end_chunk(j);
		return 0;
	}
	size = event_size(j, s, &known);
	if (!known || may_be_magic(s))
		return 0;
	if (size < 2 || (c->size > c->read && size > c->size - c->read)) {
		if (size)
			fg_sink_warn_cut(j->sink, "an event is longer than its chunk");
		pass_over(j);
		return 0;
	}
	if (s.len < size)
		return 0;
	*status = read_event(j, fg_str_before(s, (size_t)size));
	c->read += size;
	return (size_t)size;
}

/* Uses what it can of the bytes: how many that are. */
static size_t read_parts(struct jfr *j, struct fg_str s, int *status)
{
	size_t start = s.len;

	while (s.len && !*status && !j->over) {
		bool was_open = j->chunk.open;
		size_t used;

		if (j->skip) {
			used = j->skip < s.len ? (size_t)j->skip : s.len;
			j->skip -= used;
			j->chunk.read += used;
		} else if (was_open) {
			used = read_part(j, s, status);
		} else {
			used = read_header(j, s, status);
		}
		if (!used && was_open == j->chunk.open && !j->skip)
			break;
		s = fg_str_from_pos(s, used);
	}
	return start - s.len;
}

int jfr_read(struct jfr *j, struct fg_str bytes)
{
	struct fg_buf *carry = &j->carry;
	int status = 0;
	size_t used;

	if (j->over)
		return 0;
	if (carry->len) {
		fg_buf_add_str(carry, bytes);
		used = read_parts(j, fg_buf_str(carry), &status);
		memmove(carry->ptr, carry->ptr + used, carry->len - used);
		carry->len -= used;
	} else {
		used = read_parts(j, bytes, &status);
		fg_buf_add_str(carry, fg_str_from_pos(bytes, used));
	}
	return status;
}

int jfr_end(struct jfr *j)
{
	const struct jfr_chunk *c = &j->chunk;
	int status;

	if (!j->chunks && fg_str_starts(fg_buf_str(&j->carry), FG_STR("FLR\0")))
		fg_sink_set_cause(j->sink, "the recording has no whole chunk");
	if (!j->over && j->chunks && (j->carry.len || (c->open && c->read < c->size)))
		fg_sink_warn_cut(j->sink, "the last chunk is not whole");
	status = end_chunk(j);
	fg_buf_clear(&j->carry);
	j->skip = 0;
	j->over = false;
	j->chunks = 0;
	return status;
}

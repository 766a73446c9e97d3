/* Keeps the constants of a chunk, and turns them into text. */
#include "collapse/formats/jfr/constants.h"

#include "collapse/formats/jfr/layout.h"

/* The keys of jfr_constants_keep() have this bit, which no writer uses. */
#define INLINED (UINT64_C(1) << 63)

/*
 * We follow at most this many references to a string. We need 4: from a method to its
 * class, to the symbol that names it, to the string.
 */
#define HOPS_MAX 8

void jfr_constants_release(struct jfr_constants *c)
{
	fg_buf_release(&c->bytes);
	fg_map_release(&c->index);
}

void jfr_constants_clear(struct jfr_constants *c)
{
	fg_buf_clear(&c->bytes);
	fg_map_clear(&c->index);
	c->inlined = 0;
	c->damaged = false;
}

/* ---- adding */

/*
 * Adds one pool of a checkpoint, the values of a class. Returns -1 if the class is
 * unknown or its values cannot be read.
 */
static int add_pool(struct jfr_constants *c, const struct jfr_metadata *m,
		    struct jfr_bytes *b, const char *start)
{
	uint64_t class_id = jfr_long(b);
	const struct jfr_class *class = jfr_metadata_class(m, class_id);

	if (!class || !class->depth)
		return -1;
	for (uint32_t count = jfr_int(b); count && !b->bad; count--) {
		struct fg_map_key key = { class_id, jfr_long(b) };
		size_t at = c->bytes.len + (size_t)(b->at - start);
		bool is_new;

		jfr_skip_value(class, b);
		if (!b->bad)
			fg_map_add(&c->index, key, at, &is_new);
	}
	return 0;
}

int jfr_constants_add(struct jfr_constants *c, const struct jfr_metadata *m,
		      const struct jfr_bytes *event)
{
	struct jfr_bytes b = *event;
	int status = 0;

	jfr_skip_numbers(&b, 3, 8); /* start, duration, the checkpoint before */
	jfr_byte(&b);
	for (uint32_t pools = jfr_int(&b); pools && !b.bad && !status; pools--)
		status = add_pool(c, m, &b, event->at);
	c->damaged = c->damaged || b.bad;
	fg_buf_add(&c->bytes, event->at, jfr_left(event));
	return status;
}

uint64_t jfr_constants_keep(struct jfr_constants *c, const struct jfr_field *f,
			    struct jfr_bytes *b)
{
	struct fg_map_key key = { f->class_id, INLINED | ++c->inlined };
	const char *start = b->at;
	bool is_new;

	jfr_skip_field(f, b);
	fg_map_add(&c->index, key, c->bytes.len, &is_new);
	fg_buf_add(&c->bytes, start, (size_t)(b->at - start));
	return key.b;
}

/* ---- finding */

bool jfr_constants_find(const struct jfr_constants *c, uint64_t class_id, uint64_t key,
			struct jfr_bytes *at)
{
	const size_t *index =
		fg_map_find(&c->index, (struct fg_map_key){ class_id, key });

	if (!index || *index >= c->bytes.len)
		return false;
	*at = (struct jfr_bytes){ c->bytes.ptr + *index, c->bytes.ptr + c->bytes.len,
				  c->fixed, false };
	return true;
}

/* Returns the first `within` bytes of a value. */
static struct jfr_bytes start_of(struct jfr_bytes at, size_t within)
{
	if (jfr_left(&at) > within)
		at.end = at.at + within;
	return at;
}

/*
 * Returns a member whose bytes start at `at`. It may be read up to `end`, even if the
 * bytes that we walk over end before that.
 */
static struct jfr_member member_at(const struct jfr_field *f, struct jfr_bytes at,
				   const char *end)
{
	at.end = end;
	return (struct jfr_member){ f, at };
}

size_t jfr_members(const struct jfr_class *c, struct jfr_bytes at, size_t within,
		   struct jfr_member members[JFR_ROLES])
{
	struct jfr_bytes b = start_of(at, within);

	memset(members, 0, JFR_ROLES * sizeof(*members));
	for (size_t i = 0; i < c->field_count && !b.bad; i++) {
		const struct jfr_field *f = &c->fields[i];

		members[f->role] = member_at(f, b, at.end);
		jfr_skip_field(f, &b);
	}
	return (size_t)(b.at - at.at);
}

/* A value of a class. */
struct value {
	uint64_t class_id;
	const struct jfr_class *class;
	struct jfr_bytes at;
};

/*
 * Finds the value of a member, which may be a constant. Returns false if there is no
 * value.
 */
static bool value_of(const struct jfr_constants *c, const struct jfr_member *member,
		     struct value *value)
{
	const struct jfr_field *f = member->field;

	if (!f || f->array || !f->class)
		return false;
	value->class_id = f->class_id;
	value->class = f->class;
	value->at = member->at;
	return !f->constant ||
	       jfr_constants_find(c, f->class_id, jfr_long(&value->at), &value->at);
}

/* Returns the member "name" of a value, or its first member. */
static struct jfr_member name_in(const struct value *value)
{
	const struct jfr_class *c = value->class;
	struct jfr_bytes at = start_of(value->at, JFR_SHARED_MAX);
	struct jfr_member member = { NULL, at };

	for (size_t i = 0; i < c->field_count && !at.bad; i++) {
		const struct jfr_field *f = &c->fields[i];

		if (!i || f->role == JFR_NAME)
			member = member_at(f, at, value->at.end);
		jfr_skip_field(f, &at);
	}
	return member;
}

/*
 * Follows a value to its string, for example from a class to its symbol and its text.
 * Returns false if there is no string.
 */
static bool find_string(const struct jfr_constants *c, struct value *value)
{
	for (unsigned hops = 0; hops < HOPS_MAX; hops++) {
		uint64_t key;

		if (value->class->kind != JFR_STRING) {
			struct jfr_member member = name_in(value);

			if (!value_of(c, &member, value))
				return false;
		} else if (!jfr_string_is_constant(value->at, &key)) {
			return true;
		} else if (!jfr_constants_find(c, value->class_id, key, &value->at)) {
			return false;
		}
	}
	return false;
}

static bool text_of(const struct jfr_constants *c, struct value value,
		    struct fg_buf *text)
{
	uint64_t key;

	return find_string(c, &value) &&
	       jfr_read_string(&value.at, text, &key) != JFR_STRING_NULL;
}

const char *jfr_text_at(const struct jfr_constants *c, const struct jfr_member *member)
{
	struct value value;

	return value_of(c, member, &value) && find_string(c, &value) ? value.at.at :
								       NULL;
}

bool jfr_text(const struct jfr_constants *c, const struct jfr_member *member,
	      struct fg_buf *text)
{
	struct value value;

	return value_of(c, member, &value) && text_of(c, value, text);
}

bool jfr_constant_text(const struct jfr_constants *c, const struct jfr_field *f,
		       uint64_t key, struct fg_buf *text)
{
	struct value value = { .class_id = f->class_id, .class = f->class };

	return f->class && jfr_constants_find(c, f->class_id, key, &value.at) &&
	       text_of(c, value, text);
}

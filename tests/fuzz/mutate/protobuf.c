/*
 * Mutations of any messages of Protocol Buffers: fields are added, taken out, moved,
 * copied and changed, at any depth, and lengths are corrected.
 */
#include "lib/base/protobuf.h"
#include "tests/fuzz/mutate/random.h"

#define DEPTH_MAX 8
#define FIELDS_MAX 16 /* field numbers that we generate */

/* A field of a message: its start and its end in it. */
struct found {
	struct fg_proto_field field;
	struct fg_str message, before, whole, after;
};

/* A path into the message: each field is in the one before. */
struct path {
	struct found steps[DEPTH_MAX];
	size_t depth; /* the last one is the chosen field */
};

static void put_number(struct fg_buf *b, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		fg_buf_add_char(b, (char)(n | 0x80));
	fg_buf_add_char(b, (char)n);
}

static void put_bytes(struct fg_buf *b, uint64_t field, struct fg_str bytes)
{
	put_number(b, FG_PROTO_BYTES(field));
	put_number(b, bytes.len);
	fg_buf_add_str(b, bytes);
}

static bool is_message(struct fg_str bytes)
{
	struct fg_proto m = fg_proto_of(bytes);
	struct fg_proto_field f;

	while (fg_proto_next(&m, &f))
		;
	return bytes.len && !m.fault;
}

/* Chooses a field. Returns false if there is none. */
static bool choose_field(struct random *r, struct fg_str message, struct found *found)
{
	struct fg_proto m = fg_proto_of(message);
	struct fg_proto_field f;
	size_t count = 0;

	while (fg_proto_next(&m, &f))
		count++;
	if (!count)
		return false;
	m = fg_proto_of(message);
	for (size_t skip = random_below(r, count); skip; skip--)
		fg_proto_next(&m, &f);
	found->message = message;
	found->whole = m.rest;
	found->before = fg_str_before(message, message.len - m.rest.len);
	fg_proto_next(&m, &found->field);
	found->whole.len -= m.rest.len;
	found->after = m.rest;
	return true;
}

/* Chooses a field at some depth. Returns false if the input is not a message. */
static bool choose_path(struct random *r, struct fg_str message, struct path *path)
{
	for (path->depth = 0; path->depth < DEPTH_MAX; path->depth++) {
		if (!choose_field(r, message, &path->steps[path->depth]))
			return path->depth > 0;
		message = path->steps[path->depth].field.bytes;
		if (!is_message(message) || random_one_in(r, 4)) {
			path->depth++;
			return true;
		}
	}
	return true;
}

/* ---- changes: another field, or several, in place of one */

static void put_packed(struct random *r, struct fg_buf *to, struct found *f)
{
	struct fg_buf numbers = FG_BUF_INIT;
	struct fg_str rest = f->field.bytes;
	uint64_t number;

	while (!fg_proto_cut(&rest, &number)) {
		if (random_one_in(r, 8))
			continue;
		put_number(&numbers, random_one_in(r, 4) ? random_number(r) : number);
	}
	if (random_one_in(r, 3))
		put_number(&numbers, random_number(r));
	put_bytes(to, f->field.tag >> 3, fg_buf_str(&numbers));
	fg_buf_release(&numbers);
}

static void put_changed(struct random *r, struct fg_buf *to, struct found *f)
{
	struct fg_buf bytes = FG_BUF_INIT;

	switch (f->field.tag & 7) {
	case 0:
		put_number(to, f->field.tag);
		put_number(to, random_number(r));
		break;
	case 2:
		if (random_one_in(r, 2)) {
			put_packed(r, to, f);
			break;
		}
		random_bytes(&bytes, f->field.bytes);
		put_bytes(to, f->field.tag >> 3, fg_buf_str(&bytes));
		break;
	default:
		fg_buf_add_str(to, f->whole);
		to->ptr[to->len - 1] = (char)random_next(r);
	}
	fg_buf_release(&bytes);
}

/* Puts a field with another number. */
static void put_renumbered(struct random *r, struct fg_buf *to, struct found *f)
{
	struct fg_str rest = f->whole;
	uint64_t tag;

	fg_proto_cut(&rest, &tag);
	put_number(to, (1 + random_below(r, FIELDS_MAX)) << 3 | (tag & 7));
	fg_buf_add_str(to, rest);
}

/* Puts a field with a number, with several numbers, or of four or eight bytes. */
static void put_new(struct random *r, struct fg_buf *to)
{
	uint64_t tag = (1 + random_below(r, FIELDS_MAX)) << 3;
	char bytes[8] = { 0 };
	size_t count;

	switch (random_below(r, 8)) {
	case 0:
		put_number(to, tag | 5);
		fg_buf_add(to, bytes, 4);
		break;
	case 1:
		put_number(to, tag | 1);
		bytes[random_below(r, 8)] = (char)random_next(r);
		fg_buf_add(to, bytes, 8);
		break;
	case 2:
	case 3:
		count = random_below(r, 8);
		put_number(to, tag | 2);
		put_number(to, count);
		while (count--)
			fg_buf_add_char(to, (char)random_below(r, 8));
		break;
	default:
		put_number(to, tag);
		put_number(to, random_number(r));
	}
}

static void put_instead(struct random *r, struct fg_buf *to, struct found *f,
			struct fg_str all)
{
	struct found other;
	struct path path;

	switch (random_below(r, 10)) {
	case 0:
		break;
	case 1:
		fg_buf_add_str(to, f->whole);
		fg_buf_add_str(to, f->whole);
		break;
	case 2:
		put_renumbered(r, to, f);
		break;
	case 3:
		fg_buf_add_str(to, f->whole);
		put_new(r, to);
		break;
	case 4: /* from another place in the whole input */
		fg_buf_add_str(to, f->whole);
		if (choose_path(r, all, &path))
			fg_buf_add_str(to, path.steps[path.depth - 1].whole);
		break;
	case 5: /* another field of the same message */
		if (choose_field(r, f->message, &other))
			fg_buf_add_str(to, other.whole);
		fg_buf_add_str(to, f->whole);
		break;
	default:
		put_changed(r, to, f);
	}
}

/* Puts the message with another one in place of the field at the end of the path. */
static void rebuild(const struct path *path, struct fg_buf *changed)
{
	for (size_t i = path->depth; i-- > 0;) {
		const struct found *f = &path->steps[i];
		struct fg_buf outer = FG_BUF_INIT;

		fg_buf_add_str(&outer, f->before);
		if (i + 1 == path->depth)
			fg_buf_add_str(&outer, fg_buf_str(changed));
		else
			put_bytes(&outer, f->field.tag >> 3, fg_buf_str(changed));
		fg_buf_add_str(&outer, f->after);
		fg_buf_release(changed);
		*changed = outer;
	}
}

static void change(struct random *r, struct fg_buf *message)
{
	struct fg_buf changed = FG_BUF_INIT;
	struct path path;

	if (choose_path(r, fg_buf_str(message), &path)) {
		put_instead(r, &changed, &path.steps[path.depth - 1],
			    fg_buf_str(message));
		rebuild(&path, &changed);
	} else {
		put_new(r, &changed);
	}
	fg_buf_release(message);
	*message = changed;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf whole = FG_BUF_INIT;
	struct random r = { seed };

	random_next(&r);
	random_cut_choice(&r, &input, &whole);
	if (random_one_in(&r, 12) || (size && !is_message(input))) {
		fg_buf_release(&whole);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	random_change(&r, input, change, &whole);
	return random_hand_over(&whole, data, max_size);
}

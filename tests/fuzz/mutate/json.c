/*
 * Mutations of JSON: elements and members are taken out, doubled and copied from
 * elsewhere, values are replaced, also by small numbers, like indices of tables. Input
 * that does not begin with a bracket is left to libFuzzer.
 */
#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "tests/fuzz/mutate/random.h"

#define ELEMENTS_MAX 4096
#define DEPTH_MAX 64

/* An element of an array, or a member of an object, with its name. */
struct element {
	size_t start, value, end;
};

struct document {
	struct fg_str text;
	struct element list[ELEMENTS_MAX];
	size_t count;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the end of the string that starts there. */
static size_t string_end(struct fg_str s, size_t at)
{
	for (at++; at < s.len && s.ptr[at] != '"'; at++)
		at += s.ptr[at] == '\\';
	return at < s.len ? at + 1 : s.len;
}

/* Returns the end of the number or word that starts there. */
static size_t word_end(struct fg_str s, size_t at)
{
	while (at < s.len && !is_space(s.ptr[at]) && !strchr(",]}:\"", s.ptr[at]))
		at++;
	return at;
}

static size_t add_element(struct document *d, size_t start)
{
	size_t i = d->count < ELEMENTS_MAX ? d->count++ : ELEMENTS_MAX - 1;

	d->list[i] = (struct element){ start, start, start };
	return i;
}

/* Finds the elements, each before those in it. Text that is not JSON has some, too. */
static void read_elements(struct document *d)
{
	struct fg_str s = d->text;
	size_t open[DEPTH_MAX], depth = 0, at = 0;
	bool in_member = false; /* a name and a colon have come */

	while (at < s.len && depth < DEPTH_MAX) {
		char c = s.ptr[at];
		size_t i;

		if (is_space(c) || c == ',' || c == ':') {
			in_member = in_member || c == ':';
			at++;
			continue;
		}
		if (c == ']' || c == '}') {
			at++;
			if (depth)
				d->list[open[--depth]].end = at;
			in_member = false;
			continue;
		}
		i = in_member && d->count ? d->count - 1 : add_element(d, at);
		d->list[i].value = at;
		in_member = false;
		if (c == '{' || c == '[') {
			open[depth++] = i;
			d->list[i].end = ++at;
			continue;
		}
		at = c == '"' ? string_end(s, at) : word_end(s, at);
		at += at == d->list[i].value;
		d->list[i].end = at;
	}
	while (depth)
		d->list[open[--depth]].end = s.len;
}

static struct fg_str part(const struct document *d, size_t start, size_t end)
{
	return fg_str_of(d->text.ptr + start, end - start);
}

static void put_value(struct random *r, struct fg_buf *to)
{
	static const char *const values[] = {
		"null", "true", "{}",  "[]",	"\"\"",
		"-1",	"1e99", "0.5", "[[0]]", "\"\\ud800\\n\""
	};

	if (random_one_in(r, 2))
		fg_buf_add_u64(to, random_number(r));
	else
		fg_buf_addf(to, "%s",
			    values[random_below(r, sizeof(values) / sizeof(*values))]);
}

/* Puts another value of the same kind, if it is a number or a string. */
static void put_changed(struct random *r, struct fg_buf *to, struct fg_str value)
{
	if (value.len > 1 && value.ptr[0] == '"') {
		fg_buf_add_char(to, '"');
		random_bytes(to, fg_str_of(value.ptr + 1, value.len - 2));
		fg_buf_add_char(to, '"');
	} else if (value.len && (fg_is_digit(value.ptr[0]) || value.ptr[0] == '-')) {
		fg_buf_add_u64(to, random_number(r));
	} else {
		put_value(r, to);
	}
}

/* Puts something in place of an element. */
static void put_instead(struct random *r, struct fg_buf *to, const struct document *d,
			const struct element *e)
{
	const struct element *other = &d->list[random_below(r, d->count)];
	struct fg_str name = part(d, e->start, e->value);

	switch (random_below(r, 8)) {
	case 0:
		fg_buf_add_str(to, part(d, e->start, e->end));
		fg_buf_add_char(to, ',');
		fg_buf_add_str(to, part(d, e->start, e->end));
		break;
	case 1: /* the other element with its name, if it has one */
		fg_buf_add_str(to, part(d, e->start, e->end));
		fg_buf_add_char(to, ',');
		fg_buf_add_str(to, part(d, other->start, other->end));
		break;
	case 2:
		fg_buf_add_str(to, name);
		fg_buf_add_str(to, part(d, other->value, other->end));
		break;
	case 3:
		fg_buf_add_str(to, name);
		put_value(r, to);
		break;
	default:
		fg_buf_add_str(to, name);
		put_changed(r, to, part(d, e->value, e->end));
	}
}

/*
 * Takes an element out, with the comma after it or, if it is the last, the one before
 * it.
 */
static void take_out(struct document *d, const struct element *e, struct fg_buf *to)
{
	struct fg_str before = part(d, 0, e->start);
	struct fg_str after = part(d, e->end, d->text.len);
	size_t comma = fg_str_find_char(after, ',');

	if (comma < fg_str_find_char(after, ']') &&
	    comma < fg_str_find_char(after, '}'))
		after = fg_str_from_pos(after, comma + 1);
	else
		before = fg_str_before(before, fg_str_rfind_char(before, ','));
	fg_buf_add_str(to, before);
	fg_buf_add_str(to, after);
}

static void change(struct random *r, struct fg_buf *text)
{
	struct document *d = fg_xmalloc(sizeof(*d));
	struct fg_buf changed = FG_BUF_INIT;
	const struct element *e;

	d->text = fg_buf_str(text);
	d->count = 0;
	read_elements(d);
	e = &d->list[random_below(r, d->count)];
	if (d->count && random_one_in(r, 8)) {
		take_out(d, e, &changed);
	} else if (d->count) {
		fg_buf_add_str(&changed, part(d, 0, e->start));
		put_instead(r, &changed, d, e);
		fg_buf_add_str(&changed, part(d, e->end, d->text.len));
	}
	fg_buf_release(text);
	*text = changed;
	free(d);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf whole = FG_BUF_INIT;
	struct random r = { seed };

	random_next(&r);
	random_cut_choice(&r, &input, &whole);
	if (random_one_in(&r, 8) || !input.len ||
	    (input.ptr[0] != '{' && input.ptr[0] != '[')) {
		fg_buf_release(&whole);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	random_change(&r, input, change, &whole);
	return random_hand_over(&whole, data, max_size);
}

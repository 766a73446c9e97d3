/* Inputs that are changed in a place, and digests of what comes of them. */
#include "tests/unit/support/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support/golden.h"
#include "tests/unit/support/support.h"

#define SHOWN_MAX 3

/* A copy of `text` that is changed in one place. */
static void change(struct random *random, struct fg_str text, struct fg_buf *to)
{
	static const struct fg_str bytes =
		FG_STR_INIT(" \n\t\r0159-+.;:,()[]{}\"'/@#<>=_aZ\\%\x80\xff\0");
	size_t at = random_below(random, text.len);
	char other = bytes.ptr[random_below(random, bytes.len)];
	size_t kind = random_below(random, 16);

	fg_buf_clear(to);
	fg_buf_add_str(to, fg_str_before(text, at));
	if (kind == 0) /* the input ends here */
		return;
	if (kind < 5)
		fg_buf_add_char(to, other);
	else if (kind < 8)
		fg_buf_add_char(to, (char)(text.ptr[at] + 1));
	else if (kind < 11)
		fg_buf_add_char(to, (char)(text.ptr[at] - 1));
	if (kind >= 14) {
		fg_buf_add_char(to, other);
		fg_buf_add_char(to, text.ptr[at]);
	}
	fg_buf_add_str(to, fg_str_from_pos(text, at + 1));
}

static void hash(uint32_t *sum, struct fg_str text)
{
	for (size_t i = 0; i < text.len; i++)
		*sum = (*sum ^ (unsigned char)text.ptr[i]) * UINT32_C(16777619);
	*sum = (*sum ^ (uint32_t)text.len) * UINT32_C(16777619);
}

/* The digits of a run in the file; empty where it has none. */
static struct fg_str find_known(struct fg_str file, const char *name)
{
	while (file.len) {
		struct fg_str line = fg_str_cut(&file, '\n');

		if (fg_str_eq(fg_str_cut(&line, '\t'), fg_str_from(name)))
			return line;
	}
	return file;
}

/* Two digits, which stand for some changes of the input. */
static void check_pair(struct near *n, const struct near_input *in,
		       struct random *random, const char *known)
{
	struct fg_buf changed = FG_BUF_INIT, result = FG_BUF_INIT, all = FG_BUF_INIT;
	uint32_t sum = UINT32_C(2166136261);
	char digits[3];

	for (size_t i = 0; i < NEAR_TOGETHER; i++) {
		change(random, in->text, &changed);
		n->read(n->data, fg_buf_str(&changed), in->arguments, &result);
		hash(&sum, fg_buf_str(&result));
		fg_buf_add_str(&all, fg_buf_str(&changed));
		fg_buf_addf(&all, "\n---- is read as:\n");
		fg_buf_add_str(&all, fg_buf_str(&result));
	}
	snprintf(digits, sizeof(digits), "%02x",
		 (unsigned)((sum ^ sum >> 16 ^ sum >> 8 ^ sum >> 24) & 0xff));
	fg_buf_addf(&n->lines, "%s", digits);
	if (known && memcmp(known, digits, 2) != 0 && n->shown++ < SHOWN_MAX)
		print_error("%s: one of these is read otherwise:\n%.*s", in->name,
			    (int)all.len, all.ptr);
	fg_buf_release(&changed);
	fg_buf_release(&result);
	fg_buf_release(&all);
}

void near_try(struct near *n, const struct near_input *in)
{
	struct fg_str known = find_known(fg_buf_str(&n->known), in->name);
	const char *only = getenv("NEAR");
	struct random random;
	uint32_t seed = 1;

	if (!known.len && !getenv("BLESS"))
		return;
	if (only && !fg_str_starts(fg_str_from(in->name), fg_str_from(only)))
		return;
	hash(&seed, fg_str_from(in->name));
	random.state = seed | 1;
	fg_buf_addf(&n->lines, "%s\t", in->name);
	for (size_t i = 0; i < in->pairs; i++)
		check_pair(n, in, &random,
			   known.len >= 2 * (i + 1) ? known.ptr + 2 * i : NULL);
	fg_buf_add_char(&n->lines, '\n');
}

static int compare_lines(const void *a, const void *b)
{
	return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

/* Folders are visited in no order. */
static void sort_lines(struct fg_buf *text)
{
	struct fg_str rest = fg_buf_str(text), lines[4096];
	struct fg_buf sorted = FG_BUF_INIT;
	size_t count = 0;

	while (rest.len) {
		assert_true(count < COUNT_OF(lines));
		lines[count++] = fg_str_cut(&rest, '\n');
	}
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++) {
		fg_buf_add_str(&sorted, lines[i]);
		fg_buf_add_char(&sorted, '\n');
	}
	fg_buf_release(text);
	*text = sorted;
}

void near_start(struct near *n)
{
	golden_read("tests/data/near", n->path, &n->known);
}

void near_end(struct near *n)
{
	struct fg_buf path = FG_BUF_INIT;

	sort_lines(&n->lines);
	fg_buf_addf(&path, "tests/data/near/%s", n->path);
	if (getenv("BLESS")) {
		FILE *file = fopen(fg_buf_cstr(&path), "wb");

		assert_non_null(file);
		assert_int_equal(fwrite(n->lines.ptr, 1, n->lines.len, file),
				 n->lines.len);
		assert_int_equal(fclose(file), 0);
	} else if (n->shown) {
		fail_msg("%s: %zu pairs of digits are others", fg_buf_cstr(&path),
			 n->shown);
	}
	fg_buf_release(&path);
	fg_buf_release(&n->known);
	fg_buf_release(&n->lines);
}

/* Reads and writes the header line "# quality:". */
#include "lib/profile/quality.h"

#include "lib/base/count.h"

/* Indices of columns, as in tree.h. */
enum { BEFORE, AFTER };

static const struct fg_str words[] = {
	[FG_QUALITY_SAMPLES] = FG_STR_INIT("samples"),
	[FG_QUALITY_STACKS] = FG_STR_INIT("stacks"),
	[FG_QUALITY_NS] = FG_STR_INIT("ns"),
	[FG_QUALITY_LOST] = FG_STR_INIT("lost"),
	[FG_QUALITY_DROPPED] = FG_STR_INIT("dropped"),
	[FG_QUALITY_TRUNCATED] = FG_STR_INIT("truncated"),
	[FG_QUALITY_FRAMELESS] = FG_STR_INIT("frameless"),
	[FG_QUALITY_MALFORMED] = FG_STR_INIT("malformed"),
	[FG_QUALITY_CUT] = FG_STR_INIT("cut"),
};

/* Reads "12" or "12,0" into of[2]. Sets *two if there are two numbers. */
static int read_numbers(struct fg_str text, uint64_t of[2], bool *two)
{
	*two = fg_str_has_char(text, ',');
	of[BEFORE] = 0;
	if (*two && fg_str_u64(fg_str_cut(&text, ','), &of[BEFORE]))
		return -1;
	return fg_str_u64(text, &of[AFTER]);
}

int fg_quality_read(struct fg_quality *q, struct fg_str value)
{
	struct fg_quality read = { .known = { false, false } };

	value = fg_str_trim(value);
	while (value.len) {
		struct fg_str word = fg_str_cut(&value, ' ');
		struct fg_str name = fg_str_cut(&word, '=');
		uint64_t of[2];
		bool two;

		value = fg_str_trim_left(value);
		if (read_numbers(word, of, &two))
			return -1;
		read.known[AFTER] = true;
		read.known[BEFORE] |= two;
		for (size_t i = 0; i < FG_COUNT_OF(words); i++) {
			if (!fg_str_eq(name, words[i]))
				continue;
			read.of[BEFORE][i] = of[BEFORE];
			read.of[AFTER][i] = of[AFTER];
		}
	}
	fg_quality_add(q, &read);
	return 0;
}

void fg_quality_add(struct fg_quality *q, const struct fg_quality *other)
{
	if (q->partial || other->partial) {
		*q = (struct fg_quality){ .partial = true };
		return;
	}
	for (unsigned column = BEFORE; column <= AFTER; column++) {
		q->known[column] |= other->known[column];
		for (size_t i = 0; i < FG_QUALITY_KINDS; i++)
			q->of[column][i] =
				fg_count_add(q->of[column][i], other->of[column][i]);
	}
}

void fg_quality_add_value(const struct fg_quality *q, struct fg_buf *value)
{
	size_t start = value->len;

	if (!q->known[AFTER])
		return;
	for (size_t i = 0; i < FG_QUALITY_KINDS; i++) {
		if (!q->of[BEFORE][i] && !q->of[AFTER][i])
			continue;
		if (value->len > start)
			fg_buf_add_char(value, ' ');
		fg_buf_add_str(value, words[i]);
		fg_buf_add_char(value, '=');
		if (q->known[BEFORE]) {
			fg_buf_add_u64(value, q->of[BEFORE][i]);
			fg_buf_add_char(value, ',');
		}
		fg_buf_add_u64(value, q->of[AFTER][i]);
	}
	if (value->len == start)
		fg_buf_add_str(value, FG_STR("samples=0"));
}

void fg_quality_add_line(const struct fg_quality *q, struct fg_buf *lines)
{
	if (!q->known[AFTER])
		return;
	fg_buf_add_str(lines, FG_STR("# quality: "));
	fg_quality_add_value(q, lines);
	fg_buf_add_char(lines, '\n');
}

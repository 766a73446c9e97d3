/* Reads folded stacks like inferno-flamegraph: --compat=inferno. */
#include "flamegraph/inferno.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

void fg_inferno_init(struct fg_inferno *l, const struct fg_graph_options *options)
{
	memset(l, 0, sizeof(*l));
	l->options = options;
}

void fg_inferno_release(struct fg_inferno *l)
{
	fg_buf_release(&l->text);
	free(l->lines);
	free(l->order);
	fg_inferno_init(l, NULL);
}

static bool is_base(const struct fg_opt_list *base, struct fg_str frame)
{
	for (size_t i = 0; i < base->count; i++)
		if (fg_str_eq(frame, fg_str_from(base->items[i])))
			return true;
	return false;
}

/*
 * Drops the frames before the last one that --base names. The first frame never counts,
 * nor does the leaf, which still has its count at the end. Returns false if --base
 * names no frame: the line is then left out.
 */
static bool cut_base(const struct fg_opt_list *base, struct fg_str *line)
{
	size_t end = line->len;

	for (;;) {
		struct fg_str head = fg_str_before(*line, end);
		size_t semicolon = fg_str_rfind_char(head, ';');

		if (semicolon >= end)
			return false;
		if (is_base(base, fg_str_from_pos(head, semicolon + 1))) {
			*line = fg_str_from_pos(*line, semicolon + 1);
			return true;
		}
		end = semicolon;
	}
}

/*
 * Returns the start of the number at the end of `s`, or `s.len` if `s` does not end
 * with a space and a number.
 */
static size_t find_number(struct fg_str s)
{
	size_t blank = fg_str_rfind_char(s, ' ');
	bool point = false;

	if (blank >= s.len)
		return s.len;
	for (size_t i = blank + 1; i < s.len; i++) {
		bool first_point = s.ptr[i] == '.' && !point;

		if (!fg_is_digit(s.ptr[i]) && !first_point)
			return s.len;
		point |= first_point;
	}
	return blank + 1;
}

/*
 * Returns the start of the one or two counts at the end of a line, or the length of the
 * line if it has no count.
 */
static size_t find_counts(struct fg_str line)
{
	size_t last = find_number(line), first;

	if (last == line.len)
		return last;
	first = find_number(fg_str_before(line, last - 1));
	return first < last - 1 ? first : last;
}

/* Appends the line with its frames reversed. */
static void add_reversed(struct fg_buf *b, struct fg_str line)
{
	size_t counts = find_counts(line), semicolon;
	struct fg_str stack = fg_str_trim(fg_str_before(line, counts));

	while ((semicolon = fg_str_rfind_char(stack, ';')) < stack.len) {
		fg_buf_add_str(b, fg_str_from_pos(stack, semicolon + 1));
		fg_buf_add_char(b, ';');
		stack = fg_str_before(stack, semicolon);
	}
	fg_buf_add_str(b, stack);
	fg_buf_add_char(b, ' ');
	fg_buf_add_str(b, fg_str_from_pos(line, counts));
}

enum fg_inferno_result fg_inferno_add(struct fg_inferno *l, struct fg_str line,
				      const struct fg_place *at)
{
	const struct fg_graph_options *o = l->options;
	struct fg_inferno_line *added;
	size_t start = l->text.len;
	struct fg_str text;

	line = fg_str_trim(line);
	if (!line.len || fg_str_starts(line, FG_STR("# ")))
		return FG_INFERNO_ADDED;
	if (o->base.count && !o->reverse && !o->flamechart && !o->no_sort &&
	    !cut_base(&o->base, &line))
		return FG_INFERNO_NO_BASE;
	if (l->count == UINT32_MAX)
		return FG_INFERNO_TOO_MANY;
	FG_GROW(l->lines, l->lines_alloc, (size_t)l->count + 1);
	added = &l->lines[l->count++];
	added->at = *at;
	if (o->reverse)
		add_reversed(&l->text, line);
	else
		fg_buf_add_str(&l->text, line);
	text = fg_str_trim(fg_str_from_pos(fg_buf_str(&l->text), start));
	added->start = (size_t)(text.ptr - l->text.ptr);
	added->len = text.len;
	return FG_INFERNO_ADDED;
}

static struct fg_str text_of(const struct fg_inferno *l, uint32_t line)
{
	return fg_str_of(l->text.ptr + l->lines[line].start, l->lines[line].len);
}

static int compare_lines(const void *context, uint32_t a, uint32_t b)
{
	return fg_str_cmp(text_of(context, a), text_of(context, b));
}

void fg_inferno_order(struct fg_inferno *l)
{
	const struct fg_graph_options *o = l->options;
	bool sort = o->reverse || (!o->flamechart && !o->no_sort);
	bool backwards = o->flamechart && !o->reverse;

	l->order = fg_xcalloc(l->count, sizeof(*l->order));
	for (uint32_t i = 0; i < l->count; i++)
		l->order[i] = backwards ? l->count - 1 - i : i;
	if (sort)
		fg_sort(l->order, l->count, compare_lines, l);
}

struct fg_str fg_inferno_line(const struct fg_inferno *l, uint32_t i,
			      struct fg_place *at)
{
	*at = l->lines[l->order[i]].at;
	return text_of(l, l->order[i]);
}

enum fg_folded_kind fg_inferno_parse(struct fg_str line, struct fg_folded *folded,
				     bool *cut)
{
	enum fg_folded_kind kind = fg_folded_parse(line, folded);

	if (kind != FG_FOLDED_STACK)
		return kind;
	folded->stack = fg_str_trim_right(folded->stack);
	for (unsigned i = 0; i < folded->columns; i++) {
		struct fg_count *count = &folded->count[i];
		uint64_t unit = fg_pow10(count->decimals);

		*cut |= count->digits % unit != 0;
		*count = (struct fg_count){ count->digits / unit, 0 };
	}
	return folded->stack.len ? FG_FOLDED_STACK : FG_FOLDED_NO_COUNT;
}

/* Folded profiles read as one, each stack as options want it. */
#include "filterfolded/profile.h"

#include <string.h>

#include "lib/treelines.h"
#include "lib/utf8.h"

/* The stacks in the first bytes say whether all are to have two counts. */
#define HELD_MAX ((size_t)64 * 1024)

void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_diag *diag)
{
	memset(p, 0, sizeof(*p));
	p->diag = diag;
	p->filter = filter;
	fg_tree_init(&p->tree, FG_TREE_SORTED);
	p->tree.keep_leaf = true;
	fg_intern_init(&p->headers);
}

void fg_profile_release(struct fg_profile *p)
{
	fg_tree_release(&p->tree);
	fg_intern_release(&p->headers);
	fg_buf_release(&p->reversed);
	fg_buf_release(&p->no_count.text);
	fg_buf_release(&p->two_counts.text);
	fg_buf_release(&p->one_count.text);
	fg_buf_release(&p->lost.text);
	fg_buf_release(&p->counts_first.text);
}

/* ---- lines */

/* An input while it is read. */
struct input {
	struct fg_place at;
	uint64_t lines, stacks;
	const char *guess; /* what it is, where it has no stack */
	unsigned columns; /* 0: not known yet */
	struct fg_buf held; /* lines until it is */
	bool any_pair; /* a stack has two numbers */
};

static void note(struct fg_profile *p, struct fg_odd_lines *odd, const struct input *in,
		 struct fg_str line)
{
	if (!odd->count++) {
		odd->at = in->at;
		fg_buf_add_visible(&odd->text, line, FG_QUOTED_MAX);
	}
	if (p->diag->verbosity >= FG_VERBOSE && odd == &p->no_count) {
		struct fg_buf shown = FG_BUF_INIT;

		fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
		fg_note(p->diag, &in->at, "no count at the end of the line: '%s'",
			fg_buf_cstr(&shown));
		fg_buf_release(&shown);
	}
}

static int add_stack(struct fg_profile *p, const struct input *in,
		     struct fg_folded *folded)
{
	p->stacks++;
	if (p->filter && !fg_filter_text(p->filter, &folded->stack))
		return fg_filter_failed(p->filter) ? -1 : 0;
	if (p->reverse)
		folded->stack = fg_folded_reverse(&p->reversed, folded->stack);
	if (!fg_tree_add(&p->tree, folded))
		return 0;
	return fg_error(p->diag, &in->at, "the sum of the counts exceeds 2^64-1");
}

static bool is_header(struct fg_str line)
{
	return (fg_str_starts(line, FG_STR("# unit:")) ||
		fg_str_starts(line, FG_STR("# event:")) ||
		fg_str_starts(line, FG_STR("# sample-weight:"))) &&
	       !fg_str_has_char(line, ';');
}

static int read_line(struct fg_profile *p, struct input *in, struct fg_str line)
{
	struct fg_folded folded;

	switch (fg_folded_parse(line, &folded)) {
	case FG_FOLDED_EMPTY:
		if (is_header(line))
			fg_intern(&p->headers, fg_str_trim_right(line));
		return 0;
	case FG_FOLDED_TOO_LARGE:
		return fg_error(p->diag, &in->at, "a count exceeds 2^64-1");
	case FG_FOLDED_NO_COUNT:
		in->lines++;
		note(p, &p->no_count, in, line);
		return 0;
	case FG_FOLDED_STACK:
		break;
	}
	in->lines++;
	if (folded.columns < p->columns) {
		note(p, &p->one_count, in, line);
		return 0;
	}
	in->stacks++;
	if (folded.columns > p->columns) {
		fg_folded_join(&folded);
		note(p, &p->two_counts, in, line);
	}
	if (folded.lost)
		note(p, &p->lost, in, line);
	if (folded.count_first)
		note(p, &p->counts_first, in, line);
	return add_stack(p, in, &folded);
}

/* ---- inputs */

/* The lines that were held back are read now. */
static int read_held(struct fg_profile *p, struct input *in)
{
	struct fg_str rest = fg_buf_str(&in->held);

	while (rest.len) {
		in->at.line++;
		if (read_line(p, in, fg_str_cut(&rest, '\n')))
			return -1;
	}
	fg_buf_clear(&in->held);
	return 0;
}

static int decide(struct fg_profile *p, struct input *in, unsigned columns)
{
	struct fg_place at = { in->at.input, 0 };

	in->columns = columns;
	if (!p->columns) {
		p->columns = columns;
		p->first = at.input;
	}
	if (columns != p->columns)
		return fg_error(p->diag, &at,
				"a line has %s, but in %s it has %s: a differential "
				"profile cannot be merged with others",
				columns == 1 ? "one count" : "two counts", p->first,
				columns == 1 ? "two" : "one");
	return read_held(p, in);
}

/* Holds a line back as long as all stacks have two numbers. */
static int hold(struct fg_profile *p, struct input *in, struct fg_str line)
{
	struct fg_folded folded;

	fg_buf_add_str(&in->held, line);
	fg_buf_add_char(&in->held, '\n');
	if (fg_folded_parse(line, &folded) == FG_FOLDED_STACK) {
		if (folded.columns == 1)
			return decide(p, in, 1);
		in->any_pair = true;
	}
	if (in->held.len <= HELD_MAX)
		return 0;
	return in->any_pair ? decide(p, in, 2) : read_held(p, in);
}

static int end_input(struct fg_profile *p, struct input *in)
{
	struct fg_place at = { in->at.input, 0 };

	if (!at.input)
		return 0;
	if (in->any_pair && !in->columns ? decide(p, in, 2) : read_held(p, in))
		return -1;
	if (in->stacks)
		return 0;
	if (!in->lines) {
		fg_warn(p->diag, &at, "the input is empty");
		return 0;
	}
	return fg_error(p->diag, &at, "no folded stacks: %s",
			in->guess ? in->guess : "no line ends in a count");
}

static int start_input(struct fg_profile *p, struct input *in,
		       const struct fg_block *block)
{
	struct fg_buf held;

	if (end_input(p, in))
		return -1;
	held = in->held;
	*in = (struct input){ .at = { block->input, 0 }, .held = held };
	in->guess = fg_folded_guess(block->bytes);
	return 0;
}

static int read_block(struct fg_profile *p, struct input *in,
		      const struct fg_block *block)
{
	struct fg_str bytes = block->bytes;

	if (block->first) {
		if (start_input(p, in, block))
			return -1;
		bytes = fg_utf8_skip_mark(bytes);
	}
	while (bytes.len) {
		struct fg_str line = fg_str_cut(&bytes, '\n');

		if (!in->columns) {
			if (hold(p, in, line))
				return -1;
			continue;
		}
		in->at.line++;
		if (read_line(p, in, line))
			return -1;
	}
	return 0;
}

static void warn_of(struct fg_profile *p, const struct fg_odd_lines *odd,
		    const char *what)
{
	struct fg_buf text = odd->text;

	if (odd->count)
		fg_warn(p->diag, &odd->at, "%llu line%s %s, the first is here: '%.*s'",
			(unsigned long long)odd->count, odd->count == 1 ? "" : "s",
			what, (int)text.len, text.ptr ? text.ptr : "");
}

static void report(struct fg_profile *p)
{
	warn_of(p, &p->no_count, "without a count at the end ignored");
	warn_of(p, &p->one_count, "with one count ignored, as others have two");
	warn_of(p, &p->two_counts,
		"with two numbers, of which the first was taken for a part of the "
		"name");
	if (p->counts_first.count)
		fg_warn(p->diag, &p->counts_first.at, FG_FOLDED_COUNTS_FIRST);
	if (p->lost.count)
		fg_warn(p->diag, &p->lost.at, FG_FOLDED_LOST,
			(unsigned long long)p->lost.count,
			p->lost.count == 1 ? "" : "s");
}

int fg_profile_read(struct fg_profile *p, struct fg_reader *r)
{
	struct input in = { .at = { NULL, 0 } };
	struct fg_block block;
	bool failed = false;
	int status = 0;

	while (!failed && (status = fg_reader_block(r, &block)) > 0)
		failed = read_block(p, &in, &block) != 0;
	failed = failed || status < 0 || end_input(p, &in);
	fg_buf_release(&in.held);
	if (failed)
		return -1;
	report(p);
	if (!p->stacks)
		return fg_error(p->diag, NULL,
				"the input is empty: did what wrote it fail?");
	fg_tree_finish(&p->tree);
	return 0;
}

/* ---- the output */

static bool is_empty(const struct fg_tree *t)
{
	return t->count == 1 && !t->nodes[0].self && !(t->before && t->before[0]);
}

int fg_profile_write(const struct fg_profile *p, struct fg_out *out)
{
	struct fg_treelines lines;
	struct fg_buf text = FG_BUF_INIT;
	int status = 0;

	for (uint32_t i = 0; i < p->headers.count; i++) {
		fg_out_add_str(out, fg_intern_name(&p->headers, i));
		fg_out_add_char(out, '\n');
	}
	if (is_empty(&p->tree))
		return 0;
	if (!fg_treelines_fit(&p->tree))
		return fg_error(p->diag, NULL,
				"the text of the stacks would exceed 64 GiB");
	fg_treelines_init(&lines, &p->tree);
	while ((status = fg_treelines_next(&lines, &text)) > 0) {
		fg_out_add_str(out, fg_buf_str(&text));
		fg_buf_clear(&text);
	}
	fg_buf_release(&text);
	fg_treelines_release(&lines);
	return status < 0 ? fg_error(p->diag, NULL, "a stack is longer than 256 MiB") :
			    0;
}

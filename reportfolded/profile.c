/* Reading folded stacks of one column or two into a tree. */
#include "reportfolded/profile.h"

#include <stdlib.h>

#include "lib/folded.h"
#include "lib/xalloc.h"

/* The first lines, or their bytes, say how many columns there are. */
#define FIRST_LINES 1000
#define FIRST_BYTES ((size_t)1 << 20)

/* Lines that --verbose shows. */
#define NOTES_MAX 10

/* One of the first lines; its bytes are in the text of all of them. */
struct first_line {
	struct fg_place at;
	size_t start, len;
};

/* Lines of one kind that a warning is about. */
struct odd_lines {
	uint64_t count;
	struct fg_place first_at;
	struct fg_buf first;
};

struct reading {
	struct fg_report_profile *profile;
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_buf text; /* of the first lines, a line feed after each */
	struct first_line *first;
	size_t first_count;
	size_t first_alloc;
	bool one_column; /* some line has one count */
	uint64_t lines; /* that are not empty, and of those the stacks */
	uint64_t stacks;
	struct odd_lines without_count, of_one_column, of_two_columns, lost;
};

static void note(struct reading *r, struct odd_lines *odd, struct fg_str line)
{
	if (!odd->count++) {
		odd->first_at = r->at;
		fg_buf_add_visible(&odd->first, line, FG_QUOTED_MAX);
	}
}

static void ignore(struct reading *r, struct odd_lines *odd, struct fg_str line)
{
	struct fg_buf shown = FG_BUF_INIT;

	note(r, odd, line);
	if (r->diag->verbosity < FG_VERBOSE || odd->count > NOTES_MAX)
		return;
	fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
	fg_note(r->diag, &r->at, "ignored: '%s'", fg_buf_cstr(&shown));
	fg_buf_release(&shown);
}

static int add_stack(struct reading *r, struct fg_folded *folded, struct fg_str line)
{
	if (folded->columns > r->profile->columns) {
		note(r, &r->of_two_columns, line);
		fg_folded_join(folded);
	}
	if (folded->columns < r->profile->columns) {
		ignore(r, &r->of_one_column, line);
		return 0;
	}
	r->stacks++;
	if (folded->lost)
		note(r, &r->lost, line);
	if (fg_tree_add(&r->profile->tree, folded))
		return fg_error(r->diag, &r->at,
				"the sum of the counts exceeds 2^64-1");
	return 0;
}

static int add_line(struct reading *r, struct fg_str line)
{
	struct fg_folded folded;

	switch (fg_folded_parse(line, &folded)) {
	case FG_FOLDED_STACK:
		return add_stack(r, &folded, line);
	case FG_FOLDED_NO_COUNT:
		ignore(r, &r->without_count, line);
		return 0;
	case FG_FOLDED_TOO_LARGE:
		return fg_error(r->diag, &r->at, "a count exceeds 2^64-1");
	case FG_FOLDED_EMPTY:
		break;
	}
	return 0;
}

/* From the first lines, which are added, on. */
static int decide_columns(struct reading *r)
{
	r->profile->columns = r->one_column ? 1 : 2;
	for (size_t i = 0; i < r->first_count; i++) {
		const struct first_line *line = &r->first[i];

		r->at = line->at;
		if (add_line(r, fg_str_of(r->text.ptr + line->start, line->len)))
			return -1;
	}
	return 0;
}

/* Keeps one of the first lines, and looks how many counts it has. */
static int keep_first(struct reading *r, struct fg_str line)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line, &folded);

	if (kind == FG_FOLDED_EMPTY)
		return 0;
	r->lines++;
	r->one_column |= kind == FG_FOLDED_STACK && folded.columns == 1;
	FG_GROW(r->first, r->first_alloc, r->first_count + 1);
	r->first[r->first_count++] =
		(struct first_line){ r->at, r->text.len, line.len };
	fg_buf_add_str(&r->text, line);
	fg_buf_add_char(&r->text, '\n');
	if (r->first_count < FIRST_LINES && r->text.len < FIRST_BYTES)
		return 0;
	return decide_columns(r);
}

static int read_all(struct reading *r, struct fg_reader *reader)
{
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &r->at)) > 0) {
		if (fg_unit_read(&r->profile->unit, line))
			continue;
		if (r->profile->columns ? add_line(r, line) : keep_first(r, line))
			return -1;
	}
	if (!status && !r->profile->columns)
		status = decide_columns(r);
	return status;
}

static int report_none(struct reading *r)
{
	struct fg_place at = { r->without_count.first_at.input, 0 };
	const char *reason;

	if (!r->lines)
		reason = "the input is empty";
	else if (r->stacks)
		reason = "all counts are 0";
	else
		reason = fg_folded_guess(fg_buf_str(&r->text));
	return fg_error(r->diag, at.input ? &at : NULL, "no stack counts found: %s",
			reason ? reason : "no line ends in a count");
}

static void warn_of(const struct reading *r, struct odd_lines *odd, const char *what)
{
	if (odd->count)
		fg_warn(r->diag, &odd->first_at, "%llu line%s %s, the first: '%s'",
			(unsigned long long)odd->count, odd->count == 1 ? "" : "s",
			what, fg_buf_cstr(&odd->first));
}

static void warn(struct reading *r)
{
	warn_of(r, &r->without_count, "without a count at the end ignored");
	warn_of(r, &r->of_one_column, "with one count among those with two ignored");
	warn_of(r, &r->of_two_columns,
		"with two numbers at the end, of which one is taken for a name's");
	if (r->lost.count)
		fg_warn(r->diag, &r->lost.first_at, FG_FOLDED_LOST,
			(unsigned long long)r->lost.count,
			r->lost.count == 1 ? "" : "s");
}

static void sum_up(struct fg_report_profile *p)
{
	fg_tree_finish(&p->tree);
	p->totals[FG_AFTER] = p->tree.total;
	if (p->tree.before) {
		p->before = fg_tree_sums_before(&p->tree);
		p->totals[FG_BEFORE] = p->before[0];
	}
}

int fg_report_profile_read(struct fg_report_profile *p, struct fg_reader *reader,
			   struct fg_diag *diag)
{
	struct reading r = { .profile = p, .diag = diag };
	struct odd_lines *odd[] = { &r.without_count, &r.of_one_column,
				    &r.of_two_columns, &r.lost };
	int status;

	*p = (struct fg_report_profile){ 0 };
	fg_tree_init(&p->tree, FG_TREE_SORTED);
	status = read_all(&r, reader);
	if (!status) {
		sum_up(p);
		if (!p->totals[FG_BEFORE] && !p->totals[FG_AFTER])
			status = report_none(&r);
		else
			warn(&r);
	}
	for (size_t i = 0; i < FG_COUNT_OF(odd); i++)
		fg_buf_release(&odd[i]->first);
	fg_buf_release(&r.text);
	free(r.first);
	return status;
}

void fg_report_profile_release(struct fg_report_profile *p)
{
	fg_tree_release(&p->tree);
	fg_unit_release(&p->unit);
	free(p->before);
	*p = (struct fg_report_profile){ 0 };
}

void fg_report_self(const struct fg_report_profile *p, uint32_t node, uint64_t *counts)
{
	counts[FG_BEFORE] = p->tree.before ? p->tree.before[node] : 0;
	counts[FG_AFTER] = p->tree.nodes[node].self;
}

void fg_report_total(const struct fg_report_profile *p, uint32_t node, uint64_t *counts)
{
	counts[FG_BEFORE] = p->before ? p->before[node] : 0;
	counts[FG_AFTER] = p->tree.nodes[node].total;
}

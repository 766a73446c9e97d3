/* Folded profiles read as one, each stack as options want it. */
#include "filterfolded/profile.h"

#include <string.h>

#include "lib/treelines.h"
#include "lib/utf8.h"

static int set_columns(struct fg_profile *p, const char *input)
{
	const struct fg_place at = { input, 0 };
	unsigned columns = p->lines.columns;

	if (!p->columns) {
		p->columns = columns;
		p->first = input;
		return 0;
	}
	return fg_error(p->diag, &at,
			"a line has %s, but in %s it has %s: a differential profile "
			"cannot be merged with others",
			columns == 1 ? "one count" : "two counts", p->first,
			columns == 1 ? "two" : "one");
}

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct fg_profile *p = data;

	if (p->lines.columns != p->columns && set_columns(p, at->input))
		return -1;
	p->any_stack = true;
	if (p->filter && !fg_filter_text(p->filter, &folded->stack))
		return fg_filter_failed(p->filter) ? -1 : 0;
	if (p->reverse)
		folded->stack = fg_folded_reverse(&p->reversed, folded->stack);
	if (!fg_tree_add(&p->tree, folded))
		return 0;
	return fg_error(p->diag, at, "the sum of the counts exceeds 2^64-1");
}

void fg_profile_init(struct fg_profile *p, struct fg_filter *filter,
		     struct fg_diag *diag)
{
	memset(p, 0, sizeof(*p));
	p->diag = diag;
	p->filter = filter;
	fg_tree_init(&p->tree, FG_TREE_SORTED);
	p->tree.keep_leaf = true;
	fg_folded_input_init(&p->lines, diag, &p->unit, add_stack, p);
}

void fg_profile_release(struct fg_profile *p)
{
	fg_tree_release(&p->tree);
	fg_unit_release(&p->unit);
	fg_folded_input_release(&p->lines);
	fg_buf_release(&p->reversed);
}

/* An input without stacks is an error, unless it is empty. */
static int end_input(struct fg_profile *p, const char *input)
{
	struct fg_place at = { input, 0 };

	if (fg_folded_input_end(&p->lines))
		return -1;
	if (!input || p->lines.stacks)
		return 0;
	if (p->lines.lines)
		return fg_error(p->diag, &at, "no folded stacks: %s",
				fg_folded_input_fault(&p->lines));
	fg_warn(p->diag, &at, "the input is empty");
	return 0;
}

static int read_lines(struct fg_profile *p, struct fg_str bytes, struct fg_place *at)
{
	while (bytes.len) {
		at->line++;
		if (fg_folded_input_line(&p->lines, fg_str_cut(&bytes, '\n'), at))
			return -1;
	}
	return 0;
}

static int read_all(struct fg_profile *p, struct fg_reader *r)
{
	struct fg_place at = { NULL, 0 };
	struct fg_block block;
	int status;

	while ((status = fg_reader_block(r, &block)) > 0) {
		if (block.first) {
			if (end_input(p, at.input))
				return -1;
			fg_folded_input_restart(&p->lines);
			at = (struct fg_place){ block.input, 0 };
			block.bytes = fg_utf8_skip_mark(block.bytes);
		}
		if (read_lines(p, block.bytes, &at))
			return -1;
	}
	return status < 0 ? -1 : end_input(p, at.input);
}

int fg_profile_read(struct fg_profile *p, struct fg_reader *r)
{
	if (read_all(p, r))
		return -1;
	fg_folded_input_warn(&p->lines, "");
	if (!p->any_stack)
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

	fg_unit_add(&p->unit, &text);
	fg_out_add_str(out, fg_buf_str(&text));
	fg_buf_release(&text);
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

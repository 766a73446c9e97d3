/* Writes the folded stacks of pictures, all of them or those of a range of time. */
#include "flamegraph/extract.h"

#include "lib/profile/slice.h"
#include "lib/profile/tree.h"
#include "lib/profile/treelines.h"
#include "lib/recognize/recognize.h"

static int report_no_svg(struct fg_str bytes, const struct fg_place *at,
			 struct fg_diag *diag)
{
	struct fg_recognized r = fg_recognize_stackless(bytes);
	struct fg_buf what = FG_BUF_INIT;

	if (r.kind || r.foreign)
		fg_buf_addf(&what, ": ");
	fg_recognized_explain(&r, FG_ADVISE_USE, &what);
	fg_error(diag, at, "this is not an SVG file%s", fg_buf_cstr(&what));
	fg_buf_release(&what);
	return -1;
}

static int extract_all(struct fg_reader *reader, struct fg_out *out,
		       struct fg_diag *diag)
{
	struct fg_place at = { NULL, 0 };
	struct fg_block block;
	int status;

	while ((status = fg_reader_block(reader, &block)) > 0) {
		at.input = block.input;
		if (!block.made)
			return report_no_svg(block.bytes, &at, diag);
		fg_out_add_str(out, block.bytes);
	}
	if (!status && !at.input)
		return fg_error(diag, NULL, "the input is empty");
	return status;
}

/* ---- a range of time */

struct range {
	const struct fg_extract_range *wanted;
	struct fg_out *out;
	struct fg_diag *diag;
	struct fg_slice_header slices;
	struct fg_tree tree; /* holds the current profile */
	/* the current profile has stacks, even if all are outside the range */
	bool has_stacks;
	bool has_slices; /* some profile has slices */
	bool has_any; /* some stack is in the range */
};

/* Writes the stacks of the current profile and empties the tree for the next one. */
static int end_profile(struct range *r)
{
	struct fg_treelines lines;
	struct fg_buf text = FG_BUF_INIT;
	int status = 0;

	r->has_stacks = false;
	if (r->tree.total) {
		fg_tree_finish(&r->tree);
		fg_treelines_init(&lines, &r->tree);
		while ((status = fg_treelines_next(&lines, &text)) > 0) {
			fg_out_add_str(r->out, fg_buf_str(&text));
			fg_buf_clear(&text);
		}
		fg_treelines_release(&lines);
	}
	fg_tree_release(&r->tree);
	fg_tree_init(&r->tree, FG_TREE_SORTED);
	fg_buf_release(&text);
	return status ? fg_error(r->diag, NULL, "a stack is too long") : 0;
}

static bool is_wanted(const struct range *r, uint64_t time)
{
	uint64_t from = r->wanted->from;

	return time < r->wanted->to && !(from > time && from - time >= r->slices.width);
}

static int add_stack(struct range *r, struct fg_folded *folded,
		     const struct fg_place *at)
{
	uint64_t time;

	r->has_stacks = true;
	if (!r->slices.width || !fg_slice_cut(&folded->stack, &time))
		return 0;
	r->has_slices = true;
	if (!is_wanted(r, time))
		return 0;
	r->has_any = true;
	if (fg_tree_add(&r->tree, folded))
		return fg_error(r->diag, at, "the sum of the counts exceeds 2^64-1");
	return 0;
}

/* Handles a header line. If it follows stacks, it starts another profile. */
static int add_header(struct range *r, struct fg_str line)
{
	if (r->has_stacks) {
		r->slices = (struct fg_slice_header){ .width = 0 };
		if (end_profile(r))
			return -1;
	}
	if (fg_slice_read(&r->slices, line) == FG_SLICE_OTHER) {
		fg_out_add_str(r->out, line);
		fg_out_add_char(r->out, '\n');
	}
	return 0;
}

static int add_line(struct range *r, struct fg_str line, const struct fg_place *at)
{
	struct fg_folded folded;

	switch (fg_folded_parse(line, &folded)) {
	case FG_FOLDED_STACK:
		return add_stack(r, &folded, at);
	case FG_FOLDED_EMPTY:
		return line.len ? add_header(r, line) : 0;
	case FG_FOLDED_NO_COUNT:
	case FG_FOLDED_TOO_LARGE:
		break;
	}
	return report_no_svg(line, at, r->diag);
}

static int extract_range(struct range *r, struct fg_reader *reader)
{
	struct fg_place at = { NULL, 0 };
	struct fg_str line;
	int status;

	fg_tree_init(&r->tree, FG_TREE_SORTED);
	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (add_line(r, line, &at))
			return -1;
	if (status || end_profile(r))
		return -1;
	if (!r->has_slices)
		return fg_error(r->diag, at.input ? &at : NULL,
				"there are no slices of time, which --from and --to "
				"need");
	if (!r->has_any)
		fg_warn(r->diag, NULL, "no slice is between --from and --to");
	return 0;
}

int fg_extract(struct fg_reader *reader, const struct fg_extract_range *wanted,
	       struct fg_out *out, struct fg_diag *diag)
{
	struct range r = { .wanted = wanted, .out = out, .diag = diag };
	int status;

	if (wanted->given) {
		status = extract_range(&r, reader);
		fg_tree_release(&r.tree);
	} else {
		status = extract_all(reader, out, diag);
	}
	if (status)
		fg_out_drop(out);
	return status;
}

/* Reads flame graphs in SVG files back as folded stacks. */
#include "lib/svg/svgfile.h"

#include <stdlib.h>

#include "lib/base/deflate.h"
#include "lib/svg/svgchild.h"
#include "lib/svg/slicelines.h"
#include "lib/svg/svgparse.h"
#include "lib/svg/treedata.h"
#include "lib/profile/treelines.h"
#include "lib/base/xalloc.h"

/* Lines are made in batches of about this many bytes. */
#define LINES_SIZE ((size_t)64 * 1024)

/* A result of next_line(): it failed and has reported why. */
#define REPORTED (-2)

struct svgfile {
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_svgparse *parse;
	bool failed; /* reported */
	bool ended; /* all bytes were parsed */
	struct fg_tree tree;
	/* lines of the slices; they are written before `lines` */
	struct fg_slicelines slices;
	struct fg_treelines lines;
	bool has_slices;
	struct fg_svg *svg; /* result of `parse`; set at the end of the file */
	size_t next; /* index of the next profile to start */
};

static void *open_file(const char *input, struct fg_diag *diag)
{
	struct svgfile *s = fg_xcalloc(1, sizeof(*s));

	s->diag = diag;
	s->at.input = input;
	s->parse = fg_svgparse_new(input, diag);
	return s;
}

static void close_file(void *state)
{
	struct svgfile *s = state;

	if (!s)
		return;
	fg_svgparse_free(s->parse);
	fg_treelines_release(&s->lines);
	fg_slicelines_release(&s->slices);
	fg_tree_release(&s->tree);
	free(s);
}

static int feed(void *state, struct fg_str bytes)
{
	struct svgfile *s = state;

	s->failed = fg_svgparse_feed(s->parse, bytes) != 0;
	return s->failed ? -1 : 0;
}

static void warn_of_cut(struct svgfile *s, const struct fg_svg_profile *svg)
{
	struct fg_buf min = FG_BUF_INIT;

	fg_buf_add_sum(&min, (struct fg_sum){ svg->min.digits, 0 }, s->tree.decimals);
	fg_warn(s->diag, &s->at,
		"frames with counts below %s are not in this SVG's data: their counts "
		"were added to their parents' self counts",
		fg_buf_cstr(&min));
	fg_buf_release(&min);
}

static int read_data(struct svgfile *s, struct fg_svg_profile *svg)
{
	struct fg_buf bytes = FG_BUF_INIT;
	const char *fault = NULL;
	int status = 0;

	if (fg_inflate(fg_buf_str(&svg->zipped), FG_TREEDATA_MAX, &bytes)) {
		fault = "the zlib stream is cut short, damaged or too large";
	} else {
		fg_buf_release(&svg->zipped);
		status =
			fg_treedata_read(fg_buf_str(&bytes), &s->tree, &s->at, s->diag);
	}
	fg_buf_release(&bytes);
	if (!fault && !status && svg->frames && svg->frames != s->tree.count)
		fault = "the number of frames does not match";
	if (fault)
		return fg_error(s->diag, &s->at,
				"this SVG cannot be read: its data are damaged: %s",
				fault);
	if (!status && svg->cut)
		warn_of_cut(s, svg);
	return status;
}

/* Reads the slices of time of a profile, if it has any. */
static int read_slices(struct svgfile *s, struct fg_svg_profile *svg)
{
	struct fg_buf bytes = FG_BUF_INIT;
	int status;

	fg_slicelines_release(&s->slices);
	s->has_slices = svg->slices.len && svg->has_data;
	if (!s->has_slices)
		return 0;
	status = fg_inflate(fg_buf_str(&svg->slices), FG_TREEDATA_MAX, &bytes);
	fg_buf_release(&svg->slices);
	if (status)
		fg_error(s->diag, &s->at,
			 "this SVG cannot be read: its slices of time are damaged: the "
			 "zlib stream is cut short, damaged or too large");
	else
		status = fg_slicelines_init(&s->slices, &s->tree, fg_buf_str(&bytes),
					    &s->at, s->diag);
	fg_buf_release(&bytes);
	return status;
}

static int read_picture(struct svgfile *s, struct fg_svg *svg)
{
	if (fg_picture_tree(&svg->picture, &s->tree, &s->at, s->diag))
		return -1;
	fg_picture_release(&svg->picture);
	if (!svg->complete)
		fg_warn(s->diag, &s->at,
			"this SVG has no data, so its picture is read: the counts of "
			"frames too narrow to be drawn are in their parents' self "
			"counts");
	if (svg->estimated)
		fg_warn(s->diag, &s->at,
			"the counts of the first profile are estimated from rounded "
			"percentages");
	return 0;
}

/* Makes the tree of the next profile, and appends its header lines. */
static int start_profile(struct svgfile *s, struct fg_buf *lines)
{
	struct fg_svg_profile *p = &s->svg->profiles[s->next];

	fg_treelines_release(&s->lines);
	fg_tree_release(&s->tree);
	if (p->has_data ? read_data(s, p) : read_picture(s, s->svg))
		return -1;
	if (!fg_treelines_fit(&s->tree))
		return fg_error(s->diag, &s->at,
				"this SVG cannot be read: the text of its stacks would "
				"exceed 64 GiB");
	if (read_slices(s, p))
		return -1;
	fg_treelines_init(&s->lines, &s->tree);
	fg_unit_add(&p->header, lines);
	fg_slicelines_header(&s->slices, lines);
	s->next++;
	return 0;
}

/* Ends the file after its last byte, and starts its first profile. */
static int end_file(struct svgfile *s, struct fg_buf *lines)
{
	s->svg = fg_svgparse_end(s->parse);
	s->ended = true;
	return s->svg ? start_profile(s, lines) : -1;
}

/*
 * Appends the next line. Returns 1, 0 at the end, -1 if a stack is too long, or
 * REPORTED.
 */
static int next_line(struct svgfile *s, struct fg_buf *lines)
{
	size_t start = lines->len;
	int status = s->has_slices && fg_slicelines_next(&s->slices, lines);

	if (status)
		return 1;
	status = fg_treelines_next(&s->lines, lines);
	/* drops a line without counts: all counts of its stack are in slices */
	if (s->has_slices && fg_str_ends(fg_buf_str(lines), FG_STR(" 0\n")))
		lines->len = start;
	if (status || s->next == s->svg->count)
		return status;
	return start_profile(s, lines) ? REPORTED : 1;
}

static int make_lines(void *state, struct fg_buf *lines)
{
	struct svgfile *s = state;
	size_t start = lines->len;
	int status = 1;

	if (!s->failed && !s->ended)
		s->failed = end_file(s, lines) != 0;
	if (s->failed)
		return -1;
	while (status > 0 && lines->len - start < LINES_SIZE)
		status = next_line(s, lines);
	if (status == REPORTED) {
		s->failed = true;
		return -1;
	}
	if (status >= 0)
		return lines->len > start;
	return fg_error(s->diag, &s->at,
			"this SVG cannot be read: a stack is too long");
}

const struct fg_reader_format fg_svgfile_format = {
	.starts = fg_svg_starts,
	.open = open_file,
	.feed = feed,
	.lines = make_lines,
	.close = close_file,
};

/* Files for other viewers: what writes each, and what they share. */
#ifndef FG_REPORTFOLDED_EXPORT_H
#define FG_REPORTFOLDED_EXPORT_H

#include "reportfolded/jsonwriter.h"
#include "reportfolded/stacks.h"
#include "reportfolded/values.h"

struct fg_export {
	const struct fg_report_options *options; /* checked */
	struct fg_diag *diag;
	struct fg_out *out;
	struct fg_values values;
};

/* Reads all of `reader` and writes it to `out`: 0, or -1 after reporting. */
int fg_export_run(const struct fg_report_options *options, struct fg_reader *reader,
		  struct fg_out *out, struct fg_diag *diag);

/* ---- the formats: 0, or -1 after reporting */

int fg_export_pprof(struct fg_export *e);
int fg_export_speedscope(struct fg_export *e);
int fg_export_firefox(struct fg_export *e);
int fg_export_collapsed(struct fg_export *e);

/* ---- what they share */

/* Adds one frame of a stack. */
typedef void fg_export_add_frame(void *data, uint32_t node, struct fg_buf *text);

/* The frames of a stack as a list with commas; only those that are new are made. */
struct fg_export_frames {
	struct fg_buf text;
	size_t *ends; /* of each frame */
	size_t alloc;
	fg_export_add_frame *add;
	void *data;
};

/* The text of the stack that came last, valid until the next call. */
struct fg_str fg_export_frames(struct fg_export_frames *f, const struct fg_stacks *s);
void fg_export_frames_release(struct fg_export_frames *f);

/* "cycles", or of two columns "cycles (before)". */
void fg_export_add_title(const struct fg_export *e, const struct fg_value *value,
			 unsigned column, struct fg_buf *title);

/* Columns of a profile: FG_AFTER alone, or FG_BEFORE and FG_AFTER. */
static inline unsigned fg_export_first_column(const struct fg_export *e)
{
	return e->values.columns == 2 ? FG_BEFORE : FG_AFTER;
}

#endif

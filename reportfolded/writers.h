/*
 * The formats that a profile is exported to, a write_*.c each, and the helpers that
 * they share. fg_export_run() reads the profile into `values` and calls one of them.
 */
#ifndef FG_REPORTFOLDED_WRITERS_H
#define FG_REPORTFOLDED_WRITERS_H

#include "reportfolded/jsonwriter.h"
#include "reportfolded/stacks.h"
#include "reportfolded/values.h"

struct fg_export {
	const struct fg_report_options *options;
	struct fg_diag *diag;
	struct fg_out *out;
	struct fg_values values;
};

/* ---- the formats; each returns 0, or -1 after reporting */

int fg_export_pprof(struct fg_export *e);
int fg_export_speedscope(struct fg_export *e);
int fg_export_firefox(struct fg_export *e);
int fg_export_collapsed(struct fg_export *e);

/* ---- what they share */

/* Appends one frame of a stack. */
typedef void fg_export_add_frame(void *data, uint32_t node, struct fg_buf *text);

/*
 * Makes a list of a stack's frames, with commas. Keeps the text of the frames that the
 * stack shares with the one before.
 */
struct fg_export_frames {
	struct fg_buf text;
	size_t *ends; /* the end of each frame in the text */
	size_t alloc;
	fg_export_add_frame *add;
	void *data;
};

/* Returns the list of the newest stack, valid until the next call. */
struct fg_str fg_export_frames(struct fg_export_frames *f, const struct fg_stacks *s);
void fg_export_frames_release(struct fg_export_frames *f);

/* Appends a name like "cycles", or "cycles (before)" if there are two columns. */
void fg_export_add_title(const struct fg_export *e, const struct fg_value *value,
			 unsigned column, struct fg_buf *title);

/* Returns the first column of a profile, up to FG_AFTER: FG_BEFORE if there are two. */
static inline unsigned fg_export_first_column(const struct fg_export *e)
{
	return e->values.columns == 2 ? FG_BEFORE : FG_AFTER;
}

#endif

/*
 * Writes a part of a stack on one line. Frames in the middle of a long one are only
 * counted:
 *
 *     main > run > ... 14 frames ... > parse
 */
#ifndef FG_REPORTFOLDED_PATH_H
#define FG_REPORTFOLDED_PATH_H

#include "reportfolded/names.h"
#include "reportfolded/origins.h"
#include "lib/findings/columns.h"

struct fg_path {
	const struct fg_columns *profile;
	uint32_t first; /* the outermost frame */
	uint32_t last; /* the frame `first` itself, or one above it in the stack */
	size_t frames; /* from `first` to `last`, both included */
	bool upwards; /* each frame was called by the next one: "parse < run < main" */
	/* NULL, or which frames are the program's own; others are left out first */
	const struct fg_origins *origins;
};

/* Returns the path from the root of a stack to a frame, without the profile's root. */
struct fg_path fg_path_to(const struct fg_columns *p, uint32_t node);

/* Appends the path with whole names. */
void fg_path_add(struct fg_buf *b, const struct fg_path *path,
		 enum fg_report_format format);

/*
 * Appends the path in at most `room` columns, at least 64, with names shortened like
 * labels.
 */
void fg_path_add_fitting(struct fg_buf *b, const struct fg_path *path,
			 enum fg_report_format format, size_t room);

#endif

/*
 * The files that flame reads and writes. The checks here come before anything is
 * recorded, so that the user learns of a mistake in time. They return 0, or -1 after
 * reporting.
 */
#ifndef FG_FLAME_FILES_H
#define FG_FLAME_FILES_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/* Appends the first bytes of a file, at most `size`, or nothing if it is unreadable. */
void fg_file_start(const char *name, size_t size, struct fg_buf *bytes);

bool fg_file_starts(const char *name, struct fg_str prefix);

/*
 * Returns true for a pipe or an open descriptor. Reading its first bytes would consume
 * them.
 */
bool fg_file_reads_once(const char *name);

/* Return true for a perf.data or an SVG file, unless it can be read only once. */
bool fg_file_is_recording(const char *name);
bool fg_file_is_picture(const char *name);

int fg_check_input(const char *name, struct fg_diag *diag);

enum fg_output_kind {
	FG_OUTPUT_PICTURE, /* may go to standard output */
	/* a copy of what goes through the pipeline; may not go to standard output */
	FG_OUTPUT_COPY,
	FG_OUTPUT_RECORDING, /* like a copy; an older file of that name is renamed */
};

/* Checks that a file can be written. `name` may be NULL, or "-" for a picture. */
int fg_check_output(const char *name, enum fg_output_kind kind, struct fg_diag *diag);

/*
 * Checks that the output `name` is not one of the `count` other files that are written
 * or read. Each name may be NULL.
 */
int fg_check_apart(const char *name, const char *const *others, size_t count,
		   struct fg_diag *diag);

#endif

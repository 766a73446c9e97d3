/*
 * Opening files that a recording names.
 *
 * A recording can come from anybody, and names of files in it can be anything: only
 * regular files are opened, nothing that acts or waits when it is.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_TRUSTED_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_TRUSTED_H

#include "lib/base/buf.h"

enum fg_pd_trust {
	FG_PD_ANY_OWNER, /* the binary that ran */
	/* must be of this user or of root, and no link where others can make one */
	FG_PD_OWN,
};

/* Opens a regular file for reading: a descriptor, or -1 with errno set. */
int fg_pd_open(const char *path, enum fg_pd_trust trust);

/* Appends all of it to `text` and closes it: 0, or -1 with errno set. */
int fg_pd_read_all(int fd, struct fg_buf *text);

#endif

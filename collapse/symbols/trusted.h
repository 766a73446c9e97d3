/*
 * Opening files that a recording names.
 *
 * A recording can come from anybody, and names of files in it can be anything: only
 * regular files are opened, nothing that acts or waits when it is.
 */
#ifndef FG_COLLAPSE_SYMBOLS_TRUSTED_H
#define FG_COLLAPSE_SYMBOLS_TRUSTED_H

#include "lib/base/buf.h"

enum fg_trust {
	FG_TRUST_ANY_OWNER, /* the binary that ran */
	/* must be of this user or of root, and no link where others can make one */
	FG_TRUST_OWN,
};

/*
 * Opens a regular file for reading: a descriptor, or -1 with errno set. Files that the
 * kernel makes up, as in /proc, /sys and tracefs, are refused, because to open or close
 * one may do something.
 */
int fg_trusted_open(const char *path, enum fg_trust trust);

/*
 * Like fg_trusted_open(), for a file of any owner that the caller has opened with
 * O_PATH as `place`. Closes `place`. Accepts -1, and then leaves errno as it is.
 */
int fg_trusted_open_place(int place);

/* Appends all of it to `text` and closes it: 0, or -1 with errno set. */
int fg_trusted_read_all(int fd, struct fg_buf *text);

#endif

/*
 * Opens files that a recording names. A recording can come from anybody, and can name
 * anything, so we open only regular files: opening others may do something, or wait.
 */
#ifndef FG_COLLAPSE_SYMBOLS_TRUSTED_H
#define FG_COLLAPSE_SYMBOLS_TRUSTED_H

#include "lib/base/buf.h"

enum fg_trust {
	FG_TRUST_ANY_OWNER, /* for the binary that ran */
	/*
	 * it must belong to this user or root, and be no link where others can make one
	 */
	FG_TRUST_OWN,
};

/*
 * Opens a regular file for reading. Returns a descriptor, or -1 with errno set. Refuses
 * files that the kernel makes up, in /proc, /sys and tracefs, because opening or
 * closing one may do something.
 */
int fg_trusted_open(const char *path, enum fg_trust trust);

/*
 * Like fg_trusted_open(), for a file of any owner that the caller has opened with
 * O_PATH as `place`. Closes `place`. Accepts -1, and then leaves errno as it is.
 */
int fg_trusted_open_place(int place);

/* Appends all of a file to `text` and closes it. Returns 0, or -1 with errno set. */
int fg_trusted_read_all(int fd, struct fg_buf *text);

#endif

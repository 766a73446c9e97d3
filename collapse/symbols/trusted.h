/*
 * Opens files that a recording names. A recording can come from anybody and can name
 * any file. So we open only regular files: opening another one may block or have side
 * effects.
 */
#ifndef FG_COLLAPSE_SYMBOLS_TRUSTED_H
#define FG_COLLAPSE_SYMBOLS_TRUSTED_H

#include "lib/base/buf.h"

enum fg_trust {
	FG_TRUST_ANY_OWNER, /* any owner: for the binary that ran */
	/*
	 * the file must belong to this user or root, and must not be a link in a folder
	 * where other users can make one
	 */
	FG_TRUST_OWN,
};

/*
 * Opens a regular file for reading. Returns a descriptor, or -1 with errno set. Refuses
 * files that the kernel generates, in /proc, /sys and tracefs, because opening or
 * closing one may have side effects.
 */
int fg_trusted_open(const char *path, enum fg_trust trust);

/*
 * Like fg_trusted_open(), for a file of any owner. `place` is a descriptor of it that
 * was opened with O_PATH. Closes `place`. If `place` is -1, returns -1 and leaves errno
 * as it is.
 */
int fg_trusted_open_place(int place);

/*
 * Appends the contents of a file, from its current position, to `text`. Closes `fd`.
 * Returns 0, or -1 with errno set.
 */
int fg_trusted_read_all(int fd, struct fg_buf *text);

#endif

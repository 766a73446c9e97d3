/*
 * Replaces a file as a whole, or not at all.
 *
 * We write to a file without a name in the same folder, and give it the name at the
 * end. So after a failure or a signal, the old file is still there, and nothing beside
 * it. Only SIGKILL, at the moment of the exchange, may leave a file `.flamepipe-PID-N`.
 *
 * The new file gets the permissions and the group of the old one and, if the system
 * allows it, its owner. A symbolic link to the file stays a link. We write directly to
 * a FIFO, a device, the file that is our standard output or error, and through a link
 * whose file does not exist yet.
 */
#ifndef FG_LIB_BASE_REPLACE_H
#define FG_LIB_BASE_REPLACE_H

#include <sys/types.h>

#include "lib/base/diag.h"

struct fg_replacement {
	int fd; /* write to this */
	const char *name; /* for messages, borrowed */
	/* the file's path, links resolved; NULL: `fd` is the file itself */
	char *target;
	struct fg_diag *diag;
	pid_t helper; /* the process that will put the file in place; 0: this one */
	int to_helper;
};

/*
 * Starts to replace the file `name`, which need not exist. Returns 0, or -1 after
 * reporting. Refuses a file that nobody has permission to write to, even for root.
 */
int fg_replacement_open(struct fg_replacement *r, const char *name,
			struct fg_diag *diag);

/*
 * Starts a helper process that will put the file in place, so that this one may give up
 * the right to do so (confine.h). Returns 0, or -1 after reporting.
 */
int fg_replacement_delegate(struct fg_replacement *r);

/* Puts the new file in place and releases `r`. Returns 0, or -1 after reporting. */
int fg_replacement_finish(struct fg_replacement *r);

/* Leaves the old file as it was and releases `r`. */
void fg_replacement_abandon(struct fg_replacement *r);

#endif

/*
 * A file that is replaced as a whole or not at all.
 *
 * What is written goes to a file without a name in the same folder, which gets the
 * name at the end; so a failure, or a signal, leaves what was there before and
 * nothing beside it; only SIGKILL may, in the instant of the exchange, leave a file
 * `.flamepipe-PID-N`. A file that is replaced keeps its permissions, its group and,
 * where the system allows it, its owner; a symbolic link to it stays one. A FIFO, a
 * device, standard output and error by whatever name and a link that leads to no file
 * yet are written to directly.
 */
#ifndef FG_LIB_BASE_REPLACE_H
#define FG_LIB_BASE_REPLACE_H

#include <sys/types.h>

#include "lib/base/diag.h"

struct fg_replacement {
	int fd; /* to write to */
	const char *name; /* for messages, borrowed */
	char *target; /* the file, without links; NULL: it is written to directly */
	struct fg_diag *diag;
	pid_t helper; /* puts the file in place; 0: this process does */
	int to_helper;
};

/*
 * Starts to replace the file `name`, which need not exist: 0, or -1 after reporting. A
 * file that has no permission to be written to, for anybody, is not replaced, not even
 * by root.
 */
int fg_replacement_open(struct fg_replacement *r, const char *name,
			struct fg_diag *diag);

/*
 * Starts another process that will put the file in place, so that this one need not be
 * allowed to: it does nothing but wait for the end. Returns 0, or -1 after reporting.
 */
int fg_replacement_delegate(struct fg_replacement *r);

/* Puts what was written in place: 0, or -1 after reporting. Ends the replacement. */
int fg_replacement_finish(struct fg_replacement *r);

/* Leaves the file as it was. Ends the replacement. */
void fg_replacement_abandon(struct fg_replacement *r);

#endif

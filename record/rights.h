/* Gives up the rights that recording no longer needs. */
#ifndef FG_RECORD_RIGHTS_H
#define FG_RECORD_RIGHTS_H

#include <stdbool.h>

/*
 * Drops all capabilities, except the one to send signals if `signals` is true: the
 * command may have changed its user. The recorder still reads the rings and writes the
 * output, which are open. Returns 0, or an errno.
 */
int fg_rights_drop(bool signals);

/*
 * Takes on the ids of the caller if the program runs with those of its file, or takes
 * the others back. A file of -o is opened with the caller's ids. Returns 0, or an
 * errno.
 */
int fg_rights_lend(bool callers);

#endif

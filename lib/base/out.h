/*
 * Buffered output whose errors cannot be missed.
 *
 * The first failed write is remembered, later writes do nothing, and closing
 * reports it: a full disk is a failure with a message, never a file that looks
 * good. A reader that went away (EPIPE) is a failure without a message.
 */
#ifndef FG_LIB_BASE_OUT_H
#define FG_LIB_BASE_OUT_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_out {
	struct fg_buf buf;
	struct fg_diag *diag;
	const char *name; /* for messages */
	int fd; /* -1: keep everything in buf */
	int error; /* errno of the first failure */
};

/* Writes to `fd`, which stays the caller's; `name` is borrowed. */
void fg_out_init(struct fg_out *o, int fd, const char *name, struct fg_diag *diag);

/* Collects everything in o->buf. */
void fg_out_init_memory(struct fg_out *o);

void fg_out_add(struct fg_out *o, const char *bytes, size_t len);
void fg_out_add_str(struct fg_out *o, struct fg_str s);
void fg_out_add_char(struct fg_out *o, char c);
void fg_out_add_u64(struct fg_out *o, uint64_t n);
void fg_out_addf(struct fg_out *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * For hot paths: room for `size` bytes, and then the end of what was written there.
 * Nothing else may be added in between.
 */
char *fg_out_room(struct fg_out *o, size_t size);
void fg_out_filled(struct fg_out *o, const char *end);

/*
 * Writes what is there, for a reader that is to have it now: 0, or -1 where writing has
 * failed, which closing reports.
 */
int fg_out_flush(struct fg_out *o);

/*
 * Forgets what is not written yet, which is the last byte at least: of a run that fails
 * nothing is to look whole.
 */
void fg_out_drop(struct fg_out *o);

/*
 * Writes what is left and releases the buffer: 0, or -1 after reporting the
 * first error of the output's whole life.
 */
int fg_out_close(struct fg_out *o);

#endif

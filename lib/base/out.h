/*
 * Buffered output whose errors cannot be missed.
 *
 * We remember the first write that fails, and later ones do nothing. fg_out_close()
 * reports it: a full disk is a failure with a message, never a file that looks good. If
 * the reader went away (EPIPE), that is a failure without a message. So you need not
 * check the result of anything but the close.
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

/* Starts output to `fd`, which the caller still owns. Borrows `name`. */
void fg_out_init(struct fg_out *o, int fd, const char *name, struct fg_diag *diag);

/* Starts output to memory: everything stays in o->buf. */
void fg_out_init_memory(struct fg_out *o);

void fg_out_add(struct fg_out *o, const char *bytes, size_t len);
void fg_out_add_str(struct fg_out *o, struct fg_str s);
void fg_out_add_char(struct fg_out *o, char c);
void fg_out_add_u64(struct fg_out *o, uint64_t n);
void fg_out_addf(struct fg_out *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * For hot paths: fg_out_reserve() returns space for `size` bytes. Write there and pass
 * the end of the bytes to fg_out_advance(), before anything else is added.
 */
char *fg_out_reserve(struct fg_out *o, size_t size);
void fg_out_advance(struct fg_out *o, const char *end);

/*
 * Writes the buffered bytes now, for a reader that waits for them. Returns 0, or -1 if
 * writing has failed, which the close reports.
 */
int fg_out_flush(struct fg_out *o);

/*
 * Drops the bytes that are not written yet, for a run that fails. Unless fg_out_flush()
 * was called, at least the last byte is dropped, so the output does not look complete.
 */
void fg_out_drop(struct fg_out *o);

/*
 * Writes the rest and releases the buffer. Returns 0, or -1 after reporting the first
 * error since fg_out_init().
 */
int fg_out_close(struct fg_out *o);

#endif

/*
 * Variable-length integers, like in LEB128: seven bits a byte, the lowest first. The
 * eighth bit is set if another byte follows. See folded(5), "Data in pictures".
 */
#ifndef FG_LIB_SVG_VARINT_H
#define FG_LIB_SVG_VARINT_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/* The most bytes that a number can take. */
#define FG_VARINT_MAX 10

/* Numbers below this take one byte. */
#define FG_VARINT_ONE_BYTE 128

/*
 * Writes a number at `p`, which needs space for FG_VARINT_MAX bytes. Returns the end of
 * the number. Almost all numbers take one or two bytes. These two cases share code
 * without a branch, because the processor could not predict it.
 */
static inline char *fg_varint_put(char *p, uint64_t n)
{
	if (n < FG_VARINT_ONE_BYTE * FG_VARINT_ONE_BYTE) {
		unsigned two = n >= FG_VARINT_ONE_BYTE;

		p[0] = (char)((n & (FG_VARINT_ONE_BYTE - 1)) | two << 7);
		p[1] = (char)(n >> 7);
		return p + 1 + two;
	}
	for (; n >= FG_VARINT_ONE_BYTE; n >>= 7)
		*p++ = (char)(n | FG_VARINT_ONE_BYTE);
	*p++ = (char)n;
	return p;
}

static inline void fg_varint_add(struct fg_buf *out, uint64_t n)
{
	if (out->alloc - out->len < FG_VARINT_MAX)
		fg_buf_reserve(out, FG_VARINT_MAX);
	out->len = (size_t)(fg_varint_put(out->ptr + out->len, n) - out->ptr);
}

/*
 * Cuts a number off the start of `s`. Returns 0, or -1 if the number is cut short or
 * above 2^64-1. Then `s` is empty.
 */
static inline int fg_varint_cut(struct fg_str *s, uint64_t *number)
{
	uint64_t n = 0;

	for (size_t i = 0; i < FG_VARINT_MAX && i < s->len; i++) {
		unsigned char byte = (unsigned char)s->ptr[i];

		if (i == FG_VARINT_MAX - 1 && byte > 1)
			break;
		n |= (uint64_t)(byte & (FG_VARINT_ONE_BYTE - 1)) << 7 * i;
		if (byte < FG_VARINT_ONE_BYTE) {
			*s = fg_str_from_pos(*s, i + 1);
			*number = n;
			return 0;
		}
	}
	s->len = 0;
	return -1;
}

/*
 * Reads the numbers of a data section that may be damaged. After the first fault, which
 * is reported, all functions return 0. So a caller may check `failed` once, at the end
 * of a loop.
 */
struct fg_varint_reader {
	struct fg_str rest; /* the bytes that are left */
	const struct fg_place *at;
	struct fg_diag *diag;
	const char *section; /* for messages: "data", "slices of time" */
	bool failed;
};

/*
 * Reports a fault. The text is a clause about the numbers: "they end early". Reports
 * only the first fault, because the numbers after it are misread.
 */
void fg_varint_fault(struct fg_varint_reader *r, const char *fault);

/*
 * Returns the next number. If it is malformed or missing, reports that and returns 0.
 */
uint64_t fg_varint_read(struct fg_varint_reader *r);

/*
 * Like fg_varint_read(), for the number of things that follow. Each of these takes at
 * least one byte, so a number larger than the bytes that are left is a fault.
 */
size_t fg_varint_read_size(struct fg_varint_reader *r);

/* Like fg_varint_read(), but reports a number of `limit` or more as `fault`. */
uint64_t fg_varint_read_below(struct fg_varint_reader *r, uint64_t limit,
			      const char *fault);

#endif

/*
 * SHA-256 (FIPS 180-4), for the hashes by which browsers know a script.
 */
#ifndef FG_LIB_SHA256_H
#define FG_LIB_SHA256_H

#include "lib/str.h"

#define FG_SHA256_LEN 32
#define FG_SHA256_BLOCK 64

struct fg_sha256 {
	uint32_t state[8];
	unsigned char block[FG_SHA256_BLOCK]; /* what is not hashed yet */
	uint64_t len; /* in bytes */
};

void fg_sha256_init(struct fg_sha256 *s);

/* May be called any number of times: what counts is the bytes, not the calls. */
void fg_sha256_add(struct fg_sha256 *s, struct fg_str bytes);

/* The hash of all that was added; `s` is of no use then. */
void fg_sha256_end(struct fg_sha256 *s, unsigned char hash[FG_SHA256_LEN]);

#endif

/*
 * Shared by the fuzz targets: a property that does not hold ends the process, which is
 * how a fuzzer finds it.
 */
#ifndef FG_TESTS_FUZZ_FUZZ_H
#define FG_TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/diag.h"
#include "lib/base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_check(bool holds, const char *property)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz: does not hold: %s\n", property);
	abort();
}

static inline void fuzz_check_equal(struct fg_str a, struct fg_str b,
				    const char *property)
{
	if (fg_str_eq(a, b))
		return;
	fprintf(stderr, "fuzz: one:\n%.*s\nfuzz: other:\n%.*s\n",
		(int)fg_str_before(a, 4000).len, a.ptr, (int)fg_str_before(b, 4000).len,
		b.ptr);
	fuzz_check(false, property);
}

static inline void fuzz_drop_message(void *data, const char *message)
{
	(void)data;
	(void)message;
}

/* Makes a verbose diag, so that every message is formatted. Its output is discarded. */
static inline void fuzz_diag(struct fg_diag *diag)
{
	fg_diag_init(diag, "fuzz");
	diag->verbosity = FG_VERBOSE;
	diag->sink = fuzz_drop_message;
}

/*
 * Takes a first byte that no text starts with, 0x80 to 0xc1, off the input. It chooses
 * among `count` variants. Any other input, such as a golden's, is variant 0.
 */
static inline unsigned fuzz_choice(struct fg_str *input, unsigned count)
{
	unsigned char c = input->len ? (unsigned char)input->ptr[0] : 0;

	if (c < 0x80 || c > 0xc1)
		return 0;
	*input = fg_str_from_pos(*input, 1);
	return (c - 0x80U) % count;
}

/*
 * Returns true if the input has its own options instead: a byte that no text has, one
 * argument a line, an empty line.
 */
static inline bool fuzz_has_arguments(struct fg_str input)
{
	return input.len && (unsigned char)input.ptr[0] == 0xf8;
}

/* Takes those options off the input. */
static inline struct fg_str fuzz_cut_arguments(struct fg_str *input)
{
	struct fg_str whole = fg_str_from_pos(*input, 1);
	size_t end = fg_str_find(whole, FG_STR("\n\n"));

	*input = fg_str_from_pos(whole, end + 2);
	return fg_str_before(whole, end);
}

/*
 * Returns a block size for an input. Small blocks are slow, so long inputs do not get
 * them.
 */
static inline size_t fuzz_block_size(struct fg_str input, unsigned choice)
{
	static const size_t small[] = { 1, 2, 7, 64 };

	return input.len < 8192 ? small[choice % 4] : 4099;
}

#endif

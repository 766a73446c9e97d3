/* Random numbers for the mutators, and bytes made of them. */
#ifndef FG_TESTS_FUZZ_MUTATE_RANDOM_H
#define FG_TESTS_FUZZ_MUTATE_RANDOM_H

#include "lib/base/buf.h"
#include "tests/fuzz/fuzz.h"

/* libFuzzer's own mutator, which ours may call. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed);

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
	r->state = r->state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return r->state >> 29;
}

static inline size_t random_below(struct random *r, size_t limit)
{
	return limit ? (size_t)(random_next(r) % limit) : 0;
}

static inline bool random_one_in(struct random *r, size_t n)
{
	return random_below(r, n) == 0;
}

/*
 * Returns a number that is mostly small, and sometimes the least or the greatest
 * possible.
 */
static inline uint64_t random_number(struct random *r)
{
	static const uint64_t extremes[] = { 0xff,	 0xffff,    INT32_MAX,
					     UINT32_MAX, INT64_MAX, (uint64_t)1 << 63,
					     UINT64_MAX };

	if (random_one_in(r, 24))
		return extremes[random_below(r, sizeof(extremes) / sizeof(*extremes))];
	return random_below(r, random_one_in(r, 4) ? 4096 : 12);
}

/* Puts bytes changed by libFuzzer, which may be up to 32 longer. */
static inline void random_bytes(struct fg_buf *to, struct fg_str from)
{
	size_t start = to->len;

	fg_buf_add_str(to, from);
	fg_buf_reserve(to, 32);
	to->len = start +
		  LLVMFuzzerMutate((uint8_t *)to->ptr + start, from.len, from.len + 32);
}

/*
 * Takes the byte that chooses options (see fuzz.h) off the input, if it has one, and
 * puts it. Rarely puts another byte, or one if there was none.
 */
static inline void random_cut_choice(struct random *r, struct fg_str *input,
				     struct fg_buf *choice)
{
	struct fg_str whole = *input;

	if (fuzz_has_arguments(whole))
		fuzz_cut_arguments(input);
	else
		fuzz_choice(input, 1);
	if (random_one_in(r, 32))
		fg_buf_add_char(choice, (char)(0x80 + random_below(r, 0x42)));
	else
		fg_buf_add_str(choice, fg_str_before(whole, whole.len - input->len));
}

/* Appends the input, changed up to four times. */
static inline void random_change(struct random *r, struct fg_str input,
				 void (*change)(struct random *r, struct fg_buf *text),
				 struct fg_buf *to)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, input);
	for (size_t i = 1 + random_below(r, 4); i > 0; i--)
		change(r, &text);
	fg_buf_add_str(to, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* Replaces the input by the new bytes, as many as fit. */
static inline size_t random_hand_over(struct fg_buf *whole, uint8_t *data,
				      size_t max_size)
{
	size_t size = whole->len < max_size ? whole->len : max_size;

	if (size)
		memcpy(data, whole->ptr, size);
	fg_buf_release(whole);
	return size;
}

#endif

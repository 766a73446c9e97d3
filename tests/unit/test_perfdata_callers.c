/* Tests of perf/data/callers.c: the callers that two chains of a thread share. */
#include "collapse/formats/perf/data/callers.h"

#include <stdlib.h>

#include "tests/unit/support/support.h"

#define KERNEL UINT64_C(0xffffffffffffff80)
#define USER UINT64_C(0xfffffffffffffe00)

enum { DEPTH_MAX = 12, CHAINS = 4000, THREADS = 3 };

static uint64_t below(uint64_t *state, uint64_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (*state >> 33) % limit;
}

static struct fg_pd_coming coming_of(const uint64_t *words, size_t count)
{
	return (struct fg_pd_coming){
		.lane = { .tid = 1, .kernel = 1, .user = 2, .comm = "comm" },
		.words = fg_str_of((const char *)words, count * sizeof(*words)),
	};
}

/*
 * Returns how many callers `second`, a chain of thread `tid`, shares with `first`, a
 * chain of thread 1.
 */
static size_t shared(const uint64_t *first, size_t first_count, const uint64_t *second,
		     size_t second_count, int32_t tid)
{
	struct fg_pd_chain chain = { .troubled = false };
	struct fg_pd_coming a = coming_of(first, first_count);
	struct fg_pd_coming b = coming_of(second, second_count);
	size_t count;

	b.lane.comm = a.lane.comm;
	b.lane.tid = tid;
	assert_int_equal(fg_pd_chain_shares(&chain, &a), 0);
	fg_pd_chain_set(&chain, &a, 0);
	count = fg_pd_chain_shares(&chain, &b);
	fg_pd_chain_forget(&chain);
	assert_int_equal(fg_pd_chain_shares(&chain, &b), 0);
	free(chain.words);
	free(chain.frames);
	return count;
}

/* The first frame of a context is not a caller: it runs. */
static void test_callers_of_the_last_context_are_shared(void **data)
{
	static const uint64_t first[] = { USER, 1, 2, 3, 4 };
	static const uint64_t same_end[] = { KERNEL, 7, USER, 8, 9, 3, 4 };
	static const uint64_t of_kernel[] = { KERNEL, 1, 2, 3, 4 };
	static const uint64_t no_context[] = { 1, 2, 3, 4 };

	(void)data;
	assert_int_equal(shared(first, 5, first, 5, 1), 3);
	assert_int_equal(shared(first, 5, first, 5, 2), 0);
	assert_int_equal(shared(first, 5, same_end, 7, 1), 2);
	assert_int_equal(shared(same_end, 7, first, 5, 1), 2);
	assert_int_equal(shared(first, 5, of_kernel, 5, 1), 0);
	assert_int_equal(shared(first, 5, no_context, 4, 1), 0);
	assert_int_equal(shared(no_context, 4, no_context, 4, 1), 0);
	assert_int_equal(shared(first, 5, first, 0, 1), 0);
	assert_int_equal(shared(first, 0, first, 5, 1), 0);
}

/* Returns the frame of a word, which differs between threads and contexts. */
static uint32_t frame_of(int32_t tid, uint64_t context, uint64_t word)
{
	return (uint32_t)word * 16 + (uint32_t)tid * 2 + (context == USER);
}

static size_t make_chain(uint64_t *state, uint64_t *words)
{
	size_t count = (size_t)below(state, DEPTH_MAX);

	for (size_t i = 0; i < count; i++) {
		uint64_t n = below(state, 16);

		words[i] = n == 14 ? KERNEL : n == 15 ? USER : n / 7;
	}
	return count;
}

static void check_chain(struct fg_pd_callers *c, uint64_t *state, size_t *reused)
{
	static const char comm[] = "comm";
	uint64_t words[DEPTH_MAX], context = 0;
	struct fg_pd_coming coming = coming_of(words, make_chain(state, words));
	size_t count = coming.words.len / 8, from;
	struct fg_pd_chain *chain;
	uint32_t *frames;

	coming.lane.tid = (int32_t)below(state, THREADS);
	coming.lane.comm = comm;
	chain = fg_pd_callers_of(c, coming.lane.tid);
	from = fg_pd_chain_shares(chain, &coming);
	*reused += from;
	from = count - from;
	frames = fg_pd_chain_set(chain, &coming, count - from);
	for (size_t i = 0; i < count; i++) {
		uint32_t frame = frame_of(coming.lane.tid, context, words[i]);

		if (words[i] >= FG_PD_CONTEXT_FIRST)
			context = words[i];
		else if (i < from)
			frames[i] = frame;
		else
			assert_int_equal(frames[i], frame);
	}
}

static void test_shared_words_have_the_right_frames(void **data)
{
	struct fg_pd_callers c = { .chains = { { .words = NULL } } };
	uint64_t state = 7;
	size_t reused = 0;

	(void)data;
	for (int i = 0; i < CHAINS; i++)
		check_chain(&c, &state, &reused);
	assert_true(reused > CHAINS / 100);
	fg_pd_callers_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callers_of_the_last_context_are_shared),
		cmocka_unit_test(test_shared_words_have_the_right_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

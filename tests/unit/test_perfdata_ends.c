/* Tests of collapse/formats/perf/data/ends: chains as long as the limit. */
#include "collapse/formats/perf/data/ends.h"

#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define CONTEXT_USER UINT64_C(0xfffffffffffffe00)

/* Notes a chain of so many frames, and two markers, which do not count. */
static void note(struct fg_pd_ends *e, size_t frames, size_t max)
{
	struct fg_buf words = FG_BUF_INIT;

	put64(&words, CONTEXT_USER);
	for (size_t i = 0; i < frames; i++)
		put64(&words, 0x1000 + i);
	put64(&words, CONTEXT_USER);
	fg_pd_ends_note_chain(e, fg_buf_str(&words), max);
	fg_buf_release(&words);
}

static void chains_as_long_as_the_usual_limit_count(void **state)
{
	struct fg_pd_ends e = { .copies = 0 };

	(void)state;
	for (size_t frames = 125; frames <= 127; frames++)
		note(&e, frames, 0);
	assert_int_equal(e.depths.chains, 3);
	assert_int_equal(e.depths.full, 1);
	assert_int_equal(e.depths.above, 0);
}

static void an_event_may_have_a_limit_of_its_own(void **state)
{
	struct fg_pd_ends e = { .copies = 0 };

	(void)state;
	note(&e, 20, 20);
	note(&e, 19, 20);
	note(&e, 127, 127);
	assert_int_equal(e.depths.full, 2);
	assert_int_equal(e.depths.above, 0);
}

static void check_report(const struct fg_pd_ends *e, const char *want)
{
	struct fg_place at = { "perf.data", 0 };
	struct caught caught;

	caught_init(&caught);
	fg_pd_ends_report(e, &caught.diag, &at);
	check_str(fg_buf_str(&caught.text), fg_str_from(want), __FILE__, __LINE__);
	caught_release(&caught);
}

static void a_longer_chain_shows_that_there_was_another_limit(void **state)
{
	struct fg_pd_ends e = { .copies = 0 };

	(void)state;
	check_report(&e, "");
	note(&e, 127, 0);
	note(&e, 5, 0);
	check_report(
		&e,
		"prog: perf.data: 1 of 2 samples (50.0 %) have as many frames as the "
		"kernel records, so their outermost callers may be missing: run sudo "
		"sysctl kernel.perf_event_max_stack=1024 and record again\n");
	note(&e, 128, 0);
	check_report(&e, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_as_long_as_the_usual_limit_count),
		cmocka_unit_test(an_event_may_have_a_limit_of_its_own),
		cmocka_unit_test(a_longer_chain_shows_that_there_was_another_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of difffolded/merge against an oracle that keeps whole stacks. */
#include <stdlib.h>
#include <string.h>

#include "difffolded/merge.h"
#include "tests/unit/support/support.h"

#define STACKS_MAX 300

static int add(struct fg_merge *m, const struct fg_stack_count *s)
{
	return fg_merge_add(m, s, fg_merge_shared(m, s->stack));
}

struct stack {
	struct fg_buf text;
	uint64_t counts[2]; /* in hundredths */
};

struct oracle {
	struct stack stacks[STACKS_MAX]; /* in any order */
	size_t count;
};

static void oracle_add(struct oracle *o, struct fg_str text, unsigned column,
		       uint64_t n)
{
	size_t i = 0;

	while (i < o->count && !fg_str_eq(fg_buf_str(&o->stacks[i].text), text))
		i++;
	assert_true(i < STACKS_MAX);
	if (i == o->count) {
		memset(&o->stacks[i], 0, sizeof(o->stacks[i]));
		fg_buf_add_str(&o->stacks[o->count++].text, text);
	}
	o->stacks[i].counts[column] += n;
}

static int by_text(const void *a, const void *b)
{
	const struct stack *one = a, *other = b;

	return fg_str_cmp(fg_buf_str(&one->text), fg_buf_str(&other->text));
}

static void oracle_free(struct oracle *o)
{
	for (size_t i = 0; i < o->count; i++)
		fg_buf_release(&o->stacks[i].text);
	free(o);
}

static uint64_t hundredths(struct fg_count n)
{
	return n.digits * fg_pow10(2 - n.decimals);
}

static struct fg_stack_count one_of(const char *stack, unsigned column)
{
	return (struct fg_stack_count){ fg_str_from(stack), column, { 1, 0 } };
}

static struct fg_stack_count random_count(struct random *random, struct fg_str stack,
					  unsigned column)
{
	struct fg_count n = { random_below(random, 50),
			      (unsigned)random_below(random, 3) };

	return (struct fg_stack_count){ stack, column, n };
}

/* Takes all stacks out of `m`, and compares them with the oracle's. */
static void check_stacks(struct fg_merge *m, struct oracle *o)
{
	struct fg_buf text = FG_BUF_INIT;

	qsort(o->stacks, o->count, sizeof(*o->stacks), by_text);
	assert_null(fg_run_front(&m->rest));
	for (size_t i = 0; i < o->count; i++) {
		struct fg_run_entry *entry = fg_run_front(&m->merged);

		assert_non_null(entry);
		assert_true(entry->shared <= text.len);
		text.len = entry->shared;
		fg_buf_add(&text, entry->rest, entry->len);
		assert_str_is(fg_buf_str(&text), fg_buf_str(&o->stacks[i].text));
		for (unsigned column = 0; column < 2; column++)
			assert_int_equal(entry->sums[column].low *
						 fg_pow10(2 - m->decimals),
					 o->stacks[i].counts[column]);
		fg_run_pop(&m->merged);
	}
	assert_null(fg_run_front(&m->merged));
	fg_buf_release(&text);
}

/* Makes a stack of few different bytes, so that stacks share a lot. Some are long. */
static void make_stack(struct random *random, struct fg_buf *text)
{
	size_t len = random_below(random, 7);

	fg_buf_clear(text);
	if (!random_below(random, 20))
		len = random_below(random, 40000);
	random_bytes(random, text, len, fg_str_of("a;\0\xff!", 5));
}

/* Adds lines in the order of `sorted`, each stack up to three times. */
static void add_profile(struct random *random, struct fg_merge *m, struct oracle *o,
			unsigned column)
{
	struct oracle *sorted = calloc(1, sizeof(*sorted));
	struct fg_buf text = FG_BUF_INIT;

	assert_non_null(sorted);
	for (size_t i = random_below(random, 60); i > 0; i--) {
		make_stack(random, &text);
		oracle_add(sorted, fg_buf_str(&text), 0, 0);
	}
	qsort(sorted->stacks, sorted->count, sizeof(*sorted->stacks), by_text);
	for (size_t i = 0; i < sorted->count; i++)
		for (size_t times = 1 + random_below(random, 3); times > 0; times--) {
			struct fg_str stack = fg_buf_str(&sorted->stacks[i].text);
			struct fg_stack_count s = random_count(random, stack, column);

			assert_int_equal(add(m, &s), 0);
			oracle_add(o, stack, column, hundredths(s.count));
		}
	oracle_free(sorted);
	fg_buf_release(&text);
}

static void test_merge(void **state)
{
	struct random random = { 42 };

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct oracle *o = calloc(1, sizeof(*o));
		struct fg_merge m = { .rest_shared = 0 };

		assert_non_null(o);
		for (unsigned column = 0; column < 2; column++) {
			fg_merge_restart(&m);
			add_profile(&random, &m, o, column);
			fg_merge_finish(&m);
		}
		check_stacks(&m, o);
		fg_merge_release(&m);
		oracle_free(o);
	}
}

/* A stack out of order is refused, and nothing is lost. */
static void test_disorder(void **state)
{
	static const char *const before[] = { "a", "a;b", "b;x", "c" };
	static const char *const lesser[] = { "", "a", "a;", "a;b", "b;w", "b" };
	struct oracle *o = calloc(1, sizeof(*o));
	struct fg_merge m = { .rest_shared = 0 };
	struct fg_stack_count s;

	(void)state;
	assert_non_null(o);
	for (size_t i = 0; i < COUNT_OF(before); i++) {
		s = one_of(before[i], 0);
		assert_int_equal(add(&m, &s), 0);
		oracle_add(o, fg_str_from(before[i]), 0, 100);
	}
	fg_merge_finish(&m);
	fg_merge_restart(&m);
	s = one_of("b;x", 1);
	assert_int_equal(add(&m, &s), 0);
	oracle_add(o, FG_STR("b;x"), 1, 100);
	for (size_t i = 0; i < COUNT_OF(lesser); i++) {
		s = one_of(lesser[i], 1);
		assert_int_equal(add(&m, &s), -1);
	}
	fg_merge_finish(&m);
	check_stacks(&m, o);
	fg_merge_release(&m);
	oracle_free(o);
}

/* Sums have 128 bits, and as many decimals as any count. */
static void test_large(void **state)
{
	struct fg_merge m = { .rest_shared = 0 };
	struct fg_stack_count large = { FG_STR("a"), 1, { UINT64_MAX, 0 } };
	struct fg_stack_count fraction = { FG_STR("b"), 0, { 5, 1 } };

	(void)state;
	assert_int_equal(add(&m, &large), 0);
	assert_int_equal(add(&m, &large), 0);
	fg_merge_finish(&m);
	fg_merge_restart(&m);
	assert_int_equal(add(&m, &large), 0);
	assert_int_equal(add(&m, &fraction), 0);
	fg_merge_finish(&m);
	assert_int_equal(m.decimals, 1);
	/* 3 (2^64 - 1) * 10 */
	assert_true(fg_run_front(&m.merged)->sums[1].high == 29);
	assert_true(fg_run_front(&m.merged)->sums[1].low == UINT64_MAX - 29);
	fg_run_pop(&m.merged);
	assert_int_equal(fg_run_front(&m.merged)->sums[0].low, 5);
	fg_merge_release(&m);
}

static void test_released(void **state)
{
	struct fg_stack_count lines[] = { one_of("a;b", 0), one_of("c", 0),
					  one_of("b", 1) };
	struct fg_merge m = { .rest_shared = 0 };

	(void)state;
	fg_merge_release(&m);
	assert_int_equal(add(&m, &lines[0]), 0);
	assert_int_equal(add(&m, &lines[1]), 0);
	fg_merge_restart(&m);
	assert_int_equal(add(&m, &lines[2]), 0);
	fg_merge_release(&m);
	assert_null(fg_run_front(&m.merged));
	assert_null(fg_run_front(&m.rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_disorder),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

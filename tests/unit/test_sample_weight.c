/* Tests of lib/profile/sample_weight: the weight of one sample. */
#include <math.h>

#include "lib/profile/folded_input.h"
#include "lib/profile/sample_weight.h"
#include "lib/profile/tree.h"
#include "tests/unit/support/support.h"

static int add(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	(void)at;
	return fg_tree_add(data, folded);
}

/* Finds the weight in a differential profile. */
static struct fg_sample_weight
find_with(const char *text, struct fg_sample_weight_hints hints, struct caught *c)
{
	const struct fg_place at = { "input", 0 };
	struct fg_str rest = fg_str_from(text);
	struct fg_folded_input in;
	struct fg_unit unit = { .mixed_units = false };
	struct fg_sample_weight w;
	struct fg_tree tree;

	fg_tree_init(&tree, FG_TREE_SORTED);
	fg_folded_input_init(&in, &c->diag, &unit, add, &tree);
	while (rest.len)
		assert_int_equal(
			fg_folded_input_line(&in, fg_str_cut(&rest, '\n'), &at), 0);
	assert_int_equal(fg_folded_input_end(&in), 0);
	assert_int_equal(in.columns, 2);
	fg_tree_finish(&tree);
	hints.header = fg_buf_str(&unit.sample_weight);
	hints.differ = unit.mixed_weights;
	fg_sample_weight_find(&w, &tree, &hints, &c->diag);
	fg_folded_input_release(&in);
	fg_tree_release(&tree);
	fg_unit_release(&unit);
	return w;
}

static struct fg_sample_weight find(const char *text, struct caught *c)
{
	return find_with(text, (struct fg_sample_weight_hints){ .least = 0 }, c);
}

static void divisor_rule(void **state)
{
	static const struct {
		const char *text;
		enum fg_sample_weight_source source;
		double before, after;
	} cases[] = {
		{ "a 30 20\nb 10 70\n", FG_SAMPLE_WEIGHT_DIVISOR, 10, 10 },
		{ "a 3 20\nb 10 70\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 36 60\nb 0 120\n", FG_SAMPLE_WEIGHT_DIVISOR, 12, 12 },
		/* so few counts have that divisor by chance */
		{ "a 12 20\nb 0 40\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 1.5 3\nb 2.5 4.5\n", FG_SAMPLE_WEIGHT_DIVISOR, 5, 5 },
		{ "a 100000 200000\nb 300000 500000\n", FG_SAMPLE_WEIGHT_DIVISOR,
		  100000, 100000 },
		/* one divisor does not explain both */
		{ "a 100003 700000\nb 300009 400000\nc 200006 0\n",
		  FG_SAMPLE_WEIGHT_DIVISOR, 100003, 100000 },
		/* at most 10000 times as much is small */
		{ "a 10000 1\nb 1 10000\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 20001 1\nb 20002 20002\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
		{ "a 0 1000003\nb 100 1000033\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
		/* nine in ten are small */
		{ "a 99999 1\nb 1 1\nc 1 1\nd 1 1\ne 1 1\nf 1 1\ng 1 1\nh 1 1\ni 1 1\n"
		  "j 1 1\n",
		  FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 99999 1\nb 1 1\nc 1 1\nd 1 1\ne 1 1\nf 1 1\ng 1 1\nh 1 1\ni 1 1\n",
		  FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
	};
	struct caught c;

	(void)state;
	caught_init(&c);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_sample_weight w = find(cases[i].text, &c);

		assert_int_equal(w.source, cases[i].source);
		if (w.source == FG_SAMPLE_WEIGHT_UNKNOWN)
			continue;
		assert_true(w.of[FG_BEFORE] == cases[i].before);
		assert_true(w.of[FG_AFTER] == cases[i].after);
	}
	assert_str(fg_buf_str(&c.text), "");
	caught_release(&c);
}

static void small_divisors_are_chance(void **state)
{
	static const struct {
		const char *text;
		double weight;
	} cases[] = {
		{ "a 30 20\nb 10 70\n", 1 },
		{ "a 0.5 1.5\n", 10 },
		{ "a 2997 4995\nb 999 0\n", 1 },
		{ "a 3000 5000\nb 1000 0\n", 1000 },
		{ "a 3000.0 5000.0\nb 1000 0\n", 1000 },
		{ "# sample-weight: 10\na 30 20\nb 10 70\n", 10 },
	};
	const struct fg_sample_weight_hints hints = { .least = 1000 };
	struct caught c;

	(void)state;
	caught_init(&c);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_sample_weight w = find_with(cases[i].text, hints, &c);

		assert_int_not_equal(w.source, FG_SAMPLE_WEIGHT_UNKNOWN);
		assert_true(w.of[FG_BEFORE] == cases[i].weight);
		assert_true(w.of[FG_AFTER] == cases[i].weight);
	}
	/* too large for samples */
	assert_int_equal(find_with("a 30001 20002\nb 10003 70004\n", hints, &c).source,
			 FG_SAMPLE_WEIGHT_UNKNOWN);
	caught_release(&c);
}

static void option_before_header_before_divisor(void **state)
{
	const char *with_header = "# sample-weight: 5 2.5\na 30 20.5\nb 10 70\n";
	const struct fg_sample_weight_hints given = { .given = { 2, 3 },
						      .least = 1000 };
	struct fg_sample_weight w;
	struct caught c;

	(void)state;
	caught_init(&c);
	w = find_with(with_header, given, &c);
	assert_int_equal(w.source, FG_SAMPLE_WEIGHT_OPTION);
	assert_true(w.of[FG_BEFORE] == 20 && w.of[FG_AFTER] == 30);
	w = find(with_header, &c);
	assert_int_equal(w.source, FG_SAMPLE_WEIGHT_HEADER);
	assert_true(w.of[FG_BEFORE] == 50 && w.of[FG_AFTER] == 25);
	/* headers disagree, so we do not guess */
	w = find("# sample-weight: 5\n# sample-weight: 6\na 30 20\nb 10 70\n", &c);
	assert_int_equal(w.source, FG_SAMPLE_WEIGHT_UNKNOWN);
	assert_str(fg_buf_str(&c.text), "");
	w = find("# sample-weight: 0\na 30 20\nb 10 70\n", &c);
	assert_int_equal(w.source, FG_SAMPLE_WEIGHT_DIVISOR);
	assert_has(fg_buf_str(&c.text), "no number");
	caught_release(&c);
}

static void weights_as_text(void **state)
{
	double of[2];

	(void)state;
	assert_int_equal(fg_sample_weight_parse(FG_STR("4"), of), 0);
	assert_true(of[FG_BEFORE] == 4 && of[FG_AFTER] == 4);
	assert_int_equal(fg_sample_weight_parse(FG_STR(" 4,5 "), of), 0);
	assert_true(of[FG_BEFORE] == 4 && of[FG_AFTER] == 5);
	assert_int_equal(fg_sample_weight_parse(FG_STR("0.5 1e3"), of), 0);
	assert_true(of[FG_BEFORE] == 0.5 && of[FG_AFTER] == 1000);
	assert_int_equal(fg_sample_weight_parse(FG_STR(""), of), -1);
	assert_int_equal(fg_sample_weight_parse(FG_STR("x"), of), -1);
	assert_int_equal(fg_sample_weight_parse(FG_STR("0"), of), -1);
	assert_int_equal(fg_sample_weight_parse(FG_STR("-1"), of), -1);
	assert_int_equal(fg_sample_weight_parse(FG_STR("1 2 3"), of), -1);
	assert_int_equal(fg_sample_weight_parse(FG_STR("1,0"), of), -1);
}

/* Samples of two profiles, the one before scaled like by diff-folded -n. */
struct scaled {
	uint64_t weight;
	unsigned times; /* samples after for each sample before, roughly */
	uint64_t before[50], after[50];
	uint64_t totals[2];
};

static void make_scaled(struct scaled *s, struct random *random)
{
	s->totals[FG_BEFORE] = s->totals[FG_AFTER] = 0;
	for (size_t i = 0; i < COUNT_OF(s->before); i++) {
		/* hardly any samples in most stacks, like in real profiles */
		s->before[i] = 1 + random_below(random, i % 3 ? 2 : 5 * i + 1);
		s->after[i] = s->before[i] * s->times / 10 + random_below(random, 3);
		if (s->before[i] <= 2)
			s->after[i] = 1 + random_below(random, 2);
		s->totals[FG_BEFORE] += s->before[i];
		s->totals[FG_AFTER] += s->after[i];
	}
}

static void add_scaled(const struct scaled *s, struct fg_buf *text)
{
	for (size_t i = 0; i < COUNT_OF(s->before); i++) {
		uint64_t all = s->before[i] * s->weight * s->totals[FG_AFTER];

		fg_buf_addf(text, "f%zu ", i);
		fg_buf_add_u64(text, all / s->totals[FG_BEFORE]);
		fg_buf_add_char(text, ' ');
		fg_buf_add_u64(text, s->after[i] * s->weight);
		fg_buf_add_char(text, '\n');
	}
}

static void scaled_counts(void **state)
{
	struct scaled cases[] = {
		{ .weight = 10101010, .times = 7 }, { .weight = 10101010, .times = 13 },
		{ .weight = 250000, .times = 10 },  { .weight = 250000, .times = 61 },
		{ .weight = 1, .times = 61 },	    { .weight = 1, .times = 153 }
	};
	struct random random = { 7 };
	struct caught c;

	(void)state;
	caught_init(&c);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct scaled *s = &cases[i];
		struct fg_buf text = FG_BUF_INIT;
		double scale, off;
		struct fg_sample_weight w;

		make_scaled(s, &random);
		add_scaled(s, &text);
		w = find(fg_buf_cstr(&text), &c);
		fg_buf_release(&text);
		scale = (double)s->totals[FG_AFTER] / (double)s->totals[FG_BEFORE];
		off = w.of[FG_BEFORE] / ((double)s->weight * scale) - 1;
		/* a divisor, because nothing had to be rounded */
		assert_true(w.source == FG_SAMPLE_WEIGHT_SCALED ||
			    w.source == FG_SAMPLE_WEIGHT_DIVISOR);
		assert_true(fabs(off) < 0.02);
		assert_true(w.of[FG_AFTER] == (double)s->weight);
	}
	assert_str(fg_buf_str(&c.text), "");
	caught_release(&c);
}

/* A doubtful divisor is not taken: we would judge noise by far too many samples. */
static void doubtful(void **state)
{
	static const struct {
		const char *text;
		enum fg_sample_weight_source source;
		double before, after;
	} cases[] = {
		/* scaled from 280 samples of 250000; 6250 divides all counts */
		{ "a 15050000 18500000\nb 32518750 31000000\nc 27681250 25750000\n",
		  FG_SAMPLE_WEIGHT_DIVISOR, 268750, 250000 },
		/* the totals are equal, and so few stacks may have any divisor */
		{ "a 100 93\nb 50 57\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
		{ "a 400 466\nb 1600 1534\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
		{ "a 101 93\nb 50 58\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 402 474\nb 1598 1526\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 100 93\nb 50 60\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		/* many stacks after of 50, but one before */
		{ "a 7 50\nb 0 150\nc 0 250\nd 0 350\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0,
		  0 },
		{ "a 7 50\nb 5 150\nc 9 250\nd 1 350\n", FG_SAMPLE_WEIGHT_DIVISOR, 1,
		  50 },
		/* the totals are equal but for rounding */
		{ "a 25 27\nb 74 73\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
		{ "a 1 2\nb 2 2\nc 3 4\nd 71 72\n", FG_SAMPLE_WEIGHT_DIVISOR, 1, 1 },
		{ "a 1 2\nb 2 2\nc 4 4\nd 71 72\n", FG_SAMPLE_WEIGHT_UNKNOWN, 0, 0 },
	};
	struct caught c;

	(void)state;
	caught_init(&c);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_sample_weight w = find(cases[i].text, &c);

		assert_int_equal(w.source, cases[i].source);
		if (w.source == FG_SAMPLE_WEIGHT_UNKNOWN)
			continue;
		assert_true(w.of[FG_BEFORE] == cases[i].before);
		assert_true(w.of[FG_AFTER] == cases[i].after);
	}
	caught_release(&c);
}

/* Microseconds are not samples, although their divisor is 1 and they are small. */
static void counts_that_are_not_samples(void **state)
{
	struct random random = { 11 };
	struct fg_buf times = FG_BUF_INIT, samples = FG_BUF_INIT;
	struct caught c;

	(void)state;
	caught_init(&c);
	for (unsigned i = 0; i < 60; i++) {
		unsigned n = 1 + (unsigned)random_below(&random, i % 3 ? 2 : 50);

		fg_buf_addf(&times, "f%u %u %u\n", i, 97 * n + i % 7, 101 * n + i % 5);
		fg_buf_addf(&samples, "f%u %u %u\n", i, n,
			    n + (unsigned)random_below(&random, 4));
	}
	assert_int_equal(find(fg_buf_cstr(&times), &c).source,
			 FG_SAMPLE_WEIGHT_UNKNOWN);
	assert_int_equal(find(fg_buf_cstr(&samples), &c).source,
			 FG_SAMPLE_WEIGHT_DIVISOR);
	fg_buf_release(&times);
	fg_buf_release(&samples);
	caught_release(&c);
}

/* Finds the weight in profiles with one column. */
static void weight_of_one_column(void **state)
{
	const struct {
		const char *text;
		uint64_t least;
		double weight;
	} cases[] = {
		{ "a 1\n", 1000, 1 },
		{ "a;b 5000\n", 1000, 1 }, /* one stack shows no divisor */
		{ "a 20000\n", 1000, 0 },
		{ "a 2000000\nb 3000000\n", 1000, 1000000 },
		{ "a 2000000\nb 3000000\n", 10000000, 0 },
		{ "a 2.5\nb 1\n", 1000, 0 },
		{ "a 2.0\nb 1\n", 1000, 1 },
		{ "a 123456789\nb 987654321\n", 1000, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct fg_place at = { "input", 0 };
		struct fg_str rest = fg_str_from(cases[i].text);
		struct fg_folded_input in;
		struct fg_tree tree;
		struct caught c;

		caught_init(&c);
		fg_tree_init(&tree, FG_TREE_SORTED);
		fg_folded_input_init(&in, &c.diag, NULL, add, &tree);
		while (rest.len)
			fg_folded_input_line(&in, fg_str_cut(&rest, '\n'), &at);
		assert_int_equal(fg_folded_input_end(&in), 0);
		fg_tree_finish(&tree);
		assert_true(fg_sample_weight_of_one(&tree, cases[i].least) ==
			    cases[i].weight * (double)fg_pow10(tree.decimals));
		fg_folded_input_release(&in);
		fg_tree_release(&tree);
		caught_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(divisor_rule),
		cmocka_unit_test(small_divisors_are_chance),
		cmocka_unit_test(option_before_header_before_divisor),
		cmocka_unit_test(weights_as_text),
		cmocka_unit_test(scaled_counts),
		cmocka_unit_test(doubtful),
		cmocka_unit_test(counts_that_are_not_samples),
		cmocka_unit_test(weight_of_one_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

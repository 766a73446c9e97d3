/* Tests of reportfolded/significance and weight: noise, and what a sample counts. */
#include <math.h>

#include "reportfolded/significance.h"
#include "reportfolded/weight.h"
#include "tests/unit/support/support.h"

#define NOT_GIVEN ((const double[]){ 0, 0 })

/* As other programs compute it, without a correction for continuity. */
static void known_values(void **state)
{
	static const struct {
		struct fg_proportion before, after;
		double z, p;
	} cases[] = {
		{ { 20, 100 }, { 35, 100 }, 2.375423, 0.017529 },
		{ { 50, 1000 }, { 80, 1000 }, 2.721095, 0.006507 },
		{ { 473, 500 }, { 450, 500 }, -2.728234, 0.006367 },
		{ { 1, 1e6 }, { 30, 1e6 }, 5.208594, 0.00000019 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		double z = fg_two_proportions(cases[i].before, cases[i].after);
		double back = fg_two_proportions(cases[i].after, cases[i].before);

		assert_true(fabs(z - cases[i].z) < 1e-5);
		assert_true(fabs(back + cases[i].z) < 1e-5);
		assert_true(fabs(fg_two_sided(z) - cases[i].p) < 1e-6);
	}
	assert_true(fabs(fg_two_sided(1.959964) - 0.05) < 1e-6);
	assert_true(fabs(fg_two_sided(-2.575829) - 0.01) < 1e-6);
}

static void nothing_can_be_told(void **state)
{
	const struct fg_proportion none = { 0, 100 }, all = { 100, 100 };
	const struct fg_proportion empty = { 0, 0 }, some = { 30, 100 };

	(void)state;
	assert_true(fg_two_proportions(none, none) == 0);
	assert_true(fg_two_proportions(all, all) == 0);
	assert_true(fg_two_proportions(empty, some) == 0);
	assert_true(fg_two_proportions(some, empty) == 0);
	assert_true(fg_two_proportions(some, some) == 0);
	assert_true(fg_two_sided(0) == 1);
}

/* Finds the weight in a profile, which is checked to be `columns` wide. */
static struct fg_weight find(const char *text, const double *given, struct caught *c)
{
	struct fg_reader *reader =
		fg_reader_open_memory(fg_str_from(text), "input", &c->diag);
	struct fg_report_profile p;
	struct fg_weight w;

	assert_int_equal(fg_report_profile_read(&p, reader, &c->diag), 0);
	assert_int_equal(p.columns, 2);
	fg_weight_find(&w, &p, given, &c->diag);
	fg_report_profile_release(&p);
	fg_reader_close(reader);
	return w;
}

static void divisor_rule(void **state)
{
	static const struct {
		const char *text;
		enum fg_weight_source source;
		double before, after;
	} cases[] = {
		{ "a 30 20\nb 10 70\n", FG_WEIGHT_DIVISOR, 10, 10 },
		{ "a 3 20\nb 10 70\n", FG_WEIGHT_DIVISOR, 1, 1 },
		{ "a 12 20\nb 0 40\n", FG_WEIGHT_DIVISOR, 4, 4 },
		{ "a 1.5 3\nb 2.5 4.5\n", FG_WEIGHT_DIVISOR, 5, 5 },
		{ "a 100000 200000\nb 300000 500000\n", FG_WEIGHT_DIVISOR, 100000,
		  100000 },
		/* one divisor does not explain both */
		{ "a 100003 700000\nb 300009 400000\nc 200006 0\n", FG_WEIGHT_DIVISOR,
		  100003, 100000 },
		/* at most 10000 times as much is small */
		{ "a 10000 1\nb 1 10000\n", FG_WEIGHT_DIVISOR, 1, 1 },
		{ "a 20001 1\nb 20002 20002\n", FG_WEIGHT_UNKNOWN, 0, 0 },
		{ "a 0 1000003\nb 100 1000033\n", FG_WEIGHT_UNKNOWN, 0, 0 },
		/* nine in ten are */
		{ "a 99999 1\nb 1 1\nc 1 1\nd 1 1\ne 1 1\nf 1 1\ng 1 1\nh 1 1\ni 1 1\n"
		  "j 1 1\n",
		  FG_WEIGHT_DIVISOR, 1, 1 },
		{ "a 99999 1\nb 1 1\nc 1 1\nd 1 1\ne 1 1\nf 1 1\ng 1 1\nh 1 1\ni 1 1\n",
		  FG_WEIGHT_UNKNOWN, 0, 0 },
	};
	struct caught c;

	(void)state;
	caught_init(&c);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_weight w = find(cases[i].text, NOT_GIVEN, &c);

		assert_int_equal(w.source, cases[i].source);
		if (w.source == FG_WEIGHT_UNKNOWN)
			continue;
		assert_true(w.of[FG_BEFORE] == cases[i].before);
		assert_true(w.of[FG_AFTER] == cases[i].after);
	}
	assert_str(fg_buf_str(&c.text), "");
	caught_release(&c);
}

static void option_before_header_before_divisor(void **state)
{
	const char *with_header = "# sample-weight: 5 2.5\na 30 20.5\nb 10 70\n";
	const double given[2] = { 2, 3 };
	struct fg_weight w;
	struct caught c;

	(void)state;
	caught_init(&c);
	w = find(with_header, given, &c);
	assert_int_equal(w.source, FG_WEIGHT_OPTION);
	assert_true(w.of[FG_BEFORE] == 20 && w.of[FG_AFTER] == 30);
	w = find(with_header, NOT_GIVEN, &c);
	assert_int_equal(w.source, FG_WEIGHT_HEADER);
	assert_true(w.of[FG_BEFORE] == 50 && w.of[FG_AFTER] == 25);
	/* headers that do not agree say nothing */
	w = find("# sample-weight: 5\n# sample-weight: 6\na 30 20\nb 10 70\n",
		 NOT_GIVEN, &c);
	assert_int_equal(w.source, FG_WEIGHT_DIVISOR);
	assert_str(fg_buf_str(&c.text), "");
	w = find("# sample-weight: 0\na 30 20\nb 10 70\n", NOT_GIVEN, &c);
	assert_int_equal(w.source, FG_WEIGHT_DIVISOR);
	assert_has(fg_buf_str(&c.text), "no number");
	caught_release(&c);
}

static void weights_as_text(void **state)
{
	double of[2];

	(void)state;
	assert_int_equal(fg_weight_parse(FG_STR("4"), of), 0);
	assert_true(of[FG_BEFORE] == 4 && of[FG_AFTER] == 4);
	assert_int_equal(fg_weight_parse(FG_STR(" 4,5 "), of), 0);
	assert_true(of[FG_BEFORE] == 4 && of[FG_AFTER] == 5);
	assert_int_equal(fg_weight_parse(FG_STR("0.5 1e3"), of), 0);
	assert_true(of[FG_BEFORE] == 0.5 && of[FG_AFTER] == 1000);
	assert_int_equal(fg_weight_parse(FG_STR(""), of), -1);
	assert_int_equal(fg_weight_parse(FG_STR("x"), of), -1);
	assert_int_equal(fg_weight_parse(FG_STR("0"), of), -1);
	assert_int_equal(fg_weight_parse(FG_STR("-1"), of), -1);
	assert_int_equal(fg_weight_parse(FG_STR("1 2 3"), of), -1);
	assert_int_equal(fg_weight_parse(FG_STR("1,0"), of), -1);
}

/* Samples of two profiles; those before are scaled as by diff-folded -n. */
struct scaled {
	uint64_t weight;
	unsigned times; /* as many samples after as before, roughly */
	uint64_t before[50], after[50];
	uint64_t totals[2];
};

static void make_scaled(struct scaled *s, struct random *random)
{
	s->totals[FG_BEFORE] = s->totals[FG_AFTER] = 0;
	for (size_t i = 0; i < COUNT_OF(s->before); i++) {
		s->before[i] = 1 + random_below(random, i ? 5 * i : 1);
		s->after[i] = s->before[i] * s->times / 10 + random_below(random, 3);
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
		struct fg_weight w;

		make_scaled(s, &random);
		add_scaled(s, &text);
		w = find(fg_buf_cstr(&text), NOT_GIVEN, &c);
		fg_buf_release(&text);
		scale = (double)s->totals[FG_AFTER] / (double)s->totals[FG_BEFORE];
		off = w.of[FG_BEFORE] / ((double)s->weight * scale) - 1;
		assert_int_equal(w.source, FG_WEIGHT_SCALED);
		assert_true(fabs(off) < 0.02);
		assert_true(w.of[FG_AFTER] == (double)s->weight);
	}
	assert_str(fg_buf_str(&c.text), "");
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values),
		cmocka_unit_test(nothing_can_be_told),
		cmocka_unit_test(divisor_rule),
		cmocka_unit_test(option_before_header_before_divisor),
		cmocka_unit_test(weights_as_text),
		cmocka_unit_test(scaled_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

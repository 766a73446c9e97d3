/* Tests of reportfolded/significance: what is noise, and what a gate finds in it. */
#include <math.h>

#include "lib/findings/significance.h"
#include "tests/unit/support/support.h"

/* ---- one comparison */

static double z_of(struct fg_proportion before, struct fg_proportion after)
{
	const struct fg_comparison c = { before, after, false };

	return fg_comparison_z(&c);
}

/* The values are those of other programs, without a correction for continuity. */
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
		double z = z_of(cases[i].before, cases[i].after);

		assert_true(fabs(z - cases[i].z) < 1e-5);
		assert_true(fabs(z_of(cases[i].after, cases[i].before) + cases[i].z) <
			    1e-5);
		assert_true(fabs(fg_two_sided(z) - cases[i].p) < 1e-6);
	}
	assert_true(fabs(fg_two_sided(1.959964) - 0.05) < 1e-6);
	assert_true(fabs(fg_two_sided(-2.575829) - 0.01) < 1e-6);
}

static void equal_or_missing_samples_are_not_significant(void **state)
{
	const struct fg_proportion none = { 0, 100 }, all = { 100, 100 };
	const struct fg_proportion empty = { 0, 0 }, some = { 30, 100 };
	const struct fg_comparison nothing = { empty, some, false };

	(void)state;
	assert_true(z_of(none, none) == 0);
	assert_true(z_of(all, all) == 0);
	assert_true(z_of(empty, some) == 0);
	assert_true(z_of(some, empty) == 0);
	assert_true(z_of(some, some) == 0);
	assert_true(fg_two_sided(0) == 1);
	assert_true(fg_comparison_tail(&nothing) == 1);
}

/* z is the difference of two Poisson numbers, divided by the root of their sum. */
static void costs(void **state)
{
	const struct fg_comparison same = { { 100, 1000 }, { 144, 1000 }, true };
	/* two samples after are one before */
	const struct fg_comparison finer = { { 100, 1000 }, { 288, 2000 }, true };
	const struct fg_comparison total = { { 1000, 1000 }, { 1080, 1000 }, true };

	(void)state;
	assert_true(fabs(fg_comparison_z(&same) - 44 / sqrt(244)) < 1e-9);
	assert_true(fabs(fg_comparison_z(&finer) - 3.15902) < 1e-4);
	assert_true(fabs(fg_comparison_z(&total) - 80 / sqrt(2080)) < 1e-9);
}

/* The values are those of R's fisher.test and binom.test, for "greater". */
static void exact_tails(void **state)
{
	static const struct {
		struct fg_comparison c;
		double p;
	} cases[] = {
		{ { { 20, 100 }, { 35, 100 }, false }, 0.01305898 },
		{ { { 0, 300 }, { 10, 300 }, false }, 0.00090490 },
		{ { { 90, 3000 }, { 8, 100 }, false }, 0.01267015 },
		{ { { 0, 10 }, { 10, 10 }, false }, 0.0000054125 },
		{ { { 0, 300 }, { 10, 300 }, true }, 0.0009765625 },
		{ { { 100, 1000 }, { 144, 1000 }, true }, 0.00289853 },
	};
	const struct fg_comparison less = { { 30, 100 }, { 20, 100 }, false };
	const struct fg_comparison many = { { 3e8, 1e9 }, { 3.0005e8, 1e9 }, false };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		double p = fg_comparison_tail(&cases[i].c);

		assert_true(fabs(p / cases[i].p - 1) < 0.001);
	}
	assert_true(fg_comparison_tail(&less) == 1);
	/* from the normal approximation */
	assert_true(fabs(fg_comparison_tail(&many) / 0.00734989 - 1) < 0.001);
}

/* Sums of logarithms have no digits left here, and would have billions of terms. */
static void tails_of_very_many_samples(void **state)
{
	static const double sizes[] = { 1e7, 1e9, 1e12, 1e16, 1e19 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		double n = sizes[i], spread = sqrt(n / 4) * sqrt(2);
		const struct fg_comparison large = { { n / 2, n },
						     { n / 2 + 3 * spread, n },
						     false };
		const struct fg_comparison small = { { 10, n }, { 35, n }, false };

		assert_true(fabs(fg_comparison_tail(&large) / 0.00134990 - 1) < 0.01);
		assert_true(fabs(fg_comparison_tail(&small) / 0.00012354 - 1) < 0.01);
	}
}

/* ---- many pairs of profiles */

#define FUNCTIONS 24

/* A program: the share of each function, and one that takes more after. */
struct program {
	double shares[FUNCTIONS];
	double growth; /* the first function grows by this factor */
	bool costs; /* the first takes longer; else others take less */
};

/* A setting of the gate, and the number of samples. */
struct setting {
	unsigned before, after; /* numbers of samples */
	double limit, alpha;
};

struct outcome {
	unsigned alarms; /* for any function */
	unsigned found; /* for the first function */
	double power; /* the computed chance to find the first, as a sum */
};

/*
 * Makes a program in which few functions take most of the time, like in most programs.
 */
static void make_program(struct program *p)
{
	double left = 1;

	*p = (struct program){ .growth = 0 };
	for (size_t i = 0; i + 1 < FUNCTIONS; i++) {
		p->shares[i] = left * 0.25;
		left -= p->shares[i];
	}
	p->shares[FUNCTIONS - 1] = left;
}

static double uniform(struct random *r)
{
	return (double)(random_next(r) >> 11) / 9007199254740992.0;
}

/* Draws samples by the functions' shares. */
static void draw(const double *shares, unsigned samples, double *counts,
		 struct random *r)
{
	for (size_t i = 0; i < FUNCTIONS; i++)
		counts[i] = 0;
	while (samples--) {
		double at = uniform(r);
		size_t i = 0;

		while (i + 1 < FUNCTIONS && at >= shares[i])
			at -= shares[i++];
		counts[i]++;
	}
}

/* Returns a Poisson number with that mean (Knuth, in parts of 20). */
static unsigned poisson(double mean, struct random *r)
{
	unsigned events = 0;

	while (mean > 0) {
		double least = exp(-fmin(mean, 20)), product = uniform(r);

		while (product > least) {
			product *= uniform(r);
			events++;
		}
		mean -= 20;
	}
	return events;
}

/* Sets the shares after the change. Returns the total time after. */
static double change(const struct program *p, double *shares)
{
	double all = p->costs ? 1 + p->growth : 1;
	double others =
		p->costs ? 1 : (1 - p->shares[0] - p->growth) / (1 - p->shares[0]);

	for (size_t i = 0; i < FUNCTIONS; i++)
		shares[i] = p->shares[i] * others / all;
	shares[0] = (p->shares[0] + p->growth) / all;
	return all;
}

/* Draws one pair of profiles and checks all functions, and the total for costs. */
static void run_pair(const struct program *p, const struct setting *s,
		     struct outcome *outcome, struct random *r)
{
	struct fg_limited all[FUNCTIONS + 1];
	double shares[FUNCTIONS], before[FUNCTIONS], after[FUNCTIONS];
	double times = change(p, shares);
	unsigned n[2] = { s->before, s->after }, count = 0;
	double deviations;
	bool alarm = false;

	if (p->costs) {
		n[0] = poisson(s->before, r);
		n[1] = poisson(s->after * times, r);
	}
	draw(p->shares, n[0], before, r);
	draw(shares, n[1], after, r);
	for (unsigned i = 0; i < FUNCTIONS + (p->costs ? 1U : 0U); i++) {
		double x = i < FUNCTIONS ? before[i] : n[0];
		double y = i < FUNCTIONS ? after[i] : n[1];
		/* 100 percent are the former total, as it was counted */
		double whole = (double)n[0] * s->after / s->before;

		if (fmax(x, y) >= 10)
			all[count++] =
				(struct fg_limited){ { { x, n[0] },
						       { y, p->costs ? whole : n[1] },
						       p->costs },
						     s->limit };
	}
	deviations = fg_gate_deviations(all, count, s->alpha);
	for (unsigned i = 0; i < count; i++)
		alarm |= fg_gate_exceeded(&all[i], deviations);
	outcome->alarms += alarm;
	outcome->found += fg_gate_exceeded(&all[0], deviations);
	all[0].counts.before.x = all[0].counts.before.n * p->shares[0];
	all[0].counts.after.x = all[0].counts.after.n * p->shares[0];
	outcome->power += fg_gate_power(&all[0], deviations, p->growth);
}

static struct outcome run_pairs(const struct program *p, const struct setting *s,
				unsigned pairs)
{
	struct outcome outcome = { 0, 0, 0 };
	struct random r = { 23 };

	for (unsigned i = 0; i < pairs; i++)
		run_pair(p, s, &outcome, &r);
	return outcome;
}

#ifdef FG_NO_JIT /* under valgrind */
#define PAIRS 500
#else
#define PAIRS 10000
#endif

/* If nothing has changed, reports have no more alarms than the confidence allows. */
static void false_alarms(void **state)
{
	static const struct setting settings[] = {
		{ 280, 301, 0.03, 0.01 },
		{ 280, 301, 0, 0.2 },
		{ 300, 60, 0.01, 0.05 },
		{ 60, 300, 0, 0.05 },
	};
	struct program p;

	(void)state;
	make_program(&p);
	for (size_t i = 0; i < 2 * COUNT_OF(settings); i++) {
		const struct setting *s = &settings[i / 2];
		double allowed = PAIRS * s->alpha;
		struct outcome o;

		p.costs = i % 2;
		o = run_pairs(&p, s, PAIRS);
		/* chance decides that number, too */
		assert_true(o.alarms <= allowed + 3 * sqrt(allowed));
	}
}

/* The share of missed changes is the computed one, to 3 percent of the pairs. */
static void misses(void **state)
{
	static const struct {
		struct setting setting;
		double growth;
		bool costs;
	} cases[] = {
		{ { 280, 301, 0.03, 0.01 }, 0.06, false },
		{ { 280, 301, 0.03, 0.01 }, 0.12, false },
		{ { 1000, 1000, 0.03, 0.01 }, 0.06, false },
		{ { 2850, 2850, 0.03, 0.01 }, 0.06, false },
		{ { 300, 300, 0.03, 0.01 }, 0.1, true },
		{ { 1000, 1000, 0.03, 0.01 }, 0.08, true },
		{ { 1000, 500, 0.03, 0.01 }, 0.08, true },
		{ { 2850, 2850, 0.03, 0.01 }, 0.06, true },
	};
	unsigned pairs = PAIRS / 10;
	struct program p;

	(void)state;
	make_program(&p);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct outcome o;
		double found, computed;

		p.growth = cases[i].growth;
		p.costs = cases[i].costs;
		o = run_pairs(&p, &cases[i].setting, pairs);
		found = (double)o.found / pairs;
		computed = o.power / pairs;
		assert_true(fabs(found - computed) < 0.03 + 2 * sqrt(0.25 / pairs));
	}
}

/* ---- what can be seen */

static void visible(void **state)
{
	const struct fg_comparison c = { { 121, 280 }, { 124, 301 }, false };
	const struct fg_comparison cost = { { 280, 280 }, { 280, 280 }, true };
	const struct fg_comparison most = { { 98, 100 }, { 98, 100 }, false };
	const struct fg_limited all = { c, 0.03 };
	double least = fg_gate_visible(&c, 2.5758);

	(void)state;
	assert_true(least > 0.1 && least < 0.12);
	assert_true(fg_gate_visible(&c, 3) > least);
	/* twice the samples show changes of about 1 / sqrt(2) */
	assert_true(
		fg_gate_visible(
			&(struct fg_comparison){ { 242, 560 }, { 248, 602 }, false },
			2.5758) < 0.75 * least);
	least = fg_gate_visible(&cost, 2.5758);
	assert_true(least > 0.2 && least < 0.26);
	assert_true(isinf(fg_gate_visible(&most, 2.5758)));
	/* a visible growth is found every other time, a larger one more often */
	assert_true(fabs(fg_gate_power(&all, 2.5758, fg_gate_visible(&c, 2.5758)) -
			 0.5) < 0.01);
	assert_true(fg_gate_power(&all, 2.5758, 0.2) > 0.98);
	assert_true(fg_gate_power(&all, 2.5758, 0.03) < 0.05);
}

/* A single function needs no more than its own test; many functions need more. */
static void deviations(void **state)
{
	struct fg_limited many[50];
	double one;

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(many); i++)
		many[i] =
			(struct fg_limited){ { { 20 + i, 1000 }, { 20, 1000 }, false },
					     0 };
	one = fg_gate_deviations(many, 1, 0.01);
	assert_true(fabs(one - 2.5758) < 0.001);
	assert_true(fabs(fg_gate_deviations(many, 50, 0.01) - 3.5401) < 0.001);
	/* if noise hardly reaches the limit, many need no more than one */
	for (unsigned i = 0; i < COUNT_OF(many); i++)
		many[i].limit = 0.05;
	assert_true(fabs(fg_gate_deviations(many, 50, 0.01) - one) < 0.001);
	/* nor if all have the same counts */
	for (unsigned i = 0; i < COUNT_OF(many); i++)
		many[i] = many[0];
	assert_true(fabs(fg_gate_deviations(many, 50, 0.01) - one) < 0.001);
	assert_true(fabs(fg_gate_deviations(NULL, 0, 0.01) - one) < 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values),
		cmocka_unit_test(equal_or_missing_samples_are_not_significant),
		cmocka_unit_test(costs),
		cmocka_unit_test(exact_tails),
		cmocka_unit_test(tails_of_very_many_samples),
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(misses),
		cmocka_unit_test(visible),
		cmocka_unit_test(deviations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

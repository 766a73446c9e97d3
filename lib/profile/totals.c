/* Finds and writes the recorded totals of a difference whose counts are scaled. */
#include "lib/profile/totals.h"

#include <math.h>

#include "lib/profile/amount.h"

/*
 * A change of fewer standard deviations than this is noise, like in
 * flamegraph/changes.c.
 */
#define DEVIATIONS 2

/* A share of this many percent or more is shown as 100.0 %. */
#define WHOLE 99.95

/* A smaller ratio would be shown as 0.00. */
#define LEAST_RATIO 0.005

/* Cuts a number and its key off the value: "before=334" with the key "before=". */
static int read_number(struct fg_str *value, struct fg_str key, double *number)
{
	struct fg_count count;
	struct fg_str word;

	*value = fg_str_trim(*value);
	word = fg_str_cut(value, ' ');
	if (!fg_str_starts(word, key) ||
	    fg_count_parse(fg_str_from_pos(word, key.len), &count) || !count.digits)
		return -1;
	*number = (double)count.digits / (double)fg_pow10(count.decimals);
	return 0;
}

/* Reads "before=334 after=1077". Returns 0, or -1 if it is malformed. */
static int parse(struct fg_str value, double of[2])
{
	if (read_number(&value, FG_STR("before="), &of[FG_BEFORE]) ||
	    read_number(&value, FG_STR("after="), &of[FG_AFTER]))
		return -1;
	return fg_str_trim(value).len ? -1 : 0;
}

/*
 * Returns the sum of the counts after. tree->total may be more, because it may be the
 * sum of the widths to draw.
 */
static double sum_after(const struct fg_tree *tree)
{
	return fg_tree_number(tree, tree->after ? tree->after_total : tree->total);
}

/*
 * Returns by how much rounding may have changed a sum: one unit of the last decimal for
 * each count.
 */
static double rounding_of(const struct fg_tree *tree)
{
	return tree->decimals ? fg_tree_number(tree, tree->count) : 0;
}

/*
 * Finds which share of the recorded totals the counts of the tree add up to. It is less
 * than 100 % if a filter left stacks out. The counts of the first column are scaled to
 * the total of the second, so we compare both columns with that total. Rounding can
 * make the sum of a column a little less than the total.
 */
static void find_part(struct fg_totals *t, const struct fg_tree *tree)
{
	double before = fg_tree_number(tree, tree->before_total);
	double after = sum_after(tree);
	double all = t->of[FG_AFTER];

	t->here[FG_BEFORE] = fmin(100 * before / all, 100);
	t->here[FG_AFTER] = fmin(100 * after / all, 100);
	t->partial = 100 * (after + rounding_of(tree)) / all < WHOLE ||
		     (t->here[FG_BEFORE] < WHOLE &&
		      fg_sample_weight_totals(tree) == FG_TOTALS_DIFFERENT);
}

/*
 * Returns true if sampling alone may explain the change: a total of N samples has a
 * relative standard deviation of 1 / sqrt(N).
 */
static bool is_noise(const struct fg_totals *t, const struct fg_tree *tree,
		     const struct fg_sample_weight *w)
{
	double unit = (double)fg_pow10(tree->decimals), variance = 0;
	double change = fabs(t->of[FG_AFTER] - t->of[FG_BEFORE]);

	if (w->source == FG_SAMPLE_WEIGHT_UNKNOWN || !(change > 0))
		return false;
	for (unsigned i = FG_BEFORE; i <= FG_AFTER; i++) {
		/*
		 * if the counts before were scaled, they and their weight belong to the
		 * total after
		 */
		double all = t->of[t->scaled ? FG_AFTER : i] * unit;

		if (all > 0)
			variance += t->of[i] * t->of[i] * w->of[i] / all;
	}
	return change < DEVIATIONS * sqrt(variance);
}

/*
 * Reads the header. Returns false if there is none, or after a warning if it is wrong.
 */
static bool read_header(struct fg_str header, const struct fg_tree *tree, double of[2],
			struct fg_diag *diag)
{
	double after = sum_after(tree);

	if (!header.len)
		return false;
	if (parse(header, of)) {
		fg_warn(diag, NULL,
			"the header '# totals:' is ignored: it needs before=NUMBER "
			"after=NUMBER, not '%.*s'",
			(int)header.len, header.ptr);
		return false;
	}
	if (after <= of[FG_AFTER] + rounding_of(tree))
		return true;
	fg_warn(diag, NULL,
		"the header '# totals:' is ignored: the counts of the second column "
		"add up to more, %.15g",
		after);
	return false;
}

void fg_totals_find(struct fg_totals *t, const struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_sample_weight *weight,
		    struct fg_diag *diag)
{
	*t = (struct fg_totals){ .scaled = false };
	t->scaled = read_header(fg_buf_str(&unit->totals), tree, t->of, diag);
	if (t->scaled) {
		find_part(t, tree);
	} else {
		t->of[FG_BEFORE] = fg_tree_number(tree, tree->before_total);
		t->of[FG_AFTER] = sum_after(tree);
	}
	t->noise = is_noise(t, tree, weight);
}

/* Appends " (×3.2)", " (×1.05, noise)", or nothing if one of the totals is 0. */
static void add_ratio(struct fg_buf *text, const struct fg_totals *t)
{
	double ratio = t->of[FG_AFTER] / t->of[FG_BEFORE];

	if (!(t->of[FG_AFTER] > 0 && t->of[FG_BEFORE] > 0))
		return;
	if (ratio < LEAST_RATIO)
		fg_buf_add_str(text, FG_STR(" (<\xc3\x97"
					    "0.01"));
	else
		fg_buf_addf(text, " (\xc3\x97%.*f", ratio < 2 ? 2 : 1, ratio);
	fg_buf_addf(text, "%s)", t->noise ? ", noise" : "");
}

static void add_words(struct fg_buf *text, const char *before, struct fg_str words)
{
	fg_buf_add_str(text, fg_str_from(before));
	fg_buf_add_str(text, words);
}

void fg_totals_add(const struct fg_totals *t, const struct fg_totals_words *words,
		   struct fg_buf *text)
{
	const double of[2] = { t->of[FG_BEFORE] * words->factor,
			       t->of[FG_AFTER] * words->factor };

	fg_amount_add_both(text, words->unit, of);
	if (words->word.len && !fg_amount_has_unit(words->unit))
		add_words(text, " ", words->word);
	if (words->event.len && !fg_str_eq(words->event, words->word))
		add_words(text, " of ", words->event);
	add_ratio(text, t);
	if (t->partial)
		fg_buf_addf(text, ", of which %.1f%% \xe2\x86\x92 %.1f%% are here",
			    t->here[FG_BEFORE], t->here[FG_AFTER]);
	if (t->scaled)
		fg_buf_add_str(text, FG_STR("; shares are compared"));
}

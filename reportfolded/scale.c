/* Decimal counts as whole numbers. */
#include "reportfolded/scale.h"

/* What count * 10^finer / 10^decimals is, a half being rounded up. */
static struct fg_sum scaled(const struct fg_scale *s, struct fg_sum count)
{
	struct fg_sum sum = fg_sum_mul(count, fg_pow10(s->finer));

	if (!s->decimals)
		return sum;
	fg_sum_add(&sum, fg_pow10(s->decimals) / 2);
	return fg_sum_div(sum, fg_pow10(s->decimals), NULL);
}

static bool fits(const struct fg_scale *s, const struct fg_value *v)
{
	struct fg_sum all = { v->totals[FG_AFTER], 0 };

	fg_sum_add(&all, v->totals[FG_BEFORE]); /* pprof adds up both */
	all = scaled(s, all);
	return !all.high && all.low <= INT64_MAX;
}

int fg_scale_init(struct fg_scale *s, const struct fg_value *v, struct fg_diag *diag)
{
	const struct fg_value_unit *unit = v->known;

	*s = (struct fg_scale){ .unit = fg_buf_str(&v->unit),
				.decimals = v->tree.decimals };
	if (!fits(s, v))
		return fg_error(diag, NULL,
				"the sum of the counts exceeds 2^63-1, the most that "
				"pprof knows");
	s->rounds = s->decimals > 0;
	while (s->rounds && fg_value_kind(v) == FG_VALUE_TIME &&
	       unit > fg_value_units) {
		struct fg_scale finer = *s;

		unit--;
		finer.unit = unit->word;
		finer.finer = v->known->exponent - unit->exponent;
		finer.rounds = finer.decimals > finer.finer;
		if (!fits(&finer, v))
			break;
		*s = finer;
	}
	return 0;
}

uint64_t fg_scale_next(struct fg_scale *s, uint64_t count)
{
	uint64_t before = s->written;

	if (!s->decimals)
		return count;
	fg_sum_add(&s->read, count);
	s->written = scaled(s, s->read).low;
	return s->written - before;
}

uint64_t fg_scale_exactly(const struct fg_scale *s, struct fg_count number)
{
	uint64_t one;

	if (fg_count_shift(&number, (int)s->finer))
		return 0;
	one = fg_pow10(number.decimals);
	if (number.digits % one || number.digits / one > INT64_MAX)
		return 0;
	return number.digits / one;
}

/* Writes amounts in the unit that a reader would choose: 512.6 ms, 1.5 KiB. */
#include "lib/profile/amount.h"

#include <math.h>

#include "lib/base/number.h"

/* A unit that amounts can be shown in: one "s" of the profile is 1000 "ms". */
struct scale {
	struct fg_str unit, shown;
	double one;
};

static const struct scale scales[] = {
#define SCALE(unit, shown, one)                            \
	{                                                  \
		FG_STR_INIT(unit), FG_STR_INIT(shown), one \
	}
	SCALE("s", "s", 1),
	SCALE("s", "ms", 1e3),
	SCALE("s", "\xc2\xb5s", 1e6),
	SCALE("s", "ns", 1e9),
	SCALE("ms", "s", 1e-3),
	SCALE("ms", "ms", 1),
	SCALE("ms", "\xc2\xb5s", 1e3),
	SCALE("ms", "ns", 1e6),
	SCALE("us", "s", 1e-6),
	SCALE("us", "ms", 1e-3),
	SCALE("us", "\xc2\xb5s", 1),
	SCALE("us", "ns", 1e3),
	SCALE("ns", "s", 1e-9),
	SCALE("ns", "ms", 1e-6),
	SCALE("ns", "\xc2\xb5s", 1e-3),
	SCALE("ns", "ns", 1),
	SCALE("bytes", "TiB", 0x1p-40),
	SCALE("bytes", "GiB", 0x1p-30),
	SCALE("bytes", "MiB", 0x1p-20),
	SCALE("bytes", "KiB", 0x1p-10),
	SCALE("bytes", "bytes", 1),
#undef SCALE
};

/*
 * A number of at least this is written without decimals, because it has four digits
 * before the point.
 */
#define WHOLE 999.95

/*
 * Two amounts are shown in the unit of the larger one. If the smaller one would be
 * below this there, it has too few digits, so each gets its own unit.
 */
#define LEAST 0.01

/*
 * Returns true if rounding turns the number into 1 of the next larger unit: 999.99 ms
 * into 1 s.
 */
static bool is_next(const struct scale *scale, double number)
{
	const struct scale *next = scale - 1;
	double shown = number * scale->one;

	return scale > scales && fg_str_eq(next->unit, scale->unit) && shown >= WHOLE &&
	       fg_rounded(shown) >= fg_rounded(scale->one / next->one);
}

/*
 * Returns the largest unit that makes the number at least 1, or the smallest unit.
 * Returns NULL if the profile's unit is not in the table.
 */
static const struct scale *scale_of(struct fg_str unit, double number)
{
	const struct scale *last = NULL;

	for (size_t i = 0; i < FG_COUNT_OF(scales); i++) {
		if (!fg_str_eq(scales[i].unit, unit))
			continue;
		last = &scales[i];
		if (number * last->one >= 1)
			break;
	}
	return last;
}

static void add_scaled(struct fg_buf *text, const struct scale *scale, double number)
{
	double shown = scale ? number * scale->one : number;
	char digits[FG_NUMBER_MAX];
	char *end;

	if (scale && shown < WHOLE) {
		fg_buf_addf(text, "%.4g", shown);
	} else {
		end = fg_put_thousands(digits, fg_rounded(shown));
		fg_buf_add(text, digits, (size_t)(end - digits));
	}
	if (!scale)
		return;
	fg_buf_add_char(text, ' ');
	fg_buf_add_str(text, scale->shown);
}

bool fg_amount_has_unit(struct fg_str unit)
{
	return scale_of(unit, 0) != NULL;
}

void fg_amount_add(struct fg_buf *text, struct fg_str unit, double number)
{
	const struct scale *scale = scale_of(unit, number);

	if (scale && is_next(scale, number))
		add_scaled(text, scale - 1, 1 / scale[-1].one);
	else
		add_scaled(text, scale, number);
}

void fg_amount_add_both(struct fg_buf *text, struct fg_str unit, const double of[2])
{
	const struct scale *scale = scale_of(unit, fmax(of[0], of[1]));
	bool alike = scale && fmin(of[0], of[1]) * scale->one >= LEAST;

	for (unsigned i = 0; i < 2; i++) {
		if (i)
			fg_buf_add_str(text, FG_STR(" \xe2\x86\x92 "));
		if (alike)
			add_scaled(text, scale, of[i]);
		else
			fg_amount_add(text, unit, of[i]);
	}
}

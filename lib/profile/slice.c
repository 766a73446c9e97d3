/* Reads and writes slices of time in folded text: header lines and first frames. */
#include "lib/profile/slice.h"

#include <inttypes.h>

#include "lib/base/count.h"

#define SECOND UINT64_C(1000000000)
#define DAY (24 * 60 * 60)

/*
 * Seconds have at least five digits, which is enough for a day of 86400 s. So the names
 * of slices sort by time even if recordings of different lengths are concatenated.
 */
#define DIGITS_MIN 5

static const struct fg_str width_line = FG_STR_INIT("# slice:");
static const struct fg_str start_line = FG_STR_INIT("# start:");

struct unit {
	struct fg_str name;
	uint64_t ns;
};

/* "s" comes last because the other units end in 's', too. */
static const struct unit units[] = {
	{ FG_STR_INIT("ns"), 1 },
	{ FG_STR_INIT("us"), 1000 },
	{ FG_STR_INIT("ms"), 1000000 },
	{ FG_STR_INIT("s"), SECOND },
};

/* ---- widths and times */

/*
 * Reads a number of units of `unit` ns. *rest is not 0 if a fraction of a nanosecond
 * was dropped.
 */
static int read_number(struct fg_str s, uint64_t unit, uint64_t *ns, uint64_t *rest)
{
	struct fg_count count;
	struct fg_sum sum;

	if (!s.len || !fg_is_digit(s.ptr[0]) || fg_count_parse(s, &count))
		return -1;
	sum = fg_sum_mul((struct fg_sum){ count.digits, 0 }, unit);
	sum = fg_sum_div(sum, fg_pow10(count.decimals), rest);
	*ns = sum.low;
	return sum.high ? -1 : 0;
}

static const struct unit *cut_unit(struct fg_str *s)
{
	for (size_t i = 0; i < FG_COUNT_OF(units); i++)
		if (fg_str_cut_end(s, units[i].name))
			return &units[i];
	return NULL;
}

int fg_slice_read_width(struct fg_str s, uint64_t *ns)
{
	const struct unit *unit = cut_unit(&s);
	uint64_t rest;

	if (!unit || read_number(s, unit->ns, ns, &rest))
		return -1;
	return rest || !*ns || *ns > INT64_MAX ? -1 : 0;
}

int fg_slice_read_time(struct fg_str s, uint64_t *ns)
{
	const struct unit *unit = cut_unit(&s);
	uint64_t rest;

	return read_number(s, unit ? unit->ns : SECOND, ns, &rest);
}

void fg_slice_add_width(struct fg_buf *b, uint64_t ns)
{
	size_t i = FG_COUNT_OF(units) - 1;

	while (ns % units[i].ns)
		i--;
	fg_buf_addf(b, "%" PRIu64, ns / units[i].ns);
	fg_buf_add_str(b, units[i].name);
}

/* ---- times of the day: "2026-11-23T14:05:00.25Z" */

/*
 * Years start with March in these functions, so that a leap day is the last day of its
 * year.
 */
#define DAYS_TO_1970 719468 /* from March 1 of the year 0 to January 1, 1970 */

/* Returns the days from March of the year 0 to March of `year`. */
static uint64_t days_of_years(uint64_t year)
{
	return year * 365 + year / 4 - year / 100 + year / 400;
}

/* Returns the days of the months before `month`, where March is 0. */
static uint64_t days_of_months(uint64_t month)
{
	return (month * 153 + 2) / 5;
}

/* Cuts off `len` digits and the byte after them, which has to be `after`. */
static bool cut_digits(struct fg_str *s, size_t len, char after, uint64_t *value)
{
	if (s->len <= len || s->ptr[len] != after ||
	    fg_str_u64(fg_str_before(*s, len), value))
		return false;
	*s = fg_str_from_pos(*s, len + 1);
	return true;
}

static int read_date(struct fg_str *s, uint64_t *days)
{
	uint64_t year, month, day;

	if (!cut_digits(s, 4, '-', &year) || !cut_digits(s, 2, '-', &month) ||
	    !cut_digits(s, 2, 'T', &day) || year < 1970 || month - 1 > 11 ||
	    day - 1 > 30)
		return -1;
	month += 12;
	year -= month < 15;
	month = (month - 3) % 12;
	*days = days_of_years(year) + days_of_months(month) + day - 1 - DAYS_TO_1970;
	return 0;
}

/* Reads a time: date, hours, minutes, seconds, perhaps a fraction, and "Z". */
static int read_start(struct fg_str s, uint64_t *ns)
{
	struct fg_str zone = FG_STR("Z");
	uint64_t days, hours, minutes, seconds, part = 0;

	if (read_date(&s, &days) || !cut_digits(&s, 2, ':', &hours) ||
	    !cut_digits(&s, 2, ':', &minutes) || !fg_str_cut_end(&s, zone) ||
	    fg_str_u64(fg_str_before(s, 2), &seconds) || s.len < 2 || hours > 23 ||
	    minutes > 59 || seconds > 60)
		return -1;
	s = fg_str_from_pos(s, 2);
	if (s.len &&
	    (s.len > 10 || !fg_str_cut_start(&s, FG_STR(".")) || fg_str_u64(s, &part)))
		return -1;
	for (size_t i = s.len; part && i < 9; i++)
		part *= 10;
	seconds += days * DAY + hours * 60 * 60 + minutes * 60;
	if (seconds > UINT64_MAX / SECOND - 1)
		return -1;
	*ns = seconds * SECOND + part;
	return 0;
}

static void add_start(struct fg_buf *b, uint64_t ns)
{
	uint64_t seconds = ns / SECOND;
	uint64_t day = seconds / DAY + DAYS_TO_1970, year = day / 365, month = 11;

	while (days_of_years(year) > day)
		year--;
	day -= days_of_years(year);
	while (days_of_months(month) > day)
		month--;
	day -= days_of_months(month);
	month += 3;
	fg_buf_addf(b, "%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64 "T",
		    year + (month > 12), month > 12 ? month - 12 : month, day + 1);
	seconds %= DAY;
	fg_buf_addf(b, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ".%09" PRIu64 "Z",
		    seconds / 3600, seconds / 60 % 60, seconds % 60, ns % SECOND);
}

/* ---- header lines */

enum fg_slice_line fg_slice_read(struct fg_slice_header *h, struct fg_str line)
{
	uint64_t value;

	if (!line.len || line.ptr[0] != '#' || fg_str_has_char(line, ';'))
		return FG_SLICE_OTHER;
	if (fg_str_cut_start(&line, width_line)) {
		if (fg_slice_read_width(fg_str_trim(line), &value))
			return FG_SLICE_WRONG;
		*h = (struct fg_slice_header){ .width = value };
		return FG_SLICE_WIDTH;
	}
	if (!fg_str_cut_start(&line, start_line))
		return FG_SLICE_OTHER;
	if (read_start(fg_str_trim(line), &value))
		return FG_SLICE_WRONG;
	h->has_start = true;
	h->start = value;
	return FG_SLICE_START;
}

void fg_slice_add_header(struct fg_buf *b, const struct fg_slice_header *h)
{
	if (!h->width)
		return;
	fg_buf_add_str(b, width_line);
	fg_buf_add_char(b, ' ');
	fg_slice_add_width(b, h->width);
	fg_buf_add_char(b, '\n');
	if (!h->has_start)
		return;
	fg_buf_add_str(b, start_line);
	fg_buf_add_char(b, ' ');
	add_start(b, h->start);
	fg_buf_add_char(b, '\n');
}

/* ---- frames */

struct fg_slice_shape fg_slice_shape(uint64_t width, uint64_t last)
{
	struct fg_slice_shape shape = { DIGITS_MIN, 3 };

	if (width % 1000000)
		shape.decimals = width % 1000 ? 9 : 6;
	while (last / SECOND >= fg_pow10(shape.digits))
		shape.digits++;
	return shape;
}

void fg_slice_add_frame(struct fg_buf *b, struct fg_slice_shape shape, uint64_t ns)
{
	fg_buf_addf(b, "@%0*" PRIu64 ".%0*" PRIu64, (int)shape.digits, ns / SECOND,
		    (int)shape.decimals, ns % SECOND / fg_pow10(9 - shape.decimals));
}

bool fg_slice_cut(struct fg_str *stack, uint64_t *ns)
{
	struct fg_str rest = *stack, fraction = fg_str_cut(&rest, ';');
	struct fg_str whole;
	uint64_t unused;

	if (!fg_str_cut_start(&fraction, FG_STR("@")))
		return false;
	whole = fraction;
	fg_str_cut(&fraction, '.');
	if (fraction.len != 3 && fraction.len != 6 && fraction.len != 9)
		return false;
	if (read_number(whole, SECOND, ns, &unused))
		return false;
	*stack = rest;
	return true;
}

/*
 * Fuzzes reading and writing numbers: exact ones, and doubles like the C library reads
 * them.
 */
#include "lib/base/number.h"
#include "lib/base/count.h"
#include "tests/fuzz/fuzz.h"

static void check_count(struct fg_str text)
{
	struct fg_count count, again;
	struct fg_buf b = FG_BUF_INIT;
	struct fg_sum sum = { 0, 0 };
	char put[FG_NUMBER_MAX];
	char *end;

	if (fg_count_parse(text, &count))
		return;
	fg_sum_add(&sum, count.digits);
	fg_buf_add_sum(&b, sum, count.decimals);
	fuzz_check(!fg_count_parse(fg_buf_str(&b), &again) &&
			   again.digits == count.digits &&
			   again.decimals == count.decimals,
		   "a count that is written reads the same");
	end = fg_put_decimal(put, count.digits, count.decimals);
	fuzz_check_equal(fg_str_of(put, (size_t)(end - put)), fg_buf_str(&b),
			 "both ways of writing agree");
	fg_buf_release(&b);
}

static void check_fixed(double x)
{
	char want[400], put[FG_NUMBER_MAX];

	if (!(x > -1e12 && x < 1e12))
		return;
	for (unsigned decimals = 1; decimals <= 2; decimals++) {
		int len = snprintf(want, sizeof(want), "%.*f", (int)decimals, x);
		char *end = fg_put_fixed(put, fg_fixed(x, decimals), decimals);

		if (!strcmp(want, "-0.0") || !strcmp(want, "-0.00"))
			continue;
		fuzz_check_equal(fg_str_of(put, (size_t)(end - put)),
				 fg_str_of(want, (size_t)len), "printf agrees");
	}
}

static void check_double(struct fg_str text)
{
	struct fg_buf copy = FG_BUF_INIT;
	double value, want;
	char *end;

	if (fg_str_double(text, &value))
		return;
	fg_buf_add_str(&copy, text);
	want = strtod(fg_buf_cstr(&copy), &end);
	fuzz_check(end == copy.ptr + text.len, "all of it is a number");
	fuzz_check(want == value, "strtod agrees");
	check_fixed(value);
	fg_buf_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str rest = fg_str_of((const char *)data, size);
	double bits;

	if (size > 65536)
		return 0;
	if (size >= sizeof(bits)) {
		memcpy(&bits, data, sizeof(bits));
		check_fixed(bits);
	}
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		check_count(line);
		check_double(line);
	}
	return 0;
}

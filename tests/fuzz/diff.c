/*
 * Fuzzes the comparison of two folded profiles. The input has both, one after the other
 * with an empty line between. Without such a line a profile is compared with itself.
 */
#include "difffolded/diff.h"
#include "lib/profile/folded.h"
#include "lib/base/unpack.h"
#include "tests/fuzz/lines.h"

struct profiles {
	struct fg_str side[2];
};

static struct profiles split(struct fg_str input)
{
	size_t end = fg_str_find(input, FG_STR("\n\n"));
	struct profiles p = { { input, input } };

	if (end < input.len) {
		p.side[0] = fg_str_before(input, end + 1);
		p.side[1] = fg_str_from_pos(input, end + 2);
	}
	return p;
}

static int compare(const struct profiles *p, struct fg_diff_options options,
		   size_t block_size, struct fg_out *out)
{
	struct fg_diff diff;
	struct fg_diag diag;
	int status = 0;

	fuzz_diag(&diag);
	fg_diff_init(&diff, options, &diag);
	fg_out_init_memory(out);
	for (unsigned column = 0; column < 2 && !status; column++) {
		struct fg_reader *r =
			fg_reader_open_memory(p->side[column], "input", &diag);

		if (block_size)
			fg_reader_set_block_size(r, block_size);
		status = fg_diff_read(&diff, r, "input", column);
		fg_reader_close(r);
	}
	if (!status)
		status = fg_diff_write(&diff, out);
	fg_diff_release(&diff);
	fuzz_check(!status == !diag.errors, "a failure is reported");
	return status;
}

/* Returns the lines after the header lines. */
static struct fg_str without_header(struct fg_str text)
{
	while (fg_folded_is_comment(fg_str_before(text, fg_str_find_char(text, '\n'))))
		fg_str_cut(&text, '\n');
	return text;
}

/* Writes the lines with both columns exchanged. */
static void swap(struct fg_str text, struct fg_buf *swapped)
{
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		size_t last = fg_str_rfind_char(line, ' ');
		size_t first = fg_str_rfind_char(fg_str_before(line, last), ' ');

		fg_buf_add_str(swapped, fg_str_before(line, first));
		fg_buf_add_str(swapped, fg_str_from_pos(line, last));
		fg_buf_add_str(swapped, fg_str_of(line.ptr + first, last - first));
		fg_buf_add_char(swapped, '\n');
	}
}

static void check_swapped(const struct profiles *p, struct fg_diff_options options,
			  struct fg_str text)
{
	struct profiles other = { { p->side[1], p->side[0] } };
	struct fg_buf swapped = FG_BUF_INIT;
	struct fg_out out;

	if (options.normalize)
		return;
	compare(&other, options, 0, &out);
	swap(without_header(fg_buf_str(&out.buf)), &swapped);
	fuzz_check_equal(without_header(text), fg_buf_str(&swapped),
			 "exchanging the profiles exchanges the columns");
	fg_buf_release(&swapped);
	fg_out_close(&out);
}

/* Writes the lines from the last to the first. */
static void reverse(struct fg_str text, struct fg_buf *reversed)
{
	size_t end = text.len;

	if (end && text.ptr[end - 1] == '\n')
		end--;
	while (end) {
		size_t newline = fg_str_rfind_char(fg_str_before(text, end), '\n');
		size_t start = newline < end ? newline + 1 : 0;

		fg_buf_add(reversed, text.ptr + start, end - start);
		fg_buf_add_char(reversed, '\n');
		end = start ? newline : 0;
	}
}

static bool is_packed(struct fg_str profile)
{
	struct fg_unpack *u = fg_unpack_new(profile);

	fg_unpack_free(u);
	return u != NULL;
}

/* Returns true if a profile has slices of time: their start is in lines before them. */
static bool has_slices(struct fg_str profile)
{
	return fg_str_has(profile, FG_STR("# slice:"));
}

static bool has_twice(struct fg_str profile, struct fg_str key)
{
	size_t first = fg_str_find(profile, key);

	return first < profile.len &&
	       fg_str_has(fg_str_from_pos(profile, first + key.len), key);
}

/* Returns true if there are sections, which have their own order and header lines. */
static bool has_sections(const struct profiles *p)
{
	for (unsigned i = 0; i < 2; i++)
		if (has_twice(p->side[i], FG_STR("# event:")) ||
		    has_twice(p->side[i], FG_STR("# unit:")))
			return true;
	return false;
}

/*
 * Compares merging with looking up, because one of the two orders is not sorted. The
 * first lines of the other order may look like another format, which is refused.
 */
static void check_reversed(const struct profiles *p, struct fg_diff_options options,
			   struct fg_str text)
{
	struct fg_buf sides[2] = { FG_BUF_INIT, FG_BUF_INIT };
	struct profiles other;
	struct fg_out out;

	if (is_packed(p->side[0]) || is_packed(p->side[1]) || has_slices(p->side[0]) ||
	    has_slices(p->side[1]))
		return;
	for (unsigned i = 0; i < 2; i++) {
		reverse(p->side[i], &sides[i]);
		other.side[i] = fg_buf_str(&sides[i]);
	}
	if (!compare(&other, options, 0, &out))
		fuzz_check_equal(text, fg_buf_str(&out.buf),
				 "the order of the lines is no matter");
	fg_out_close(&out);
	fg_buf_release(&sides[0]);
	fg_buf_release(&sides[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&input, 4);
	struct fg_diff_options options = { .normalize = choice & 1,
					   .strip_hex = choice & 2 };
	struct profiles profiles = split(input);
	struct fg_out one, other;
	int status = compare(&profiles, options, 0, &one);

	fuzz_check(compare(&profiles, options, fuzz_block_size(input, (unsigned)size),
			   &other) == status,
		   "block sizes do not change the status");
	fuzz_check_equal(fg_buf_str(&one.buf), fg_buf_str(&other.buf),
			 "block sizes do not change the output");
	if (!status && !has_sections(&profiles)) {
		fuzz_check_lines(without_header(fg_buf_str(&one.buf)), 2);
		check_swapped(&profiles, options, fg_buf_str(&one.buf));
		check_reversed(&profiles, options, fg_buf_str(&one.buf));
	}
	fg_out_close(&one);
	fg_out_close(&other);
	return 0;
}

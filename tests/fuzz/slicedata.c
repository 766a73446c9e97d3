/* Fuzzes data of slices of time: what is read can be written and read again. */
#include "lib/svg/slicedata.h"
#include "tests/fuzz/fuzz.h"

static int read_data(struct fg_str bytes, size_t frames, struct fg_slicedata *d)
{
	const struct fg_place at = { "a.svg", 0 };
	struct fg_diag diag;

	fuzz_diag(&diag);
	return fg_slicedata_read(bytes, frames, d, &at, &diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	size_t frames = fuzz_choice(&input, 200);
	struct fg_buf bytes = FG_BUF_INIT, again = FG_BUF_INIT;
	struct fg_slicedata one, other;

	if (!read_data(input, frames, &one)) {
		size_t at = 0;

		for (size_t i = 0; i < one.slice_count; at = one.ends[i++])
			fuzz_check(one.ends[i] > at && one.ends[i] <= one.item_count,
				   "each slice has items");
		fg_slicedata_write(&one, &bytes);
		fuzz_check(!read_data(fg_buf_str(&bytes), frames, &other),
			   "what was written can be read");
		fg_slicedata_write(&other, &again);
		fuzz_check_equal(fg_buf_str(&bytes), fg_buf_str(&again),
				 "it is the same there and back");
		fg_slicedata_release(&other);
	}
	fg_slicedata_release(&one);
	fg_buf_release(&bytes);
	fg_buf_release(&again);
	return 0;
}

/*
 * Fuzzes recognising a format: every probe stays within the bytes, and always gives the
 * same answer.
 */
#include "collapse/guess/guess.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str bytes = fg_str_of((const char *)data, size);
	struct fg_guess guess = fg_guess(bytes), again = fg_guess(bytes);

	fuzz_check(guess.format == again.format && guess.other == again.other,
		   "the same bytes are of the same format");
	fuzz_check(guess.format || !guess.other, "the first of two comes first");
	fuzz_check(!guess.format || guess.format != guess.other,
		   "two are not the same");
	return 0;
}

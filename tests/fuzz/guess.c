/*
 * Fuzzes recognising a format: every probe stays within the bytes, and always gives the
 * same answer.
 */
#include "lib/recognize/recognize.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str bytes = fg_str_of((const char *)data, size);
	struct fg_recognized guess = fg_recognize(bytes), again = fg_recognize(bytes);

	fuzz_check(guess.kind == again.kind && guess.other == again.other,
		   "the same bytes are of the same format");
	fuzz_check(guess.kind || !guess.other, "the first of two comes first");
	fuzz_check(!guess.kind || guess.kind != guess.other, "two are not the same");
	return 0;
}

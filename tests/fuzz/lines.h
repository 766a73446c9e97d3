/* Checks the order of folded lines, for fuzz targets that write them. */
#ifndef FG_TESTS_FUZZ_LINES_H
#define FG_TESTS_FUZZ_LINES_H

#include "tests/fuzz/fuzz.h"

/*
 * Checks that below headers each line ends in `columns` counts, that no stack is
 * written twice, and that all are in order.
 */
static inline void fuzz_check_lines(struct fg_str text, unsigned columns)
{
	struct fg_str last = { NULL, 0 };

	while (fg_str_starts(text, FG_STR("# ")))
		fg_str_cut(&text, '\n');
	for (bool first = true; text.len; first = false) {
		struct fg_str stack;

		fuzz_check(fg_str_has(text, FG_STR("\n")), "lines are whole");
		stack = fg_str_cut(&text, '\n');
		for (unsigned i = 0; i < columns; i++) {
			fuzz_check(fg_str_has(stack, FG_STR(" ")), "lines have counts");
			stack = fg_str_before(stack, fg_str_rfind_char(stack, ' '));
		}
		fuzz_check(first || fg_str_cmp(last, stack) < 0,
			   "lines are sorted and unique");
		last = stack;
	}
}

#endif

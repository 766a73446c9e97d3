#!/usr/bin/env bats
# Errors that the compiler has to report.

bats_require_minimum_version 1.5.0

ROOT=$BATS_TEST_DIRNAME/../..

# compiles ROW : compiles a table of options that has this row.
compiles()
{
	cat > "$BATS_TEST_TMPDIR/rows.c" << end
#include "lib/base/optrows.h"
struct options { bool flag; const char *text; int number; };
#define OPTIONS struct options
extern const struct fg_opt rows[];
const struct fg_opt rows[] = { $1, FG_OPT_END };
end
	"${CC:-cc}" -std=c11 -I "$ROOT" -fsyntax-only "$BATS_TEST_TMPDIR/rows.c"
}

@test "an option row compiles only for a field of its type" {
	compiles 'FLAG("a", flag, "a flag")'
	compiles 'TEXT("a", text, "T", "a text")'
	run ! compiles 'FLAG("a", text, "a flag")'
	run ! compiles 'COUNTER("a", flag, 1, "a number")'
	run ! compiles 'CHOICE("a", text, "C", NULL, "a choice")'
}

@test "no placeholder of tools/new-format is left" {
	cd "$ROOT"
	run ! grep -rn REPLACE docs collapse/formats lib/recognize man tests/cli/collapse-*.bats \
		tests/golden/collapse-*/basic/input tests/fuzz/seeds
}

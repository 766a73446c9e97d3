#!/usr/bin/env bats
# The files that tools/new-format writes compile, and say what is missing.
# shellcheck disable=SC2154 # bats sets what a command left
bats_require_minimum_version 1.5.0

# setup makes a copy of the files that it reads and changes.
setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	mkdir -p "$BATS_TEST_TMPDIR/tests/golden" "$BATS_TEST_TMPDIR/tests/cli" || return 1
	cp -R Makefile VERSION docs tools man lib collapse "$BATS_TEST_TMPDIR"
	cp tests/tests.mk "$BATS_TEST_TMPDIR/tests"
	cd "$BATS_TEST_TMPDIR" || return 1
}

state()
{
	find . -type f -exec cksum {} + | LC_ALL=C sort
}

@test "new-format: the grammar compiles without a warning, and finds nothing" {
	run -0 tools/new-format some_new
	[[ $output == *"collapse-some-new finds no stack yet"* ]]
	for file in lib/recognize/some_new.c collapse/formats/some_new.c man/collapse-some-new.1 tests/cli/collapse-some-new.bats \
		tests/golden/collapse-some-new/basic/input tests/fuzz/seeds/collapse-some-new/odd \
		docs/programs.md man/flamepipe.7; do
		grep -q REPLACE "$file"
		[[ $output == *"    $file"* ]]
	done
	[ -s tests/golden/collapse-some-new/basic/expected ]
	grep -q '^FORMAT(some_new, "")$' lib/recognize/formats.def
	grep -q '^| .collapse-some-new. |' docs/programs.md
	[ "$(grep -c 'Xr collapse-some-new 1' man/flamepipe.7)" -eq 2 ]
	make -s build/rel/lib/recognize/some_new.o build/rel/collapse/formats/some_new.o \
		build/rel/collapse-some-new.o CFLAGS=-Werror
	grep -A 4 '^static bool is_line' lib/recognize/some_new.c | grep -q 'return false;'
	tools/check-layers
}

@test "new-format: --json makes a format that works" {
	run -0 tools/new-format --json some_new
	[[ $output == *"collapse-some-new reads JSON"* ]]
	make -s build/bin/collapse-some-new build/bin/collapse-stap CFLAGS=-Werror
	build/bin/collapse-some-new tests/golden/collapse-some-new/basic/input > got
	cmp got tests/golden/collapse-some-new/basic/expected
	run ! build/bin/collapse-stap tests/golden/collapse-some-new/basic/input
	[[ $output == *"this is a profile of REPLACE: use collapse-some-new" ]]
}

@test "new-format: the new manual has all sections and no other program's name" {
	tools/new-format some
	[ "$(grep -c '^\.Sh ' man/collapse-some.1)" -eq "$(grep -c '^\.Sh ' man/collapse-pmc.1)" ]
	run ! grep -q -e pmc man/collapse-some.1
	command -v mandoc || skip "no mandoc"
	tools/manual man/parts man/collapse-some.1 > some.1
	run mandoc -T lint some.1
	run ! grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' \
		-e 'out of conventional order: Sh DESCRIPTION' <<< "$output"
}

@test "new-format: a name that exists changes nothing" {
	tools/new-format some
	state > before
	for name in some perf pmc guess; do
		run -1 tools/new-format "$name"
		[[ $output == "new-format: "*"nothing was changed" ]]
	done
	rm collapse/formats/some.c
	run -1 tools/new-format some
	mv before ../before
	state | diff <(grep -v -e 'formats/some.c' -e ' ./before$' ../before) -
}

@test "new-format: an invalid name changes nothing" {
	state > "$BATS_FILE_TMPDIR/before"
	for name in "" Some 9some so-me so__me some_ _some ../some "so me" 'so"me' sömé; do
		run -1 tools/new-format "$name"
		[[ $output == "new-format: "*"is no name"* ]]
	done
	run -1 tools/new-format
	run -1 tools/new-format some more
	state | diff "$BATS_FILE_TMPDIR/before" -
}

# tools/tests part: a sanitizer's report is a failure, even if a test hides it.
# shellcheck disable=SC2016,SC2154

setup()
{
	TOOLS=$(cd "$BATS_TEST_DIRNAME/../../tools" && pwd) || return 1
	cd "$BATS_TEST_TMPDIR" || return 1
	cat > faulty.c <<'END'
#include <limits.h>
#include <stdlib.h>

int main(int count, char **words)
{
	volatile int number = INT_MAX;
	char *volatile block = malloc(10);

	switch (count > 1 ? words[1][0] : 0) {
	case 'l': /* the stack may still have the first */
		for (int i = 0; i < 9; i++)
			block = malloc(10);
		break;
	case 'o': block[count + 8] = 1; break;
	case 'u': number += count; break;
	}
	free(block);
	return 0;
}
END
}

# Builds the program with the sanitizers; without them there is nothing to test.
sanitized()
{
	local flags
	flags=$("$TOOLS/can-sanitize" "${CC:-cc}" 2> /dev/null)
	[ -n "$flags" ] || skip "no sanitizers"
	# shellcheck disable=SC2086
	"${CC:-cc}" -g $flags -o faulty faulty.c
}

# part COMMAND... : runs it as a part, and sets status, output and the counts.
part()
{
	run "$TOOLS/tests" part some "$@"
	counts=$(cat build/check/some.count)
}

@test "tests part: a sanitizer's report fails a part whose tests pass" {
	local fault
	sanitized
	for fault in leak overflow undefined; do
		part sh -c "echo 3 0 0 > \"\$COUNT\"; ./faulty $fault > /dev/null 2>&1; true"
		[ "$status" -eq 1 ]
		[[ $counts == "3 1 0 "* ]]
		[[ $output == *"a sanitizer's report:"*"faulty.c:"* ]]
	done
}

@test "tests part: a sanitizer's report fails a part that is skipped" {
	sanitized
	part sh -c './faulty leak 2> /dev/null | cat; exit 77'
	[ "$status" -eq 1 ]
	[[ $counts == "0 1 1 "* ]]
}

@test "tests part: without a report the tests decide" {
	sanitized
	part sh -c 'echo 3 0 1 > "$COUNT"; ./faulty'
	[ "$status" -eq 0 ]
	[[ $counts == "3 0 1 "* ]]
	part ./faulty
	[[ $counts == "1 0 0 "* ]]
	part sh -c 'exit 77'
	[[ $counts == "0 0 1 "* ]]
	part sh -c 'echo 3 2 0 > "$COUNT"; exit 1'
	[ "$status" -eq 1 ]
	[[ $counts == "3 2 0 "* ]]
}

@test "tests part: reports of an earlier run do not count" {
	mkdir -p build/check/some.reports
	echo report > build/check/some.reports/report.1
	part true
	[ "$status" -eq 0 ]
	[[ $counts == "1 0 0 "* ]]
}

@test "tests part: a remark of a sanitizer about itself is not a report" {
	cat > remark <<'END'
echo "==9==Unable to get registers from thread 8." > build/check/some.reports/report.9
END
	part sh remark
	[ "$status" -eq 0 ]
	[[ $counts == "1 0 0 "* ]]
	cat >> remark <<'END'
echo "==9==ERROR: LeakSanitizer: detected memory leaks" >> build/check/some.reports/report.9
END
	part sh remark
	[ "$status" -eq 1 ]
}

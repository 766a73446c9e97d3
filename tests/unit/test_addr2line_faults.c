/* Tests of collapse/addr2line: tools and files that are missing or misbehave. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/support/addr2line.h"

/* ---- what is not there */

static void test_missing_tool(void **state)
{
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	setenv("PATH", f->bin.path, 1);
	for (int i = 0; i < 3; i++) {
		assert_false(look_up(f, "1", "s+0x1", dso));
		assert_false(look_up(f, "2", "s+0x1", "/no/such/file"));
	}
	assert_str(fg_buf_str(&f->caught.text),
		   "prog: addr2line was not found, so inlined functions are not shown; "
		   "install binutils\n");
	free(dso);
}

static void test_missing_nm(void **state)
{
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line",
		  "while read -r address; "
		  "do printf '%s\\n??\\n??:0\\n' $address; done\n");
	setenv("PATH", f->bin.path, 1);
	for (int i = 0; i < 3; i++)
		assert_false(look_up(f, "1", "s+0x1", dso));
	assert_false(look_up(f, "2", "s+0x2", dso));
	assert_int_equal(f->caught.diag.warnings, 1);
	assert_has(fg_buf_str(&f->caught.text), "nm cannot be run");
	assert_has(fg_buf_str(&f->caught.text), "install binutils");
	free(dso);
}

static void test_missing_dso(void **state)
{
	struct fixture *f = *state;

	fake_tool(f, "addr2line", good_script);
	for (int i = 0; i < 3; i++) {
		assert_false(look_up(f, "1", "s+0x1", "/no/such\nfile"));
		assert_false(look_up(f, "2", "s+0x1", "/no/such\nfile"));
		assert_false(look_up(f, "2", "s+0x1", f->folder.path));
	}
	assert_int_equal(f->caught.diag.warnings, 2);
	assert_has(fg_buf_str(&f->caught.text),
		   "prog: /no/such\\nfile: was not found, so its inlined functions are "
		   "not shown; run where the profile was recorded\n");
	assert_int_equal(log_of(f).len, 0);
}

static void test_a_dso_that_is_not_a_file_is_no_fault(void **state)
{
	static const char *const names[] = {
		"",
		"[kernel.kallsyms]",
		"[vdso]",
		"//anon",
		"/memfd:x (deleted)",
		"anon_inode:[perf]",
		"/SYSV00000000 (deleted)",
		"/dev/zero",
		"inlined",
	};
	struct fixture *f = *state;

	fake_tool(f, "addr2line", good_script);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_false(look_up(f, "1", "s+0x1", names[i]));
	assert_int_equal(f->caught.diag.warnings, 0);
	assert_int_equal(log_of(f).len, 0);
}

/* ---- addr2line misbehaves */

static void wait_a_little(void)
{
	struct timespec wait = { 0, 200 * 1000 * 1000 };

	nanosleep(&wait, NULL);
}

/* A tool that fails on its second question is not asked a third time. */
static void check_one_warning(struct fixture *f, const char *script, const char *part)
{
	char *dso = strdup(plain_file(f, "dso"));
	char *other = strdup(plain_file(f, "other"));

	fake_tool(f, "addr2line", script);
	look_up(f, "1", "s", dso);
	wait_a_little();
	for (int i = 0; i < 3; i++) {
		assert_false(look_up(f, "2", "s+0x1", dso));
		assert_false(look_up(f, "3", "s+0x1", dso));
	}
	assert_int_equal(f->caught.diag.warnings, 1);
	assert_has(fg_buf_str(&f->caught.text), part);
	assert_has(fg_buf_str(&f->caught.text), dso);
	assert_int_equal(occurrences(log_of(f), "start"), 1);
	look_up(f, "2", "s+0x1", other);
	assert_int_equal(occurrences(log_of(f), "start"), 2);
	free(dso);
	free(other);
}

static void test_child_that_dies_at_once(void **state)
{
	check_one_warning(*state, "echo start >> $log\nexit 1\n", "addr2line failed");
}

static void test_child_that_dies_after_an_answer(void **state)
{
	check_one_warning(*state,
			  "echo start >> $log\nread -r address\n"
			  "printf '%s\\nf\\nf.c:1\\n' $address\nread -r address\n"
			  "printf '%s\\nf\\nf.c:1\\n' $address\nread -r address\n"
			  "printf '%s\\n??\\n??:0\\n' $address\n",
			  "addr2line failed");
}

static void test_child_that_dies_in_an_answer(void **state)
{
	check_one_warning(*state,
			  "echo start >> $log\nread -r address\n"
			  "printf '%s\\nf\\nf.c' $address\n",
			  "addr2line failed");
}

static void test_child_that_stops_listening(void **state)
{
	check_one_warning(*state,
			  "echo start >> $log\nread -r address\n"
			  "printf '%s\\nf\\nf.c:1\\n' $address\nread -r address\n"
			  "printf '%s\\nf\\nf.c:1\\n' $address\nread -r address\n"
			  "echo $address\nexec <&-\nexec sleep 100\n",
			  "addr2line failed");
}

static void test_child_that_hangs_up(void **state)
{
	check_one_warning(*state,
			  "echo start >> $log\nexec >&-\nwhile read -r x; do :; done\n",
			  "addr2line failed");
}

static void test_child_that_answers_something_else(void **state)
{
	check_one_warning(*state,
			  "echo start >> $log\n"
			  "while read -r x; do printf '0x77\\nf\\nf.c:1\\n'; done\n",
			  "addr2line failed");
}

static void test_child_with_endless_output(void **state)
{
	check_one_warning(*state, "echo start >> $log\nread -r x\necho $x\nexec yes\n",
			  "addr2line did not stop printing");
}

static void test_child_with_an_endless_line(void **state)
{
	check_one_warning(
		*state, "echo start >> $log\nread -r x\necho $x\nexec cat /dev/zero\n",
		"addr2line did not stop printing");
}

/* ---- nm misbehaves */

static void check_nm(struct fixture *f, const char *script, const char *part)
{
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", lost_script);
	fake_tool(f, "nm", script);
	for (int i = 0; i < 3; i++) {
		assert_found(f, "55d000000001", "sym+0x4", dso, "found");
		assert_false(look_up(f, "55d000000002", "other+0x4", dso));
	}
	assert_int_equal(f->caught.diag.warnings, 1);
	assert_has(fg_buf_str(&f->caught.text), part);
	assert_has(fg_buf_str(&f->caught.text), dso);
	assert_int_equal(occurrences(log_of(f), "start"), 1);
	free(dso);
}

static void test_nm_that_dies(void **state)
{
	check_nm(*state, "echo start >> $log\necho '100 T sym'\nkill -9 $$\n",
		 "nm failed");
}

static void test_nm_with_endless_output(void **state)
{
	check_nm(*state, "echo start >> $log\necho '100 T sym'\nexec cat /dev/zero\n",
		 "nm did not stop printing");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		CASE(test_missing_tool),
		CASE(test_missing_nm),
		CASE(test_missing_dso),
		CASE(test_a_dso_that_is_not_a_file_is_no_fault),
		CASE(test_child_that_dies_at_once),
		CASE(test_child_that_dies_after_an_answer),
		CASE(test_child_that_dies_in_an_answer),
		CASE(test_child_that_stops_listening),
		CASE(test_child_that_hangs_up),
		CASE(test_child_that_answers_something_else),
		CASE(test_child_with_endless_output),
		CASE(test_child_with_an_endless_line),
		CASE(test_nm_that_dies),
		CASE(test_nm_with_endless_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

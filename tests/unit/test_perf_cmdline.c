/* Tests of collapse/formats/perf/text/cmdline.c: the command that perf record runs. */
#include "collapse/formats/perf/text/cmdline.h"
#include "tests/unit/support/support.h"

static void check(const char *line, const char *command)
{
	struct fg_buf found = FG_BUF_INIT;

	fg_buf_add_str(&found, perf_recorded_command(fg_str_from(line)));
	assert_string_equal(fg_buf_cstr(&found), command);
	fg_buf_release(&found);
}

static void finds_the_command(void **state)
{
	(void)state;
	check("/usr/bin/perf record -g -- ./app --fast -a ", "./app --fast -a");
	check("perf record ./app -p 7", "./app -p 7");
	check("perf  record  ls", "ls");
}

static void skips_values_of_options(void **state)
{
	(void)state;
	check("perf record -F 99 -g ./app", "./app");
	check("perf record -F99 -ge cycles:u ./app", "./app");
	check("perf record --freq=99 --call-graph dwarf,4096 -o x ./app", "./app");
	check("perf record -z --switch-events --mmap-pages 1M ./app", "./app");
}

static void knows_the_options_of_record_perf(void **state)
{
	(void)state;
	check("/usr/bin/record-perf -q -e cpu-clock -- ./app --fast ", "./app --fast");
	check("record-perf -d 5 -z ./app", "./app");
	check("record-perf --duration 5 --call-graph dwarf ./app -a", "./app -a");
	check("record-perf -d 5 -a -- sleep 1", "");
	check("record-perf -p 7 -d 5", "");
}

static void finds_no_command_if_other_processes_are_recorded(void **state)
{
	(void)state;
	check("perf record -a -g -- sleep 1", "");
	check("perf record -ag sleep 1", "");
	check("perf record --pid 7 sleep 1", "");
	check("perf record -p7", "");
	check("perf record -C 0 -- ./app", "");
	check("perf record --cpu=0 -- ./app", "");
}

static void finds_no_command_in_other_lines(void **state)
{
	(void)state;
	check("", "");
	check("perf", "");
	check("perf record", "");
	check("perf record -e", "");
	check("perf record -g --", "");
	check("perf stat ./app", "");
	check("perf trace record ./app", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_command),
		cmocka_unit_test(skips_values_of_options),
		cmocka_unit_test(knows_the_options_of_record_perf),
		cmocka_unit_test(finds_no_command_if_other_processes_are_recorded),
		cmocka_unit_test(finds_no_command_in_other_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

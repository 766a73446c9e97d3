/* Tests of collapse/addr2line: functions at an address, by real tools and made ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/support/addr2line.h"

/* ---- the real tools */

/* Runs a command with the folder as $DIR: its exit status; output in f->file. */
static int shell(struct fixture *f, const char *command)
{
	FILE *pipe;
	int c;

	setenv("DIR", f->folder.path, 1);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	fg_buf_clear(&f->file);
	while ((c = getc(pipe)) != EOF)
		fg_buf_add_char(&f->file, (char)c);
	return pclose(pipe);
}

static const char program_text[] =
	"#define INLINE static inline __attribute__((always_inline))\n"
	"INLINE int leaf(int x) { volatile int y = x; return y * 3; }\n"
	"INLINE int middle(int x) { return leaf(x) + leaf(x + 1); }\n"
	"__attribute__((noinline)) int outer(int x) { return middle(x) + 1; }\n"
	"int main(int argc, char **argv) { (void)argv; return outer(argc); }\n";

/* Makes $DIR/NAME of `source`; skips the test where the tools are not there. */
static const char *compile(struct fixture *f, const char *name, const char *command,
			   const char *source)
{
	if (shell(f, "addr2line --version && nm --version")) {
		print_message("addr2line or nm is not there\n");
		skip();
	}
	folder_write(&f->folder, "source.c", fg_str_from(source));
	if (shell(f, command)) {
		print_message("cannot run: %s\n", command);
		skip();
	}
	return folder_path(&f->folder, name);
}

static const char *compile_program(struct fixture *f)
{
	return compile(f, "program",
		       "cd \"$DIR\" && cc -g -O2 -fPIE -pie source.c -o program 2>&1",
		       program_text);
}

/* What addr2line says of an address, root first. */
static void expect_direct(struct fixture *f, const char *pc, bool context,
			  struct fg_buf *want)
{
	struct fg_buf command = FG_BUF_INIT, lines = FG_BUF_INIT;
	struct fg_str rest;

	fg_buf_addf(&command, "cd \"$DIR\" && addr2line -e program -i -f -s -C %s", pc);
	assert_int_equal(shell(f, fg_buf_cstr(&command)), 0);
	rest = fg_buf_str(&f->file);
	fg_buf_clear(want);
	while (rest.len) {
		struct fg_str name = fg_str_cut(&rest, '\n');
		struct fg_str place = fg_str_cut(&rest, '\n');

		place = fg_str_before(place, fg_str_find_char(place, ' '));
		fg_buf_clear(&lines);
		fg_buf_add_str(&lines, name);
		if (context)
			fg_buf_addf(&lines, ":%.*s", (int)place.len, place.ptr);
		if (want->len)
			fg_buf_add_char(&lines, ';');
		fg_buf_add_str(&lines, fg_buf_str(want));
		fg_buf_clear(want);
		fg_buf_add_str(want, fg_buf_str(&lines));
	}
	fg_buf_release(&lines);
	fg_buf_release(&command);
}

/* The address of outer in the program. */
static uint64_t outer_address(struct fixture *f)
{
	assert_int_equal(shell(f, "nm \"$DIR\"/program | sed -n 's/ T outer$//p'"), 0);
	return strtoull(fg_buf_cstr(&f->file), NULL, 16);
}

static void same_as_direct(struct fixture *f, bool context)
{
	char *program = strdup(compile_program(f));
	uint64_t outer = outer_address(f);
	struct fg_buf want = FG_BUF_INIT;
	unsigned inlined = 0;

	for (unsigned i = 0; i < 12; i++) {
		char pc[32];
		char moved[32];
		char symbol[32];

		snprintf(pc, sizeof(pc), "%llx", (unsigned long long)outer + i);
		snprintf(moved, sizeof(moved), "55d0c0f%05x", i);
		snprintf(symbol, sizeof(symbol), "outer+0x%x", i);
		expect_direct(f, pc, context, &want);
		assert_true(look_up(f, pc, "wrong+0x1", program));
		assert_str_is(fg_buf_str(&f->names), fg_buf_str(&want));
		assert_true(look_up(f, moved, symbol, program));
		assert_str_is(fg_buf_str(&f->names), fg_buf_str(&want));
		inlined += occurrences(fg_buf_str(&want), ";") > 0;
	}
	assert_true(inlined > 0);
	assert_int_equal(f->caught.diag.warnings, 0);
	fg_buf_release(&want);
	free(program);
}

static void test_same_as_direct(void **state)
{
	same_as_direct(*state, false);
}

static void test_same_as_direct_with_context(void **state)
{
	with_context(*state);
	same_as_direct(*state, true);
}

static void test_unknown_addresses_give_no_names(void **state)
{
	struct fixture *f = *state;
	char *program = strdup(compile_program(f));

	with_context(f);
	assert_false(look_up(f, "55d0c0ffee00", "outer", program));
	assert_false(look_up(f, "55d0c0ffee00", "unheard_of+0x4", program));
	assert_false(look_up(f, "55d0c0ffee00", "+0x4", program));
	assert_false(look_up(f, "55d0c0ffee00", "outer+0x", program));
	assert_false(look_up(f, "55d0c0ffee00", "outer+0xfffffffff", program));
	assert_false(look_up(f, "55d0c0ffee00", "", program));
	assert_false(look_up(f, "not hex", "outer+0x1", program));
	assert_false(look_up(f, "", "outer+0x1", program));
	assert_false(look_up(f, "11112222333344445", "outer+0x1", program));
	assert_false(look_up(f, "ffffffffffffffff", "nothing", program));
	assert_true(look_up(f, "ffffffffffffffff", "outer+0x1", program));
	assert_true(look_up(f, "0", "outer+0x1", program));
	assert_int_equal(f->names.len > 0, 1);
	assert_int_equal(f->caught.diag.warnings, 0);
	free(program);
}

static void test_names_of_cxx(void **state)
{
	static const char text[] =
		"namespace ns {\n"
		"static inline __attribute__((always_inline)) int in(int x)\n"
		"{ volatile int y = x; return y; }\n"
		"__attribute__((noinline)) int one(int x) { return in(x) + 1; }\n"
		"__attribute__((noinline)) int two(int x) { return in(x) + 2; }\n"
		"__attribute__((noinline)) int two(long x) { return in(x) + 3; }\n"
		"template <class T> __attribute__((noinline)) T gen(T x)\n"
		"{ return in(x) + 4; }\n"
		"}\n"
		"int main(int n, char **)\n"
		"{ return ns::one(n) + ns::two(n) + ns::two(2L) + ns::gen(n); }\n";
	struct fixture *f = *state;
	char *program = strdup(compile(
		f, "program",
		"cd \"$DIR\" && c++ -g -O2 -x c++ source.c -o program 2>&1", text));

	assert_true(look_up(f, "55d0c0ffee00", "ns::one(int)+0x4", program));
	assert_has(fg_buf_str(&f->names), "ns::one(int);");
	assert_true(look_up(f, "55d0c0ffee01", "ns::one+0x4", program));
	assert_has(fg_buf_str(&f->names), "ns::one(int);");
	assert_true(look_up(f, "55d0c0ffee02", "_ZN2ns3oneEi+0x4", program));
	assert_true(look_up(f, "55d0c0ffee03", "ns::two(long)+0x0", program));
	assert_has(fg_buf_str(&f->names), "ns::two(long)");
	assert_false(look_up(f, "55d0c0ffee04", "ns::two+0x4", program));
	assert_true(look_up(f, "55d0c0ffee05", "ns::gen<int>+0x4", program));
	assert_has(fg_buf_str(&f->names), "gen<int>(int)");
	free(program);
}

static void test_stripped_library_has_dynamic_symbols(void **state)
{
	struct fixture *f = *state;
	char *program = strdup(compile(
		f, "program",
		"cd \"$DIR\" && cc -O2 -fPIC -shared -s source.c -o program 2>&1",
		program_text));

	assert_found(f, "7f00c0ffee00", "outer+0x4", program, "outer");
	with_context(f);
	assert_found(f, "7f00c0ffee00", "outer+0x4", program, "outer:??:?");
	assert_int_equal(f->caught.diag.warnings, 0);
	free(program);
}

static void test_names_that_look_like_options(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = { "-e", "--help", "@source.c", "a b;'$(c)" };
	char here[4096];

	compile_program(f);
	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(f->folder.path), 0);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_int_equal(link("program", names[i]), 0);
		assert_true(look_up(f, "55d0c0ffee00", "outer+0x4", names[i]));
		assert_has(fg_buf_str(&f->names), "outer");
	}
	assert_int_equal(chdir(here), 0);
	assert_int_equal(f->caught.diag.warnings, 0);
}

static void test_llvm_symbolizer_where_there_is_no_addr2line(void **state)
{
	struct fixture *f = *state;
	char *program;

	compile_program(f);
	if (shell(f, "for t in llvm-symbolizer nm; do "
		     "ln -s \"$(command -v $t)\" \"$DIR\" || exit; done 2>&1")) {
		print_message("llvm-symbolizer is not there\n");
		skip();
	}
	program = strdup(folder_path(&f->folder, "program"));
	setenv("PATH", f->folder.path, 1);
	assert_true(look_up(f, "55d0c0ffee00", "outer+0x4", program));
	assert_has(fg_buf_str(&f->names), "outer;middle");
	assert_false(look_up(f, "55d0c0ffee00", "nothing+0x4", program));
	assert_int_equal(f->caught.diag.warnings, 0);
	free(program);
}

/* ---- tools that a test makes */

static void test_each_address_is_asked_about_once(void **state)
{
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", good_script);
	for (int i = 0; i < 3; i++) {
		assert_found(f, "1234", "s+0x1", dso, "outer;in:ner");
		assert_found(f, "0x1234", "s+0x1", dso, "outer;in:ner");
		assert_found(f, "1235", "s+0x1", dso, "outer;in:ner");
	}
	assert_int_equal(occurrences(log_of(f), "start"), 1);
	assert_int_equal(occurrences(log_of(f), "asked 0x1234\n"), 2);
	assert_int_equal(occurrences(log_of(f), "asked 0x1235\n"), 2);
	assert_has(log_of(f), "start -a -e ");
	assert_has(log_of(f), "/dso -i -f -s -C C\n");
	free(dso);
}

static void test_context_has_file_and_line(void **state)
{
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", good_script);
	with_context(f);
	assert_found(f, "1234", "s", dso, "outer:b.c:9;in:ner:a:b.c:1");
	free(dso);
}

/* GNU addr2line tells what was inlined there only when it has met it before. */
static void test_the_second_answer_counts(void **state)
{
	static const char script[] =
		"name=around\n"
		"while read -r address; do\n"
		"	printf '%s\\n%s\\na.c:1\\nouter\\nb.c:9\\n' $address $name\n"
		"	name=inlined\n"
		"done\n";
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", script);
	assert_found(f, "1234", "s", dso, "outer;inlined");
	assert_found(f, "1238", "s", dso, "outer;inlined");
	free(dso);
}

static void test_names_are_appended(void **state)
{
	struct fixture *f = *state;
	struct fg_addr2line_query q = { .pc = FG_STR("12"), .symbol = FG_STR("s") };

	fake_tool(f, "addr2line", good_script);
	q.dso = fg_str_from(plain_file(f, "dso"));
	fg_buf_add_char(&f->names, 'x');
	assert_true(fg_addr2line_frames(f->a, &q, &f->names));
	assert_str(fg_buf_str(&f->names), "xouter;in:ner");
}

/* Nothing calls in front of the start of a function. */
static void test_calls_are_in_front_of_where_they_return_to(void **state)
{
	static const struct {
		const char *pc, *symbol, *log;
	} rows[] = {
		{ "1235", "s+0x15", "asked 0x1234\n" },
		{ "1240", "s", "asked 0x123f\n" },
		{ "1250", "s+0x0", "asked 0x1250\n" },
	};
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", good_script);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_addr2line_query q = { .pc = fg_str_from(rows[i].pc),
						.symbol = fg_str_from(rows[i].symbol),
						.dso = fg_str_from(dso),
						.returns = true };

		assert_true(fg_addr2line_frames(f->a, &q, &f->names));
		assert_has(log_of(f), rows[i].log);
	}
	free(dso);
}

static void test_children_are_few_and_share_no_pipes(void **state)
{
	static const char script[] =
		"for fd in 3 4 5 6 7 8 9; do\n"
		"	[ -p /dev/fd/$fd ] && echo \"leaked $fd\" >> $log\n"
		"done\n";
	struct fixture *f = *state;
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_addf(&text, "%s%s", script, good_script);
	fake_tool(f, "addr2line", fg_buf_cstr(&text));
	fg_buf_release(&text);
	for (int i = 0; i < 70; i++) {
		char name[16];

		snprintf(name, sizeof(name), "dso%d", i);
		assert_found(f, "1", "s", plain_file(f, name), "outer;in:ner");
		assert_found(f, "1", "s", plain_file(f, "dso0"), "outer;in:ner");
		assert_found(f, name + 3, "t", plain_file(f, "dso0"), "outer;in:ner");
	}
	assert_true(count_open_fds() <= f->fds + 2 * 64);
	assert_int_equal(occurrences(log_of(f), "start"), 70);
	assert_int_equal(occurrences(log_of(f), "leaked"), 0);
	assert_found(f, "2", "s", plain_file(f, "dso69"), "outer;in:ner");
	assert_int_equal(occurrences(log_of(f), "start"), 70);
	assert_found(f, "2", "s", plain_file(f, "dso1"), "outer;in:ner");
	assert_int_equal(occurrences(log_of(f), "start"), 71);
	assert_int_equal(f->caught.diag.warnings, 0);
}

static void test_children_end_where_files_are_few(void **state)
{
	struct fixture *f = *state;
	struct rlimit before;
	struct rlimit few;

	fake_tool(f, "addr2line", good_script);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 20;
	for (int i = 0; i < 12; i++) {
		char name[16];

		snprintf(name, sizeof(name), "dso%d", i);
		plain_file(f, name);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		assert_found(f, "1", "s", folder_path(&f->folder, name),
			     "outer;in:ner");
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	}
	assert_int_equal(f->caught.diag.warnings, 0);
}

static void test_nm_is_run_once(void **state)
{
	struct fixture *f = *state;
	char *dso = strdup(plain_file(f, "dso"));

	fake_tool(f, "addr2line", lost_script);
	fake_tool(f, "nm",
		  "echo \"start $*\" >> $log\n"
		  "echo '                 U undefined'\n"
		  "echo '0000000000000100 T sym'\n"
		  "echo '0000000000000200 t sym'\n"
		  "echo '0000000000000100 T old@V1'\n"
		  "echo '0000000000000300 T old@@V2'\n"
		  "echo '0000000000000100 T new@@V2'\n"
		  "echo '100'; echo '100 '; echo '100 T'; echo '100 T '; echo ''\n"
		  "echo '100 Txno'; echo '100 T-no'; echo '100  Tno'; echo '1g0 T no'\n"
		  "echo ' T no'; printf '100 T\\0no\\n'\n");
	for (int i = 0; i < 2; i++) {
		assert_found(f, "55d000000001", "sym+0x4", dso, "found");
		assert_false(look_up(f, "55d000000002", "sym+0x5", dso));
	}
	assert_int_equal(occurrences(log_of(f), "start"), 1);
	assert_found(f, "55d000000003", "new+0x4", dso, "found");
	assert_false(look_up(f, "55d000000003", "no+0x4", dso));
	assert_false(look_up(f, "55d000000003", "o+0x4", dso));
	assert_false(look_up(f, "55d000000004", "old+0x4", dso));
	assert_found(f, "55d000000004", "old@V1+0x4", dso, "found");
	assert_false(look_up(f, "55d000000005", "undefined+0x4", dso));
	/* The same address in another process, with another symbol. */
	assert_found(f, "55d000000002", "sym+0x4", dso, "found");
	assert_int_equal(occurrences(log_of(f), "start"), 2);
	assert_has(log_of(f), "start -C ");
	assert_int_equal(f->caught.diag.warnings, 0);
	free(dso);
}

static void test_free_accepts_null(void **state)
{
	(void)state;
	fg_addr2line_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		CASE(test_same_as_direct),
		CASE(test_same_as_direct_with_context),
		CASE(test_unknown_addresses_give_no_names),
		CASE(test_names_of_cxx),
		CASE(test_stripped_library_has_dynamic_symbols),
		CASE(test_names_that_look_like_options),
		CASE(test_llvm_symbolizer_where_there_is_no_addr2line),
		CASE(test_each_address_is_asked_about_once),
		CASE(test_context_has_file_and_line),
		CASE(test_the_second_answer_counts),
		CASE(test_names_are_appended),
		CASE(test_calls_are_in_front_of_where_they_return_to),
		CASE(test_children_are_few_and_share_no_pipes),
		CASE(test_children_end_where_files_are_few),
		CASE(test_nm_is_run_once),
		cmocka_unit_test(test_free_accepts_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Tests of --inline and --symbols in collapsers, with a program whose source is
 * tests/data/perfdata/loom.cpp.
 */
#include <string.h>
#include <unistd.h>

#include "collapse/symbols/inlines.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/support.h"

#define ID "e58df60aaa49af81458c51d1809d28a54aef660c"
#define LOOM                                   \
	"tests/data/perfdata/cache/.build-id/" \
	"e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

/*
 * The functions inlined at 0x4001a8, without and with parameters. PERLS also has the
 * function around them.
 */
#define INLINED "loom::row<unsigned int>;loom::knot"
#define PERLS                                                           \
	"loom::Frame::weave(unsigned int);void loom::row<unsigned int>" \
	"(unsigned int);loom::knot(unsigned int)"

/* Checks what a run of `format` on the text writes, and that it says `message`. */
static void expect(const struct fg_format *format, const char *arguments,
		   const struct fg_buf *text, const char *lines, const char *message)
{
	struct collapsed got;

	collapse_format(format, fg_buf_str(text), (struct collapse_how){ arguments, 0 },
			&got);
	check_str(fg_buf_str(&got.out.buf), fg_str_from(lines), __FILE__, __LINE__);
	assert_int_equal(got.status, 0);
	if (*message)
		assert_has(fg_buf_str(&got.caught.text), message);
	collapsed_release(&got);
}

static void need_libdw(void)
{
	if (!fg_inlines_are_here())
		skip();
}

/* ---- collapse-perf --inline */

/* A sample of one frame in the program, and one in each other DSO. */
static void add_sample(struct fg_buf *text, const char *program,
		       const char *const *dsos)
{
	fg_buf_addf(text, "app 1 1.0: 1 cycles: \n\t  4001a8 main+0x1f (%s)\n",
		    program);
	for (; *dsos; dsos++)
		fg_buf_addf(text, "\t  4001a8 other+0x1f (%s)\n", *dsos);
	fg_buf_add_char(text, '\n');
}

static void inlined_functions_stand_for_the_frame(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	need_libdw();
	fg_buf_addf(&text,
		    "app 1 1.0: 1 cycles: \n\t 4001a8 f+0x1f (%s)\n"
		    "\t 4001a9 main+0x1 (%s)\n\n",
		    LOOM, LOOM);
	expect(&fg_format_perf, "--inline", &text,
	       "app;main;" INLINED ";f;" INLINED " 1\n", "");
	expect(&fg_format_perf, "--inline --compat=perl", &text,
	       "app;" PERLS ";" PERLS " 1\n", "");
	expect(&fg_format_perf, "", &text, "app;main;f 1\n", "");
	fg_buf_release(&text);
}

/* The kernel, code compiled at run time, and names that are not of files. */
static void other_dsos_are_not_asked(void **state)
{
	static const char *const dsos[] = { "[kernel.kallsyms]", "/tmp/perf-12.map",
					    "[unknown]", "[vdso]", NULL };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	need_libdw();
	add_sample(&text, LOOM, dsos);
	expect(&fg_format_perf, "--inline", &text,
	       "app;other;other;other;other;main;" INLINED " 1\n", "");
	expect(&fg_format_perf, "--inline --compat=perl", &text,
	       "app;other;other;other;other;" PERLS " 1\n", "");
	fg_buf_release(&text);
}

/* For the Perl script, code is compiled at run time if its DSO is perf-DIGITS*map. */
static void perl_has_its_own_map_files(void **state)
{
	static const struct {
		const char *name;
		bool asked;
	} dsos[] = {
		{ "perf-1.map", false },  { "perf-12.map", false },
		{ "perf-12xmap", false }, { "a-perf-1.map", false },
		{ "kernel.so", false },	  { "[a]", false },
		{ "perf-.map", true },	  { "perf-1map", true },
		{ "perf-12.ma", true },	  { "perf-x.map", true },
		{ "kernel", true },	  { "[]", true },
	};
	char folder_now[4096];
	struct fg_buf program = FG_BUF_INIT;
	struct folder folder;

	(void)state;
	need_libdw();
	assert_non_null(getcwd(folder_now, sizeof(folder_now)));
	fg_buf_addf(&program, "%s/%s", folder_now, LOOM);
	folder_init(&folder);
	for (size_t i = 0; i < COUNT_OF(dsos); i++) {
		struct fg_buf text = FG_BUF_INIT;
		const char *path = folder_path(&folder, dsos[i].name);

		assert_int_equal(symlink(fg_buf_cstr(&program), path), 0);
		fg_buf_addf(&text,
			    "app 1 1.0: 1 cycles: \n\t  4001a8 main+0x1f (%s)\n\n",
			    path);
		expect(&fg_format_perf, "--inline --compat=perl", &text,
		       dsos[i].asked ? "app;" PERLS " 1\n" : "app;main 1\n", "");
		unlink(folder_path(&folder, dsos[i].name));
		fg_buf_release(&text);
	}
	folder_release(&folder);
	fg_buf_release(&program);
}

/* ---- collapse-firefox --symbols */

/* A profile with a stack of two addresses in a library, 0x1a8 and 0x200. */
static void add_profile(struct fg_buf *text, const char *path, const char *debug_path,
			const char *code_id)
{
	fg_buf_addf(
		text,
		"{\"meta\":{\"interval\":1},"
		"\"libs\":[{\"name\":\"app\",\"path\":\"%s\","
		"\"debugPath\":\"%s\",\"codeId\":\"%s\"}],\"threads\":[{\"name\":\"t\","
		"\"stackTable\":{\"frame\":[0,1],\"prefix\":[null,0]},"
		"\"frameTable\":{\"func\":[0,1],\"address\":[424,512]},"
		"\"funcTable\":{\"name\":[0,1],\"resource\":[0,0]},"
		"\"resourceTable\":{\"lib\":[0]},\"stringArray\":[\"0x1\",\"0x2\"],"
		"\"samples\":{\"stack\":[1]}}]}\n",
		path, debug_path, code_id);
}

/* Folds a profile of a library with that path, debug path and build id. */
static void expect_profile(const char *arguments, const char *const *library,
			   const char *lines, const char *message)
{
	struct fg_buf text = FG_BUF_INIT;

	add_profile(&text, library[0], library[1], library[2]);
	expect(&fg_format_firefox, arguments, &text, lines, message);
	fg_buf_release(&text);
}

/* Addresses are relative to the first segment, which is at 0x400000. */
static void a_library_with_the_recorded_id_is_asked(void **state)
{
	static const char *const same[] = { LOOM, "", ID };
	static const char *const upper[] = {
		LOOM, "", "E58DF60AAA49AF81458C51D1809D28A54AEF660C"
	};
	static const char *const other[] = { LOOM, "", "8a3f0d" };
	static const char *const longer[] = { LOOM, "", ID "00" };
	static const char *const text[] = { "tests/data/README.md", "", ID };
	static const char *const debug[] = { "/nowhere/app", LOOM, ID };
	static const char *const missing[] = { "/nowhere/app", "", ID };
	static const char found[] =
		"t;loom::Frame::weave;void " INLINED ";work;operator() 1\n";

	(void)state;
	need_libdw();
	expect_profile("--symbols", same, found, "");
	expect_profile("--symbols", upper, found, "");
	expect_profile("--symbols", debug, found, "");
	expect_profile("--symbols --srcline", same,
		       "t;loom::Frame::weave:loom.cpp:27;void loom::row<unsigned "
		       "int>:loom.cpp:20;loom::knot:loom.cpp:14;work:loom.cpp:42;"
		       "operator():loom.cpp:38 1\n",
		       "");
	expect_profile("--symbols", other, "t;[app];[app] 1\n",
		       "1 of 1 libraries are not those that were recorded");
	expect_profile("--symbols", longer, "t;[app];[app] 1\n",
		       "1 of 1 libraries are not those that were recorded");
	expect_profile("--symbols", text, "t;[app];[app] 1\n",
		       "1 of 1 libraries are not those that were recorded");
	expect_profile("--symbols", missing, "t;[app];[app] 1\n",
		       "1 of 1 libraries were not found");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_functions_stand_for_the_frame),
		cmocka_unit_test(other_dsos_are_not_asked),
		cmocka_unit_test(perl_has_its_own_map_files),
		cmocka_unit_test(a_library_with_the_recorded_id_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

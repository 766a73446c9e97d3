/* Tests of --inline and --symbols in collapsers, with tools that the test makes. */
#include <string.h>

#include "tests/unit/support/addr2line.h"
#include "tests/unit/support/collapse.h"

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

/* ---- collapse-perf --inline */

/* A sample of one frame in a file that is there, and one in each other DSO. */
static void add_sample(struct fg_buf *text, struct fixture *f, const char *const *dsos)
{
	fg_buf_addf(text, "app 1 1.0: 1 cycles: \n\t  1f0 main+0x1f (%s)\n",
		    plain_file(f, "app"));
	for (; *dsos; dsos++)
		fg_buf_addf(text, "\t  2f0 other+0x1f (%s)\n", *dsos);
	fg_buf_add_char(text, '\n');
}

static void inlined_functions_stand_for_the_frame(void **state)
{
	struct fixture *f = *state;
	struct fg_buf text = FG_BUF_INIT;

	fake_tool(f, "addr2line", good_script);
	fg_buf_addf(
		&text,
		"app 1 1.0: 1 cycles: \n\t 1f0 f+0x1f (%s)\n\t 2f0 main+0x1 (%s)\n\n",
		plain_file(f, "app"), folder_path(&f->folder, "app"));
	expect(&fg_format_perf, "--inline", &text, "app;main;in:ner;f;in:ner 1\n", "");
	expect(&fg_format_perf, "--inline --compat=perl", &text,
	       "app;outer;in:ner;outer;in:ner 1\n", "");
	assert_has(log_of(f), "asked 0x1f0\n");
	expect(&fg_format_perf, "", &text, "app;main;f 1\n", "");
	fg_buf_release(&text);
}

/* The kernel, what is compiled at run time, and what is no file. */
static void other_dsos_are_not_asked(void **state)
{
	static const char *const dsos[] = { "[kernel.kallsyms]", "/tmp/perf-12.map",
					    "[unknown]", "[vdso]", NULL };
	struct fixture *f = *state;
	struct fg_buf text = FG_BUF_INIT;

	fake_tool(f, "addr2line", good_script);
	add_sample(&text, f, dsos);
	expect(&fg_format_perf, "--inline", &text,
	       "app;other;other;other;other;main;in:ner 1\n", "");
	expect(&fg_format_perf, "--inline --compat=perl", &text,
	       "app;other;other;other;other;outer;in:ner 1\n", "");
	assert_int_equal(occurrences(log_of(f), "asked 0x2f0"), 0);
	fg_buf_release(&text);
}

/* Of code compiled at run time, for the script: perf-, digits, anything, map. */
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
	struct fixture *f = *state;

	fake_tool(f, "addr2line", good_script);
	for (size_t i = 0; i < COUNT_OF(dsos); i++) {
		struct fg_buf text = FG_BUF_INIT;

		fg_buf_addf(&text, "app 1 1.0: 1 cycles: \n\t  1f0 main+0x1f (%s)\n\n",
			    plain_file(f, dsos[i].name));
		expect(&fg_format_perf, "--inline --compat=perl", &text,
		       dsos[i].asked ? "app;outer;in:ner 1\n" : "app;main 1\n", "");
		fg_buf_release(&text);
	}
}

/* ---- collapse-firefox --symbols */

static const char readelf_script[] =
	"cat <<'END'\n"
	"\n"
	"Elf file type is DYN (Position-Independent Executable file)\n"
	"  Type           Offset   VirtAddr           PhysAddr           FileSiz\n"
	"  LOAD           0x000000 0x0000000000400000 0x0000000000400000 0x0004c8\n"
	"  LOAD           0x001000 0x0000000000900000 0x0000000000900000 0x0004c8\n"
	"Displaying notes found in: .note.gnu.build-id\n"
	"  GNU            0x000014 NT_GNU_BUILD_ID (...)     Build ID: 8a3f0c\n"
	"  GNU            0x000014 NT_GNU_BUILD_ID (...)     Build ID: 111111\n"
	"END\n";

/* A profile with a stack of two addresses in a library, 0x10 and 0x20. */
static void add_profile(struct fg_buf *text, const char *path, const char *debug_path,
			const char *code_id)
{
	fg_buf_addf(
		text,
		"{\"meta\":{\"interval\":1},"
		"\"libs\":[{\"name\":\"app\",\"path\":\"%s\","
		"\"debugPath\":\"%s\",\"codeId\":\"%s\"}],\"threads\":[{\"name\":\"t\","
		"\"stackTable\":{\"frame\":[0,1],\"prefix\":[null,0]},"
		"\"frameTable\":{\"func\":[0,1],\"address\":[16,32]},"
		"\"funcTable\":{\"name\":[0,1],\"resource\":[0,0]},"
		"\"resourceTable\":{\"lib\":[0]},\"stringArray\":[\"0x1\",\"0x2\"],"
		"\"samples\":{\"stack\":[1]}}]}\n",
		path, debug_path, code_id);
}

/* A profile of a library, which is "app", a file that is there, or another one. */
static void expect_profile(struct fixture *f, const char *arguments,
			   const char *const *library, const char *lines,
			   const char *message)
{
	const char *there = plain_file(f, "app");
	struct fg_buf text = FG_BUF_INIT;

	add_profile(&text, strcmp(library[0], "app") ? library[0] : there,
		    strcmp(library[1], "app") ? library[1] : there, library[2]);
	expect(&fg_format_firefox, arguments, &text, lines, message);
	fg_buf_release(&text);
}

/* Addresses are relative to the first segment. */
static void a_library_with_the_recorded_id_is_asked(void **state)
{
	struct fixture *f = *state;
	static const char *const same[] = { "app", "", "8A3f0c" };
	static const char *const other[] = { "app", "", "8a3f0d" };
	static const char *const longer[] = { "app", "", "8a3f0c00" };
	static const char *const debug[] = { "/nowhere/app", "app", "8a3f0c" };
	static const char *const none[] = { "/nowhere/app", "", "8a3f0c" };

	fake_tool(f, "readelf", readelf_script);
	fake_tool(f, "addr2line", good_script);
	expect_profile(f, "--symbols", same, "t;outer;in:ner;outer;in:ner 1\n", "");
	assert_has(log_of(f), "asked 0x400010\n");
	assert_has(log_of(f), "asked 0x400020\n");
	expect_profile(f, "--symbols", debug, "t;outer;in:ner;outer;in:ner 1\n", "");
	expect_profile(f, "--symbols --srcline", same,
		       "t;outer:b.c:9;in:ner:a:b.c:1;outer:b.c:9;in:ner:a:b.c:1 1\n",
		       "");
	expect_profile(f, "--symbols", other, "t;[app];[app] 1\n",
		       "1 of 1 libraries are not those that were recorded");
	expect_profile(f, "--symbols", longer, "t;[app];[app] 1\n",
		       "1 of 1 libraries are not those that were recorded");
	expect_profile(f, "--symbols", none, "t;[app];[app] 1\n",
		       "1 of 1 libraries were not found");
}

static void an_address_that_nothing_is_at_has_no_name(void **state)
{
	struct fixture *f = *state;
	static const char *const same[] = { "app", "", "8a3f0c" };

	fake_tool(f, "readelf", readelf_script);
	fake_tool(f, "addr2line",
		  "while read -r address; do\n"
		  "	printf '%s\\n??\\n??:0\\n' $address\n"
		  "done\n");
	expect_profile(f, "--symbols", same, "t;[app];[app] 1\n", "");
	fake_tool(
		f, "addr2line",
		"while read -r address; do printf '%s\\nf\\n??:?\\n' $address; done\n");
	expect_profile(f, "--symbols --srcline", same, "t;f;f 1\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(inlined_functions_stand_for_the_frame),
		CASE(other_dsos_are_not_asked),
		CASE(perl_has_its_own_map_files),
		CASE(a_library_with_the_recorded_id_is_asked),
		CASE(an_address_that_nothing_is_at_has_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

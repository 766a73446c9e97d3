/*
 * Tests of collapse/symbols/lookup: functions at addresses of a real program, whose
 * source is tests/data/perfdata/loom.cpp.
 */
#include "collapse/symbols/lookup.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/inlines.h"
#include "tests/unit/support/support.h"

#define LOOM                                   \
	"tests/data/perfdata/cache/.build-id/" \
	"e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* The inlined functions at 0x4001a8, outermost first. */
#define WEAVE "loom::Frame::weave(unsigned int)"
#define ROW "void loom::row<unsigned int>(unsigned int)"
#define KNOT "loom::knot(unsigned int)"

struct fixture {
	struct folder folder;
	struct caught caught;
	struct fg_lookup *l;
	struct fg_buf names;
	struct fg_buf name; /* the path of a link */
	size_t fds;
};

static size_t count_open_fds(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->fds = count_open_fds();
	folder_init(&f->folder);
	caught_init(&f->caught);
	f->l = fg_lookup_new(FG_INLINES_NAMES, &f->caught.diag);
	*state = f;
	return 0;
}

/* Fails if a file is left open. */
static int teardown(void **state)
{
	struct fixture *f = *state;

	fg_lookup_free(f->l);
	assert_int_equal(count_open_fds(), f->fds);
	fg_buf_release(&f->names);
	fg_buf_release(&f->name);
	caught_release(&f->caught);
	folder_release(&f->folder);
	free(f);
	return 0;
}

static bool look_up(struct fixture *f, const char *pc, const char *symbol,
		    const char *dso)
{
	struct fg_lookup_query q = { .pc = fg_str_from(pc),
				     .symbol = fg_str_from(symbol),
				     .dso = fg_str_from(dso) };

	fg_buf_clear(&f->names);
	return fg_lookup_frame(f->l, &q, &f->names);
}

#define assert_found(f, pc, symbol, dso, want)                    \
	do {                                                      \
		assert_true(look_up((f), (pc), (symbol), (dso))); \
		assert_str(fg_buf_str(&(f)->names), want);        \
	} while (0)

/* Returns the number of warnings so far. */
static size_t warnings(struct fixture *f)
{
	struct fg_str rest = fg_buf_str(&f->caught.text);
	size_t count = 0;

	while (rest.len)
		count += fg_str_cut(&rest, '\n').len > 0;
	return count;
}

static void a_program_without_libdw_says_so_once(void **state)
{
	struct fixture *f = *state;

	look_up(f, "4001a8", "f+0x1", LOOM);
	look_up(f, "4001a9", "f+0x2", LOOM);
	if (fg_inlines_are_here()) {
		assert_int_equal(warnings(f), 0);
		return;
	}
	assert_int_equal(warnings(f), 1);
	assert_has(fg_buf_str(&f->caught.text), "this program is built without lib");
}

static void need_libdw(void)
{
	if (!fg_inlines_are_here())
		skip();
}

static void inlined_functions_follow_the_outer_one(void **state)
{
	struct fixture *f = *state;

	need_libdw();
	assert_found(f, "4001a8", "f+0x1", LOOM, WEAVE ";" ROW ";" KNOT);
	assert_found(f, "0x4001a8", "f+0x1", LOOM, WEAVE ";" ROW ";" KNOT);
	assert_found(f, "40019a", "f+0x1", LOOM, WEAVE ";" ROW);
	assert_found(f, "4001a0", "f+0x1", LOOM, WEAVE);
	/* _start has a symbol but no debug information */
	assert_found(f, "400181", "f+0x1", LOOM, "_start");
	assert_int_equal(warnings(f), 0);
	assert_false(fg_lookup_failed(f->l));
}

static void lines_follow_the_names(void **state)
{
	struct fixture *f = *state;

	need_libdw();
	fg_lookup_free(f->l);
	f->l = fg_lookup_new(FG_INLINES_LINES, &f->caught.diag);
	assert_found(f, "4001a8", "f+0x1", LOOM,
		     WEAVE ":loom.cpp:27;" ROW ":loom.cpp:20;" KNOT ":loom.cpp:14");
	assert_found(f, "400181", "f+0x1", LOOM, "_start:??:?");
}

static void an_address_of_the_file_is_looked_up_directly(void **state)
{
	struct fixture *f = *state;

	need_libdw();
	assert_true(fg_lookup_address(f->l, FG_STR(LOOM), 0x4001a0, &f->names));
	assert_str(fg_buf_str(&f->names), WEAVE);
	assert_false(fg_lookup_address(f->l, FG_STR(LOOM), 0xa0, &f->names));
	assert_str(fg_buf_str(&f->names), WEAVE);
}

/* perf prints where the code was in memory, in a PIE or a library somewhere else. */
static void a_symbol_leads_to_code_that_was_elsewhere_in_memory(void **state)
{
	static const char mangled[] = "_ZN4loom5Frame5weaveEj.isra.0+0x18";
	struct fixture *f = *state;

	need_libdw();
	assert_found(f, "55d0c0ffee18", mangled, LOOM, WEAVE ";" ROW ";" KNOT);
	assert_found(f, "55d0c0ffee18", WEAVE " [clone .isra.0]+0x18", LOOM,
		     WEAVE ";" ROW ";" KNOT);
	assert_found(f, "55d0c0ffee18", "work+0x1", LOOM, "work");
	assert_false(look_up(f, "55d0c0ffee18", "work+0x1000", LOOM));
	assert_false(look_up(f, "55d0c0ffee18", "nowhere+0x1", LOOM));
	assert_false(look_up(f, "55d0c0ffee18", "work", LOOM));
	assert_false(look_up(f, "55d0c0ffee18", "+0x18", LOOM));
	assert_false(look_up(f, "", "work+0x1", LOOM));
	assert_false(look_up(f, "pc", "work+0x1", LOOM));
	assert_int_equal(warnings(f), 0);
}

/* 0x4001a8 is the first address at which knot is inlined. */
static void a_caller_is_looked_up_in_the_call(void **state)
{
	struct fg_lookup_query q = { .pc = FG_STR("4001a8"),
				     .symbol = FG_STR("caller+0x18"),
				     .dso = FG_STR(LOOM),
				     .returns = true };
	struct fixture *f = *state;

	need_libdw();
	assert_true(fg_lookup_frame(f->l, &q, &f->names));
	assert_str(fg_buf_str(&f->names), WEAVE);
	/* there is no call before a function's start: a signal handler returns there */
	fg_buf_clear(&f->names);
	q.symbol = FG_STR("trampoline+0x0");
	assert_true(fg_lookup_frame(f->l, &q, &f->names));
	assert_str(fg_buf_str(&f->names), WEAVE ";" ROW ";" KNOT);
	fg_buf_clear(&f->names);
	q.pc = FG_STR("0");
	assert_false(fg_lookup_frame(f->l, &q, &f->names));
}

static void a_stripped_library_has_dynamic_symbols(void **state)
{
	struct fixture *f = *state;

	need_libdw();
	assert_false(look_up(f, "0", "f+0x1", "tests/data/perfdata/gears-lld.so"));
	assert_int_equal(warnings(f), 0);
}

static void a_dso_that_is_not_a_file_is_not_opened(void **state)
{
	static const char *const names[] = {
		"",	      "[vdso]",	      "[kernel.kallsyms]",
		"//anon",     "/memfd:x",     "anon_inode:[perf_event]",
		"/SYSV00000", "/dev/zero (d", "inlined",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_false(look_up(f, "4001a8", "work+0x1", names[i]));
	assert_int_equal(warnings(f), 0);
}

static void an_unusable_file_gives_one_warning(void **state)
{
	struct fixture *f = *state;
	const char *text;

	need_libdw();
	assert_false(look_up(f, "1", "work+0x1", "/nowhere/app"));
	assert_false(look_up(f, "2", "work+0x2", "/nowhere/app"));
	assert_has(fg_buf_str(&f->caught.text),
		   "/nowhere/app: was not found, so its inlined functions are not "
		   "shown; run where the profile was recorded");
	assert_int_equal(warnings(f), 1);
	text = folder_write(&f->folder, "text", FG_STR("text\n"));
	assert_false(look_up(f, "1", "work+0x1", text));
	assert_has(fg_buf_str(&f->caught.text), "/text: is not an ELF file");
	if (geteuid()) {
		text = folder_write(&f->folder, "secret", FG_STR("text\n"));
		assert_int_equal(chmod(text, 0), 0);
		assert_false(look_up(f, "1", "work+0x1", text));
		assert_has(fg_buf_str(&f->caught.text), "/secret: cannot be read");
	}
	assert_false(fg_lookup_failed(f->l));
}

static void a_name_with_a_nul_is_not_a_file(void **state)
{
	struct fixture *f = *state;
	struct fg_lookup_query q = { .pc = FG_STR("4001a8"),
				     .symbol = FG_STR("work+0x1"),
				     .dso = FG_STR(LOOM "\0x") };

	need_libdw();
	assert_false(fg_lookup_frame(f->l, &q, &f->names));
	assert_has(fg_buf_str(&f->caught.text), "was not found");
}

#define FILES 150

static const char *numbered(struct fixture *f, int i)
{
	fg_buf_clear(&f->name);
	fg_buf_addf(&f->name, "app%d", i);
	return folder_path(&f->folder, fg_buf_cstr(&f->name));
}

/* Each link to the program is a DSO of its own. */
static void more_files_than_may_be_open_are_opened_in_turn(void **state)
{
	struct fixture *f = *state;
	char folder_now[4096];
	struct fg_buf program = FG_BUF_INIT;

	need_libdw();
	assert_non_null(getcwd(folder_now, sizeof(folder_now)));
	fg_buf_addf(&program, "%s/%s", folder_now, LOOM);
	for (int i = 0; i < FILES; i++)
		assert_int_equal(symlink(fg_buf_cstr(&program), numbered(f, i)), 0);
	for (int i = 0; i < FILES; i++)
		assert_found(f, "4001a0", "f+0x1", numbered(f, i), WEAVE);
	for (int i = 0; i < FILES; i++)
		assert_found(f, "40019a", "f+0x1", numbered(f, i), WEAVE ";" ROW);
	assert_true(count_open_fds() <= f->fds + 64);
	for (int i = 0; i < FILES; i++)
		unlink(numbered(f, i));
	fg_buf_release(&program);
}

static void names_are_appended(void **state)
{
	struct fixture *f = *state;

	need_libdw();
	fg_buf_add_str(&f->names, FG_STR("before;"));
	assert_true(fg_lookup_address(f->l, FG_STR(LOOM), 0x400200, &f->names));
	assert_has(fg_buf_str(&f->names), "before;work");
	fg_lookup_free(NULL);
	assert_false(fg_lookup_failed(NULL));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_program_without_libdw_says_so_once),
		CASE(inlined_functions_follow_the_outer_one),
		CASE(lines_follow_the_names),
		CASE(an_address_of_the_file_is_looked_up_directly),
		CASE(a_symbol_leads_to_code_that_was_elsewhere_in_memory),
		CASE(a_caller_is_looked_up_in_the_call),
		CASE(a_stripped_library_has_dynamic_symbols),
		CASE(a_dso_that_is_not_a_file_is_not_opened),
		CASE(an_unusable_file_gives_one_warning),
		CASE(a_name_with_a_nul_is_not_a_file),
		CASE(more_files_than_may_be_open_are_opened_in_turn),
		CASE(names_are_appended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

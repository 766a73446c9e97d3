/* Tests of collapse/symbols/demangle.c: names of symbols as they are shown. */
#include "collapse/symbols/demangle.h"
#include "collapse/formats/perf/data/resolve.h"
#include "tests/unit/support/support.h"

static void check_demangled(const char *name, const char *want)
{
	struct fg_buf out = FG_BUF_INIT;

	fg_buf_add_str(&out, FG_STR("="));
	fg_demangle(name, &out);
	check_str(fg_buf_str(&out), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_release(&out);
}

static void test_names_are_demangled_without_parameters(void **data)
{
	(void)data;
	check_demangled("main", "=");
	check_demangled("_start", "=");
	check_demangled("camlList__map$27_12", "=List.map'_12");
	check_demangled("camlp4", "=");
#ifdef FG_HAVE_LIBIBERTY
	check_demangled("_ZN4mill5Wheel4turnEij", "=mill::Wheel::turn");
	check_demangled("_RNvNtCs1234_7mycrate3foo3bar", "=mycrate::foo::bar");
#endif
}

#ifdef FG_HAVE_LIBIBERTY
/* Adds a reference to an earlier part of a name: "S_", "S0_", ..., "S9_", "SA_", ... */
static void add_back(struct fg_buf *b, unsigned index)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	fg_buf_add_char(b, 'S');
	if (index > 36)
		fg_buf_add_char(b, digits[(index - 1) / 36]);
	if (index)
		fg_buf_add_char(b, digits[(index - 1) % 36]);
	fg_buf_add_char(b, '_');
}

/*
 * Adds T<T<B, B>, T<B, B> > and so on, `levels` deep. The second half is a reference to
 * the first, so the name is short, but 2^levels long when demangled.
 */
static void add_nested(struct fg_buf *b, unsigned levels)
{
	fg_buf_add_str(b, FG_STR("1TI"));
	for (unsigned i = 1; i < levels; i++)
		fg_buf_add_str(b, FG_STR("S0_I"));
	fg_buf_add_str(b, FG_STR("1BS1_E"));
	for (unsigned i = 1; i < levels; i++) {
		add_back(b, i + 2);
		fg_buf_add_char(b, 'E');
	}
}

static enum fg_demangled demangle_nested(const char *start, unsigned levels,
					 const char *end)
{
	struct fg_buf mangled = FG_BUF_INIT, plain = FG_BUF_INIT;
	enum fg_demangled status;

	fg_buf_add_str(&mangled, fg_str_from(start));
	add_nested(&mangled, levels);
	fg_buf_add_str(&mangled, fg_str_from(end));
	status = fg_demangle(fg_buf_cstr(&mangled), &plain);
	assert_true(plain.len <= FG_DEMANGLED_MAX);
	assert_int_equal(plain.len > 0, status == FG_DEMANGLED);
	fg_buf_release(&mangled);
	fg_buf_release(&plain);
	return status;
}

/* A demangler would take years for the larger ones. */
static void test_names_that_grow_too_long_stay_mangled(void **data)
{
	(void)data;
	assert_int_equal(demangle_nested("_Z1fI", 10, "Evv"), FG_DEMANGLED);
	assert_int_equal(demangle_nested("_Z1fI", 60, "Evv"), FG_DEMANGLED_TOO_LONG);
	assert_int_equal(demangle_nested("_Z1fIJDp", 9, "EEvv"), FG_DEMANGLED);
	assert_int_equal(demangle_nested("_Z1fIJDp", 60, "EEvv"),
			 FG_DEMANGLED_TOO_LONG);
	assert_int_equal(demangle_nested("_GLOBAL__I__Z1fIJDp", 60, "EEvv"),
			 FG_DEMANGLED_TOO_LONG);
	assert_int_equal(demangle_nested("_Z1fIXsZst", 60, "EEvv"),
			 FG_DEMANGLED_TOO_LONG);
}

/* Frames count such names. All long names together have a limit, too. */
static void test_names_that_stay_mangled_are_counted(void **data)
{
	const struct fg_place at = { "input", 0 };
	struct fg_buf mangled = FG_BUF_INIT, plain = FG_BUF_INIT;
	struct fg_pd_resolver r;
	struct fg_dsos dsos;
	struct caught caught;
	unsigned count = 0;

	(void)data;
	caught_init(&caught);
	fg_dsos_init(&dsos, NULL);
	fg_pd_resolver_init(&r, &dsos);
	assert_false(fg_pd_resolver_demangle(&r, "main", &plain));
	fg_dsos_report(&dsos, &caught.diag, &at);
	assert_str(fg_buf_str(&caught.text), "");
	fg_buf_add_str(&mangled, FG_STR("_Z1fI"));
	add_nested(&mangled, 10);
	fg_buf_add_str(&mangled, FG_STR("Evv"));
	while (fg_pd_resolver_demangle(&r, fg_buf_cstr(&mangled), &plain)) {
		assert_true(plain.len > 1000);
		fg_buf_clear(&plain);
		count++;
	}
	assert_in_range(count, 1000, 60000);
	assert_int_equal(plain.len, 0);
	assert_true(fg_pd_resolver_demangle(&r, "_ZN4mill5Wheel4turnEij", &plain));
	fg_dsos_report(&dsos, &caught.diag, &at);
	assert_str(fg_buf_str(&caught.text),
		   "prog: input: 1 names are shown mangled or not at all, because they "
		   "or their demangled forms are too long\n");
	fg_pd_resolver_release(&r);
	fg_dsos_release(&dsos);
	caught_release(&caught);
	fg_buf_release(&mangled);
	fg_buf_release(&plain);
}

/* Each tuple holds a tuple and a reference to that, `levels` deep. */
static void test_names_of_rust_that_grow_too_long_stay_mangled(void **data)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)data;
	for (unsigned levels = 5; levels <= 50; levels += 45) {
		struct fg_buf b = FG_BUF_INIT, plain = FG_BUF_INIT;

		fg_buf_add_str(&b, FG_STR("_RINvC1a1f"));
		for (unsigned i = 0; i < levels; i++)
			fg_buf_add_char(&b, 'T');
		fg_buf_add_char(&b, 'u');
		for (unsigned i = 0; i < levels; i++) {
			fg_buf_add_char(&b, 'B');
			fg_buf_add_char(&b, digits[8 + levels - i - 1]);
			fg_buf_add_str(&b, FG_STR("_E"));
		}
		fg_buf_add_char(&b, 'E');
		assert_int_equal(fg_demangle(fg_buf_cstr(&b), &plain),
				 levels == 5 ? FG_DEMANGLED : FG_DEMANGLED_TOO_LONG);
		fg_buf_release(&b);
		fg_buf_release(&plain);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_demangled_without_parameters),
#ifdef FG_HAVE_LIBIBERTY
		cmocka_unit_test(test_names_that_grow_too_long_stay_mangled),
#endif
#ifdef FG_HAVE_LIBIBERTY
		cmocka_unit_test(test_names_that_stay_mangled_are_counted),
#endif
#ifdef FG_HAVE_LIBIBERTY
		cmocka_unit_test(test_names_of_rust_that_grow_too_long_stay_mangled),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of flamegraph/nameattr: the output is safe and well-formed. */
#include "flamegraph/nameattr.h"
#include "tests/unit/support/support.h"

struct fixture {
	struct caught caught;
	struct folder folder;
	struct fg_nameattrs attributes;
};

static void read_text(struct fixture *f, struct fg_str text)
{
	const char *path;

	caught_init(&f->caught);
	folder_init(&f->folder);
	path = folder_write(&f->folder, "attributes", text);
	assert_int_equal(fg_nameattrs_read(&f->attributes, path, &f->caught.diag), 0);
}

static void tear_down(struct fixture *f)
{
	fg_nameattrs_release(&f->attributes);
	folder_release(&f->folder);
	caught_release(&f->caught);
}

static void check(struct fg_str line, const char *want, bool link)
{
	struct fixture f;

	read_text(&f, line);
	assert_int_equal(f.attributes.count, 1);
	check_str(f.attributes.items[0].attributes, fg_str_from(want), __FILE__,
		  __LINE__);
	assert_int_equal(f.attributes.items[0].is_link, link);
	tear_down(&f);
}

static void attributes_are_written(void **state)
{
	(void)state;
	check(FG_STR("f\tid=a\tclass=b\n"), " id=\"a\" class=\"b\"", false);
	check(FG_STR("f\thref=x?a=1&b=2\r\n"),
	      " xlink:href=\"x?a=1&amp;b=2\" target=\"_top\"", true);
	check(FG_STR("f\ttarget=t\thref=x?a&amp;b"),
	      " xlink:href=\"x?a&amp;b\" target=\"t\"", true);
	check(FG_STR("f\tg_extra=a=\"<\" b='\"' c=d\ta_extra=e=f"),
	      " a=\"&lt;\" b=\"&quot;\" c=\"d\"", false);
	check(FG_STR("f\tg_extra=a=1 a=2"), " a=\"2\"", false);
}

static void scripts_are_left_out(void **state)
{
	(void)state;
	check(FG_STR("f\thref=java\x01script:x"), "", false);
	check(FG_STR("f\thref= JavaScript:x"), "", false);
	check(FG_STR("f\thref=dAta:text/html,<script>x</script>"), "", false);
	check(FG_STR("f\tg_extra=onload=x"), "", false);
	check(FG_STR("f\tg_extra=xlink:href=javascript:x"), "", false);
	check(FG_STR("f\tg_extra=a\"b=1 <=2 xmlns=x fg:x=1"), "", false);
}

static void titles(void **state)
{
	struct fixture f;

	(void)state;
	read_text(&f, FG_STR("f\ttitle=a < b &amp; c=d\n"));
	assert_true(f.attributes.items[0].has_title);
	assert_str(f.attributes.items[0].title, "a &lt; b &amp; c=d");
	tear_down(&f);
}

static void malformed_lines_are_reported(void **state)
{
	struct fixture f;

	(void)state;
	read_text(&f, FG_STR("\nno tab\nf\tx=1\n"));
	assert_int_equal(f.attributes.count, 1);
	assert_has(fg_buf_str(&f.caught.text), ":2: no tab");
	assert_has(fg_buf_str(&f.caught.text), ":3: unknown attribute");
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_are_written),
		cmocka_unit_test(scripts_are_left_out),
		cmocka_unit_test(titles),
		cmocka_unit_test(malformed_lines_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of flamegraph/graph: whole documents, from bytes to well-formed XML. */
#include <string.h>
#include <unistd.h>

#include "flamegraph/options.h"
#include "flamegraph/assets.h"
#include "flamegraph/draw.h"
#include "lib/profile/shorten.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/xml.h"

struct fixture {
	struct caught caught;
	struct fg_graph_args args;
	struct fg_out out;
};

static void set_up(struct fixture *f)
{
	caught_init(&f->caught);
	fg_graph_args_init(&f->args);
	fg_out_init_memory(&f->out);
}

static enum fg_graph_result draw(struct fixture *f, struct fg_str input)
{
	struct fg_reader *reader =
		fg_reader_open_memory(input, "input", &f->caught.diag);
	enum fg_graph_result result;

	assert_int_equal(fg_graph_args_check(&f->args, &f->caught.diag), 0);
	result = fg_graph_draw(&f->args.options, reader, &f->out, &f->caught.diag);
	fg_reader_close(reader);
	return result;
}

static void check_xml(struct fixture *f)
{
	struct xml_seen seen;

	assert_int_equal(xml_read(fg_buf_str(&f->out.buf), &seen), 0);
	xml_seen_release(&seen);
}

static void tear_down(struct fixture *f)
{
	fg_out_close(&f->out);
	fg_graph_args_release(&f->args);
	caught_release(&f->caught);
}

static void total_is_exact(void **state)
{
	const struct {
		double total;
		const char *text;
	} cases[] = {
		{ 0.004, "fg:total=\"0.004\"" },
		{ 3e19, "fg:total=\"3e+19\"" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture f;

		set_up(&f);
		f.args.options.total = cases[i].total;
		assert_int_equal(draw(&f, FG_STR("a;b 0.003\n")), FG_GRAPH_DRAWN);
		assert_has(fg_buf_str(&f.out.buf), cases[i].text);
		tear_down(&f);
	}
}

/* A picture without data is read back from its titles, so they have all digits. */
static void large_counts_are_exact(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(draw(&f, FG_STR("a;b 9007199254740993\n")), FG_GRAPH_DRAWN);
	assert_has(fg_buf_str(&f.out.buf), " fg:complete=\"1\"");
	assert_has(fg_buf_str(&f.out.buf), "<title>all (9,007,199,254,740,993, 100%)");
	tear_down(&f);
}

/* Readers accept 256 MiB. The test has a smaller limit. */
static void data_that_could_not_be_read_are_left_out(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.data_readable = 64;
	assert_int_equal(
		draw(&f, FG_STR("app;a_long_name;another_long_name 99.5\n"
				"app;a_long_name;a_third_name_as_long 99.5\n")),
		FG_GRAPH_DRAWN);
	assert_has(fg_buf_str(&f.caught.text), "only the frames that are drawn");
	assert_false(fg_str_has(fg_buf_str(&f.out.buf), FG_STR("<fg:data")));
	assert_has(fg_buf_str(&f.out.buf), "<g fg:x=\"99.5\" fg:w=\"99.5\">");
	check_xml(&f);
	tear_down(&f);
}

static void viewer_is_embedded(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(draw(&f, FG_STR("a;b 100\n")), FG_GRAPH_DRAWN);
	assert_has(fg_buf_str(&f.out.buf),
		   "<script type=\"text/ecmascript\"><![CDATA[");
	assert_has(fg_buf_str(&f.out.buf), "<style type=\"text/css\"><![CDATA[");
	check_xml(&f);
	tear_down(&f);
}

/* Shows that the tests of hostile texts would notice a script. */
static void viewer_is_active(void **state)
{
	struct xml_seen seen;
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(draw(&f, FG_STR("a;b 100\n")), FG_GRAPH_DRAWN);
	assert_int_equal(xml_read(fg_buf_str(&f.out.buf), &seen), 0);
	assert_true(seen.active);
	xml_seen_release(&seen);
	tear_down(&f);
}

static void viewer_can_be_left_out(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.no_script = true;
	assert_int_equal(draw(&f, FG_STR("a;b 100\n")), FG_GRAPH_DRAWN);
	assert_false(
		fg_str_has(fg_buf_str(&f.out.buf),
			   fg_str_of(fg_asset_viewer_css, fg_asset_viewer_css_len)));
	assert_false(fg_str_has(fg_buf_str(&f.out.buf), FG_STR("<script")));
	check_xml(&f);
	tear_down(&f);
}

static void check_themed(enum fg_theme theme, const char *background, const char *text,
			 const char *has)
{
	struct fixture f;

	set_up(&f);
	f.args.options.no_script = true;
	f.args.theme = theme;
	f.args.bgcolors = background;
	f.args.palette = "hot";
	f.args.uicolor = text;
	assert_int_equal(draw(&f, FG_STR("a;b 100\n")), FG_GRAPH_DRAWN);
	assert_has(fg_buf_str(&f.out.buf), has);
	assert_int_equal(fg_str_has(fg_buf_str(&f.out.buf), FG_STR("<style")),
			 theme == FG_THEME_AUTO && !background);
	tear_down(&f);
}

/* Colours that are given hold in every theme. Others are readable on the background. */
static void themes(void **state)
{
	static const char dark[] = "<stop offset=\"95%\" stop-color=\"#2c2c18\"/>";
	static const char light[] = "<stop offset=\"95%\" stop-color=\"#eeeeb0\"/>";
	static const char white[] = " font-size=\"12\" fill=\"#fff\">";
	static const char black[] = " font-size=\"12\" fill=\"#000\">";

	(void)state;
	check_themed(FG_THEME_AUTO, NULL, NULL, light);
	check_themed(FG_THEME_AUTO, NULL, NULL, black);
	check_themed(FG_THEME_AUTO, NULL, NULL,
		     " class=\"flamepipe fg-yellow fg-text\"");
	check_themed(FG_THEME_AUTO, NULL, "#00ff00", " class=\"flamepipe fg-yellow\"");
	check_themed(FG_THEME_AUTO, "#000000", NULL, " class=\"flamepipe\"");
	check_themed(FG_THEME_AUTO, "#000000", NULL, white);
	check_themed(FG_THEME_LIGHT, NULL, NULL, light);
	check_themed(FG_THEME_DARK, NULL, NULL, dark);
	check_themed(FG_THEME_DARK, NULL, NULL, white);
	check_themed(FG_THEME_DARK, NULL, "#00ff00",
		     " font-size=\"12\" fill=\"#0f0\">");
	check_themed(FG_THEME_DARK, "yellow", NULL, light);
	check_themed(FG_THEME_DARK, "yellow", NULL, black);
}

static void check_ids(enum fg_theme theme, const char *id)
{
	struct fg_buf use = FG_BUF_INIT;
	struct fixture f;

	set_up(&f);
	f.args.theme = theme;
	f.args.palette = "hot";
	assert_int_equal(draw(&f, FG_STR("a;b 100\n")), FG_GRAPH_DRAWN);
	fg_buf_addf(&use, "<linearGradient id=\"%s\"", id);
	assert_has(fg_buf_str(&f.out.buf), fg_buf_cstr(&use));
	fg_buf_clear(&use);
	fg_buf_addf(&use, " fill=\"url(#%s)\"/>", id);
	assert_has(fg_buf_str(&f.out.buf), fg_buf_cstr(&use));
	fg_buf_release(&use);
	tear_down(&f);
}

/* If a page has two pictures, one must not get the background of the other. */
static void gradients_have_their_own_ids(void **state)
{
	(void)state;
	check_ids(FG_THEME_AUTO, "fg-auto-eee-eeeeb0");
	check_ids(FG_THEME_LIGHT, "fg-eee-eeeeb0");
	check_ids(FG_THEME_DARK, "fg-1c1c1c-2c2c18");
}

static void an_empty_profile_makes_a_picture(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(draw(&f, FG_STR("")), FG_GRAPH_EMPTY);
	assert_has(fg_buf_str(&f.out.buf), "ERROR: no stack counts found");
	assert_has(fg_buf_str(&f.caught.text), "the input is empty");
	check_xml(&f);
	tear_down(&f);
}

/* With random bytes as names, texts and options, the output is still XML. */
static void always_well_formed(void **state)
{
	static const struct fg_str alphabet =
		FG_STR_INIT("ab;<>&\"'-]![_k \x01\xff\xc3\xa4\xef\xbf\xbe");
	struct random r = { 3 };

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct fg_buf input = FG_BUF_INIT, text = FG_BUF_INIT;
		struct fixture f;

		set_up(&f);
		for (int line = 0; line < 10; line++) {
			random_bytes(&r, &input, random_below(&r, 20), alphabet);
			fg_buf_add_str(&input,
				       i % 2 ? FG_STR(" 9\n") : FG_STR(" 9 12\n"));
		}
		random_bytes(&r, &text, random_below(&r, 10), alphabet);
		f.args.title = f.args.subtitle = f.args.options.notes =
			fg_buf_cstr(&text);
		f.args.countname = f.args.nametype = f.args.title;
		f.args.fonttype = f.args.title;
		f.args.options.reverse = i % 3 == 0;
		f.args.options.no_script = true;
		f.args.options.palette = i % (FG_PALETTE_RUST + 1);
		f.args.options.data = i % (FG_DATA_NONE + 1);
		f.args.theme = i % (FG_THEME_DARK + 1);
		f.args.shorten = i % (FG_SHORTEN_JAVA + 1);
		f.args.width = 100 + random_below(&r, 1000);
		draw(&f, fg_buf_str(&input));
		check_xml(&f);
		tear_down(&f);
		fg_buf_release(&input);
		fg_buf_release(&text);
	}
}

/* Writes the files of --cp and --nameattr into the current folder. */
static void write_hostile(struct folder *folder, struct fg_str text)
{
	struct fg_buf map = FG_BUF_INIT, attributes = FG_BUF_INIT;
	static const char *const fields[] = { "title",	"id",	   "class",  "href",
					      "target", "g_extra", "a_extra" };

	fg_buf_add_str(&map, FG_STR("mapped->"));
	fg_buf_add_str(&map, text);
	fg_buf_add_char(&attributes, 'f');
	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		fg_buf_addf(&attributes, "\t%s=%s", fields[i], i > 4 ? "data-x=" : "");
		fg_buf_add_str(&attributes, text);
	}
	folder_write(folder, FG_PALETTE_MAP_FILE, fg_buf_str(&map));
	folder_write(folder, "attributes", fg_buf_str(&attributes));
	fg_buf_release(&map);
	fg_buf_release(&attributes);
}

static void draw_hostile(struct fg_str text, enum fg_data_mode data)
{
	struct fg_buf input = FG_BUF_INIT, option = FG_BUF_INIT;
	struct xml_seen seen;
	struct fixture f;

	set_up(&f);
	for (int i = 0; i < 2; i++) {
		fg_buf_add_str(&input, FG_STR("mapped;f;"));
		fg_buf_add_str(&input, text);
		fg_buf_add_str(&input, i ? FG_STR("_[k] 500\n") : FG_STR(" 500\n"));
	}
	fg_buf_add_str(&option, text);
	f.args.title = f.args.subtitle = fg_buf_cstr(&option);
	f.args.countname = f.args.nametype = f.args.title;
	f.args.fonttype = f.args.title;
	f.args.options.nameattr = "attributes";
	f.args.options.cp = f.args.options.no_script = true;
	f.args.options.data = (int)data;
	assert_int_equal(draw(&f, fg_buf_str(&input)), FG_GRAPH_DRAWN);
	assert_int_equal(xml_read(fg_buf_str(&f.out.buf), &seen), 0);
	assert_false(seen.active);
	xml_seen_release(&seen);
	tear_down(&f);
	fg_buf_release(&input);
	fg_buf_release(&option);
}

/* Text stays text, from every source. */
static void hostile_texts_stay_text(void **state)
{
	static const struct fg_str texts[] = {
		FG_STR_INIT("\"><script>alert(1)</script>"),
		FG_STR_INIT("]]>"),
		FG_STR_INIT("]]><script>alert(1)</script>"),
		FG_STR_INIT("</title><script>"),
		FG_STR_INIT("</style><script>"),
		FG_STR_INIT("&#0;&#60;script&#62;&lt;script&gt;"),
		FG_STR_INIT("--><script>"),
		FG_STR_INIT("\" onload=\"alert(1)"),
		FG_STR_INIT("javascript:alert(1)"),
		FG_STR_INIT("\x01\x0b\x1f\x7f\xc2\x80"),
		FG_STR_INIT("\xff\xc0\x80\xed\xa0\x80\xef\xbf\xbe\xf4\x90\x80\x80"),
		FG_STR_INIT("\xe2\x80\xae\xd7\xa9\xd7\x9c\xf0\x9f\x94\xa5"),
		FG_STR_INIT("<?xml?><!DOCTYPE x><![CDATA["),
	};
	struct folder folder;

	(void)state;
	folder_init(&folder);
	assert_int_equal(chdir(folder.path), 0);
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		write_hostile(&folder, texts[i]);
		draw_hostile(texts[i], FG_DATA_FULL);
		draw_hostile(texts[i], FG_DATA_NONE);
	}
	assert_int_equal(chdir("/"), 0);
	folder_release(&folder);
}

static void same_bytes_from_any_order(void **state)
{
	struct fixture a, b;

	(void)state;
	set_up(&a);
	set_up(&b);
	draw(&a, FG_STR("m;x 60\nm;y 70\nm 80\nk;z 5\nm;x 1\n"));
	draw(&b, FG_STR("k;z 5\nm;y 70\nm;x 61\nm 80\n"));
	assert_str_is(fg_buf_str(&a.out.buf), fg_buf_str(&b.out.buf));
	tear_down(&a);
	tear_down(&b);
}

/* The program reads and writes the file in the current folder. */
static void palette_map_is_kept(void **state)
{
	struct folder folder;
	struct fixture f;
	struct fg_reader *reader;
	struct fg_str line;
	struct fg_place at;
	const char *file = FG_PALETTE_MAP_FILE;

	(void)state;
	folder_init(&folder);
	folder_write(&folder, file, FG_STR("b->#123456 \r\na->b->rgb(1,2,3)\r\n\r\n"));
	assert_int_equal(chdir(folder.path), 0);
	set_up(&f);
	f.args.options.cp = true;
	assert_int_equal(draw(&f, FG_STR("a->b;b 100\n-;--;c 5\n")), FG_GRAPH_DRAWN);
	assert_has(fg_buf_str(&f.out.buf), "fill=\"#123456\"");
	assert_has(fg_buf_str(&f.out.buf), "fill=\"#010203\"");
	reader = fg_reader_open(&file, 1, &f.caught.diag);
	assert_int_equal(fg_reader_line(reader, &line, &at), 1);
	assert_str(line, "->rgb(213,39,9)");
	assert_int_equal(fg_reader_line(reader, &line, &at), 1);
	assert_str(line, "a->b->rgb(1,2,3)");
	assert_int_equal(fg_reader_line(reader, &line, &at), 1);
	assert_str(line, "b->#123456");
	assert_int_equal(fg_reader_line(reader, &line, &at), 1);
	assert_str(line, "c->rgb(224,87,20)");
	assert_int_equal(fg_reader_line(reader, &line, &at), 0);
	fg_reader_close(reader);
	tear_down(&f);
	assert_int_equal(chdir("/"), 0);
	folder_release(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(total_is_exact),
		cmocka_unit_test(large_counts_are_exact),
		cmocka_unit_test(data_that_could_not_be_read_are_left_out),
		cmocka_unit_test(viewer_is_embedded),
		cmocka_unit_test(viewer_is_active),
		cmocka_unit_test(viewer_can_be_left_out),
		cmocka_unit_test(themes),
		cmocka_unit_test(gradients_have_their_own_ids),
		cmocka_unit_test(an_empty_profile_makes_a_picture),
		cmocka_unit_test(always_well_formed),
		cmocka_unit_test(hostile_texts_stay_text),
		cmocka_unit_test(same_bytes_from_any_order),
		cmocka_unit_test(palette_map_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

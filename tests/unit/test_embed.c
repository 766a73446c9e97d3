/*
 * Tests of flamegraph/embed: which viewer a picture has. The small one is enough for a
 * picture that is only a flame graph of few frames.
 */
#include "flamegraph/options.h"
#include "flamegraph/assets.h"
#include "flamegraph/draw.h"
#include "lib/base/cli.h"
#include "tests/unit/support/support.h"

static void draw(const char *option, struct fg_str lines, struct fg_out *out)
{
	struct fg_graph_args args;
	const struct fg_opt_table table = { fg_graph_rows, &args };
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = &table,
			      .table_count = 1 };
	char *argv[] = { (char[]){ "prog" }, (char *)option, NULL };
	struct fg_reader *reader;
	struct caught caught;

	caught_init(&caught);
	fg_out_init_memory(out);
	fg_graph_args_init(&args);
	assert_int_equal(fg_cli_parse(&cli, option ? 2 : 1, argv, out, &caught.diag),
			 FG_CLI_RUN);
	assert_int_equal(fg_graph_args_check(&args, &caught.diag), 0);
	reader = fg_reader_open_memory(lines, "input", &caught.diag);
	assert_int_equal(fg_graph_draw(&args.options, reader, out, &caught.diag),
			 FG_GRAPH_DRAWN);
	fg_reader_close(reader);
	fg_graph_args_release(&args);
	fg_opt_list_release(&cli.files);
	caught_release(&caught);
}

/* Returns the start of a script, as far as it is in one CDATA section. */
static struct fg_str start_of(const char *script, size_t len)
{
	struct fg_str all = fg_str_of(script, len);

	return fg_str_before(all, fg_str_find(all, FG_STR("]]>")));
}

static void check(const char *option, const char *lines, bool small)
{
	const struct fg_str scripts[] = {
		start_of(fg_asset_viewer_js, fg_asset_viewer_js_len),
		start_of(fg_asset_small_js, fg_asset_small_js_len),
	};
	const struct fg_str styles[] = {
		fg_str_of(fg_asset_viewer_css, fg_asset_viewer_css_len),
		fg_str_of(fg_asset_small_css, fg_asset_small_css_len),
	};
	struct fg_out out;
	struct fg_str svg;

	draw(option, fg_str_from(lines), &out);
	svg = fg_buf_str(&out.buf);
	assert_true(fg_str_has(svg, scripts[small]));
	assert_false(fg_str_has(svg, scripts[!small]));
	assert_true(fg_str_has(svg, styles[small]));
	fg_out_close(&out);
}

#define LINES "# unit: ns\nmain;a 500\nmain;b 400\n"

static void few_frames_get_the_small_viewer(void **state)
{
	(void)state;
	check(NULL, LINES, true);
	check("--inverted", LINES, true);
	check("--reverse", LINES, true);
	check("--unit=bytes", LINES, true);
	check("--data=none", LINES, true);
}

static void features_that_it_lacks_bring_the_large_viewer(void **state)
{
	static const struct {
		const char *option, *lines;
	} rows[] = {
		{ NULL, "# unit: ns\nmain;a 500 400\nmain;b 400 300\n" },
		{ "--flamechart", LINES },
		{ "--colordiffusion", LINES },
		{ NULL, "main;a 98765432\nmain;b 1234577\n" }, /* no known unit */
		{ NULL, LINES "# unit: bytes\nmain;a 7\n" },
		{ NULL, "# slice: 1ms\n@0.001;main;a 500\n@0.002;main;b 400\n" },
		{ "--minwidth=100", "# unit: ns\nmain;a 500\nmain;b 1\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check(rows[i].option, rows[i].lines, false);
}

static void no_script_means_no_viewer(void **state)
{
	struct fg_out out;

	(void)state;
	draw("--no-script", FG_STR(LINES), &out);
	assert_false(fg_str_has(fg_buf_str(&out.buf), FG_STR("<script")));
	assert_false(fg_str_has(fg_buf_str(&out.buf),
				fg_str_of(fg_asset_small_css, fg_asset_small_css_len)));
	fg_out_close(&out);
}

/* The root is a frame as well. */
static void the_small_viewer_has_a_limit_of_frames(void **state)
{
	static const struct {
		unsigned frames;
		bool small;
	} rows[] = { { 6, true }, { 7, false } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf lines = FG_BUF_INIT;

		fg_buf_addf(&lines, "# unit: ns\n");
		for (unsigned k = 1; k < rows[i].frames; k++)
			fg_buf_addf(&lines, "f%u 100\n", k);
		check("--minwidth=0", fg_buf_cstr(&lines), rows[i].small);
		fg_buf_release(&lines);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_frames_get_the_small_viewer),
		cmocka_unit_test(features_that_it_lacks_bring_the_large_viewer),
		cmocka_unit_test(no_script_means_no_viewer),
		cmocka_unit_test(the_small_viewer_has_a_limit_of_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

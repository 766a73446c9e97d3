/*
 * Checks that golden inputs of report-folded, filter-folded and flamegraph, changed in
 * one place, give the same in blocks of any size. See tests/unit/support/near.h.
 */
#include <string.h>

#include "filterfolded/options.h"
#include "filterfolded/profile.h"
#include "flamegraph/options.h"
#include "flamegraph/draw.h"
#include "lib/base/cli.h"
#include "reportfolded/export.h"
#include "reportfolded/report.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/near.h"
#include "tests/unit/support/support.h"

#define INPUT_MAX 8192
#define CHANGES 32
#define CHANGES_OF_PICTURES 12
#define ARGUMENTS_MAX 64

/* The state of one run besides its options. */
struct run {
	struct fg_reader *reader;
	struct fg_out out;
	struct caught caught;
	struct fg_buf words; /* arguments of the command line */
};

/* Parses the options. Returns false if they are wrong or print something else. */
static bool parse(struct run *r, const struct fg_opt_table *tables, size_t count,
		  const char *arguments)
{
	struct fg_cli cli = { .program = "prog",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = tables,
			      .table_count = count };
	char *argv[ARGUMENTS_MAX + 1] = { (char[]){ "prog" } };
	char *rest;
	int argc = 1;
	bool runs;

	fg_buf_addf(&r->words, "%s", arguments);
	fg_buf_add_char(&r->words, '\0');
	rest = r->words.ptr;
	for (char *word; (word = strtok_r(rest, " ", &rest));) {
		assert_true(argc < ARGUMENTS_MAX);
		argv[argc++] = word;
	}
	runs = fg_cli_parse(&cli, argc, argv, &r->out, &r->caught.diag) == FG_CLI_RUN;
	fg_opt_list_release(&cli.files);
	return runs;
}

static void start(struct run *r, struct fg_str text, size_t block_size)
{
	fg_buf_init(&r->words);
	caught_init(&r->caught);
	fg_out_init_memory(&r->out);
	r->reader = fg_reader_open_memory(text, "input", &r->caught.diag);
	if (block_size)
		fg_reader_set_block_size(r->reader, block_size);
}

static void end(struct run *r, int status, struct fg_buf *result)
{
	fg_buf_clear(result);
	fg_buf_add_str(result, fg_buf_str(&r->out.buf));
	fg_buf_add_str(result, fg_buf_str(&r->caught.text));
	fg_buf_addf(result, "status %d\n", status);
	fg_reader_close(r->reader);
	fg_out_close(&r->out);
	caught_release(&r->caught);
	fg_buf_release(&r->words);
}

static void report(const void *data, struct fg_str text, const char *arguments,
		   size_t block_size, struct fg_buf *result)
{
	struct fg_report_options options;
	const struct fg_opt_table table = { fg_report_option_rows, &options };
	struct run r;
	int status = -1;

	(void)data;
	start(&r, text, block_size);
	fg_report_options_init(&options);
	if (parse(&r, &table, 1, arguments) &&
	    !fg_report_options_check(&options, &r.caught.diag))
		status = fg_report_is_export(&options) ?
				 fg_export_run(&options, r.reader, &r.out,
					       &r.caught.diag) :
				 (int)fg_report_run(&options, r.reader, &r.out,
						    &r.caught.diag);
	fg_report_options_release(&options);
	end(&r, status, result);
}

static void filter(const void *data, struct fg_str text, const char *arguments,
		   size_t block_size, struct fg_buf *result)
{
	struct fg_choosing_options options = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = { { fg_filter_rows, &options.filter },
					       { fg_choosing_rows, &options } };
	struct fg_choosing choosing;
	struct run r;
	int status = -1;

	(void)data;
	start(&r, text, block_size);
	if (parse(&r, tables, COUNT_OF(tables), arguments)) {
		if (!fg_choosing_init(&choosing, &options, &r.caught.diag))
			status = fg_choosing_run(&choosing, r.reader, &r.out);
		fg_choosing_release(&choosing);
	}
	fg_opts_release(fg_filter_rows, &options.filter);
	end(&r, status, result);
}

static void draw(const void *data, struct fg_str text, const char *arguments,
		 size_t block_size, struct fg_buf *result)
{
	struct fg_graph_args args;
	const struct fg_opt_table tables[] = { { fg_graph_rows, &args },
					       { fg_filter_rows, &args.filter } };
	struct run r;
	int status = -1;

	(void)data;
	start(&r, text, block_size);
	fg_graph_args_init(&args);
	if (parse(&r, tables, COUNT_OF(tables), arguments)) {
		args.options.no_script = true;
		if (!fg_graph_args_check(&args, &r.caught.diag))
			status = (int)fg_graph_draw(&args.options, r.reader, &r.out,
						    &r.caught.diag);
	}
	fg_graph_args_release(&args);
	end(&r, status, result);
}

struct program {
	near_read *read;
	size_t changes;
	const char *arguments; /* for all runs */
};

/* Tries one run of a golden case; a golden_visit. Returns false if it is not for us. */
static bool check_run(const struct golden_run *run, void *data)
{
	/* Options that read or write files, or are random. */
	static const char *const except[] = { "--rules",   "--cp",     "--nameattr",
					      "--extract", "--output", "-o",
					      "--random",  "pprof",    NULL };
	struct program *p = data;
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT, name = FG_BUF_INIT;
	struct fg_buf all = FG_BUF_INIT;
	bool usable = golden_read(run->folder, "input", &text) && text.len &&
		      text.len <= INPUT_MAX &&
		      golden_arguments(run, except, &arguments);

	if (usable) {
		fg_buf_addf(&name, "%s%s", run->folder + strlen("tests/golden/"),
			    run->args + strlen("args"));
		fg_buf_addf(&all, "%s ", p->arguments);
		fg_buf_add_str(&all, fg_buf_str(&arguments));
		near_try(fg_buf_cstr(&name), fg_buf_str(&text), fg_buf_cstr(&all),
			 p->changes, p->read, NULL);
	}
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	fg_buf_release(&name);
	fg_buf_release(&all);
	return usable;
}

static void reports_are_alike(void **state)
{
	struct program p = { report, CHANGES, "" };

	(void)state;
	assert_true(golden_visit_program("report-folded", check_run, &p) > 0);
}

static void choices_are_alike(void **state)
{
	struct program p = { filter, CHANGES, "" };

	(void)state;
	assert_true(golden_visit_program("filter-folded", check_run, &p) > 0);
}

/* tests/golden/flamegraph/args has the arguments of all cases. */
static void pictures_are_alike(void **state)
{
	struct program p = { draw, CHANGES_OF_PICTURES, "--theme light --colors hot" };

	(void)state;
	assert_true(golden_visit_program("flamegraph", check_run, &p) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_are_alike),
		cmocka_unit_test(choices_are_alike),
		cmocka_unit_test(pictures_are_alike),
	};

	return cmocka_run_group_tests_name("near_folded", tests, NULL, NULL);
}

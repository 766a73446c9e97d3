/*
 * Fuzzes command lines of all programs, one argument a line. Those that flamegraph
 * accepts draw a picture; those of other programs are only checked.
 */
#include "collapse/collapse.h"
#include "difffolded/options.h"
#include "filterfolded/options.h"
#include "flamegraph/options.h"
#include "reportfolded/options.h"
#include "tests/fuzz/draw.h"
#include "lib/base/xalloc.h"

/* The arguments. Each is a block of its own, so that reading past one is detected. */
struct arguments {
	char **argv;
	size_t alloc;
	int argc;
};

static void add_argument(struct arguments *a, struct fg_str text)
{
	char *copy = fg_xmalloc(text.len + 1);

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	FG_GROW(a->argv, a->alloc, (size_t)a->argc + 2);
	a->argv[a->argc++] = copy;
	a->argv[a->argc] = NULL;
}

static void free_arguments(struct arguments *a)
{
	for (int i = 0; i < a->argc; i++)
		free(a->argv[i]);
	free(a->argv);
}

static bool parse(struct arguments *a, const struct fg_opt_table *tables, size_t count)
{
	struct fg_cli cli = { .program = "fuzz",
			      .usage = "",
			      .summary = "",
			      .version = "0",
			      .tables = tables,
			      .table_count = count };
	enum fg_cli_result result;
	struct fg_diag diag;
	struct fg_out out;

	fuzz_diag(&diag);
	fg_out_init_memory(&out);
	result = fg_cli_parse(&cli, a->argc, a->argv, &out, &diag);
	fuzz_check((result == FG_CLI_USAGE) == (diag.errors > 0),
		   "a usage error is reported");
	fuzz_check((result == FG_CLI_DONE) == (out.buf.len > 0),
		   "only --help and --version print");
	fg_out_close(&out);
	fg_opt_list_release(&cli.files);
	return result == FG_CLI_RUN;
}

static void draw(struct arguments *a)
{
	struct fg_graph_args args;
	const struct fg_opt_table table = { fg_graph_rows, &args };
	enum fg_graph_result result;
	struct fg_diag diag;
	struct fg_out out;

	fuzz_diag(&diag);
	fg_graph_args_init(&args);
	if (parse(a, &table, 1) && !fg_graph_args_check(&args, &diag)) {
		args.options.no_script = true;
		args.options.cp = false; /* we have no files here */
		args.options.nameattr = NULL;
		result = fuzz_draw(&args.options, FG_STR("a;b 10 12.5\na;main 100 7\n"),
				   0, &out);
		fuzz_check_picture(result, fg_buf_str(&out.buf));
		fg_out_close(&out);
	}
	fg_graph_args_release(&args);
}

static void check_format(struct arguments *a, const struct fg_format *format)
{
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	struct fg_collapse c;
	struct fg_diag diag;

	fuzz_diag(&diag);
	fg_collapse_init(&c, format, a->argc > 1 ? a->argv[1] : "");
	if (parse(a, tables, fg_collapse_tables(&c, tables)))
		fg_collapse_check(&c, &diag);
	fg_collapse_release(&c);
}

static void check_filter(struct arguments *a)
{
	struct fg_choosing_options options = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = {
		{ fg_filter_rows, &options.filter },
		{ fg_choosing_rows, &options },
	};
	struct fg_choosing choosing;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	if (parse(a, tables, FG_COUNT_OF(tables))) {
		status = fg_choosing_init(&choosing, &options, &diag);
		fuzz_check(!status == !diag.errors, "what is wrong is reported");
		fg_choosing_release(&choosing);
	}
	fg_opts_release(fg_filter_rows, &options.filter);
}

static void check_report(struct arguments *a)
{
	struct fg_report_options options;
	const struct fg_opt_table table = { fg_report_option_rows, &options };
	struct fg_diag diag;

	fuzz_diag(&diag);
	fg_report_options_init(&options);
	if (parse(a, &table, 1))
		fuzz_check(!fg_report_options_check(&options, &diag) == !diag.errors,
			   "what is wrong is reported");
	fg_report_options_release(&options);
}

static void check_diff(struct arguments *a)
{
	struct fg_diff_line line = { .verbosity = FG_NORMAL };
	struct fg_diff_options options;
	struct fg_diag diag;
	const struct fg_opt_table table = { fg_diff_rows, &line };

	fuzz_diag(&diag);
	if (parse(a, &table, 1))
		fuzz_check(!fg_diff_options_read(&line, &options, &diag) ==
				   !diag.errors,
			   "what is wrong is reported");
	fg_opts_release(fg_diff_rows, &line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str rest = fg_str_of((const char *)data, size);
	struct arguments a = { NULL, 0, 0 };

	if (size > 4096)
		return 0;
	add_argument(&a, FG_STR("fuzz"));
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		add_argument(&a, fg_str_before(line, fg_str_find_char(line, '\0')));
	}
	draw(&a);
	check_filter(&a);
	check_report(&a);
	check_diff(&a);
	for (size_t i = 0; fg_formats[i]; i++)
		check_format(&a, fg_formats[i]);
	free_arguments(&a);
	return 0;
}

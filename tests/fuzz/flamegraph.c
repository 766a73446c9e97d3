/*
 * Fuzzes drawing folded stacks. The picture must be well-formed, and must not depend on
 * the block size.
 */
#include "flamegraph/options.h"
#include "lib/base/opts.h"
#include "tests/fuzz/draw.h"

static const char *const choices[][4] = {
	{ NULL },
	{ "--minwidth=0", "--shorten=rust", "--width=300" },
	{ "--inverted", "--reverse", "--colors=java" },
	{ "--flamechart", "--colors=io", "--theme=dark" },
	{ "--no-sort", "--hash", "--minwidth=1%" },
	{ "--search=a.*b|^$", "--colors=js" },
	{ "--base=main", "--pretty-xml", "--colors=rust" },
	{ "--colors=chain", "--total=1000000", "--shorten=go" },
	{ "--negate", "--minwidth=0", "--colors=python" },
	{ "--colordiffusion", "--factor=0.001", "--minwidth=0" },
	{ "--random", "--width=100000", "--fontsize=3" },
	{ "--width=200", "--shorten=cxx", "--theme=light" },
	{ "--width=200", "--shorten=java", "--bgcolors=grey" },
	{ "--width=21", "--height=2", "--colors=wakeup" },
	{ "--compat=inferno", "--base=main", "--factor=1.5" },
	{ "--compat=inferno", "--reverse", "--colors=java" },
	{ "--compat=inferno", "--flamechart", "--deterministic" },
};

/* Sets the options, which keep using `diag`. */
static void set_options(struct fg_graph_args *a, unsigned choice, struct fg_diag *diag)
{
	const struct fg_opt_table tables[] = { { fg_graph_rows, a },
					       { fg_filter_rows, &a->filter } };
	struct fg_cli cli = { .program = "fuzz",
			      .usage = "",
			      .summary = "",
			      .version = "",
			      .tables = tables,
			      .table_count = FG_COUNT_OF(tables) };
	char *argv[6] = { (char[]){ "fuzz" } };
	struct fg_out out;
	int argc = 1;

	for (; choices[choice][argc - 1]; argc++)
		argv[argc] = (char *)choices[choice][argc - 1];
	fuzz_diag(diag);
	fg_out_init_memory(&out);
	fg_graph_args_init(a);
	fuzz_check(fg_cli_parse(&cli, argc, argv, &out, diag) == FG_CLI_RUN,
		   "the options are known");
	a->options.no_script = true;
	fuzz_check(!fg_graph_args_check(a, diag), "the options are right");
	fg_out_close(&out);
	fg_opt_list_release(&cli.files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&input, FG_COUNT_OF(choices));
	size_t block_size = fuzz_block_size(input, (unsigned)size);
	struct fg_graph_args args;
	enum fg_graph_result result;
	struct fg_out one, other;
	struct fg_diag diag;

	set_options(&args, choice, &diag);
	result = fuzz_draw(&args.options, input, 0, &one);
	fuzz_check_picture(result, fg_buf_str(&one.buf));
	fuzz_check(fuzz_draw(&args.options, input, block_size, &other) == result,
		   "block sizes do not change the status");
	fuzz_check_equal(fg_buf_str(&one.buf), fg_buf_str(&other.buf),
			 "block sizes do not change the output");
	fg_out_close(&one);
	fg_out_close(&other);
	fg_graph_args_release(&args);
	return 0;
}

/*
 * The program collapse-guess: recognises the format of the input, then does the work of
 * that format's collapser.
 */
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/guess/guess.h"
#include "collapse/split.h"
#include "lib/base/inputs.h"
#include "lib/base/cli.h"
#include "lib/base/optrows.h"

/* The options of collapse-guess itself, and the arguments after "--". */
struct guess {
	struct fg_common_options common;
	bool header;
	/*
	 * the part of argv from "--" on, with NULL in place of "--"; NULL if there is
	 * no "--"
	 */
	char **rest;
	int rest_count; /* number of items in `rest`, with the NULL */
};

#define OPTIONS struct guess
static const struct fg_opt rows[] = {
	SECTION("Frames"),
	FLAG("header", header,
	     "first write lines that say what is counted, and what is missing"),
	FG_OPT_END,
};

/*
 * Cuts "--" and the arguments after it off the command line, and stores them in
 * g->rest. Returns how many arguments are left.
 */
static int cut_rest(struct guess *g, int argc, char **argv)
{
	for (int at = 1; at < argc; at++) {
		if (strcmp(argv[at], "--"))
			continue;
		argv[at] = NULL;
		g->rest = argv + at;
		g->rest_count = argc - at;
		return at;
	}
	return argc;
}

/*
 * Reads the options of the format, which follow "--". Returns the same as
 * fg_cli_parse().
 */
static enum fg_cli_result parse_rest(const struct guess *g, struct fg_collapse *c,
				     struct fg_out *out, struct fg_diag *diag)
{
	struct fg_opt_table tables[FG_COLLAPSE_TABLES];
	struct fg_cli cli = {
		.program = diag->program,
		.usage = "[OPTION]... [FILE]... [-- OPTION...]",
		.summary = c->format->summary,
		.footer = c->format->footer,
		.version = FG_VERSION,
		.tables = tables,
		.table_count = fg_collapse_tables(c, tables),
	};
	enum fg_cli_result result;

	if (!g->rest)
		return FG_CLI_RUN;
	result = fg_cli_parse(&cli, g->rest_count, g->rest, out, diag);
	if (result == FG_CLI_RUN && (cli.files.count || cli.output)) {
		fg_error(diag, NULL,
			 "'%s' must come before --: only options of the collapser come "
			 "after it",
			 cli.files.count ? cli.files.items[0] : "--output");
		result = FG_CLI_USAGE;
	}
	fg_opt_list_release(&cli.files);
	return result;
}

/* Runs the collapser of the format. Returns an enum fg_exit. */
static int collapse(struct fg_collapse *c, const struct guess *g,
		    const struct fg_collapse_io *io, struct fg_diag *diag)
{
	switch (parse_rest(g, c, io->out, diag)) {
	case FG_CLI_USAGE:
		return FG_EXIT_USAGE;
	case FG_CLI_DONE:
		return FG_EXIT_OK;
	case FG_CLI_RUN:
		break;
	}
	if (fg_collapse_check(c, diag))
		return FG_EXIT_USAGE;
	if (fg_collapse_splits(c))
		return fg_collapse_split(c, io->files, io->out, diag) ? FG_EXIT_FAILED :
									FG_EXIT_OK;
	return fg_collapse_run(c, io) ? FG_EXIT_FAILED : FG_EXIT_OK;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct guess *g = cli->data;
	struct fg_collapse_io io = { .files = &cli->files, .out = out };
	const struct fg_format *format = NULL;
	size_t count = cli->files.count;
	const char *const *inputs = fg_inputs(cli->files.items, &count);
	int status;

	diag->verbosity = g->common.verbosity;
	fg_cli_watch(cli, NULL, diag);
	io.reader = fg_reader_open(cli->files.items, cli->files.count, diag);
	status = fg_guess_choose(&format, io.reader, fg_input_name(inputs[0]), diag);
	if (status == FG_EXIT_OK) {
		struct fg_collapse c;

		fg_collapse_init(&c, format, "");
		c.common = g->common;
		c.samples.header = g->header;
		status = collapse(&c, g, &io, diag);
		/* `c` has copies of the pointers in g->common, and frees the lists */
		memset(&g->common, 0, sizeof(g->common));
		fg_collapse_release(&c);
	}
	fg_reader_close(io.reader);
	return status;
}

int main(int argc, char **argv)
{
	struct guess g = { .rest = NULL };
	const struct fg_opt_table tables[] = { { rows, &g },
					       { fg_filter_rows, &g.common.filter },
					       { fg_common_rows, &g.common } };
	struct fg_cli cli = {
		.program = "collapse-guess",
		.usage = "[OPTION]... [FILE]... [-- OPTION...]",
		.summary = "Finds out which profiler wrote the input, and writes "
			   "folded stacks like\n"
			   "the collapser of that format. Folded stacks in the input "
			   "are added up.",
		.footer = "Options of the format itself come after --:\n"
			  "  collapse-guess out.perf -- --all --tid | flamegraph > "
			  "flame.svg",
		.version = FG_VERSION,
		.tables = tables,
		.table_count = FG_COUNT_OF(tables),
		.data = &g,
	};
	int status;

	argc = cut_rest(&g, argc, argv);
	status = fg_cli_main(&cli, argc, argv, run);
	fg_opts_release(fg_filter_rows, &g.common.filter);
	return status;
}

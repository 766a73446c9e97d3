/* The program collapse-guess: finds out what the input is, then is that collapser. */
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/guess/guess.h"
#include "lib/cli.h"
#include "lib/sniff.h"
#include "lib/utf8.h"

/* The command line: what is the guess's, and what comes after "--". */
struct guess {
	struct fg_common_options common;
	char **rest; /* as main's argv, without the program; NULL: there is no "--" */
	int rest_count;
};

/* Takes the words from "--" on off the command line; how many are left. */
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

static void list_formats(struct fg_buf *to)
{
	for (size_t i = 0; fg_formats[i]; i++)
		fg_buf_addf(to, "%s%s", i ? ", " : "", fg_formats[i]->name);
}

/* No format fits: what the input starts with, or is. Returns -1. */
static int report_unknown(struct fg_str first_bytes, const struct fg_place *at,
			  struct fg_diag *diag)
{
	const char *known = fg_sniff(first_bytes);
	struct fg_str line = fg_str_trim(fg_str_cut(&first_bytes, '\n'));
	struct fg_buf formats = FG_BUF_INIT;

	if (known)
		return fg_error(diag, at, "%s", known);
	if (!line.len && !first_bytes.len)
		return fg_error(diag, at, "the input is empty");
	list_formats(&formats);
	fg_error(diag, at, "the input is none of %s; it starts with '%.*s'",
		 fg_buf_cstr(&formats),
		 (int)(line.len < FG_QUOTED_MAX ? line.len : FG_QUOTED_MAX),
		 line.len ? line.ptr : "");
	fg_buf_release(&formats);
	return -1;
}

/* Returns an enum fg_exit; FG_EXIT_OK: *format is the only one that fits. */
static int choose(const struct fg_format **format, struct fg_reader *reader,
		  const char *input, struct fg_diag *diag)
{
	const struct fg_place at = { input, 0 };
	struct fg_str first_bytes;
	struct fg_guess guess;

	if (fg_reader_peek(reader, FG_GUESS_BYTES, &first_bytes))
		return FG_EXIT_FAILED;
	first_bytes = fg_utf8_skip_mark(first_bytes);
	guess = fg_guess(first_bytes);
	*format = guess.format;
	if (guess.other) {
		fg_error(diag, &at,
			 "this may be %s or %s: use collapse-%s or collapse-%s",
			 guess.format->input, guess.other->input, guess.format->name,
			 guess.other->name);
		return FG_EXIT_USAGE;
	}
	if (!guess.format) {
		report_unknown(first_bytes, &at, diag);
		return FG_EXIT_FAILED;
	}
	fg_note(diag, &at, "this is %s", guess.format->input);
	return FG_EXIT_OK;
}

/* Reads the options after "--", which are the format's. As fg_cli_parse. */
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
			 "'%s' has to stand before --: after it come the "
			 "options of collapse-%s",
			 cli.files.count ? cli.files.items[0] : "--output",
			 c->format->name);
		result = FG_CLI_USAGE;
	}
	fg_opt_list_release(&cli.files);
	return result;
}

/* Returns an enum fg_exit. */
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
	return fg_collapse_run(c, io) ? FG_EXIT_FAILED : FG_EXIT_OK;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct guess *g = cli->data;
	struct fg_collapse_io io = { .files = &cli->files, .out = out };
	const struct fg_format *format = NULL;
	size_t count = cli->files.count;
	const char *const *inputs = fg_reader_inputs(cli->files.items, &count);
	int status;

	diag->verbosity = g->common.verbosity;
	fg_cli_watch(cli, NULL, diag);
	io.reader = fg_reader_open(cli->files.items, cli->files.count, diag);
	status = choose(&format, io.reader, fg_reader_input_name(inputs[0]), diag);
	if (status == FG_EXIT_OK) {
		struct fg_collapse c;

		fg_collapse_init(&c, format, "");
		c.common = g->common;
		status = collapse(&c, g, &io, diag);
		memset(&g->common, 0, sizeof(g->common)); /* the lists are freed */
		fg_collapse_release(&c);
	}
	fg_reader_close(io.reader);
	return status;
}

int main(int argc, char **argv)
{
	struct guess g = { .rest = NULL };
	const struct fg_opt_table tables[] = { { fg_filter_rows, &g.common.filter },
					       { fg_common_rows, &g.common } };
	struct fg_cli cli = {
		.program = "collapse-guess",
		.usage = "[OPTION]... [FILE]... [-- OPTION...]",
		.summary = "Finds out which profiler wrote the input, and writes "
			   "folded stacks as\nthe collapser of that format does. "
			   "Folded stacks are added up.",
		.footer = "Options of the format's own come after --:\n"
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

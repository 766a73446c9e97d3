/* The program of one format: collapse-NAME, compiled with -DFG_FORMAT=NAME. */
#include <stdlib.h>
#include <string.h>

#include "collapse/format.h"
#include "lib/cli.h"
#include "lib/progress.h"
#include "lib/xalloc.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

static const struct fg_format *const format = &DESCRIPTOR(FG_FORMAT);

static const char *called_as(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	return slash ? slash + 1 : argv0 ? argv0 : "";
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	const struct fg_progress_plan plan = {
		.program = cli->program,
		.names = cli->files.items,
		.count = cli->files.count,
		.waiting = format->waiting,
	};
	struct fg_collapse c = {
		.files = &cli->files,
		.out = out,
		.diag = diag,
		.options = cli->tables->base,
	};
	int status;

	diag->verbosity = format->verbosity(c.options);
	if (format->check(cli->tables->base, diag))
		return FG_EXIT_USAGE;
	if (diag->verbosity > FG_QUIET)
		diag->progress = fg_progress_start(&plan);
	c.reader = fg_reader_open(cli->files.items, cli->files.count, diag);
	status = format->run(&c);
	fg_progress_stop(diag->progress);
	diag->progress = NULL;
	fg_reader_close(c.reader);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	void *options = fg_xcalloc(1, format->options_size);
	const struct fg_opt_table table = { format->rows, options };
	struct fg_buf program = FG_BUF_INIT;
	struct fg_cli cli = {
		.usage = "[OPTION]... [FILE]...",
		.summary = format->summary,
		.footer = format->footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
	};
	int status;

	fg_buf_addf(&program, "collapse-%s", format->name);
	cli.program = fg_buf_cstr(&program);
	format->init(options, called_as(argc > 0 ? argv[0] : NULL));
	status = fg_cli_main(&cli, argc, argv, run);
	fg_buf_release(&program);
	format->release(options);
	free(options);
	return status;
}

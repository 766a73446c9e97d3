/* The program of one format: collapse-NAME, compiled with -DFG_FORMAT=NAME. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collapse/format.h"
#include "lib/progress.h"
#include "lib/xalloc.h"

#define PASTE(a, b) a##b
#define DESCRIPTOR(name) PASTE(fg_format_, name)

static const char *called_as(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	return slash ? slash + 1 : argv0 ? argv0 : "";
}

static int fold(const struct fg_format *format, const struct fg_cli *cli,
		struct fg_collapse *run)
{
	const struct fg_progress_plan plan = {
		.program = cli->program,
		.names = cli->files.items,
		.count = cli->files.count,
		.waiting = format->waiting,
	};
	int status;

	if (run->diag->verbosity > FG_QUIET)
		run->diag->progress = fg_progress_start(&plan);
	run->files = &cli->files;
	run->reader = fg_reader_open(cli->files.items, cli->files.count, run->diag);
	status = format->run(run);
	fg_progress_stop(run->diag->progress);
	run->diag->progress = NULL;
	fg_reader_close(run->reader);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	const struct fg_format *format = &DESCRIPTOR(FG_FORMAT);
	void *options = fg_xcalloc(1, format->options_size);
	const struct fg_opt_table table = { format->rows, options };
	struct fg_buf program = FG_BUF_INIT;
	struct fg_diag diag;
	struct fg_out out;
	struct fg_cli cli = {
		.usage = "[OPTION]... [FILE]...",
		.summary = format->summary,
		.footer = format->footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
	};
	struct fg_collapse run = { .out = &out, .diag = &diag, .options = options };
	int status = FG_EXIT_OK;

	fg_buf_addf(&program, "collapse-%s", format->name);
	cli.program = fg_buf_cstr(&program);
	fg_diag_init(&diag, cli.program);
	fg_out_init(&out, STDOUT_FILENO, "(standard output)", &diag);
	format->init(options, called_as(argc > 0 ? argv[0] : NULL));
	switch (fg_cli_parse(&cli, argc, argv, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		diag.verbosity = format->verbosity(options);
		status = format->check(options, &diag) ? FG_EXIT_USAGE :
							 fold(format, &cli, &run);
		break;
	}
	if (fg_out_close(&out) && status == FG_EXIT_OK)
		status = FG_EXIT_FAILED;
	fg_opt_list_release(&cli.files);
	fg_buf_release(&program);
	format->release(options);
	free(options);
	return status;
}

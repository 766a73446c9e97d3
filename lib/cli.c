/* All of main() that the programs share: where the output goes, and the exit status. */
#include "lib/cli.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/progress.h"
#include "lib/reader.h"
#include "lib/replace.h"
#include "lib/xalloc.h"

/* As cat does: a file that grows by what is read from it would have no end. */
static int check_inputs(const struct fg_cli *cli, int output, struct fg_diag *diag)
{
	size_t count = cli->files.count;
	const char *const *names = fg_reader_inputs(cli->files.items, &count);
	struct stat out, in;

	if (fstat(output, &out) || !S_ISREG(out.st_mode))
		return 0;
	for (size_t i = 0; i < count; i++) {
		bool is_stdin = !strcmp(names[i], "-");
		struct fg_place at = { fg_reader_input_name(names[i]), 0 };

		if (is_stdin ? fstat(STDIN_FILENO, &in) : stat(names[i], &in))
			continue; /* reported when it is read */
		if (in.st_size && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return fg_error(diag, &at, "the input is the output too");
	}
	return 0;
}

static bool has_written(int status)
{
	return status == FG_EXIT_OK || status == FG_EXIT_EXCEEDED;
}

/* Where standard output goes, or what becomes the file of --output. */
struct destination {
	int fd;
	const char *name;
};

/* Returns an enum fg_exit. */
static int run_into(struct destination to, const struct fg_cli *cli, fg_cli_run *run,
		    struct fg_diag *diag)
{
	struct fg_out out;
	int status;

	if (check_inputs(cli, to.fd, diag))
		return FG_EXIT_FAILED;
	fg_out_init(&out, to.fd, to.name, diag);
	status = run(cli, &out, diag);
	fg_progress_stop(diag->progress);
	diag->progress = NULL;
	if (fg_out_close(&out) && has_written(status))
		status = FG_EXIT_FAILED;
	return status;
}

static int run_into_file(const struct fg_cli *cli, fg_cli_run *run,
			 struct fg_diag *diag)
{
	struct fg_replacement file;
	int status;

	if (fg_replacement_open(&file, cli->output, diag))
		return FG_EXIT_FAILED;
	status = run_into((struct destination){ file.fd, cli->output }, cli, run, diag);
	if (!has_written(status))
		fg_replacement_abandon(&file);
	else if (fg_replacement_finish(&file))
		status = FG_EXIT_FAILED;
	return status;
}

int fg_cli_main(struct fg_cli *cli, int argc, char **argv, fg_cli_run *run)
{
	const struct destination standard = { STDOUT_FILENO, "(standard output)" };
	struct fg_diag diag;
	struct fg_out out;
	int status = FG_EXIT_OK;

	fg_xalloc_start();
	fg_diag_init(&diag, cli->program);
	fg_out_init(&out, standard.fd, standard.name, &diag);
	switch (fg_cli_parse(cli, argc, argv, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		if (cli->output && strcmp(cli->output, "-"))
			status = run_into_file(cli, run, &diag);
		else
			status = run_into(standard, cli, run, &diag);
		break;
	}
	if (fg_out_close(&out) && status == FG_EXIT_OK)
		status = FG_EXIT_FAILED;
	fg_opt_list_release(&cli->files);
	return status;
}

void fg_cli_watch(const struct fg_cli *cli, const char *waiting, struct fg_diag *diag)
{
	const struct fg_progress_plan plan = {
		.program = cli->program,
		.names = cli->files.items,
		.count = cli->files.count,
		.waiting = waiting,
	};

	if (diag->verbosity > FG_QUIET)
		diag->progress = fg_progress_start(&plan);
}

/* diff-folded: two folded profiles in, one differential profile out. */
#include <string.h>

#include "difffolded/diff.h"
#include "lib/cli.h"
#include "lib/compat.h"
#include "lib/optrows.h"
#include "lib/progress.h"
#include "lib/svgfile.h"

struct options {
	bool normalize;
	bool strip_hex;
	int compat; /* enum fg_compat */
	int verbosity;
};

#define OPTIONS struct options

static const struct fg_opt rows[] = {
	SECTION("Counts and names"),
	FLAG("normalize", normalize, "scale the counts before to the total after",
	     .letter = 'n'),
	FLAG("strip-hex", strip_hex, "replace addresses such as 0x1f2e by 0x...",
	     .letter = 's'),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default), perl or inferno: as difffolded.pl or "
	       "inferno-diff-folded"),
	SECTION("Messages"),
	COUNTER("quiet", verbosity, FG_QUIET,
		"print errors only: no warnings, no progress", .letter = 'q'),
	COUNTER("verbose", verbosity, FG_VERBOSE, "show lines that are ignored",
		.letter = 'v'),
	FG_OPT_END,
};

static const char footer[] =
	"One of the two files may be -, standard input. To see the result:\n"
	"  diff-folded before.folded after.folded | flamegraph > diff.svg";

static int check_files(const struct fg_opt_list *files, struct fg_diag *diag)
{
	if (files->count != 2)
		return fg_error(diag, NULL,
				"two files are needed, not %zu (see --help)",
				files->count);
	if (!strcmp(files->items[0], "-") && !strcmp(files->items[1], "-"))
		return fg_error(diag, NULL,
				"only one of the files can be standard input");
	return 0;
}

static int read_file(struct fg_diff *diff, const char *const *file, unsigned column)
{
	struct fg_reader *r = fg_reader_open(file, 1, diff->diag);
	int status;

	fg_reader_accept(r, &fg_svgfile_format);
	status = fg_diff_read(diff, r, fg_reader_input_name(*file), column);
	fg_reader_close(r);
	return status;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	const struct options *options = cli->tables->base;
	const char *const *files = cli->files.items;
	struct fg_diff_options what = { options->normalize, options->strip_hex,
					(enum fg_compat)options->compat };
	const struct fg_progress_plan plan = {
		.program = cli->program,
		.names = files,
		.count = 2,
	};
	struct fg_diff diff;
	int status;

	diag->verbosity = options->verbosity;
	if (check_files(&cli->files, diag))
		return FG_EXIT_USAGE;
	if (diag->verbosity > FG_QUIET)
		diag->progress = fg_progress_start(&plan);
	fg_diff_init(&diff, what, diag);
	status = read_file(&diff, &files[0], 0);
	if (!status)
		status = read_file(&diff, &files[1], 1);
	if (!status)
		status = fg_diff_write(&diff, out);
	fg_diff_release(&diff);
	fg_progress_stop(diag->progress);
	diag->progress = NULL;
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options options = {
		.compat = (int)fg_compat_called_as(argc > 0 ? argv[0] : NULL),
		.verbosity = FG_NORMAL,
	};
	const struct fg_opt_table table = { rows, &options };
	struct fg_cli cli = {
		.program = "diff-folded",
		.usage = "[-n] [-s] BEFORE AFTER",
		.summary =
			"Compares two folded profiles: writes stacks with both counts.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
	};

	return fg_cli_main(&cli, argc, argv, run);
}

/* diff-folded: two folded profiles in, one differential profile out. */
#include <stdlib.h>
#include <string.h>

#include "difffolded/options.h"
#include "lib/base/inputs.h"
#include "lib/svg/svgchild.h"
#include "lib/base/cli.h"
#include "lib/base/compat.h"
#include "lib/profile/folded_input.h"
#include "lib/base/progress.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/recognize.h"
#include "lib/recognize/structured.h"

static const char footer[] =
	"One of the two files may be -, standard input. To see the result:\n"
	"  diff-folded before.folded after.folded | flamegraph > diff.svg";

/* The files of one column. */
struct files {
	const char *const *names;
	size_t count;
};

static struct files list_files(const struct fg_opt_list *list)
{
	return (struct files){ list->items, list->count };
}

/*
 * Sets `files` to the two file arguments, or to the files of --before and --after.
 * Returns 0, or -1 after reporting.
 */
static int choose_files(const struct fg_cli *cli, struct files files[2],
			struct fg_diag *diag)
{
	const struct fg_diff_line *o = cli->tables->base;
	const struct fg_opt_list *list = &cli->files;
	size_t standard_inputs = 0;

	if (!o->before.count && !o->after.count) {
		if (list->count != 2)
			return fg_error(diag, NULL,
					"two files are needed, not %zu (see --help)",
					list->count);
		files[0] = (struct files){ &list->items[0], 1 };
		files[1] = (struct files){ &list->items[1], 1 };
	} else if (!o->before.count || !o->after.count || list->count) {
		return fg_error(diag, NULL,
				"--before and --after must both be given, and each "
				"file must follow one of them");
	} else {
		files[0] = list_files(&o->before);
		files[1] = list_files(&o->after);
	}
	for (unsigned column = 0; column < 2; column++)
		for (size_t i = 0; i < files[column].count; i++)
			standard_inputs += !strcmp(files[column].names[i], "-");
	if (standard_inputs > 1)
		return fg_error(diag, NULL,
				"only one of the files can be standard input");
	return 0;
}

static int read_files(struct fg_diff *diff, const struct files files[2])
{
	for (unsigned column = 0; column < 2; column++)
		for (size_t i = 0; i < files[column].count; i++) {
			const char *const *name = &files[column].names[i];
			struct fg_reader *r = fg_folded_input_open(name, 1, diff->diag);
			int status;

			fg_reader_accept(r, &fg_svgchild_format);
			fg_recognize_check_folded(r);
			fg_structured_accept(r);
			status = fg_diff_read(diff, r, fg_input_name(*name), column);
			fg_reader_close(r);
			if (status)
				return -1;
		}
	return 0;
}

static int compare(struct fg_diff_options what, const struct files files[2],
		   struct fg_out *out, struct fg_diag *diag)
{
	struct fg_diff diff;
	int status;

	fg_diff_init(&diff, what, diag);
	status = read_files(&diff, files);
	if (!status)
		status = fg_diff_write(&diff, out);
	fg_diff_release(&diff);
	return status;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	const struct fg_diff_line *o = cli->tables->base;
	struct files files[2] = { { NULL, 0 }, { NULL, 0 } };
	struct fg_progress_plan plan = { .program = cli->program };
	struct fg_diff_options what;
	const char **all;
	int status;

	diag->verbosity = o->verbosity;
	if (choose_files(cli, files, diag) || fg_diff_options_read(o, &what, diag))
		return FG_EXIT_USAGE;
	plan.count = files[0].count + files[1].count;
	all = fg_xcalloc(plan.count, sizeof(*all));
	for (size_t i = 0; i < plan.count; i++)
		all[i] = i < files[0].count ? files[0].names[i] :
					      files[1].names[i - files[0].count];
	plan.names = all;
	if (diag->verbosity > FG_QUIET)
		diag->progress = fg_progress_start(&plan);
	status = compare(what, files, out, diag);
	free(all);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct fg_diff_line options = {
		.compat = (int)fg_compat_called_as(argc > 0 ? argv[0] : NULL),
		.verbosity = FG_NORMAL,
	};
	const struct fg_opt_table table = { fg_diff_rows, &options };
	struct fg_cli cli = {
		.program = "diff-folded",
		.usage = "[OPTION]... BEFORE AFTER",
		.summary =
			"Compares two folded profiles: writes stacks with both counts.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
	};
	int status;

	status = fg_cli_main(&cli, argc, argv, run);
	fg_opts_release(fg_diff_rows, &options);
	return status;
}

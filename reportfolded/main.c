/* report-folded: folded stacks in; tables, trees, JSON and the gate of CI out. */
#include "lib/svg/svgchild.h"
#include "lib/base/cli.h"
#include "lib/profile/folded_input.h"
#include "lib/recognize/recognize.h"
#include "lib/recognize/structured.h"
#include "reportfolded/export.h"
#include "reportfolded/report.h"

static const char footer[] =
	"With no FILE, or if FILE is -, standard input is read. Two columns:\n"
	"  diff-folded before.folded after.folded | report-folded --max-growth 3%";

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	static const int statuses[] = {
		[FG_REPORT_WRITTEN] = FG_EXIT_OK,
		[FG_REPORT_FAILED] = FG_EXIT_FAILED,
		[FG_REPORT_EXCEEDED] = FG_EXIT_EXCEEDED,
		[FG_REPORT_UNSURE] = FG_EXIT_UNSURE,
	};
	struct fg_report_options *options = cli->tables->base;
	enum fg_report_result result;
	struct fg_reader *reader;

	diag->verbosity = options->verbosity;
	if (fg_report_options_check(options, diag))
		return FG_EXIT_USAGE;
	options->inputs = cli->files.items;
	options->input_count = cli->files.count;
	reader = fg_folded_input_open(cli->files.items, cli->files.count, diag);
	fg_reader_accept(reader, &fg_svgchild_format);
	fg_recognize_check_folded(reader);
	fg_structured_accept(reader);
	fg_cli_watch(cli, NULL, diag);
	if (fg_report_is_export(options))
		result = fg_export_run(options, reader, out, diag) ? FG_REPORT_FAILED :
								     FG_REPORT_WRITTEN;
	else
		result = fg_report_run(options, reader, out, diag);
	fg_reader_close(reader);
	return statuses[result];
}

int main(int argc, char **argv)
{
	struct fg_report_options options;
	const struct fg_opt_table table = { fg_report_option_rows, &options };
	struct fg_cli cli = {
		.program = "report-folded",
		.usage = "[OPTION]... [FILE]...",
		.summary = "Prints reports of folded stacks, and finds functions that "
			   "have grown.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = &table,
		.table_count = 1,
	};
	int status;

	fg_report_options_init(&options);
	status = fg_cli_main(&cli, argc, argv, run);
	fg_report_options_release(&options);
	return status;
}

/* filter-folded: folded stacks in; the wanted ones out, under new names if asked. */
#include "filterfolded/options.h"
#include "lib/svg/svgchild.h"
#include "lib/base/cli.h"
#include "lib/recognize/recognize.h"
#include "lib/recognize/structured.h"

static const char footer[] =
	"Several files are merged. With no FILE, or if FILE is -, standard input\n"
	"is read.\n"
	"  filter-folded --focus 'malloc|free' cpu.folded | flamegraph > alloc.svg";

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_choosing choosing;
	struct fg_reader *reader;
	int status;

	if (fg_choosing_init(&choosing, cli->data, diag)) {
		fg_choosing_release(&choosing);
		return FG_EXIT_USAGE;
	}
	fg_cli_watch(cli, NULL, diag);
	reader = fg_folded_input_open(cli->files.items, cli->files.count, diag);
	fg_reader_accept(reader, &fg_svgchild_format);
	fg_recognize_check_folded(reader);
	fg_structured_accept(reader);
	status = fg_choosing_run(&choosing, reader, out);
	fg_choosing_release(&choosing);
	fg_reader_close(reader);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct fg_choosing_options options = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = {
		{ fg_filter_rows, &options.filter },
		{ fg_filter_line_rows, &options.filter },
		{ fg_choosing_rows, &options },
	};
	struct fg_cli cli = {
		.program = "filter-folded",
		.usage = "[OPTION]... [FILE]...",
		.summary = "Chooses, renames and merges: reads folded stacks, writes "
			   "folded stacks.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = tables,
		.table_count = FG_COUNT_OF(tables),
		.data = &options,
	};
	int status = fg_cli_main(&cli, argc, argv, run);

	fg_opts_release(fg_filter_rows, &options.filter);
	return status;
}

/* flamegraph: folded stacks in, SVG out. */
#include "flamegraph/assets.h"
#include "flamegraph/graph.h"
#include "lib/cli.h"
#include "lib/folded_input.h"
#include "lib/sniff.h"

static const char footer[] =
	"Palettes: hot mem io red green blue yellow purple aqua orange wakeup chain\n"
	"java js perl python rust library.\n"
	"With no FILE, or where FILE is -, standard input is read.";

static int report_no_svg(struct fg_str bytes, const struct fg_place *at,
			 struct fg_diag *diag)
{
	const char *what = fg_sniff(bytes);

	return fg_error(diag, at, "this is not an SVG file%s%s", what ? ": " : "",
			what ? what : "");
}

/* Writes the folded stacks that were read from SVG files. */
static int extract(struct fg_reader *reader, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_place at = { NULL, 0 };
	struct fg_block block;
	int status;

	while ((status = fg_reader_block(reader, &block)) > 0) {
		at.input = block.input;
		if (!block.made)
			return report_no_svg(block.bytes, &at, diag);
		fg_out_add_str(out, block.bytes);
	}
	if (!status && !at.input)
		return fg_error(diag, NULL, "the input is empty");
	return status;
}

static int draw(struct fg_reader *reader, const struct fg_graph_options *options,
		struct fg_out *out, struct fg_diag *diag)
{
	enum fg_graph_result result;

	if (options->extract)
		return extract(reader, out, diag) ? FG_EXIT_FAILED : FG_EXIT_OK;
	result = fg_graph_draw(options, reader, out, diag);
	if (result == FG_GRAPH_EMPTY && options->compat != FG_COMPAT_INFERNO)
		return FG_EXIT_USAGE;
	return result == FG_GRAPH_DRAWN ? FG_EXIT_OK : FG_EXIT_FAILED;
}

static int read_files(const struct fg_cli *cli, const struct fg_graph_options *options,
		      struct fg_out *out, struct fg_diag *diag)
{
	struct fg_reader *reader =
		fg_folded_input_open(cli->files.items, cli->files.count, diag);
	int status;

	if (options->extract)
		fg_reader_refuse(reader, NULL);
	else
		fg_cli_watch(cli, NULL, diag);
	status = draw(reader, options, out, diag);
	fg_reader_close(reader);
	return status;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_graph_options *options = cli->tables->base;

	diag->verbosity = options->verbosity;
	if (options->csp) {
		fg_out_addf(out, "script-src '%s'; style-src '%s' '%s'\n",
			    fg_asset_viewer_js_hash, fg_asset_theme_css_hash,
			    fg_asset_viewer_css_hash);
		return FG_EXIT_OK;
	}
	if (fg_graph_options_check(options, diag))
		return FG_EXIT_USAGE;
	return read_files(cli, options, out, diag);
}

int main(int argc, char **argv)
{
	struct fg_graph_options options;
	const struct fg_opt_table tables[] = {
		{ fg_graph_option_rows, &options },
		{ fg_filter_rows, &options.filter },
	};
	struct fg_cli cli = {
		.program = "flamegraph",
		.usage = "[OPTION]... [FILE]...",
		.summary = "Draws folded stacks as a flame graph, an SVG that can be "
			   "zoomed and searched.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = tables,
		.table_count = FG_COUNT_OF(tables),
	};
	int status;

	fg_graph_options_init(&options);
	options.compat = (int)fg_compat_called_as(argc > 0 ? argv[0] : NULL);
	status = fg_cli_main(&cli, argc, argv, run);
	fg_graph_options_release(&options);
	return status;
}

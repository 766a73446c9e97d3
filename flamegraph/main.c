/* flamegraph: folded stacks in, SVG out. */
#include <string.h>
#include <unistd.h>

#include "flamegraph/options.h"
#include "flamegraph/assets.h"
#include "flamegraph/draw.h"
#include "flamegraph/palette_map.h"
#include "lib/base/cli.h"
#include "lib/profile/folded_input.h"
#include "lib/svg/svgchild.h"
#include "lib/recognize/recognize.h"
#include "lib/recognize/structured.h"

/* The most characters in a line of --help. */
#define HELP_WIDTH 76

/* Makes the last paragraph of --help, which lists the palettes. */
static const char *make_footer(struct fg_buf *footer)
{
	size_t line = 0;

	fg_buf_add_str(footer, FG_STR("Palettes:"));
	for (size_t i = 0; fg_palette_names[i]; i++) {
		struct fg_str name = fg_str_from(fg_palette_names[i]);
		bool fits = footer->len + 1 + name.len <= line + HELP_WIDTH;

		fg_buf_add_char(footer, fits ? ' ' : '\n');
		if (!fits)
			line = footer->len;
		fg_buf_add_str(footer, name);
	}
	fg_buf_add_str(footer,
		       FG_STR(".\nWith no FILE, or if FILE is -, standard input "
			      "is read."));
	return fg_buf_cstr(footer);
}

static int draw(struct fg_reader *reader, const struct fg_graph_args *args,
		struct fg_out *out, struct fg_diag *diag)
{
	enum fg_graph_result result;

	if (args->extract)
		return fg_extract(reader, &args->range, out, diag) ? FG_EXIT_FAILED :
								     FG_EXIT_OK;
	result = fg_graph_draw(&args->options, reader, out, diag);
	if (result == FG_GRAPH_EMPTY && args->options.compat != FG_COMPAT_INFERNO)
		return FG_EXIT_USAGE;
	return result == FG_GRAPH_DRAWN ? FG_EXIT_OK : FG_EXIT_FAILED;
}

/* Warns that the files become one profile, and tells how to compare them. */
static void warn_of_sum(const struct fg_opt_list *files, struct fg_diag *diag)
{
	struct fg_buf names = FG_BUF_INIT;

	for (size_t i = 0; i < 2; i++) {
		fg_buf_add_char(&names, ' ');
		fg_buf_add_visible(&names, fg_str_from(files->items[i]), FG_QUOTED_MAX);
	}
	fg_warn(diag, NULL,
		"the profiles of %zu files are added up; to compare two: "
		"diff-folded -n%s | flamegraph",
		files->count, fg_buf_cstr(&names));
	fg_buf_release(&names);
}

static int read_files(const struct fg_cli *cli, const struct fg_graph_args *args,
		      struct fg_out *out, struct fg_diag *diag)
{
	const struct fg_opt_list *files = &cli->files;
	struct fg_reader *reader;
	size_t pictures;
	int status;

	if (args->extract) {
		reader = fg_reader_open(files->items, files->count, diag);
		fg_recognize_check(reader, NULL);
	} else {
		reader = fg_folded_input_open(files->items, files->count, diag);
		fg_recognize_check_folded(reader);
		fg_structured_accept(reader);
		fg_cli_watch(cli, NULL, diag);
	}
	fg_reader_accept(reader, &fg_svgchild_format);
	status = draw(reader, args, out, diag);
	/*
	 * a user hardly wants the sum of several pictures, or of several files with
	 * --diff
	 */
	pictures = fg_reader_inputs_of(reader, &fg_svgchild_format);
	if (!args->extract && files->count > 1 && (pictures > 1 || args->options.diff))
		warn_of_sum(files, diag);
	fg_reader_close(reader);
	return status;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_graph_args *args = cli->tables->base;

	diag->verbosity = args->verbosity;
	if (args->csp) {
		fg_out_addf(out,
			    "script-src '%s' '%s' '%s' '%s' '%s'; "
			    "style-src '%s' '%s' '%s' '%s'\n",
			    fg_asset_viewer_js_hash, fg_asset_small_js_hash,
			    fg_asset_profiles_js_hash, fg_asset_heat_js_hash,
			    fg_asset_chart_js_hash, fg_asset_theme_css_hash,
			    fg_asset_viewer_css_hash, fg_asset_small_css_hash,
			    fg_asset_dark_css_hash);
		return FG_EXIT_OK;
	}
	if (fg_graph_args_check(args, diag))
		return FG_EXIT_USAGE;
	if (args->options.cp && fg_palette_map_check(cli->output, diag))
		return FG_EXIT_FAILED;
	return read_files(cli, args, out, diag);
}

/* Options of cargo-flamegraph that are not about drawing. */
static const char *const recorder_options[] = {
	"-F",	     "--freq",	      "-p",	      "--pid",	   "--cmd",
	"--root",    "--open",	      "--perfdata",   "--bin",	   "--bench",
	"--example", "--test",	      "--unit-test",  "--package", "--release",
	"--dev",     "--profile",     "--skip-after", "--palette", "--min-width",
	"--event",   "--image-width",
};

static bool is_recorder_option(const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < FG_COUNT_OF(recorder_options); i++)
		if (strlen(recorder_options[i]) == len &&
		    !strncmp(word, recorder_options[i], len))
			return true;
	return false;
}

/*
 * Tells the user which program records, if the command line is one for
 * cargo-flamegraph, which also installs a program called flamegraph: it has an option
 * of a recorder, or a command after "--" that is not a file in this directory. Call
 * this after a run that failed.
 */
static void hint_at_recorder(int argc, char **argv, struct fg_diag *diag)
{
	bool records = false;
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		records |= is_recorder_option(argv[i]);
	if (i + 1 < argc)
		records |= access(argv[i + 1], F_OK) != 0;
	if (records)
		fg_warn(diag, NULL,
			"flamegraph draws folded stacks and records nothing; to record "
			"and draw: flame -- COMMAND");
}

int main(int argc, char **argv)
{
	struct fg_buf footer = FG_BUF_INIT;
	struct fg_graph_args args;
	const struct fg_opt_table tables[] = {
		{ fg_graph_rows, &args },
		{ fg_filter_rows, &args.filter },
		{ fg_filter_line_rows, &args.filter },
	};
	struct fg_cli cli = {
		.program = "flamegraph",
		.usage = "[OPTION]... [FILE]...",
		.summary = "Draws folded stacks as a flame graph, an SVG that can be "
			   "zoomed and searched.",
		.footer = make_footer(&footer),
		.version = FG_VERSION,
		.tables = tables,
		.table_count = FG_COUNT_OF(tables),
	};
	int status;

	fg_graph_args_init(&args);
	args.options.compat = (int)fg_compat_called_as(argc > 0 ? argv[0] : NULL);
	status = fg_cli_main(&cli, argc, argv, run);
	if (status != FG_EXIT_OK) {
		struct fg_diag diag;

		fg_diag_init(&diag, cli.program);
		hint_at_recorder(argc, argv, &diag);
	}
	fg_graph_args_release(&args);
	fg_buf_release(&footer);
	return status;
}

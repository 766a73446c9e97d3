/* filter-folded: folded stacks in, those that are wanted out, under other names. */
#include "filterfolded/profile.h"
#include "filterfolded/prune.h"
#include "lib/cli.h"
#include "lib/folded_input.h"
#include "lib/optrows.h"

struct options {
	bool reverse;
	uint64_t top; /* 0: all */
	double min_percent;
	int verbosity;
	struct fg_filter_options filter; /* set by fg_filter_rows */
};

#define OPTIONS struct options

static const struct fg_opt rows[] = {
	SECTION("The profile as a whole"),
	FLAG("reverse", reverse, "turn stacks round: the leaf comes first"),
	REAL("min-percent", min_percent,
	     "leave out frames of less than N %; their callers get the counts"),
	UINT("top", top, "the N stacks with the highest counts; the rest is [other]"),

	SECTION("Messages"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

static const char footer[] =
	"Several files are merged. With no FILE, or where FILE is -, standard input\n"
	"is read.\n"
	"  filter-folded --focus 'malloc|free' cpu.folded | flamegraph > alloc.svg";

static int filter(struct fg_reader *reader, const struct options *o,
		  struct fg_filter *stacks, struct fg_out *out, struct fg_diag *diag)
{
	struct fg_profile profile;
	int status;

	fg_profile_init(&profile, stacks, diag);
	profile.reverse = o->reverse;
	status = fg_profile_read(&profile, reader);
	if (!status) {
		if (o->min_percent > 0)
			fg_prune_percent(&profile.tree, o->min_percent);
		if (o->top)
			fg_prune_top(&profile.tree, o->top);
		status = fg_profile_write(&profile, out);
		fg_filter_report(stacks);
	}
	fg_profile_release(&profile);
	return status;
}

static int run(const struct fg_cli *cli, struct fg_out *out, struct fg_diag *diag)
{
	const struct options *o = cli->data;
	struct fg_filter *stacks = NULL;
	struct fg_reader *reader;
	int status;

	diag->verbosity = o->verbosity;
	if (o->min_percent > 100) {
		fg_error(diag, NULL, "--min-percent takes a number from 0 to 100");
		return FG_EXIT_USAGE;
	}
	if (fg_filter_new(&o->filter, NULL, diag, &stacks)) {
		fg_filter_free(stacks);
		return FG_EXIT_USAGE;
	}
	fg_cli_watch(cli, NULL, diag);
	reader = fg_folded_input_open(cli->files.items, cli->files.count, diag);
	status = filter(reader, o, stacks, out, diag);
	fg_reader_close(reader);
	fg_filter_free(stacks);
	return status ? FG_EXIT_FAILED : FG_EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options options = { .verbosity = FG_NORMAL };
	const struct fg_opt_table tables[] = {
		{ fg_filter_rows, &options.filter },
		{ rows, &options },
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

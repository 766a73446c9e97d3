/*
 * cargo-flame: `cargo flame` builds a program of a crate with debug info and frame
 * pointers, and runs it under flame.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flame/args.h"
#include "flame/cargo/crate.h"
#include "flame/cargo/rustflags.h"
#include "flame/options.h"
#include "flame/own.h"
#include "flame/quote.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/* ---- the command line */

enum profile { PROFILE_NONE, PROFILE_RELEASE, PROFILE_DEV };

struct options {
	/* the arguments of the options that choose a program, by enum fg_run_kind */
	struct fg_opt_list programs[FG_RUN_KINDS];
	int unit_kind; /* an enum fg_unit_kind */
	struct fg_opt_list packages, features;
	int standard_profile; /* an enum profile */
	const char *profile;
	const char *target;
	bool all_features, no_default_features;
	const char *manifest;
};

static const char *const unit_kinds[] = {
	[FG_UNIT_LIB] = "lib",
	[FG_UNIT_BIN] = "bin",
	NULL,
};

#define OPTIONS struct options
#include "lib/base/optrows.h"

static const struct fg_opt rows[] = {
	SECTION("What to run (default the only program, or default-run)"),
	LIST("bin", programs[FG_RUN_BIN], "NAME", "a program", .letter = 'b'),
	LIST("example", programs[FG_RUN_EXAMPLE], "NAME", "an example"),
	LIST("test", programs[FG_RUN_TEST], "NAME", "an integration test"),
	LIST("bench", programs[FG_RUN_BENCH], "NAME", "a benchmark"),
	MAYBE_NEXT("unit-test", programs[FG_RUN_UNIT_TEST], "NAME",
		   "the unit tests of the library or a program"),
	MAYBE_NEXT("unit-bench", programs[FG_RUN_UNIT_BENCH], "NAME",
		   "the benchmarks among them"),
	CHOICE("unit-test-kind", unit_kind, "KIND", unit_kinds,
	       "only those of the library (lib) or a program (bin)"),
	LIST("package", packages, "NAME", "a program of this package", .letter = 'p'),

	SECTION("How to build it"),
	SET("release", standard_profile, PROFILE_RELEASE,
	    "with optimisation (the default)"),
	SET("dev", standard_profile, PROFILE_DEV, "with the profile dev"),
	TEXT("profile", profile, "NAME", "with this profile"),
	TEXT("target", target, "TRIPLE", "for this target"),
	LIST("features", features, "LIST", "with these features", .letter = 'f'),
	FLAG("all-features", all_features, "with all features"),
	FLAG("no-default-features", no_default_features, "without the default ones"),
	TEXT("manifest-path", manifest, "FILE", "the crate's Cargo.toml"),
	FG_OPT_END,
};

/* A run of cargo-flame. */
struct run {
	const struct fg_cli *cli;
	struct fg_diag *diag;
	struct options options;
	struct fg_flame_options of_flame;
	struct fg_opt_given_list given; /* the options of flame that were given */

	const char *profile;
	struct fg_choice choice;
	bool no_kind; /* no option chooses a program */
	struct fg_buf flame; /* the path of flame */
	struct fg_crate declared; /* the targets in cargo's metadata */
	struct fg_crate built;
};

/* Reports a wrong command line. */
#define MISUSE(r, format, ...) \
	fg_error((r)->diag, NULL, format " (see cargo flame --help)", __VA_ARGS__)

/*
 * Sets the choice from the options that name a program. Several of them are an error.
 */
static int choose_kind(struct run *r)
{
	const struct fg_opt_list *programs = r->options.programs;
	bool found = false;

	r->choice =
		(struct fg_choice){ .kind = FG_RUN_BIN,
				    .unit = (enum fg_unit_kind)r->options.unit_kind };
	if (r->choice.unit != FG_UNIT_ANY && !programs[FG_RUN_UNIT_BENCH].count) {
		r->choice.kind = FG_RUN_UNIT_TEST;
		found = !programs[FG_RUN_UNIT_TEST].count;
	}
	for (int kind = 0; kind < FG_RUN_KINDS; kind++)
		for (size_t i = 0; i < programs[kind].count; i++) {
			const char *name = programs[kind].items[i];

			if (found)
				return MISUSE(r, "--%s and --%s do not go together",
					      fg_run_kind_names[r->choice.kind],
					      fg_run_kind_names[kind]);
			found = true;
			r->choice.kind = (enum fg_run_kind)kind;
			r->choice.name = *name ? name : NULL;
		}
	r->no_kind = !found;
	return 0;
}

static bool is_of_profile(char c)
{
	return fg_is_word(c) || c == '-';
}

static int choose_profile(struct run *r)
{
	static const char *const names[] = {
		[PROFILE_NONE] = "release",
		[PROFILE_RELEASE] = "release",
		[PROFILE_DEV] = "dev",
	};
	const struct options *o = &r->options;

	r->profile = names[o->standard_profile];
	if (!o->profile)
		return 0;
	if (o->standard_profile != PROFILE_NONE)
		return MISUSE(r, "--profile and --%s do not go together", r->profile);
	r->profile = o->profile;
	if (!fg_str_all(fg_str_from(r->profile), is_of_profile))
		return MISUSE(r, "--profile takes a name, not '%s'", r->profile);
	return 0;
}

/* Checks the options. Returns -1 after reporting. */
static int check_options(struct run *r)
{
	const struct fg_opt_list *words = &r->cli->files;

	r->diag->verbosity = r->of_flame.quiet ? FG_QUIET : FG_NORMAL;
	if (choose_kind(r) || choose_profile(r))
		return -1;
	/* the README of cargo-flamegraph has `--unit-test --dev test::name` */
	if (words->count && !r->cli->has_dashes && !fg_run_is_unit(r->choice.kind))
		return MISUSE(r,
			      "'%s' is no option; arguments of the program come "
			      "after --",
			      words->items[0]);
	return 0;
}

/* ---- flame */

/* Adds the options of flame that were given. */
static void add_flame_options(const struct run *r, struct fg_args *a)
{
	for (size_t i = 0; i < r->given.count; i++) {
		const struct fg_opt *row = r->given.items[i].row;
		const char *value = r->given.items[i].value;

		if (row->kind == FG_OPT_REST && value)
			fg_args_add(a, value);
		else if (!value || (row->kind == FG_OPT_MAYBE && !*value))
			fg_args_addf(a, "--%s", row->name);
		else
			fg_args_addf(a, "--%s=%s", row->name, value);
	}
	fg_args_add(a, "--");
}

/* Appends `text`, with `to` in place of `from`. */
static void add_replaced(struct fg_buf *b, struct fg_str text, struct fg_str from,
			 struct fg_str to)
{
	for (size_t at; (at = fg_str_find(text, from)) < text.len;) {
		fg_buf_add_str(b, fg_str_before(text, at));
		fg_buf_add_str(b, to);
		text = fg_str_from_pos(text, at + from.len);
	}
	fg_buf_add_str(b, text);
}

/* Shows messages of flame in our name. */
static void show_messages(struct fg_str messages)
{
	struct fg_buf shown = FG_BUF_INIT;

	while (messages.len) {
		struct fg_str line = fg_str_cut(&messages, '\n');

		if (fg_str_cut_start(&line, FG_STR("flame: ")))
			fg_buf_add_str(&shown, FG_STR("cargo-flame: "));
		add_replaced(&shown, line, FG_STR("(see flame --help)"),
			     FG_STR("(see cargo flame --help)"));
		fg_buf_add_char(&shown, '\n');
	}
	fg_io_write_all(STDERR_FILENO, shown.ptr, shown.len);
	fg_buf_release(&shown);
}

/*
 * Asks flame if it accepts its options and can record here, before the build, which may
 * take minutes. Returns the exit status of flame.
 */
static int check_flame(struct run *r)
{
	struct fg_args a = FG_ARGS_INIT;
	struct fg_ask ask = { .stream = FG_ASK_ERRORS };
	struct fg_buf messages = FG_BUF_INIT;
	int status = FG_EXIT_FAILED;

	if (!fg_find_own("flame", &r->flame, r->diag)) {
		fg_args_add(&a, fg_buf_cstr(&r->flame));
		fg_args_add(&a, "-q");
		fg_args_add(&a, "--dry-run");
		add_flame_options(r, &a);
		fg_args_add(&a, "true");
		ask.args = (const char *const *)a.items;
		status = fg_ask(&ask, &messages);
		if (status && !messages.len) {
			fg_error(r->diag, NULL, "%s cannot be run", a.items[0]);
			status = FG_EXIT_FAILED;
		} else if (status) {
			show_messages(fg_buf_str(&messages));
		}
	}
	fg_buf_release(&messages);
	fg_args_release(&a);
	return status;
}

/* ---- cargo */

static const char *cargo(void)
{
	const char *name = getenv("CARGO");

	return name && *name ? name : "cargo";
}

static void add_list(struct fg_args *a, const char *option, const struct fg_opt_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		fg_args_add(a, option);
		fg_args_add(a, l->items[i]);
	}
}

static void add_option(struct fg_args *a, const char *option, const char *value)
{
	const struct fg_opt_list list = { .items = &value, .count = value != NULL };

	add_list(a, option, &list);
}

/*
 * Reads the targets of the crate. If there are several programs, or none, ends the run
 * before the build: returns -1 after reporting.
 */
static int check_targets(struct run *r)
{
	struct fg_args a = FG_ARGS_INIT;
	struct fg_buf metadata = FG_BUF_INIT;
	struct fg_ask ask = { .stream = FG_ASK_OUTPUT };
	bool is_listed = r->no_kind || r->choice.kind == FG_RUN_UNIT_TEST;
	const char *default_run;
	int status = 0;

	if (!is_listed)
		return 0;
	fg_args_add(&a, cargo());
	fg_args_add(&a, "metadata");
	fg_args_add(&a, "--no-deps");
	add_option(&a, "--format-version", "1");
	add_option(&a, "--manifest-path", r->options.manifest);
	ask.args = (const char *const *)a.items;
	if (!fg_ask(&ask, &metadata)) {
		default_run = fg_crate_read_metadata(
			&r->declared, fg_buf_str(&metadata), &r->options.packages);
		if (r->no_kind)
			r->choice.name = default_run;
		if (r->declared.count &&
		    !fg_crate_choose(&r->declared, &r->choice, r->diag))
			status = -1;
	}
	fg_buf_release(&metadata);
	fg_args_release(&a);
	return status;
}

/* Returns true if `cargo bench` builds the program, with the profile bench. */
static bool is_bench(const struct run *r)
{
	return (r->choice.kind == FG_RUN_BENCH ||
		r->choice.kind == FG_RUN_UNIT_BENCH) &&
	       !strcmp(r->profile, "release");
}

/* Adds the command that builds the program. */
static void add_build(const struct run *r, struct fg_args *a)
{
	const struct options *o = &r->options;

	fg_args_add(a, cargo());
	if (is_bench(r)) {
		fg_args_add(a, "bench");
		fg_args_add(a, "--no-run");
	} else {
		fg_args_add(a, "build");
		add_option(a, "--profile", r->profile);
	}
	add_list(a, "--package", &o->packages);
	add_list(a, "--features", &o->features);
	if (o->all_features)
		fg_args_add(a, "--all-features");
	if (o->no_default_features)
		fg_args_add(a, "--no-default-features");
	add_option(a, "--manifest-path", o->manifest);
	add_option(a, "--target", o->target);
	if (r->choice.kind == FG_RUN_UNIT_TEST)
		fg_args_add(a, "--tests");
	else if (r->choice.kind == FG_RUN_UNIT_BENCH && !is_bench(r))
		fg_args_add(a, "--benches");
	for (int kind = FG_RUN_BIN; kind < FG_RUN_KINDS; kind++)
		for (size_t i = 0; i < o->programs[kind].count; i++) {
			fg_args_addf(a, "--%s", fg_run_kind_names[kind]);
			fg_args_add(a, o->programs[kind].items[i]);
		}
}

static void add_profile_variables(const char *profile, struct fg_args *variables)
{
	struct fg_buf prefix = FG_BUF_INIT;

	for (; *profile; profile++)
		fg_buf_add_char(&prefix, *profile >= 'a' && *profile <= 'z' ?
						 (char)(*profile - 'a' + 'A') :
					 *profile == '-' ? '_' :
							   *profile);
	fg_args_addf(variables, "CARGO_PROFILE_%s_DEBUG=true", fg_buf_cstr(&prefix));
	fg_args_addf(variables, "CARGO_PROFILE_%s_STRIP=false", fg_buf_cstr(&prefix));
	fg_buf_release(&prefix);
}

/*
 * Adds the variables that make cargo build with frame pointers and debug info. If its
 * configuration has rustflags, we only warn: RUSTFLAGS would replace them, and make
 * another program.
 */
static void add_variables(struct run *r, struct fg_args *variables)
{
	static const char frames[] = "-C force-frame-pointers=yes";
	const char *flags = getenv("RUSTFLAGS");
	const char *encoded = getenv("CARGO_ENCODED_RUSTFLAGS");
	struct fg_buf source = FG_BUF_INIT;

	add_profile_variables(is_bench(r) ? "bench" : r->profile, variables);
	if (encoded && *encoded)
		fg_args_addf(variables,
			     "CARGO_ENCODED_RUSTFLAGS=%s\037-C\037"
			     "force-frame-pointers=yes",
			     encoded);
	else if (flags && *flags)
		fg_args_addf(variables, "RUSTFLAGS=%s %s", flags, frames);
	else if (!fg_rustflags_find(r->options.target, &source))
		fg_args_addf(variables, "RUSTFLAGS=%s", frames);
	else
		fg_warn(r->diag, NULL,
			"%s has rustflags, which RUSTFLAGS would replace: add %s to "
			"them, or use --call-graph dwarf",
			fg_buf_cstr(&source), frames);
	fg_buf_release(&source);
}

/* Prints the command that builds the program. */
static void show_build(const struct fg_args *variables, const struct fg_args *command)
{
	struct fg_buf text = FG_BUF_INIT;

	for (size_t i = 0; i < variables->count; i++) {
		const char *value = strchr(variables->items[i], '=') + 1;
		size_t length = (size_t)(value - variables->items[i]);

		fg_buf_add(&text, variables->items[i], length);
		fg_quote(&text, value);
		fg_buf_add_char(&text, ' ');
	}
	fg_quote_all(&text, (const char *const *)command->items, command->count);
	fg_buf_add_char(&text, '\n');
	fg_io_write_all(STDERR_FILENO, text.ptr, text.len);
	fg_buf_release(&text);
}

/*
 * Builds the crate, and reads what cargo has built. Returns -1 after reporting; the
 * errors of the compiler are shown, too.
 */
static int build(struct run *r)
{
	struct fg_args variables = FG_ARGS_INIT, command = FG_ARGS_INIT;
	struct fg_buf messages = FG_BUF_INIT, path = FG_BUF_INIT;
	struct fg_ask ask = { .stream = FG_ASK_OUTPUT, .shows_errors = true };
	int status = 0;

	add_variables(r, &variables);
	add_build(r, &command);
	if (r->of_flame.verbose || r->of_flame.dry_run)
		show_build(&variables, &command);
	fg_args_add(&command, "--message-format=json-render-diagnostics");
	ask.args = (const char *const *)command.items;
	ask.variables = (const char *const *)variables.items;
	if (!fg_find_program(cargo(), &path))
		status = fg_error(r->diag, NULL, "%s: there is no such command",
				  cargo());
	else if (fg_ask(&ask, &messages))
		status = fg_error(r->diag, NULL, "cargo could not build it");
	fg_crate_read_messages(&r->built, fg_buf_str(&messages));
	fg_buf_release(&path);
	fg_buf_release(&messages);
	fg_args_release(&variables);
	fg_args_release(&command);
	return status;
}

/* ---- main */

/* Runs flame in our place. Returns only if that fails. */
static int run_flame(struct run *r, const struct fg_target *program)
{
	struct fg_args a = FG_ARGS_INIT;
	struct fg_buf file = FG_BUF_INIT;

	fg_args_add(&a, fg_buf_cstr(&r->flame));
	add_flame_options(r, &a);
	fg_buf_add_str(&file, program->file);
	fg_args_add(&a, fg_buf_cstr(&file));
	/* cargo bench passes --bench to its harness */
	if (r->choice.kind == FG_RUN_UNIT_BENCH)
		fg_args_add(&a, "--bench");
	fg_args_add_all(&a, r->cli->files.items, r->cli->files.count);
	execv(a.items[0], a.items);
	fg_error(r->diag, NULL, "cannot run %s: %s", a.items[0], strerror(errno));
	fg_buf_release(&file);
	fg_args_release(&a);
	return FG_EXIT_FAILED;
}

/* Returns the exit status, unless flame takes our place. */
static int run(struct run *r)
{
	const struct fg_target *program;
	int status;

	if (check_options(r))
		return FG_EXIT_USAGE;
	status = check_flame(r);
	if (status)
		return status;
	if (check_targets(r) || build(r))
		return FG_EXIT_FAILED;
	program = fg_crate_choose(&r->built, &r->choice, r->diag);
	return program ? run_flame(r, program) : FG_EXIT_FAILED;
}

static const char footer[] =
	"All other options are those of flame, such as -F, -o, --open, --call-graph.";

/* Cargo passes the name of the subcommand as the first argument. */
static bool is_subcommand(int argc, char **argv)
{
	return argc > 1 &&
	       (!strcmp(argv[1], "flame") || !strcmp(argv[1], "flamegraph"));
}

int main(int argc, char **argv)
{
	struct fg_diag diag;
	struct fg_out out;
	struct run r = { .options = { .unit_kind = FG_UNIT_ANY }, .diag = &diag };
	const struct fg_opt_table tables[] = {
		{ rows, &r.options },
		{ fg_flame_rows, &r.of_flame },
	};
	struct fg_cli cli = {
		.program = "cargo-flame",
		.called = "cargo flame",
		.usage = "[OPTION]... [-- ARGUMENT...]",
		.summary = "Builds a program of a crate with debug info and frame "
			   "pointers, runs it with the\narguments, and draws a flame "
			   "graph of it.",
		.footer = footer,
		.version = FG_VERSION,
		.tables = tables,
		.table_count = FG_COUNT_OF(tables),
		.takes_command = true,
		.passed_on = &r.given,
	};
	int skipped = is_subcommand(argc, argv);
	int status = FG_EXIT_OK;

	fg_xalloc_start();
	fg_diag_init(&diag, cli.program);
	fg_out_init(&out, STDOUT_FILENO, "(standard output)", &diag);
	r.cli = &cli;
	switch (fg_cli_parse(&cli, argc - skipped, argv + skipped, &out, &diag)) {
	case FG_CLI_USAGE:
		status = FG_EXIT_USAGE;
		break;
	case FG_CLI_DONE:
		break;
	case FG_CLI_RUN:
		status = run(&r);
		break;
	}
	if (fg_out_close(&out) && !status)
		status = FG_EXIT_FAILED;
	fg_crate_release(&r.declared);
	fg_crate_release(&r.built);
	fg_buf_release(&r.flame);
	fg_opts_release(rows, &r.options);
	fg_opts_release(fg_flame_rows, &r.of_flame);
	fg_opt_given_list_release(&r.given);
	fg_opt_list_release(&cli.files);
	return status;
}

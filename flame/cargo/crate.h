/*
 * The targets of a crate: the programs that cargo can build, and the choice among them.
 *
 * Before the build, `cargo metadata` lists the targets of all packages of the
 * workspace. We use that to refuse a wrong choice early, because a build may take
 * minutes. After the build, cargo's messages list the files that it has made.
 */
#ifndef FG_FLAME_CARGO_CRATE_H
#define FG_FLAME_CARGO_CRATE_H

#include "lib/base/arena.h"
#include "lib/base/diag.h"
#include "lib/base/opts.h"

/* Kinds of programs. */
enum fg_run_kind {
	FG_RUN_UNIT_TEST, /* the unit tests within a library or program */
	FG_RUN_UNIT_BENCH, /* the benchmarks among the unit tests */
	FG_RUN_BIN,
	FG_RUN_EXAMPLE,
	FG_RUN_TEST,
	FG_RUN_BENCH,
	FG_RUN_KINDS,
};

/* The options that choose a kind, without dashes. */
extern const char *const fg_run_kind_names[FG_RUN_KINDS];

/* Values of --unit-test-kind. */
enum fg_unit_kind { FG_UNIT_ANY = -1, FG_UNIT_LIB, FG_UNIT_BIN };

/* Returns true for the kinds that are part of a library or program. */
bool fg_run_is_unit(enum fg_run_kind kind);

/* The program that the user wants. */
struct fg_choice {
	enum fg_run_kind kind;
	const char *name; /* NULL: any */
	enum fg_unit_kind unit;
};

struct fg_target {
	struct fg_str kind; /* cargo's word: bin, lib, proc-macro, test, ... */
	struct fg_str name;
	struct fg_str file; /* the program, or empty if it is not built */
	bool is_test; /* it contains the unit tests of the target */
};

/* A zeroed struct is empty. */
struct fg_crate {
	struct fg_target *targets;
	size_t count, alloc;
	struct fg_arena text;
};

void fg_crate_release(struct fg_crate *c);

/*
 * Reads the output of `cargo metadata --no-deps`. Adds the targets that cargo would
 * build of the packages with the names in `packages` or, if that is empty, of the
 * packages that are built by default. Returns the default-run of these packages if
 * exactly one has it, else NULL; c->text owns it.
 *
 * Adds no targets if the metadata cannot tell which ones are built, because one of them
 * requires a feature.
 */
const char *fg_crate_read_metadata(struct fg_crate *c, struct fg_str metadata,
				   const struct fg_opt_list *packages);

/*
 * Reads the messages of `cargo build --message-format=json`, one in a line, and adds
 * the programs that were built. Other lines are skipped, because a macro may print
 * while it is compiled.
 */
void fg_crate_read_messages(struct fg_crate *c, struct fg_str messages);

/* Returns the target that `choice` means, or NULL after an error message. */
const struct fg_target *fg_crate_choose(const struct fg_crate *c,
					const struct fg_choice *choice,
					struct fg_diag *diag);

#endif

/*
 * One run of flame: what the user wants, and what we found out about the machine and
 * the program. The steps of main.c fill it in, in this order; later steps read it.
 *
 * A step that cannot go on reports why and returns the exit status, else 0.
 */
#ifndef FG_FLAME_FLAME_H
#define FG_FLAME_FLAME_H

#include "flame/args.h"
#include "flame/checks.h"
#include "flame/options.h"

enum fg_recorder {
	FG_RECORDER_OURS, /* record-perf */
	FG_RECORDER_PERF,
	FG_RECORDER_XCTRACE,
	FG_RECORDER_DTRACE,
};

struct fg_flame {
	struct fg_flame_options o;
	struct fg_diag *diag;
	struct fg_out *out; /* for --dry-run */

	enum fg_recorder recorder;
	bool as_root; /* the recorder runs as root */
	struct fg_args sudo; /* sudo and its options; empty: not needed */
	struct fg_args names; /* owns the names below, as one types them */
	const char *record_perf, *collapse_perf, *flamegraph, *diff_folded;
	const char *report_folded;

	struct fg_args given; /* options of the user for the collapser */
	struct fg_args collapse; /* all of its options, except `waits` */
	struct fg_args waits; /* its options for --off-cpu and --wall */
	struct fg_args draw; /* options of the user for flamegraph */
	const char *palette; /* the palette for --off-cpu and --wall, or NULL */
	struct fg_buf title; /* the heading that we chose; empty: none */

	struct fg_buf tmp; /* the folder of temporary files, which need not exist yet */

	/* One recording: */
	struct fg_target target;
	/* fg_flame_options.call_graph or our choice; NULL: perf's -c chooses */
	const char *call_graph;
	unsigned rate; /* samples a second, unless the user gave one */
	struct fg_args events; /* -e EVENT and so on */
	bool has_clock; /* `events` name a rate, so there is no -F */
	const char *keep_data; /* the file to keep the recording in, or NULL */
};

/* Finds our programs, and root's rights if they are wanted. */
int fg_flame_prepare(struct fg_flame *f);

void fg_flame_release(struct fg_flame *f);

/* Returns true for a command that is recorded, alone or in turns with another one. */
bool fg_flame_has_command(const struct fg_flame *f);

/*
 * Returns true if the recording has to be a file and not a stream: the user keeps it,
 * perf writes it, sudo would close the descriptor for it, or a runtime that compiles
 * code has written all names only at the end.
 */
bool fg_flame_needs_file(const struct fg_flame *f);

/* Reports an error. Returns the exit status. */
int fg_flame_fail(const struct fg_flame *f, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Returns the name of a file so that no program takes it for an option: "-x" becomes
 * "./-x". The result lives as long as f.
 */
const char *fg_flame_file(struct fg_flame *f, const char *name);

/* Returns the path of a temporary file. The result lives as long as f. */
const char *fg_flame_temporary(struct fg_flame *f, const char *name);

/* Sets up a recording of another command: nothing is known about the target. */
void fg_flame_reset(struct fg_flame *f);

#endif

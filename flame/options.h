/* The command line of flame. */
#ifndef FG_FLAME_OPTIONS_H
#define FG_FLAME_OPTIONS_H

#include "lib/base/opts.h"

/* Kinds of recordings. */
enum fg_flame_mode {
	FG_FLAME_COMMAND,
	FG_FLAME_PIDS,
	FG_FLAME_ALL, /* the whole machine */
	FG_FLAME_CUSTOM, /* the arguments of --cmd say it */
	FG_FLAME_PERFDATA, /* nothing: a profile is there already */
	FG_FLAME_COMPARE, /* two commands in turns */
};

struct fg_flame_options {
	/* Options that choose the target. */
	const char *pids;
	bool all_cpus;
	const char *duration;
	const char *perfdata;
	uint64_t runs;

	/* Options of the recorder. */
	const char *freq;
	struct fg_opt_list events;
	const char *call_graph; /* "fp", "dwarf", "dwarf,BYTES" or "lbr" */
	bool off_cpu, wall, ignore_idle;
	bool perf;
	const char *custom;
	const char *root; /* empty: sudo, or NULL */
	const char *compress; /* the level, which may be empty, or NULL */
	int inlines; /* 1: show inlined functions */
	const char *keep_data;

	/* Options for the output. */
	const char *output;
	const char *folded;
	const char *diff;
	const char *ignore_root;
	const char *post_process;
	struct fg_opt_list skip_after;
	bool open;

	/* Options of the picture. */
	const char *title, *subtitle, *notes, *colors, *min_width, *image_width;
	bool hash, deterministic, inverted, reverse, flamechart;
	struct fg_opt_list collapse, draw;

	bool quiet, verbose, dry_run, ignore_status;

	enum fg_flame_mode mode; /* set by fg_flame_options_read() */
	/* the recorded command or, to compare, two commands for the shell */
	struct fg_opt_list command;
};

extern const struct fg_opt fg_flame_rows[];

/*
 * Reads the command line into `o`, which has the defaults afterwards for options that
 * are not given, and checks it. Returns like fg_cli_parse().
 */
enum fg_cli_result fg_flame_options_read(struct fg_flame_options *o, int argc,
					 char **argv, struct fg_out *out,
					 struct fg_diag *diag);

void fg_flame_options_release(struct fg_flame_options *o);

/* Reports a wrong command line, and points to --help. Returns -1. */
int fg_flame_misuse(struct fg_diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

/*
 * A page about a profile, for people and agents that cannot look at a picture: what was
 * recorded, how good the data is, what has changed, what is hot, and what to look at
 * next.
 *
 * digest.c finds the contents. digest_page.c writes them as text or Markdown within a
 * limit of lines, and digest_json.c as JSON.
 */
#ifndef FG_REPORTFOLDED_DIGEST_H
#define FG_REPORTFOLDED_DIGEST_H

#include "lib/findings/findings.h"
#include "reportfolded/path.h"
#include "reportfolded/report.h"

/* A hot function. */
struct fg_hot {
	const struct fg_function *function;
	uint32_t node; /* the frame with most of its own counts */
	double through; /* the part of its own counts that the frame has, in percent */
	struct fg_str file; /* its hottest line; empty if it has no lines */
	uint32_t number;
};

/* A hot path. Most counts of each frame are those of the next one. */
struct fg_hot_path {
	struct fg_path path;
	unsigned indent; /* number of paths that it continues */
	uint64_t total[2]; /* the total of the first frame */
	uint64_t self[2]; /* the own counts of the last frame */
};

#define FG_DIGEST_PATHS 14
#define FG_DIGEST_NEXT 3
#define FG_DIGEST_CALLERS 8
#define FG_DIGEST_FINDINGS 5
#define FG_DIGEST_MODULES 20 /* only in JSON */
#define FG_DIGEST_FRAMES 64 /* innermost frames of a path in JSON */

/* The quality of the stacks as the counts show it, in percent. */
struct fg_digest_data {
	double unknown; /* in functions without a name */
	double in_unknown; /* with such a function anywhere on the stack */
	double lone; /* without any caller; 0 if root frames cannot be told apart */
	double deep; /* as deep as the kernel records by default */
	/*
	 * the number of functions that stacks start at, if there are so many that
	 * callers are missing
	 */
	size_t starts;
	double waiting; /* not on a processor, in a profile of all time (--wall) */
	/* the library with most of the unknown functions, or empty */
	struct fg_str unknown_library;
};

/*
 * A function of the program. `share` is the sum of its own counts and those of
 * libraries that worked for it, in percent.
 */
struct fg_digest_caller {
	uint32_t name;
	double share[2];
};

struct fg_digest {
	const struct fg_report *report;
	struct fg_origins origins;
	struct fg_findings findings; /* only with two columns */
	struct fg_hot *hot; /* the hottest first */
	size_t hot_count;
	struct fg_hot_path paths[FG_DIGEST_PATHS];
	size_t path_count;
	struct fg_intern group_names;
	struct fg_functions groups; /* libraries, the kernel, and modules */
	uint32_t *group_order; /* the largest own counts first */
	uint64_t ungrouped; /* own counts of functions without a group */
	bool own_files; /* most of those are of the program, with source files */
	struct fg_digest_caller callers[FG_DIGEST_CALLERS]; /* the hottest first */
	size_t caller_count;
	double own; /* own counts of the program without libraries, in percent */
	struct fg_digest_data data;
	double samples[2]; /* 0: not known */
	struct fg_buf next[FG_DIGEST_NEXT]; /* commands */
	const char *why[FG_DIGEST_NEXT]; /* the purpose of each */
};

/* Writes the digest of the profile in the format of the options. */
void fg_report_digest(const struct fg_report *r);

/* ---- parts */

void fg_digest_page(const struct fg_digest *d);
void fg_digest_json(const struct fg_digest *d);

/* Finds the commands that are worth running next. */
void fg_digest_find_next(struct fg_digest *d);

#endif

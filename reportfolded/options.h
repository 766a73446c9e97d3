/* The command line of report-folded. */
#ifndef FG_REPORTFOLDED_OPTIONS_H
#define FG_REPORTFOLDED_OPTIONS_H

#include "lib/base/buf.h"
#include "lib/base/opts.h"
#include "lib/base/regex.h"

/* In the order of fg_report_formats. */
enum fg_report_format {
	FG_REPORT_TEXT,
	FG_REPORT_MARKDOWN,
	FG_REPORT_TSV,
	FG_REPORT_JSON,
	/* For other viewers: the whole profile. */
	FG_REPORT_PPROF,
	FG_REPORT_SPEEDSCOPE,
	FG_REPORT_FIREFOX,
	FG_REPORT_COLLAPSED,
};

enum fg_report_sort { FG_REPORT_BY_SELF, FG_REPORT_BY_TOTAL };

/*
 * The kind of report. FG_REPORT_ANY stands for FG_REPORT_TOP if the input has one
 * column, and for FG_REPORT_MOVERS if it has two.
 */
enum fg_report_kind {
	FG_REPORT_ANY,
	FG_REPORT_TOP,
	FG_REPORT_MOVERS,
	FG_REPORT_TREE,
	FG_REPORT_CALLERS,
	FG_REPORT_CALLEES,
	/* These begin with a text of their own. */
	FG_REPORT_LIST,
	FG_REPORT_DIGEST,
};

/* One limit of the gate. */
struct fg_report_rule {
	struct fg_regex *regex; /* matches the functions that it limits; NULL: all */
	struct fg_buf pattern; /* the regex as text */
	const char *text; /* the argument of --fail-over; NULL for --max-growth */
	double limit; /* in points, or with --relative in percent */
};

/*
 * Options as given, which only fg_report_options_check() reads. A text is NULL if its
 * option is missing.
 */
struct fg_report_given {
	bool top, movers, tree, digest;
	const char *callers, *callees, *list;
	const char *max_lines;
	const char *limit, *depth, *min_percent;
	const char *max_growth, *min_power, *min_ratio;
	struct fg_opt_list fail_over;
	const char *confidence, *sample_weight;
};

/*
 * All options: as given, those that are used unchanged, and the results of the check.
 */
struct fg_report_options {
	struct fg_report_given given;

	/* Options that are used unchanged. */
	int format; /* enum fg_report_format */
	int sort; /* enum fg_report_sort */
	bool self, relative, absolute, all_frames;
	uint64_t min_samples;
	const char *weight, *unit, *root_label;
	bool event_frame, split, time_order, no_lines;
	struct fg_opt_list source_dirs;
	int verbosity;

	/* The files that are read, for the commands in a digest; borrowed. */
	const char *const *inputs;
	size_t input_count;

	/* Results of fg_report_options_check(). */
	enum fg_report_kind kind;
	struct fg_regex *regex; /* from --callers, --callees or --list */
	uint64_t limit; /* rows; UINT64_MAX: all */
	uint64_t max_lines; /* limit of a digest; UINT64_MAX: all */
	uint64_t depth; /* levels; UINT64_MAX: all */
	double min_percent;
	double confidence; /* in percent */
	double min_power; /* in percent; 0: not checked */
	double min_ratio; /* ratio of samples after to before, in percent; 0: any */
	double sample_weight[2]; /* before and after; 0: not given */
	struct fg_report_rule *rules;
	size_t rule_count;
	size_t rule_alloc;
};

/* Returns true if the format is for another viewer. */
static inline bool fg_report_is_export(const struct fg_report_options *o)
{
	return o->format >= FG_REPORT_PPROF;
}

/*
 * Returns true for Markdown with limits. This is a summary for a comment in CI: it
 * starts with the verdict, and its table is short.
 */
static inline bool fg_report_is_summary(const struct fg_report_options *o)
{
	return o->format == FG_REPORT_MARKDOWN && o->rule_count;
}

extern const struct fg_opt fg_report_option_rows[];
extern const char *const fg_report_formats[];

void fg_report_options_init(struct fg_report_options *o);
void fg_report_options_release(struct fg_report_options *o);

/*
 * Checks the options and fills in the results. Call it when all options are read.
 * Returns 0, or -1 after reporting what is wrong.
 */
int fg_report_options_check(struct fg_report_options *o, struct fg_diag *diag);

/* Reads "3%", "3" or "+3%" as 3. Returns -1 if the text is not a percentage. */
int fg_report_percent(struct fg_str text, double *percent);

#endif

/* The options of report-folded, and their checks. */
#include "reportfolded/options.h"

#include <stdlib.h>

#include "lib/base/optrows.h"
#include "lib/profile/sample_weight.h"
#include "lib/base/xalloc.h"

#define LIMIT 20
#define DIGEST_LIMIT 8
#define DIGEST_LINES 40
#define SUMMARY_LIMIT 10
#define MIN_PERCENT 0.5
#define CONFIDENCE 99
#define MIN_SAMPLES 10
#define MIN_RATIO 10

/*
 * Default and limit of --depth for callers and callees. We walk from every match, so
 * the work is the depth times the number of frames.
 */
#define CALLS_DEPTH 8
#define CALLS_DEPTH_MAX 100

const char *const fg_report_formats[] = { "text",    "markdown",       "tsv",
					  "json",    "pprof",	       "speedscope",
					  "firefox", "collapsed-json", NULL };
static const char *const sorts[] = { "self", "total", NULL };

#define OPTIONS struct fg_report_options

const struct fg_opt fg_report_option_rows[] = {
	SECTION("Reports"),
	FLAG("top", given.top,
	     "functions by their own counts (default with one column)"),
	FLAG("movers", given.movers,
	     "what has changed most (default with two columns)"),
	FLAG("tree", given.tree, "stacks, merged from the root"),
	TEXT("callers", given.callers, "RE", "who calls the functions that match RE"),
	TEXT("callees", given.callees, "RE", "whom the functions that match RE call"),
	TEXT("list", given.list, "RE",
	     "the source of the functions that match RE, with the counts of each "
	     "line"),
	LIST("source-dir", source_dirs, "DIR",
	     "--list looks for source files below DIR (default the current "
	     "folder)"),
	FLAG("digest", given.digest, "one page: what was recorded, and what is hot"),
	TEXT("max-lines", given.max_lines, "N",
	     "at most N lines of a digest, 0 for all (default 40)"),
	SECTION("Output"),
	CHOICE("format", format, "FORMAT", fg_report_formats,
	       "text (default), markdown, tsv or json, which is always a tree; for "
	       "other viewers pprof, speedscope, firefox or collapsed-json",
	       .letter = 'f'),
	TEXT("limit", given.limit, "N",
	     "at most N functions, 0 for all (default 20; tsv: all; --digest: 8; "
	     "markdown with limits: 10)",
	     .letter = 'n'),
	CHOICE("sort", sort, "BY", sorts, "self (default) or total"),
	TEXT("depth", given.depth, "N",
	     "at most N levels of a tree, 0 for all (default: all; callers and "
	     "callees: 8)"),
	FLAG("all-frames", all_frames,
	     "a line for each frame of a tree, also in chains without branches"),
	TEXT("min-percent", given.min_percent, "P",
	     "leave frames below P percent out of trees (default 0.5, in tsv and "
	     "json 0)"),
	FLAG("no-lines", no_lines, "one function for all of its lines"),

	SECTION("Other viewers: pprof, speedscope, firefox, collapsed-json"),
	TEXT("weight", weight, "NAME",
	     "what is counted (default what '# event: ' says)"),
	TEXT("unit", unit, "UNIT",
	     "its unit: ns, us, ms, s, bytes or another word (default what "
	     "'# unit: ' says)"),
	FLAG("event-frame", event_frame,
	     "the first frame is the event, like with collapse-perf --event-frame"),
	TEXT("root-label", root_label, "KEY",
	     "pprof: write the first frame as a label KEY"),
	FLAG("split", split, "speedscope: a profile for each first frame"),
	FLAG("time-order", time_order,
	     "keep the order of the lines, if they are in the order of time"),
	SECTION("Gate, for two columns: exit status 3 if a limit is exceeded, 4 if\n"
		"there are too few samples to tell"),
	TEXT("max-growth", given.max_growth, "P%",
	     "no function may grow by more than P percentage points of the profile"),
	LIST("fail-over", given.fail_over, "RE:+P%",
	     "like --max-growth, for the functions that match RE"),
	FLAG("self", self, "judge own counts (default totals)"),
	FLAG("relative", relative, "P is a percentage of the function's share before"),
	FLAG("absolute", absolute,
	     "P is a percentage of the total before: judge costs instead of shares, "
	     "and also the total"),
	TEXT("min-power", given.min_power, "P%",
	     "status 4 unless growth of twice the limit would be noticed in P percent "
	     "of profiles"),
	TEXT("min-ratio", given.min_ratio, "P%",
	     "status 4 if the second profile has fewer samples than P percent of the "
	     "first (default 10; 0: never)"),
	UINT("min-samples", min_samples,
	     "functions with fewer samples than N never fail (default 10)"),
	SECTION("Noise"),
	TEXT("confidence", given.confidence, "P",
	     "a change counts if it is significant at P percent (default 99)"),
	TEXT("sample-weight", given.sample_weight, "N",
	     "weight of one sample; N,M if the profiles differ (default: estimated)"),
	SECTION("Messages"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

void fg_report_options_init(struct fg_report_options *o)
{
	*o = (struct fg_report_options){ .verbosity = FG_NORMAL,
					 .min_samples = MIN_SAMPLES,
					 .min_ratio = MIN_RATIO,
					 .confidence = CONFIDENCE };
}

void fg_report_options_release(struct fg_report_options *o)
{
	for (size_t i = 0; i < o->rule_count; i++) {
		fg_regex_free(o->rules[i].regex);
		fg_buf_release(&o->rules[i].pattern);
	}
	free(o->rules);
	fg_regex_free(o->regex);
	fg_opts_release(fg_report_option_rows, o);
	*o = (struct fg_report_options){ 0 };
}

int fg_report_percent(struct fg_str text, double *percent)
{
	fg_str_cut_end(&text, FG_STR("%"));
	if (fg_str_starts(text, FG_STR("+")))
		text = fg_str_from_pos(text, 1);
	if (!text.len || !(fg_is_digit(text.ptr[0]) || text.ptr[0] == '.'))
		return -1;
	return fg_str_double(text, percent);
}

static int check_kind(struct fg_report_options *o, struct fg_diag *diag)
{
	const struct {
		bool given;
		enum fg_report_kind kind;
	} kinds[] = {
		{ o->given.top, FG_REPORT_TOP },
		{ o->given.movers, FG_REPORT_MOVERS },
		{ o->given.tree, FG_REPORT_TREE },
		{ o->given.callers, FG_REPORT_CALLERS },
		{ o->given.callees, FG_REPORT_CALLEES },
		{ o->given.list, FG_REPORT_LIST },
		{ o->given.digest, FG_REPORT_DIGEST },
	};

	for (size_t i = 0; i < FG_COUNT_OF(kinds); i++) {
		if (!kinds[i].given)
			continue;
		if (o->kind != FG_REPORT_ANY)
			return fg_error(diag, NULL,
					"only one of --top, --movers, --tree, "
					"--callers, --callees, --list and --digest can "
					"be given");
		o->kind = kinds[i].kind;
	}
	if (o->kind == FG_REPORT_LIST && o->format == FG_REPORT_JSON)
		return fg_error(diag, NULL,
				"--list is --format text, markdown or tsv, not json");
	if (o->kind == FG_REPORT_DIGEST && o->format == FG_REPORT_TSV)
		return fg_error(diag, NULL,
				"--digest is --format text, markdown or json, not tsv");
	if (o->format != FG_REPORT_JSON)
		return 0;
	if (o->kind == FG_REPORT_TOP || o->kind == FG_REPORT_MOVERS)
		return fg_error(diag, NULL,
				"--format json writes a tree: use --format tsv for a "
				"list of functions");
	if (o->kind == FG_REPORT_ANY)
		o->kind = FG_REPORT_TREE;
	return 0;
}

/* Reads a number. 0 stands for all. */
static int check_number(const char *name, const char *text, uint64_t *number,
			struct fg_diag *diag)
{
	if (!text)
		return 0;
	if (fg_str_u64(fg_str_from(text), number))
		return fg_error(diag, NULL, "--%s takes a whole number, not '%s'", name,
				text);
	if (!*number)
		*number = UINT64_MAX;
	return 0;
}

static int check_percent(const char *name, const char *text, double *percent,
			 struct fg_diag *diag)
{
	if (!text)
		return 0;
	if (fg_report_percent(fg_str_from(text), percent))
		return fg_error(diag, NULL, "--%s takes a percentage, not '%s'", name,
				text);
	return 0;
}

/*
 * Refuses options that only --list or --digest have, and what does not work with these
 * two.
 */
static int check_only(const struct fg_report_options *o, struct fg_diag *diag)
{
	bool gate = o->given.max_growth || o->given.fail_over.count;

	if (o->source_dirs.count && o->kind != FG_REPORT_LIST)
		return fg_error(diag, NULL, "--source-dir needs --list");
	if (o->no_lines && o->kind == FG_REPORT_LIST)
		return fg_error(diag, NULL,
				"--list shows the lines that --no-lines removes: give "
				"only one of them");
	if (o->given.max_lines && o->kind != FG_REPORT_DIGEST)
		return fg_error(diag, NULL, "--max-lines needs --digest");
	if (gate && (o->kind == FG_REPORT_LIST || o->kind == FG_REPORT_DIGEST))
		return fg_error(diag, NULL,
				"--%s has no limits: --max-growth and --fail-over are "
				"for other reports",
				o->kind == FG_REPORT_LIST ? "list" : "digest");
	return 0;
}

static int check_extent(struct fg_report_options *o, struct fg_diag *diag)
{
	bool for_people =
		o->format == FG_REPORT_TEXT || o->format == FG_REPORT_MARKDOWN;
	bool calls = o->kind == FG_REPORT_CALLERS || o->kind == FG_REPORT_CALLEES;

	o->limit = o->kind == FG_REPORT_DIGEST ? DIGEST_LIMIT :
		   fg_report_is_summary(o)     ? SUMMARY_LIMIT :
		   for_people		       ? LIMIT :
						 UINT64_MAX;
	o->max_lines = DIGEST_LINES;
	o->depth = calls ? CALLS_DEPTH : UINT64_MAX;
	o->min_percent = for_people ? MIN_PERCENT : 0;
	if (check_number("limit", o->given.limit, &o->limit, diag) ||
	    check_number("depth", o->given.depth, &o->depth, diag) ||
	    check_number("max-lines", o->given.max_lines, &o->max_lines, diag) ||
	    check_percent("min-percent", o->given.min_percent, &o->min_percent, diag) ||
	    check_percent("confidence", o->given.confidence, &o->confidence, diag))
		return -1;
	if (o->confidence <= 0 || o->confidence >= 100)
		return fg_error(diag, NULL,
				"--confidence takes a percentage between 0 and 100, "
				"not '%s'",
				o->given.confidence);
	if (calls && o->depth > CALLS_DEPTH_MAX)
		return fg_error(diag, NULL,
				"--depth of callers and callees is at most %d",
				CALLS_DEPTH_MAX);
	return 0;
}

static struct fg_report_rule *add_rule(struct fg_report_options *o)
{
	struct fg_report_rule *rule;

	FG_GROW(o->rules, o->rule_alloc, o->rule_count + 1);
	rule = &o->rules[o->rule_count++];
	*rule = (struct fg_report_rule){ 0 };
	return rule;
}

/* Adds the rule "RE:+5%". The regular expression goes up to the last ':'. */
static int add_fail_over(struct fg_report_options *o, const char *text,
			 struct fg_diag *diag)
{
	struct fg_report_rule *rule = add_rule(o);
	struct fg_str whole = fg_str_from(text);
	size_t colon = fg_str_rfind_char(whole, ':');

	rule->text = text;
	if (!colon || colon == whole.len ||
	    fg_report_percent(fg_str_from_pos(whole, colon + 1), &rule->limit))
		return fg_error(diag, NULL, "--fail-over takes RE:+P%%, not '%s'",
				text);
	fg_buf_add_str(&rule->pattern, fg_str_before(whole, colon));
	rule->regex = fg_regex_new(fg_buf_cstr(&rule->pattern), "--fail-over", diag);
	return rule->regex ? 0 : -1;
}

/*
 * Checks --min-power. It asks for a chance to find a growth of twice the limit, so the
 * limits must be more than 0.
 */
static int check_power(struct fg_report_options *o, struct fg_diag *diag)
{
	if (check_percent("min-power", o->given.min_power, &o->min_power, diag))
		return -1;
	if (!o->given.min_power)
		return 0;
	if (o->min_power <= 0 || o->min_power >= 100)
		return fg_error(diag, NULL,
				"--min-power takes a percentage between 0 and 100, not "
				"'%s'",
				o->given.min_power);
	for (size_t i = 0; i < o->rule_count; i++)
		if (!(o->rules[i].limit > 0))
			return fg_error(diag, NULL,
					"--min-power needs limits of more than 0");
	return 0;
}

static int check_gate(struct fg_report_options *o, struct fg_diag *diag)
{
	if (o->given.max_growth &&
	    check_percent("max-growth", o->given.max_growth, &add_rule(o)->limit, diag))
		return -1;
	for (size_t i = 0; i < o->given.fail_over.count; i++)
		if (add_fail_over(o, o->given.fail_over.items[i], diag))
			return -1;
	if (!o->rule_count &&
	    (o->self || o->relative || o->absolute || o->given.min_power))
		return fg_error(diag, NULL,
				"--self, --relative, --absolute and --min-power need "
				"--max-growth or --fail-over");
	if (!o->rule_count && o->given.min_ratio)
		return fg_error(diag, NULL,
				"--min-ratio needs --max-growth or --fail-over");
	if (check_percent("min-ratio", o->given.min_ratio, &o->min_ratio, diag))
		return -1;
	return check_power(o, diag);
}

/*
 * Refuses options that make no sense in an export of a whole profile, and options that
 * make sense only there.
 */
static int check_export(const struct fg_report_options *o, struct fg_diag *diag)
{
	const char *format = fg_report_formats[o->format];
	bool is_export = fg_report_is_export(o);
	const struct {
		const char *name;
		bool given, allowed;
	} options[] = {
		{ "weight", o->weight, is_export },
		{ "unit", o->unit, is_export },
		{ "event-frame", o->event_frame, is_export },
		{ "time-order", o->time_order, is_export },
		{ "root-label", o->root_label, o->format == FG_REPORT_PPROF },
		{ "split", o->split, o->format == FG_REPORT_SPEEDSCOPE },
		{ "limit", o->given.limit, !is_export },
		{ "sort", o->sort, !is_export },
		{ "confidence", o->given.confidence, !is_export },
		{ "sample-weight", o->given.sample_weight, !is_export },
		{ "depth", o->given.depth, !is_export },
		{ "min-percent", o->given.min_percent, !is_export },
		{ "max-growth", o->given.max_growth, !is_export },
		{ "fail-over", o->given.fail_over.count, !is_export },
	};

	for (size_t i = 0; i < FG_COUNT_OF(options); i++)
		if (options[i].given && !options[i].allowed)
			return fg_error(diag, NULL,
					"--%s does not work with --format %s",
					options[i].name, format);
	if (is_export && o->kind != FG_REPORT_ANY)
		return fg_error(diag, NULL,
				"--format %s writes the whole profile: reports are "
				"text, markdown, tsv or json",
				format);
	return 0;
}

/* Compiles the pattern of --callers, --callees or --list. */
static int check_pattern(struct fg_report_options *o, struct fg_diag *diag)
{
	const struct {
		const char *pattern, *option;
	} patterns[] = {
		{ o->given.callers, "--callers" },
		{ o->given.callees, "--callees" },
		{ o->given.list, "--list" },
	};

	for (size_t i = 0; i < FG_COUNT_OF(patterns); i++) {
		if (!patterns[i].pattern)
			continue;
		o->regex = fg_regex_new(patterns[i].pattern, patterns[i].option, diag);
		return o->regex ? 0 : -1;
	}
	return 0;
}

int fg_report_options_check(struct fg_report_options *o, struct fg_diag *diag)
{
	if (o->given.sample_weight &&
	    fg_sample_weight_parse(fg_str_from(o->given.sample_weight),
				   o->sample_weight))
		return fg_error(diag, NULL,
				"--sample-weight takes one number or two, not '%s'",
				o->given.sample_weight);
	/*
	 * check_extent() comes last, because the number of functions depends on the
	 * gate
	 */
	if (check_kind(o, diag) || check_only(o, diag) || check_export(o, diag) ||
	    check_gate(o, diag) || check_extent(o, diag))
		return -1;
	return check_pattern(o, diag);
}

/* Writes a digest as text or Markdown, within a limit of lines. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/profile/amount.h"
#include "reportfolded/digest.h"
#include "reportfolded/names.h"

/*
 * A path with a smaller part of a function's own counts, in percent, is shown with the
 * percentage.
 */
#define MOST 90

/* Findings explain a change if their sum is more than this part of it. */
#define MOSTLY 0.8

/* With fewer samples, the decimals of a share mean nothing. */
#define FEW_SAMPLES 500

/*
 * The first functions are always listed, others only if they have at least this many
 * samples and percent.
 */
#define ALWAYS_LISTED 3
#define LISTED_SAMPLES 3
#define LISTED_PERCENT 1.0

/* If the program's own code has more than this, in percent, libraries do little. */
#define OWN_PERCENT 90.0

/* Modules of less than this sum, in percent, are not listed. */
#define MODULES_PERCENT 10.0

/* A longer name of a file loses its first folders. */
#define FILE_COLUMNS 40

/* The most columns of a line. */
#define COLUMNS ((size_t)120)

/* A page of fewer lines is brief: it has neither paths nor commands. */
#define BRIEF 12

/* The parts of a page, in their order. */
enum part { HEAD, CHANGE, FUNCTIONS, PATHS, LIBRARIES, NEXT, PARTS };

/*
 * A part of a page. An item has one line or more, and all or none of them are shown.
 */
struct section {
	struct fg_buf heading; /* empty: none */
	size_t heading_lines;
	struct fg_buf text;
	size_t *ends; /* the end of each item in the text */
	size_t *lines; /* the number of lines of each item */
	size_t count, ends_alloc, lines_alloc;
	size_t least; /* items that stay if the page gets too long */
};

struct page {
	const struct fg_digest *d;
	const struct fg_columns *profile;
	enum fg_report_format format;
	bool markdown;
	bool brief;
	int decimals; /* of shares */
	struct section parts[PARTS];
	struct fg_buf line; /* the line that is being made */
};

/* ---- lines and items */

/* Ends a line of the part's newest item. */
static void end_line(struct page *p, enum part part)
{
	struct section *s = &p->parts[part];

	fg_buf_add_str(&s->text,
		       part == NEXT ? /* a command that is cut is useless */
			       fg_buf_str(&p->line) :
			       fg_utf8_fitting(fg_buf_str(&p->line), COLUMNS));
	fg_buf_add_char(&s->text, '\n');
	s->lines[s->count - 1]++;
	s->ends[s->count - 1] = s->text.len;
	fg_buf_clear(&p->line);
}

static void start_item(struct page *p, enum part part)
{
	struct section *s = &p->parts[part];

	FG_GROW(s->ends, s->ends_alloc, s->count + 1);
	FG_GROW(s->lines, s->lines_alloc, s->count + 1);
	s->ends[s->count] = s->text.len;
	s->lines[s->count++] = 0;
}

/* Adds the heading of a part and, as text, the names of its columns. */
static void add_heading(struct page *p, enum part part, const char *heading,
			const char *columns)
{
	struct section *s = &p->parts[part];

	if (p->markdown)
		fg_buf_addf(&s->heading, "### %s\n\n", heading);
	else if (p->brief)
		fg_buf_addf(&s->heading, "%s\n", columns);
	else
		fg_buf_addf(&s->heading, "%s:\n%s%s", heading, columns,
			    *columns ? "\n" : "");
	s->heading_lines = p->markdown || (!p->brief && *columns) ? 2 : 1;
}

/* Starts an item in a list: a bullet in Markdown. */
static void start_bullet(struct page *p, enum part part)
{
	start_item(p, part);
	if (p->markdown)
		fg_buf_add_str(&p->line, FG_STR("- "));
}

/* Returns how many columns are left on the line. */
static size_t room(const struct page *p)
{
	size_t used = fg_utf8_columns(fg_buf_str(&p->line));

	return used < COLUMNS ? COLUMNS - used : 0;
}

static void add_name(struct page *p, struct fg_str name, size_t columns)
{
	fg_report_add_fitting_name(&p->line, name, p->format,
				   columns < room(p) ? columns : room(p));
}

static struct fg_str name_of(const struct page *p, uint32_t id)
{
	return fg_intern_name(&p->profile->tree.names, id);
}

/* Appends an amount in the unit of the profile. */
static void add_amount(struct page *p, double number)
{
	struct fg_str unit = fg_buf_str(&p->profile->unit.unit);

	fg_amount_add(&p->line, unit, number);
	if (unit.len && !fg_amount_has_unit(unit)) {
		fg_buf_add_char(&p->line, ' ');
		add_name(p, unit, 24);
	}
}

static void add_samples(struct page *p, double samples)
{
	fg_amount_add(&p->line, FG_STR(""), samples);
	fg_buf_add_str(&p->line, samples > 0.5 && samples < 1.5 ? FG_STR(" sample") :
								  FG_STR(" samples"));
}

/*
 * Writes the path of a frame on a line of its own, below its function. `through` is
 * the part of the function's own counts that the frame has, in percent.
 */
static void add_path(struct page *p, enum part part, uint32_t node, unsigned indent,
		     double through)
{
	struct fg_path path = fg_path_to(p->profile, node);

	path.origins = &p->d->origins;
	if (path.frames == 1 || p->brief)
		return;
	fg_buf_addf(&p->line, "%*s", p->markdown ? 2 : (int)indent, "");
	if (p->markdown)
		fg_buf_add_str(&p->line, FG_STR("- "));
	if (through < MOST)
		fg_buf_addf(&p->line, "(%.0f %% of it) ", through);
	fg_path_add_fitting(&p->line, &path, p->format, room(p));
	end_line(p, part);
}

/* ---- what was recorded */

/* Appends the totals before and after, with the names of unit and event shortened. */
static void add_totals(struct page *p)
{
	const struct fg_unit *unit = &p->profile->unit;
	struct fg_totals totals = p->d->report->totals;
	struct fg_totals_words words = { .unit = fg_buf_str(&unit->unit), .factor = 1 };
	struct fg_buf event = FG_BUF_INIT, word = FG_BUF_INIT;

	if (unit->event.len)
		fg_report_add_fitting_name(&event, fg_buf_str(&unit->event), p->format,
					   24);
	if (unit->unit.len)
		fg_report_add_fitting_name(&word, fg_buf_str(&unit->unit), p->format,
					   16);
	words.event = fg_buf_str(&event);
	words.word = fg_buf_str(&word);
	totals.scaled = false; /* shares are not all that we compare */
	fg_totals_add(&totals, &words, &p->line);
	fg_buf_release(&event);
	fg_buf_release(&word);
}

/* Returns true if the profile counts samples, so that its total is their number. */
static bool counts_samples(const struct page *p)
{
	struct fg_str unit = fg_buf_str(&p->profile->unit.unit);
	double total = fg_tree_number(&p->profile->tree, p->profile->totals[FG_AFTER]);

	return p->profile->columns == 1 &&
	       (!unit.len || fg_str_eq(unit, FG_STR("samples"))) &&
	       fabs(p->d->samples[FG_AFTER] - total) < 0.5;
}

/* Appends how long each column was recorded, unless that is unknown for one of them. */
static void add_lengths(struct page *p)
{
	unsigned column = p->profile->columns == 2 ? FG_BEFORE : FG_AFTER;
	const struct fg_quality *q = &p->profile->unit.quality;
	const char *before = ", in ";

	if (!q->of[column][FG_QUALITY_NS] || !q->of[FG_AFTER][FG_QUALITY_NS])
		return;
	for (; column <= FG_AFTER; column++) {
		fg_buf_addf(&p->line, "%s", before);
		fg_amount_add(&p->line, FG_STR("ns"),
			      (double)q->of[column][FG_QUALITY_NS]);
		before = " and ";
	}
}

static void write_recorded(struct page *p)
{
	const struct fg_unit *unit = &p->profile->unit;
	const struct fg_digest *d = p->d;
	double total = fg_tree_number(&p->profile->tree, p->profile->totals[FG_AFTER]);

	start_bullet(p, HEAD);
	fg_buf_add_str(&p->line, FG_STR("Recorded: "));
	if (unit->command.len) {
		add_name(p, fg_buf_str(&unit->command), 48);
		fg_buf_add_str(&p->line, FG_STR(", "));
	}
	if (p->profile->columns == 2)
		add_totals(p);
	else if (!counts_samples(p))
		add_amount(p, total);
	if (p->profile->columns == 1 && unit->event.len &&
	    !fg_str_eq(fg_buf_str(&unit->event), fg_buf_str(&unit->unit))) {
		fg_buf_add_str(&p->line,
			       counts_samples(p) ? FG_STR("event ") : FG_STR(" of "));
		add_name(p, fg_buf_str(&unit->event), 32);
	}
	if (d->samples[FG_AFTER] > 0) {
		if (p->line.len && p->line.ptr[p->line.len - 1] != ' ')
			fg_buf_add_str(&p->line, FG_STR(", "));
		if (d->samples[FG_BEFORE] > 0) {
			fg_amount_add(&p->line, FG_STR(""), d->samples[FG_BEFORE]);
			fg_buf_add_str(&p->line, FG_STR(" and "));
		}
		add_samples(p, d->samples[FG_AFTER]);
	}
	add_lengths(p);
	end_line(p, HEAD);
}

static void write_waiting(struct page *p)
{
	double waiting = p->d->data.waiting;

	if (!(waiting > 0))
		return;
	start_bullet(p, HEAD);
	fg_buf_addf(&p->line, "Time: %.*f %% on a processor, %.*f %% waiting",
		    p->decimals, 100 - waiting, p->decimals, waiting);
	end_line(p, HEAD);
}

/* ---- the quality of the data */

static double sum(const struct fg_quality *q, enum fg_quality_kind kind)
{
	return (double)q->of[FG_BEFORE][kind] + (double)q->of[FG_AFTER][kind];
}

static void write_fault(struct page *p, double percent, const char *text)
{
	start_bullet(p, HEAD);
	if (percent < 0.05)
		fg_buf_addf(&p->line, "Data: less than 0.1 %% %s", text);
	else
		fg_buf_addf(&p->line, "Data: %.1f %% %s", percent, text);
	end_line(p, HEAD);
}

/*
 * Adds a line about samples that a header counts, with their share, unless that is
 * less than `least` percent. Returns 1 if it did.
 */
static size_t add_count(struct page *p, enum fg_quality_kind kind, double least,
			const char *text)
{
	const struct fg_quality *q = &p->profile->unit.quality;
	double count = sum(q, kind);
	double all = sum(q, FG_QUALITY_SAMPLES) + sum(q, FG_QUALITY_STACKS);
	double percent;

	if (kind == FG_QUALITY_LOST || kind == FG_QUALITY_DROPPED)
		all += count;
	percent = all > 0 ? fmin(100 * count / all, 100) : 100;
	if (!(count > 0) || percent < least)
		return 0;
	write_fault(p, percent, text);
	return 1;
}

/* Adds a line about a share of the counts, unless that is less than `least` percent. */
static size_t add_share(struct page *p, double percent, double least, const char *text)
{
	if (percent < least)
		return 0;
	write_fault(p, percent, text);
	return 1;
}

/* Adds lines about damage of the input. Returns their number. */
static size_t add_damage(struct page *p)
{
	const struct fg_quality *q = &p->profile->unit.quality;
	double malformed = sum(q, FG_QUALITY_MALFORMED);
	bool cut = sum(q, FG_QUALITY_CUT) > 0;

	if (cut) {
		start_bullet(p, HEAD);
		fg_buf_add_str(&p->line,
			       FG_STR("Data: the input was cut short, so stacks are "
				      "missing"));
		end_line(p, HEAD);
	}
	if (malformed > 0) {
		start_bullet(p, HEAD);
		fg_buf_add_str(&p->line, FG_STR("Data: "));
		fg_amount_add(&p->line, FG_STR(""), malformed);
		fg_buf_addf(&p->line, " %s of the input %s damaged or not understood",
			    malformed < 1.5 ? "entry" : "entries",
			    malformed < 1.5 ? "is" : "are");
		end_line(p, HEAD);
	}
	return cut + (malformed > 0);
}

/* Returns the number of samples, the smaller one of two columns, or 0. */
static double samples(const struct fg_digest *d)
{
	double before = d->samples[FG_BEFORE], after = d->samples[FG_AFTER];

	return before > 0 && before < after ? before : after;
}

/* Adds by how much a share may be wrong if there are few samples. */
static void add_few_samples(struct page *p)
{
	double number = samples(p->d);

	if (!(number > 0) || number >= FEW_SAMPLES)
		return;
	start_bullet(p, HEAD);
	/* two deviations of a share of 50 % */
	fg_buf_addf(&p->line, "Data: few samples: shares are good to about %.0f points",
		    ceil(100 / sqrt(number)));
	end_line(p, HEAD);
}

/* Adds the share of unknown functions, and whose symbols are missing. */
static size_t add_unknown(struct page *p)
{
	const struct fg_digest_data *data = &p->d->data;
	struct fg_str library = data->unknown_library;
	struct fg_buf text = FG_BUF_INIT;
	size_t added;

	fg_buf_add_str(&text, FG_STR("of the time is in unknown functions"));
	if (fg_str_eq(library, FG_STR("kernel")))
		fg_buf_add_str(&text, FG_STR(", mostly of the kernel"));
	else if (library.len) {
		fg_buf_add_str(&text, FG_STR(", mostly of "));
		fg_report_add_fitting_name(&text, library, p->format, 32);
		fg_buf_add_str(&text, FG_STR(": install its symbols"));
	}
	added = add_share(p, data->unknown, 1, fg_buf_cstr(&text));
	fg_buf_release(&text);
	return added;
}

static void write_quality(struct page *p)
{
	const struct fg_quality *q = &p->profile->unit.quality;
	const struct fg_digest_data *data = &p->d->data;
	size_t faults = 0;

	add_few_samples(p);
	if (q->known[FG_AFTER]) {
		faults += add_count(p, FG_QUALITY_LOST, 0,
				    "of the events were lost while recording");
		faults += add_count(p, FG_QUALITY_TRUNCATED, 0.1,
				    "of the stacks are cut off, and totals too low: "
				    "record larger copies (dwarf,65528) or frame "
				    "pointers");
		faults += add_count(p, FG_QUALITY_FRAMELESS, 5,
				    "of the samples are in functions without frame "
				    "pointers: their callers are missing");
		faults += add_count(p, FG_QUALITY_DROPPED, 0,
				    "of the samples were incomplete and are left out");
		faults += add_damage(p);
	}
	faults += add_unknown(p);
	if (data->unknown < 1)
		faults += add_share(p, data->in_unknown, 2,
				    "of the stacks contain unknown functions");
	faults += add_share(p, data->lone, 10,
			    "of the stacks have no caller at all: record with call "
			    "stacks");
	if (!(sum(q, FG_QUALITY_TRUNCATED) > 0))
		faults += add_share(p, data->deep, 0.5,
				    "of the stacks have 127 frames, the kernel's "
				    "limit: outermost callers may be missing");
	if (data->starts) {
		start_bullet(p, HEAD);
		fg_buf_addf(&p->line,
			    "Data: stacks start at %zu different functions, so the "
			    "outermost callers of most are missing",
			    data->starts);
		end_line(p, HEAD);
		faults++;
	}
	if (q->known[FG_AFTER] && faults)
		return;
	start_bullet(p, HEAD);
	fg_buf_add_str(
		&p->line,
		q->known[FG_AFTER] ?
			FG_STR("Data: good, nothing is known to be lost or cut off.") :
			FG_STR("Data: it is not known if events were lost or "
			       "stacks cut off (--header of the collapser tells)."));
	end_line(p, HEAD);
}

/* ---- what has changed */

/* Returns true if more of the event means slower. */
static bool is_time(const struct fg_unit *unit)
{
	static const struct fg_str times[] = {
		FG_STR_INIT("ns"),    FG_STR_INIT("us"),	FG_STR_INIT("ms"),
		FG_STR_INIT("s"),     FG_STR_INIT("cpu-clock"), FG_STR_INIT("task-"),
		FG_STR_INIT("cycle"), FG_STR_INIT("cpu/cycle"),
	};
	struct fg_str name = fg_buf_str(&unit->unit), event = fg_buf_str(&unit->event);

	for (size_t i = 0; i < FG_COUNT_OF(times); i++)
		if (fg_str_eq(name, times[i]) ||
		    (times[i].len > 2 && fg_str_starts(event, times[i])))
			return true;
	return false;
}

static const char *direction(const struct page *p, bool more)
{
	if (is_time(&p->profile->unit))
		return more ? "Slower" : "Faster";
	return more ? "More" : "Less";
}

/* Adds that no function explains the change of the total. */
static void add_unexplained(struct page *p, double percent)
{
	const struct fg_findings *f = &p->d->findings;
	bool more = percent > 0;

	fg_buf_add_str(&p->line, FG_STR("No function changed by more than noise. "));
	if (f->verdict == FG_VERDICT_SPREAD)
		fg_buf_addf(&p->line,
			    "The total is %.1f %% %s, by a little in many functions.",
			    fabs(percent), more ? "higher" : "lower");
	else if (more)
		fg_buf_addf(&p->line,
			    "All grew alike, by %.1f %%: a longer run, more work, or a "
			    "busier machine.",
			    percent);
	else
		fg_buf_addf(
			&p->line,
			"All shrank alike, by %.1f %%: a shorter run, less work, or "
			"a less busy machine.",
			-percent);
}

/* Returns what the sizes of changes are percent of. */
static const char *unit_of(const struct fg_findings *f)
{
	return f->costs ? "% of the total before" : "points of the share";
}

/* Adds how the total has changed, before the functions that explain it. */
static void add_explained(struct page *p, double percent)
{
	const struct fg_findings *f = &p->d->findings;
	double sum = 0;

	if (!f->costs) {
		fg_buf_addf(&p->line,
			    "The total is %.1f %% %s, mostly in all functions alike. "
			    "These shares have changed:",
			    fabs(percent), percent > 0 ? "higher" : "lower");
		return;
	}
	for (size_t i = 0; i < f->count && i < FG_DIGEST_FINDINGS; i++)
		sum += f->items[i].points;
	fg_buf_addf(&p->line, "%s: %+.1f %%, more than noise. These functions explain ",
		    direction(p, percent > 0), percent);
	if (sum / percent > MOSTLY)
		fg_buf_add_str(&p->line, FG_STR("it"));
	else
		fg_buf_addf(&p->line, "%.0f %% of it", fmax(100 * sum / percent, 0));
	fg_buf_addf(&p->line, " (in %s):", unit_of(f));
}

static void write_verdict(struct page *p)
{
	const struct fg_findings *f = &p->d->findings;
	double percent = 100 * (f->ratio - 1);

	start_item(p, CHANGE);
	if (!(f->ratio > 0)) {
		fg_buf_add_str(&p->line,
			       FG_STR("Nothing can be compared: all counts of one "
				      "side are 0."));
		end_line(p, CHANGE);
		return;
	}
	if (f->disjoint) {
		fg_buf_add_str(&p->line,
			       FG_STR("No stack is in both profiles: do their first "
				      "frames differ, such as the comm? Functions are "
				      "compared all the same."));
		end_line(p, CHANGE);
	}
	switch (f->verdict) {
	case FG_VERDICT_SAME:
		fg_buf_addf(&p->line,
			    "No clear difference: the total (%+.1f %%) is about the "
			    "same, and no function has changed by more than noise.",
			    percent);
		break;
	case FG_VERDICT_SHIFTED:
		fg_buf_addf(&p->line,
			    "The total is the same (%+.1f %%), but these functions "
			    "have changed by more than noise (in %s):",
			    percent, unit_of(f));
		break;
	case FG_VERDICT_SCALED:
	case FG_VERDICT_SPREAD:
		add_unexplained(p, percent);
		break;
	case FG_VERDICT_UNKNOWN:
		fg_buf_addf(&p->line,
			    "The total has changed by %+.1f %%. It is not known how "
			    "much of all this is noise (--sample-weight)%s",
			    percent, f->count ? ":" : ".");
		break;
	default:
		add_explained(p, percent);
	}
	end_line(p, CHANGE);
}

/* Adds the size of a change. Costs are compared in percent, shares in points. */
static void add_change(struct page *p, double points)
{
	fg_buf_addf(&p->line, "%+*.*f %s  ", p->markdown ? 0 : 7, p->decimals, points,
		    p->d->findings.costs ? "%" : "points");
}

static void write_finding(struct page *p, const struct fg_finding *finding)
{
	const uint64_t *self = finding->function->self;
	struct fg_str unit = fg_buf_str(&p->profile->unit.unit);

	start_bullet(p, CHANGE);
	add_change(p, finding->points);
	add_name(p, name_of(p, finding->function->name), 56);
	fg_buf_addf(&p->line, ", self %.*f %% → %.*f %%", p->decimals,
		    fg_columns_share(p->profile, FG_BEFORE, self[FG_BEFORE]),
		    p->decimals,
		    fg_columns_share(p->profile, FG_AFTER, self[FG_AFTER]));
	if (fg_amount_has_unit(unit)) {
		fg_buf_add_str(&p->line, FG_STR(", "));
		fg_amount_add_both(&p->line, unit, finding->cost);
	}
	end_line(p, CHANGE);
	if (finding->node != FG_TREE_NONE)
		add_path(p, CHANGE, finding->node, p->d->findings.costs ? 11 : 16, 100);
}

/* Writes which frame most of the change is below, unless that is the first finding. */
static void write_below(struct page *p)
{
	const struct fg_findings *f = &p->d->findings;
	struct fg_path path;

	if (f->verdict == FG_VERDICT_UNKNOWN || f->below == FG_TREE_NONE ||
	    f->below == f->items[0].node)
		return;
	path = fg_path_to(p->profile, f->below);
	path.origins = &p->d->origins;
	start_bullet(p, CHANGE);
	add_change(p, f->below_points);
	fg_buf_add_str(&p->line, FG_STR("with callees: "));
	fg_path_add_fitting(&p->line, &path, p->format, room(p));
	end_line(p, CHANGE);
	if (f->part_count < 2)
		return;
	fg_buf_addf(&p->line, p->markdown ? "  - of that:" : "           of that:");
	for (size_t i = 0; i < f->part_count && room(p) > 40; i++) {
		fg_buf_addf(&p->line, "%s %+.*f ", i ? "," : "", p->decimals,
			    f->parts[i].points);
		add_name(p, name_of(p, f->parts[i].name), 36);
	}
	end_line(p, CHANGE);
}

static void write_change(struct page *p)
{
	const struct fg_findings *f = &p->d->findings;

	write_verdict(p);
	if (f->count)
		write_finding(p, &f->items[0]);
	write_below(p);
	for (size_t i = 1; i < f->count && i < FG_DIGEST_FINDINGS; i++)
		write_finding(p, &f->items[i]);
}

/* ---- functions, paths, libraries */

/* Adds the file and line of a function. The end of a path tells more than its start. */
static void add_place(struct page *p, const struct fg_hot *hot)
{
	struct fg_buf place = FG_BUF_INIT;
	struct fg_str file = hot->file;

	while (file.len > FILE_COLUMNS &&
	       (fg_str_cut_start(&file, FG_STR("/")) || fg_str_has_char(file, '/')))
		fg_str_cut(&file, '/');
	if (file.len < hot->file.len)
		fg_buf_add_str(&place, FG_STR(".../"));
	fg_buf_add_str(&place, file);
	fg_buf_addf(&place, ":%lu", (unsigned long)hot->number);
	fg_buf_add_str(&p->line, p->markdown ? FG_STR(" at ") : FG_STR("  "));
	fg_report_add_fitting_name(&p->line, fg_buf_str(&place), p->format, room(p));
	fg_buf_release(&place);
}

static void write_function(struct page *p, const struct fg_hot *hot)
{
	const struct fg_function *f = hot->function;
	double self = fg_columns_share(p->profile, FG_AFTER, f->self[FG_AFTER]);
	double total = fg_columns_share(p->profile, FG_AFTER, f->total[FG_AFTER]);

	start_bullet(p, FUNCTIONS);
	if (p->markdown)
		fg_buf_addf(&p->line, "self %.*f %%, total %.*f %%: ", p->decimals,
			    self, p->decimals, total);
	else
		fg_buf_addf(&p->line, "%6.*f  %7.*f  ", p->decimals, self, p->decimals,
			    total);
	add_name(p, name_of(p, f->name), 60);
	if (hot->file.len)
		add_place(p, hot);
	end_line(p, FUNCTIONS);
	add_path(p, FUNCTIONS, hot->node, 17, hot->through);
}

/* Returns true if a function has so many samples that its row tells something. */
static bool is_listed(const struct page *p, size_t i)
{
	const struct fg_digest *d = p->d;
	double self = fg_columns_share(p->profile, FG_AFTER,
				       d->hot[i].function->self[FG_AFTER]);

	return i < ALWAYS_LISTED || d->report->options->given.limit ||
	       (self >= LISTED_PERCENT &&
		(!(d->samples[FG_AFTER] > 0) ||
		 self * d->samples[FG_AFTER] / 100 > LISTED_SAMPLES - 0.5));
}

static void write_functions(struct page *p)
{
	struct fg_buf heading = FG_BUF_INIT;

	fg_buf_addf(&heading, "Hottest functions%s, of %zu",
		    p->profile->columns == 2 ? " after" : "",
		    p->d->report->functions.count);
	add_heading(p, FUNCTIONS, fg_buf_cstr(&heading),
		    p->brief ? "self %  total %  function" :
			       "self %  total %  function, and where most of its self "
			       "time is");
	fg_buf_release(&heading);
	for (size_t i = 0; i < p->d->hot_count && is_listed(p, i); i++)
		write_function(p, &p->d->hot[i]);
}

static void write_path(struct page *p, const struct fg_hot_path *path)
{
	double total = fg_columns_share(p->profile, FG_AFTER, path->total[FG_AFTER]);
	double self = fg_columns_share(p->profile, FG_AFTER, path->self[FG_AFTER]);
	unsigned indent = path->indent < 14 ? path->indent : 14;

	start_item(p, PATHS);
	if (p->markdown)
		fg_buf_addf(&p->line, "%*s- %.*f %%, self %.*f %%: ", 2 * (int)indent,
			    "", p->decimals, total, p->decimals, self);
	else
		fg_buf_addf(&p->line, "%7.*f  %6.*f  %*s", p->decimals, total,
			    p->decimals, self, 2 * (int)indent, "");
	fg_path_add_fitting(&p->line, &path->path, p->format, room(p));
	end_line(p, PATHS);
}

static void write_paths(struct page *p)
{
	add_heading(p, PATHS,
		    p->profile->columns == 2 ? "Hottest paths after" : "Hottest paths",
		    "total %  self %  path");
	for (size_t i = 0; i < p->d->path_count; i++)
		write_path(p, &p->d->paths[i]);
}

/* Writes the shares of libraries, by self, as many as fit into a line. */
static void write_libraries(struct page *p)
{
	const struct fg_digest *d = p->d;
	double rest = fg_columns_share(p->profile, FG_AFTER, d->ungrouped);

	if (100 - rest < MODULES_PERCENT)
		return;
	start_item(p, LIBRARIES);
	fg_buf_add_str(&p->line, FG_STR("Self by module:"));
	for (size_t i = 0; i < d->groups.count && room(p) > 56; i++) {
		const struct fg_function *f = &d->groups.items[d->group_order[i]];
		double self = fg_columns_share(p->profile, FG_AFTER, f->self[FG_AFTER]);

		if (self < 0.5)
			break;
		fg_buf_addf(&p->line, "%s", i ? ", " : " ");
		add_name(p, fg_intern_name(&d->group_names, f->name), 24);
		fg_buf_addf(&p->line, " %.*f %%", p->decimals, self);
	}
	if (rest >= 0.5)
		fg_buf_addf(&p->line, ", %s %.*f %%",
			    d->own_files ? "the program's own functions" :
					   "no known module",
			    p->decimals, rest);
	end_line(p, LIBRARIES);
}

/*
 * Writes which functions of the program are hottest with all that libraries do for
 * them, as many as fit into a line. If they do little, the list of the hottest
 * functions says it already.
 */
static void write_callers(struct page *p)
{
	const struct fg_digest *d = p->d;

	if (!d->caller_count || d->own > OWN_PERCENT)
		return;
	start_item(p, LIBRARIES);
	fg_buf_add_str(&p->line, FG_STR("Self with libraries, by function of the "
					"program:"));
	for (size_t i = 0; i < d->caller_count && room(p) > 40; i++) {
		const struct fg_digest_caller *c = &d->callers[i];

		if (i && c->share[FG_AFTER] < LISTED_PERCENT)
			break;
		fg_buf_add_str(&p->line, i ? FG_STR(", ") : FG_STR(" "));
		add_name(p, name_of(p, c->name), 32);
		if (p->profile->columns == 2)
			fg_buf_addf(&p->line, " %.*f →", p->decimals,
				    c->share[FG_BEFORE]);
		fg_buf_addf(&p->line, " %.*f %%", p->decimals, c->share[FG_AFTER]);
	}
	end_line(p, LIBRARIES);
}

static void write_next(struct page *p)
{
	struct fg_buf why = FG_BUF_INIT;

	add_heading(p, NEXT, "Next", "");
	start_item(p, NEXT);
	for (size_t i = 0; i < FG_DIGEST_NEXT; i++) {
		if (!p->d->next[i].len)
			continue;
		fg_buf_add_str(&p->line, p->markdown ? FG_STR("    ") : FG_STR("  "));
		fg_buf_add_str(&p->line, fg_buf_str(&p->d->next[i]));
		fg_buf_addf(&why, "  # %s", p->d->why[i]);
		if (why.len <= room(p))
			fg_buf_add_str(&p->line, fg_buf_str(&why));
		fg_buf_clear(&why);
		end_line(p, NEXT);
	}
	fg_buf_release(&why);
}

/* ---- the page */

static size_t lines_of(const struct page *p, enum part part)
{
	const struct section *s = &p->parts[part];
	size_t lines = 0;

	for (size_t i = 0; i < s->count; i++)
		lines += s->lines[i];
	if (!lines)
		return 0;
	return lines + (part > HEAD) + s->heading_lines;
}

static size_t lines_of_all(const struct page *p)
{
	size_t lines = 0;

	for (enum part part = HEAD; part < PARTS; part++)
		lines += lines_of(p, part);
	return lines;
}

/* Returns the part that can best do without its last item, or PARTS. */
static enum part longest(const struct page *p)
{
	enum part found = PARTS;

	for (enum part part = HEAD; part < PARTS; part++) {
		const struct section *s = &p->parts[part];

		if (s->count > s->least &&
		    (found == PARTS || lines_of(p, part) >= lines_of(p, found)))
			found = part;
	}
	return found;
}

/* Drops items, and in the end whole parts, until the page has at most `max` lines. */
static void cut(struct page *p, uint64_t max)
{
	static const enum part dispensable[] = { NEXT,	    LIBRARIES, PATHS,
						 FUNCTIONS, CHANGE,    HEAD };
	enum part part;

	while (lines_of_all(p) > max && (part = longest(p)) != PARTS)
		p->parts[part].count--;
	for (size_t i = 0; i < FG_COUNT_OF(dispensable); i++) {
		struct section *s = &p->parts[dispensable[i]];

		while (lines_of_all(p) > max && s->count)
			s->count--;
	}
}

static void write_part(const struct page *p, enum part part)
{
	const struct section *s = &p->parts[part];
	struct fg_out *out = p->d->report->out;

	if (!s->count || !s->ends[s->count - 1])
		return;
	if (part > HEAD)
		fg_out_add_char(out, '\n');
	fg_out_add_str(out, fg_buf_str(&s->heading));
	fg_out_add_str(out, fg_str_before(fg_buf_str(&s->text), s->ends[s->count - 1]));
}

void fg_digest_page(const struct fg_digest *d)
{
	const struct fg_report *r = d->report;
	struct page p = {
		.d = d,
		.profile = &r->profile,
		.format = (enum fg_report_format)r->options->format,
		.decimals = samples(d) > 0 && samples(d) < FEW_SAMPLES ? 0 : 1,
		.markdown = r->options->format == FG_REPORT_MARKDOWN,
		.brief = r->options->max_lines < BRIEF,
		.parts = { [HEAD] = { .least = 3 },
			   [CHANGE] = { .least = 2 + FG_DIGEST_FINDINGS },
			   [FUNCTIONS] = { .least = 3 },
			   [PATHS] = { .least = 3 },
			   [LIBRARIES] = { .least = 1 },
			   [NEXT] = { .least = 1 } },
	};

	write_recorded(&p);
	write_waiting(&p);
	write_quality(&p);
	if (r->profile.columns == 2)
		write_change(&p);
	if (r->profile.columns == 1 || !p.brief) {
		write_functions(&p);
		write_callers(&p);
		write_libraries(&p);
	}
	if (!p.brief) {
		write_paths(&p);
		write_next(&p);
	}
	cut(&p, r->options->max_lines);
	for (enum part part = HEAD; part < PARTS; part++) {
		write_part(&p, part);
		fg_buf_release(&p.parts[part].heading);
		fg_buf_release(&p.parts[part].text);
		free(p.parts[part].ends);
		free(p.parts[part].lines);
	}
	fg_buf_release(&p.line);
}

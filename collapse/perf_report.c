/* What was lost, and why nothing could be kept: the end of a run. */
#include "collapse/perf_report.h"

#include "collapse/addr2line.h"
#include "collapse/perf.h"
#include "collapse/perf_event.h"
#include "collapse/perf_select.h"
#include "lib/folded.h"
#include "lib/sniff.h"

void perf_odd_line(struct perf *p, struct fg_place at, struct fg_str line)
{
	struct perf_tally *t = &p->tally;
	struct fg_buf text = FG_BUF_INIT;

	if (!t->odd_lines++) {
		t->odd_chunk = p->chunk;
		t->odd_place = at;
		fg_buf_add_visible(&t->odd_text, line, FG_QUOTED_MAX);
	}
	if (p->diag->verbosity < FG_VERBOSE)
		return;
	fg_buf_add_visible(&text, line, FG_QUOTED_MAX);
	fg_note(p->diag, &at, "not understood: %s", fg_buf_cstr(&text));
	fg_buf_release(&text);
}

/* Whether the first whole lines are all folded stacks. */
static bool is_folded(struct fg_str bytes)
{
	struct fg_str rest = bytes;
	size_t stacks = 0;

	while (rest.len) {
		bool whole = fg_str_has_char(rest, '\n');
		struct fg_folded folded;
		enum fg_folded_kind kind;

		if (!whole && stacks)
			break;
		kind = fg_folded_parse(fg_str_cut(&rest, '\n'), &folded);
		if (kind == FG_FOLDED_EMPTY)
			continue;
		if (kind != FG_FOLDED_STACK || !fg_str_has(folded.stack, FG_STR(";")))
			return false;
		stacks++;
	}
	return stacks > 0;
}

/* Why nothing was kept, and the cure. The buffer holds the text if it must. */
static const char *guess_cause(const struct perf *p, struct fg_buf *text)
{
	struct fg_str bytes = fg_buf_str(&p->first_bytes);
	const char *known = fg_sniff(bytes);

	if (!bytes.len)
		return "the input is empty: did perf script fail?";
	if (known)
		return known;
	if (p->tally.ignored && p->selection && perf_selection_lacks_pids(p->selection))
		return "perf printed no pids to filter by: use perf script -F +pid";
	if (p->tally.ignored && p->tally.ignored == p->tally.deselected)
		return "all samples were left out by --comm, --pid-filter, "
		       "--tid-filter, --cpu or --time";
	if (p->tally.ignored) {
		fg_buf_addf(text, "all samples were filtered out; there were ");
		perf_events_list(p->events, false, text);
		return fg_buf_cstr(text);
	}
	if (p->tally.kept && p->tally.chains)
		return "all samples have a period of 0";
	if (p->tally.unweighted && !p->tally.kept)
		return "no sample has the field that --weight names";
	if (p->any_header && !p->tally.kept && p->tally.samples)
		return "no sample is complete: the input was cut short, or "
		       "samples do not end in a blank line";
	if (p->any_header || p->tally.samples)
		return "no sample has a call chain or weight: "
		       "record with perf record -g";
	if (is_folded(bytes))
		return "the input is folded already: give it to flamegraph";
	if (fg_str_has_char(bytes, '\0'))
		return "this is binary data, not the output of perf script";
	return "no sample was found: is this the output of perf script?";
}

static int report_nothing(const struct perf *p)
{
	struct fg_place at = { p->at.input, 0 };
	struct fg_buf text = FG_BUF_INIT;

	fg_error(p->diag, &at, "%s", guess_cause(p, &text));
	fg_buf_release(&text);
	return -1;
}

/* "1 sample", "2 samples" */
static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void report_dropped(const struct perf *p)
{
	const struct perf_tally *t = &p->tally;
	uint64_t cut = t->dropped - t->unweighted - t->nameless;

	if (cut)
		fg_warn(p->diag, NULL,
			"%llu sample%s incomplete: the input starts or ends "
			"in the middle",
			(unsigned long long)cut, cut == 1 ? " is" : "s are");
	if (t->nameless)
		fg_warn(p->diag, NULL,
			"%llu sample%s neither a root frame nor a call chain",
			(unsigned long long)t->nameless,
			t->nameless == 1 ? " has" : "s have");
	if (t->unweighted)
		fg_warn(p->diag, NULL,
			"%llu sample%s no field '%s', which --weight names",
			(unsigned long long)t->unweighted,
			t->unweighted == 1 ? " has" : "s have", p->options->weight);
}

static void report_events(const struct perf *p)
{
	struct fg_buf kept = FG_BUF_INIT, ignored = FG_BUF_INIT;

	perf_events_list(p->events, true, &kept);
	perf_events_list(p->events, false, &ignored);
	if (ignored.len)
		fg_warn(p->diag, NULL,
			"%s%s%signored %s (--event-filter chooses others)",
			kept.len ? "kept event " : "", fg_buf_cstr(&kept),
			kept.len ? "; " : "", fg_buf_cstr(&ignored));
	fg_buf_release(&kept);
	fg_buf_release(&ignored);
}

/* Samples that options leave out are no loss; those of other events may be. */
static void report_samples(const struct perf *p)
{
	const struct perf_tally *t = &p->tally;

	if (t->ignored == t->deselected && !t->dropped)
		return;
	fg_warn(p->diag, NULL, "%llu sample%s kept, %llu ignored, %llu dropped",
		(unsigned long long)t->kept, plural(t->kept),
		(unsigned long long)t->ignored, (unsigned long long)t->dropped);
	report_dropped(p);
	if (t->kept)
		report_events(p);
}

static void report_odd_lines(const struct perf *p)
{
	const struct perf_tally *t = &p->tally;

	if (t->odd_lines)
		fg_warn(p->diag, &t->odd_place,
			"%llu %s not understood, the first is here: %.*s",
			(unsigned long long)t->odd_lines,
			t->odd_lines == 1 ? "line was" : "lines were",
			(int)t->odd_text.len, t->odd_text.ptr);
}

int perf_report(const struct perf *p, size_t lines_written)
{
	const struct perf_tally *t = &p->tally;

	report_samples(p);
	report_odd_lines(p);
	if (t->lost)
		fg_warn(p->diag, NULL, "perf lost %llu event%s while recording",
			(unsigned long long)t->lost, plural(t->lost));
	if (t->kept && !t->chains)
		fg_warn(p->diag, NULL,
			"no sample has a call chain: record with perf record -g");
	if (!lines_written &&
	    (!t->kept || !(p->options->keep.count || p->options->drop.count)))
		return report_nothing(p);
	if (p->options->strict && fg_addr2line_failed(p->addr2line)) {
		fg_error(p->diag, NULL,
			 "inlined functions were lost, which --strict does not allow");
		return -1;
	}
	if (p->options->strict && (t->odd_lines || t->dropped)) {
		fg_error(p->diag, NULL,
			 "input was lost, which --strict does not allow");
		return -1;
	}
	return 0;
}

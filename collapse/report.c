/* Reports what was lost, and why nothing could be kept, at the end of a run. */
#include "collapse/report.h"
#include "collapse/sink_internal.h"
#include "lib/profile/folded.h"

/* ---- nothing was kept */

/* Returns the message for a run in which options left out all samples. */
static const char *guess_option(const struct fg_sink *s, struct fg_buf *text)
{
	const struct fg_tally *t = &s->tally;

	if (s->selection && fg_selection_lacks_pids(s->selection) &&
	    s->format->hints.no_pids)
		return s->format->hints.no_pids;
	if (t->ignored == t->deselected && s->format->hints.left_out)
		return s->format->hints.left_out;
	if (t->ignored == t->deselected)
		return "all samples were left out by --comm, --pid-filter, "
		       "--tid-filter, --cpu or --time";
	fg_buf_addf(text,
		    "all samples were filtered out; the events in the input are ");
	fg_events_list(s->events, false, text);
	return fg_buf_cstr(text);
}

/* Returns true if the input was read by .read_raw of the format. */
static bool was_raw(const struct fg_sink *s)
{
	return s->format->kind->is_data &&
	       s->format->kind->is_data(fg_buf_str(&s->input.first_bytes));
}

/* Returns the message for an input in which we recognised nothing. */
static const char *guess_input(const struct fg_sink *s, struct fg_buf *text)
{
	struct fg_str first_bytes = fg_buf_str(&s->input.first_bytes);
	struct fg_recognized other = fg_recognize_other(s->format->kind, first_bytes);

	if (was_raw(s))
		return "the recording has no samples";
	if (fg_folded_is_text(first_bytes))
		return "the input is folded already: give it to flamegraph";
	if (fg_recognized_explain(&other, FG_ADVISE_USE, text))
		return fg_buf_cstr(text);
	if (fg_str_has_char(first_bytes, '\0')) {
		fg_buf_addf(text, "this is binary data, not %s",
			    s->format->kind->input);
		return fg_buf_cstr(text);
	}
	if (s->format->kind->is_structured &&
	    s->format->kind->probe(first_bytes) == FG_PROBE_YES) {
		fg_buf_addf(text, "this is %s, but it has no stacks: %s",
			    s->format->kind->input,
			    s->format->hints.no_stacks ? s->format->hints.no_stacks :
							 "nothing was recorded");
		return fg_buf_cstr(text);
	}
	return s->format->hints.not_found;
}

/* Returns a message about an input that no collapser reads, or NULL. */
static const char *foreign_input(const struct fg_sink *s)
{
	struct fg_str first_bytes = fg_buf_str(&s->input.first_bytes);
	struct fg_recognized other = fg_recognize_other(s->format->kind, first_bytes);

	if (other.kind || other.foreign ||
	    s->format->kind->probe(first_bytes) == FG_PROBE_YES)
		return NULL;
	return fg_recognize_foreign(first_bytes);
}

/*
 * Returns a message that says why nothing was kept and what the user can do. The
 * message may be stored in `text`.
 */
static const char *guess_cause(const struct fg_sink *s, struct fg_buf *text)
{
	const struct fg_hints *hints = &s->format->hints;
	const struct fg_tally *t = &s->tally;
	const char *foreign = foreign_input(s);

	if (!s->input.first_bytes.len) {
		fg_buf_addf(text, "the input is empty%s%s", hints->empty ? ": " : "",
			    hints->empty ? hints->empty : "");
		return fg_buf_cstr(text);
	}
	if (foreign)
		return foreign;
	if (s->cause)
		return s->cause;
	if (s->left_out_threads && !t->samples)
		return "--thread left out all stacks";
	if (t->ignored)
		return guess_option(s, text);
	if (t->idle) {
		fg_buf_addf(text, "all samples were skipped: %s", hints->idle);
		return fg_buf_cstr(text);
	}
	if (t->shrunk.stacks)
		return "no stack grew";
	if (t->kept && t->chains)
		return s->format->has_samples ? "all samples have a period of 0" :
						"all stacks weigh 0";
	if (t->unweighted && !t->kept)
		return "no sample has the field that --weight names";
	if (!s->orphans.any_header && !t->kept && t->dropped)
		return "no sample is complete: the input was cut short";
	if (s->orphans.any_header && !t->kept && t->samples)
		return "no sample is complete: the input was cut short, or "
		       "samples do not end in a blank line";
	if (t->stackless && hints->no_chain) {
		fg_buf_addf(text, "no entry has a stack: %s", hints->no_chain);
		return fg_buf_cstr(text);
	}
	if ((s->orphans.any_header || t->samples) && hints->no_chain) {
		fg_buf_addf(text, "no sample has a call chain or weight: %s",
			    hints->no_chain);
		return fg_buf_cstr(text);
	}
	return guess_input(s, text);
}

static int report_nothing(const struct fg_sink *s)
{
	struct fg_place at = { s->input.at.input, 0 };
	struct fg_buf text = FG_BUF_INIT;
	const char *cause = guess_cause(s, &text);

	if (s->rules.may_be_empty)
		fg_warn(s->diag, &at, "%s", cause);
	else
		fg_error(s->diag, &at, "%s", cause);
	fg_buf_release(&text);
	return s->rules.may_be_empty ? 0 : -1;
}

/* Returns the plural ending: "1 sample", "2 samples". */
static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void report_dropped(const struct fg_sink *s)
{
	const struct fg_tally *t = &s->tally;
	uint64_t cut = t->dropped - t->unweighted - t->nameless - t->timeless;

	if (cut)
		fg_warn(s->diag, NULL,
			"%llu sample%s incomplete: the input starts or ends "
			"in the middle",
			(unsigned long long)cut, cut == 1 ? " is" : "s are");
	if (t->nameless)
		fg_warn(s->diag, NULL,
			"%llu sample%s neither a root frame nor a call chain",
			(unsigned long long)t->nameless,
			t->nameless == 1 ? " has" : "s have");
	if (t->unweighted)
		fg_warn(s->diag, NULL,
			"%llu sample%s no field '%s', which --weight names",
			(unsigned long long)t->unweighted,
			t->unweighted == 1 ? " has" : "s have", s->samples->weight);
}

static void report_events(const struct fg_sink *s)
{
	struct fg_buf kept = FG_BUF_INIT, ignored = FG_BUF_INIT;

	fg_events_list(s->events, true, &kept);
	fg_events_list(s->events, false, &ignored);
	if (ignored.len)
		fg_warn(s->diag, NULL,
			"%s%s%signored %s (--event-filter chooses others)",
			kept.len ? "kept event " : "", fg_buf_cstr(&kept),
			kept.len ? "; " : "", fg_buf_cstr(&ignored));
	fg_buf_release(&kept);
	fg_buf_release(&ignored);
}

/*
 * Reports the numbers of samples. This is a warning if samples were lost, otherwise a
 * note. A sample that an option left out is not lost.
 */
static void report_samples(const struct fg_sink *s)
{
	const struct fg_tally *t = &s->tally;
	bool lost = t->ignored != t->deselected || t->dropped;

	(lost ? fg_warn : fg_note)(
		s->diag, NULL, "%llu sample%s kept, %llu ignored, %llu dropped",
		(unsigned long long)t->kept, plural(t->kept),
		(unsigned long long)t->ignored, (unsigned long long)t->dropped);
	if (!lost)
		return;
	report_dropped(s);
	if (t->kept)
		report_events(s);
}

static void report_malformed(const struct fg_sink *s)
{
	const struct fg_tally *t = &s->tally;

	if (t->malformed)
		fg_warn(s->diag, &t->malformed_place,
			"%llu %s not understood, the first is here: '%.*s'",
			(unsigned long long)t->malformed,
			t->malformed == 1 ? "line was" : "lines were",
			(int)t->malformed_text.len, t->malformed_text.ptr);
}

/* Appends "7041471 bytes". */
static void add_weight(const struct fg_sink *s, struct fg_sum weight, struct fg_buf *b)
{
	fg_buf_add_sum(b, weight, 0);
	if (s->value.unit.len)
		fg_buf_add_char(b, ' ');
	fg_buf_add_str(b, fg_buf_str(&s->value.unit));
}

/*
 * Warns: "stacks whose callers are missing (22, 7041471 bytes)". The message does not
 * end in a number, because such a line would be a folded stack.
 */
static void report_loss(const struct fg_sink *s, const struct fg_loss *loss)
{
	struct fg_buf text = FG_BUF_INIT;

	if (!fg_sum_is_zero(loss->weight)) {
		fg_buf_add_str(&text, FG_STR(", "));
		add_weight(s, loss->weight, &text);
	}
	fg_warn(s->diag, NULL, "%s (%llu%s)", loss->what,
		(unsigned long long)loss->count, fg_buf_cstr(&text));
	fg_buf_release(&text);
}

static void report_shrunk(const struct fg_sink *s)
{
	const struct fg_shrunk *shrunk = &s->tally.shrunk;
	struct fg_buf weight = FG_BUF_INIT;

	if (!shrunk->stacks)
		return;
	add_weight(s, fg_counts_round(shrunk->weight, s->decimals), &weight);
	fg_warn(s->diag, NULL, "%llu stack%s shrank by %s, and %s left out: %s",
		(unsigned long long)shrunk->stacks, plural(shrunk->stacks),
		fg_buf_cstr(&weight), shrunk->stacks == 1 ? "is" : "are",
		s->format->hints.shrunk ?
			s->format->hints.shrunk :
			"fold the two profiles separately, and compare them with "
			"diff-folded");
	fg_buf_release(&weight);
}

/* Warns if an input counts another value than the inputs before it. */
static void report_other(const struct fg_sink *s)
{
	const struct fg_place at = { s->value.other_input, 0 };
	struct fg_str text = fg_buf_str(&s->value.other);

	if (text.len)
		fg_warn(s->diag, &at, "%.*s: fold them separately", (int)text.len,
			text.ptr);
}

/* Warns of events that the profiler lost; if they are samples, with their share. */
static void report_lost_events(const struct fg_sink *s)
{
	const struct fg_tally *t = &s->tally;
	uint64_t lost = t->lost > t->lost_samples ? t->lost : t->lost_samples;
	double all = (double)lost + (double)t->samples;
	struct fg_buf share = FG_BUF_INIT;

	if (!lost)
		return;
	if (s->format->has_samples)
		fg_buf_addf(&share, ", %.1f %% of all", 100 * ((double)lost / all));
	fg_warn(s->diag, NULL, "%s lost %llu event%s while recording%s: %s",
		s->format->kind->name, (unsigned long long)lost, plural(lost),
		fg_buf_cstr(&share), s->format->hints.lost);
	fg_buf_release(&share);
}

int fg_sink_check_times(const struct fg_sink *s)
{
	if (!s->slices || fg_slices_any_time(s->slices) || !s->tally.kept)
		return 0;
	return fg_error(s->diag, NULL, "no sample has a time, which slices need%s%s",
			s->format->hints.no_time ? ": " : "",
			s->format->hints.no_time ? s->format->hints.no_time : "");
}

static bool any_full(const struct fg_counts *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (fg_sum_is_full(c->entries[i].sum))
			return true;
	for (size_t i = 0; i < c->minus_alloc; i++)
		if (fg_sum_is_full(c->minus[i]))
			return true;
	return false;
}

int fg_sink_check_sums(const struct fg_sink *s)
{
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		if (any_full(&s->counts[i]))
			return fg_error(s->diag, NULL,
					"the counts of a stack are too large to be "
					"added");
	return 0;
}

static void report_timeless(const struct fg_sink *s)
{
	uint64_t count = s->slices ? fg_slices_timeless(s->slices) : 0;

	if (count)
		fg_warn(s->diag, NULL,
			"%llu sample%s no time: %s in the slice of the previous sample",
			(unsigned long long)count, count == 1 ? " has" : "s have",
			count == 1 ? "it is counted" : "they are counted");
	count = s->slices ? fg_slices_uncut(s->slices) : 0;
	if (count)
		fg_warn(s->diag, NULL,
			"%llu interval%s too many slices, so %s counted in the last "
			"one: use wider slices",
			(unsigned long long)count, count == 1 ? " covers" : "s cover",
			count == 1 ? "it is" : "each is");
}

static void report_cut_names(const struct fg_sink *s)
{
	size_t cut = s->names.cut;

	if (cut)
		fg_warn(s->diag, NULL,
			"%zu name%s longer than %d KiB and cut there: names that "
			"differ only after that are merged",
			cut, cut == 1 ? " is" : "s are", (int)(FG_NAME_MAX >> 10));
}

int fg_sink_report(const struct fg_sink *s, size_t lines_written)
{
	const struct fg_tally *t = &s->tally;

	if (!lines_written && s->rules.may_be_left_out)
		return 0;
	report_samples(s);
	report_malformed(s);
	report_timeless(s);
	report_cut_names(s);
	report_other(s);
	if (t->stackless && t->kept)
		fg_warn(s->diag, NULL, "%llu %s skipped",
			(unsigned long long)t->stackless,
			t->stackless == 1 ? "entry without a stack was" :
					    "entries without a stack were");
	if (t->idle && lines_written)
		fg_warn(s->diag, NULL, "%llu sample%s skipped: %s",
			(unsigned long long)t->idle, t->idle == 1 ? " was" : "s were",
			s->format->hints.idle);
	report_lost_events(s);
	for (size_t i = 0; i < t->loss_count; i++)
		report_loss(s, &t->losses[i]);
	report_shrunk(s);
	if (t->kept && !t->chains && s->format->hints.no_chain)
		fg_warn(s->diag, NULL, "no sample has a call chain: %s",
			s->format->hints.no_chain);
	if (!lines_written &&
	    (!t->kept || !fg_filter_options_choose(&s->common->filter)) &&
	    report_nothing(s))
		return -1;
	if (s->common->strict && t->lost_inlined)
		return fg_error(
			s->diag, NULL,
			"inlined functions were lost, which --strict does not allow");
	if (s->common->strict && (t->malformed || t->dropped || t->cut ||
				  t->shrunk.stacks || t->loss_count || s->names.cut))
		return fg_error(s->diag, NULL,
				"input was lost, which --strict does not allow");
	return 0;
}

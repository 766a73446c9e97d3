/* What is said of DSOs: those without symbols, replaced, or not read. */
#include "collapse/formats/perf/data/dsos.h"

/*
 * The DSO of that trouble that most samples met, and how many DSOs and samples there
 * are.
 */
static const struct fg_pd_dso *worst(const struct fg_pd_dsos *d,
				     enum fg_pd_trouble trouble, uint64_t *dsos)
{
	const struct fg_pd_dso *most = NULL;

	*dsos = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct fg_pd_dso *dso = &d->list[i];

		if (dso->trouble != trouble || !dso->touched)
			continue;
		++*dsos;
		if (!most || dso->touched > most->touched)
			most = dso;
	}
	return most;
}

/*
 * Whether the file with the names is not the one that ran. A build id that is the same
 * says nothing, as perf record reads it when the recording ends. When something was
 * mapped is known as if the last sample had been taken at the end of the recording: too
 * late rather than too early, so that what is built and then run is no case of this.
 */
static bool is_replaced(const struct fg_pd_dso *dso, const struct fg_pd_period *period)
{
	const struct fg_pd_identity *id = &dso->identity;
	uint64_t since = id->time > period->first ? id->time : period->first;
	bool moved = id->inode && id->inode != dso->found_inode;
	int64_t changed = moved ? dso->found_changed : dso->found_written;

	if (!dso->found_inode || !dso->had_symbols || id->sure)
		return false;
	if (id->other)
		return true;
	if (!period->end || since > period->last ||
	    period->last - since > INT64_MAX / 2)
		return false;
	/* What is put there afterwards and has the recorded build id is the same. */
	if (dso->build_id.len && changed > period->end)
		return false;
	return changed > period->end - (int64_t)(period->last - since);
}

void fg_pd_dsos_report_replaced(const struct fg_pd_dsos *d, struct fg_diag *diag,
				const struct fg_place *at,
				const struct fg_pd_period *period)
{
	struct fg_buf text = FG_BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (!is_replaced(&d->list[i], period) || count++)
			continue;
		fg_buf_add_visible(&text, d->list[i].name, FG_QUOTED_MAX);
	}
	if (count > 1)
		fg_buf_addf(&text, " and %zu other files", count - 1);
	if (count)
		fg_warn(diag, at,
			"%s: replaced or written to while it ran, so names of "
			"functions may be wrong",
			fg_buf_cstr(&text));
	fg_buf_release(&text);
}

/* Fewer samples than that tell nothing of a program. */
#define FEW_SAMPLES 10

void fg_pd_dsos_report_nameless(const struct fg_pd_dsos *d, uint64_t samples,
				struct fg_diag *diag, const struct fg_place *at)
{
	const struct fg_pd_dso *most = NULL;
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = 0; i < d->count; i++)
		if (!most || d->list[i].nameless > most->nameless)
			most = &d->list[i];
	if (!most || most->nameless < FEW_SAMPLES || most->nameless <= samples / 10)
		return;
	fg_buf_add_visible(&name, most->name, FG_QUOTED_MAX);
	fg_warn(diag, at,
		"%s has no symbols, so %.0f %% of the samples are in functions without "
		"names: do not strip it, or install its package of debug symbols",
		fg_buf_cstr(&name), 100.0 * (double)most->nameless / (double)samples);
	fg_buf_release(&name);
}

/* What is not read of files, as it would take more memory than it is worth. */
static void report_refused(const struct fg_pd_dsos *d, struct fg_diag *diag,
			   const struct fg_place *at)
{
	const struct fg_pd_dso *inflates = NULL, *keeps = NULL;
	size_t inflate = 0, keep = 0;
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = d->count; i--;) {
		const struct fg_pd_dso *dso = &d->list[i];

		inflates = dso->inflates ? dso : inflates;
		inflate += dso->inflates;
		keeps = dso->keeps_frames ? dso : keeps;
		keep += dso->keeps_frames;
	}
	if (inflates) {
		fg_buf_add_visible(&name, inflates->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s, or its debug file, has holes, sections, or tables, that "
			"inflate to more than %d times the file, which are not read "
			"(one of %zu)",
			fg_buf_cstr(&name), FG_PD_INFLATED_TIMES, inflate);
	}
	fg_buf_clear(&name);
	if (keeps) {
		fg_buf_add_visible(&name, keeps->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s: what says how to unwind its frames cannot be followed, so "
			"stacks end there (one of %zu)",
			fg_buf_cstr(&name), keep);
	}
	fg_buf_release(&name);
}

/* -gsplit-dwarf, and the files are not where the compiler left them. */
static void report_split(const struct fg_pd_dsos *d, struct fg_diag *diag,
			 const struct fg_place *at)
{
	struct fg_buf name = FG_BUF_INIT;
	size_t units = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct fg_pd_dso *dso = &d->list[i];
		size_t more = dso->elsewhere;

		if (dso->inlines)
			more += fg_pd_inlines_elsewhere(dso->inlines);
		if (more && !units)
			fg_buf_add_visible(&name, dso->name, FG_QUOTED_MAX);
		units += more;
	}
	if (units)
		fg_warn(diag, at,
			"%s: debug information is in .dwo or .dwp files that cannot be "
			"read (%zu units), so functions inlined there are not shown",
			fg_buf_cstr(&name), units);
	fg_buf_release(&name);
}

/* Names the jit-PID.dump that a runtime mapped, in which perf inject finds names. */
static void report_dump(const struct fg_pd_dsos *d, struct fg_diag *diag,
			const struct fg_place *at)
{
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = 0; i < d->count && !name.len; i++) {
		struct fg_str path = d->list[i].name;
		struct fg_str base = fg_str_basename(path);

		if (fg_str_starts(base, FG_STR("jit-")) &&
		    fg_str_ends(base, FG_STR(".dump")))
			fg_buf_add_visible(&name, path, FG_QUOTED_MAX);
	}
	if (name.len)
		fg_warn(diag, at,
			"%s has those names: perf inject --jit -i %s -o named.data, "
			"and fold named.data",
			fg_buf_cstr(&name), at->input);
	fg_buf_release(&name);
}

void fg_pd_dsos_report(const struct fg_pd_dsos *d, struct fg_diag *diag,
		       const struct fg_place *at)
{
	static const char *const texts[FG_PD_TROUBLES] = {
		[FG_PD_CHANGED] = "is not the one that ran, so its functions have no "
				  "names",
		[FG_PD_MISSING] = "is not here, so its functions have no names",
		[FG_PD_UNREADABLE] = "cannot be read, so its functions have no names",
		[FG_PD_TOO_MANY] = "is one file more than may be open, so its "
				   "functions have no names: raise ulimit -n",
		[FG_PD_NO_MAP] = "is not here or not yours, so code that was made at "
				 "run time has no names: have the runtime write it",
		[FG_PD_LATE_MAP] =
			"was not here when the first samples came, so code that was "
			"made at run time has no names in them: record into a file",
		[FG_PD_NO_KERNEL] = "has no symbols here: it is another kernel, or "
				    "kernel.kptr_restrict or, from all but root, "
				    "kernel.perf_event_paranoid hides them",
	};
	struct fg_buf text = FG_BUF_INIT;

	for (int i = FG_PD_NO_TROUBLE + 1; i < FG_PD_TROUBLES; i++) {
		uint64_t dsos;
		const struct fg_pd_dso *dso = worst(d, (enum fg_pd_trouble)i, &dsos);

		if (!dso)
			continue;
		fg_buf_clear(&text);
		fg_buf_add_visible(&text, dso->name, FG_QUOTED_MAX);
		fg_buf_addf(&text, " %s (%llu samples", texts[i],
			    (unsigned long long)dso->touched);
		if (dsos > 1)
			fg_buf_addf(&text, "; the same of %llu other files",
				    (unsigned long long)dsos - 1);
		fg_warn(diag, at, "%s)", fg_buf_cstr(&text));
		if (i == FG_PD_NO_MAP)
			report_dump(d, diag, at);
	}
	report_refused(d, diag, at);
	report_split(d, diag, at);
	if (d->debug_tried && !d->debug_found)
		fg_warn(diag, at,
			"no file has debug information, so no inlined functions are "
			"shown: compile with -g");
	if (d->too_long)
		fg_warn(diag, at,
			"%llu names are shown mangled, or not at all: they, or what "
			"they stand for, are too long",
			(unsigned long long)d->too_long);
	if (d->without_line)
		fg_warn(diag, at,
			"%llu lines are not shown: the names of their functions are "
			"too long",
			(unsigned long long)d->without_line);
	fg_buf_release(&text);
}

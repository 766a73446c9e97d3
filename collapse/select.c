/* Selects samples by comm, pid, tid, CPU and time. */
#include "collapse/select.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots.h"
#include "lib/base/xalloc.h"

#define NANOSECONDS UINT64_C(1000000000)

struct range {
	uint64_t from, to; /* both inclusive */
};

struct ranges {
	struct range *items;
	size_t count, alloc;
};

/* One end of --time. */
struct time_limit {
	enum { TIME_OPEN, TIME_ABSOLUTE, TIME_RELATIVE, TIME_PERCENT } kind;
	double percent;
	/*
	 * for TIME_ABSOLUTE the time; for TIME_RELATIVE the time after the first sample
	 */
	uint64_t ns;
};

struct fg_selection {
	const struct fg_samples_options *options;
	struct ranges pids, tids, cpus;
	struct time_limit from, to;
	bool saw_pid;
	bool has_first;
	uint64_t first; /* time of the first sample, in ns */
	/* time of the last sample, in ns; only set if --time has percentages */
	uint64_t last;
};

bool fg_glob(struct fg_str pattern, struct fg_str name)
{
	size_t p = 0, n = 0, star = SIZE_MAX, resume = 0;

	while (n < name.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			resume = n;
		} else if (p < pattern.len &&
			   (pattern.ptr[p] == '?' || pattern.ptr[p] == name.ptr[n])) {
			p++;
			n++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			n = ++resume;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}

/* ---- lists of numbers: "1,5-7" */

static int read_ranges(struct ranges *r, const struct fg_opt_list *list,
		       const char *option, struct fg_diag *diag)
{
	for (size_t i = 0; i < list->count; i++) {
		struct fg_str rest = fg_str_from(list->items[i]);

		do {
			struct fg_str to = fg_str_trim(fg_str_cut(&rest, ','));
			bool single = !fg_str_has_char(to, '-');
			struct fg_str from = fg_str_cut(&to, '-');
			struct range range;

			if (fg_str_u64(from, &range.from) ||
			    fg_str_u64(single ? from : to, &range.to) ||
			    range.from > range.to)
				return fg_error(diag, NULL,
						"%s takes numbers and ranges such as "
						"1,5-7, not '%s'",
						option, list->items[i]);
			FG_GROW(r->items, r->alloc, r->count + 1);
			r->items[r->count++] = range;
		} while (rest.len);
	}
	return 0;
}

/*
 * Returns true if the list is empty or has the number. An unknown number is in no list.
 */
static bool in_ranges(const struct ranges *r, struct fg_id id)
{
	uint64_t n = (uint64_t)id.number;

	if (!r->count)
		return true;
	if (!id.known || id.number < 0)
		return false;
	for (size_t i = 0; i < r->count; i++)
		if (n >= r->items[i].from && n <= r->items[i].to)
			return true;
	return false;
}

/* ---- times */

int fg_read_seconds(struct fg_str s, uint64_t *ns)
{
	struct fg_str fraction = s;
	struct fg_str whole = fg_str_cut(&fraction, '.');
	uint64_t seconds, part = 0;

	if (fg_str_u64(whole, &seconds) || seconds > UINT64_MAX / NANOSECONDS - 1)
		return -1;
	if (fraction.len > 9 || (fraction.len && fg_str_u64(fraction, &part)))
		return -1;
	for (size_t i = fraction.len; i < 9; i++)
		part *= 10;
	*ns = seconds * NANOSECONDS + part;
	return 0;
}

struct unit {
	struct fg_str name;
	double ns;
};

/*
 * Reads "2s", "150ms" or "1.5", which follow a '+' in --time: time after the first
 * sample.
 */
static int read_relative(struct fg_str s, uint64_t *ns)
{
	static const struct unit units[] = {
		{ FG_STR_INIT("ns"), 1 },   { FG_STR_INIT("us"), 1e3 },
		{ FG_STR_INIT("ms"), 1e6 }, { FG_STR_INIT("min"), 60e9 },
		{ FG_STR_INIT("s"), 1e9 },  { FG_STR_INIT(""), 1e9 },
	};
	size_t i = 0;
	double n;

	while (!fg_str_cut_end(&s, units[i].name))
		i++;
	if (fg_str_double(s, &n) || n < 0 || n * units[i].ns >= 1.8e19)
		return -1;
	*ns = (uint64_t)(n * units[i].ns + 0.5);
	return 0;
}

static int read_limit(struct fg_str s, struct time_limit *limit)
{
	if (!s.len) {
		limit->kind = TIME_OPEN;
		return 0;
	}
	if (s.ptr[0] == '+') {
		limit->kind = TIME_RELATIVE;
		return read_relative(fg_str_from_pos(s, 1), &limit->ns);
	}
	if (fg_str_cut_end(&s, FG_STR("%"))) {
		limit->kind = TIME_PERCENT;
		return fg_str_double(s, &limit->percent) || limit->percent < 0 ||
				       limit->percent > 100 ?
			       -1 :
			       0;
	}
	limit->kind = TIME_ABSOLUTE;
	return fg_read_seconds(s, &limit->ns);
}

/*
 * Returns true if the limits are in order, or cannot be compared before the first
 * sample.
 */
static bool is_in_order(const struct time_limit *from, const struct time_limit *to)
{
	return from->kind != to->kind ||
	       (from->ns <= to->ns && from->percent <= to->percent);
}

static int read_time(struct fg_selection *sel, const char *text, struct fg_diag *diag)
{
	struct fg_str to = fg_str_from(text);
	struct fg_str from = fg_str_cut(&to, ',');

	if (!text)
		return 0;
	if (strchr(text, ',') && !read_limit(from, &sel->from) &&
	    !read_limit(to, &sel->to) && is_in_order(&sel->from, &sel->to))
		return 0;
	return fg_error(
		diag, NULL,
		"--time takes A,B, each empty or a time such as 4242.5, +2s or 10%%, "
		"not '%s'",
		text);
}

bool fg_selection_needs_span(const struct fg_selection *sel)
{
	return sel->from.kind == TIME_PERCENT || sel->to.kind == TIME_PERCENT;
}

void fg_selection_set_span(struct fg_selection *sel, uint64_t first, uint64_t last)
{
	sel->has_first = true;
	sel->first = first;
	sel->last = last > first ? last : first;
}

/* Converts a limit to an absolute time in ns. */
static uint64_t limit_ns(const struct fg_selection *sel, const struct time_limit *l)
{
	uint64_t after = l->ns;

	if (l->kind == TIME_ABSOLUTE)
		return l->ns;
	if (l->kind == TIME_PERCENT) {
		double part = (double)(sel->last - sel->first) * l->percent / 100;

		after = part < 0x1p64 ? (uint64_t)part : UINT64_MAX;
	}
	return after > UINT64_MAX - sel->first ? UINT64_MAX : sel->first + after;
}

bool fg_selection_needs_time(const struct fg_selection *sel)
{
	return sel->from.kind != TIME_OPEN || sel->to.kind != TIME_OPEN;
}

static bool in_time(struct fg_selection *sel, const struct fg_sample *sample)
{
	uint64_t ns = sample->time;

	if (!fg_selection_needs_time(sel))
		return true;
	if (!sample->has_time)
		return false;
	if (!sel->has_first)
		fg_selection_set_span(sel, ns, ns);
	return (sel->from.kind == TIME_OPEN || ns >= limit_ns(sel, &sel->from)) &&
	       (sel->to.kind == TIME_OPEN || ns <= limit_ns(sel, &sel->to));
}

/* ---- the selection */

int fg_selection_new(const struct fg_samples_options *o, struct fg_diag *diag,
		     struct fg_selection **made)
{
	struct fg_selection *sel;

	*made = NULL;
	if (!fg_samples_options_select(o))
		return 0;
	*made = sel = fg_xcalloc(1, sizeof(*sel));
	sel->options = o;
	if (read_ranges(&sel->pids, &o->pid_filter, "--pid-filter", diag) ||
	    read_ranges(&sel->tids, &o->tid_filter, "--tid-filter", diag) ||
	    read_ranges(&sel->cpus, &o->cpu, "--cpu", diag) ||
	    read_time(sel, o->time, diag))
		return -1;
	return 0;
}

void fg_selection_free(struct fg_selection *sel)
{
	if (!sel)
		return;
	free(sel->pids.items);
	free(sel->tids.items);
	free(sel->cpus.items);
	free(sel);
}

/* Returns true if --comm names the comm, or is not given. */
static bool is_wanted_comm(const struct fg_opt_list *comms, struct fg_str comm)
{
	for (size_t i = 0; i < comms->count; i++) {
		struct fg_str rest = fg_str_from(comms->items[i]);

		do {
			if (fg_glob(fg_str_trim(fg_str_cut(&rest, ',')), comm))
				return true;
		} while (rest.len);
	}
	return !comms->count;
}

bool fg_selection_lacks_pids(const struct fg_selection *sel)
{
	return sel->pids.count && !sel->saw_pid;
}

bool fg_selection_wants(struct fg_selection *sel, const struct fg_sample *sample)
{
	sel->saw_pid |= sample->pid.known;
	return in_time(sel, sample) &&
	       is_wanted_comm(&sel->options->comm, sample->comm) &&
	       in_ranges(&sel->pids, sample->pid) &&
	       in_ranges(&sel->tids, sample->tid) && in_ranges(&sel->cpus, sample->cpu);
}

/* The root frames of a sample: event, comm, pid, tid, cpu, as options ask. */
#include "collapse/perf_root.h"

#include "collapse/perf.h"
#include "collapse/perf_name.h"

/* The comm without the numbers that tell the threads of a pool apart. */
static struct fg_str without_number(struct fg_str comm)
{
	struct fg_str s = comm;
	size_t digits;

	while ((digits = fg_str_end_span(s, fg_is_digit)) > 0) {
		s.len -= digits;
		while (s.len && fg_str_has_char(FG_STR("-_/#:. "), s.ptr[s.len - 1]))
			s.len--;
	}
	return s.len ? s : comm;
}

/* The comm, with the ids that --pid and --tid ask for. */
static void add_comm(struct perf *p, const struct perf_header *h)
{
	struct fg_str comm = h->comm;
	struct fg_buf *b = &p->scratch;

	if (p->options->merge_threads)
		comm = without_number(comm);
	perf_add_word(b, comm);
	if (!h->tid.ptr || !(p->options->tid || p->options->pid))
		return;
	fg_buf_add_char(b, '-');
	fg_buf_add_str(b, h->pid.ptr ? h->pid : FG_STR("?"));
	if (p->options->tid) {
		fg_buf_add_char(b, '/');
		fg_buf_add_str(b, h->tid);
	}
}

static void add_number(struct fg_buf *b, const char *name, struct fg_str number)
{
	fg_buf_addf(b, "%s-", name);
	fg_buf_add_str(b, number.ptr ? number : FG_STR("?"));
}

static void add_root(struct perf *p, const struct perf_header *h, enum perf_root root)
{
	struct fg_buf *b = &p->scratch;

	switch (root) {
	case PERF_ROOT_COMM:
		add_comm(p, h);
		break;
	case PERF_ROOT_PID:
		add_number(b, "pid", h->pid);
		break;
	case PERF_ROOT_TID:
		add_number(b, "tid", h->tid);
		break;
	case PERF_ROOT_CPU:
		add_number(b, "cpu", h->cpu);
		break;
	case PERF_ROOT_EVENT:
		perf_add_word(b, h->event);
		break;
	case PERF_ROOT_NONE:
		break;
	}
}

/* Works the root frames out. */
static struct perf_memo_value make_roots(struct perf *p, const struct perf_header *h,
					 size_t *depth)
{
	const struct perf_options *o = p->options;

	*depth = 0;
	for (size_t i = 0; i < o->root_count; i++) {
		fg_buf_clear(&p->scratch);
		add_root(p, h, o->roots[i]);
		if (!p->scratch.len)
			continue;
		perf_run_add(p, fg_buf_str(&p->scratch));
		++*depth;
	}
	return perf_run_end(p);
}

struct perf_memo_value perf_roots_of(struct perf *p, const struct perf_header *h,
				     size_t *depth)
{
	const struct perf_options *o = p->options;
	bool cached = o->root_count == 1 && o->roots[0] == PERF_ROOT_COMM &&
		      h->comm.len && !o->pid && !o->tid;
	const struct perf_memo_entry *entry;
	struct perf_memo_value value;
	struct perf_memo_key key;

	if (!cached)
		return make_roots(p, h, depth);
	*depth = 1;
	key = perf_memo_key(&p->memo, h->comm, PERF_VARIANT_COMM);
	entry = perf_memo_find(&p->memo, &key);
	if (entry)
		return perf_memo_value(entry);
	value = make_roots(p, h, depth);
	perf_memo_add(&p->memo, &key, value);
	return value;
}

/* Makes the root frames of samples: event, comm, pid and so on. */
#include "collapse/roots.h"

/*
 * perf pads the number of a CPU to this many digits, so that sorting the text sorts the
 * numbers. The number of running threads is padded to the same width, because no more
 * threads run than there are CPUs.
 */
#define CPU_COLUMNS 3

struct fg_id fg_id_read(struct fg_str digits)
{
	bool negative = fg_str_cut_start(&digits, FG_STR("-"));
	uint64_t number;

	if (fg_str_u64(digits, &number) || number > INT64_MAX)
		return (struct fg_id){ 0, false };
	return (struct fg_id){ negative ? -(int64_t)number : (int64_t)number, true };
}

void fg_add_word(struct fg_buf *b, struct fg_str s)
{
	char *to;

	if (!s.len)
		return;
	fg_buf_reserve(b, s.len);
	to = b->ptr + b->len;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		to[i] = c == ' ' ? '_' : c == ';' ? ':' : c;
	}
	b->len += s.len;
}

/* Returns the comm without the numbers that tell the threads of a pool apart. */
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

/* Appends an id with at least `columns` digits. */
static void add_id(struct fg_buf *b, struct fg_id id, size_t columns)
{
	uint64_t number = id.number < 0 ? 0 - (uint64_t)id.number : (uint64_t)id.number;
	size_t digits = 1;

	if (!id.known) {
		fg_buf_add_char(b, '?');
		return;
	}
	if (id.number < 0)
		fg_buf_add_char(b, '-');
	for (uint64_t left = number; left > 9; left /= 10)
		digits++;
	for (; digits < columns; digits++)
		fg_buf_add_char(b, '0');
	fg_buf_add_u64(b, number);
}

/* Appends the comm, with the ids that --pid and --tid ask for. */
static void add_comm(struct fg_buf *b, const struct fg_samples_options *o,
		     const struct fg_sample *sample)
{
	struct fg_str comm = sample->comm;

	fg_add_word(b, o->merge_threads ? without_number(comm) : comm);
	if (!sample->tid.known || !(o->tid || o->pid))
		return;
	fg_buf_add_char(b, '-');
	add_id(b, sample->pid, 1);
	if (o->tid) {
		fg_buf_add_char(b, '/');
		add_id(b, sample->tid, 1);
	}
}

void fg_add_root(struct fg_buf *b, const struct fg_samples_options *o,
		 enum fg_root root, const struct fg_sample *sample)
{
	switch (root) {
	case FG_ROOT_COMM:
		add_comm(b, o, sample);
		break;
	case FG_ROOT_PID:
		fg_buf_add_str(b, FG_STR("pid-"));
		add_id(b, sample->pid, 1);
		break;
	case FG_ROOT_TID:
		fg_buf_add_str(b, FG_STR("tid-"));
		add_id(b, sample->tid, 1);
		break;
	case FG_ROOT_CPU:
		fg_buf_add_str(b, FG_STR("cpu-"));
		add_id(b, sample->cpu, CPU_COLUMNS);
		break;
	case FG_ROOT_STATE:
		fg_add_word(b, sample->state);
		break;
	case FG_ROOT_PARALLELISM:
		fg_buf_add_str(b, FG_STR("parallelism-"));
		add_id(b, (struct fg_id){ (int64_t)sample->parallelism, true },
		       CPU_COLUMNS);
		break;
	case FG_ROOT_EVENT:
		fg_add_word(b, sample->event);
		break;
	case FG_ROOT_PROCESS: /* only stacks with values have these */
	case FG_ROOT_THREAD:
	case FG_ROOT_LABEL:
	case FG_ROOT_NONE:
		break;
	}
}

/* The text of a sample's root frames: event, comm, pid, tid, cpu, as options ask. */
#include "collapse/roots.h"

#include "collapse/sample.h"

void fg_add_word(struct fg_buf *b, struct fg_str s)
{
	char *to;

	fg_buf_reserve(b, s.len);
	to = b->ptr + b->len;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		to[i] = c == ' ' ? '_' : c == ';' ? ':' : c;
	}
	b->len += s.len;
}

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
static void add_comm(struct fg_buf *b, const struct fg_samples_options *o,
		     const struct fg_sample *sample)
{
	struct fg_str comm = sample->comm;

	fg_add_word(b, o->merge_threads ? without_number(comm) : comm);
	if (!sample->tid.ptr || !(o->tid || o->pid))
		return;
	fg_buf_add_char(b, '-');
	fg_buf_add_str(b, sample->pid.ptr ? sample->pid : FG_STR("?"));
	if (o->tid) {
		fg_buf_add_char(b, '/');
		fg_buf_add_str(b, sample->tid);
	}
}

static void add_number(struct fg_buf *b, const char *name, struct fg_str number)
{
	fg_buf_addf(b, "%s-", name);
	fg_buf_add_str(b, number.ptr ? number : FG_STR("?"));
}

void fg_add_root(struct fg_buf *b, const struct fg_samples_options *o,
		 enum fg_root root, const struct fg_sample *sample)
{
	switch (root) {
	case FG_ROOT_COMM:
		add_comm(b, o, sample);
		break;
	case FG_ROOT_PID:
		add_number(b, "pid", sample->pid);
		break;
	case FG_ROOT_TID:
		add_number(b, "tid", sample->tid);
		break;
	case FG_ROOT_CPU:
		add_number(b, "cpu", sample->cpu);
		break;
	case FG_ROOT_STATE:
		fg_add_word(b, sample->state);
		break;
	case FG_ROOT_EVENT:
		fg_add_word(b, sample->event);
		break;
	case FG_ROOT_NONE:
		break;
	}
}

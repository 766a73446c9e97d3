/*
 * Reads what the text of perf script says about threads: records, sched:sched_switch.
 */
#include "collapse/formats/perf/text/task.h"

#include "collapse/select.h"

/* ---- records */

/*
 * Sets *rest to the text after `name` in the line. Returns false if `name` is not
 * there.
 */
static bool cut_name(struct fg_str line, struct fg_str name, struct fg_str *rest)
{
	size_t at = fg_str_find(line, name);

	*rest = fg_str_from_pos(line, at + name.len);
	return at < line.len;
}

/* Reads " OUT preempt" after PERF_RECORD_SWITCH, or "_CPU_WIDE IN  prev pid: 1". */
static bool read_switch(struct fg_str rest, enum perf_task_change *change)
{
	fg_str_cut_start(&rest, FG_STR("_CPU_WIDE"));
	*change = PERF_TASK_IN;
	if (fg_str_cut_start(&rest, FG_STR(" IN")))
		return !rest.len || rest.ptr[0] == ' ';
	*change = fg_str_starts(rest, FG_STR(" OUT preempt")) ? PERF_TASK_PREEMPTED :
								PERF_TASK_OUT;
	return fg_str_cut_start(&rest, FG_STR(" OUT")) &&
	       (!rest.len || rest.ptr[0] == ' ');
}

/* Reads "12:13):(1:1)" after PERF_RECORD_FORK( and EXIT(: thread 13. */
static bool read_task(struct fg_str rest, uint64_t *tid)
{
	struct fg_str ids = fg_str_before(rest, fg_str_find_char(rest, ')'));

	return !fg_str_u64(fg_str_from_pos(ids, fg_str_find_char(ids, ':') + 1), tid);
}

/* Reads " exec: make:12/13" after PERF_RECORD_COMM: thread 13 is now called make. */
static bool read_comm(struct fg_str rest, struct perf_task *r)
{
	size_t slash, colon;

	rest = fg_str_trim_right(rest);
	r->exec = fg_str_cut_start(&rest, FG_STR(" exec"));
	if (!fg_str_cut_start(&rest, FG_STR(": ")))
		return false;
	slash = fg_str_rfind_char(rest, '/');
	colon = fg_str_rfind_char(fg_str_before(rest, slash), ':');
	r->thread.comm = fg_str_before(rest, colon);
	return colon < slash && !fg_str_u64(fg_str_from_pos(rest, slash + 1), &r->tid);
}

static bool read_record(struct fg_str line, struct perf_task *r)
{
	struct fg_str rest;

	if (cut_name(line, FG_STR(" PERF_RECORD_SWITCH"), &rest)) {
		r->tid = fg_id_of_thread(r->thread.tid);
		return r->tid && read_switch(rest, &r->change);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_FORK("), &rest)) {
		r->change = PERF_TASK_BEGINS;
		return read_task(rest, &r->tid);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_EXIT("), &rest)) {
		r->change = PERF_TASK_ENDS;
		r->thread.comm = fg_str_of(NULL, 0);
		return read_task(rest, &r->tid);
	}
	r->change = PERF_TASK_NAMED;
	return cut_name(line, FG_STR(" PERF_RECORD_COMM"), &rest) && read_comm(rest, r);
}

bool perf_task_read(const struct perf_header *h, struct fg_str line,
		    struct perf_task *task)
{
	*task = (struct perf_task){ .thread = h->sample };
	if (!h->time.ptr || fg_read_seconds(h->time, &task->time) ||
	    !read_record(line, task) || !task->tid)
		return false;
	/* the header names the thread that caused the record, maybe another one */
	if (task->change >= PERF_TASK_BEGINS)
		task->thread.pid.known = task->thread.cpu.known = false;
	return true;
}

/* ---- sched:sched_switch: states */

/*
 * A state of a thread. perf prints its letter, or the bit that the kernel records for
 * it.
 */
struct state {
	char letter;
	unsigned bit;
	struct fg_str name;
};

/* See task_state_index() in include/linux/sched.h. Only old kernels have 'x'. */
static const struct state states[] = {
	{ 'S', 0x01, FG_STR_INIT("sleep") },   { 'D', 0x02, FG_STR_INIT("disk") },
	{ 'T', 0x04, FG_STR_INIT("stopped") }, { 't', 0x08, FG_STR_INIT("stopped") },
	{ 'X', 0x10, FG_STR_INIT("dead") },    { 'Z', 0x20, FG_STR_INIT("dead") },
	{ 'P', 0x40, FG_STR_INIT("parked") },  { 'I', 0x80, FG_STR_INIT("idle") },
	{ 'x', 0, FG_STR_INIT("dead") },       { 'R', 0, FG_STR_INIT("preempted") },
};

/*
 * Returns the name of "S", "R+", "D|K", or of a number, which some versions of perf
 * print.
 */
static struct fg_str state_name(struct fg_str text)
{
	uint64_t bits;
	bool number = !fg_str_u64(text, &bits);

	if (number && !(bits & 0xff))
		return FG_STR("preempted");
	for (size_t i = 0; i < FG_COUNT_OF(states); i++)
		if (number ? (bits & states[i].bit) != 0 :
			     text.len && text.ptr[0] == states[i].letter)
			return states[i].name;
	return FG_STR("other");
}

/* ---- sched:sched_switch: the payload */

/* Returns the index of the last `needle`, or text.len. */
static size_t find_last(struct fg_str text, struct fg_str needle)
{
	size_t last = text.len, at = 0, step;

	while ((step = fg_str_find(fg_str_from_pos(text, at), needle)) <
	       text.len - at) {
		last = at + step;
		at = last + 1;
	}
	return last;
}

/*
 * Returns the value after `name`, up to the next space. We take the last `name`,
 * because a command before it may hold anything.
 */
static struct fg_str last_value(struct fg_str text, struct fg_str name)
{
	size_t at = find_last(text, name);
	struct fg_str value = fg_str_from_pos(text, at + name.len);

	return fg_str_before(value, fg_str_find_char(value, ' '));
}

/* Reads the number 1 of "A:1 [120]". */
static int read_plain_pid(struct fg_str text, uint64_t *pid)
{
	text = fg_str_before(text, find_last(text, FG_STR(" [")));
	return fg_str_u64(fg_str_from_pos(text, fg_str_rfind_char(text, ':') + 1), pid);
}

/*
 * Reads "prev_comm=A prev_pid=1 prev_prio=120 prev_state=S" in `prev`, and "
 * next_comm=B next_pid=2 next_prio=120" in `next`. In the text of perf script, `prev`
 * ends with " ==>"; in perf.data it does not.
 */
static bool read_fields(struct fg_str prev, struct fg_str next, struct perf_switch *s)
{
	struct fg_str state = last_value(prev, FG_STR(" prev_state="));

	s->state = state_name(state);
	return state.len &&
	       !fg_str_u64(last_value(prev, FG_STR(" prev_pid=")), &s->prev_pid) &&
	       !fg_str_u64(last_value(next, FG_STR(" next_pid=")), &s->next_pid);
}

bool perf_switch_read(struct fg_str payload, struct perf_switch *s)
{
	static const struct fg_str arrow = FG_STR_INIT(" ==> ");
	size_t at = find_last(payload, FG_STR(" next_comm="));
	struct fg_str prev, next, state;

	if (at < payload.len)
		return read_fields(fg_str_before(payload, at),
				   fg_str_from_pos(payload, at), s);
	at = find_last(payload, arrow);
	if (at == payload.len)
		return false;
	prev = fg_str_before(payload, at);
	next = fg_str_from_pos(payload, at + arrow.len);
	state = last_value(prev, FG_STR("] "));
	s->state = state_name(state);
	return state.len && !read_plain_pid(prev, &s->prev_pid) &&
	       !read_plain_pid(next, &s->next_pid);
}

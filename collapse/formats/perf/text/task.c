/* Records about threads in the text of perf script. */
#include "collapse/formats/perf/text/task.h"

/* Sets *rest to what follows `name` in the line. Returns false if it is not there. */
static bool cut_name(struct fg_str line, struct fg_str name, struct fg_str *rest)
{
	size_t at = fg_str_find(line, name);

	*rest = fg_str_from_pos(line, at + name.len);
	return at < line.len;
}

/* Reads what follows SWITCH: " OUT preempt", or "_CPU_WIDE IN  prev pid: 1". */
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

/* Reads the thread of "(12:13):(1:1)", behind FORK and EXIT: 13. */
static bool read_task(struct fg_str rest, uint64_t *tid)
{
	struct fg_str ids = fg_str_before(rest, fg_str_find_char(rest, ')'));

	return !fg_str_u64(fg_str_from_pos(ids, fg_str_find_char(ids, ':') + 1), tid);
}

/* Reads "exec: make:12/13", behind COMM: 13 is now called make. */
static bool read_comm(struct fg_str rest, struct perf_task *r)
{
	size_t slash, colon;

	rest = fg_str_trim_right(rest);
	r->exec = fg_str_cut_start(&rest, FG_STR(" exec"));
	if (!fg_str_cut_start(&rest, FG_STR(": ")))
		return false;
	slash = fg_str_rfind_char(rest, '/');
	colon = fg_str_rfind_char(fg_str_before(rest, slash), ':');
	r->says.comm = fg_str_before(rest, colon);
	return colon < slash && !fg_str_u64(fg_str_from_pos(rest, slash + 1), &r->tid);
}

static bool read_record(struct fg_str line, struct perf_task *r)
{
	struct fg_str rest;

	if (cut_name(line, FG_STR(" PERF_RECORD_SWITCH"), &rest)) {
		r->tid = fg_id_of_thread(r->says.tid);
		return r->tid && read_switch(rest, &r->change);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_FORK("), &rest)) {
		r->change = PERF_TASK_BEGINS;
		return read_task(rest, &r->tid);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_EXIT("), &rest)) {
		r->change = PERF_TASK_ENDS;
		r->says.comm = fg_str_of(NULL, 0);
		return read_task(rest, &r->tid);
	}
	r->change = PERF_TASK_NAMED;
	return cut_name(line, FG_STR(" PERF_RECORD_COMM"), &rest) && read_comm(rest, r);
}

bool perf_task_read(const struct perf_header *h, struct fg_str line,
		    struct perf_task *task)
{
	*task = (struct perf_task){ .says = h->sample };
	if (!h->time.ptr || fg_read_seconds(h->time, &task->time) ||
	    !read_record(line, task) || !task->tid)
		return false;
	/* its header describes the thread that did it, which may be another one */
	if (task->change >= PERF_TASK_BEGINS)
		task->says.pid.known = task->says.cpu.known = false;
	return true;
}

/* --wall: records in the text of perf script: who runs, who begins, who ends. */
#include "collapse/formats/perf/text/wall.h"

#include "lib/base/buf.h"

/* Behind `name`, which is in the line; false where it is not. */
static bool cut_name(struct fg_str line, struct fg_str name, struct fg_str *rest)
{
	size_t at = fg_str_find(line, name);

	*rest = fg_str_from_pos(line, at + name.len);
	return at < line.len;
}

/* "PERF_RECORD_SWITCH OUT preempt", "PERF_RECORD_SWITCH_CPU_WIDE IN  prev pid: 1" */
static bool read_switch(struct fg_str rest, enum perf_wall_change *change)
{
	fg_str_cut_start(&rest, FG_STR("_CPU_WIDE"));
	*change = PERF_WALL_IN;
	if (fg_str_cut_start(&rest, FG_STR(" IN")))
		return !rest.len || rest.ptr[0] == ' ';
	*change = fg_str_starts(rest, FG_STR(" OUT preempt")) ? PERF_WALL_PREEMPTED :
								PERF_WALL_OUT;
	return fg_str_cut_start(&rest, FG_STR(" OUT")) &&
	       (!rest.len || rest.ptr[0] == ' ');
}

/* "(12:13):(1:1)" of FORK and EXIT: whose it is, 13. */
static bool read_task(struct fg_str rest, uint64_t *tid)
{
	struct fg_str ids = fg_str_before(rest, fg_str_find_char(rest, ')'));

	return !fg_str_u64(fg_str_from_pos(ids, fg_str_find_char(ids, ':') + 1), tid);
}

/* "exec: make:12/13" of COMM, which says what 13 is called. */
static bool read_comm(struct fg_str rest, struct perf_wall_record *r)
{
	size_t slash, colon;

	rest = fg_str_trim_right(rest);
	fg_str_cut_start(&rest, FG_STR(" exec"));
	if (!fg_str_cut_start(&rest, FG_STR(": ")))
		return false;
	slash = fg_str_rfind_char(rest, '/');
	colon = fg_str_rfind_char(fg_str_before(rest, slash), ':');
	r->says.comm = fg_str_before(rest, colon);
	return colon < slash && !fg_str_u64(fg_str_from_pos(rest, slash + 1), &r->tid);
}

static bool read_record(struct fg_str line, struct perf_wall_record *r)
{
	struct fg_str rest;

	if (cut_name(line, FG_STR(" PERF_RECORD_SWITCH"), &rest)) {
		r->tid = fg_id_of_thread(r->says.tid);
		return r->tid && read_switch(rest, &r->change);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_FORK("), &rest)) {
		r->change = PERF_WALL_BEGINS;
		return read_task(rest, &r->tid);
	}
	if (cut_name(line, FG_STR(" PERF_RECORD_EXIT("), &rest)) {
		r->change = PERF_WALL_ENDS;
		r->says.comm = fg_str_of(NULL, 0);
		return read_task(rest, &r->tid);
	}
	r->change = PERF_WALL_NAMED;
	return cut_name(line, FG_STR(" PERF_RECORD_COMM"), &rest) && read_comm(rest, r);
}

void perf_wall_line(struct perf *p, const struct perf_header *h, struct fg_str line)
{
	struct perf_wall_record r = { .says = h->sample };

	if (!h->time.ptr || fg_read_seconds(h->time, &r.time) || !read_record(line, &r))
		return;
	/* what else the header says is of the thread that did it */
	if (r.change >= PERF_WALL_BEGINS)
		r.says.pid.known = r.says.cpu.known = false;
	perf_wall_record(p, &r);
}

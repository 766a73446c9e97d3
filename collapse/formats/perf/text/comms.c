/* Remembers the commands of threads, for samples that come after a thread has ended. */
#include "collapse/formats/perf/text/comms.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

static void release_table(struct perf_comm_table *t)
{
	fg_map_release(&t->by_tid);
	fg_intern_release(&t->comms);
	free(t->list);
}

static void init_table(struct perf_comm_table *t)
{
	memset(t, 0, sizeof(*t));
	fg_intern_init(&t->comms);
}

void perf_comms_init(struct perf_comms *c)
{
	init_table(&c->now);
	init_table(&c->before);
}

void perf_comms_release(struct perf_comms *c)
{
	release_table(&c->now);
	release_table(&c->before);
}

void perf_comms_clear(struct perf_comms *c)
{
	perf_comms_release(c);
	perf_comms_init(c);
}

/* Drops the older table if the newer one is full. Returns true if it did. */
static bool make_room(struct perf_comms *c)
{
	if (c->now.count < PERF_COMMS_MAX && c->now.comms.count < PERF_COMMS_MAX)
		return false;
	release_table(&c->before);
	c->before = c->now;
	init_table(&c->now);
	return true;
}

static struct perf_comm *find(const struct perf_comm_table *t, uint64_t tid)
{
	size_t index = fg_map_get(&t->by_tid, tid);

	return index ? &t->list[index - 1] : NULL;
}

/* Sets the command of a thread. Returns true if the thread had another one before. */
static bool set(struct perf_comm_table *t, uint64_t tid, struct fg_str comm,
		struct fg_id pid)
{
	size_t index = fg_map_get(&t->by_tid, tid);
	bool is_new = !index;
	struct perf_comm *command;

	if (is_new) {
		FG_GROW(t->list, t->alloc, t->count + 1);
		index = ++t->count;
		fg_map_set(&t->by_tid, tid, index);
	}
	command = &t->list[index - 1];
	command->pid = pid;
	if (!is_new && fg_str_eq(fg_intern_name(&t->comms, command->comm), comm))
		return false;
	command->comm = fg_intern(&t->comms, comm);
	return !is_new;
}

enum perf_comm_news perf_comms_name(struct perf_comms *c, uint64_t tid,
				    struct fg_str comm)
{
	bool all = make_room(c);

	set(&c->now, tid, comm, (struct fg_id){ 0, false });
	return all ? PERF_COMM_ALL_CHANGED : PERF_COMM_CHANGED;
}

/*
 * Sets *comm to the command of thread `tid` of process `pid`. Returns false if we do
 * not know it.
 */
static bool recall(const struct perf_comms *c, uint64_t tid, struct fg_id pid,
		   struct fg_str *comm)
{
	const struct perf_comm_table *t = &c->now;
	const struct perf_comm *command = find(t, tid);

	if (!command) {
		t = &c->before;
		command = find(t, tid);
	}
	/* a thread of another process may have had this number before */
	if (!command ||
	    (pid.known && command->pid.known && pid.number != command->pid.number))
		return false;
	*comm = fg_intern_name(&t->comms, command->comm);
	return true;
}

static enum perf_comm_news remember(struct perf_comms *c,
				    const struct fg_sample *sample)
{
	uint64_t tid = fg_id_of_thread(sample->tid), pid = fg_id_of_thread(sample->pid);
	bool all = make_room(c), changed;
	size_t known = c->now.count;
	struct fg_str comm = sample->comm;

	changed = set(&c->now, tid, comm, sample->pid);
	/* until the main thread has a sample, use this command for the whole process */
	if (c->now.count > known && pid && !fg_map_get(&c->now.by_tid, pid)) {
		recall(c, pid, sample->pid, &comm);
		set(&c->now, pid, comm, sample->pid);
	}
	return all     ? PERF_COMM_ALL_CHANGED :
	       changed ? PERF_COMM_CHANGED :
			 PERF_COMM_KNOWN;
}

/* Returns true for ":4242" if `tid` is 4242: perf did not know the command. */
static bool is_missing(struct fg_str comm, uint64_t tid)
{
	uint64_t number;

	return comm.ptr[0] == ':' && !fg_str_u64(fg_str_from_pos(comm, 1), &number) &&
	       number == tid;
}

enum perf_comm_news perf_comms_settle(struct perf_comms *c, struct fg_sample *sample)
{
	uint64_t tid = fg_id_of_thread(sample->tid), pid = fg_id_of_thread(sample->pid);

	if (!tid || !sample->comm.len)
		return PERF_COMM_KNOWN;
	if (!is_missing(sample->comm, tid))
		return remember(c, sample);
	if (!recall(c, tid, sample->pid, &sample->comm) && pid)
		recall(c, pid, sample->pid, &sample->comm);
	return PERF_COMM_CHANGED;
}

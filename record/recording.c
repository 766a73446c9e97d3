/* Copies records from the rings to the output until the recording ends. */
#define _GNU_SOURCE /* for syscall and ppoll */
#include "record/recording.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/base/number.h"
#include "lib/base/xalloc.h"
#include "record/records.h"

#define MILLISECOND UINT64_C(1000000)

/* The longest time that records wait in a ring, in milliseconds. */
#define TICK 250

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 * MILLISECOND + (uint64_t)t.tv_nsec;
}

/* ---- signals */

/* Adds a signal to the set unless our caller ignores it, like nohup does SIGHUP. */
static void add_signal(sigset_t *set, int number)
{
	struct sigaction before;

	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaddset(set, number);
}

int fg_recording_catch(struct fg_recording *r, struct fg_inherited *inherited)
{
	struct sigaction standard, ignore;
	sigset_t caught;

	memset(&standard, 0, sizeof(standard));
	standard.sa_handler = SIG_DFL;
	ignore = standard;
	ignore.sa_handler = SIG_IGN;
	sigemptyset(&caught);
	add_signal(&caught, SIGINT);
	add_signal(&caught, SIGTERM);
	add_signal(&caught, SIGHUP);
	add_signal(&caught, SIGQUIT);
	sigaddset(&caught, SIGCHLD);
	sigprocmask(SIG_BLOCK, &caught, &inherited->mask);
	sigaction(SIGCHLD, &standard, &inherited->on_child);
	sigaction(SIGPIPE, &ignore, &inherited->on_pipe);
	getrlimit(RLIMIT_NOFILE, &inherited->files);
	r->signals = fg_io_move_up(signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK));
	if (r->signals < 0)
		return fg_error(r->diag, NULL, "cannot wait for signals: %s",
				strerror(errno));
	return 0;
}

/*
 * Takes a signal that ends the recording. The command gets it, too, unless it came from
 * the terminal, which sends it to the command itself.
 */
static void take_signal(struct fg_recording *r, const struct signalfd_siginfo *info)
{
	int number = (int)info->ssi_signo;

	if (number == SIGCHLD) {
		fg_command_check(&r->command);
		return;
	}
	if (!r->ended_by)
		r->ended_by = number;
	if (info->ssi_code <= 0)
		fg_command_signal(&r->command, number);
}

static void take_signals(struct fg_recording *r)
{
	struct signalfd_siginfo info;

	while (read(r->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take_signal(r, &info);
}

/* ---- records */

static void copy_ring(struct fg_recording *r, struct fg_ring *ring, bool *some)
{
	struct fg_str parts[2];

	if (!ring->page || !fg_ring_take(ring, parts))
		return;
	*some = true;
	fg_ring_count(parts, &r->counts);
	fg_stream_records(&r->stream, parts[0]);
	fg_stream_records(&r->stream, parts[1]);
	fg_ring_done(ring);
}

/* Empties all rings once. Returns -1 if writing has failed. */
static int copy_rings(struct fg_recording *r)
{
	bool some = false;

	for (size_t i = 0; i < r->counters.ring_count; i++)
		copy_ring(r, &r->counters.rings[i], &some);
	return some ? fg_stream_round(&r->stream) : 0;
}

/* ---- waiting */

/* The descriptors that we wait for: signals, the output, processes, rings. */
struct waiting {
	struct pollfd *list;
	size_t count;
	size_t processes; /* index of the first process */
	size_t rings; /* index of the first ring */
	size_t *watched; /* for each ring, the counter whose descriptor we wait for */
	size_t running; /* recorded processes that have not ended */
};

enum { WAIT_SIGNAL, WAIT_OUTPUT, WAIT_FIRST };

/* Opens a descriptor that is ready when a process ends; -1 if the kernel is too old. */
static int watch_process(int pid)
{
#ifdef SYS_pidfd_open
	return fg_io_move_up((int)syscall(SYS_pidfd_open, pid, 0));
#else
	(void)pid;
	errno = ENOSYS;
	return -1;
#endif
}

/* Returns the next counter of a ring, from `start` on, or the number of counters. */
static size_t counter_of(const struct fg_counters *c, size_t ring, size_t start)
{
	while (start < c->count && c->list[start].ring != ring)
		start++;
	return start;
}

static void watch_ring(struct waiting *w, const struct fg_counters *c, size_t ring,
		       size_t start)
{
	size_t counter = counter_of(c, ring, start);

	w->watched[ring] = counter;
	w->list[w->rings + ring].fd = counter < c->count ? c->list[counter].fd : -1;
}

static void start_waiting(struct waiting *w, const struct fg_recording *r)
{
	const struct fg_numbers *pids = &r->options->pids;

	w->processes = WAIT_FIRST;
	w->rings = w->processes + pids->count;
	w->count = w->rings + r->counters.ring_count;
	w->list = fg_xcalloc(w->count, sizeof(*w->list));
	w->watched = fg_xcalloc(r->counters.ring_count, sizeof(*w->watched));
	for (size_t i = 0; i < w->count; i++)
		w->list[i].events = POLLIN;
	w->list[WAIT_SIGNAL].fd = r->signals;
	/* only errors: the reader of a pipe has gone */
	w->list[WAIT_OUTPUT].fd = r->stream.out.fd;
	w->list[WAIT_OUTPUT].events = 0;
	w->running = pids->count;
	for (size_t i = 0; i < pids->count; i++)
		w->list[w->processes + i].fd = watch_process(pids->list[i]);
	for (size_t i = 0; i < r->counters.ring_count; i++)
		watch_ring(w, &r->counters, i, 0);
}

static void stop_waiting(struct waiting *w)
{
	for (size_t i = w->processes; i < w->rings; i++)
		if (w->list[i].fd >= 0)
			close(w->list[i].fd);
	free(w->list);
	free(w->watched);
}

/* Notes which recorded processes have ended. */
static void check_processes(struct waiting *w, const struct fg_numbers *pids)
{
	size_t running = 0;

	for (size_t i = 0; i < pids->count; i++) {
		struct pollfd *p = &w->list[w->processes + i];

		if (p->fd >= 0)
			running += !p->revents;
		else
			running += !kill(pids->list[i], 0) || errno != ESRCH;
	}
	w->running = running;
}

/*
 * Waits for the other threads' counters if the thread of one has ended. Its descriptor
 * would be ready all the time.
 */
static void check_rings(struct waiting *w, const struct fg_counters *c)
{
	for (size_t i = 0; i < c->ring_count; i++)
		if (w->list[w->rings + i].revents & (POLLHUP | POLLERR))
			watch_ring(w, c, i, w->watched[i] + 1);
}

/* Waits until there is something to do, at most until `until`. */
static void wait_some(struct waiting *w, uint64_t until)
{
	uint64_t time = now(), left = until > time ? until - time : 0;
	uint64_t most = (uint64_t)TICK * MILLISECOND;
	struct timespec t = { 0, (long)(left < most ? left : most) };

	if (ppoll(w->list, w->count, &t, NULL) >= 0)
		return;
	for (size_t i = 0; i < w->count; i++)
		w->list[i].revents = 0;
}

/* ---- the recording */

static bool is_over(const struct fg_recording *r, const struct waiting *w)
{
	return r->ended_by || r->time_is_over || r->command.has_ended ||
	       (r->options->pids.count && !w->running);
}

/* Times when something is to happen; UINT64_MAX: never. */
struct times {
	uint64_t start, end;
};

int fg_recording_start(const struct fg_recording *r)
{
	int error = fg_counters_start(&r->counters);

	if (!error)
		return 0;
	return fg_error(r->diag, NULL, "the counters cannot be started: %s",
			strerror(error));
}

static int keep_time(struct fg_recording *r, struct times *t)
{
	uint64_t time = now();
	int status = 0;

	if (time >= t->start) {
		status = fg_recording_start(r);
		t->start = UINT64_MAX;
	}
	if (time >= t->end) {
		r->time_is_over = true;
		fg_command_signal(&r->command, SIGTERM);
	}
	return status;
}

int fg_recording_run(struct fg_recording *r)
{
	const struct fg_record_options *o = r->options;
	struct times t = { UINT64_MAX, UINT64_MAX };
	struct waiting w;
	int status = 0;

	if (o->delay)
		t.start = now() + o->delay * MILLISECOND;
	if (o->duration < UINT64_MAX)
		t.end = now() + o->delay * MILLISECOND + o->duration;
	start_waiting(&w, r);
	fg_command_check(&r->command);
	while (!is_over(r, &w) && !status) {
		wait_some(&w, t.start < t.end ? t.start : t.end);
		status = copy_rings(r);
		take_signals(r);
		if (w.list[WAIT_OUTPUT].revents & POLLERR)
			status = -1;
		check_processes(&w, &o->pids);
		check_rings(&w, &r->counters);
		if (keep_time(r, &t))
			status = -1;
	}
	stop_waiting(&w);
	return status;
}

/* ---- the end */

/* Writes how many records of each event were lost, and returns the sum. */
static uint64_t write_lost(struct fg_recording *r)
{
	const struct fg_counters *c = &r->counters;
	uint64_t all = 0;

	for (uint32_t event = 0; event < c->events->count; event++) {
		struct fg_buf b = FG_BUF_INIT;
		uint64_t lost = 0, id = 0;
		size_t start;

		for (size_t i = 0; i < c->count; i++) {
			if (c->list[i].event != event)
				continue;
			lost += fg_counter_lost(c, &c->list[i]);
			id = c->list[i].id;
		}
		all += lost;
		if (lost) {
			start = fg_record_start(&b, PERF_RECORD_LOST_SAMPLES, 0);
			fg_put64(&b, lost);
			fg_put_zeros(&b, fg_counters_trailer(c) - 8);
			fg_put64(&b, c->events->count > 1 ? id : 0);
			fg_record_end(&b, start);
			fg_stream_records(&r->stream, fg_buf_str(&b));
		}
		fg_buf_release(&b);
	}
	return all;
}

static void report_lost(const struct fg_recording *r, uint64_t lost)
{
	const struct fg_record_options *o = r->options;
	double share = fg_percent((double)lost, (double)(lost + r->counts.samples));
	uint64_t larger = (r->counters.ring_size * 4 + (1 << 20) - 1) >> 20;
	const char *copies = "";

	if (o->callers == FG_CALLERS_DWARF)
		copies = ", or smaller copies with --call-graph dwarf,BYTES";
	fg_warn(r->diag, NULL,
		"%llu records were lost (%.1f %%) because they came faster than they "
		"were written: use larger buffers with -m %lluM, or take fewer samples "
		"with -F%s",
		(unsigned long long)lost, share, (unsigned long long)larger, copies);
}

void fg_recording_finish(struct fg_recording *r)
{
	uint64_t lost;

	fg_counters_stop(&r->counters);
	copy_rings(r);
	lost = write_lost(r);
	if (lost < r->counts.lost)
		lost = r->counts.lost;
	fg_stream_round(&r->stream);
	if (lost)
		report_lost(r, lost);
	fg_note(r->diag, NULL, "%llu samples, %llu bytes",
		(unsigned long long)r->counts.samples,
		(unsigned long long)r->stream.raw);
}

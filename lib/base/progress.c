/* Shows on a terminal how far a long run has got. */
#include "lib/base/inputs.h"
#include "lib/base/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/xalloc.h"

#define MS_PER_S 1000
#define NS_PER_MS 1000000
#define TICK_MS 200
#define SHOWN_AFTER_MS 1000
#define WAITING_AFTER_MS 5000
#define USUAL_WIDTH 80
#define ERASE "\r\033[K"

struct fg_progress {
	/* time of the start in milliseconds, on the monotonic clock */
	uint64_t started;
	uint64_t total;
	const char *waiting;
	_Atomic uint64_t bytes;
	_Atomic uint64_t samples;

	pthread_t thread;
	pthread_mutex_t lock; /* for the terminal's line and the fields below */
	pthread_cond_t end;
	bool ended;
	bool cleared;
	uint64_t cleared_at; /* show no line while `bytes` still has this value */
	struct fg_buf shown; /* the line on the terminal; empty: none */
};

/* ---- the text */

static void add_amount(struct fg_buf *b, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	size_t unit = 0;

	/*
	 * %.1f would print 999.95 or more as 1000.0, so we print 1.0 of the next unit
	 */
	while (bytes >= 999.95 && unit + 1 < FG_COUNT_OF(units)) {
		bytes /= 1000;
		unit++;
	}
	fg_buf_addf(b, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/*
 * Moves the text in `field` to the end of the line. Returns false if it does not fit.
 */
static bool add_field(struct fg_buf *line, size_t width, struct fg_buf *field)
{
	size_t gap = line->len ? 2 : 0;

	if (line->len + gap + field->len > width)
		return false;
	fg_buf_add(line, "  ", gap);
	fg_buf_add_str(line, fg_buf_str(field));
	fg_buf_clear(field);
	return true;
}

static bool add_of_total(const struct fg_progress_state *s, size_t width,
			 struct fg_buf *line, struct fg_buf *field)
{
	double done = (double)s->bytes / (double)s->total;
	double seconds = (double)s->milliseconds / MS_PER_S;
	double left = done > 0 && done < 1 ? seconds / done - seconds : 0;

	/*
	 * more than 100 % is possible if a file has grown since we asked for its size
	 */
	fg_buf_addf(field, "%u %%", done < 1 ? (unsigned)(done * 100) : 100);
	if (!add_field(line, width, field))
		return false;
	if (left > UINT32_MAX)
		return true;
	fg_buf_addf(field, "%02u:%02u left", (unsigned)left / 60, (unsigned)left % 60);
	return add_field(line, width, field);
}

void fg_progress_text(const struct fg_progress_state *s, size_t width,
		      struct fg_buf *line)
{
	struct fg_buf field = FG_BUF_INIT;
	bool room = true;

	if (s->total)
		room = add_of_total(s, width, line, &field);
	if (room) {
		add_amount(&field, (double)s->bytes);
		if (s->total)
			fg_buf_add_str(&field, FG_STR(" of "));
		if (s->total)
			add_amount(&field, (double)s->total);
		room = add_field(line, width, &field);
	}
	if (room && s->milliseconds) {
		add_amount(&field,
			   (double)s->bytes * MS_PER_S / (double)s->milliseconds);
		fg_buf_add_str(&field, FG_STR("/s"));
		room = add_field(line, width, &field);
	}
	if (room && s->samples) {
		fg_buf_add_u64(&field, s->samples);
		fg_buf_addf(&field, s->samples == 1 ? " sample" : " samples");
		add_field(line, width, &field);
	}
	fg_buf_release(&field);
}

/* ---- the terminal; the caller holds the lock */

static size_t columns(void)
{
#ifdef TIOCGWINSZ
	struct winsize size;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
#endif
	return USUAL_WIDTH;
}

/* Returns true if we run in the foreground. A background job must not write here. */
static bool is_in_front(void)
{
	pid_t front = tcgetpgrp(STDERR_FILENO);

	return front < 0 || front == getpgrp();
}

/*
 * Handles a signal: erases the line, then sends the signal again, which now ends the
 * process as usual. The thread may still run until then, so we close standard error to
 * keep it from writing.
 */
static void erase_and_end(int number)
{
	ssize_t wrote = write(STDERR_FILENO, ERASE, sizeof(ERASE) - 1);

	(void)wrote;
	close(STDERR_FILENO);
	kill(getpid(),
	     number); /* raise() may make a system call that confine.c refuses */
}

/* Changes the action of the signals that end a run. An ignored signal stays ignored. */
static void set_action(void (*from)(int), void (*to)(int))
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };

	for (size_t i = 0; i < FG_COUNT_OF(numbers); i++) {
		struct sigaction action;

		if (sigaction(numbers[i], NULL, &action) || action.sa_handler != from)
			continue;
		action.sa_handler = to;
		action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
		sigaction(numbers[i], &action, NULL);
	}
}

static void show(struct fg_progress *p, struct fg_str text)
{
	if (fg_str_eq(fg_buf_str(&p->shown), text) || !is_in_front())
		return;
	if (!p->shown.len)
		set_action(SIG_DFL, erase_and_end);
	fg_buf_clear(&p->shown);
	fg_buf_add_str(&p->shown, text);
	fprintf(stderr, "\r%s\033[K", fg_buf_cstr(&p->shown));
}

static void hide(struct fg_progress *p)
{
	if (!p->shown.len)
		return;
	fputs(ERASE, stderr);
	set_action(erase_and_end, SIG_DFL);
	fg_buf_clear(&p->shown);
}

/* ---- the thread */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * MS_PER_S + (uint64_t)t.tv_nsec / NS_PER_MS;
}

static void tick(struct fg_progress *p)
{
	struct fg_progress_state s = {
		.bytes = atomic_load_explicit(&p->bytes, memory_order_relaxed),
		.total = p->total,
		.samples = atomic_load_explicit(&p->samples, memory_order_relaxed),
		.milliseconds = now() - p->started,
	};
	size_t width = columns() - 1; /* a full line would wrap into the next */
	struct fg_buf text = FG_BUF_INIT;

	if (p->cleared && p->cleared_at == s.bytes)
		return;
	p->cleared = false;
	if (s.bytes && s.milliseconds >= SHOWN_AFTER_MS)
		fg_progress_text(&s, width, &text);
	else if (!s.bytes && s.milliseconds >= WAITING_AFTER_MS && p->waiting)
		fg_buf_add_str(&text, fg_str_before(fg_str_from(p->waiting), width));
	if (text.len)
		show(p, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* Returns the time of the next tick, on the clock of pthread_cond_timedwait(). */
static struct timespec next_tick(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += (long)TICK_MS * NS_PER_MS;
	if (t.tv_nsec >= (long)MS_PER_S * NS_PER_MS) {
		t.tv_nsec -= (long)MS_PER_S * NS_PER_MS;
		t.tv_sec++;
	}
	return t;
}

static void *watch(void *data)
{
	struct fg_progress *p = data;

	pthread_mutex_lock(&p->lock);
	while (!p->ended) {
		struct timespec due = next_tick();

		if (pthread_cond_timedwait(&p->end, &p->lock, &due))
			tick(p);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* ---- start and end */

enum input { INPUT_FILES, INPUT_PIPE, INPUT_TERMINAL };

/* Returns the kind of the inputs. If all are regular files, *total is their size. */
static enum input look_at_inputs(const struct fg_progress_plan *plan, uint64_t *total)
{
	size_t count = plan->count;
	const char *const *names = fg_inputs(plan->names, &count);
	enum input kind = INPUT_FILES;

	*total = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_stdin = fg_str_eq(fg_str_from(names[i]), FG_STR("-"));
		struct stat st;

		if (is_stdin && isatty(STDIN_FILENO))
			return INPUT_TERMINAL;
		if (is_stdin ? fstat(STDIN_FILENO, &st) : stat(names[i], &st))
			continue; /* the error is reported when the input is read */
		if (S_ISREG(st.st_mode))
			*total += (uint64_t)st.st_size;
		else
			kind = INPUT_PIPE;
	}
	if (kind == INPUT_PIPE)
		*total = 0;
	return kind;
}

static bool is_terminal(void)
{
	struct fg_str term = fg_str_from(getenv("TERM"));

	return isatty(STDERR_FILENO) && term.len && !fg_str_eq(term, FG_STR("dumb"));
}

struct fg_progress *fg_progress_start(const struct fg_progress_plan *plan)
{
	struct fg_progress *p;
	enum input input;
	uint64_t total;

	if (!is_terminal())
		return NULL;
	input = look_at_inputs(plan, &total);
	if (input == INPUT_TERMINAL)
		fprintf(stderr,
			"%s: reading from the terminal; Ctrl-D ends the input\n",
			plan->program);
	if (input == INPUT_TERMINAL || (input == INPUT_PIPE && !plan->waiting))
		return NULL;
	p = fg_xcalloc(1, sizeof(*p));
	p->started = now();
	p->total = total;
	p->waiting = plan->waiting;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->end, NULL);
	if (!pthread_create(&p->thread, NULL, watch, p))
		return p;
	free(p);
	return NULL;
}

void fg_progress_add_bytes(struct fg_progress *p, uint64_t bytes)
{
	if (p)
		atomic_fetch_add_explicit(&p->bytes, bytes, memory_order_relaxed);
}

void fg_progress_add_samples(struct fg_progress *p, uint64_t samples)
{
	if (p)
		atomic_fetch_add_explicit(&p->samples, samples, memory_order_relaxed);
}

void fg_progress_lock(struct fg_progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	hide(p);
}

void fg_progress_unlock(struct fg_progress *p)
{
	if (p)
		pthread_mutex_unlock(&p->lock);
}

void fg_progress_clear(struct fg_progress *p)
{
	if (!p)
		return;
	fg_progress_lock(p);
	p->cleared = true;
	p->cleared_at = atomic_load_explicit(&p->bytes, memory_order_relaxed);
	fg_progress_unlock(p);
}

void fg_progress_stop(struct fg_progress *p)
{
	if (!p)
		return;
	fg_progress_lock(p);
	p->ended = true;
	pthread_cond_signal(&p->end);
	fg_progress_unlock(p);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->end);
	pthread_mutex_destroy(&p->lock);
	fg_buf_release(&p->shown);
	free(p);
}

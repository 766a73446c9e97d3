/* Chunks of one input, read by several threads, each with tables of its own. */
#include "collapse/perf_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "collapse/perf.h"
#include "collapse/perf_deferred.h"
#include "collapse/perf_event.h"
#include "collapse/perf_merge.h"
#include "collapse/perf_select.h"
#include "lib/progress.h"
#include "lib/xalloc.h"

/*
 * The thread that holds the lock reads the next block and cuts it where a sample
 * starts; the rest is left for the next reader. The chunk before the cut is parsed
 * without the lock. What the chunks give can be added up in any order, and their
 * numbers tell what came first, so that the result does not depend on which thread
 * read which chunk. Input for which that is not so is read by one thread, from the
 * start or after the others: see perf_may_share and next_chunk.
 */

/* The most threads by default, and whatever --nthreads says. */
#define DEFAULT_MAX 16
#define THREADS_MAX 64

/* What the threads share, under the lock. */
struct shared {
	pthread_mutex_t lock;
	struct fg_reader *reader;
	const struct perf_options *options;
	uint64_t *lines; /* of each chunk; of chunk 0 all that came before, too */
	size_t chunks;
	size_t alloc;
	bool over;
	int status;
};

struct worker {
	struct shared *shared;
	struct perf *perf;
	struct fg_buf buffer; /* with the block it reads */
	uint64_t first_chunk; /* the number of chunk 0 for perf->chunk */
	size_t chunk; /* being read */
	bool has_chunk;
	bool has_thread;
	pthread_t thread;
};

/* ---- cutting */

size_t perf_last_boundary(const struct perf_options *o, struct fg_str bytes)
{
	bool perl = o->compat == PERF_COMPAT_PERL;

	while (bytes.len) {
		size_t end = bytes.len - 1;
		size_t start = fg_str_rfind_char(fg_str_before(bytes, end), '\n');
		struct fg_str line;

		start = start < end ? start + 1 : 0;
		line = fg_str_of(bytes.ptr + start, end - start);
		if (perl && !line.len)
			return bytes.len;
		if (!perl && perf_sample_is_start(line))
			return start;
		bytes.len = start;
	}
	return 0;
}

/*
 * The next block up to a boundary. False where the rest is left to one thread: at the
 * end of an input, which may be in the middle of a sample, and where a sample is larger
 * than a block.
 */
static bool next_chunk(struct shared *s, struct fg_str *bytes)
{
	struct fg_block block;
	size_t end = 0;

	s->status = fg_reader_block(s->reader, &block);
	if (s->status <= 0)
		return false;
	if (!block.first && block.bytes.ptr[block.bytes.len - 1] == '\n')
		end = perf_last_boundary(s->options, block.bytes);
	fg_reader_take_back(s->reader, &block, end);
	*bytes = block.bytes;
	return end > 0;
}

/* Reports what the last chunk had and takes the next one, if there is one. */
static bool take_chunk(struct worker *w, struct fg_str *bytes)
{
	struct shared *s = w->shared;

	pthread_mutex_lock(&s->lock);
	if (w->has_chunk) {
		s->lines[w->chunk] = w->perf->at.line;
		s->over |= perf_deferred_any(w->perf->deferred);
	}
	if (!s->over) {
		fg_reader_use_buffer(s->reader, &w->buffer);
		s->over = !next_chunk(s, bytes);
	}
	w->has_chunk = !s->over;
	if (w->has_chunk) {
		w->chunk = s->chunks++;
		FG_GROW(s->lines, s->alloc, s->chunks);
	}
	pthread_mutex_unlock(&s->lock);
	return w->has_chunk;
}

/* ---- a thread */

/* Chunk 0 continues where the single thread stopped. */
static void read_chunk(struct worker *w, struct fg_str bytes)
{
	struct perf *p = w->perf;
	uint64_t samples = p->tally.samples;

	p->chunk = w->first_chunk + w->chunk;
	if (w->chunk) {
		p->at.line = 0;
		perf_events_start_chunk(p->events, p->chunk);
	}
	perf_deferred_put_off(p->deferred, p->chunk);
	perf_block(p, bytes);
	if (p->options->compat != PERF_COMPAT_PERL)
		perf_sample_before_start(p);
	fg_progress_add_samples(p->diag->progress, p->tally.samples - samples);
}

static void *read_chunks(void *data)
{
	struct worker *w = data;
	struct fg_str bytes;

	while (take_chunk(w, &bytes))
		read_chunk(w, bytes);
	return NULL;
}

static void start_worker(struct worker *w, const struct worker *first)
{
	const struct perf *p = first->perf;

	w->shared = first->shared;
	w->first_chunk = first->first_chunk;
	w->perf = fg_xmalloc(sizeof(*w->perf));
	perf_init(w->perf, p->options, p->diag);
	w->perf->at.input = p->at.input;
	perf_events_share_first(w->perf->events, p->events);
	if (p->selection)
		perf_selection_share_first(w->perf->selection, p->selection);
	w->has_thread = !pthread_create(&w->thread, NULL, read_chunks, w);
}

/* Until now the number of a line counts from the start of its chunk. */
static void mend_place(struct worker *w)
{
	struct perf_tally *t = &w->perf->tally;

	for (size_t i = 0; t->odd_lines && w->first_chunk + i < t->odd_chunk; i++)
		t->odd_place.line += w->shared->lines[i];
}

/* ---- all of them */

size_t perf_thread_count(const struct perf_options *o)
{
	long processors = 1;

	if (o->threads)
		return o->threads < THREADS_MAX ? (size_t)o->threads : THREADS_MAX;
#ifdef _SC_NPROCESSORS_ONLN
	processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	if (processors < 1)
		return 1;
	return processors < DEFAULT_MAX ? (size_t)processors : DEFAULT_MAX;
}

/*
 * addr2line has one conversation, verbose messages and the lines of --time-order come
 * in the order of the input, and samples with cookies wait for each other. A row of
 * --srcline may go beyond a blank line (perl), and whether it is --skip-after's
 * depends on the rows before. Which event and time are the first must be known.
 */
bool perf_may_share(const struct perf *p)
{
	const struct perf_options *o = p->options;
	bool perl = o->compat == PERF_COMPAT_PERL;

	return !p->addr2line && !p->sequence && p->diag->verbosity < FG_VERBOSE &&
	       !perf_deferred_any(p->deferred) &&
	       !(o->srcline && (perl || o->skip_after.count)) &&
	       perf_events_are_settled(p->events) &&
	       (!p->selection || perf_selection_is_settled(p->selection)) &&
	       perf_thread_count(o) > 1;
}

/* Starts the others, reads with them, and waits for them. */
static void read_with(struct worker *first, struct worker *others, size_t count)
{
	struct fg_str bytes;

	/* the first chunk goes on with a sample that may be open */
	if (!take_chunk(first, &bytes))
		return;
	for (size_t i = 0; i < count; i++)
		start_worker(&others[i], first);
	read_chunk(first, bytes);
	read_chunks(first);
	for (size_t i = 0; i < count; i++)
		if (others[i].has_thread)
			pthread_join(others[i].thread, NULL);
}

static void merge(struct worker *first, struct worker *others, size_t count)
{
	const struct shared *s = first->shared;
	struct perf *p = first->perf;

	mend_place(first);
	for (size_t i = 0; i < count; i++) {
		mend_place(&others[i]);
		perf_absorb(p, others[i].perf);
	}
	perf_deferred_take_place(p);
	p->at.line = 0;
	for (size_t i = 0; i < s->chunks; i++)
		p->at.line += s->lines[i];
	p->chunk = first->first_chunk + s->chunks;
	perf_events_start_chunk(p->events, p->chunk);
}

static void end_worker(struct worker *w)
{
	perf_release(w->perf);
	free(w->perf);
	fg_buf_release(&w->buffer);
}

int perf_share(struct perf *p, struct fg_reader *reader)
{
	struct shared shared = { .reader = reader, .options = p->options };
	struct worker first = { .shared = &shared, .perf = p, .first_chunk = p->chunk };
	size_t count = perf_thread_count(p->options) - 1;
	struct worker *others = fg_xcalloc(count, sizeof(*others));

	pthread_mutex_init(&shared.lock, NULL);
	read_with(&first, others, count);
	fg_reader_use_buffer(reader, NULL);
	if (shared.chunks) {
		merge(&first, others, count);
		for (size_t i = 0; i < count; i++)
			end_worker(&others[i]);
	}
	pthread_mutex_destroy(&shared.lock);
	fg_buf_release(&first.buffer);
	free(shared.lines);
	free(others);
	return shared.status < 0 ? -1 : 0;
}

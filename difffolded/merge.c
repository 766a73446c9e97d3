/*
 * Merges runs of sorted stacks. An entry of a run lacks the bytes that its stack shares
 * with the one before.
 */
#include "difffolded/merge.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* Chunks are small enough that malloc reuses those that a merge has freed. */
#define CHUNK_SIZE ((size_t)64 * 1024)

struct fg_run_chunk {
	struct fg_run_chunk *next;
	size_t used, size;
	alignas(struct fg_run_entry) char bytes[];
};

/* Returns the size of an entry. It cannot overflow, because the text is in memory. */
static size_t entry_size(size_t len)
{
	size_t align = alignof(struct fg_run_entry);

	return (sizeof(struct fg_run_entry) + len + align - 1) / align * align;
}

static void add_chunk(struct fg_run *r, size_t need)
{
	size_t size = need > CHUNK_SIZE ? need : CHUNK_SIZE;
	struct fg_run_chunk *chunk = fg_xmalloc(fg_size_add(sizeof(*chunk), size));

	chunk->next = NULL;
	chunk->used = 0;
	chunk->size = size;
	if (r->last)
		r->last->next = chunk;
	else
		r->first = chunk;
	r->last = chunk;
}

/*
 * Appends a stack: the first `shared` bytes of the newest one, then `rest`. Cuts
 * r->text to the shared part; the caller completes it.
 */
static struct fg_run_entry *append(struct fg_run *r, size_t shared, struct fg_str rest)
{
	size_t size = entry_size(rest.len);
	struct fg_run_entry *entry;

	if (!r->last || r->last->size - r->last->used < size)
		add_chunk(r, size);
	entry = (void *)(r->last->bytes + r->last->used);
	r->last->used += size;
	r->size += size;
	memset(entry, 0, sizeof(*entry));
	entry->shared = shared;
	entry->len = rest.len;
	if (rest.len)
		memcpy(entry->rest, rest.ptr, rest.len);
	r->newest = entry;
	if (r->text.len > shared)
		r->text.len = shared;
	return entry;
}

struct fg_run_entry *fg_run_front(const struct fg_run *r)
{
	return r->first ? (void *)(r->first->bytes + r->taken) : NULL;
}

void fg_run_pop(struct fg_run *r)
{
	struct fg_run_chunk *chunk = r->first;
	size_t size = entry_size(fg_run_front(r)->len);

	r->taken += size;
	r->size -= size;
	if (r->taken < chunk->used)
		return;
	r->first = chunk->next;
	r->taken = 0;
	if (!r->first)
		r->last = NULL;
	free(chunk);
}

/* Multiplies all sums of a run by `factor`. */
static void scale(struct fg_run *r, uint64_t factor)
{
	size_t at = r->taken;

	for (struct fg_run_chunk *chunk = r->first; chunk; chunk = chunk->next, at = 0)
		while (at < chunk->used) {
			struct fg_run_entry *entry = (void *)(chunk->bytes + at);

			for (unsigned i = 0; i < 2; i++)
				entry->sums[i] = fg_sum_mul(entry->sums[i], factor);
			at += entry_size(entry->len);
		}
}

static void release_run(struct fg_run *r)
{
	while (r->first) {
		struct fg_run_chunk *next = r->first->next;

		free(r->first);
		r->first = next;
	}
	fg_buf_release(&r->text);
	memset(r, 0, sizeof(*r));
}

void fg_merge_release(struct fg_merge *m)
{
	release_run(&m->merged);
	release_run(&m->rest);
	memset(m, 0, sizeof(*m));
}

void fg_merge_restart(struct fg_merge *m)
{
	struct fg_run empty = { .first = NULL };

	release_run(&m->rest);
	m->rest = m->merged;
	m->merged = empty;
	m->rest_shared = 0;
}

/* Moves the least stack of `rest` to `merged`. */
static struct fg_run_entry *take_front(struct fg_merge *m)
{
	struct fg_run_entry *from = fg_run_front(&m->rest), *next, *to;
	struct fg_str rest = fg_str_of(from->rest, from->len);

	to = append(&m->merged, m->rest_shared,
		    fg_str_from_pos(rest, m->rest_shared - from->shared));
	memcpy(to->sums, from->sums, sizeof(to->sums));
	fg_run_pop(&m->rest);
	next = fg_run_front(&m->rest);
	m->rest_shared = next ? next->shared : 0;
	return to;
}

static int compare_at(struct fg_str a, struct fg_str b, size_t at)
{
	if (at == a.len || at == b.len)
		return (a.len > at) - (b.len > at);
	return (unsigned char)a.ptr[at] - (unsigned char)b.ptr[at];
}

/*
 * Compares the front of `rest` with `stack`. Both are greater than the newest stack,
 * with which they share m->rest_shared and *shared bytes. So:
 *
 * - the one that shares more is less, because the other is already greater at a byte
 * where this one still equals the newest; - if they share equally much, the bytes after
 * that decide.
 *
 * The caller makes the lesser stack the newest one. So the shared length of the greater
 * one is raised to what it shares with the lesser. Returns a number below, equal to or
 * above 0 if the front is less than, equal to or greater than `stack`.
 */
static int compare_front(struct fg_merge *m, struct fg_str stack, size_t *shared)
{
	struct fg_run_entry *front = fg_run_front(&m->rest);
	struct fg_str theirs, ours;
	size_t common;
	int order;

	if (!front || m->rest_shared < *shared)
		return 1;
	if (m->rest_shared > *shared)
		return -1;
	theirs = fg_str_from_pos(fg_str_of(front->rest, front->len),
				 m->rest_shared - front->shared);
	ours = fg_str_from_pos(stack, *shared);
	common = fg_str_common(theirs, ours);
	order = compare_at(theirs, ours, common);
	if (order < 0)
		*shared += common;
	else
		m->rest_shared += order ? common : 0;
	return order;
}

/*
 * Adds a count exactly. If it has more decimals than the sums so far, all sums are
 * rescaled.
 */
static void add_count(struct fg_merge *m, struct fg_sum *to, struct fg_count n)
{
	struct fg_sum sum = { n.digits, 0 };

	if (n.decimals > m->decimals) {
		scale(&m->merged, fg_pow10(n.decimals - m->decimals));
		scale(&m->rest, fg_pow10(n.decimals - m->decimals));
		m->decimals = n.decimals;
	}
	if (n.decimals < m->decimals)
		sum = fg_sum_mul(sum, fg_pow10(m->decimals - n.decimals));
	fg_sum_add_sum(to, sum);
}

/*
 * Adds a stack that is not less than the newest one, and shares `shared` bytes with it.
 */
static void add_next(struct fg_merge *m, const struct fg_stack_count *s, size_t shared)
{
	struct fg_run_entry *entry = m->merged.newest;
	struct fg_buf *text = &m->merged.text;
	int order = 1;

	if (!entry || shared < s->stack.len || shared < text->len) {
		while ((order = compare_front(m, s->stack, &shared)) < 0)
			take_front(m);
		entry = order ? append(&m->merged, shared,
				       fg_str_from_pos(s->stack, shared)) :
				take_front(m);
		fg_buf_add_str(text, fg_str_from_pos(s->stack, text->len));
	}
	add_count(m, &entry->sums[s->column], s->count);
}

int fg_merge_add(struct fg_merge *m, const struct fg_stack_count *s, size_t shared)
{
	struct fg_str newest = fg_buf_str(&m->merged.text);

	if (m->merged.newest && compare_at(s->stack, newest, shared) < 0)
		return -1;
	add_next(m, s, shared);
	return 0;
}

void fg_merge_finish(struct fg_merge *m)
{
	while (fg_run_front(&m->rest))
		take_front(m);
}

/* --wall: samples of which it is not known yet what they weigh. */
#include "collapse/formats/perf/text/held.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/text/state.h"
#include "lib/base/count.h"
#include "lib/base/xalloc.h"

struct perf_held {
	struct fg_intern keys; /* struct key, and the ids of frames */
	struct perf_held_sums *sums; /* by id of the key */
	size_t alloc;
	struct fg_buf key; /* room for work */
};

struct key {
	uint64_t tid;
	struct fg_roots roots;
};

struct perf_held *perf_held_new(void)
{
	struct perf_held *h = fg_xcalloc(1, sizeof(*h));

	fg_intern_init(&h->keys);
	return h;
}

void perf_held_free(struct perf_held *h)
{
	if (!h)
		return;
	fg_intern_release(&h->keys);
	fg_buf_release(&h->key);
	free(h->sums);
	free(h);
}

void perf_held_add(struct perf_held *h, const struct perf *p,
		   const struct perf_held_sums *sums)
{
	size_t known = h->keys.count, depth = fg_stack_depth(p->stack);
	struct key key;
	uint32_t id;

	memset(&key, 0, sizeof(key));
	key.tid = sums->tid;
	key.roots.count = p->sample.roots.count;
	key.roots.has_time = p->sample.roots.has_time && fg_sink_wants_time(p->sink);
	key.roots.time = fg_sink_slice_start(p->sink, p->sample.roots.time);
	memcpy(key.roots.ids, p->sample.roots.ids,
	       key.roots.count * sizeof(*key.roots.ids));
	fg_buf_clear(&h->key);
	fg_buf_add_str(&h->key, fg_str_of((const char *)&key, sizeof(key)));
	if (depth)
		fg_buf_add_str(&h->key, fg_str_of((const char *)fg_stack_ids(p->stack),
						  depth * sizeof(uint32_t)));
	id = fg_intern(&h->keys, fg_buf_str(&h->key));
	FG_GROW(h->sums, h->alloc, h->keys.count);
	if (id == known)
		h->sums[id] = (struct perf_held_sums){ .tid = sums->tid };
	h->sums[id].periods = fg_count_add(h->sums[id].periods, sums->periods);
	h->sums[id].run = fg_count_add(h->sums[id].run, sums->run);
}

static void count(struct perf *p, struct fg_str name, uint64_t weight)
{
	struct fg_str ids = fg_str_from_pos(name, sizeof(struct key));
	struct key key;

	memcpy(&key, name.ptr, sizeof(key));
	fg_stack_clear(p->stack);
	for (size_t at = ids.len; at; at -= sizeof(uint32_t)) {
		uint32_t id;

		memcpy(&id, ids.ptr + at - sizeof(id), sizeof(id));
		fg_stack_add_root(p->stack, id);
	}
	fg_sink_count(p->sink, &key.roots, weight);
	fg_stack_clear(p->stack);
}

void perf_held_count(struct perf_held *h, struct perf *p, perf_held_weigh *weigh,
		     void *data)
{
	for (uint32_t id = 0; id < h->keys.count; id++) {
		uint64_t weight = weigh(data, &h->sums[id]);

		if (weight)
			count(p, fg_intern_name(&h->keys, id), weight);
	}
	fg_intern_release(&h->keys);
}

/* Traces of Chrome: threads, whose stacks are told apart. */
#include <stdlib.h>

#include "collapse/decimal.h"
#include "collapse/formats/chrome/state.h"
#include "lib/base/xalloc.h"

uint32_t chrome_lane_of(struct chrome *c, uint32_t process, uint32_t tid)
{
	const uint32_t key[2] = { process, tid };
	uint32_t id =
		fg_intern(&c->lane_keys, fg_str_of((const char *)key, sizeof(key)));

	if (id < c->lane_count)
		return id;
	FG_GROW(c->lanes, c->lane_alloc, c->lane_count + 1);
	c->lanes[c->lane_count++] = (struct chrome_lane){
		.process = process,
		.tid = tid,
		.name = CHROME_NO_NAME,
		.last = INT64_MIN,
	};
	return id;
}

void chrome_drop_spans(struct chrome *c)
{
	for (size_t i = 0; i < c->lane_count; i++) {
		struct chrome_lane *lane = &c->lanes[i];

		free(lane->spans);
		lane->spans = NULL;
		lane->count = lane->alloc = 0;
	}
}

/* A name, or one that is made of the id where there is none; it stays. */
static struct fg_str name_or_id(struct chrome *c, uint32_t name,
				const struct fg_intern *ids, uint32_t id)
{
	const struct fg_map_key key = { id, ids == &c->tids };
	struct fg_buf text = FG_BUF_INIT;
	size_t *known;
	bool is_new;

	if (name != CHROME_NO_NAME && fg_intern_name(&c->names, name).len)
		return fg_intern_name(&c->names, name);
	known = fg_map_add(&c->id_names, key, 0, &is_new);
	if (is_new) {
		fg_buf_add_str(&text,
			       ids == &c->tids ? FG_STR("tid-") : FG_STR("pid-"));
		fg_buf_add_str(&text, fg_intern_name(ids, id));
		*known = fg_intern(&c->names, fg_buf_str(&text));
		fg_buf_release(&text);
	}
	return fg_intern_name(&c->names, (uint32_t)*known);
}

struct fg_owner chrome_owner(struct chrome *c, const struct chrome_lane *lane)
{
	uint32_t process = lane->process < c->process_count ?
				   c->process_names[lane->process] :
				   CHROME_NO_NAME;

	return (struct fg_owner){
		.process = name_or_id(c, process, &c->pids, lane->process),
		.thread = name_or_id(c, lane->name, &c->tids, lane->tid),
		.long_texts = &c->long_texts,
	};
}

bool chrome_read_sum(struct fg_json *j, int shift, struct fg_sum *sum)
{
	struct fg_str text = fg_json_value(j);
	bool negative;

	return text.ptr && !fg_decimal_sum(text, shift, sum, &negative) && !negative;
}

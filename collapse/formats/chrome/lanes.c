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

struct fg_owner chrome_owner(struct chrome *c, const struct chrome_lane *lane,
			     struct fg_buf text[2])
{
	struct fg_str process = { NULL, 0 }, thread = { NULL, 0 };

	if (lane->process < c->process_count &&
	    c->process_names[lane->process] != CHROME_NO_NAME)
		process = fg_intern_name(&c->names, c->process_names[lane->process]);
	if (lane->name != CHROME_NO_NAME)
		thread = fg_intern_name(&c->names, lane->name);
	fg_buf_clear(&text[0]);
	fg_buf_clear(&text[1]);
	if (!process.len) {
		fg_buf_add_str(&text[0], FG_STR("pid-"));
		process = fg_intern_name(&c->pids, lane->process);
	}
	fg_buf_add_str(&text[0], process);
	if (!thread.len) {
		fg_buf_add_str(&text[1], FG_STR("tid-"));
		thread = fg_intern_name(&c->tids, lane->tid);
	}
	fg_buf_add_str(&text[1], thread);
	return (struct fg_owner){ .process = fg_buf_str(&text[0]),
				  .thread = fg_buf_str(&text[1]) };
}

bool chrome_read_sum(struct fg_json *j, int shift, struct fg_sum *sum)
{
	struct fg_str text = fg_json_value(j);
	bool negative;

	return text.ptr && !fg_decimal_sum(text, shift, sum, &negative) && !negative;
}

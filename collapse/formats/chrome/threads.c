/* Keeps the threads of a trace by process and thread id, and names them. */
#include <stdlib.h>

#include "collapse/decimal.h"
#include "collapse/formats/chrome/chrome.h"
#include "lib/base/xalloc.h"

uint32_t chrome_thread_of(struct chrome *c, uint32_t process, uint32_t tid)
{
	const uint32_t key[2] = { process, tid };
	uint32_t id =
		fg_intern(&c->thread_keys, fg_str_of((const char *)key, sizeof(key)));

	if (id < c->thread_count)
		return id;
	FG_GROW(c->threads, c->thread_alloc, c->thread_count + 1);
	c->threads[c->thread_count++] = (struct chrome_thread){
		.process = process,
		.tid = tid,
		.name = CHROME_NO_NAME,
		.last = INT64_MIN,
	};
	return id;
}

void chrome_drop_spans(struct chrome *c)
{
	for (size_t i = 0; i < c->thread_count; i++) {
		struct chrome_thread *thread = &c->threads[i];

		free(thread->spans);
		thread->spans = NULL;
		thread->count = thread->alloc = 0;
	}
}

/*
 * Returns the name, or "tid-7" or "pid-7" if it is unknown. It is valid until the end
 * of the file.
 */
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

struct fg_owner chrome_owner(struct chrome *c, const struct chrome_thread *thread)
{
	uint32_t process = thread->process < c->process_count ?
				   c->process_names[thread->process] :
				   CHROME_NO_NAME;

	return (struct fg_owner){
		.process = name_or_id(c, process, &c->pids, thread->process),
		.thread = name_or_id(c, thread->name, &c->tids, thread->tid),
		.long_texts = &c->long_texts,
	};
}

bool chrome_read_sum(struct fg_json *j, int shift, struct fg_sum *sum)
{
	struct fg_str text = fg_json_value(j);
	bool negative;

	return text.ptr && !fg_decimal_sum(text, shift, sum, &negative) && !negative;
}

/* Decides which events are wanted, and counts their stacks. */
#include "collapse/formats/jfr/wanted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/select.h"
#include "lib/base/longnames.h"
#include "lib/base/xalloc.h"

/* The types that are counted by default, the best first; only one is counted. */
static const struct fg_str defaults[] = {
	FG_STR_INIT("jdk.ExecutionSample"),
	FG_STR_INIT("jdk.CPUTimeSample"),
};

/* ---- values */

/*
 * Names in Java are not longer. We ignore a longer one, because any number of fields
 * might share it.
 */
#define VALUE_NAME_MAX 65535

void jfr_values_add(struct jfr_values *v, struct fg_str name, struct fg_str unit)
{
	if (name.len > VALUE_NAME_MAX || fg_intern(&v->names, name) < v->count)
		return;
	FG_GROW(v->items, v->alloc, v->count + 1);
	v->items[v->count++] = (struct fg_value){ name, unit };
}

void jfr_values_start(struct jfr_values *v)
{
	memset(v, 0, sizeof(*v));
	fg_intern_init(&v->names);
	jfr_values_add(v, FG_STR("samples"), FG_STR("samples"));
}

void jfr_values_release(struct jfr_values *v)
{
	free(v->items);
	fg_intern_release(&v->names);
}

int jfr_values_choose(struct jfr *j, const struct jfr_values *v)
{
	int chosen = fg_sink_choose_value(j->sink, v->items, v->count, 0);

	if (chosen < 0)
		return -1;
	if (chosen > 0)
		fg_buf_add_str(&j->weight, v->items[chosen].name);
	j->chosen = true;
	return 0;
}

/* ---- events */

static bool is_default(struct fg_str type)
{
	for (size_t i = 0; i < FG_COUNT_OF(defaults); i++)
		if (fg_str_eq(type, defaults[i]))
			return true;
	return false;
}

/*
 * Returns the start of a type's name. We limit it because any number of types may share
 * a long name.
 */
static struct fg_str start_of(struct fg_str type)
{
	return fg_str_before(type, FG_LONG_NAME);
}

bool jfr_wants(const struct jfr *j, struct fg_str type)
{
	const struct fg_opt_list *events = &j->options->event;

	type = start_of(type);
	for (size_t i = 0; i < events->count; i++)
		if (fg_glob(fg_str_from(events->items[i]), type))
			return true;
	if (events->count)
		return false;
	return j->event.len ? fg_str_eq(type, fg_buf_str(&j->event)) : is_default(type);
}

void jfr_choose_type(struct jfr *j, struct fg_str type)
{
	if (!j->options->event.count &&
	    !fg_str_eq(fg_buf_str(&j->event), defaults[0])) {
		fg_buf_clear(&j->event);
		fg_buf_add_str(&j->event, type);
	}
}

void jfr_note_events(struct jfr *j, struct fg_str type, uint64_t count)
{
	uint32_t known = (uint32_t)j->names.count;
	uint32_t id = fg_intern(&j->names, start_of(type));

	if (!j->options->event.count && is_default(type))
		*(jfr_wants(j, type) ? &j->counted : &j->others) += count;

	FG_GROW(j->counts, j->counts_alloc, j->names.count);
	if (id == known)
		j->counts[id] = 0;
	j->counts[id] += count;
}

void jfr_end_input(struct jfr *j)
{
	if (!j->counted)
		fg_sink_lose(j->sink,
			     "samples of another event than in earlier inputs: choose "
			     "one event with --event",
			     j->others);
	j->counted = j->others = 0;
}

void jfr_finish(struct jfr *j)
{
	struct fg_diag *diag = fg_sink_diag(j->sink);
	struct fg_buf others = FG_BUF_INIT;

	if (!j->any_recording)
		return;
	for (uint32_t i = 0; i < j->names.count; i++) {
		fg_buf_add_str(&others, others.len ? FG_STR(", ") : FG_STR(""));
		fg_buf_add_visible(&others, fg_intern_name(&j->names, i),
				   FG_QUOTED_MAX);
		fg_buf_addf(&others, " (%" PRIu64 ")", j->counts[i]);
	}
	if (!others.len)
		fg_buf_add_str(&others, FG_STR("no events with stacks"));
	if (!fg_sink_tally(j->sink)->samples && !j->any_left_out) {
		fg_warn(diag, NULL, "the recording has %s", fg_buf_cstr(&others));
		fg_sink_set_cause(j->sink, "the recording has none of the events that "
					   "are counted: choose others with --event");
	} else {
		fg_note(diag, NULL, "the recording has %s", fg_buf_cstr(&others));
	}
	fg_buf_release(&others);
}

/* ---- stacks */

/*
 * Returns the text that reports what was lost with a stack found like this, or NULL if
 * nothing was.
 */
static const char *loss_of(enum jfr_stack found)
{
	switch (found) {
	case JFR_STACK_NONE:
		return "samples without a stack";
	case JFR_STACK_MISSING:
		return "samples whose stack is not in the recording";
	case JFR_STACK_CUT:
		return "stacks that were cut while recording";
	case JFR_STACK_BEYOND:
		return FG_TOO_MANY_FRAMES;
	case JFR_STACK_WHOLE:
		break;
	}
	return NULL;
}

struct jfr_thread jfr_thread_of(struct jfr *j, struct fg_str name)
{
	const struct fg_owner owner = { .thread =
						name.len ? name : FG_STR("[thread]") };
	struct jfr_thread thread = { .is_wanted =
					     fg_sink_wants_owner(j->sink, &owner) };

	if (thread.is_wanted)
		thread.roots = fg_sink_owner_roots(j->sink, &owner);
	return thread;
}

void jfr_add_stack(struct jfr *j, const struct jfr_owner *from)
{
	const char *lost = loss_of(from->found);
	struct fg_sink *s = j->sink;

	if (!from->thread.is_wanted) {
		j->any_left_out = true;
		fg_sink_clear(s);
		return;
	}
	if (from->found == JFR_STACK_CUT)
		fg_sink_lose_callers(s, lost, from->count);
	else if (lost)
		fg_sink_lose(s, lost, from->count);
	fg_sink_add_roots(s, &from->thread.roots);
	if (!fg_stack_depth(fg_sink_stack(s)) && !j->rooted)
		fg_sink_frame(s, FG_STR("[unknown]"));
	fg_sink_add_sum(s, from->weight, 0);
	fg_sink_tally(s)->samples += from->count - 1;
	fg_sink_tally(s)->kept += from->count - 1;
}

/* Gives each distinct name a number, with a hash table of open addressing. */
#include "lib/base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"

#define FIRST_SLOTS 256

void fg_intern_init(struct fg_intern *t)
{
	memset(t, 0, sizeof(*t));
	fg_arena_init(&t->text);
	t->seed = fg_hash_seed();
}

void fg_intern_init_visible(struct fg_intern *t)
{
	fg_intern_init(t);
	t->visible = true;
}

void fg_intern_release(struct fg_intern *t)
{
	bool visible = t->visible;
	size_t longest = t->longest;

	fg_arena_release(&t->text);
	free(t->names);
	fg_slots_release(&t->slots);
	fg_intern_init(t);
	t->visible = visible;
	t->longest = longest;
}

static uint32_t tag_of(const struct fg_intern *t, struct fg_str name)
{
	return (uint32_t)fg_hash_bytes(name.ptr, name.len, t->seed);
}

/*
 * Grows the table. After fg_intern_trim() the table is empty, so all names are added
 * again.
 */
static void grow(struct fg_intern *t)
{
	bool trimmed = !t->slots.at;

	do
		fg_slots_grow(&t->slots, FIRST_SLOTS);
	while ((t->count + 1) * 4 > t->slots.count * 3);
	for (uint32_t id = 0; trimmed && id < t->count; id++)
		fg_slots_put(&t->slots, tag_of(t, t->names[id]), id + 1);
}

void fg_intern_trim(struct fg_intern *t)
{
	fg_slots_release(&t->slots);
}

/* Returns the slot of `name`, or a free one with its tag if the name is new. */
static struct fg_slot *find_slot(struct fg_intern *t, struct fg_str name)
{
	const struct fg_slots *slots = &t->slots;
	uint32_t tag = tag_of(t, name);
	size_t i;

	if ((t->count + 1) * 4 > slots->count * 3)
		grow(t);
	for (i = tag & slots->mask; slots->at[i].item; i = (i + 1) & slots->mask)
		if (slots->at[i].tag == tag &&
		    fg_str_eq(t->names[slots->at[i].item - 1], name))
			return &slots->at[i];
	slots->at[i].tag = tag;
	return &slots->at[i];
}

/* Adds a name that the table owns already. Returns its id. */
static uint32_t add_name(struct fg_intern *t, struct fg_str name)
{
	FG_GROW(t->names, t->names_alloc, t->count + 1);
	if (t->count >= UINT32_MAX - 1)
		fg_size_overflow(); /* ids are 32 bits wide */
	t->names[t->count] = name;
	return (uint32_t)t->count++;
}

static uint32_t add_copy(struct fg_intern *t, struct fg_slot *slot, struct fg_str name)
{
	slot->item = add_name(t, fg_arena_copy(&t->text, name)) + 1;
	return slot->item - 1;
}

/*
 * Returns true if a name can be kept as it is. We check only new names, that is, those
 * without a slot. A name that has to change never gets a slot under its old form, so it
 * is new each time.
 */
static bool may_stay(const struct fg_intern *t, struct fg_str name)
{
	return (!t->longest || name.len <= t->longest) &&
	       (!t->visible || fg_is_visible(name));
}

/*
 * Cuts a name that is too long between two characters, and ends it in "...". Returns
 * true if it was too long.
 */
static bool cut_name(const struct fg_intern *t, struct fg_buf *name)
{
	struct fg_str mark = FG_STR("...");

	if (!t->longest || name->len <= t->longest)
		return false;
	name->len = fg_utf8_within(fg_buf_str(name), t->longest - mark.len).len;
	fg_buf_add_str(name, mark);
	return true;
}

static uint32_t intern_changed(struct fg_intern *t, struct fg_str name)
{
	struct fg_buf shown = FG_BUF_INIT;
	size_t had = t->count;
	uint32_t id;
	bool cut;

	/*
	 * Making bytes visible never shortens a name, so we drop the bytes beyond the
	 * limit first.
	 */
	if (t->longest)
		name = fg_str_before(name, t->longest + 1);
	if (t->visible)
		fg_add_visible(&shown, name);
	else
		fg_buf_add_str(&shown, name);
	cut = cut_name(t, &shown);
	id = fg_intern(t, fg_buf_str(&shown)); /* this name may stay */
	t->cut += cut && t->count > had;
	fg_buf_release(&shown);
	return id;
}

/*
 * Adds a name that has no slot. It is not inlined, so that fg_intern() stays fast for
 * known names.
 */
__attribute__((noinline)) static uint32_t
intern_new(struct fg_intern *t, struct fg_slot *slot, struct fg_str name)
{
	return may_stay(t, name) ? add_copy(t, slot, name) : intern_changed(t, name);
}

uint32_t fg_intern(struct fg_intern *t, struct fg_str name)
{
	struct fg_slot *slot = find_slot(t, name);

	return slot->item ? slot->item - 1 : intern_new(t, slot, name);
}

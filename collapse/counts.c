/* Distinct stacks and their sums; sorted lines of folded stacks at the end. */
#include "collapse/counts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/xalloc.h"

#define FIRST_SLOTS 1024

struct fg_counts_slot {
	uint32_t tag; /* low half of the hash: says where the slot is, too */
	uint32_t entry_plus_1; /* 0: free */
};

void fg_counts_init(struct fg_counts *c)
{
	memset(c, 0, sizeof(*c));
	fg_arena_init(&c->ids);
	c->seed = fg_hash_seed();
}

void fg_counts_release(struct fg_counts *c)
{
	fg_arena_release(&c->ids);
	free(c->entries);
	free(c->slots);
	fg_counts_init(c);
}

static void grow_slots(struct fg_counts *c)
{
	struct fg_counts_slot *old = c->slots;
	size_t old_alloc = c->slots_alloc;
	size_t slots = old_alloc ? fg_size_mul(old_alloc, 2) : FIRST_SLOTS;

	c->slots = fg_xcalloc(slots, sizeof(*c->slots));
	c->slots_alloc = slots;
	for (size_t i = 0; i < old_alloc; i++) {
		size_t at = old[i].tag & (slots - 1);

		if (!old[i].entry_plus_1)
			continue;
		while (c->slots[at].entry_plus_1)
			at = (at + 1) & (slots - 1);
		c->slots[at] = old[i];
	}
	free(old);
}

static uint32_t add_entry(struct fg_counts *c, const uint32_t *ids, size_t depth)
{
	size_t bytes = fg_size_mul(depth, sizeof(*ids));
	struct fg_counts_entry *entry;
	uint32_t *copy;

	if (c->count >= UINT32_MAX - 1 || depth > UINT32_MAX)
		fg_size_overflow(); /* indices are 32 bits wide */
	FG_GROW(c->entries, c->alloc, c->count + 1);
	copy = (void *)fg_arena_bytes(&c->ids,
				      bytes); /* aligned: nothing else is there */
	if (bytes)
		memcpy(copy, ids, bytes);
	entry = &c->entries[c->count];
	memset(entry, 0, sizeof(*entry));
	entry->ids = copy;
	entry->depth = (uint32_t)depth;
	return (uint32_t)c->count++;
}

static bool same_stack(const struct fg_counts_entry *entry, const uint32_t *ids,
		       size_t depth)
{
	return entry->depth == depth &&
	       (!depth || !memcmp(entry->ids, ids, depth * sizeof(*ids)));
}

static struct fg_counts_entry *find_entry(struct fg_counts *c, const uint32_t *ids,
					  size_t depth, uint32_t tag)
{
	size_t at;

	if ((c->count + 1) * 2 > c->slots_alloc)
		grow_slots(c);
	for (at = tag & (c->slots_alloc - 1);; at = (at + 1) & (c->slots_alloc - 1)) {
		struct fg_counts_slot *slot = &c->slots[at];

		if (!slot->entry_plus_1) {
			slot->tag = tag;
			slot->entry_plus_1 = add_entry(c, ids, depth) + 1;
		} else if (slot->tag != tag ||
			   !same_stack(&c->entries[slot->entry_plus_1 - 1], ids,
				       depth)) {
			continue;
		}
		return &c->entries[slot->entry_plus_1 - 1];
	}
}

struct fg_counts_entry *fg_counts_entry(struct fg_counts *c, const uint32_t *ids,
					size_t depth)
{
	uint64_t hash = fg_hash_bytes((const char *)ids, depth * sizeof(*ids), c->seed);

	return find_entry(c, ids, depth, (uint32_t)hash);
}

struct fg_counts_entry *fg_counts_entry_of_path(struct fg_counts *c,
						const struct fg_path *path)
{
	return find_entry(c, path->ids, path->depth, (uint32_t)fg_path_hash(path));
}

void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path)
{
	if (c->slots_alloc)
		__builtin_prefetch(
			&c->slots[fg_path_hash(path) & (c->slots_alloc - 1)]);
}

void fg_counts_finish(struct fg_counts *c)
{
	free(c->slots);
	c->slots = NULL;
}

/* Writes lines one after the other; text that they share is kept. */
struct line {
	const struct fg_intern *names;
	const struct fg_counts_format *format;
	struct fg_out *out;
	struct fg_buf text;
	size_t *ends; /* of each frame in the text */
	size_t ends_alloc;
	const struct fg_counts_entry *entry; /* whose text it is; NULL at first */
	size_t written;
};

static void set_line(struct line *line, const struct fg_counts_entry *entry)
{
	size_t common = 0;

	if (line->entry)
		while (common < entry->depth && common < line->entry->depth &&
		       entry->ids[common] == line->entry->ids[common])
			common++;
	FG_GROW(line->ends, line->ends_alloc, entry->depth);
	line->text.len = common ? line->ends[common - 1] : 0;
	for (size_t i = common; i < entry->depth; i++) {
		if (i)
			fg_buf_add_char(&line->text, ';');
		fg_buf_add_str(&line->text, fg_intern_name(line->names, entry->ids[i]));
		line->ends[i] = line->text.len;
	}
	line->entry = entry;
}

static struct fg_sum round_half_up(struct fg_sum sum, unsigned decimals)
{
	uint64_t unit = fg_pow10(decimals);

	fg_sum_add(&sum, unit / 2);
	return fg_sum_div(sum, unit, NULL);
}

static void add_sum(struct fg_buf *b, struct fg_sum sum,
		    const struct fg_counts_format *format)
{
	fg_buf_add_char(b, ' ');
	if (format->style == FG_COUNTS_PERL && sum.high)
		fg_buf_addf(b, "%.15g", fg_sum_double(sum));
	else
		fg_buf_add_sum(b, sum, format->whole ? 0 : format->decimals);
}

/* Writes the line of `entry` with `sum`, where the format has one for it. */
static void write_line(struct line *line, const struct fg_counts_entry *entry,
		       struct fg_sum sum)
{
	const struct fg_counts_format *format = line->format;
	size_t end;

	if (format->whole && format->decimals) {
		sum = round_half_up(sum, format->decimals);
		if (fg_sum_is_zero(sum))
			return;
	}
	set_line(line, entry);
	if (format->keep && !format->keep(format->data, fg_buf_str(&line->text)))
		return;
	end = line->text.len;
	add_sum(&line->text, sum, format);
	fg_buf_add_char(&line->text, '\n');
	fg_out_add_str(line->out, fg_buf_str(&line->text));
	line->text.len = end;
	line->written++;
}

static size_t end_lines(struct line *line)
{
	fg_buf_release(&line->text);
	free(line->ends);
	return line->written;
}

size_t fg_counts_write(const struct fg_counts *c, const struct fg_intern *names,
		       const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { names, format, out, .entry = NULL };
	struct fg_counts_order *order = fg_counts_order_open(c, names);
	const struct fg_counts_entry *entry;

	while ((entry = fg_counts_order_next(order)))
		write_line(&line, entry, entry->sum);
	fg_counts_order_close(order);
	return end_lines(&line);
}

size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { names, format, out, .entry = NULL };

	for (size_t i = 0; i < steps->count; i++) {
		const struct fg_counts_step *step = &steps->items[i];

		write_line(&line, &steps->counts->entries[step->entry], step->sum);
	}
	return end_lines(&line);
}

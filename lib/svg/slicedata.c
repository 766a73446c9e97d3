/* Writes what slices of time have of the stacks of a tree, and reads it back. */
#include "lib/svg/slicedata.h"

#include <stdlib.h>

#include "lib/base/count.h"
#include "lib/base/xalloc.h"
#include "lib/svg/varint.h"

void fg_slicedata_release(struct fg_slicedata *d)
{
	free(d->stacks);
	free(d->slices);
	free(d->ends);
	free(d->items);
	free(d->counts);
	*d = (struct fg_slicedata){ .slice_count = 0 };
}

/* ---- writing */

static size_t first_of(const struct fg_slicedata *d, size_t slice)
{
	return slice ? d->ends[slice - 1] : 0;
}

static void write_header(const struct fg_slicedata *d, uint64_t unit,
			 struct fg_buf *out)
{
	fg_varint_add(out, d->header.has_start ? FG_SLICEDATA_START : 0);
	fg_varint_add(out, d->header.width);
	if (d->header.has_start)
		fg_varint_add(out, d->header.start);
	fg_varint_add(out, unit);
}

/* Of each number its distance from the one before, which is less. */
static void write_numbers(const struct fg_slicedata *d, struct fg_buf *out)
{
	fg_varint_add(out, d->slice_count);
	for (size_t i = 0; i < d->slice_count; i++)
		fg_varint_add(out,
			      i ? d->slices[i] - d->slices[i - 1] - 1 : d->slices[i]);
}

static void write_slices(const struct fg_slicedata *d, struct fg_buf *out)
{
	write_numbers(d, out);
	for (size_t i = 0; i < d->slice_count; i++)
		fg_varint_add(out, d->ends[i] - first_of(d, i) - 1);
}

/* How many bits a number has, which is not 0. */
static unsigned bits_of(uint64_t n)
{
	unsigned bits = 0;

	for (; n; n >>= 1)
		bits++;
	return bits;
}

/* Bits on their way to bytes or from them, the lowest first. */
struct bits {
	uint64_t bits;
	unsigned count;
};

static void add_bits(struct bits *b, uint64_t n, unsigned count, struct fg_buf *out)
{
	b->bits |= n << b->count;
	for (b->count += count; b->count >= 8; b->count -= 8) {
		fg_buf_add_char(out, (char)b->bits);
		b->bits >>= 8;
	}
}

/* How far a stack is behind the one before it in its slice; 1 is the next. */
static uint64_t distance(const struct fg_slicedata *d, size_t first, size_t i)
{
	return i > first ? d->items[i] - d->items[i - 1] : (uint64_t)d->items[i] + 1;
}

/*
 * Items in another order: the first of each slice, then the second of each that has
 * one, and so on. What is alike comes together: in a slice the frequent stacks come
 * first.
 */
struct layers {
	const struct fg_slicedata *data;
	size_t *slices; /* that go on */
	size_t count, at, depth;
};

static void layers_start(struct layers *l, const struct fg_slicedata *d)
{
	*l = (struct layers){ .data = d, .count = d->slice_count };
	l->slices = fg_xcalloc(d->slice_count, sizeof(*l->slices));
	for (size_t i = 0; i < d->slice_count; i++)
		l->slices[i] = i;
}

/* The next item; SIZE_MAX at the end, when nothing is held any more. */
static size_t layers_next(struct layers *l)
{
	size_t kept = 0;

	if (l->at < l->count)
		return first_of(l->data, l->slices[l->at++]) + l->depth;
	l->depth++;
	for (size_t i = 0; i < l->count; i++) {
		size_t slice = l->slices[i];

		l->slices[kept] = slice;
		kept += l->data->ends[slice] - first_of(l->data, slice) > l->depth;
	}
	l->count = kept;
	l->at = 1;
	if (kept)
		return first_of(l->data, l->slices[0]) + l->depth;
	free(l->slices);
	return SIZE_MAX;
}

/*
 * Distances are of all sizes, and each size comes about as often as another: so how
 * many bits they have is one column, which is compressed well, and what the bits are
 * another, which is not. The first bit is known.
 */
static void write_items(const struct fg_slicedata *d, struct fg_buf *out)
{
	struct bits bits = { 0, 0 };
	struct layers l;

	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;)
		fg_varint_add(out, bits_of(distance(d, l.depth ? 0 : i, i)));
	for (size_t slice = 0; slice < d->slice_count; slice++)
		for (size_t i = first_of(d, slice); i < d->ends[slice]; i++) {
			uint64_t n = distance(d, first_of(d, slice), i);
			unsigned bits_in = bits_of(n);
			unsigned known = bits_in ? bits_in - 1 : 0;

			add_bits(&bits, n ^ (uint64_t)1 << known, known, out);
		}
	add_bits(&bits, 0, 7, out);
}

static uint64_t find_unit(const struct fg_slicedata *d)
{
	uint64_t unit = 0;

	for (size_t i = 0; i < d->item_count && unit != 1; i++)
		unit = fg_common_divisor(d->counts[i], unit);
	return unit ? unit : 1;
}

void fg_slicedata_write(const struct fg_slicedata *d, struct fg_buf *out)
{
	uint64_t unit = find_unit(d);
	struct layers l;

	fg_buf_add_str(out, FG_STR(FG_SLICEDATA_MAGIC));
	write_header(d, unit, out);
	fg_varint_add(out, d->stack_count);
	for (size_t i = 0; i < d->stack_count; i++)
		fg_varint_add(out, d->stacks[i]);
	write_slices(d, out);
	write_items(d, out);
	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;)
		fg_varint_add(out, d->counts[i] / unit);
}

void fg_slicedata_write_totals(const struct fg_slicedata *d, struct fg_buf *out)
{
	uint64_t unit = find_unit(d);

	write_header(d, unit, out);
	write_numbers(d, out);
	for (size_t slice = 0; slice < d->slice_count; slice++) {
		uint64_t total = 0;

		for (size_t i = first_of(d, slice); i < d->ends[slice]; i++)
			total += d->counts[i] / unit;
		fg_varint_add(out, total);
	}
}

/* ---- reading */

struct parser {
	struct fg_str rest;
	const struct fg_place *at;
	struct fg_diag *diag;
	bool failed;
};

/* Only the first fault is worth a message: what follows it is read wrong. */
static void set_fault(struct parser *p, const char *fault)
{
	if (!p->failed)
		fg_error(p->diag, p->at,
			 "this SVG cannot be read: its slices of time are damaged: %s",
			 fault);
	p->failed = true;
}

/* The next number; 0 where there is none. */
static uint64_t read_number(struct parser *p)
{
	uint64_t n;

	if (!fg_varint_cut(&p->rest, &n))
		return n;
	set_fault(p, "they end early or have a number above 2^64-1");
	return 0;
}

/* The next number where it says how many things of at least one byte follow. */
static size_t read_size(struct parser *p)
{
	uint64_t n = read_number(p);

	if (n <= p->rest.len)
		return (size_t)n;
	set_fault(p, "they end early");
	return 0;
}

/* The next of numbers that rise: all but the first are told by how many lie between. */
static uint64_t read_next(struct parser *p, uint64_t before, bool is_first)
{
	uint64_t n = read_number(p);

	if (is_first)
		return n;
	if (n < UINT64_MAX - before)
		return before + n + 1;
	set_fault(p, "a number is too large");
	return before;
}

static void read_header(struct parser *p, struct fg_slicedata *d)
{
	uint64_t flags;

	if (!fg_str_cut_start(&p->rest, FG_STR(FG_SLICEDATA_MAGIC)))
		set_fault(p, "they do not start as they should");
	flags = read_number(p);
	if (flags > FG_SLICEDATA_START)
		set_fault(p, "they are of a newer kind");
	d->header.width = read_number(p);
	d->header.has_start = flags & FG_SLICEDATA_START;
	if (d->header.has_start)
		d->header.start = read_number(p);
	if (!d->header.width || d->header.width > INT64_MAX)
		set_fault(p, "they have no width");
}

static void read_stacks(struct parser *p, size_t frames, struct fg_slicedata *d)
{
	d->stack_count = read_size(p);
	d->stacks = fg_xcalloc(d->stack_count, sizeof(*d->stacks));
	for (size_t i = 0; i < d->stack_count && !p->failed; i++) {
		uint64_t frame = read_number(p);

		if (frame >= frames)
			set_fault(p, "a stack is of no frame");
		else
			d->stacks[i] = (uint32_t)frame;
	}
}

static void read_slices(struct parser *p, struct fg_slicedata *d)
{
	uint64_t last = UINT64_MAX / d->header.width;

	d->slice_count = read_size(p);
	d->slices = fg_xcalloc(d->slice_count, sizeof(*d->slices));
	d->ends = fg_xcalloc(d->slice_count, sizeof(*d->ends));
	for (size_t i = 0; i < d->slice_count && !p->failed; i++) {
		d->slices[i] = read_next(p, i ? d->slices[i - 1] : 0, !i);
		if (d->slices[i] > last)
			set_fault(p, "a slice is too late");
	}
	for (size_t i = 0; i < d->slice_count && !p->failed; i++) {
		uint64_t more = read_number(p);

		if (more >= p->rest.len || more >= p->rest.len - d->item_count)
			set_fault(p, "they end early");
		else
			d->ends[i] = d->item_count += (size_t)more + 1;
	}
}

/* A number of so many bits, of which the first is known. */
static uint64_t read_bits(struct parser *p, struct bits *b, unsigned count)
{
	uint64_t n;

	if (!count || count > 32) {
		set_fault(p, "a stack is out of reach");
		return 1;
	}
	for (count--; b->count < count && p->rest.len; b->count += 8) {
		b->bits |= (uint64_t)(unsigned char)p->rest.ptr[0] << b->count;
		p->rest = fg_str_from_pos(p->rest, 1);
	}
	if (b->count < count) {
		set_fault(p, "they end early");
		return 1;
	}
	n = (b->bits & (((uint64_t)1 << count) - 1)) | (uint64_t)1 << count;
	b->bits >>= count;
	b->count -= count;
	return n;
}

/* How many bits each distance has, by item. */
static unsigned char *read_lengths(struct parser *p, const struct fg_slicedata *d)
{
	unsigned char *lengths = fg_xcalloc(d->item_count, sizeof(*lengths));
	struct layers l;
	size_t at = 0;

	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;)
		lengths[i] = (unsigned char)p->rest.ptr[at++];
	p->rest = fg_str_from_pos(p->rest, at);
	return lengths;
}

static void read_items(struct parser *p, struct fg_slicedata *d)
{
	struct bits bits = { 0, 0 };
	unsigned char *lengths;

	if (p->rest.len < d->item_count) {
		set_fault(p, "they end early");
		return;
	}
	lengths = read_lengths(p, d);
	d->items = fg_xcalloc(d->item_count, sizeof(*d->items));
	for (size_t slice = 0; slice < d->slice_count; slice++) {
		uint64_t next = 0;

		for (size_t i = first_of(d, slice); i < d->ends[slice] && !p->failed;
		     i++) {
			next += read_bits(p, &bits, lengths[i]);
			if (next > d->stack_count)
				set_fault(p, "a slice has a stack that is not there");
			d->items[i] = (uint32_t)(next - 1);
		}
	}
	free(lengths);
}

static void read_counts(struct parser *p, struct fg_slicedata *d, uint64_t unit)
{
	struct layers l;

	d->counts = fg_xcalloc(d->item_count, sizeof(*d->counts));
	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;) {
		uint64_t n = read_number(p);

		if (n > UINT64_MAX / unit)
			set_fault(p, "a count exceeds 2^64-1");
		else
			d->counts[i] = n * unit;
	}
}

int fg_slicedata_read(struct fg_str bytes, size_t frames, struct fg_slicedata *d,
		      const struct fg_place *at, struct fg_diag *diag)
{
	struct parser p = { .rest = bytes, .at = at, .diag = diag };
	uint64_t unit;

	*d = (struct fg_slicedata){ .slice_count = 0 };
	read_header(&p, d);
	unit = read_number(&p);
	if (!unit)
		set_fault(&p, "their unit is 0");
	if (!p.failed)
		read_stacks(&p, frames, d);
	if (!p.failed)
		read_slices(&p, d);
	if (!p.failed)
		read_items(&p, d);
	if (!p.failed)
		read_counts(&p, d, unit);
	if (!p.failed && p.rest.len)
		set_fault(&p, "more bytes follow after their end");
	return p.failed ? -1 : 0;
}

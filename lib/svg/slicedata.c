/* Writes the counts of stacks by slice of time, and reads them back. */
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

/* Writes each slice's number as the distance from the number before. */
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

/* Returns how many bits a number has. It is not 0. */
static unsigned bits_of(uint64_t n)
{
	unsigned bits = 0;

	for (; n; n >>= 1)
		bits++;
	return bits;
}

/* Bits that do not fill a whole byte yet, the lowest bit first. */
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

/*
 * Returns by how much the stack number of item `i` exceeds that of the item before it
 * in its slice. For the slice's first item, `first`, returns the stack number + 1. So
 * the result is never 0.
 */
static uint64_t distance(const struct fg_slicedata *d, size_t first, size_t i)
{
	return i > first ? d->items[i] - d->items[i - 1] : (uint64_t)d->items[i] + 1;
}

/*
 * Walks the items in another order: the first of each slice, then the second of each,
 * and so on. This puts similar items together, because the frequent stacks come first
 * in a slice.
 */
struct layers {
	const struct fg_slicedata *data;
	size_t *slices; /* the slices that still have items */
	size_t count, at, depth;
};

static void layers_start(struct layers *l, const struct fg_slicedata *d)
{
	*l = (struct layers){ .data = d, .count = d->slice_count };
	l->slices = fg_xcalloc(d->slice_count, sizeof(*l->slices));
	for (size_t i = 0; i < d->slice_count; i++)
		l->slices[i] = i;
}

/* Returns the next item. At the end, frees everything and returns SIZE_MAX. */
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
 * Writes the distances. There are small and large distances, all sizes about equally
 * often. So we write their lengths in bits as one column, which compresses well, and
 * then their bits, which do not. The highest bit is always 1, so it is left out.
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

/*
 * Reads the next number of an ascending list. All numbers except the first are stored
 * as the gap to the number before.
 */
static uint64_t read_next(struct fg_varint_reader *in, uint64_t before, bool is_first)
{
	uint64_t n = fg_varint_read(in);

	if (is_first)
		return n;
	if (n < UINT64_MAX - before)
		return before + n + 1;
	fg_varint_fault(in, "a number is too large");
	return before;
}

static void read_header(struct fg_varint_reader *in, struct fg_slicedata *d)
{
	uint64_t flags;

	if (!fg_str_cut_start(&in->rest, FG_STR(FG_SLICEDATA_MAGIC)))
		fg_varint_fault(in, "their first bytes are wrong");
	flags = fg_varint_read(in);
	if (flags > FG_SLICEDATA_START)
		fg_varint_fault(in, "they are of a newer version");
	d->header.width = fg_varint_read(in);
	d->header.has_start = flags & FG_SLICEDATA_START;
	if (d->header.has_start)
		d->header.start = fg_varint_read(in);
	if (!d->header.width || d->header.width > INT64_MAX)
		fg_varint_fault(in, "they have no width");
}

static void read_stacks(struct fg_varint_reader *in, size_t frames,
			struct fg_slicedata *d)
{
	d->stack_count = fg_varint_read_size(in);
	d->stacks = fg_xcalloc(d->stack_count, sizeof(*d->stacks));
	for (size_t i = 0; i < d->stack_count && !in->failed; i++) {
		uint64_t frame = fg_varint_read(in);

		if (frame >= frames)
			fg_varint_fault(in, "a stack refers to a missing frame");
		else
			d->stacks[i] = (uint32_t)frame;
	}
}

static void read_slices(struct fg_varint_reader *in, struct fg_slicedata *d)
{
	uint64_t last = UINT64_MAX / d->header.width;

	d->slice_count = fg_varint_read_size(in);
	d->slices = fg_xcalloc(d->slice_count, sizeof(*d->slices));
	d->ends = fg_xcalloc(d->slice_count, sizeof(*d->ends));
	for (size_t i = 0; i < d->slice_count && !in->failed; i++) {
		d->slices[i] = read_next(in, i ? d->slices[i - 1] : 0, !i);
		if (d->slices[i] > last)
			fg_varint_fault(in, "a slice is too late");
	}
	for (size_t i = 0; i < d->slice_count && !in->failed; i++) {
		uint64_t more = fg_varint_read(in);

		if (more >= in->rest.len || more >= in->rest.len - d->item_count)
			fg_varint_fault(in, "they end early");
		else
			d->ends[i] = d->item_count += (size_t)more + 1;
	}
}

/* Reads a number of `count` bits. The highest bit, a 1, is not stored. */
static uint64_t read_bits(struct fg_varint_reader *in, struct bits *b, unsigned count)
{
	uint64_t n;

	if (!count || count > 32) {
		fg_varint_fault(in, "the distance to a stack is too large");
		return 1;
	}
	for (count--; b->count < count && in->rest.len; b->count += 8) {
		b->bits |= (uint64_t)(unsigned char)in->rest.ptr[0] << b->count;
		in->rest = fg_str_from_pos(in->rest, 1);
	}
	if (b->count < count) {
		fg_varint_fault(in, "they end early");
		return 1;
	}
	n = (b->bits & (((uint64_t)1 << count) - 1)) | (uint64_t)1 << count;
	b->bits >>= count;
	b->count -= count;
	return n;
}

/*
 * Reads the length in bits of each distance. Returns them by item; the caller frees the
 * array.
 */
static unsigned char *read_lengths(struct fg_varint_reader *in,
				   const struct fg_slicedata *d)
{
	unsigned char *lengths = fg_xcalloc(d->item_count, sizeof(*lengths));
	struct layers l;
	size_t at = 0;

	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;)
		lengths[i] = (unsigned char)in->rest.ptr[at++];
	in->rest = fg_str_from_pos(in->rest, at);
	return lengths;
}

static void read_items(struct fg_varint_reader *in, struct fg_slicedata *d)
{
	struct bits bits = { 0, 0 };
	unsigned char *lengths;

	if (in->rest.len < d->item_count) {
		fg_varint_fault(in, "they end early");
		return;
	}
	lengths = read_lengths(in, d);
	d->items = fg_xcalloc(d->item_count, sizeof(*d->items));
	for (size_t slice = 0; slice < d->slice_count; slice++) {
		uint64_t next = 0;

		for (size_t i = first_of(d, slice); i < d->ends[slice] && !in->failed;
		     i++) {
			next += read_bits(in, &bits, lengths[i]);
			if (next > d->stack_count)
				fg_varint_fault(in,
						"a slice refers to a missing stack");
			d->items[i] = (uint32_t)(next - 1);
		}
	}
	free(lengths);
}

static void read_counts(struct fg_varint_reader *in, struct fg_slicedata *d,
			uint64_t unit)
{
	struct layers l;

	d->counts = fg_xcalloc(d->item_count, sizeof(*d->counts));
	layers_start(&l, d);
	for (size_t i; (i = layers_next(&l)) != SIZE_MAX;) {
		uint64_t n = fg_varint_read(in);

		if (n > UINT64_MAX / unit)
			fg_varint_fault(in, "a count exceeds 2^64-1");
		else
			d->counts[i] = n * unit;
	}
}

int fg_slicedata_read(struct fg_str bytes, size_t frames, struct fg_slicedata *d,
		      const struct fg_place *at, struct fg_diag *diag)
{
	struct fg_varint_reader in = { bytes, at, diag, "slices of time", false };
	uint64_t unit;

	*d = (struct fg_slicedata){ .slice_count = 0 };
	read_header(&in, d);
	unit = fg_varint_read(&in);
	if (!unit)
		fg_varint_fault(&in, "their unit is 0");
	if (!in.failed)
		read_stacks(&in, frames, d);
	if (!in.failed)
		read_slices(&in, d);
	if (!in.failed)
		read_items(&in, d);
	if (!in.failed)
		read_counts(&in, d, unit);
	if (!in.failed && in.rest.len)
		fg_varint_fault(&in, "more bytes follow after their end");
	return in.failed ? -1 : 0;
}

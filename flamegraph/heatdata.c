/*
 * Puts slices of time as data into the picture, and makes them wider if they do not
 * fit.
 */
#include "flamegraph/heatdata.h"

#include <stdlib.h>

#include "flamegraph/summary.h"
#include "lib/base/base64.h"
#include "lib/base/deflate.h"
#include "lib/base/xalloc.h"
#include "lib/svg/svgwrite.h"
#include "lib/svg/treedata.h"

#define LEVEL 6

/*
 * If slices have this many counts, the viewer needs a while to decode them. The picture
 * then also contains the totals of all slices, which the viewer shows first.
 */
#define MANY ((size_t)200000)

/* The limit in characters if --data-limit is not given. */
#define DEFAULT_LIMIT ((size_t)12 << 20)

/*
 * If slices do not fit, their width grows by these factors in turn: from 20 ms to 100
 * ms, 200 ms, 1 s.
 */
static const unsigned factors[] = { 5, 2 };

/*
 * Returns, for each node, the number that its frame has in the data of treedata.c. The
 * caller frees the array.
 */
static uint32_t *number_frames(const struct fg_tree *t, uint64_t min)
{
	uint32_t *frames = fg_xcalloc(t->count, sizeof(*frames));
	unsigned depth = 0;
	uint32_t count = 0;

	for (uint32_t node = 0; node != FG_TREE_NONE;) {
		bool kept = !node || t->nodes[node].total >= min;

		if (kept)
			frames[node] = count++;
		node = fg_tree_walk(t, node, kept, &depth);
	}
	/* a frame that is left out counts as its parent */
	for (uint32_t i = 1; i < t->count; i++)
		if (!frames[i])
			frames[i] = frames[t->nodes[i].parent];
	return frames;
}

static size_t limit_of(const struct fg_graph_options *o)
{
	size_t limit = o->data_limit ? o->data_limit : SIZE_MAX;

	return fg_base64_fits(o->data_limit_given ? limit : DEFAULT_LIMIT);
}

/* Compresses the slices into d->bytes. Returns true if they fit `limit`. */
static bool compress(struct fg_heatdata *d, size_t limit)
{
	struct fg_buf raw = FG_BUF_INIT;

	fg_slicedata_write(&d->slices, &raw);
	fg_buf_clear(&d->bytes);
	fg_deflate(fg_buf_str(&raw), LEVEL, &d->bytes);
	limit = raw.len > FG_TREEDATA_MAX ? 0 : limit;
	fg_buf_release(&raw);
	return d->bytes.len <= limit;
}

static void compress_totals(struct fg_heatdata *d)
{
	struct fg_buf raw = FG_BUF_INIT;

	if (!d->bytes.len || d->slices.item_count < MANY)
		return;
	fg_slicedata_write_totals(&d->slices, &raw);
	fg_deflate(fg_buf_str(&raw), LEVEL, &d->totals);
	fg_buf_release(&raw);
}

static void say_width(struct fg_graph *g, uint64_t was, uint64_t is)
{
	struct fg_buf from = FG_BUF_INIT, to = FG_BUF_INIT;

	fg_slice_add_width(&from, was);
	fg_slice_add_width(&to, is);
	fg_warn(g->diag, NULL,
		"slices of %s need more data than --data-limit allows: slices of "
		"%s are drawn",
		fg_buf_cstr(&from), fg_buf_cstr(&to));
	fg_buf_release(&from);
	fg_buf_release(&to);
}

/* Returns the weight of a sample in the tree's units, or 0 if it is not known. */
static double sample_of(const struct fg_graph *g)
{
	const struct fg_words *w = &g->words;
	double weight = w->counted == FG_COUNTED_SAMPLES ? 1 : w->one;

	return weight / w->factor * (double)fg_pow10(g->tree.decimals);
}

/* Finds the stall for the summary. `frames` is from number_frames(). */
static struct fg_stall find_stall(const struct fg_graph *g, const uint32_t *frames)
{
	uint32_t *nodes = fg_xcalloc(g->tree.count, sizeof(*nodes));
	struct fg_stall stall;

	/* if nodes share a number, the first of them is the frame itself */
	for (size_t i = g->tree.count; i-- > 0;)
		nodes[frames[i]] = (uint32_t)i;
	stall = fg_stall_find(&g->slices.slices, &g->tree, nodes, sample_of(g));
	free(nodes);
	return stall;
}

void fg_heatdata_init(struct fg_heatdata *d, struct fg_graph *g)
{
	uint64_t first = fg_heat_width(&g->heat), width = first;
	size_t limit = limit_of(g->options);
	uint32_t *frames;

	*d = (struct fg_heatdata){ .on = fg_heat_has_slices(&g->heat, &g->tree) };
	if (!d->on)
		return;
	frames = number_frames(&g->tree, g->data.bytes.len ? g->data.min : 0);
	fg_heat_make(&g->heat, frames, width, &d->slices);
	for (unsigned i = 0; g->data.bytes.len && !compress(d, limit); i++) {
		unsigned factor = factors[i % FG_COUNT_OF(factors)];

		if (d->slices.slice_count < 2 || width > INT64_MAX / factor) {
			fg_buf_clear(&d->bytes);
			break;
		}
		width *= factor;
		fg_slicedata_release(&d->slices);
		fg_heat_make(&g->heat, frames, width, &d->slices);
	}
	compress_totals(d);
	if (fg_summary_is_wanted(g))
		g->summary.stall = find_stall(g, frames);
	free(frames);
	fg_heat_release(&g->heat);
	if (width != first)
		say_width(g, first, width);
}

void fg_heatdata_release(struct fg_heatdata *d)
{
	fg_slicedata_release(&d->slices);
	fg_buf_release(&d->bytes);
	fg_buf_release(&d->totals);
}

void fg_heatdata_write(const struct fg_heatdata *d, struct fg_out *out)
{
	if (d->bytes.len)
		fg_svgwrite_slices(out, fg_buf_str(&d->bytes), fg_buf_str(&d->totals));
}

/* Chooses the frames that travel as data in the picture, and writes them. */
#include "flamegraph/data.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/graph.h"
#include "lib/base/number.h"
#include "lib/base/base64.h"
#include "lib/base/deflate.h"
#include "lib/svg/svgwrite.h"
#include "lib/svg/treedata.h"
#include "lib/base/xalloc.h"

/*
 * The level of compression. Level 1 takes a third of the time of the default level 6
 * and makes the data a tenth larger.
 */
#define LEVEL 1

/*
 * At most this many bytes of data are compressed at a level that makes them a seventh
 * smaller. It takes a millisecond.
 */
#define SMALL_DATA ((size_t)64 << 10)
#define SMALL_LEVEL 9

/* A frame with its name takes at most this many bytes of compressed data. */
#define FRAME_BYTES 10.0

/* A frame without its name usually takes this many bytes of compressed data. */
#define NUMBER_BYTES 2.5

/* Compression makes names smaller by this factor. */
#define NAME_RATIO 4.0

/* We aim at this share of the limit. */
#define NEARLY 0.95

/* We try at most this many thresholds, because each try makes all data again. */
#define TRIES 3

/*
 * We estimate the compressed size of large data from samples: SAMPLE_BYTES out of every
 * SAMPLE_EVERY * SAMPLE_BYTES bytes.
 */
#define SAMPLE_BYTES ((size_t)32 << 10)
#define SAMPLE_EVERY 8

/*
 * Compression shrinks data by at least about this factor. If data shrunk by it would
 * still exceed the limit, we do not compress them but estimate the size.
 */
#define LEAST_RATIO 2

/*
 * A picture whose titles have more bytes of names has data, because each name is there
 * only once.
 */
#define COMPLETE_NAMES ((size_t)1 << 20)

/*
 * Frames are counted in buckets of similar totals, 16 for each power of two. Only the
 * least totals of buckets are tried as thresholds.
 */
#define BUCKET_BITS 4
#define BUCKETS (65 << BUCKET_BITS)

static struct fg_treedata_colour *colours_of(struct fg_graph *g)
{
	struct fg_treedata_colour *colours;

	if (g->tree.before || g->options->colordiffusion)
		return NULL;
	colours = fg_xcalloc(g->tree.names.count, sizeof(*colours));
	for (uint32_t id = 0; id < g->tree.names.count; id++) {
		struct fg_rgb rgb = fg_names_colour(&g->names, id);

		colours[id] = (struct fg_treedata_colour){ { rgb.r, rgb.g, rgb.b } };
	}
	return colours;
}

/* The search for the threshold: frames with a smaller total are left out. */
struct fitting {
	struct fg_data *data;
	struct fg_treedata what;
	struct fg_buf raw;
	double size; /* compressed size in bytes, known or estimated */
	size_t *counts; /* indexed by bucket: how many frames it has */
	size_t limit; /* bytes */
	/* limit of the bytes before compression; readers refuse larger data */
	size_t readable;
};

static void compress(struct fitting *m)
{
	int level = m->raw.len <= SMALL_DATA ? SMALL_LEVEL : LEVEL;

	fg_buf_clear(&m->data->bytes);
	fg_deflate(fg_buf_str(&m->raw), level, &m->data->bytes);
	m->size = (double)m->data->bytes.len;
}

/*
 * Estimates the compressed size from samples spread over the data, because compressing
 * all of the data takes longer than making them.
 */
static double likely_size(struct fg_str raw)
{
	struct fg_buf samples = FG_BUF_INIT, compressed = FG_BUF_INIT;
	double size = (double)raw.len;

	for (; raw.len; raw = fg_str_from_pos(raw, SAMPLE_EVERY * SAMPLE_BYTES))
		fg_buf_add_str(&samples, fg_str_before(raw, SAMPLE_BYTES));
	fg_deflate(fg_buf_str(&samples), LEVEL, &compressed);
	size *= (double)compressed.len / (double)samples.len;
	fg_buf_release(&samples);
	fg_buf_release(&compressed);
	return size;
}

static void make(struct fitting *m, uint64_t min)
{
	m->what.min = min;
	fg_buf_clear(&m->raw);
	fg_buf_clear(&m->data->bytes);
	m->data->min = min;
	m->data->frames = fg_treedata_write(&m->what, &m->raw);
	if (m->raw.len / LEAST_RATIO > m->limit)
		m->size = likely_size(fg_buf_str(&m->raw));
	else
		compress(m);
}

static bool is_readable(const struct fitting *m)
{
	return m->raw.len <= m->readable && m->data->frames <= FG_TREEDATA_FRAMES_MAX;
}

/*
 * Returns true if the data fit the limits. If their size is only an estimate,
 * compresses them to be sure.
 */
static bool fits(struct fitting *m)
{
	if (!is_readable(m))
		return false;
	if (m->size <= (double)m->limit && !m->data->bytes.len)
		compress(m);
	return m->size <= (double)m->limit;
}

/*
 * Returns the bucket of a total. The high bits of the bucket are the position of the
 * total's highest 1 bit; its low BUCKET_BITS are the bits after that one.
 */
static unsigned bucket_of(uint64_t total)
{
	unsigned power = 0;
	uint64_t rest = total;

	while (rest >> 8) {
		rest >>= 8;
		power += 8;
	}
	while (rest >>= 1)
		power++;
	if (power < BUCKET_BITS)
		return (unsigned)total;
	return (power - BUCKET_BITS + 1) << BUCKET_BITS |
	       (total >> (power - BUCKET_BITS) & ((1 << BUCKET_BITS) - 1));
}

/* Returns the least total in a bucket. */
static uint64_t least_in(unsigned bucket)
{
	unsigned power = bucket >> BUCKET_BITS;

	if (!power)
		return bucket;
	return ((uint64_t)1 << BUCKET_BITS | (bucket & ((1 << BUCKET_BITS) - 1)))
	       << (power - 1);
}

static void count_buckets(struct fitting *m)
{
	const struct fg_tree *t = m->what.tree;

	m->counts = fg_xcalloc(BUCKETS, sizeof(*m->counts));
	for (size_t i = 0; i < t->count; i++)
		m->counts[bucket_of(t->nodes[i].total)]++;
}

/* Returns the least threshold that keeps at most `frames` frames. */
static uint64_t threshold_for(const struct fitting *m, double frames)
{
	unsigned bucket = BUCKETS;
	size_t sum = 0;

	while (bucket && (double)(sum + m->counts[bucket - 1]) <= frames)
		sum += m->counts[--bucket];
	return bucket < BUCKETS ? least_in(bucket) : UINT64_MAX;
}

static double name_bytes(const struct fg_tree *t)
{
	size_t bytes = 0;

	for (uint32_t id = 0; id < t->names.count; id++)
		bytes += fg_intern_name(&t->names, id).len;
	return (double)bytes;
}

/* Estimates how many frames fit. */
static double guess_frames(const struct fitting *m)
{
	double limit = (double)m->limit, frames;

	if (m->data->frames) {
		frames = limit * (double)m->data->frames / m->size;
	} else {
		double names = name_bytes(m->what.tree) / NAME_RATIO;
		double few = limit / FRAME_BYTES, many = (limit - names) / NUMBER_BYTES;

		frames = few > many ? few : many;
	}
	frames *= NEARLY;
	return frames < FG_TREEDATA_FRAMES_MAX ? frames : FG_TREEDATA_FRAMES_MAX;
}

/*
 * Leaves out the smallest frames until the rest fits. Keeps all frames with a total of
 * `drawn` or more, because these are drawn. Tries another threshold if the data are too
 * large or far too small.
 */
static void make_fit(struct fitting *m, uint64_t drawn)
{
	double enough = (double)m->limit * 3 / 4, frames = guess_frames(m);

	count_buckets(m);
	for (unsigned tries = 1;; tries++) {
		uint64_t min = threshold_for(m, frames);
		bool all;

		make(m, min < drawn ? min : drawn);
		if (min >= drawn)
			break;
		all = guess_frames(m) >= (double)m->what.tree->count;
		if ((!min || tries >= TRIES || (m->size > enough && !all)) && fits(m))
			break;
		frames = tries < TRIES ? guess_frames(m) : frames / 2;
	}
	free(m->counts);
}

static void make_full(struct fitting *m, uint64_t drawn)
{
	if (!drawn || guess_frames(m) >= (double)m->what.tree->count)
		make(m, 0);
	if (drawn && (!m->data->frames || !fits(m)))
		make_fit(m, drawn);
}

/* Returns the sum of the lengths of all drawn names, each counted once. */
static size_t drawn_name_bytes(const struct fg_graph *g)
{
	const struct fg_tree *t = &g->tree;
	bool *used = fg_xcalloc(t->names.count, sizeof(*used));
	size_t bytes = 0;

	for (size_t i = 1; i < g->layout.count; i++)
		used[t->nodes[g->layout.frames[i].node].name] = true;
	for (uint32_t id = 0; id < t->names.count; id++)
		if (used[id])
			bytes = fg_size_add(bytes, fg_intern_name(&t->names, id).len);
	free(used);
	return bytes;
}

/*
 * Leaves out all data. This happens if names are so long that even the drawn frames
 * exceed the limit.
 */
static void leave_out(struct fg_data *d, struct fg_graph *g)
{
	fg_buf_release(&d->bytes);
	d->frames = 0;
	d->min = 0;
	fg_warn(g->diag, NULL,
		"the names are too long to store the whole profile in the picture: "
		"flamegraph --extract and the viewer get only the frames that are "
		"drawn");
}

/*
 * Returns true if titles have the names of all drawn frames. An SVG cannot hold some
 * bytes, in whose place it has U+FFFD.
 */
static bool titles_have_names(struct fg_graph *g)
{
	struct fg_str lost = FG_STR("\xef\xbf\xbd");
	size_t bytes = 0;

	for (size_t i = 1; i < g->layout.count; i++) {
		uint32_t id = g->tree.nodes[g->layout.frames[i].node].name;
		struct fg_str shown = fg_names_get(&g->names, id)->shown;

		bytes = fg_size_add(bytes, shown.len);
		if (bytes > COMPLETE_NAMES || fg_str_has(shown, lost))
			return false;
	}
	return true;
}

/*
 * Returns true if all frames are drawn and their elements say everything that the data
 * would: names, exact counts and colours. Only plain flame graphs of one profile are so
 * simple.
 */
static bool is_complete(struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;
	const struct fg_tree *t = &g->tree;

	return g->layout.count == t->count && t->count <= FG_VIEWER_FRAMES &&
	       !t->decimals && !(g->layout.total > fg_tree_number(t, t->total)) &&
	       t->order != FG_TREE_INPUT && !t->before && !o->colordiffusion &&
	       !g->heat.count && !g->profile.name.len && !g->attributes->count &&
	       !o->source && titles_have_names(g);
}

void fg_data_init(struct fg_data *d, struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;
	struct fg_treedata_colour *colours;
	struct fitting m = { .data = d, .what = { .tree = &g->tree } };

	memset(d, 0, sizeof(*d));
	d->complete = is_complete(g);
	if (d->complete || o->data == FG_DATA_NONE)
		return;
	if (drawn_name_bytes(g) > o->data_readable) {
		leave_out(d, g);
		return;
	}
	m.limit = fg_base64_fits(o->data_limit ? o->data_limit : SIZE_MAX);
	m.readable = o->data_readable;
	m.what.colours = colours = colours_of(g);
	if (o->data == FG_DATA_DRAWN)
		make(&m, g->layout.drawn);
	else
		make_full(&m, g->layout.drawn);
	if (!is_readable(&m))
		leave_out(d, g);
	else if (!d->bytes.len)
		compress(&m);
	fg_buf_release(&m.raw);
	free(colours);
}

void fg_data_release(struct fg_data *d)
{
	fg_buf_release(&d->bytes);
}

void fg_data_write(const struct fg_data *d, const struct fg_graph *g,
		   struct fg_out *out)
{
	struct fg_svgwrite_tree tree = {
		.deflated = fg_buf_str(&d->bytes),
		.frames = d->frames,
		.cut = d->frames < g->tree.count,
		.min = d->min,
	};

	fg_svgwrite_tree(out, &tree);
}

bool fg_data_note(const struct fg_data *d, const struct fg_graph *g,
		  struct fg_buf *text)
{
	size_t left_out = g->tree.count - d->frames;
	char digits[FG_NUMBER_MAX];
	char *end;

	if (!d->bytes.len || !left_out || g->options->data != FG_DATA_FULL)
		return false;
	end = fg_put_thousands(digits, left_out);
	fg_buf_add(text, digits, (size_t)(end - digits));
	fg_buf_add_str(text, left_out == 1 ? FG_STR(" frame of less than ") :
					     FG_STR(" frames of less than "));
	if (g->words.factor == 1) {
		end = fg_put_decimal(digits, d->min, g->tree.decimals);
		fg_buf_add(text, digits, (size_t)(end - digits));
	} else {
		fg_buf_addf(text, "%.4g",
			    fg_tree_number(&g->tree, d->min) * g->words.factor);
	}
	fg_buf_addf(text, "%s%s left out (--data-limit)", *g->words.spoken ? " " : "",
		    g->words.spoken);
	return true;
}

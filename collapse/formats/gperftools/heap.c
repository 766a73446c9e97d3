/*
 * Heap profiles: text, with the objects and bytes that are in use, and, in brackets,
 * those that were ever allocated. Addresses are leaf first. See prof_data.c of
 * jemalloc and heap-profile-table.cc of gperftools.
 *
 *     heap profile:    144:  8498176 [   144:  8498176] @ heap_v2/524288
 *          1:     9216 [     1:     9216] @ 0xc635c8 0x42ecc3 0x42e14c
 *
 *     MAPPED_LIBRARIES:
 *     00400000-00fcb000 r-xp 00000000 fe:00 1234 /bin/app
 *
 * Since version 4, jemalloc has lines for each thread; t* is the sum of all threads:
 *
 *     heap_v2/524288
 *       t*: 144: 8498176 [0: 0]
 *       t3: 144: 8498176 [0: 0] worker
 *     @ 0xc635c8 0x42ecc3 0x42e14c
 *       t*: 1: 9216 [0: 0]
 *       t3: 1: 9216 [0: 0]
 *
 * Go's text has the frames of each stack, as comments:
 *
 *     1: 512 [1: 512] @ 0x4a0b3f 0x46e141
 *     #	0x4a0b3e	main.fill+0x1e	/src/app.go:12
 */
#include <math.h>

#include "collapse/formats/gperftools/profile.h"
#include "lib/base/xalloc.h"

struct heap {
	struct gperftools_profile *profile;
	struct fg_sink *sink;
	double period; /* the mean of bytes between two samples; 0: not sampled */
	/* names of threads: 1 + their ids in the profile, by number */
	struct fg_map threads;
	struct fg_buf name; /* scratch */
	size_t first; /* the first address of the stack that was read */
	bool in_stack; /* a stack was read whose values are in lines of threads */
	bool counted; /* the stack had a line of a thread */
	bool has_frames; /* the last line was a stack, or a frame of it */
};

/* ---- values */

/*
 * Returns how many objects a sampled one stands for. jemalloc and tcmalloc sample a
 * byte with the probability 1 / period, so they sample an object of `size` bytes with
 * the probability 1 - exp(-size / period).
 */
static double scale_of(const struct heap *h, uint64_t objects, uint64_t bytes)
{
	if (h->period <= 1 || !objects || !bytes)
		return 1;
	return 1 / (1 - exp(-((double)bytes / (double)objects) / h->period));
}

static uint64_t scaled(uint64_t number, double scale)
{
	double product = (double)number * scale;

	if (scale == 1)
		return number;
	return product < (double)UINT64_MAX ? (uint64_t)product : UINT64_MAX;
}

/* Estimates the values of all objects from those of the sampled ones. */
static void unsample(const struct heap *h, uint64_t values[HEAP_VALUES])
{
	for (size_t i = 0; i < HEAP_VALUES; i += 2) {
		double scale = scale_of(h, values[i], values[i + 1]);

		values[i] = scaled(values[i], scale);
		values[i + 1] = scaled(values[i + 1], scale);
	}
}

/* Cuts off "12: " or "12 [", with any blanks. Returns false if it is not there. */
static bool cut_number(struct fg_str *line, char after, uint64_t *number)
{
	struct fg_str digits;

	*line = fg_str_trim_left(*line);
	digits = fg_str_before(*line, fg_str_span(*line, fg_is_digit));
	*line = fg_str_trim_left(fg_str_from_pos(*line, digits.len));
	return !fg_str_u64(digits, number) &&
	       fg_str_cut_start(line, fg_str_of(&after, 1));
}

/* Cuts off "1: 9216 [1: 9216]". */
static bool cut_values(struct fg_str *line, uint64_t values[HEAP_VALUES])
{
	static const char after[HEAP_VALUES] = { ':', '[', ':', ']' };

	for (size_t i = 0; i < HEAP_VALUES; i++)
		if (!cut_number(line, after[i], &values[i]))
			return false;
	return true;
}

/* ---- stacks */

/* Reads addresses. Returns false, and adds none, if one is malformed. */
static bool read_addresses(struct heap *h, struct fg_str rest)
{
	struct gperftools_profile *p = h->profile;

	h->first = p->address_count;
	for (rest = fg_str_trim(rest); rest.len; rest = fg_str_trim_left(rest)) {
		struct fg_str word = fg_str_cut(&rest, ' ');
		uint64_t address;

		if (fg_str_0x(word, &address) && fg_str_hex(word, &address)) {
			p->address_count = h->first;
			return false;
		}
		/* all are return addresses; the call is before them */
		gperftools_add_address(p, address - (address > 0));
	}
	return true;
}

static void add_stack(struct heap *h, const uint64_t values[HEAP_VALUES],
		      uint32_t thread)
{
	struct gperftools_stack *s = gperftools_add_stack(h->profile);

	s->first = h->first;
	s->depth = h->profile->address_count - h->first;
	s->first_frame = h->profile->frame_count;
	s->thread = thread;
	memcpy(s->values, values, sizeof(s->values));
	unsample(h, s->values);
}

static void end_stack(struct heap *h)
{
	if (h->in_stack && !h->counted)
		fg_sink_lose(h->sink, "stacks without values", 1);
	h->in_stack = h->counted = false;
}

/*
 * Returns 1 + the id of a thread, and adds the thread if it is new. An empty `name`
 * means that no line has named the thread yet; it is then called "t3".
 */
static uint32_t thread_of(struct heap *h, uint64_t number, struct fg_str name)
{
	size_t known = fg_map_get(&h->threads, number);

	if (known)
		return (uint32_t)known;
	fg_buf_clear(&h->name);
	if (name.len)
		fg_buf_add_str(&h->name, name);
	else
		fg_buf_addf(&h->name, "t%llu", (unsigned long long)number);
	known = fg_intern(&h->profile->threads, fg_buf_str(&h->name)) + (size_t)1;
	fg_map_set(&h->threads, number, known);
	return (uint32_t)known;
}

/* Reads the part of "t3: 1: 9216 [0: 0] worker" after the "t". */
static bool read_thread(struct heap *h, struct fg_str rest)
{
	bool all = fg_str_cut_start(&rest, FG_STR("*:"));
	uint64_t values[HEAP_VALUES], number = 0;
	uint32_t thread = 0;

	if ((!all && !cut_number(&rest, ':', &number)) || !cut_values(&rest, values))
		return false;
	if (!all)
		thread = thread_of(h, number, fg_str_trim(rest));
	if (h->in_stack)
		add_stack(h, values, thread);
	h->counted = true;
	return true;
}

/* Reads "1: 9216 [1: 9216] @ 0xc635c8 0x42ecc3". */
static bool read_stack(struct heap *h, struct fg_str line)
{
	uint64_t values[HEAP_VALUES];

	if (!cut_values(&line, values))
		return false;
	line = fg_str_trim_left(line);
	if (!fg_str_cut_start(&line, FG_STR("@")) || !read_addresses(h, line))
		return false;
	add_stack(h, values, 0);
	return true;
}

/* Reads "#\t0x4a0b3e\tmain.fill+0x1e\t/src/app.go:12". Ignores other comments. */
static void read_comment(struct heap *h, struct fg_str rest)
{
	struct gperftools_profile *p = h->profile;
	struct gperftools_frame frame = { .line = 0 };
	struct fg_str place;
	uint64_t address;
	size_t at;

	if (!h->has_frames || !fg_str_cut_start(&rest, FG_STR("\t")) ||
	    fg_str_0x(fg_str_cut(&rest, '\t'), &address))
		return;
	rest = fg_str_trim(rest);
	frame.name = fg_str_cut(&rest, '\t');
	at = fg_str_rfind_char(frame.name, '+');
	frame.name = fg_str_before(frame.name, at);
	place = fg_str_trim(rest);
	at = fg_str_rfind_char(place, ':');
	if (!fg_str_u64(fg_str_from_pos(place, at + 1), &frame.line))
		frame.file = fg_str_before(place, at);
	FG_GROW(p->frames, p->frame_alloc, p->frame_count + 1);
	p->frames[p->frame_count++] = frame;
	p->stacks[p->stack_count - 1].frames++;
}

/* ---- lines */

/* Reads a line before the list of mapped files. Returns false if it is malformed. */
static bool read_line(struct heap *h, struct fg_str line)
{
	bool is_stack;

	line = fg_str_trim(line);
	if (!line.len)
		return true;
	if (fg_str_cut_start(&line, FG_STR("#"))) {
		read_comment(h, line);
		return true;
	}
	h->has_frames = false;
	if (fg_str_cut_start(&line, FG_STR("@"))) {
		end_stack(h);
		h->in_stack = read_addresses(h, line);
		return h->in_stack;
	}
	if (fg_str_cut_start(&line, FG_STR("t")))
		return read_thread(h, line);
	is_stack = read_stack(h, line);
	h->has_frames = is_stack;
	return is_stack;
}

/*
 * Reads the kind of a profile, like "heap_v2/524288", for the period. For "heap/N",
 * which Go writes, the period is N / 2. Other kinds are not sampled.
 */
static bool read_kind(struct heap *h, struct fg_str kind)
{
	struct fg_str name = fg_str_cut(&kind, '/');
	bool is_half = fg_str_eq(name, FG_STR("heap"));
	uint64_t period;

	if (!is_half && !fg_str_ends(name, FG_STR("_v2")))
		return true;
	if (!kind.len && is_half)
		return true;
	if (fg_str_u64(kind, &period))
		return false;
	h->period = (double)(is_half ? period / 2 : period);
	return true;
}

/* Reads the first line. */
static bool read_head(struct heap *h, struct fg_str line)
{
	uint64_t values[HEAP_VALUES];

	if (!fg_str_cut_start(&line, FG_STR("heap profile:")))
		return read_kind(h, fg_str_trim(line));
	if (!cut_values(&line, values))
		return false;
	line = fg_str_trim(line);
	return !fg_str_cut_start(&line, FG_STR("@")) ||
	       read_kind(h, fg_str_trim_left(line));
}

static bool is_mappings(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("MAPPED_LIBRARIES:")) ||
	       fg_str_starts(line, FG_STR("--- Memory map:"));
}

void gperftools_read_heap(struct gperftools_profile *p, struct fg_sink *sink,
			  struct fg_str text)
{
	struct heap h = { .profile = p, .sink = sink };
	struct fg_str line;
	bool is_head = true;

	p->kind = GPERFTOOLS_HEAP;
	while (gperftools_cut_line(sink, &text, &line)) {
		if (is_mappings(line)) {
			gperftools_read_mappings(p, sink, text);
			break;
		}
		if (is_head ? !read_head(&h, line) : !read_line(&h, line))
			fg_sink_malformed(sink, line);
		is_head = false;
	}
	end_stack(&h);
	fg_map_release(&h.threads);
	fg_buf_release(&h.name);
}

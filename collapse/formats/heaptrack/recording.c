/* Keeps the tables of a recording of heaptrack, and adds up its allocations. */
#include "collapse/formats/heaptrack/recording.h"

#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/profile/line.h"

/*
 * Any number of paths may share an address with any number of inlined functions. So we
 * limit the number of rows to FRAMES_MIN, plus one for each frame of an address, plus
 * FRAMES_PER_PATH for each path.
 */
#define FRAMES_PER_PATH 32
#define FRAMES_MIN 65536

void heaptrack_start(struct heaptrack *h)
{
	fg_arena_release(&h->arena);
	fg_intern_release(&h->pointers);
	fg_rows_clear(&h->rows);
	h->string_count = h->frame_count = h->address_count = h->allocation_count = 0;
	FG_GROW(h->paths, h->paths_alloc, 1);
	h->paths[0] = (struct path){ .row = FG_ROWS_ROOT };
	h->path_count = 1;
	h->row_budget = FRAMES_MIN;
	h->last_plus_1 = 0;
	h->live = h->peak = 0;
	h->age = 0;
}

/*
 * Returns the weight of a path, without its sign. Sets *negative if more was freed than
 * allocated.
 */
static struct fg_sum weight_of(const struct heaptrack *h, const struct cost *cost,
			       bool *negative)
{
	int64_t live =
		h->weight == PEAK && cost->age == h->age ? cost->at_peak : cost->live;

	if (h->weight != PEAK && h->weight != LEAKED)
		return cost->sum;
	*negative = live < 0;
	return (struct fg_sum){ live < 0 ? 0 - (uint64_t)live : (uint64_t)live, 0 };
}

void heaptrack_end(struct heaptrack *h)
{
	uint32_t unknown =
		fg_rows_add(&h->rows, FG_ROWS_ROOT, fg_sink_name(h->sink, FG_STR("")));

	fg_rows_link(&h->rows);
	for (size_t i = 0; i < h->path_count; i++) {
		bool negative = false;
		struct fg_sum weight = weight_of(h, &h->paths[i].cost, &negative);
		uint32_t row = h->paths[i].row;

		if (fg_sum_is_zero(weight))
			continue;
		if (row == FG_ROWS_ROOT)
			row = unknown;
		if (row == BROKEN)
			fg_sink_lose_weight(h->sink, "stacks whose callers are missing",
					    weight);
		else if (row == BEYOND)
			fg_sink_lose_weight(h->sink, FG_TOO_MANY_FRAMES, weight);
		else if (negative)
			fg_rows_subtract_value(&h->rows, row, weight);
		else
			fg_rows_add_value(&h->rows, row, weight);
	}
	fg_rows_write(&h->rows, h->sink, NULL);
	heaptrack_start(h);
}

/* ---- tables */

int heaptrack_cut_hex(struct fg_str *s, uint64_t *value)
{
	size_t n = 0;

	for (*value = 0; n < s->len && fg_is_hex(s->ptr[n]); n++) {
		if (*value >> 60)
			return -1;
		*value = *value << 4 | fg_hex_digit(s->ptr[n]);
	}
	if (!n || (n < s->len && s->ptr[n] != ' '))
		return -1;
	while (n < s->len && s->ptr[n] == ' ')
		n++;
	*s = fg_str_from_pos(*s, n);
	return 0;
}

void heaptrack_add_string(struct heaptrack *h, struct fg_str text)
{
	FG_GROW(h->strings, h->strings_alloc, h->string_count + 1);
	h->strings[h->string_count++] =
		(struct string){ fg_arena_copy(&h->arena, text), 0, 0 };
}

/* Returns string `number`, or NULL. */
static struct string *string_of(const struct heaptrack *h, uint64_t number)
{
	return number && number <= h->string_count ? &h->strings[number - 1] : NULL;
}

static struct fg_str text_of(const struct string *s)
{
	return s ? s->text : fg_str_of(NULL, 0);
}

/* Returns the frame of a module, "[libx.so]". */
static uint32_t new_module(struct heaptrack *h, struct fg_str path)
{
	struct fg_str name = fg_str_basename(path);

	if (!name.len)
		return fg_sink_name(h->sink, name);
	fg_buf_clear(&h->text);
	fg_buf_addf(&h->text, "[");
	fg_buf_add_str(&h->text, name);
	fg_buf_add_char(&h->text, ']');
	return fg_sink_name(h->sink, fg_buf_str(&h->text));
}

/*
 * Like new_module(), but makes each name once, because many addresses share a string.
 */
static uint32_t name_of_module(struct heaptrack *h, struct string *path)
{
	if (!path)
		return new_module(h, text_of(path));
	if (!path->module_plus_1)
		path->module_plus_1 = new_module(h, path->text) + 1;
	return path->module_plus_1 - 1;
}

/* Returns the frame of a function, or of its module if the function is unknown. */
static uint32_t name_of_function(struct heaptrack *h, struct string *function,
				 struct string *module)
{
	if (!function)
		return name_of_module(h, module);
	if (!function->function_plus_1)
		function->function_plus_1 = fg_sink_name(h->sink, function->text) + 1;
	return function->function_plus_1 - 1;
}

/*
 * With --srcline, returns a frame with " (FILE:LINE)" after the name of `frame`, and
 * with --lines one with ":FILE:LINE". Otherwise returns `frame`.
 */
static uint32_t name_with_line(struct heaptrack *h, uint32_t frame, struct fg_str file,
			       uint64_t line)
{
	struct fg_str name = fg_intern_name(fg_sink_names(h->sink), frame);

	if (!(h->srcline || h->lines) || !file.len ||
	    !fg_sink_charge_name(h->sink, name.len + file.len, FG_LONG_LINES))
		return frame;
	fg_buf_clear(&h->text);
	fg_buf_add_str(&h->text, name);
	if (h->lines) {
		fg_line_add(&h->text, file, line);
	} else {
		fg_buf_addf(&h->text, " (");
		fg_buf_add_str(&h->text, fg_str_basename(file));
		fg_buf_addf(&h->text, ":%llu)", (unsigned long long)line);
	}
	return fg_sink_name(h->sink, fg_buf_str(&h->text));
}

static void add_frame(struct heaptrack *h, uint32_t frame)
{
	FG_GROW(h->frames, h->frames_alloc, h->frame_count + 1);
	h->frames[h->frame_count++] = frame;
}

/* Programs without debug information have functions, but no files and lines. */
bool heaptrack_add_address(struct heaptrack *h, struct fg_str line)
{
	size_t first = h->frame_count;
	uint64_t ip, number, function, file;
	struct string *module;

	if (heaptrack_cut_hex(&line, &ip) || heaptrack_cut_hex(&line, &number))
		return false;
	module = string_of(h, number);
	while (!heaptrack_cut_hex(&line, &function)) {
		uint32_t frame = name_of_function(h, string_of(h, function), module);

		if (!heaptrack_cut_hex(&line, &file) &&
		    !heaptrack_cut_hex(&line, &number))
			frame = name_with_line(h, frame, text_of(string_of(h, file)),
					       number);
		add_frame(h, frame);
	}
	if (first == h->frame_count)
		add_frame(h, name_of_module(h, module));
	/* the file has the innermost frame first; reverse them */
	for (size_t a = first, b = h->frame_count; a + 1 < b; a++) {
		uint32_t frame = h->frames[--b];

		h->frames[b] = h->frames[a];
		h->frames[a] = frame;
	}
	FG_GROW(h->addresses, h->addresses_alloc, h->address_count + 1);
	h->addresses[h->address_count++] = h->frame_count;
	h->row_budget += h->frame_count - first;
	return true;
}

/*
 * Adds the frames of an address below the row of its caller. Returns the row of the
 * innermost frame, or BEYOND.
 */
static uint32_t add_rows(struct heaptrack *h, uint32_t row, uint64_t ip)
{
	size_t first, end;

	if (ip > h->address_count)
		return fg_rows_add(&h->rows, row, fg_sink_name(h->sink, FG_STR("")));
	first = ip > 1 ? h->addresses[ip - 2] : 0;
	end = h->addresses[ip - 1];
	if (end - first > h->row_budget)
		return BEYOND;
	h->row_budget -= end - first;
	for (size_t i = first; i < end; i++)
		row = fg_rows_add(&h->rows, row, h->frames[i]);
	return row;
}

bool heaptrack_add_path(struct heaptrack *h, struct fg_str line)
{
	struct path path = { .row = BROKEN };
	uint64_t ip, parent;

	if (heaptrack_cut_hex(&line, &ip) || heaptrack_cut_hex(&line, &parent) ||
	    h->path_count == NUMBERS_MAX)
		return false;
	h->row_budget += FRAMES_PER_PATH;
	if (parent < h->path_count)
		path.row = h->paths[parent].row;
	if (!ip)
		path.row = FG_ROWS_ROOT;
	else if (path.row != BROKEN && path.row != BEYOND)
		path.row = add_rows(h, path.row, ip);
	FG_GROW(h->paths, h->paths_alloc, h->path_count + 1);
	h->paths[h->path_count++] = path;
	return true;
}

bool heaptrack_add_allocation(struct heaptrack *h, struct fg_str *line)
{
	struct allocation a;
	uint64_t path;

	if (heaptrack_cut_hex(line, &a.size) || heaptrack_cut_hex(line, &path) ||
	    path >= NUMBERS_MAX)
		return false;
	a.path = (uint32_t)path;
	FG_GROW(h->allocations, h->allocations_alloc, h->allocation_count + 1);
	h->allocations[h->allocation_count++] = a;
	return true;
}

/* ---- allocations */

/* Returns true if a + b does not overflow. */
static bool sum_fits(int64_t a, int64_t b)
{
	return b < 0 ? a >= INT64_MIN - b : a <= INT64_MAX - b;
}

/* Adds to the live bytes of a path. Returns false if their number overflows. */
static bool change_live(struct heaptrack *h, struct cost *cost, int64_t bytes)
{
	if (!sum_fits(cost->live, bytes) || !sum_fits(h->live, bytes))
		return false;
	if (cost->age != h->age) {
		cost->age = h->age;
		cost->at_peak = cost->live;
	}
	cost->live += bytes;
	h->live += bytes;
	if (h->live > h->peak) {
		h->peak = h->live;
		h->age++;
	}
	return true;
}

/* Returns the cost of the path of an allocation, or NULL if there is no such path. */
static struct cost *cost_of(struct heaptrack *h, const struct allocation *a)
{
	return a->path < h->path_count ? &h->paths[a->path].cost : NULL;
}

static bool allocate(struct heaptrack *h, uint64_t kind)
{
	const struct allocation *a = &h->allocations[kind];
	struct cost *cost = cost_of(h, a);

	h->last_plus_1 = kind + 1;
	if (!cost || a->size > INT64_MAX)
		return false;
	if (h->weight == TOTAL)
		fg_sum_add(&cost->sum, a->size);
	else if (h->weight == ALLOCATIONS)
		fg_sum_add(&cost->sum, 1);
	return change_live(h, cost, (int64_t)a->size);
}

static bool release(struct heaptrack *h, uint64_t kind)
{
	const struct allocation *a = &h->allocations[kind];
	struct cost *cost = cost_of(h, a);
	bool at_once = h->last_plus_1 == kind + 1;

	h->last_plus_1 = 0;
	if (!cost || a->size > INT64_MAX)
		return false;
	if (h->weight == TEMPORARY)
		fg_sum_add(&cost->sum, at_once);
	return change_live(h, cost, -(int64_t)a->size);
}

/*
 * Returns the number of a pointer, from 0. Version 0 has no kinds, so this number
 * serves as the kind.
 */
static uint64_t kind_of_pointer(struct heaptrack *h, uint64_t pointer)
{
	char key[sizeof(pointer)];

	memcpy(key, &pointer, sizeof(key));
	return fg_intern(&h->pointers, fg_str_of(key, sizeof(key)));
}

/* Reads "+ SIZE PATH POINTER" of version 0. */
static bool allocate_pointer(struct heaptrack *h, struct fg_str line)
{
	uint64_t pointer, kind;

	if (!heaptrack_add_allocation(h, &line))
		return false;
	h->allocation_count--;
	if (heaptrack_cut_hex(&line, &pointer))
		return false;
	kind = kind_of_pointer(h, pointer);
	/* if the pointer is new, `kind` is the index of the allocation just removed */
	h->allocations[kind] = h->allocations[h->allocation_count];
	if (kind == h->allocation_count)
		h->allocation_count++;
	return allocate(h, kind);
}

/* Reads "- POINTER" of version 0. */
static bool release_pointer(struct heaptrack *h, uint64_t pointer)
{
	uint64_t kind = kind_of_pointer(h, pointer);
	bool good;

	if (kind == h->allocation_count) { /* allocated before the recording */
		static const struct allocation none = { 0, UINT32_MAX };

		FG_GROW(h->allocations, h->allocations_alloc, h->allocation_count + 1);
		h->allocations[h->allocation_count++] = none;
	}
	if (h->allocations[kind].path == UINT32_MAX) {
		h->last_plus_1 = 0;
		h->unpaired++;
		return true;
	}
	good = release(h, kind);
	h->allocations[kind].path = UINT32_MAX;
	return good;
}

bool heaptrack_read_event(struct heaptrack *h, char letter, struct fg_str line)
{
	uint64_t number;

	if (letter == '+' && !h->version)
		return allocate_pointer(h, line);
	if (heaptrack_cut_hex(&line, &number))
		return false;
	if (!h->version)
		return release_pointer(h, number);
	if (number >= h->allocation_count)
		return false;
	return letter == '+' ? allocate(h, number) : release(h, number);
}

/* The tables of a recording of heaptrack, and what becomes of them at its end. */
#include "collapse/formats/heaptrack/recording.h"

#include "lib/base/xalloc.h"

/*
 * Any number of paths may have an address, and that any number of functions: so many
 * frames there may be for each path, beside some, and those of addresses once.
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
	h->room = FRAMES_MIN;
	h->last_plus_1 = 0;
	h->live = h->peak = 0;
	h->age = 0;
}

/* What a path weighs. It is negative if more was freed there than allocated. */
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

/* ---- lines that define something */

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

/* String `number`, or NULL. */
static struct string *string_of(const struct heaptrack *h, uint64_t number)
{
	return number && number <= h->string_count ? &h->strings[number - 1] : NULL;
}

static struct fg_str text_of(const struct string *s)
{
	return s ? s->text : fg_str_of(NULL, 0);
}

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

/* Any number of addresses may share a string, however long it is: it is read once. */
static uint32_t name_of_module(struct heaptrack *h, struct string *path)
{
	if (!path)
		return new_module(h, text_of(path));
	if (!path->module_plus_1)
		path->module_plus_1 = new_module(h, path->text) + 1;
	return path->module_plus_1 - 1;
}

/* The name of a function, or of its module if heaptrack did not find the function. */
static uint32_t name_of_function(struct heaptrack *h, struct string *function,
				 struct string *module)
{
	if (!function)
		return name_of_module(h, module);
	if (!function->function_plus_1)
		function->function_plus_1 = fg_sink_name(h->sink, function->text) + 1;
	return function->function_plus_1 - 1;
}

/* With --srcline, adds " (FILE:LINE)" to the name of a frame. */
static uint32_t name_with_line(struct heaptrack *h, uint32_t frame, struct fg_str file,
			       uint64_t line)
{
	struct fg_str name = fg_intern_name(fg_sink_names(h->sink), frame);

	if (!h->srcline || !file.len ||
	    !fg_sink_charge_name(h->sink, name.len + file.len, FG_LONG_LINES))
		return frame;
	fg_buf_clear(&h->text);
	fg_buf_add_str(&h->text, name);
	fg_buf_addf(&h->text, " (");
	fg_buf_add_str(&h->text, fg_str_basename(file));
	fg_buf_addf(&h->text, ":%llu)", (unsigned long long)line);
	return fg_sink_name(h->sink, fg_buf_str(&h->text));
}

static void add_frame(struct heaptrack *h, uint32_t frame)
{
	FG_GROW(h->frames, h->frames_alloc, h->frame_count + 1);
	h->frames[h->frame_count++] = frame;
}

/*
 * "IP MODULE [FUNCTION [FILE LINE]]...". Programs without debug information have
 * functions but no lines.
 */
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
	for (size_t a = first, b = h->frame_count; a + 1 < b; a++) {
		uint32_t frame = h->frames[--b];

		h->frames[b] = h->frames[a];
		h->frames[a] = frame;
	}
	FG_GROW(h->addresses, h->addresses_alloc, h->address_count + 1);
	h->addresses[h->address_count++] = h->frame_count;
	h->room += h->frame_count - first;
	return true;
}

/* The row of an address below that of its caller, or BEYOND. */
static uint32_t add_rows(struct heaptrack *h, uint32_t row, uint64_t ip)
{
	size_t first, end;

	if (ip > h->address_count)
		return fg_rows_add(&h->rows, row, fg_sink_name(h->sink, FG_STR("")));
	first = ip > 1 ? h->addresses[ip - 2] : 0;
	end = h->addresses[ip - 1];
	if (end - first > h->room)
		return BEYOND;
	h->room -= end - first;
	for (size_t i = first; i < end; i++)
		row = fg_rows_add(&h->rows, row, h->frames[i]);
	return row;
}

/* "IP PARENT" */
bool heaptrack_add_path(struct heaptrack *h, struct fg_str line)
{
	struct path path = { .row = BROKEN };
	uint64_t ip, parent;

	if (heaptrack_cut_hex(&line, &ip) || heaptrack_cut_hex(&line, &parent) ||
	    h->path_count == NUMBERS_MAX)
		return false;
	h->room += FRAMES_PER_PATH;
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

/* "SIZE PATH" */
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

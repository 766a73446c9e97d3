/* Profiles of gperftools and jemalloc: the tables, and the list of mapped files. */
#include "collapse/formats/gperftools/profile.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

void gperftools_profile_init(struct gperftools_profile *p)
{
	memset(p, 0, sizeof(*p));
	fg_intern_init(&p->threads);
}

void gperftools_profile_release(struct gperftools_profile *p)
{
	free(p->addresses);
	free(p->frames);
	free(p->stacks);
	free(p->symbols);
	free(p->mappings);
	fg_map_release(&p->symbol_of);
	fg_intern_release(&p->threads);
}

void gperftools_add_address(struct gperftools_profile *p, uint64_t address)
{
	FG_GROW(p->addresses, p->address_alloc, p->address_count + 1);
	p->addresses[p->address_count++] = address;
}

struct gperftools_stack *gperftools_add_stack(struct gperftools_profile *p)
{
	struct gperftools_stack *s;

	FG_GROW(p->stacks, p->stack_alloc, p->stack_count + 1);
	s = &p->stacks[p->stack_count++];
	memset(s, 0, sizeof(*s));
	return s;
}

bool gperftools_cut_line(struct fg_sink *sink, struct fg_str *text, struct fg_str *line)
{
	if (!text->len)
		return false;
	fg_sink_set_unended(sink, !fg_str_has_char(*text, '\n'));
	*line = fg_str_cut(text, '\n');
	fg_str_cut_end(line, FG_STR("\r"));
	fg_sink_at(sink)->line++;
	return true;
}

/* ---- mapped files */

/* Cuts off a hexadecimal number and the byte after it, which must be `after`. */
static bool cut_hex(struct fg_str *line, char after, uint64_t *number)
{
	struct fg_str digits = fg_str_before(*line, fg_str_span(*line, fg_is_hex));

	*line = fg_str_from_pos(*line, digits.len);
	return !fg_str_hex(digits, number) &&
	       fg_str_cut_start(line, fg_str_of(&after, 1));
}

/* Cuts off a word and the blanks after it. */
static struct fg_str cut_word(struct fg_str *line)
{
	struct fg_str word = fg_str_cut(line, ' ');

	*line = fg_str_trim_left(*line);
	return word;
}

/*
 * Reads "7f12-7f34 r-xp 00001000 fe:00 1234   /lib/libc.so.6" or "7f12-7f34: /lib/x".
 * Returns false if the line is neither. Sets *runs if the mapping is executable.
 */
static bool read_mapping(struct fg_str line, struct gperftools_mapping *m, bool *runs)
{
	struct fg_str rights;

	line = fg_str_trim(line);
	m->offset = 0;
	*runs = true;
	if (!cut_hex(&line, '-', &m->start))
		return false;
	m->path = line;
	if (cut_hex(&line, ':', &m->end)) {
		m->path = fg_str_trim_left(line);
		return true;
	}
	line = m->path;
	if (!cut_hex(&line, ' ', &m->end))
		return false;
	rights = cut_word(&line);
	if (rights.len < 3 || !cut_hex(&line, ' ', &m->offset))
		return false;
	*runs = rights.ptr[2] == 'x';
	cut_word(&line); /* device */
	cut_word(&line); /* inode */
	m->path = line;
	return true;
}

/*
 * Returns true for "build=/src". Old programs wrote it, and then "$build/app". We know
 * no program that still does, so such paths are not found.
 */
static bool is_assignment(struct fg_str line)
{
	struct fg_str name = fg_str_cut(&line, '=');

	return fg_str_all(fg_str_trim(name), fg_is_word) && line.len;
}

static int compare_starts(const void *context, uint32_t a, uint32_t b)
{
	const struct gperftools_mapping *m = context;

	return (m[a].start > m[b].start) - (m[a].start < m[b].start);
}

static void sort_mappings(struct gperftools_profile *p)
{
	struct gperftools_mapping *sorted =
		fg_xcalloc(p->mapping_count, sizeof(*sorted));
	uint32_t *order = fg_xcalloc(p->mapping_count, sizeof(*order));

	for (uint32_t i = 0; i < p->mapping_count; i++)
		order[i] = i;
	fg_sort(order, p->mapping_count, compare_starts, p->mappings);
	for (size_t i = 0; i < p->mapping_count; i++)
		sorted[i] = p->mappings[order[i]];
	free(order);
	free(p->mappings);
	p->mappings = sorted;
	p->mapping_alloc = p->mapping_count;
}

void gperftools_read_mappings(struct gperftools_profile *p, struct fg_sink *sink,
			      struct fg_str text)
{
	struct fg_str line;

	p->has_mappings = true;
	while (gperftools_cut_line(sink, &text, &line)) {
		struct gperftools_mapping m;
		bool runs;

		if (!fg_str_trim(line).len)
			continue;
		if (!read_mapping(line, &m, &runs)) {
			if (!is_assignment(line))
				fg_sink_malformed(sink, line);
			continue;
		}
		if (!runs || m.start >= m.end)
			continue;
		FG_GROW(p->mappings, p->mapping_alloc, p->mapping_count + 1);
		p->mappings[p->mapping_count++] = m;
	}
	sort_mappings(p);
}

const struct gperftools_mapping *
gperftools_find_mapping(const struct gperftools_profile *p, uint64_t address)
{
	size_t low = 0, high = p->mapping_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->mappings[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < p->mappings[low - 1].end ? &p->mappings[low - 1] : NULL;
}

/* Reads and replaces palette.map. */
#include "flamegraph/palette_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "lib/base/replace.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

static const struct fg_place file_place = { FG_PALETTE_MAP_FILE, 0 };

void fg_palette_map_init(struct fg_palette_map *m)
{
	memset(m, 0, sizeof(*m));
	fg_arena_init(&m->text);
	fg_intern_init(&m->names);
}

void fg_palette_map_release(struct fg_palette_map *m)
{
	fg_arena_release(&m->text);
	fg_intern_release(&m->names);
	free(m->colours);
	memset(m, 0, sizeof(*m));
}

/* Returns a pointer to the colour of `name`, which is added if it is new. */
static struct fg_str *colour_of(struct fg_palette_map *m, struct fg_str name)
{
	size_t known = m->names.count;
	uint32_t id = fg_intern(&m->names, name);

	FG_GROW(m->colours, m->alloc, m->names.count);
	if (id == known)
		m->colours[id] = fg_str_of("", 0);
	return &m->colours[id];
}

struct fg_str fg_palette_map_get(struct fg_palette_map *m, struct fg_str name)
{
	return *colour_of(m, name);
}

void fg_palette_map_set(struct fg_palette_map *m, struct fg_str name,
			struct fg_str colour)
{
	*colour_of(m, name) = fg_arena_copy(&m->text, colour);
	m->changed = true;
}

/*
 * Returns the offset of the last "->" in a line: a name may contain "->", a colour does
 * not.
 */
static size_t find_arrow(struct fg_str line)
{
	for (size_t at = line.len; at >= 2; at--)
		if (line.ptr[at - 2] == '-' && line.ptr[at - 1] == '>')
			return at - 2;
	return line.len;
}

int fg_palette_map_check(const char *output, struct fg_diag *diag)
{
	bool named = output && strcmp(output, "-") != 0;
	struct stat map, out;
	bool same = named && !strcmp(output, FG_PALETTE_MAP_FILE);

	if (!same && !stat(FG_PALETTE_MAP_FILE, &map) &&
	    !(named ? stat(output, &out) : fstat(STDOUT_FILENO, &out)))
		same = map.st_dev == out.st_dev && map.st_ino == out.st_ino;
	if (!same)
		return 0;
	return fg_error(
		diag, &file_place,
		"this file keeps the colours of --cp, so it cannot be the output");
}

int fg_palette_map_read(struct fg_palette_map *m, struct fg_diag *diag)
{
	const char *file = FG_PALETTE_MAP_FILE;
	struct fg_reader *reader;
	struct fg_place at;
	struct fg_str line;
	struct stat st;
	int status;

	if (stat(file, &st)) {
		if (errno == ENOENT)
			return 0;
		return fg_error(diag, &file_place, "cannot open: %s", strerror(errno));
	}
	if (!S_ISREG(st.st_mode)) /* a FIFO would wait for a writer */
		return fg_error(diag, &file_place, "this is not a regular file");
	reader = fg_reader_open(&file, 1, diag);
	while ((status = fg_reader_line(reader, &line, &at)) > 0) {
		size_t arrow;

		line = fg_str_trim_right(line);
		arrow = find_arrow(line);
		if (arrow == line.len) {
			if (line.len)
				fg_warn(diag, &at, "no `->` on the line, ignored");
			continue;
		}
		fg_palette_map_set(m, fg_str_before(line, arrow),
				   fg_str_from_pos(line, arrow + 2));
	}
	fg_reader_close(reader);
	m->changed = false;
	return status;
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_palette_map *m = context;

	return fg_str_cmp(fg_intern_name(&m->names, a), fg_intern_name(&m->names, b));
}

static void write_lines(const struct fg_palette_map *m, struct fg_out *out)
{
	size_t count = m->names.count;
	uint32_t *order = fg_xcalloc(count, sizeof(*order));

	for (uint32_t id = 0; id < count; id++)
		order[id] = id;
	fg_sort(order, count, compare_names, m);
	for (size_t i = 0; i < count; i++) {
		if (!m->colours[order[i]].len)
			continue;
		fg_out_add_str(out, fg_intern_name(&m->names, order[i]));
		fg_out_add_str(out, FG_STR("->"));
		fg_out_add_str(out, m->colours[order[i]]);
		fg_out_add_char(out, '\n');
	}
	free(order);
}

int fg_palette_map_write(const struct fg_palette_map *m, struct fg_diag *diag)
{
	struct fg_replacement file;
	struct fg_out out;

	if (fg_replacement_open(&file, FG_PALETTE_MAP_FILE, diag))
		return -1;
	fg_out_init(&out, file.fd, FG_PALETTE_MAP_FILE, diag);
	write_lines(m, &out);
	if (!fg_out_close(&out))
		return fg_replacement_finish(&file);
	fg_replacement_abandon(&file);
	return -1;
}

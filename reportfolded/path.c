/* Writes a part of a stack on one line: main > run > ... 14 frames ... > parse */
#include "reportfolded/path.h"

#include <stdlib.h>

#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

/* A path of at most this many frames has all of them on its line. */
#define WHOLE 4

/* A longer path has at least and at most this many frames. */
#define LEAST 3
#define MOST 7

/* With more than LEAST frames, names are not shortened to fewer columns than this. */
#define ROOM_FOR_MORE 28

struct fg_path fg_path_to(const struct fg_columns *p, uint32_t node)
{
	const struct fg_tree_node *nodes = p->tree.nodes;
	struct fg_path path = { p, node, node, 1, false, NULL };

	while (nodes[path.first].parent) {
		path.first = nodes[path.first].parent;
		path.frames++;
	}
	return path;
}

/* The form of a path. */
struct style {
	enum fg_report_format format;
	size_t most; /* number of frames that are named */
	size_t room; /* the columns of a name; 0: whole names */
};

/* ---- which frames are named */

/* All frames of a path, the outermost first. */
struct frames {
	const struct fg_path *path;
	uint32_t *nodes;
	bool *shown;
	size_t count; /* number of frames that are shown */
};

/* Shows frame `i` if it exists and fewer than `most` frames are shown. */
static void show(struct frames *f, size_t i, size_t most)
{
	if (i >= f->path->frames || f->shown[i] || f->count >= most)
		return;
	f->shown[i] = true;
	f->count++;
}

static bool is_own(const struct frames *f, size_t i)
{
	const struct fg_origins *origins = f->path->origins;

	return !origins || fg_origins_own(origins, f->nodes[i]);
}

/*
 * Shows the last frame, the last one of the program's own with what it calls, and the
 * first one. Then, as far as there is room, shows the callers of the program's last
 * function, and what is below it.
 */
static void choose(struct frames *f, size_t most)
{
	size_t frames = f->path->frames, first = 0, last = frames;

	while (first < frames && !is_own(f, first))
		first++;
	if (first == frames) /* the program has no frame here */
		first = 0;
	else
		while (!is_own(f, last - 1))
			last--;
	show(f, frames - 1, most);
	show(f, last - 1, most);
	show(f, last, most); /* does nothing if the path ends in frame last - 1 */
	show(f, first, most);
	if (!f->path->origins)
		show(f, 1, most);
	for (size_t i = last; i-- > first;)
		if (is_own(f, i) || last == frames)
			show(f, i, most);
	for (size_t i = frames; i-- > last;)
		show(f, i, most);
}

/* Returns the number of frames from `i` on that are not shown. */
static size_t hidden(const struct frames *f, size_t i)
{
	size_t count = 0;

	while (i + count < f->path->frames && !f->shown[i + count])
		count++;
	return count;
}

static void frames_init(struct frames *f, const struct fg_path *path, size_t most)
{
	const struct fg_tree_node *nodes = path->profile->tree.nodes;
	uint32_t node = path->last;

	*f = (struct frames){ .path = path };
	f->nodes = fg_xcalloc(path->frames, sizeof(*f->nodes));
	f->shown = fg_xcalloc(path->frames, sizeof(*f->shown));
	for (size_t i = path->frames; i-- > 0; node = nodes[node].parent)
		f->nodes[i] = node;
	choose(f, path->frames <= WHOLE && !path->origins ? WHOLE : most);
	/* a frame takes no more room than the text which says that one is hidden */
	for (size_t i = 0; i < path->frames; i++)
		if (!f->shown[i]) {
			size_t count = hidden(f, i);

			f->shown[i] = count == 1;
			i += count;
		}
}

static void frames_release(struct frames *f)
{
	free(f->nodes);
	free(f->shown);
}

/* ---- the text */

static void add(struct fg_buf *b, const struct fg_path *path, const struct style *style)
{
	const struct fg_tree *t = &path->profile->tree;
	char arrow = path->upwards ? '<' : '>';
	struct frames f;

	frames_init(&f, path, style->most);
	for (size_t i = 0; i < path->frames; i++) {
		struct fg_str name =
			fg_intern_name(&t->names, t->nodes[f.nodes[i]].name);

		if (i)
			fg_buf_addf(b, " %c ", arrow);
		if (!f.shown[i]) {
			size_t count = hidden(&f, i);

			if (i)
				fg_buf_addf(b, "... %zu frames ...", count);
			else /* the start of a program or thread */
				fg_buf_add_str(b, FG_STR("..."));
			i += count - 1;
		} else if (style->room) {
			fg_report_add_fitting_name(b, name, style->format, style->room);
		} else {
			fg_report_add_name(b, name, style->format);
		}
	}
	frames_release(&f);
}

void fg_path_add(struct fg_buf *b, const struct fg_path *path,
		 enum fg_report_format format)
{
	add(b, path, &(struct style){ format, LEAST, 0 });
}

void fg_path_add_fitting(struct fg_buf *b, const struct fg_path *path,
			 enum fg_report_format format, size_t room)
{
	struct style style = { format, MOST, room };
	size_t start = b->len;

	for (;;) {
		b->len = start;
		add(b, path, &style);
		if (fg_utf8_columns(fg_str_from_pos(fg_buf_str(b), start)) <= room ||
		    style.room == FG_REPORT_LEAST_ROOM)
			break;
		if (style.most > LEAST && style.room < ROOM_FOR_MORE) {
			style.most--;
			style.room = room;
			continue;
		}
		style.room -= style.room / 8 + 1;
		if (style.room < FG_REPORT_LEAST_ROOM)
			style.room = FG_REPORT_LEAST_ROOM;
	}
}

/* Writes a part of a stack on one line: main > run > ... 14 frames ... > parse */
#include "reportfolded/path.h"

#include "lib/base/utf8.h"

/* A path of at most this many frames has all of them on its line. */
#define WHOLE 4

/*
 * A longer path has this many frames at its start, and one at its end, or more if there
 * is room for them.
 */
#define START 2
#define END_MAX 5

/* With more frames at the end, names are not shortened to fewer columns than this. */
#define ROOM_FOR_MORE 28

struct fg_path fg_path_to(const struct fg_report_profile *p, uint32_t node)
{
	const struct fg_tree_node *nodes = p->tree.nodes;
	struct fg_path path = { p, node, node, 1, false };

	while (nodes[path.first].parent) {
		path.first = nodes[path.first].parent;
		path.frames++;
	}
	return path;
}

/* The form of a path. */
struct style {
	enum fg_report_format format;
	size_t end; /* frames after those that are only counted */
	size_t room; /* the columns of a name; 0: whole names */
};

/* The frames that are on the line, the outermost first. */
struct shown {
	uint32_t nodes[START + END_MAX];
	size_t count;
	size_t hidden; /* frames between the start and the end */
};

static struct shown choose(const struct fg_path *path, size_t end)
{
	const struct fg_tree_node *nodes = path->profile->tree.nodes;
	size_t some = START + end > WHOLE ? START + end : WHOLE;
	struct shown s = { .count = path->frames <= some ? path->frames : START + end };
	uint32_t node = path->last;

	s.hidden = path->frames - s.count;
	for (size_t i = path->frames; i-- > 0; node = nodes[node].parent)
		if (!s.hidden || i < START)
			s.nodes[i] = node;
		else if (path->frames - i <= end)
			s.nodes[s.count - (path->frames - i)] = node;
	return s;
}

static void add(struct fg_buf *b, const struct fg_path *path, const struct style *style)
{
	const struct fg_tree *t = &path->profile->tree;
	struct shown s = choose(path, style->end);
	char arrow = path->upwards ? '<' : '>';

	for (size_t i = 0; i < s.count; i++) {
		struct fg_str name =
			fg_intern_name(&t->names, t->nodes[s.nodes[i]].name);

		if (i)
			fg_buf_addf(b, " %c ", arrow);
		if (s.hidden && i == START)
			fg_buf_addf(b, "... %zu frames ... %c ", s.hidden, arrow);
		if (style->room)
			fg_report_add_fitting_name(b, name, style->format, style->room);
		else
			fg_report_add_name(b, name, style->format);
	}
}

void fg_path_add(struct fg_buf *b, const struct fg_path *path,
		 enum fg_report_format format)
{
	add(b, path, &(struct style){ format, 1, 0 });
}

void fg_path_add_fitting(struct fg_buf *b, const struct fg_path *path,
			 enum fg_report_format format, size_t room)
{
	struct style style = { format, END_MAX, room };
	size_t start = b->len;

	for (;;) {
		b->len = start;
		add(b, path, &style);
		if (fg_utf8_columns(fg_str_from_pos(fg_buf_str(b), start)) <= room ||
		    style.room == FG_REPORT_LEAST_ROOM)
			break;
		if (style.end > 1 && style.room < ROOM_FOR_MORE) {
			style.end--;
			style.room = room;
			continue;
		}
		style.room -= style.room / 8 + 1;
		if (style.room < FG_REPORT_LEAST_ROOM)
			style.room = FG_REPORT_LEAST_ROOM;
	}
}

/* Making the markup of rows, most of them once. */
#include "flamegraph/framerows.h"

#include <stdlib.h>

#include "lib/base/number.h"
#include "lib/base/xalloc.h"

/* As many rows are made once; frames that are deeper are few in a row. */
#define ROWS_MAX 4096

/* Pixels from the middle of a frame to its label's baseline. */
#define LABEL_DROP 3

/* The texts of the row are in `arena`. */
static struct fg_framerow make_row(const struct fg_layout *l, uint32_t depth,
				   struct fg_arena *arena)
{
	double y = fg_layout_y(l, depth);
	double height = l->frame_height - FG_FRAME_GAP;
	struct fg_buf text = FG_BUF_INIT;
	struct fg_framerow row;

	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, y);
	fg_buf_add_str(&text, FG_STR("\" width=\""));
	row.rect = fg_arena_copy(arena, fg_buf_str(&text));
	fg_buf_clear(&text);
	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, LABEL_DROP + y + height / 2);
	fg_buf_add_char(&text, '"');
	row.text = fg_arena_copy(arena, fg_buf_str(&text));
	fg_buf_release(&text);
	return row;
}

void fg_framerows_init(struct fg_framerows *r, const struct fg_layout *layout)
{
	size_t rows = (size_t)layout->max_depth + 1;

	if (rows > ROWS_MAX)
		rows = ROWS_MAX;
	r->layout = layout;
	fg_arena_init(&r->text);
	fg_arena_init(&r->deep);
	r->rows = fg_xcalloc(rows, sizeof(*r->rows));
	for (uint32_t depth = 0; depth < rows; depth++)
		r->rows[depth] = make_row(layout, depth, &r->text);
}

void fg_framerows_release(struct fg_framerows *r)
{
	fg_arena_release(&r->text);
	fg_arena_release(&r->deep);
	free(r->rows);
}

struct fg_framerow fg_framerows_at(struct fg_framerows *r, uint32_t depth)
{
	if (depth < ROWS_MAX)
		return r->rows[depth];
	fg_arena_release(&r->deep);
	fg_arena_init(&r->deep);
	return make_row(r->layout, depth, &r->deep);
}

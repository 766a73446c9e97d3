/* What the frames of a row of the picture have in common. */
#ifndef FG_FLAMEGRAPH_FRAMEROWS_H
#define FG_FLAMEGRAPH_FRAMEROWS_H

#include "flamegraph/layout.h"
#include "lib/base/arena.h"

/* Markup with the vertical positions: from the x of a rectangle, of a label, on. */
struct fg_framerow {
	struct fg_str rect, text;
};

struct fg_framerows {
	const struct fg_layout *layout; /* borrowed */
	struct fg_framerow *rows; /* by depth, but for the deepest */
	struct fg_arena text; /* of those */
	struct fg_arena deep; /* of a row that is deeper */
};

void fg_framerows_init(struct fg_framerows *r, const struct fg_layout *layout);
void fg_framerows_release(struct fg_framerows *r);

/* The row of frames of that depth; its texts are valid until the next call. */
struct fg_framerow fg_framerows_at(struct fg_framerows *r, uint32_t depth);

#endif

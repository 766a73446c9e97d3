/* Scripts and styles within the picture. */
#ifndef FG_FLAMEGRAPH_EMBED_H
#define FG_FLAMEGRAPH_EMBED_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Each in an element of its own, by whose hash a policy can allow it. */
void fg_embed_style(struct fg_out *out, struct fg_str rules);
void fg_embed_script(struct fg_out *out, struct fg_str script);

/* What the viewer needs, unless the picture has none. */
void fg_embed_viewer_style(const struct fg_graph *g, struct fg_out *out);

/* Comes last: all of the picture is there when it runs, and not laid out yet. */
void fg_embed_viewer(const struct fg_graph *g, struct fg_out *out);

#endif

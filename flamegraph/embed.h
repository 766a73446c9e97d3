/* Puts scripts and styles into the picture. */
#ifndef FG_FLAMEGRAPH_EMBED_H
#define FG_FLAMEGRAPH_EMBED_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/*
 * Write a style or a script in an element of its own, so that a policy can allow it by
 * its hash.
 */
void fg_embed_style(struct fg_out *out, struct fg_str rules);
void fg_embed_script(struct fg_out *out, struct fg_str script);

/* Writes the viewer's styles, unless the picture has no viewer. */
void fg_embed_viewer_style(const struct fg_graph *g, struct fg_out *out);

/*
 * Writes the viewer. It comes last: when it runs, the whole picture is there but not
 * laid out yet.
 */
void fg_embed_viewer(const struct fg_graph *g, struct fg_out *out);

#endif

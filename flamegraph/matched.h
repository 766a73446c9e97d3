/* What a search has found, as the picture says it. */
#ifndef FG_FLAMEGRAPH_MATCHED_H
#define FG_FLAMEGRAPH_MATCHED_H

#include "flamegraph/graph.h"

/* "Matched: 12.3%", made in `text`, or a blank for the viewer to replace. */
const char *fg_matched_text(const struct fg_graph *g, struct fg_buf *text);

#endif

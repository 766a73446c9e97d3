/*
 * Makes names of frames from what perf prints as a symbol:
 *
 *     main+0x2b (/usr/bin/app)                      main
 *     [unknown] (/lib/libc.so.6)                    [libc.so.6]
 *     a/B::run->c/D::go (/tmp/perf-42.map)          a/B::run;c/D::go_[i]
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_NAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_NAME_H

#include "lib/base/buf.h"

struct perf;
struct perf_frame;

/*
 * Appends `line` without its parts in square brackets: "libc.so.6" for
 * "libc.so.6[29d8f]".
 */
void perf_add_unbracketed(struct fg_buf *b, struct fg_str line);

/*
 * Adds the frames of a symbol to p->run, root first: its tidied name, with the DSO
 * (--dso) and the mark that `variant` asks for. A perf_name_fn.
 */
void perf_name_symbol(struct perf *p, const struct perf_frame *f, unsigned variant);

/*
 * Like perf_name_symbol(), for the functions that were looked up for a frame: `names`
 * has them root first, with ';' between them.
 */
void perf_name_inlined(struct perf *p, const struct perf_frame *f, struct fg_str names);

/*
 * Adds "FILE:LINE" to the name of the last frame in p->run, in the form of
 * lib/profile/line.h. Does nothing if `place` is empty or no frame is in p->run.
 */
void perf_name_line(struct perf *p, struct fg_str place);

/* Appends a row of --fields +srcline to the name of the frame that was pushed last. */
void perf_name_source_line(struct perf *p, struct fg_str line);

#endif

/*
 * Reads blocks of text line by line, with a fast path for usual frame lines.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_BLOCK_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_BLOCK_H

#include "lib/base/str.h"

struct perf;

/*
 * Reads whole lines. The last one may lack its '\n', but the byte after `bytes` must
 * then be '\n'; some bytes after it are read, too (FG_READER_PADDING).
 */
void perf_block(struct perf *p, struct fg_str bytes);

#endif

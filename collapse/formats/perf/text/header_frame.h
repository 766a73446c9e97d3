/*
 * The frame on the header line of a sample without a call chain.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_FRAME_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_HEADER_FRAME_H

#include "lib/base/str.h"

struct perf_frame;
struct perf_header;

/*
 * Finds the frame at the end of h->after_event and sets all of `f`. Returns false if no
 * frame is there.
 */
bool perf_frame_of_header(const struct perf_header *h, struct perf_frame *f);

#endif

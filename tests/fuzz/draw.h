/* Draws a whole flame graph in memory, for fuzz targets whose input ends up in one. */
#ifndef FG_TESTS_FUZZ_DRAW_H
#define FG_TESTS_FUZZ_DRAW_H

#include "flamegraph/draw.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/support/xml.h"

/* Draws `input` into `out`, which the caller closes. */
static inline enum fg_graph_result fuzz_draw(const struct fg_graph_options *options,
					     struct fg_str input, size_t block_size,
					     struct fg_out *out)
{
	enum fg_graph_result result;
	struct fg_reader *reader;
	struct fg_diag diag;

	fuzz_diag(&diag);
	fg_out_init_memory(out);
	reader = fg_reader_open_memory(input, "input", &diag);
	if (block_size)
		fg_reader_set_block_size(reader, block_size);
	result = fg_graph_draw(options, reader, out, &diag);
	fg_reader_close(reader);
	fuzz_check((result == FG_GRAPH_DRAWN) == !diag.errors, "a failure is reported");
	return result;
}

/* Checks that a picture is a well-formed XML document, whatever was read. */
static inline void fuzz_check_picture(enum fg_graph_result result,
				      struct fg_str picture)
{
	struct xml_seen seen;

	if (result == FG_GRAPH_FAILED)
		return;
	if (xml_read(picture, &seen)) {
		fprintf(stderr, "%.*s\n", (int)picture.len, picture.ptr);
		fuzz_check(false, "the picture is well-formed XML");
	}
	xml_seen_release(&seen);
}

#endif

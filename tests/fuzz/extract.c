/* Fuzzes reading a picture back as folded stacks, and drawing those. */
#include "flamegraph/options.h"
#include "lib/recognize/recognize.h"
#include "lib/profile/folded.h"
#include "lib/svg/svgfile.h"
#include "tests/fuzz/draw.h"

/* Reads the stacks of a picture that flamegraph drew. They must be readable. */
static void extract(struct fg_str picture, size_t block_size, struct fg_buf *stacks)
{
	struct fg_reader *reader;
	struct fg_block block;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	reader = fg_reader_open_memory(picture, "picture", &diag);
	fg_reader_accept(reader, &fg_svgfile_format);
	fg_reader_set_block_size(reader, block_size);
	while ((status = fg_reader_block(reader, &block)) > 0)
		fg_buf_add_str(stacks, block.bytes);
	fuzz_check(!status, "what was drawn can be read back");
	fg_reader_close(reader);
}

/* Draws and reads back. Returns true if there was anything to draw. */
static bool there_and_back(const struct fg_graph_options *options, struct fg_str input,
			   struct fg_buf *stacks)
{
	struct fg_out picture;
	enum fg_graph_result result = fuzz_draw(options, input, 0, &picture);

	fg_buf_clear(stacks);
	if (result == FG_GRAPH_DRAWN)
		extract(fg_buf_str(&picture.buf), fuzz_block_size(input, 1), stacks);
	fg_out_close(&picture);
	return result == FG_GRAPH_DRAWN;
}

/* Returns true if a line looks like a row of a table. Input with many is refused. */
static bool has_row(struct fg_str input)
{
	while (input.len) {
		struct fg_folded folded;

		if (fg_folded_parse(fg_str_cut(&input, '\n'), &folded) ==
			    FG_FOLDED_STACK &&
		    fg_folded_is_row(&folded))
			return true;
	}
	return false;
}

/*
 * Returns true if slices come before the last line that may be the header. Earlier ones
 * may be wrong.
 */
static bool has_early_slices(struct fg_str input)
{
	bool any = false, early = false;

	while (input.len) {
		struct fg_str line = fg_str_cut(&input, '\n');

		early |= any && fg_str_starts(line, FG_STR("# slice"));
		any |= fg_str_has_char(line, '@');
	}
	return early;
}

static bool is_readable(struct fg_str text)
{
	struct fg_recognized r = fg_recognize_unreadable(text, false);

	return !r.kind && !r.foreign;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	unsigned order = fuzz_choice(&input, 3);
	struct fg_buf once = FG_BUF_INIT, twice = FG_BUF_INIT;
	struct fg_graph_args args;
	struct fg_diag diag;

	fuzz_diag(&diag);
	fg_graph_args_init(&args);
	args.options.no_script = true;
	args.minwidth = "0";
	args.data_limit = "0";
	args.options.flamechart = order == 1;
	args.options.compat = order == 2 ? FG_COMPAT_INFERNO : FG_COMPAT_NONE;
	fuzz_check(!fg_graph_args_check(&args, &diag), "the options are right");
	if (there_and_back(&args.options, input, &once) &&
	    !has_row(fg_buf_str(&once)) &&
	    is_readable(fg_buf_str(&once))) { /* a name like the start of JSON */
		/* from here on in the order of the picture */
		args.options.compat = FG_COMPAT_NONE;
		args.options.flamechart = order != 0;
		fuzz_check(there_and_back(&args.options, fg_buf_str(&once), &twice),
			   "what was read back can be drawn");
		/*
		 * Leaves of inferno may be empty, and stacks may look like slices
		 * before the header announces slices. Both are gone after the first
		 * round.
		 */
		if (order == 2 || has_early_slices(input))
			there_and_back(&args.options, fg_buf_str(&twice), &once);
		fuzz_check_equal(fg_buf_str(&once), fg_buf_str(&twice),
				 "a picture keeps its stacks");
	}
	fg_graph_args_release(&args);
	fg_buf_release(&once);
	fg_buf_release(&twice);
	return 0;
}

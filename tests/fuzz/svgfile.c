/*
 * Fuzzes reading SVG files as folded stacks: every line is a stack or a header, for all
 * block sizes.
 */
#include "lib/profile/folded.h"
#include "lib/svg/svgfile.h"
#include "tests/fuzz/fuzz.h"

/* A small file may expand to more text than fits in memory. */
#define TEXT_MAX ((size_t)1 << 20)

/* Reads the file into `lines`. Returns the reader's last status. */
static int read_file(struct fg_str file, size_t block_size, struct fg_buf *lines)
{
	struct fg_reader *reader;
	struct fg_block block;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	reader = fg_reader_open_memory(file, "input", &diag);
	fg_reader_accept(reader, &fg_svgfile_format);
	if (block_size)
		fg_reader_set_block_size(reader, block_size);
	while ((status = fg_reader_block(reader, &block)) > 0 && lines->len < TEXT_MAX)
		if (block.made)
			fg_buf_add_str(lines, block.bytes);
	fuzz_check((status < 0) == (diag.errors > 0), "a failure is reported");
	fg_reader_close(reader);
	return status;
}

static void check_lines(struct fg_str text)
{
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		struct fg_folded folded;

		fuzz_check(fg_folded_is_comment(line) ||
				   fg_folded_parse(line, &folded) == FG_FOLDED_STACK,
			   "each line is a folded stack");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf one = FG_BUF_INIT, other = FG_BUF_INIT;
	int status = read_file(input, 0, &one);

	check_lines(fg_buf_str(&one));
	fuzz_check(read_file(input, fuzz_block_size(input, (unsigned)size), &other) ==
			   status,
		   "block sizes do not change the status");
	fuzz_check_equal(fg_buf_str(&one), fg_buf_str(&other),
			 "block sizes do not change the lines");
	fg_buf_release(&one);
	fg_buf_release(&other);
	return 0;
}

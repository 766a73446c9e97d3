/*
 * Fuzzes gzip and zstd. Any bytes must give a text or a message, which must not depend
 * on the block size.
 */
#include "lib/base/reader.h"
#include "lib/base/unpack.h"
#include "tests/fuzz/fuzz.h"

/* A small file may expand to more text than fits in memory. */
#define TEXT_MAX ((size_t)1 << 20)

/* Unpacks, given in parts and taken in parts. Returns false if the data are damaged. */
static bool unpack(struct fg_str packed, size_t part, struct fg_buf *text)
{
	struct fg_unpack *u = fg_unpack_new(fg_str_before(packed, FG_UNPACK_MAGIC));
	struct fg_str in = fg_str_before(packed, part);
	ptrdiff_t made = 1;
	bool whole;

	packed = fg_str_from_pos(packed, part);
	while (made >= 0 && (made || packed.len) && text->len < TEXT_MAX) {
		if (!made) {
			size_t left = in.len;

			in = fg_str_of(in.ptr,
				       left + (packed.len < part ? packed.len : part));
			packed = fg_str_from_pos(packed, part);
		}
		fg_buf_reserve(text, part);
		made = fg_unpack_some(u, &in, text->ptr + text->len, part);
		fuzz_check(made <= (ptrdiff_t)part, "what is made fits");
		if (made > 0)
			text->len += (size_t)made;
	}
	whole = made >= 0 && fg_unpack_is_whole(u);
	fg_unpack_free(u);
	return whole || text->len >= TEXT_MAX;
}

/* Unpacks by a reader, which may refuse the text. */
static void read_lines(struct fg_str packed)
{
	struct fg_reader *reader;
	struct fg_place at;
	struct fg_str line;
	struct fg_diag diag;
	size_t len = 0;
	int status;

	fuzz_diag(&diag);
	reader = fg_reader_open_memory(packed, "input", &diag);
	while ((status = fg_reader_line(reader, &line, &at)) > 0 && len < TEXT_MAX)
		len += line.len + 1;
	fuzz_check((status < 0) == (diag.errors > 0), "a failure is reported");
	fg_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str packed = fg_str_of((const char *)data, size);
	struct fg_unpack *known = fg_unpack_new(packed);
	struct fg_buf one = FG_BUF_INIT, other = FG_BUF_INIT;
	bool whole;

	if (!known)
		return 0;
	fg_unpack_free(known);
	whole = unpack(packed, TEXT_MAX, &one);
	fuzz_check(unpack(packed, fuzz_block_size(packed, (unsigned)size), &other) ==
			   whole,
		   "the size of parts does not change whether it is whole");
	if (whole && one.len < TEXT_MAX)
		fuzz_check_equal(fg_buf_str(&one), fg_buf_str(&other),
				 "nor what is unpacked");
	read_lines(packed);
	fg_buf_release(&one);
	fg_buf_release(&other);
	return 0;
}

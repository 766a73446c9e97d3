/*
 * Fuzzes the JSON reader: tokens nest, are the same in all block sizes, and end where a
 * text is cut.
 */
#include "lib/base/json.h"
#include "tests/fuzz/fuzz.h"

/* Adds all tokens and their texts to `shown`, and checks that brackets match. */
static size_t read_tokens(struct fg_json *j, struct fg_buf *shown)
{
	enum fg_json_kind kind;
	size_t count = 0, depth = 0;

	while ((kind = fg_json_next(j)) > FG_JSON_END) {
		count++;
		depth += kind == FG_JSON_OBJECT || kind == FG_JSON_ARRAY;
		if (kind == FG_JSON_OBJECT_END || kind == FG_JSON_ARRAY_END)
			fuzz_check(depth-- > 0, "a bracket was open");
		fuzz_check(j->open.len == depth, "the depth is that of the brackets");
		fg_buf_addf(shown, "%d ", (int)kind);
		fg_buf_add_str(shown, j->text);
		fg_buf_add_char(shown, '\n');
	}
	fuzz_check(kind == FG_JSON_ERROR || (!depth && count), "a value was read");
	fuzz_check((kind == FG_JSON_ERROR) == (j->error != NULL),
		   "an error has a text");
	fuzz_check(!j->error || (j->line && j->column), "an error has a place");
	fg_buf_addf(shown, "%s %d:%d\n", j->error ? j->error : "-", (int)j->line,
		    (int)j->column);
	fg_json_release(j);
	return count;
}

static size_t read_in_memory(struct fg_str text, struct fg_buf *shown)
{
	struct fg_json j;

	fg_json_init(&j, text);
	return read_tokens(&j, shown);
}

/* Reads a text in blocks. Returns false if the reader refuses it. */
static bool read_in_blocks(struct fg_str text, size_t size, struct fg_buf *shown)
{
	struct fg_block block;
	struct fg_reader *reader;
	struct fg_diag diag;
	struct fg_json j;
	int status;

	fuzz_diag(&diag);
	reader = fg_reader_open_memory(text, "input", &diag);
	fg_reader_accept_parts(reader);
	fg_reader_set_block_size(reader, size);
	status = fg_reader_block(reader, &block);
	if (status > 0) {
		fg_json_init_reader(&j, reader, &block);
		read_tokens(&j, shown);
	}
	fg_reader_close(reader);
	return status > 0 && !diag.errors;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str text = fg_str_of((const char *)data, size);
	struct fg_buf one = FG_BUF_INIT, other = FG_BUF_INIT;
	size_t all = read_in_memory(text, &one);

	/* the reader unpacks a compressed text */
	if (fg_str_has_char(FG_STR("{[\" 0123456789-tfn"), size ? text.ptr[0] : 0) &&
	    read_in_blocks(text, fuzz_block_size(text, (unsigned)size), &other))
		fuzz_check_equal(fg_buf_str(&one), fg_buf_str(&other),
				 "tokens are the same in blocks");
	if (size)
		fuzz_check(read_in_memory(fg_str_before(text, size / 2), &other) <=
				   all + 1,
			   "half of a text has no more tokens");
	fg_buf_release(&one);
	fg_buf_release(&other);
	return 0;
}

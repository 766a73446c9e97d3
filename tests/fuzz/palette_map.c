/*
 * Fuzzes the file of --cp: what was written reads back the same and can draw a picture.
 */
#include "flamegraph/options.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/file.h"

/* Reads the map of the current folder and writes it again into `text`. */
static int rewrite(struct fg_buf *text, struct fg_diag *diag)
{
	struct fg_palette_map map;
	struct fg_reader *reader;
	struct fg_block block;
	const char *file = FG_PALETTE_MAP_FILE;
	int status;

	fg_palette_map_init(&map);
	status = fg_palette_map_read(&map, diag) || fg_palette_map_write(&map, diag);
	fg_palette_map_release(&map);
	if (status)
		return -1;
	fg_buf_clear(text);
	reader = fg_reader_open(&file, 1, diag);
	while ((status = fg_reader_block(reader, &block)) > 0)
		fg_buf_add_str(text, block.bytes);
	fg_reader_close(reader);
	return status;
}

/* Draws a picture with a frame for a name of each line of the map. */
static void draw(struct fg_str map, struct fg_diag *diag)
{
	struct fg_buf folded = FG_BUF_INIT;
	struct fg_graph_args args;
	enum fg_graph_result result;
	struct fg_out out;

	while (map.len) {
		struct fg_str line = fg_str_cut(&map, '\n');

		fg_buf_add_str(&folded,
			       fg_str_before(line, fg_str_find(line, FG_STR("->"))));
		fg_buf_add_str(&folded, FG_STR(";leaf 1000\n"));
	}
	fg_graph_args_init(&args);
	args.options.cp = args.options.no_script = true;
	fuzz_check(!fg_graph_args_check(&args, diag), "the options are right");
	result = fuzz_draw(&args.options, fg_buf_str(&folded), 0, &out);
	fuzz_check_picture(result, fg_buf_str(&out.buf));
	fg_out_close(&out);
	fg_graph_args_release(&args);
	fg_buf_release(&folded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf one = FG_BUF_INIT, other = FG_BUF_INIT;
	struct fuzz_file file;
	struct fg_diag diag;
	int home = open(".", O_RDONLY | O_CLOEXEC);

	if (size > 65536 || home < 0) {
		close(home);
		return 0;
	}
	fuzz_diag(&diag);
	fuzz_file_make(&file, FG_PALETTE_MAP_FILE, input);
	if (chdir(fg_buf_cstr(&file.folder)))
		abort();
	if (!rewrite(&one, &diag)) {
		fuzz_check(!rewrite(&other, &diag), "what was written can be read");
		fuzz_check_equal(fg_buf_str(&one), fg_buf_str(&other),
				 "a map that is read and written stays the same");
		draw(fg_buf_str(&one), &diag);
	}
	if (fchdir(home))
		abort();
	close(home);
	fuzz_file_remove(&file);
	fg_buf_release(&one);
	fg_buf_release(&other);
	return 0;
}

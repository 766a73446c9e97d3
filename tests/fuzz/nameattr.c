/* Fuzzes a file of --nameattr, by a picture of the functions that it names. */
#include "flamegraph/options.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/file.h"

/* Adds a stack for each function of the file. */
static void add_stacks(struct fg_buf *folded, struct fg_str text)
{
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');

		fg_buf_add_str(folded, FG_STR("main;"));
		fg_buf_add_str(folded, fg_str_cut(&line, '\t'));
		fg_buf_add_str(folded, FG_STR(";leaf 1000\n"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_buf folded = FG_BUF_INIT;
	struct fg_graph_args args;
	enum fg_graph_result result;
	struct fuzz_file file;
	struct fg_diag diag;
	struct fg_out out;

	if (size > 65536)
		return 0;
	fuzz_diag(&diag);
	fuzz_file_make(&file, "nameattr", input);
	add_stacks(&folded, input);
	fg_graph_args_init(&args);
	args.options.nameattr = fg_buf_cstr(&file.path);
	args.options.no_script = true;
	args.minwidth = "0";
	fuzz_check(!fg_graph_args_check(&args, &diag), "the options are right");
	result = fuzz_draw(&args.options, fg_buf_str(&folded), 0, &out);
	fuzz_check_picture(result, fg_buf_str(&out.buf));
	fg_out_close(&out);
	fg_graph_args_release(&args);
	fg_buf_release(&folded);
	fuzz_file_remove(&file);
	return 0;
}

/*
 * Fuzzes reports of folded stacks: whatever the names are, JSON is valid, TSV has its
 * columns, and no control character gets into text or Markdown.
 */
#include "lib/base/json.h"
#include "reportfolded/export.h"
#include "reportfolded/report.h"
#include "tests/fuzz/fuzz.h"

/* The options, chosen by the first byte of the input. */
static const struct fg_report_options variants[] = {
	{ .format = FG_REPORT_TEXT },
	{ .format = FG_REPORT_TEXT, .given.tree = true, .given.depth = "3" },
	{ .format = FG_REPORT_TEXT, .given.callers = ".", .given.max_growth = "1" },
	{ .format = FG_REPORT_MARKDOWN, .self = true, .given.max_growth = "0" },
	{ .format = FG_REPORT_MARKDOWN, .given.callees = "a", .given.depth = "2" },
	{ .format = FG_REPORT_MARKDOWN, .given.tree = true },
	{ .format = FG_REPORT_TSV, .relative = true, .given.max_growth = "5%" },
	{ .format = FG_REPORT_TSV, .given.tree = true },
	{ .format = FG_REPORT_JSON },
	{ .format = FG_REPORT_JSON, .given.callers = "a" },
	{ .format = FG_REPORT_PPROF },
	{ .format = FG_REPORT_PPROF, .root_label = "root" },
	{ .format = FG_REPORT_SPEEDSCOPE },
	{ .format = FG_REPORT_SPEEDSCOPE, .split = true, .time_order = true },
	{ .format = FG_REPORT_FIREFOX },
	{ .format = FG_REPORT_FIREFOX, .time_order = true },
	{ .format = FG_REPORT_COLLAPSED, .event_frame = true },
};

static void check_json(struct fg_str text)
{
	enum fg_json_kind kind;
	struct fg_json json;

	fg_json_init(&json, text);
	while ((kind = fg_json_next(&json)) > FG_JSON_END)
		;
	fuzz_check(kind == FG_JSON_END, "the output is JSON");
	fg_json_release(&json);
}

static void check_tsv(struct fg_str text)
{
	size_t columns = 0;

	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		size_t tabs = 0;

		for (size_t i = 0; i < line.len; i++)
			tabs += line.ptr[i] == '\t';
		fuzz_check(tabs && (!columns || tabs == columns),
			   "lines have the same columns");
		columns = tabs;
	}
}

static void check_text(struct fg_str text)
{
	for (size_t i = 0; i < text.len; i++)
		fuzz_check((unsigned char)text.ptr[i] >= ' ' || text.ptr[i] == '\n',
			   "no control character");
}

static void check_output(enum fg_report_format format, struct fg_str text)
{
	if (format == FG_REPORT_PPROF)
		fuzz_check(fg_str_starts(text, FG_STR("\x1f\x8b")), "it is gzip");
	else if (format >= FG_REPORT_JSON)
		check_json(text);
	else if (format == FG_REPORT_TSV)
		check_tsv(text);
	else
		check_text(text);
}

static enum fg_report_result run(const struct fg_report_options *options,
				 struct fg_reader *reader, struct fg_out *out,
				 struct fg_diag *diag)
{
	if (!fg_report_is_export(options))
		return fg_report_run(options, reader, out, diag);
	return fg_export_run(options, reader, out, diag) ? FG_REPORT_FAILED :
							   FG_REPORT_WRITTEN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str input = fg_str_of((const char *)data, size);
	struct fg_report_options options =
		variants[fuzz_choice(&input, FG_COUNT_OF(variants))];
	enum fg_report_result result;
	struct fg_reader *reader;
	struct fg_diag diag;
	struct fg_out out;

	fuzz_diag(&diag);
	options.confidence = 99;
	fuzz_check(!fg_report_options_check(&options, &diag), "the options are right");
	fg_out_init_memory(&out);
	reader = fg_reader_open_memory(input, "input", &diag);
	fg_reader_set_block_size(reader, fuzz_block_size(input, input.len % 4));
	result = run(&options, reader, &out, &diag);
	fg_reader_close(reader);
	fuzz_check(result != FG_REPORT_FAILED || diag.errors, "a failure is reported");
	fuzz_check(result != FG_REPORT_WRITTEN || !diag.errors,
		   "an error is a failure");
	if (result != FG_REPORT_FAILED)
		check_output((enum fg_report_format)options.format,
			     fg_buf_str(&out.buf));
	fg_out_close(&out);
	fg_report_options_release(&options);
	return 0;
}

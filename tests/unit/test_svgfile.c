/* Tests of lib/svg/svgfile and lib/svg/picture: SVG files with and without data. */
#include "flamegraph/options.h"
#include "flamegraph/draw.h"
#include "lib/base/base64.h"
#include "lib/base/deflate.h"
#include "lib/svg/svgfile.h"
#include "tests/unit/support/support.h"

/* Reads all lines of `file`, in blocks of `size`. */
static void read_file(struct caught *caught, struct fg_str file, size_t size,
		      struct fg_buf *lines)
{
	struct fg_reader *r = fg_reader_open_memory(file, "f.svg", &caught->diag);
	struct fg_block block;
	int status;

	fg_reader_accept(r, &fg_svgfile_format);
	fg_reader_set_block_size(r, size);
	while ((status = fg_reader_block(r, &block)) > 0) {
		assert_true(block.made);
		fg_buf_add_str(lines, block.bytes);
	}
	assert_true((status < 0) == (caught->diag.errors > 0));
	assert_int_equal(fg_reader_block(r, &block) > 0, 0);
	fg_reader_close(r);
}

static void check(struct fg_str file, struct fg_str want, const char *messages)
{
	static const size_t sizes[] = { 1, 13, 100000 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_buf lines = FG_BUF_INIT;
		struct caught caught;

		caught_init(&caught);
		read_file(&caught, file, sizes[i], &lines);
		if (messages)
			assert_has(fg_buf_str(&caught.text), messages);
		else
			assert_str(fg_buf_str(&caught.text), "");
		assert_str_is(fg_buf_str(&lines), want);
		fg_buf_release(&lines);
		caught_release(&caught);
	}
}

#define SVG "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:fg=\"urn:flamepipe:svg\""
#define WARNING "this SVG has no data, so its picture is read"

/* Checks a file with those bytes as data, compressed. `attributes` ends in '>'. */
static void check_data(const char *attributes, struct fg_str bytes, struct fg_str want,
		       const char *messages)
{
	struct fg_buf zipped = FG_BUF_INIT;
	struct fg_out out;

	fg_deflate(bytes, 4, &zipped);
	fg_out_init_memory(&out);
	fg_out_addf(&out, "%s><metadata><fg:data %s", SVG, attributes);
	fg_base64_write(&out, fg_buf_str(&zipped));
	fg_out_addf(&out, "</fg:data></metadata><g><title>x (5 y, 1%%)</title>"
			  "<rect/></g></svg>");
	check(fg_buf_str(&out.buf), want, messages);
	fg_out_close(&out);
	fg_buf_release(&zipped);
}

#define DATA FG_STR("fgd1\0\0\1\2\4a\nb\n\3\0\0\0\1\1\2\3")

static void test_data(void **state)
{
	(void)state;
	check_data("version=\"1\" frames=\"3\">", DATA, FG_STR(" 1\na 2\na;b 3\n"),
		   NULL);
	check_data("version=\"1\" frames=\"3\" min=\"12\">", DATA,
		   FG_STR(" 1\na 2\na;b 3\n"),
		   "prog: f.svg: frames with counts below 12 are not in");
	check_data("version=\"1\">", DATA, FG_STR(" 1\na 2\na;b 3\n"), NULL);
	check_data("version=\"2\">", DATA, FG_STR(""), "of a version");
	check_data(">", DATA, FG_STR(""), "of a version");
	check_data("version=\"1\" frames=\"4\">", DATA, FG_STR(""),
		   "the number of frames does not match");
	check_data("version=\"1\" frames=\"x\">", DATA, FG_STR(""),
		   "the number of frames is not a number");
	check_data("version=\"1\" min=\"-3\">", DATA, FG_STR(""),
		   "the least count is not valid");
	check_data("version=\"1\">", FG_STR("fgd2"), FG_STR(""),
		   "its data are damaged: their first bytes are wrong");
	check_data("version=\"1\">!!", DATA, FG_STR(""), "they are not base64");
	check_data("version=\"1\">A", DATA, FG_STR(""), "damaged");
	check_data("version=\"1\">AAAA", DATA, FG_STR(""),
		   "the zlib stream is cut short, damaged or too large");
	check_data("version=\"1\"/><fg:data version=\"1\">", DATA, FG_STR(""), "twice");
}

/* Checks the header lines of a file with those attributes. */
static void check_header(const char *attributes, const char *want)
{
	struct fg_buf file = FG_BUF_INIT, lines = FG_BUF_INIT;

	fg_buf_addf(&file,
		    "%s fg:drawn=\"0\" %s><g><title>a (5 y, 100%%)</title>"
		    "<rect width=\"9\"/></g></svg>",
		    SVG, attributes);
	fg_buf_addf(&lines, "%s 5\n", want);
	check(fg_buf_str(&file), fg_buf_str(&lines), NULL);
	fg_buf_release(&file);
	fg_buf_release(&lines);
}

static void test_header(void **state)
{
	(void)state;
	check_header("", "");
	check_header("fg:unit=\"ns\"", "# unit: ns\n");
	check_header("fg:unit=\" a&#9;b &#9;\" fg:event=\"x:u\"",
		     "# event: x:u\n# unit: a\tb\n");
	check_header("fg:unit=\" a&amp;b \" fg:event=\"x:u\"",
		     "# event: x:u\n# unit: a&b\n");
	check_header("fg:sampleweight=\"4 2.5\" fg:event=\"e\"",
		     "# event: e\n# sample-weight: 4 2.5\n");
	check_header("fg:totals=\"before=5 after=7.5\" fg:unit=\"ns\"",
		     "# unit: ns\n# totals: before=5 after=7.5\n");
	check_header("fg:unit=\"a;b 1\" fg:event=\"a&#10;b 1\"", "");
	check_header("unit=\"ns\" fg:event=\"\"", "");
}

static void test_files_that_are_not_flame_graphs(void **state)
{
	(void)state;
	check(FG_STR("<?xml version=\"1.0\"?>\n<html/>"), FG_STR(""),
	      "this is XML, but not an SVG");
	check(FG_STR("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>Cat</title><g>"
		     "<rect/></g></svg>"),
	      FG_STR(""), "f.svg: this SVG is not a flame graph");
	check(FG_STR("<?xml version=\"1.0\"?>\n<svg>\n<g></svg>"), FG_STR(""),
	      "f.svg:3: this SVG cannot be read: Opening and ending tag mismatch");
	check(FG_STR("<svg ><g>"), FG_STR(""), "f.svg:1: this SVG cannot be read: ");
	check(FG_STR("\xef\xbb\xbf<?xml version=\"1.0\"?>"), FG_STR(""),
	      "cannot be read");
	check(FG_STR("<svg><g>\xff</g></svg>"), FG_STR(""), "cannot be read");
}

static void add_many(struct fg_buf *b, const char *format, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fg_buf_addf(b, format, i);
}

/* Files whose parsing takes quadratic time are refused beyond a limit. */
static void test_slow_files_are_refused(void **state)
{
	static const struct {
		const char *start, *repeated;
		unsigned count;
		const char *end, *message;
	} rows[] = {
		{ "<svg ", " a%u='='", 1000, "></svg>", "not a flame graph" },
		{ "<svg ", " a%u='='", 1001, "></svg>", "more than 1000 attributes" },
		{ "<svg ><!-- <g -->", "<g a%u='1'/>", 2000, "<![CDATA[<]]></svg>",
		  "not a flame graph" },
		{ "<svg ><!-- > -- ", " a%u='1'", 2000, "></svg>", "cannot be read" },
		{ "<svg ><![CDATA[<g ]] ", " a%u='>'", 2000, "]]></svg>",
		  "not a flame graph" },
		{ "<?xml version='1.0'?><?p <g ", " a%u='>'", 2000, "?><svg ></svg>",
		  "not a flame graph" },
		{ "<svg ", " xmlns:a%u='a'", 256, "></svg>", "not a flame graph" },
		{ "<svg ", " xmlns:a%u='a'", 257, "></svg>",
		  "more than 256 namespaces" },
		{ "<svg >", "<g xmlns:a%u='a'/>", 300, "</svg>", "not a flame graph" },
		{ "<svg >", "<g b='%u'>", 256, "</svg>", "more than 256 deep" },
		{ "<svg >", "<g b='%u'/>", 2000, "</svg>", "not a flame graph" },
		{ "<svg >", "<g%u/>", 2000, "</svg>", "not a flame graph" },
		{ "<?xml version='1.0'?><!DOCTYPE svg [<!ATTLIST svg", " a%u CDATA '1'",
		  3, ">]><svg ></svg>", "declares attributes" },
		{ "<?xml version='1.0'?><!DOCTYPE svg SYSTEM '><!--'><svg ", " a%u='='",
		  1001, "></svg>", "more than 1000 attributes" },
		{ "<?xml version='1.0'?><!DOCTYPE svg PUBLIC \"'\" '\"><!--", ">%u",
		  2000, "'><svg ></svg>", "not a flame graph" },
		{ "<?xml version='1.0'?><!DOCTYPE svg SYSTEM '", ">%u", 2000, "",
		  "cannot be read" },
		{ "<?xml version='1.0'?><!DOCTYPE svg SYSTEM '", "> %u", 200000,
		  "'><svg ></svg>", "a declaration has more than 1 MB" },
		{ "<?xml version='1.0' encoding='UTF-7'?><svg ", " a%u='1'", 3,
		  "></svg>", "not in UTF-8" },
		{ "<?xml version='1.0' encoding='iso-8859-15'?><svg ", " a%u='1'", 3,
		  "></svg>", "not a flame graph" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf file = FG_BUF_INIT;

		fg_buf_addf(&file, "%s", rows[i].start);
		add_many(&file, rows[i].repeated, rows[i].count);
		fg_buf_addf(&file, "%s", rows[i].end);
		check(fg_buf_str(&file), FG_STR(""), rows[i].message);
		fg_buf_release(&file);
	}
}

/* libxml2 looks at a part of all other names for each name. */
static void test_many_names(void **state)
{
	static const char *const named[] = { "<g%u/>", "<g g%u='1'/>", "<?g%u ?>" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		struct fg_buf file = FG_BUF_INIT, lines = FG_BUF_INIT;
		struct caught caught;

		caught_init(&caught);
		fg_buf_addf(&file, "<svg >");
		add_many(&file, named[i], 300000);
		fg_buf_addf(&file, "</svg>");
		read_file(&caught, fg_buf_str(&file), 100000, &lines);
		assert_has(fg_buf_str(&caught.text), "more than 1 MB of names");
		caught_release(&caught);
		fg_buf_release(&file);
		fg_buf_release(&lines);
	}
}

static void test_entities(void **state)
{
	struct fg_buf bomb = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&bomb,
		    "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"aaaaa\">");
	for (int c = 'b'; c <= 'z'; c++)
		fg_buf_addf(&bomb, "<!ENTITY %c \"&%c;&%c;&%c;&%c;&%c;&%c;\">", c,
			    c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
	fg_buf_addf(&bomb, "]><svg><g><title>&z; (1 s, 1%%)</title><rect/></g></svg>");
	check(fg_buf_str(&bomb), FG_STR(""), "declares an XML entity");
	fg_buf_release(&bomb);
	check(FG_STR("<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM "
		     "\"file:///etc/passwd\">]><svg><g><title>&x; (1 s, 1%)</title>"
		     "<rect/></g></svg>"),
	      FG_STR(""), "declares an XML entity");
	check(FG_STR("<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY % x SYSTEM "
		     "\"file:///etc/passwd\">%x;]><svg/>"),
	      FG_STR(""), "declares an XML entity");
	check(FG_STR("<?xml version=\"1.0\"?>"
		     "<!DOCTYPE svg PUBLIC \"a\" \"file:///x.dtd\">"
		     "<svg><g><title>&lt;a&amp;&#98;&gt; (1 s, 100%)</title><rect/></g>"
		     "</svg>"),
	      FG_STR(" 1\n"), WARNING);
}

/* A frame in the form of flamegraph.pl. */
struct drawn {
	const char *name, *detail;
	const char *x, *y, *width;
};

/* Adds the elements of `frames`. The last one has no name. */
static void add_frames(struct fg_buf *file, const struct drawn *frames)
{
	for (const struct drawn *f = frames; f->name; f++)
		fg_buf_addf(file,
			    "<g >\n<title>%s (%s)</title><rect x=\"%s\" y=\"%s\" "
			    "width=\"%s\" height=\"15.0\"/><text>%s</text></g>\n",
			    f->name, f->detail, f->x, f->y, f->width, f->name);
}

static void check_frames(const struct drawn *frames, struct fg_str want,
			 const char *messages)
{
	struct fg_buf file = FG_BUF_INIT;

	fg_buf_add_str(&file, FG_STR("<svg>"));
	add_frames(&file, frames);
	fg_buf_add_str(&file, FG_STR("</svg>"));
	check(fg_buf_str(&file), want, messages);
	fg_buf_release(&file);
}

/* A picture with a link, and a frame whose title the user chose. */
static void test_picture(void **state)
{
	static const struct drawn frames[] = {
		{ "c;d", "1,200 s (x, y), 12%", "60.0", "20", "12.0" },
		{ "all", "10,000 s (x, y), 100%", "10.0", "52", "100.0" },
		{ "a b (x)", "6,000 s (x, y), 60%", "10.0", "36", "60.0" },
		{ .name = NULL },
	};
	struct fg_buf file = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&file, FG_STR("<svg><title>x</title><rect width=\"9\"/>"
				     "<g id=\"frames\">"));
	add_frames(&file, frames);
	fg_buf_add_str(&file, FG_STR("<a><g><title>mine</title></g>"
				     "<title>own title</title>"
				     "<rect x=\"70\" y=\"36\" width=\"20\"/></a>"
				     "</g></svg>"));
	check(fg_buf_str(&file),
	      FG_STR(" 2000\na b (x) 4800\na b (x);c:d 1200\nown title 2000\n"),
	      WARNING);
	fg_buf_release(&file);
}

static void test_icicle(void **state)
{
	static const struct drawn frames[] = {
		{ "a", "6 s, 60%", "10", "36", "60" },
		{ "all", "10 s, 100%", "10", "20", "60" },
		{ "b", "6 s, 60%", "10", "52", "60" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(frames, FG_STR(" 4\na;b 6\n"), WARNING);
}

/* A frame lies on the one below it, wherever in the file they are. */
static void test_parents(void **state)
{
	static const struct drawn frames[] = {
		{ "c", "10 s, 10%", "75", "20", "10" },
		{ "a", "60 s, 60%", "10", "36", "60" },
		{ "e", "5 s, 5%", "70", "20", "5" },
		{ "all", "100 s, 100%", "10", "52", "100" },
		{ "d", "20 s, 20%", "30", "20", "20" },
		{ "b", "40 s, 40%", "70", "36", "40" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(frames, FG_STR("a 40\na;d 20\nb 25\nb;c 10\nb;e 5\n"), WARNING);
}

/* If frames are so narrow that they start at one place, those with room are parents. */
static void test_narrow_parents(void **state)
{
	static const struct drawn frames[] = {
		{ "all", "100 s, 100%", "10", "52", "10" },
		{ "a", "94 s, 94%", "10", "36", "9.4" },
		{ "p", "1 s, 1%", "19.4", "36", "0.1" },
		{ "q", "5 s, 5%", "19.4", "36", "0.5" },
		{ "m", "1 s, 1%", "19.4", "20", "0.1" },
		{ "k", "5 s, 5%", "19.4", "20", "0.5" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(frames, FG_STR("a 94\np;m 1\nq;k 5\n"), WARNING);
}

static void test_a_root_that_is_not_drawn(void **state)
{
	static const struct drawn frames[] = {
		{ "c", "2 s, 20%", "70", "20", "20" },
		{ "a", "6 s, 60%", "10", "36", "60" },
		{ "b", "4 s, 40%", "70", "36", "40" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(frames, FG_STR("a 6\nb 2\nb;c 2\n"), WARNING);
}

static void test_inferno(void **state)
{
	(void)state;
	check(FG_STR("<svg xmlns:fg=\"http://github.com/jonhoo/inferno\">"
		     "<svg id=\"frames\" total_samples=\"9\"><g><title>a (1 s, 11.11%)"
		     "</title><rect x=\"88%\" y=\"5\" width=\"12%\" fg:x=\"8\" "
		     "fg:w=\"1\"/>"
		     "</g><g><title>b (8 s, 88.89%)</title><rect x=\"0.0%\" y=\"5\" "
		     "width=\"88%\" fg:x=\"0\" fg:w=\"8\"/></g>"
		     "<g><title>all (9 s, 100%)"
		     "</title><rect x=\"0.0%\" y=\"20\" width=\"100%\" fg:x=\"0\" "
		     "fg:w=\"9\"/></g></svg></svg>"),
	      FG_STR("a 1\nb 8\n"), WARNING);
}

static void test_differential(void **state)
{
	static const struct drawn frames[] = {
		{ "a", "60 s, 60%; -20.00%", "10", "36", "60" },
		{ "all", "100 s, 100%", "10", "52", "100" },
		{ "b", "40 s, 40%; +15.5%", "70", "36", "40" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(frames, FG_STR("a 80 60\nb 25 40\n"),
		     "the counts of the first profile are estimated");
}

static void test_frames_in_wrong_places(void **state)
{
	static const struct drawn left_of_root[] = {
		{ "a", "6 s, 60%", "5", "36", "60" },
		{ "all", "10 s, 100%", "10", "52", "100" },
		{ .name = NULL },
	};

	(void)state;
	check_frames(left_of_root, FG_STR(""),
		     "its frames do not make a flame graph: a frame has no parent");
}

static void test_wrong_counts(void **state)
{
	static const struct drawn too_large[] = {
		{ "a", "99999999999999999999 s, 1%", "1", "1", "1" },
		{ .name = NULL },
	};
	static const struct drawn sum_too_large[] = {
		{ "a", "1000000000000000000 s, 1%", "1", "1", "1" },
		{ "b", "18000000000000000000 s, 1%", "1", "0", "0.1" },
		{ "c", "18000000000000000000 s, 1%", "1", "0", "0.1" },
		{ .name = NULL },
	};

	(void)state;
	check(FG_STR("<svg><g><title>a</title><rect/></g></svg>"), FG_STR(""),
	      "count of a frame is missing");
	check_frames(too_large, FG_STR(""), "count of a frame is missing");
	check_frames(sum_too_large, FG_STR(""), "exceeds 2^64-1");
}

/* Draws with the option and reads the picture back. */
static void check_round(struct fg_str input, int data, bool chart, const char *messages)
{
	struct fg_graph_args args;
	struct fg_reader *reader;
	struct caught caught;
	struct fg_out out;

	caught_init(&caught);
	caught.diag.verbosity = FG_QUIET;
	fg_graph_args_init(&args);
	args.options.data = data;
	args.options.flamechart = chart;
	args.minwidth = "0";
	assert_int_equal(fg_graph_args_check(&args, &caught.diag), 0);
	reader = fg_reader_open_memory(input, "input", &caught.diag);
	fg_out_init_memory(&out);
	assert_int_equal(fg_graph_draw(&args.options, reader, &out, &caught.diag),
			 FG_GRAPH_DRAWN);
	check(fg_buf_str(&out.buf), input, messages);
	fg_reader_close(reader);
	fg_out_close(&out);
	fg_graph_args_release(&args);
	caught_release(&caught);
}

static void test_round_trips(void **state)
{
	const struct fg_str inputs[] = {
		FG_STR("a 1\na b 2\na;b_[k] 3\nb;<c>&\"';d 4.5\n"
		       "e<f>&\"'_[i] 1\n"),
		FG_STR("a;b 3 0\na;c 0 4\nd 12 12\nd;x 1 1\n"),
	};
	const struct fg_str chart = FG_STR("a;b 1\na 2\na;b 3\nc 4\na 5\n 6\na;d 0\n");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(inputs); i++)
		for (int mode = FG_DATA_FULL; mode <= FG_DATA_NONE; mode++)
			check_round(inputs[i], mode, false, NULL);
	for (int mode = FG_DATA_FULL; mode <= FG_DATA_NONE; mode++)
		check_round(chart, mode, true, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_files_that_are_not_flame_graphs),
		cmocka_unit_test(test_slow_files_are_refused),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_entities),
		cmocka_unit_test(test_picture),
		cmocka_unit_test(test_icicle),
		cmocka_unit_test(test_parents),
		cmocka_unit_test(test_narrow_parents),
		cmocka_unit_test(test_a_root_that_is_not_drawn),
		cmocka_unit_test(test_inferno),
		cmocka_unit_test(test_differential),
		cmocka_unit_test(test_frames_in_wrong_places),
		cmocka_unit_test(test_wrong_counts),
		cmocka_unit_test(test_round_trips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

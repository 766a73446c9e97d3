/* Flame graphs in SVG files, read back as folded stacks. */
#include "lib/svgfile.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base64.h"
#include "lib/deflate.h"
#include "lib/picture.h"
#include "lib/treedata.h"
#include "lib/treelines.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"
#include "lib/xml2.h"

#define NAMESPACE "urn:flamepipe:svg"
#define INFERNO_NAMESPACE "http://github.com/jonhoo/inferno"

/* As many bytes of lines are made at a time. */
#define LINES_SIZE ((size_t)64 * 1024)

/* A picture of more frames was not made for looking at. */
#define FRAMES_MAX FG_TREEDATA_FRAMES_MAX

struct svgfile {
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_xml2 xml;
	xmlParserCtxt *parser; /* NULL: libxml2 could not be loaded */
	const char *fault; /* what is wrong with the file; NULL: nothing yet */
	unsigned depth; /* of elements */
	unsigned group; /* depth of the group that we are in; 0: of none */

	bool has_data, in_data;
	struct fg_base64 base64;
	struct fg_buf zipped;
	uint64_t frames; /* that the data say to have; 0: they do not say */
	bool cut; /* small frames were left out of the data */
	struct fg_count min; /* the least that was not */

	struct fg_picture picture;
	struct fg_picture_frame frame; /* of the group that we are in */
	struct fg_buf title, name;
	bool in_title, has_title, has_name;
	bool complete; /* no frame was too narrow for the picture */
	bool estimated; /* counts before are known by percentages only */

	bool ended; /* tree and lines are initialised */
	bool failed; /* it was reported why */
	struct fg_tree tree;
	struct fg_treelines lines;
};

/* An attribute as libxml2 passes it: five pointers. */
enum { NAME, PREFIX, URI, VALUE, VALUE_END, ATTRIBUTE_SIZE };

struct attributes {
	const xmlChar **items;
	int count;
};

static struct fg_str text_of(const xmlChar *s)
{
	return fg_str_from((const char *)s);
}

/* The parser goes on to the end of its part; stopping it frees what it passes to us. */
static void set_fault(struct svgfile *s, const char *fault)
{
	if (!s->fault)
		s->fault = fault;
}

/* Whether the attribute is one of ours or of a tool that means the same. */
static bool is_ours(const xmlChar *uri)
{
	struct fg_str s = text_of(uri);

	return fg_str_eq(s, FG_STR(NAMESPACE)) ||
	       fg_str_eq(s, FG_STR(INFERNO_NAMESPACE));
}

/* The value of an attribute, of ours or of SVG; false where there is none. */
static bool find(struct attributes a, bool ours, const char *name, struct fg_str *value)
{
	for (int i = 0; i < a.count; i++) {
		const xmlChar **item = a.items + (size_t)i * ATTRIBUTE_SIZE;

		if (ours ? !is_ours(item[URI]) : item[URI] != NULL)
			continue;
		if (!fg_str_eq(text_of(item[NAME]), fg_str_from(name)))
			continue;
		*value = fg_str_of((const char *)item[VALUE],
				   (size_t)(item[VALUE_END] - item[VALUE]));
		return true;
	}
	return false;
}

static bool find_count(struct attributes a, const char *name, struct fg_count *count)
{
	struct fg_str value;

	return find(a, true, name, &value) && !fg_count_parse(value, count);
}

/* Pixels, or percent, without the unit. */
static double find_length(struct attributes a, const char *name)
{
	struct fg_str value;
	double length;

	if (!find(a, false, name, &value))
		return 0;
	if (fg_str_ends(value, FG_STR("%")))
		value.len--;
	else if (fg_str_ends(value, FG_STR("px")))
		value.len -= 2;
	return fg_str_double(value, &length) || !isfinite(length) ? 0 : length;
}

static double in_counts(struct fg_count count)
{
	return (double)count.digits / (double)fg_pow10(count.decimals);
}

static void start_root(struct svgfile *s, struct attributes a)
{
	struct fg_str value;
	struct fg_count drawn;

	if (find(a, true, "order", &value) && fg_str_eq(value, FG_STR("input")))
		s->picture.order = FG_TREE_INPUT;
	s->picture.depth_first = find_count(a, "drawn", &drawn);
	s->complete = s->picture.depth_first && !drawn.digits;
}

static void start_data(struct svgfile *s, struct attributes a)
{
	struct fg_str value;

	if (s->has_data)
		set_fault(s, "it has data twice");
	if (!find(a, false, "version", &value) || !fg_str_eq(value, FG_STR("1")))
		set_fault(s,
			  "its data are of a version that this program does not know");
	if (find(a, false, "frames", &value) && fg_str_u64(value, &s->frames))
		set_fault(s, "its data are damaged: the number of frames is none");
	if (find(a, false, "min", &value)) {
		s->cut = true;
		if (fg_count_parse(value, &s->min))
			set_fault(s, "its data are damaged: the least count is none");
	}
	s->has_data = s->in_data = true;
}

/* What a group knows of its frame. */
static void start_group(struct svgfile *s, struct attributes a)
{
	struct fg_str name;

	memset(&s->frame, 0, sizeof(s->frame));
	s->group = s->depth;
	s->has_title = false;
	s->has_name = find(a, true, "n", &name);
	fg_buf_clear(&s->name);
	if (s->has_name)
		fg_buf_add_str(&s->name, name);
	s->frame.has_start = find_count(a, "x", &s->frame.start);
	s->frame.has_count = find_count(a, "w", &s->frame.count);
	s->frame.has_before = find_count(a, "b", &s->frame.before);
}

static void use_title(struct svgfile *s)
{
	struct fg_picture_frame *frame = &s->frame;
	struct fg_picture_frame read = { .has_count = false };
	struct fg_str name = fg_picture_title(fg_buf_str(&s->title), &read);

	if (!s->has_name) {
		fg_buf_clear(&s->name);
		fg_buf_add_str(&s->name, name);
	}
	if (!frame->has_count && read.has_count) {
		frame->has_count = true;
		frame->count = read.count;
	}
	frame->has_delta = read.has_delta;
	frame->delta = read.delta;
	if (read.has_delta && !frame->has_before)
		s->estimated = true;
}

/* A rectangle after a title is a frame. */
static void start_rectangle(struct svgfile *s, struct attributes a)
{
	struct fg_picture_frame *frame = &s->frame;

	if (!s->has_title || s->has_data)
		return;
	if (s->picture.count >= FRAMES_MAX) {
		set_fault(s, "it has too many frames");
		return;
	}
	frame->has_start |= find_count(a, "x", &frame->start);
	frame->has_count |= find_count(a, "w", &frame->count);
	use_title(s);
	frame->y = find_length(a, "y");
	frame->x = find_length(a, "x");
	frame->width = find_length(a, "width");
	if (frame->has_start && frame->has_count) {
		frame->x = in_counts(frame->start);
		frame->width = in_counts(frame->count);
	}
	fg_picture_add(&s->picture, fg_buf_str(&s->name), frame);
	s->has_title = false;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri, int namespace_count,
			  const xmlChar **namespaces, int count, int defaulted,
			  const xmlChar **items)
{
	struct svgfile *s = context;
	struct attributes a = { items, count };
	struct fg_str local = text_of(name);

	(void)prefix;
	(void)namespace_count;
	(void)namespaces;
	(void)defaulted;
	if (++s->depth == 1) {
		if (!fg_str_eq(local, FG_STR("svg")))
			set_fault(s, "this is XML, but no SVG");
		start_root(s, a);
	} else if (fg_str_eq(local, FG_STR("data")) &&
		   fg_str_eq(text_of(uri), FG_STR(NAMESPACE))) {
		start_data(s, a);
	} else if (fg_str_eq(local, FG_STR("g")) || fg_str_eq(local, FG_STR("a"))) {
		start_group(s, a);
	} else if (fg_str_eq(local, FG_STR("title")) && s->depth == s->group + 1) {
		fg_buf_clear(&s->title);
		s->in_title = true;
	} else if (fg_str_eq(local, FG_STR("rect"))) {
		start_rectangle(s, a);
	}
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
			const xmlChar *uri)
{
	struct svgfile *s = context;
	struct fg_str local = text_of(name);

	(void)prefix;
	(void)uri;
	s->depth--;
	s->in_data = false;
	s->has_title |= s->in_title;
	s->in_title = false;
	if (fg_str_eq(local, FG_STR("g")) || fg_str_eq(local, FG_STR("a"))) {
		s->has_title = false;
		s->group = s->depth > 1 ? s->depth : 0;
	}
}

static void add_text(void *context, const xmlChar *text, int len)
{
	struct svgfile *s = context;
	struct fg_str part = fg_str_of((const char *)text, (size_t)len);

	if (s->in_title)
		fg_buf_add_str(&s->title, part);
	if (s->in_data && fg_base64_read(&s->base64, part, &s->zipped))
		set_fault(s, "its data are damaged: they are not base64");
}

/* Entities could make a small file large; no flame graph has any. */
static void refuse_entity(void *context, const xmlChar *name, int type,
			  const xmlChar *public_id, const xmlChar *system_id,
			  xmlChar *content)
{
	(void)name;
	(void)type;
	(void)public_id;
	(void)system_id;
	(void)content;
	set_fault(context, "it declares an XML entity, which is not read");
}

/* The parser's last error is asked for where it is needed. */
static void ignore_error(void *context, xmlError *error)
{
	(void)context;
	(void)error;
}

static const xmlSAXHandler handler = {
	.initialized = XML_SAX2_MAGIC,
	.startElementNs = start_element,
	.endElementNs = end_element,
	.characters = add_text,
	.cdataBlock = add_text,
	.entityDecl = refuse_entity,
	.serror = ignore_error,
};

static bool starts(struct fg_str bytes)
{
	bytes = fg_utf8_skip_mark(bytes);
	if (fg_str_starts(bytes, FG_STR("<?xml")))
		return true;
	return fg_str_starts(bytes, FG_STR("<svg")) && bytes.len > 4 &&
	       (fg_is_space(bytes.ptr[4]) || bytes.ptr[4] == '>');
}

static void *open_file(const char *input, struct fg_diag *diag)
{
	struct svgfile *s = fg_xcalloc(1, sizeof(*s));
	xmlSAXHandler copy = handler;

	s->diag = diag;
	s->at.input = input;
	fg_picture_init(&s->picture);
	s->fault = fg_xml2_load(&s->xml);
	if (s->fault)
		return s;
	s->xml.xmlInitParser(); /* without it, xmlCleanupParser leaves tables behind */
	s->parser = s->xml.xmlCreatePushParserCtxt(&copy, s, NULL, 0, NULL);
	if (!s->parser)
		fg_size_add(SIZE_MAX, 1); /* out of memory */
	/*
	 * Without XML_PARSE_HUGE depth and attributes have libxml2's limits. Without
	 * XML_PARSE_NOENT it passes "&" in an attribute as "&#38;"; other entities are
	 * refused where they are declared.
	 */
	s->xml.xmlCtxtUseOptions(s->parser, XML_PARSE_NONET | XML_PARSE_NOENT);
	return s;
}

static void close_file(void *state)
{
	struct svgfile *s = state;

	if (!s)
		return;
	if (s->parser) {
		/* a document is made where there is a declaration */
		s->xml.xmlFreeDoc(s->parser->myDoc);
		s->xml.xmlFreeParserCtxt(s->parser);
		s->xml.xmlCleanupParser();
	}
	fg_buf_release(&s->zipped);
	fg_buf_release(&s->title);
	fg_buf_release(&s->name);
	fg_picture_release(&s->picture);
	if (s->ended) {
		fg_treelines_release(&s->lines);
		fg_tree_release(&s->tree);
	}
	free(s);
}

/* The message of libxml2 without its '\n'. */
static int report_xml(struct svgfile *s)
{
	const xmlError *error = s->xml.xmlCtxtGetLastError(s->parser);
	struct fg_str why = fg_str_trim(fg_str_from(error ? error->message : NULL));
	struct fg_buf shown;

	if (error && error->line > 0)
		s->at.line = (uint64_t)error->line;
	fg_buf_init(&shown);
	fg_buf_add_visible(&shown, why, FG_QUOTED_MAX);
	fg_error(s->diag, &s->at, "this SVG cannot be read: %s", fg_buf_cstr(&shown));
	fg_buf_release(&shown);
	return -1;
}

static int report(struct svgfile *s)
{
	s->failed = true;
	if (!s->fault)
		return report_xml(s);
	fg_error(s->diag, &s->at, "this SVG cannot be read: %s", s->fault);
	return -1;
}

/* Whether there is nothing wrong with the file up to the end of these bytes. */
static bool parse(struct svgfile *s, struct fg_str bytes, bool last)
{
	if (!s->parser)
		return false;
	if (s->xml.xmlParseChunk(s->parser, bytes.ptr, (int)bytes.len, last) &&
	    !s->parser->wellFormed)
		return false;
	return !s->fault;
}

static int feed(void *state, struct fg_str bytes)
{
	struct svgfile *s = state;

	while (bytes.len && !s->failed) {
		struct fg_str part = fg_str_before(bytes, INT_MAX);

		if (!parse(s, part, false))
			return report(s);
		bytes = fg_str_from_pos(bytes, part.len);
	}
	return 0;
}

static void warn_of_cut(struct svgfile *s)
{
	struct fg_buf min = { NULL, 0, 0 };

	fg_buf_add_sum(&min, (struct fg_sum){ s->min.digits, 0 }, s->tree.decimals);
	fg_warn(s->diag, &s->at,
		"frames of less than %s were left out of this SVG's data: their counts "
		"are their parents' own",
		fg_buf_cstr(&min));
	fg_buf_release(&min);
}

static const char *read_data(struct svgfile *s)
{
	struct fg_buf bytes = { NULL, 0, 0 };
	const char *fault;

	fg_tree_init(&s->tree, FG_TREE_SORTED);
	if (fg_base64_end(&s->base64))
		return "the text ends early";
	if (fg_inflate(fg_buf_str(&s->zipped), FG_TREEDATA_MAX, &bytes)) {
		fg_buf_release(&bytes);
		return "the bytes are no whole zlib stream, or one that is too large";
	}
	fg_buf_release(&s->zipped);
	fg_tree_release(&s->tree);
	fault = fg_treedata_read(fg_buf_str(&bytes), &s->tree);
	fg_buf_release(&bytes);
	if (!fault && s->frames && s->frames != s->tree.count)
		fault = "the number of frames is another";
	if (!fault && s->cut)
		warn_of_cut(s);
	return fault;
}

static const char *read_picture(struct svgfile *s)
{
	const char *fault = fg_picture_tree(&s->picture, &s->tree);

	if (fault)
		return fault;
	fg_picture_release(&s->picture);
	if (!s->complete)
		fg_warn(s->diag, &s->at,
			"this SVG has no data, so its picture is read: what is too "
			"narrow to be drawn counts as its parent's own");
	if (s->estimated)
		fg_warn(s->diag, &s->at,
			"counts before are estimated from rounded percentages");
	return NULL;
}

/* All was fed: makes the tree. */
static int end_file(struct svgfile *s)
{
	const char *fault;

	if (!parse(s, FG_STR(""), true))
		return report(s);
	s->ended = true;
	fault = s->has_data ? read_data(s) : read_picture(s);
	if (!fault && !fg_treelines_fit(&s->tree))
		fault = "the text of its stacks would exceed 64 GiB";
	fg_treelines_init(&s->lines, &s->tree);
	if (!fault)
		return 0;
	if (!s->has_data && !s->picture.count)
		fg_error(s->diag, &s->at,
			 "this SVG is no flame graph: it has no data and no frames");
	else
		fg_error(s->diag, &s->at, "this SVG cannot be read: its %s: %s",
			 s->has_data ? "data are damaged" :
				       "frames make no flame graph",
			 fault);
	return -1;
}

static int make_lines(void *state, struct fg_buf *lines)
{
	struct svgfile *s = state;
	size_t start = lines->len;
	int status = 1;

	if (!s->failed && !s->ended)
		s->failed = end_file(s) != 0;
	if (s->failed)
		return -1;
	while (status > 0 && lines->len - start < LINES_SIZE)
		status = fg_treelines_next(&s->lines, lines);
	if (status >= 0)
		return lines->len > start;
	fg_error(s->diag, &s->at, "this SVG cannot be read: a stack is too long");
	return -1;
}

const struct fg_reader_format fg_svgfile_format = {
	.starts = starts,
	.open = open_file,
	.feed = feed,
	.lines = make_lines,
	.close = close_file,
};

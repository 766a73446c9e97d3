/* The events of libxml2 that matter in an SVG file of a flame graph. */
#include "lib/picture/svgparse.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/base64.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmlscan.h"
#include "lib/base/xmlstart.h"
#include "lib/picture/svgattr.h"
#include "lib/picture/treedata.h"

/* A picture of more frames was not made for looking at. */
#define FRAMES_MAX FG_TREEDATA_FRAMES_MAX

/* Elements may be nested so deep. */
#define DEPTH_MAX 256

/* libxml2 looks through all namespaces that are declared around an element. */
#define NAMESPACES_MAX 256

/* What else is XML and a profile: no picture, so the reader of pictures says it. */
#define XCTRACE \
	"this is the output of xctrace export: pipe it through collapse-xctrace first"

/* Bytes that are parsed before it is looked whether anything is wrong. */
#define PART_SIZE ((size_t)64 << 10)

/* Bytes of names, each once: libxml2 looks through more and more of them for each. */
#define NAMES_MAX ((size_t)1 << 20)

/* More than any DOCTYPE has. */
#define DECLARATION_MAX ((size_t)1 << 20)

struct fg_svgparse {
	struct fg_svg svg;
	struct fg_xmlscan scan;
	struct fg_buf declaring; /* parts that end in a declaration */
	xmlParserCtxt *parser;
	struct fg_place at;
	struct fg_diag *diag;
	bool failed; /* what is wrong with the file was reported */
	unsigned depth; /* of elements */
	unsigned namespaces; /* declared by those around */
	unsigned declared[DEPTH_MAX + 1]; /* of them, by depth */
	unsigned group; /* depth of the group that we are in; 0: of none */
	unsigned link; /* of an <a> between its title and its rectangle; 0: of none */

	struct fg_svg_profile *profile; /* that we are in; by default the first */
	unsigned profile_depth; /* of its element; 0: of none */
	bool in_data, in_slices; /* of time; then in_data as well */
	struct fg_base64 base64;

	struct fg_picture_frame frame; /* of the group that we are in */
	struct fg_buf title, name;
	bool in_title, has_title, has_name;
	bool moved; /* the group has a transform */
};

/* The parser goes on to the end of its part; stopping it frees what it passes to us. */
static int set_fault(struct fg_svgparse *s, const char *fault)
{
	if (!s->failed)
		fg_error(s->diag, &s->at, "this SVG cannot be read: %s", fault);
	s->failed = true;
	return -1;
}

static double in_counts(struct fg_count count)
{
	return (double)count.digits / (double)fg_pow10(count.decimals);
}

/* What is counted. */
static void keep_words(struct fg_svgparse *s, struct fg_svgattrs a)
{
	struct fg_unit *said = &s->profile->said;

	fg_svgattr_keep(a, "event", &said->event);
	fg_svgattr_keep(a, "unit", &said->unit);
	fg_svgattr_keep(a, "sampleweight", &said->sample_weight);
	fg_svgattr_keep(a, "totals", &said->totals);
	fg_svgattr_keep(a, "command", &said->command);
}

/* Another profile than the one that is drawn. */
static void start_profile(struct fg_svgparse *s, struct fg_svgattrs a)
{
	if (s->profile_depth)
		set_fault(s, "a profile is in a profile");
	else if (s->svg.count >= FG_SVG_PROFILES_MAX)
		set_fault(s, "it has more than 64 profiles");
	if (s->failed)
		return;
	s->profile_depth = s->depth;
	s->profile = fg_svg_add_profile(&s->svg);
	keep_words(s, a);
}

static void end_profile(struct fg_svgparse *s)
{
	if (!s->profile->has_data)
		set_fault(s, "a profile has no data");
	s->profile_depth = 0;
	s->profile = &s->svg.profiles[0];
}

static void start_root(struct fg_svgparse *s, struct fg_svgattrs a)
{
	struct fg_str value;
	struct fg_count drawn;

	if (fg_svgattr_find(a, true, "order", &value) &&
	    fg_str_eq(value, FG_STR("input")))
		s->svg.picture.order = FG_TREE_INPUT;
	s->svg.picture.depth_first = fg_svgattr_count(a, "drawn", &drawn);
	s->svg.complete = s->svg.picture.depth_first && !drawn.digits;
	keep_words(s, a);
}

static void start_data(struct fg_svgparse *s, struct fg_svgattrs a)
{
	struct fg_svg_profile *p = s->profile;
	struct fg_str value;

	if (p->has_data)
		set_fault(s, "it has data twice");
	if (!fg_svgattr_find(a, false, "version", &value) ||
	    !fg_str_eq(value, FG_STR("1")))
		set_fault(s,
			  "its data are of a version that this program does not know");
	if (fg_svgattr_find(a, false, "frames", &value) &&
	    fg_str_u64(value, &p->frames))
		set_fault(s,
			  "its data are damaged: the number of frames is not a number");
	p->cut = fg_svgattr_find(a, false, "min", &value);
	if (p->cut && fg_count_parse(value, &p->min))
		set_fault(s, "its data are damaged: the least count is not valid");
	p->has_data = s->in_data = true;
	s->in_slices = false;
	s->base64 = (struct fg_base64){ .digits = 0 };
}

static void start_slices(struct fg_svgparse *s)
{
	s->in_data = s->in_slices = true;
	memset(&s->base64, 0, sizeof(s->base64));
}

static void end_data(struct fg_svgparse *s)
{
	s->in_data = false;
	if (fg_base64_end(&s->base64))
		set_fault(s, "its data are damaged: the text ends early");
}

/* What a group knows of its frame. */
static void start_group(struct fg_svgparse *s, struct fg_svgattrs a)
{
	struct fg_str name;

	memset(&s->frame, 0, sizeof(s->frame));
	s->group = s->depth;
	s->has_title = false;
	s->moved = fg_svgattr_find(a, false, "transform", &name) && name.len;
	s->has_name = fg_svgattr_find(a, true, "n", &name);
	fg_buf_clear(&s->name);
	if (s->has_name)
		fg_buf_add_str(&s->name, name);
	s->frame.has_start = fg_svgattr_count(a, "x", &s->frame.start);
	s->frame.has_count = fg_svgattr_count(a, "w", &s->frame.count);
	s->frame.has_before = fg_svgattr_count(a, "b", &s->frame.before);
}

static void use_title(struct fg_svgparse *s)
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
		s->svg.estimated = true;
}

/* A rectangle after a title is a frame. */
static void start_rectangle(struct fg_svgparse *s, struct fg_svgattrs a)
{
	struct fg_picture_frame *frame = &s->frame;

	if (!s->has_title || s->svg.profiles[0].has_data)
		return;
	if (s->svg.picture.count >= FRAMES_MAX) {
		set_fault(s, "it has too many frames");
		return;
	}
	if (s->moved) {
		set_fault(s, "its frames have a transform, which is not read");
		return;
	}
	frame->has_start |= fg_svgattr_count(a, "x", &frame->start);
	frame->has_count |= fg_svgattr_count(a, "w", &frame->count);
	use_title(s);
	frame->y = fg_svgattr_length(a, "y");
	frame->x = fg_svgattr_length(a, "x");
	frame->width = fg_svgattr_length(a, "width");
	if (frame->has_start && frame->has_count) {
		frame->x = in_counts(frame->start);
		frame->width = in_counts(frame->count);
	}
	fg_picture_add(&s->svg.picture, fg_buf_str(&s->name), frame);
	/* what the group knows is of one frame */
	memset(frame, 0, sizeof(*frame));
	s->has_title = s->has_name = false;
}

/* Goes into an element: whether it is to be looked at. */
static bool enter(struct fg_svgparse *s, int namespace_count)
{
	if (++s->depth > DEPTH_MAX) {
		set_fault(s, "its elements are nested more than 256 deep");
		return false;
	}
	s->declared[s->depth] = (unsigned)namespace_count;
	s->namespaces += (unsigned)namespace_count;
	if (s->namespaces <= NAMESPACES_MAX)
		return true;
	set_fault(s, "more than 256 namespaces are declared around an element");
	return false;
}

static void leave(struct fg_svgparse *s)
{
	if (s->depth <= DEPTH_MAX)
		s->namespaces -= s->declared[s->depth];
	s->depth--;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri, int namespace_count,
			  const xmlChar **namespaces, int count, int defaulted,
			  const xmlChar **items)
{
	struct fg_svgparse *s = context;
	struct fg_svgattrs a = { items, count };
	struct fg_str local = fg_str_from((const char *)name);
	bool is_own =
		fg_str_eq(fg_str_from((const char *)uri), FG_STR(FG_SVG_NAMESPACE));

	(void)prefix;
	(void)namespaces;
	(void)defaulted;
	if (!enter(s, namespace_count))
		return;
	if (s->depth == 1) {
		if (fg_str_eq(local, FG_STR("trace-query-result")))
			set_fault(s, XCTRACE);
		else if (!fg_str_eq(local, FG_STR("svg")))
			set_fault(s, "this is XML, but not an SVG");
		start_root(s, a);
	} else if (fg_str_eq(local, FG_STR("data")) && is_own) {
		start_data(s, a);
	} else if (fg_str_eq(local, FG_STR("slices")) && is_own) {
		start_slices(s);
	} else if (fg_str_eq(local, FG_STR("profile")) && is_own) {
		start_profile(s, a);
	} else if (fg_str_eq(local, FG_STR("a")) && s->has_title) {
		s->link = s->depth;
	} else if (fg_str_eq(local, FG_STR("g")) || fg_str_eq(local, FG_STR("a"))) {
		start_group(s, a);
	} else if (fg_str_eq(local, FG_STR("title")) &&
		   (s->depth == s->group + 1 || s->depth == s->link + 1)) {
		fg_buf_clear(&s->title);
		s->in_title = true;
	} else if (fg_str_eq(local, FG_STR("rect"))) {
		start_rectangle(s, a);
	}
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
			const xmlChar *uri)
{
	struct fg_svgparse *s = context;
	struct fg_str local = fg_str_from((const char *)name);

	(void)prefix;
	(void)uri;
	if (s->depth == s->profile_depth)
		end_profile(s);
	leave(s);
	if (s->in_data)
		end_data(s);
	s->has_title |= s->in_title;
	s->in_title = false;
	if (s->depth + 1 == s->link) {
		s->link = 0;
	} else if (fg_str_eq(local, FG_STR("g")) || fg_str_eq(local, FG_STR("a"))) {
		s->has_title = s->moved = false;
		s->group = s->depth > 1 ? s->depth : 0;
	}
}

static void add_text(void *context, const xmlChar *text, int len)
{
	struct fg_svgparse *s = context;
	struct fg_svg_profile *p = s->profile;
	struct fg_str part = fg_str_of((const char *)text, (size_t)len);

	if (s->in_title)
		fg_buf_add_str(&s->title, part);
	if (s->in_data &&
	    fg_base64_read(&s->base64, part, s->in_slices ? &p->slices : &p->zipped))
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

/* What is libxml2's. */
static void release(void *data)
{
	struct fg_svgparse *s = data;

	xmlFreeDoc(s->parser->myDoc); /* made where there is a declaration */
	xmlFreeParserCtxt(s->parser);
}

struct fg_svgparse *fg_svgparse_new(const char *input, struct fg_diag *diag)
{
	struct fg_svgparse *s = fg_xcalloc(1, sizeof(*s));
	xmlSAXHandler copy = handler;

	s->at.input = input;
	s->diag = diag;
	s->profile = fg_svg_add_profile(&s->svg);
	fg_picture_init(&s->svg.picture);
	fg_xml_start();
	s->parser = xmlCreatePushParserCtxt(&copy, s, NULL, 0, NULL);
	if (!s->parser)
		fg_out_of_memory();
	fg_hold(release, s);
	/*
	 * Without XML_PARSE_HUGE depth and attributes have libxml2's limits. Without
	 * XML_PARSE_NOENT it passes "&" in an attribute as "&#38;"; other entities are
	 * refused where they are declared.
	 */
	xmlCtxtUseOptions(s->parser, XML_PARSE_NONET | XML_PARSE_NOENT);
	xmlDictSetLimit(s->parser->dict, NAMES_MAX);
	return s;
}

void fg_svgparse_free(struct fg_svgparse *s)
{
	if (!s)
		return;
	fg_let_go(s);
	release(s);
	fg_xml_stop();
	fg_svg_release_profiles(&s->svg);
	fg_buf_release(&s->declaring);
	fg_buf_release(&s->title);
	fg_buf_release(&s->name);
	fg_picture_release(&s->svg.picture);
	free(s);
}

/* Whether bytes below 0x80 are what they are in ASCII, as they are taken before. */
static bool is_like_ascii(const xmlChar *encoding)
{
	static const char *const names[] = { "utf-8", "utf8",	   "us-ascii",
					     "ascii", "iso-8859-", "windows-125",
					     NULL };

	for (size_t i = 0; encoding && names[i]; i++)
		if (!strncasecmp((const char *)encoding, names[i], strlen(names[i])))
			return true;
	return !encoding;
}

/* What the parser found wrong, with its line. */
static int report_malformed(struct fg_svgparse *s)
{
	const xmlError *error = xmlCtxtGetLastError(s->parser);
	struct fg_buf why = FG_BUF_INIT;

	if (error && error->line > 0)
		s->at.line = (uint64_t)error->line;
	if (error) /* the message without its '\n' */
		fg_buf_add_visible(&why, fg_str_trim(fg_str_from(error->message)),
				   FG_QUOTED_MAX);
	set_fault(s, fg_buf_cstr(&why));
	fg_buf_release(&why);
	return -1;
}

/*
 * libxml2 takes a '>' in a literal for the end of a declaration of which it does not
 * have the rest.
 */
static int parse(struct fg_svgparse *s, struct fg_str bytes, bool last)
{
	struct fg_str rest = bytes;
	const char *fault = fg_xmlscan_feed(&s->scan, &rest);
	bool waits = fg_xmlscan_is_declaring(&s->scan) && !last;
	int status;

	if (fault)
		return set_fault(s, fault);
	if (waits || s->declaring.len) {
		fg_buf_add_str(&s->declaring, bytes);
		bytes = fg_buf_str(&s->declaring);
	}
	if (waits)
		return bytes.len > DECLARATION_MAX ?
			       set_fault(s, "a declaration has more than 1 MB") :
			       0;
	status = xmlParseChunk(s->parser, bytes.ptr, (int)bytes.len, last);
	fg_buf_clear(&s->declaring);
	if (s->parser->errNo == XML_ERR_NO_MEMORY) {
		if (xmlDictGetUsage(s->parser->dict) <= NAMES_MAX)
			fg_out_of_memory();
		return set_fault(s, "it has more than 1 MB of names");
	}
	if (status && !s->parser->wellFormed)
		return report_malformed(s);
	if (!is_like_ascii(s->parser->encoding))
		return set_fault(s, "it is not in UTF-8");
	return s->failed ? -1 : 0;
}

int fg_svgparse_feed(struct fg_svgparse *s, struct fg_str bytes)
{
	while (bytes.len) {
		struct fg_str part = fg_str_before(bytes, PART_SIZE);

		if (parse(s, part, false))
			return -1;
		bytes = fg_str_from_pos(bytes, part.len);
	}
	return 0;
}

struct fg_svg *fg_svgparse_end(struct fg_svgparse *s)
{
	if (parse(s, FG_STR(""), true))
		return NULL;
	return &s->svg;
}

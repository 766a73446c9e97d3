/* Picks the elements that matter out of an SVG file of a flame graph. */
#include "lib/svg/svgparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/base64.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmlread.h"
#include "lib/svg/treedata.h"

/* We refuse pictures with more frames. */
#define FRAMES_MAX FG_TREEDATA_FRAMES_MAX

/*
 * The XML of xctrace is a profile but not a picture. It gets here because it is XML, so
 * we tell the user what to do.
 */
#define XCTRACE \
	"this is the output of xctrace export: pipe it through collapse-xctrace first"

/* The namespace of our elements and attributes. */
#define OUR_NAMESPACE "urn:flamepipe:svg"

/*
 * The namespace of inferno's attributes, which have the same names and meanings as
 * ours.
 */
#define INFERNO_NAMESPACE "http://github.com/jonhoo/inferno"

struct fg_svgparse {
	struct fg_svg svg;
	struct fg_xmlread *xml;
	const char *input;
	struct fg_diag *diag;
	unsigned group; /* depth of the current group; 0 outside of groups */
	/* depth of the <a> between the title and the rectangle of a frame; 0: none */
	unsigned link;

	struct fg_svg_profile *profile; /* the current one; by default the first */
	unsigned profile_depth; /* depth of the current <fg:profile>; 0: none */
	/* true inside an element with the data of frames or of slices */
	bool in_data, in_slices;
	struct fg_base64 base64;

	struct fg_picture_frame frame; /* describes the current group */
	struct fg_buf title, name;
	bool in_title, has_title, has_name;
	bool moved; /* the group has a transform */
};

static void set_fault(struct fg_svgparse *s, const char *fault)
{
	fg_xmlread_refuse(s->xml, fault);
}

/* ---- attributes */

/*
 * Finds an attribute in our namespace or inferno's. Returns false if the element does
 * not have it.
 */
static bool find_attribute(const struct fg_xmlread_element *e, const char *name,
			   struct fg_str *value)
{
	return fg_xmlread_attribute(e, OUR_NAMESPACE, name, value) ||
	       fg_xmlread_attribute(e, INFERNO_NAMESPACE, name, value);
}

/* Like find_attribute(), for an attribute that is a count. */
static bool find_count(const struct fg_xmlread_element *e, const char *name,
		       struct fg_count *count)
{
	struct fg_str value;

	return find_attribute(e, name, &value) && !fg_count_parse(value, count);
}

/*
 * Returns the number of a length such as "1200", "1200px" or "100%", without its unit.
 * Returns 0 if the attribute is missing, malformed, or in another unit.
 */
static double find_length(const struct fg_xmlread_element *e, const char *name)
{
	struct fg_str value;
	double length;

	if (!fg_xmlread_attribute(e, NULL, name, &value))
		return 0;
	if (!fg_str_cut_end(&value, FG_STR("%")))
		fg_str_cut_end(&value, FG_STR("px"));
	return fg_str_double(value, &length) || !isfinite(length) ? 0 : length;
}

/* Appends the value of one of our attributes if a header line can hold it. */
static void keep_attribute(const struct fg_xmlread_element *e, const char *name,
			   struct fg_buf *kept)
{
	struct fg_str value;

	if (find_attribute(e, name, &value) && fg_is_visible(value) &&
	    !fg_str_has_char(value, ';'))
		fg_buf_add_str(kept, fg_str_trim(value));
}

/* ---- profiles */

/* Returns a new, empty profile. This may move the others. */
static struct fg_svg_profile *add_profile(struct fg_svg *svg)
{
	FG_GROW(svg->profiles, svg->alloc, svg->count + 1);
	svg->profiles[svg->count] = (struct fg_svg_profile){ .has_data = false };
	return &svg->profiles[svg->count++];
}

static void release_profiles(struct fg_svg *svg)
{
	for (size_t i = 0; i < svg->count; i++) {
		fg_buf_release(&svg->profiles[i].zipped);
		fg_buf_release(&svg->profiles[i].slices);
		fg_unit_release(&svg->profiles[i].header);
	}
	free(svg->profiles);
}

static double in_counts(struct fg_count count)
{
	return (double)count.digits / (double)fg_pow10(count.decimals);
}

/* Stores the attributes that tell what the picture counts. */
static void keep_words(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	struct fg_unit *header = &s->profile->header;
	struct fg_str quality;

	keep_attribute(e, "event", &header->event);
	keep_attribute(e, "unit", &header->unit);
	keep_attribute(e, "sampleweight", &header->sample_weight);
	keep_attribute(e, "totals", &header->totals);
	keep_attribute(e, "command", &header->command);
	if (find_attribute(e, "quality", &quality))
		fg_quality_read(&header->quality, quality);
}

/* Starts a profile that the picture does not draw. */
static void start_profile(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	if (s->profile_depth)
		set_fault(s, "a profile is inside another profile");
	else if (s->svg.count >= FG_SVG_PROFILES_MAX)
		set_fault(s, "it has more than 64 profiles");
	if (fg_xmlread_fault(s->xml))
		return;
	s->profile_depth = e->depth;
	s->profile = add_profile(&s->svg);
	keep_words(s, e);
}

static void end_profile(struct fg_svgparse *s)
{
	if (!s->profile->has_data)
		set_fault(s, "a profile has no data");
	s->profile_depth = 0;
	s->profile = &s->svg.profiles[0];
}

static void start_root(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	struct fg_str value;
	struct fg_count drawn;

	if (find_attribute(e, "order", &value) && fg_str_eq(value, FG_STR("input")))
		s->svg.picture.order = FG_TREE_INPUT;
	s->svg.picture.depth_first = find_count(e, "drawn", &drawn);
	s->svg.complete = (s->svg.picture.depth_first && !drawn.digits) ||
			  find_attribute(e, "complete", &value);
	keep_words(s, e);
}

static void start_data(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	struct fg_svg_profile *p = s->profile;
	struct fg_str value;

	if (p->has_data)
		set_fault(s, "it has data twice");
	if (!fg_xmlread_attribute(e, NULL, "version", &value) ||
	    !fg_str_eq(value, FG_STR("1")))
		set_fault(s,
			  "its data are of a version that this program does not know");
	if (fg_xmlread_attribute(e, NULL, "frames", &value) &&
	    fg_str_u64(value, &p->frames))
		set_fault(s,
			  "its data are damaged: the number of frames is not a number");
	p->cut = fg_xmlread_attribute(e, NULL, "min", &value);
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

/* Starts a group, and reads its attributes into `frame`. */
static void start_group(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	struct fg_str name;

	memset(&s->frame, 0, sizeof(s->frame));
	s->group = e->depth;
	s->has_title = false;
	s->moved = fg_xmlread_attribute(e, NULL, "transform", &name) && name.len;
	s->has_name = find_attribute(e, "n", &name);
	fg_buf_clear(&s->name);
	if (s->has_name)
		fg_buf_add_str(&s->name, name);
	s->frame.has_start = find_count(e, "x", &s->frame.start);
	s->frame.has_count = find_count(e, "w", &s->frame.count);
	s->frame.has_before = find_count(e, "b", &s->frame.before);
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

/* Handles a rectangle. After a title it is a frame, which is added to the picture. */
static void start_rectangle(struct fg_svgparse *s, const struct fg_xmlread_element *e)
{
	struct fg_picture_frame *frame = &s->frame;

	if (!s->has_title || s->svg.profiles[0].has_data)
		return;
	if (s->svg.picture.count >= FRAMES_MAX) {
		set_fault(s, "it has too many frames");
		return;
	}
	if (s->moved) {
		set_fault(s, "its frames have a transform, which is not supported");
		return;
	}
	frame->has_start |= find_count(e, "x", &frame->start);
	frame->has_count |= find_count(e, "w", &frame->count);
	use_title(s);
	frame->y = find_length(e, "y");
	frame->x = find_length(e, "x");
	frame->width = find_length(e, "width");
	if (frame->has_start && frame->has_count) {
		frame->x = in_counts(frame->start);
		frame->width = in_counts(frame->count);
	}
	fg_picture_add(&s->svg.picture, fg_buf_str(&s->name), frame);
	/* the group's attributes are for one frame only */
	memset(frame, 0, sizeof(*frame));
	s->has_title = s->has_name = false;
}

static void start_element(void *data, const struct fg_xmlread_element *e)
{
	struct fg_svgparse *s = data;
	bool is_own = fg_str_eq(e->uri, FG_STR(OUR_NAMESPACE));

	if (e->depth == 1) {
		if (fg_str_eq(e->name, FG_STR("trace-query-result")))
			set_fault(s, XCTRACE);
		else if (!fg_str_eq(e->name, FG_STR("svg")))
			set_fault(s, "this is XML, but not an SVG");
		start_root(s, e);
	} else if (fg_str_eq(e->name, FG_STR("data")) && is_own) {
		start_data(s, e);
	} else if (fg_str_eq(e->name, FG_STR("slices")) && is_own) {
		start_slices(s);
	} else if (fg_str_eq(e->name, FG_STR("profile")) && is_own) {
		start_profile(s, e);
	} else if (fg_str_eq(e->name, FG_STR("a")) && s->has_title) {
		s->link = e->depth;
	} else if (fg_str_eq(e->name, FG_STR("g")) || fg_str_eq(e->name, FG_STR("a"))) {
		start_group(s, e);
	} else if (fg_str_eq(e->name, FG_STR("title")) &&
		   (e->depth == s->group + 1 || e->depth == s->link + 1)) {
		fg_buf_clear(&s->title);
		s->in_title = true;
	} else if (fg_str_eq(e->name, FG_STR("rect"))) {
		start_rectangle(s, e);
	}
}

static void end_element(void *data, struct fg_str name, unsigned depth)
{
	struct fg_svgparse *s = data;

	if (depth == s->profile_depth)
		end_profile(s);
	if (s->in_data)
		end_data(s);
	s->has_title |= s->in_title;
	s->in_title = false;
	if (depth == s->link) {
		s->link = 0;
	} else if (fg_str_eq(name, FG_STR("g")) || fg_str_eq(name, FG_STR("a"))) {
		s->has_title = s->moved = false;
		s->group = depth > 2 ? depth - 1 : 0;
	}
}

static void add_text(void *data, unsigned depth, struct fg_str text)
{
	struct fg_svgparse *s = data;
	struct fg_svg_profile *p = s->profile;

	(void)depth;
	if (s->in_title)
		fg_buf_add_str(&s->title, text);
	if (s->in_data &&
	    fg_base64_read(&s->base64, text, s->in_slices ? &p->slices : &p->zipped))
		set_fault(s, "its data are damaged: they are not base64");
}

static const struct fg_xmlread_handler handler = {
	.start = start_element,
	.close = end_element,
	.text = add_text,
};

struct fg_svgparse *fg_svgparse_new(const char *input, struct fg_diag *diag)
{
	struct fg_svgparse *s = fg_xcalloc(1, sizeof(*s));

	s->input = input;
	s->diag = diag;
	s->profile = add_profile(&s->svg);
	fg_picture_init(&s->svg.picture);
	s->xml = fg_xmlread_new(&handler, s, FG_XMLREAD_DECLARED);
	return s;
}

void fg_svgparse_free(struct fg_svgparse *s)
{
	if (!s)
		return;
	fg_xmlread_free(s->xml);
	release_profiles(&s->svg);
	fg_buf_release(&s->title);
	fg_buf_release(&s->name);
	fg_picture_release(&s->svg.picture);
	free(s);
}

static int report_fault(struct fg_svgparse *s)
{
	struct fg_place at = { s->input, fg_xmlread_line(s->xml) };

	fg_error(s->diag, &at, "this SVG cannot be read: %s", fg_xmlread_fault(s->xml));
	return -1;
}

int fg_svgparse_feed(struct fg_svgparse *s, struct fg_str bytes)
{
	return fg_xmlread_feed(s->xml, bytes) ? report_fault(s) : 0;
}

struct fg_svg *fg_svgparse_end(struct fg_svgparse *s)
{
	return fg_xmlread_end(s->xml) && report_fault(s) ? NULL : &s->svg;
}

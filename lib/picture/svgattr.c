/* The attributes of an element of an SVG file. */
#include "lib/picture/svgattr.h"

#include <math.h>

#include "lib/base/visible.h"

#define INFERNO_NAMESPACE "http://github.com/jonhoo/inferno"

/* The pointers of an attribute. */
enum { NAME, PREFIX, URI, VALUE, VALUE_END, ATTRIBUTE_SIZE };

static struct fg_str text_of(const unsigned char *s)
{
	return fg_str_from((const char *)s);
}

/* Whether the attribute is one of ours or of a tool that means the same. */
static bool is_ours(const unsigned char *uri)
{
	struct fg_str s = text_of(uri);

	return fg_str_eq(s, FG_STR(FG_SVG_NAMESPACE)) ||
	       fg_str_eq(s, FG_STR(INFERNO_NAMESPACE));
}

bool fg_svgattr_find(struct fg_svgattrs a, bool ours, const char *name,
		     struct fg_str *value)
{
	for (int i = 0; i < a.count; i++) {
		const unsigned char **item = a.items + (size_t)i * ATTRIBUTE_SIZE;

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

bool fg_svgattr_count(struct fg_svgattrs a, const char *name, struct fg_count *count)
{
	struct fg_str value;

	return fg_svgattr_find(a, true, name, &value) && !fg_count_parse(value, count);
}

double fg_svgattr_length(struct fg_svgattrs a, const char *name)
{
	struct fg_str value;
	double length;

	if (!fg_svgattr_find(a, false, name, &value))
		return 0;
	if (!fg_str_cut_end(&value, FG_STR("%")))
		fg_str_cut_end(&value, FG_STR("px"));
	return fg_str_double(value, &length) || !isfinite(length) ? 0 : length;
}

void fg_svgattr_keep(struct fg_svgattrs a, const char *name, struct fg_buf *kept)
{
	struct fg_str value;

	if (fg_svgattr_find(a, true, name, &value) && fg_is_visible(value) &&
	    !fg_str_has_char(value, ';'))
		fg_buf_add_str(kept, fg_str_trim(value));
}

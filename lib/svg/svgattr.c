/* The attributes of an element of an SVG file. */
#include "lib/svg/svgattr.h"

#include <math.h>

#include "lib/base/visible.h"

#define INFERNO_NAMESPACE "http://github.com/jonhoo/inferno"

bool fg_svgattr_find(const struct fg_xmlread_element *e, const char *name,
		     struct fg_str *value)
{
	return fg_xmlread_attribute(e, FG_SVG_NAMESPACE, name, value) ||
	       fg_xmlread_attribute(e, INFERNO_NAMESPACE, name, value);
}

bool fg_svgattr_count(const struct fg_xmlread_element *e, const char *name,
		      struct fg_count *count)
{
	struct fg_str value;

	return fg_svgattr_find(e, name, &value) && !fg_count_parse(value, count);
}

double fg_svgattr_length(const struct fg_xmlread_element *e, const char *name)
{
	struct fg_str value;
	double length;

	if (!fg_xmlread_attribute(e, NULL, name, &value))
		return 0;
	if (!fg_str_cut_end(&value, FG_STR("%")))
		fg_str_cut_end(&value, FG_STR("px"));
	return fg_str_double(value, &length) || !isfinite(length) ? 0 : length;
}

void fg_svgattr_keep(const struct fg_xmlread_element *e, const char *name,
		     struct fg_buf *kept)
{
	struct fg_str value;

	if (fg_svgattr_find(e, name, &value) && fg_is_visible(value) &&
	    !fg_str_has_char(value, ';'))
		fg_buf_add_str(kept, fg_str_trim(value));
}

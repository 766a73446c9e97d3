/* The profiles that an SVG file holds. */
#include "lib/svg/svgprofile.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

struct fg_svg_profile *fg_svg_add_profile(struct fg_svg *svg)
{
	FG_GROW(svg->profiles, svg->alloc, svg->count + 1);
	svg->profiles[svg->count] = (struct fg_svg_profile){ .has_data = false };
	return &svg->profiles[svg->count++];
}

void fg_svg_release_profiles(struct fg_svg *svg)
{
	for (size_t i = 0; i < svg->count; i++) {
		fg_buf_release(&svg->profiles[i].zipped);
		fg_buf_release(&svg->profiles[i].slices);
		fg_unit_release(&svg->profiles[i].said);
	}
	free(svg->profiles);
}

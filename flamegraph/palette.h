/* The palettes and the backgrounds that go with them. */
#ifndef FLAMEGRAPH_PALETTE_H
#define FLAMEGRAPH_PALETTE_H

#include "flamegraph/colour.h"

enum fg_palette {
	FG_PALETTE_HOT,
	FG_PALETTE_MEM,
	FG_PALETTE_IO,
	FG_PALETTE_RED,
	FG_PALETTE_GREEN,
	FG_PALETTE_BLUE,
	FG_PALETTE_YELLOW,
	FG_PALETTE_PURPLE,
	FG_PALETTE_AQUA,
	FG_PALETTE_ORANGE,
	/* From here on a frame's name chooses one of those above. */
	FG_PALETTE_WAKEUP,
	FG_PALETTE_CHAIN,
	FG_PALETTE_JAVA,
	FG_PALETTE_JS,
	FG_PALETTE_PERL,
	FG_PALETTE_PYTHON,
	FG_PALETTE_RUST,
};

/* By enum fg_palette; ends in NULL. */
extern const char *const fg_palette_names[];

struct fg_rgb fg_palette_colour(enum fg_palette palette, struct fg_str name,
				struct fg_shade shade);

/* A vertical gradient. */
struct fg_background {
	struct fg_rgb top, bottom;
};

struct fg_background fg_palette_background(enum fg_palette palette);

/* Reads "yellow", "blue", "green", "grey" or "#rrggbb": 0, or -1. */
int fg_background_parse(const char *text, struct fg_background *background);

#endif

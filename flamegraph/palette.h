/* The palettes and the backgrounds that go with them. */
#ifndef FG_FLAMEGRAPH_PALETTE_H
#define FG_FLAMEGRAPH_PALETTE_H

#include "flamegraph/colour.h"
#include "lib/base/compat.h"

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
	FG_PALETTE_LIBRARY, /* flamegraph/libraries.h has its colours */
	FG_PALETTE_KIND, /* and those of this one, the default */
	/* Rules of older programs, with --compat. They have no names of their own. */
	FG_PALETTE_JAVA_PERL,
	FG_PALETTE_JAVA_INFERNO,
	FG_PALETTE_JS_OLD,
	FG_PALETTE_PYTHON_OLD,
};

/* By enum fg_palette; ends in NULL. */
extern const char *const fg_palette_names[];

/* Returns a palette, or -1, as --compat has it. */
int fg_palette_of(int palette, enum fg_compat compat);

/*
 * The colour of that shade, but for FG_PALETTE_LIBRARY and FG_PALETTE_KIND; in palettes
 * that go by it, `name` has its annotation.
 */
struct fg_rgb fg_palette_colour(enum fg_palette palette, struct fg_str name,
				struct fg_shade shade);

/* Whether it goes by what kind of code a name says that it is. */
bool fg_palette_marks_kinds(enum fg_palette palette);

/* The backgrounds that have names. */
enum fg_ground {
	FG_GROUND_YELLOW,
	FG_GROUND_BLUE,
	FG_GROUND_GREEN,
	FG_GROUND_GREY,
	FG_GROUND_NEUTRAL, /* white or nearly black, all of it */
};

/* By enum fg_ground; ends in NULL. */
extern const char *const fg_ground_names[];

enum fg_light { FG_LIGHT, FG_DARK };

/* A vertical gradient. */
struct fg_background {
	struct fg_rgb top, bottom;
};

/* The one that goes with a palette. */
enum fg_ground fg_palette_ground(enum fg_palette palette);

/* Dark as flamegraph/assets/theme.css has it too. */
struct fg_background fg_background_of(enum fg_ground ground, enum fg_light light);

/* Reads the name of a ground, which is then light, or "#rrggbb": 0, or -1. */
int fg_background_parse(const char *text, struct fg_background *background);

/* Black or white, whichever can be read on it. */
struct fg_rgb fg_background_text(struct fg_background background);

#endif

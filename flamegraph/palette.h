/*
 * The palettes, and the backgrounds that go with them.
 *
 * To add a palette, add a value to enum fg_palette: before FG_PALETTE_WAKEUP if it has
 * ramps, else before FG_PALETTE_LIBRARY. Then add its name and a row in palette.c.
 * --help lists it automatically. Add it to flamegraph(1) and CHANGELOG by hand.
 */
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
	/* From here on, the name of a frame chooses one of the palettes above. */
	FG_PALETTE_WAKEUP,
	FG_PALETTE_CHAIN,
	FG_PALETTE_JAVA,
	FG_PALETTE_JS,
	FG_PALETTE_PERL,
	FG_PALETTE_PYTHON,
	FG_PALETTE_RUST,
	FG_PALETTE_LIBRARY, /* by library: libraries.h has the colours */
	FG_PALETTE_KIND, /* the default, by module: libraries.h has the colours too */
	/*
	 * The rules of older programs, for --compat. They have no names, so keep them
	 * last.
	 */
	FG_PALETTE_JAVA_PERL,
	FG_PALETTE_JAVA_INFERNO,
	FG_PALETTE_JS_OLD,
	FG_PALETTE_PYTHON_OLD,
};

/* Names, indexed by enum fg_palette. Ends in NULL. */
extern const char *const fg_palette_names[];

/*
 * Returns the palette that `palette` stands for with --compat. Returns -1 (no palette)
 * for -1.
 */
int fg_palette_of(int palette, enum fg_compat compat);

/*
 * Returns the colour of a frame. `name` must include its annotation, because some
 * palettes depend on it. Do not call it for FG_PALETTE_LIBRARY and FG_PALETTE_KIND.
 */
struct fg_rgb fg_palette_colour(enum fg_palette palette, struct fg_str name,
				struct fg_shade shade);

/* Returns true if the palette colours frames by their kind of code. */
bool fg_palette_marks_kinds(enum fg_palette palette);

enum fg_ground {
	FG_GROUND_YELLOW,
	FG_GROUND_BLUE,
	FG_GROUND_GREEN,
	FG_GROUND_GREY,
	FG_GROUND_NEUTRAL, /* flat, white or nearly black */
};

/* Names, indexed by enum fg_ground. Ends in NULL. */
extern const char *const fg_ground_names[];

enum fg_light { FG_LIGHT, FG_DARK };

struct fg_background {
	struct fg_rgb top, bottom;
};

/* Returns the background that goes with a palette. */
enum fg_ground fg_palette_ground(enum fg_palette palette);

/*
 * Returns the colours of a background. The dark ones are also in
 * flamegraph/assets/theme.css.
 */
struct fg_background fg_background_of(enum fg_ground ground, enum fg_light light);

/*
 * Reads the name of a ground, in its light form, or "#rrggbb". Returns -1 if it is
 * neither.
 */
int fg_background_parse(const char *text, struct fg_background *background);

/* Returns black or white, whichever is readable on the background. */
struct fg_rgb fg_background_text(struct fg_background background);

#endif

/*
 * Colours, and the numbers that choose them.
 *
 * Names are hashed by code points. A byte that is not UTF-8 counts as U+FFFD.
 */
#ifndef FG_FLAMEGRAPH_COLOUR_H
#define FG_FLAMEGRAPH_COLOUR_H

#include "lib/base/out.h"

struct fg_rgb {
	unsigned char r, g, b;
};

/* Three numbers from 0 up to 1. A palette turns them into a colour. */
struct fg_shade {
	double v[3];
};

/* The state of a pseudo-random generator whose numbers are the same in every run. */
struct fg_random {
	uint64_t state;
};

#define FG_RANDOM_INIT           \
	{                        \
		UINT64_C(0x330e) \
	}

/* The length of "rgb(255,255,255)". */
#define FG_RGB_MAX 16

/*
 * Writes "rgb(r,g,b)", a form that every tool can read. Returns the end of the text.
 * `p` needs FG_RGB_MAX bytes.
 */
char *fg_put_rgb(char *p, struct fg_rgb colour);

/* Like fg_put_rgb(), but writes "#rrggbb", or "#rgb" if that is the same colour. */
char *fg_put_colour(char *p, struct fg_rgb colour);

/*
 * Writes the colour of a frame. Without --compat it is like fg_put_colour(); with
 * --compat it is like fg_put_rgb(), because programs that rewrite pictures of the older
 * tools search for "rgb(". `compat` is an enum fg_compat.
 */
char *fg_put_fill(char *p, struct fg_rgb colour, int compat);

/* Writes ` name="#rrggbb"`, with the value of fg_put_colour(). */
void fg_colour_attr(struct fg_out *out, const char *name, struct fg_rgb colour);

/* Reads "#rrggbb". Returns -1 if the text is anything else. */
int fg_rgb_parse_hex(const char *text, struct fg_rgb *colour);

/* Like fg_rgb_parse_hex(), but also reads "#rgb" and "rgb(r,g,b)". */
int fg_rgb_parse(struct fg_str text, struct fg_rgb *colour);

/*
 * Returns true if text on `ground` must be white because black has a contrast below
 * 4.5.
 */
bool fg_colour_is_dark(struct fg_rgb ground);

/*
 * Returns a shade from the sum of the name's characters. Its three numbers are equal.
 */
struct fg_shade fg_shade_of_sum(struct fg_str name);

/* Return the 64-bit hash FNV-1a, and a shade of three numbers from it. */
uint64_t fg_fnv(struct fg_str name);
struct fg_shade fg_shade_of_fnv(struct fg_str name);

/*
 * Returns a shade. Names that begin and end alike get similar shades. Ignores the
 * module before a "`".
 */
struct fg_shade fg_shade_of_hash(struct fg_str name);

struct fg_shade fg_shade_random(struct fg_random *random);

/* Returns white for 0, red for more, blue for less. `max` is the largest |delta|. */
struct fg_rgb fg_colour_delta(double delta, double max);

/*
 * Like fg_colour_delta(), but with inferno-flamegraph's colours, which are always light
 * enough for black text.
 */
struct fg_rgb fg_colour_delta_pale(double delta, double max);

/* Returns a colour that gets redder as `share` grows from 0 to 1. */
struct fg_rgb fg_colour_diffusion(double share);

#endif

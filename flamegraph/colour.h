/*
 * Colours, and the numbers that choose them.
 *
 * The characters of a name are code points; a byte that is not UTF-8 is U+FFFD.
 */
#ifndef FG_FLAMEGRAPH_COLOUR_H
#define FG_FLAMEGRAPH_COLOUR_H

#include "lib/base/out.h"

struct fg_rgb {
	unsigned char r, g, b;
};

/* Three numbers from 0 up to 1, which a palette turns into a colour. */
struct fg_shade {
	double v[3];
};

/* A stream of numbers that is the same in every run. */
struct fg_random {
	uint64_t state;
};

#define FG_RANDOM_INIT           \
	{                        \
		UINT64_C(0x330e) \
	}

/* "rgb(255,255,255)" */
#define FG_RGB_MAX 16

/*
 * Writes "rgb(r,g,b)", which every tool reads, at `p`, which has FG_RGB_MAX bytes, and
 * returns its end.
 */
char *fg_put_rgb(char *p, struct fg_rgb colour);

/* Writes "#rrggbb", or "#rgb" where that says the same, into as many bytes. */
char *fg_put_colour(char *p, struct fg_rgb colour);

/*
 * Writes a frame's colour as fg_put_colour does, but where `compat`, an enum fg_compat,
 * is not none, as fg_put_rgb: what rewrites such pictures looks for that.
 */
char *fg_put_fill(char *p, struct fg_rgb colour, int compat);

/* Writes ` name="#rrggbb"`, the value as fg_put_colour does. */
void fg_colour_attr(struct fg_out *out, const char *name, struct fg_rgb colour);

/* Reads "#rrggbb": 0, or -1 where it is something else. */
int fg_rgb_parse_hex(const char *text, struct fg_rgb *colour);

/* Reads "#rrggbb", "#rgb" or "rgb(r,g,b)": 0, or -1 where it is something else. */
int fg_rgb_parse(struct fg_str text, struct fg_rgb *colour);

/* Whether text on `ground` has to be white: black has a contrast below 4.5. */
bool fg_colour_is_dark(struct fg_rgb ground);

/* One number for all three, from the sum of the characters. */
struct fg_shade fg_shade_of_sum(struct fg_str name);

/* The hash FNV-1a of 64 bits; and three numbers from it. */
uint64_t fg_fnv(struct fg_str name);
struct fg_shade fg_shade_of_fnv(struct fg_str name);

/* Alike for names that begin and end alike; a module before a ` is left out. */
struct fg_shade fg_shade_of_hash(struct fg_str name);

struct fg_shade fg_shade_random(struct fg_random *random);

/* White for 0, red for more, blue for less; `max` is the largest |delta|. */
struct fg_rgb fg_colour_delta(double delta, double max);

/* The same, as inferno-flamegraph has it: never darker than text can be read on. */
struct fg_rgb fg_colour_delta_pale(double delta, double max);

/* The redder the larger `share`, which is from 0 to 1. */
struct fg_rgb fg_colour_diffusion(double share);

#endif

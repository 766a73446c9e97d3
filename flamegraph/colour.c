/* Reads and writes colours, and hashes names to choose them. */
#include "flamegraph/colour.h"

#include <math.h>

#include "lib/base/number.h"
#include "lib/svg/xml.h"
#include "lib/base/compat.h"
#include "lib/base/utf8.h"

/* Only this many characters at each end of a name are hashed. */
#define HASHED_CHARS 3

/*
 * fg_colour_diffusion() computes the square root of a share as an integer from 0 to
 * DIFFUSION_MAX, which stands for 1.
 */
#define DIFFUSION_MAX 2000

/* The contrast that text needs (https://www.w3.org/TR/WCAG21/#contrast-minimum). */
#define MIN_CONTRAST 4.5

char *fg_put_rgb(char *p, struct fg_rgb colour)
{
	p = fg_put_str(p, FG_STR("rgb("));
	p = fg_put_u64(p, colour.r);
	*p++ = ',';
	p = fg_put_u64(p, colour.g);
	*p++ = ',';
	p = fg_put_u64(p, colour.b);
	*p++ = ')';
	return p;
}

/* Reads hexadecimal digits, `width` for each channel. */
static int read_hex(struct fg_str digits, size_t width, struct fg_rgb *colour)
{
	unsigned parts[3] = { 0, 0, 0 };

	for (size_t i = 0; i < digits.len; i++) {
		unsigned digit = fg_hex_digit(digits.ptr[i]);

		if (digit > 15)
			return -1;
		parts[i / width] = parts[i / width] * 16 + digit;
	}
	for (size_t i = 0; width == 1 && i < 3; i++)
		parts[i] *= 17;
	*colour = (struct fg_rgb){ (unsigned char)parts[0], (unsigned char)parts[1],
				   (unsigned char)parts[2] };
	return 0;
}

/* Reads the text between the parentheses of rgb(). */
static int read_decimal(struct fg_str text, struct fg_rgb *colour)
{
	uint64_t parts[3];

	for (size_t i = 0; i < 3; i++)
		if (fg_str_u64(fg_str_trim(fg_str_cut(&text, ',')), &parts[i]) ||
		    parts[i] > 255)
			return -1;
	if (text.len)
		return -1;
	*colour = (struct fg_rgb){ (unsigned char)parts[0], (unsigned char)parts[1],
				   (unsigned char)parts[2] };
	return 0;
}

char *fg_put_colour(char *p, struct fg_rgb colour)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char parts[3] = { colour.r, colour.g, colour.b };
	bool single = colour.r % 17 == 0 && colour.g % 17 == 0 && colour.b % 17 == 0;

	*p++ = '#';
	for (size_t i = 0; i < 3; i++) {
		*p++ = digits[parts[i] / 16];
		if (!single)
			*p++ = digits[parts[i] % 16];
	}
	return p;
}

char *fg_put_fill(char *p, struct fg_rgb colour, int compat)
{
	return compat == FG_COMPAT_NONE ? fg_put_colour(p, colour) :
					  fg_put_rgb(p, colour);
}

void fg_colour_attr(struct fg_out *out, const char *name, struct fg_rgb colour)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_colour(text, colour);

	fg_xml_attr(out, name, fg_str_of(text, (size_t)(end - text)));
}

int fg_rgb_parse_hex(const char *text, struct fg_rgb *colour)
{
	struct fg_str s = fg_str_from(text);

	if (s.len != 7 || s.ptr[0] != '#')
		return -1;
	return read_hex(fg_str_from_pos(s, 1), 2, colour);
}

int fg_rgb_parse(struct fg_str text, struct fg_rgb *colour)
{
	static const struct fg_str open = FG_STR_INIT("rgb(");

	if (fg_str_starts(text, open) && fg_str_cut_end(&text, FG_STR(")")))
		return read_decimal(fg_str_from_pos(text, open.len), colour);
	if ((text.len == 4 || text.len == 7) && text.ptr[0] == '#')
		return read_hex(fg_str_from_pos(text, 1), text.len / 3, colour);
	return -1;
}

/* Converts a channel of sRGB to linear light, from 0 to 1. */
static double linear(unsigned char channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

bool fg_colour_is_dark(struct fg_rgb ground)
{
	double luminance = 0.2126 * linear(ground.r) + 0.7152 * linear(ground.g) +
			   0.0722 * linear(ground.b);

	return luminance + 0.05 < MIN_CONTRAST * 0.05;
}

/*
 * Returns the next number from 0 up to 1 of the generator that POSIX specifies for
 * drand48().
 */
static double next_number(uint64_t *state)
{
	*state = (*state * UINT64_C(0x5deece66d) + 0xb) & ((UINT64_C(1) << 48) - 1);
	return (double)*state / (double)(UINT64_C(1) << 48);
}

static uint32_t next_char(struct fg_str *s)
{
	unsigned char lead = (unsigned char)s->ptr[0];
	struct fg_utf8_char c;

	if (lead < 0x80) {
		s->ptr++;
		s->len--;
		return lead;
	}
	c = fg_utf8_first(*s);
	*s = fg_str_from_pos(*s, c.len);
	return c.code;
}

struct fg_shade fg_shade_of_sum(struct fg_str name)
{
	uint32_t sum = 0;
	uint64_t state;
	double v;

	while (name.len)
		sum += next_char(&name);
	state = (uint64_t)sum << 16 | 0x330e;
	v = next_number(&state);
	return (struct fg_shade){ { v, v, v } };
}

/*
 * The prime of the 64-bit hash FNV-1a. To get more numbers from a hash, we multiply by
 * it again, which is like hashing a zero byte.
 */
#define FNV_PRIME UINT64_C(0x100000001b3)

uint64_t fg_fnv(struct fg_str name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (unsigned char)name.ptr[i]) * FNV_PRIME;
	return hash;
}

struct fg_shade fg_shade_of_fnv(struct fg_str name)
{
	uint64_t hash = fg_fnv(name);
	struct fg_shade shade;

	for (size_t i = 0; i < 3; i++) {
		shade.v[i] = (float)((double)hash / (double)UINT64_MAX);
		hash *= FNV_PRIME;
	}
	return shade;
}

/* The characters to hash, in the order in which they are hashed. */
struct hashed {
	uint32_t chars[HASHED_CHARS];
	size_t count;
};

static double vector_hash(const struct hashed *h)
{
	double vector = 0, weight = 1, max = 1;

	for (size_t i = 0; i < h->count; i++) {
		unsigned modulus = 10 + (unsigned)i;

		vector += (double)(h->chars[i] % modulus) / (modulus - 1) * weight;
		max += weight;
		weight *= 0.70;
	}
	return 1 - vector / max;
}

/*
 * Returns the first characters of a name. Skips a module such as "libc.so`": everything
 * up to the first back quote that is not the first character.
 */
static struct hashed first_chars(struct fg_str name)
{
	struct hashed h = { { 0 }, 0 };
	bool prefix_cut = false;

	for (size_t i = 0; name.len; i++) {
		uint32_t c = next_char(&name);

		if (c == '`' && i && !prefix_cut) {
			prefix_cut = true;
			h.count = 0;
		} else if (h.count < HASHED_CHARS) {
			h.chars[h.count++] = c;
		} else if (prefix_cut) {
			break;
		}
	}
	return h;
}

static void push_front(struct hashed *h, uint32_t c)
{
	h->chars[2] = h->chars[1];
	h->chars[1] = h->chars[0];
	h->chars[0] = c;
	h->count += h->count < HASHED_CHARS;
}

/* Like first_chars(), for the name read backwards. */
static struct hashed last_chars(struct fg_str name)
{
	struct hashed h = { { 0 }, 0 }, before_quote = { { 0 }, 0 };
	bool quote_seen = false;

	while (name.len) {
		uint32_t c = next_char(&name);

		if (c == '`' && name.len) {
			quote_seen = true;
			before_quote = h;
		}
		push_front(&h, c);
	}
	return quote_seen ? before_quote : h;
}

struct fg_shade fg_shade_of_hash(struct fg_str name)
{
	struct hashed forwards = first_chars(name);
	struct hashed backwards = last_chars(name);
	double back = vector_hash(&backwards);

	return (struct fg_shade){ { vector_hash(&forwards), back, back } };
}

struct fg_shade fg_shade_random(struct fg_random *random)
{
	struct fg_shade shade;

	for (size_t i = 0; i < 3; i++)
		shade.v[i] = next_number(&random->state);
	return shade;
}

/*
 * The range of colours for deltas. `none` is the grey of no delta. A delta lowers two
 * of the three channels: from least + span for a small delta down to `least` for the
 * largest.
 */
struct scale {
	unsigned char none, least, span;
};

static struct fg_rgb scaled_delta(struct scale scale, double delta, double max)
{
	double size = delta < 0 ? -delta : delta;
	unsigned char rest;

	/*
	 * `max` is the largest delta of a single line; a stack that has several lines
	 * can have a larger one
	 */
	if (size > max)
		size = max;
	rest = (unsigned char)(scale.least +
			       (unsigned)(scale.span * (max - size) / max));
	if (delta > 0)
		return (struct fg_rgb){ 255, rest, rest };
	if (delta < 0)
		return (struct fg_rgb){ rest, rest, 255 };
	return (struct fg_rgb){ scale.none, scale.none, scale.none };
}

struct fg_rgb fg_colour_delta(double delta, double max)
{
	return scaled_delta((struct scale){ 255, 0, 210 }, delta, max);
}

struct fg_rgb fg_colour_delta_pale(double delta, double max)
{
	return scaled_delta((struct scale){ 250, 100, 150 }, delta, max);
}

struct fg_rgb fg_colour_diffusion(double share)
{
	unsigned squared = (unsigned)(share * DIFFUSION_MAX * DIFFUSION_MAX);
	unsigned value = (unsigned)sqrt(squared);
	unsigned char rest;

	if (!value)
		return (struct fg_rgb){ 250, 250, 250 };
	rest = (unsigned char)(100 + 150 * (DIFFUSION_MAX - value) / DIFFUSION_MAX);
	return (struct fg_rgb){ 255, rest, rest };
}

/*
 * The palettes. Each has three ramps (for red, green and blue) or a rule that chooses
 * another palette by the name of the frame.
 */
#include "flamegraph/palette.h"

#include <string.h>

#include "lib/profile/library.h"

const char *const fg_palette_names[] = {
	[FG_PALETTE_HOT] = "hot",	[FG_PALETTE_MEM] = "mem",
	[FG_PALETTE_IO] = "io",		[FG_PALETTE_RED] = "red",
	[FG_PALETTE_GREEN] = "green",	[FG_PALETTE_BLUE] = "blue",
	[FG_PALETTE_YELLOW] = "yellow", [FG_PALETTE_PURPLE] = "purple",
	[FG_PALETTE_AQUA] = "aqua",	[FG_PALETTE_ORANGE] = "orange",
	[FG_PALETTE_WAKEUP] = "wakeup", [FG_PALETTE_CHAIN] = "chain",
	[FG_PALETTE_JAVA] = "java",	[FG_PALETTE_JS] = "js",
	[FG_PALETTE_PERL] = "perl",	[FG_PALETTE_PYTHON] = "python",
	[FG_PALETTE_RUST] = "rust",	[FG_PALETTE_LIBRARY] = "library",
	[FG_PALETTE_KIND] = "kind",	NULL,
};

int fg_palette_of(int palette, enum fg_compat compat)
{
	if (compat == FG_COMPAT_NONE)
		return palette;
	switch (palette) {
	case FG_PALETTE_JAVA:
		return compat == FG_COMPAT_INFERNO ? FG_PALETTE_JAVA_INFERNO :
						     FG_PALETTE_JAVA_PERL;
	case FG_PALETTE_JS:
		return FG_PALETTE_JS_OLD;
	case FG_PALETTE_PYTHON:
		return FG_PALETTE_PYTHON_OLD;
	default:
		return palette;
	}
}

static bool has(struct fg_str name, const char *part)
{
	return fg_str_has(name, fg_str_from(part));
}

static bool starts(struct fg_str name, const char *prefix)
{
	return fg_str_starts(name, fg_str_from(prefix));
}

static bool ends(struct fg_str name, const char *suffix)
{
	return fg_str_ends(name, fg_str_from(suffix));
}

/* Returns true if `name` starts with one of the prefixes. The list ends in NULL. */
static bool starts_with_any(struct fg_str name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (starts(name, *prefixes))
			return true;
	return false;
}

static enum fg_palette wakeup(struct fg_str name)
{
	(void)name;
	return FG_PALETTE_AQUA;
}

static enum fg_palette chain(struct fg_str name)
{
	return has(name, "_[w]") ? FG_PALETTE_AQUA : FG_PALETTE_BLUE;
}

static enum fg_palette java_perl(struct fg_str name)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/",
						"net/",	 "org/",   "com/",
						"io/",	 "sun/",   NULL };

	/* async-profiler writes _[1] and _[0] */
	if (ends(name, "_[j]") || ends(name, "_[1]") || ends(name, "_[0]"))
		return FG_PALETTE_GREEN;
	if (ends(name, "_[i]"))
		return FG_PALETTE_AQUA;
	if (starts_with_any(name, packages) ||
	    (starts(name, "L") && starts_with_any(fg_str_from_pos(name, 1), packages)))
		return FG_PALETTE_GREEN;
	if (has(name, ":::"))
		return FG_PALETTE_GREEN;
	if (has(name, "::"))
		return FG_PALETTE_YELLOW;
	return ends(name, "_[k]") ? FG_PALETTE_ORANGE : FG_PALETTE_RED;
}

/*
 * Returns true for a letter, a digit, '_', '$' and '-'. Names made by Kotlin's compiler
 * have '-'.
 */
static bool is_java_char(char c)
{
	return fg_is_word(c) || c == '$' || c == '-' || (unsigned char)c >= 0x80;
}

static bool is_java_name(struct fg_str s)
{
	return s.len && !fg_is_digit(s.ptr[0]) && fg_str_all(s, is_java_char);
}

/*
 * Returns "java.util.Map.put" of "java.util.Map.put:12" and "App.main" of "void
 * App.main(java.lang.String[])".
 */
static struct fg_str java_path(struct fg_str name)
{
	struct fg_str path = fg_str_before(name, fg_str_find_char(name, '('));
	size_t blank = fg_str_rfind_char(path, ' ');
	size_t digits;

	if (blank < path.len)
		path = fg_str_from_pos(path, blank + 1);
	digits = fg_str_end_span(path, fg_is_digit);
	if (digits && digits < path.len && path.ptr[path.len - digits - 1] == ':')
		path = fg_str_before(path, path.len - digits - 1);
	return path;
}

/*
 * Returns true for a method after its class and a dot, like "java.util.Map.put". JFR,
 * jstack and the perf maps of JDK 17 write it so. The class must start with a capital,
 * or the package must be well known.
 */
static bool is_java_method(struct fg_str name)
{
	static const char *const packages[] = {
		"java.", "javax.",  "jdk.",   "sun.",	  "net.",     "org.",	 "com.",
		"io.",	 "kotlin.", "scala.", "clojure.", "android.", "groovy.", NULL
	};
	struct fg_str path = java_path(name), rest = path, class = FG_STR("");
	size_t dot;

	while ((dot = fg_str_find_char(rest, '.')) < rest.len) {
		class = fg_str_before(rest, dot);
		rest = fg_str_from_pos(rest, dot + 1);
		if (!is_java_name(class))
			return false;
	}
	if (!class.len || fg_library_is_clone(rest) ||
	    (!is_java_name(rest) && !fg_str_eq(rest, FG_STR("<init>")) &&
	     !fg_str_eq(rest, FG_STR("<clinit>"))))
		return false;
	return (class.ptr[0] >= 'A' && class.ptr[0] <= 'Z') ||
	       starts_with_any(path, packages);
}

static enum fg_palette java(struct fg_str name)
{
	return is_java_method(name) ? FG_PALETTE_GREEN : java_perl(name);
}

/* Like inferno-flamegraph, treats every name that could be a Java class as one. */
static enum fg_palette java_inferno(struct fg_str name)
{
	struct fg_str rest = name;

	if (ends(name, "_[k]"))
		return FG_PALETTE_ORANGE;
	if (ends(name, "_[i]"))
		return FG_PALETTE_AQUA;
	if (ends(name, "_[j]"))
		return FG_PALETTE_GREEN;
	if (has(name, "::") || starts(name, "-[") || starts(name, "+["))
		return FG_PALETTE_YELLOW;
	if (starts(name, "L"))
		rest = fg_str_from_pos(name, 1);
	if (has(rest, "/") || (has(rest, ".") && !starts(rest, "[")) ||
	    (rest.len && rest.ptr[0] >= 'A' && rest.ptr[0] <= 'Z'))
		return FG_PALETTE_GREEN;
	return FG_PALETTE_RED;
}

static enum fg_palette js_old(struct fg_str name)
{
	size_t slash = fg_str_find_char(name, '/');

	if (ends(name, "_[j]"))
		return slash < name.len ? FG_PALETTE_GREEN : FG_PALETTE_AQUA;
	if (has(name, "::"))
		return FG_PALETTE_YELLOW;
	if (has(fg_str_from_pos(name, slash), ".js"))
		return FG_PALETTE_GREEN;
	if (has(name, ":"))
		return FG_PALETTE_AQUA;
	if (fg_str_eq(name, FG_STR(" ")))
		return FG_PALETTE_GREEN;
	return has(name, "_[k]") ? FG_PALETTE_ORANGE : FG_PALETTE_RED;
}

/*
 * Returns true if a name contains a place in a JavaScript file: "f:app.mjs:12",
 * "(anonymous) (app.ts)".
 */
static bool has_js_place(struct fg_str name)
{
	static const char *const files[] = {
		".js",	".mjs", ".cjs", ".jsx", ".ts",
		".mts", ".cts", ".tsx", ".vue", ".svelte"
	};
	bool has_place = has(name, ":") || has(name, "/") || has(name, " (");

	fg_str_cut_end(&name, FG_STR(")"));
	/* cut the line off, and the column if there is one */
	for (int i = 0; i < 2; i++) {
		size_t digits = fg_str_end_span(name, fg_is_digit);

		if (digits && digits < name.len &&
		    name.ptr[name.len - digits - 1] == ':')
			name = fg_str_before(name, name.len - digits - 1);
	}
	for (size_t i = 0; has_place && i < FG_COUNT_OF(files); i++)
		if (ends(name, files[i]))
			return true;
	return false;
}

static enum fg_palette js(struct fg_str name)
{
	return !has(name, "::") && has_js_place(name) ? FG_PALETTE_GREEN : js_old(name);
}

static enum fg_palette perl(struct fg_str name)
{
	if (has(name, "::"))
		return FG_PALETTE_YELLOW;
	if (has(name, "Perl") || has(name, ".pl"))
		return FG_PALETTE_GREEN;
	return ends(name, "_[k]") ? FG_PALETTE_ORANGE : FG_PALETTE_RED;
}

/* Returns true for a folder of the standard library, such as "python3.11". */
static bool is_python_folder(struct fg_str part)
{
	if (!starts(part, "python") && !starts(part, "Python"))
		return false;
	for (size_t i = strlen("python"); i < part.len; i++)
		if (!fg_is_digit(part.ptr[i]) && part.ptr[i] != '.')
			return false;
	return true;
}

/*
 * Returns true for a character that ends a part of a name. With `places`, this includes
 * the separators before a path: "f (lib/a.py:3)", "f:lib/a.py:3".
 */
static bool ends_python_part(char c, bool places)
{
	return c == '/' || c == '\\' || (places && (c == '(' || c == ':'));
}

static enum fg_palette python_of_parts(struct fg_str name, bool places)
{
	static const char *const builtin[] = { "<built-in", "<method", "<frozen",
					       NULL };
	bool library = starts_with_any(name, builtin);
	size_t start = 0;

	for (size_t i = 0; i <= name.len; i++) {
		struct fg_str part;

		if (i < name.len && !ends_python_part(name.ptr[i], places))
			continue;
		part = fg_str_of(name.ptr + start, i - start);
		if (fg_str_eq(part, FG_STR("site-packages")) ||
		    (places && fg_str_eq(part, FG_STR("dist-packages"))))
			return FG_PALETTE_AQUA;
		library = library || is_python_folder(part) ||
			  (places && starts(part, "<frozen"));
		start = i + 1;
	}
	return library ? FG_PALETTE_YELLOW : FG_PALETTE_RED;
}

static enum fg_palette python(struct fg_str name)
{
	return python_of_parts(name, true);
}

static enum fg_palette python_old(struct fg_str name)
{
	return python_of_parts(name, false);
}

static enum fg_palette rust(struct fg_str name)
{
	static const char *const crates[] = {
		"core::", "std::", "alloc::", "<core::", "<std::", "<alloc::", NULL
	};
	size_t quote = fg_str_find_char(name, '`');

	if (quote < name.len)
		name = fg_str_from_pos(name, quote + 1);
	/*
	 * an async function of the user is compiled to GenFuture, so it is not code of
	 * the crate core
	 */
	if (starts_with_any(name, crates) &&
	    !starts(name, "<core::future::from_generator::GenFuture<T>"))
		return FG_PALETTE_ORANGE;
	return has(name, "::") ? FG_PALETTE_AQUA : FG_PALETTE_YELLOW;
}

/*
 * A channel of a colour: base + int(span * v[which]), where v is the shade of the name.
 * By default all three numbers of a shade are equal, so that a ramp has one hue unless
 * its channels have different spans.
 */
struct channel {
	unsigned char base, span, which;
};

typedef enum fg_palette palette_rule(struct fg_str name);

struct palette {
	palette_rule *rule; /* chooses the palette whose ramp a name gets */
	enum fg_ground ground; /* the background that goes with it */
	struct channel ramp[3]; /* red, green, blue; unused if there is a rule */
};

/* --colors library and kind have no ramp: flamegraph/libraries.c has their colours. */
static const struct palette palettes[] = {
	[FG_PALETTE_HOT] = { .ramp = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
			     .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_MEM] = { .ramp = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } },
			     .ground = FG_GROUND_GREEN },
	[FG_PALETTE_IO] = { .ramp = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
			    .ground = FG_GROUND_BLUE },
	[FG_PALETTE_RED] = { .ramp = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
			     .ground = FG_GROUND_GREY },
	[FG_PALETTE_GREEN] = { .ramp = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
			       .ground = FG_GROUND_GREY },
	[FG_PALETTE_BLUE] = { .ramp = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
			      .ground = FG_GROUND_GREY },
	[FG_PALETTE_YELLOW] = { .ramp = { { 175, 55, 0 },
					  { 175, 55, 0 },
					  { 50, 20, 0 } },
				.ground = FG_GROUND_GREY },
	[FG_PALETTE_PURPLE] = { .ramp = { { 190, 65, 0 },
					  { 80, 60, 0 },
					  { 190, 65, 0 } },
				.ground = FG_GROUND_GREY },
	[FG_PALETTE_AQUA] = { .ramp = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
			      .ground = FG_GROUND_GREY },
	[FG_PALETTE_ORANGE] = { .ramp = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
				.ground = FG_GROUND_GREY },
	[FG_PALETTE_WAKEUP] = { .rule = wakeup, .ground = FG_GROUND_BLUE },
	[FG_PALETTE_CHAIN] = { .rule = chain, .ground = FG_GROUND_BLUE },
	[FG_PALETTE_JAVA] = { .rule = java, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_JS] = { .rule = js, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_PERL] = { .rule = perl, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_PYTHON] = { .rule = python, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_RUST] = { .rule = rust, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_LIBRARY] = { .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_KIND] = { .ground = FG_GROUND_NEUTRAL },
	[FG_PALETTE_JAVA_PERL] = { .rule = java_perl, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_JAVA_INFERNO] = { .rule = java_inferno,
				      .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_JS_OLD] = { .rule = js_old, .ground = FG_GROUND_YELLOW },
	[FG_PALETTE_PYTHON_OLD] = { .rule = python_old, .ground = FG_GROUND_YELLOW },
};

bool fg_palette_marks_kinds(enum fg_palette palette)
{
	return palettes[palette].rule;
}

static unsigned char mix(struct channel c, struct fg_shade shade)
{
	return (unsigned char)(c.base + (unsigned)(c.span * shade.v[c.which]));
}

struct fg_rgb fg_palette_colour(enum fg_palette palette, struct fg_str name,
				struct fg_shade shade)
{
	palette_rule *rule = palettes[palette].rule;
	const struct channel *ramp;

	if (rule)
		palette = ends(name, "_[o]") ? FG_PALETTE_BLUE : rule(name);
	ramp = palettes[palette].ramp;
	return (struct fg_rgb){ mix(ramp[0], shade), mix(ramp[1], shade),
				mix(ramp[2], shade) };
}

const char *const fg_ground_names[] = {
	[FG_GROUND_YELLOW] = "yellow",	 [FG_GROUND_BLUE] = "blue",
	[FG_GROUND_GREEN] = "green",	 [FG_GROUND_GREY] = "grey",
	[FG_GROUND_NEUTRAL] = "neutral", NULL,
};

/* The backgrounds by ground: light, dark. */
static const struct fg_background grounds[][2] = {
	[FG_GROUND_YELLOW] = { { { 0xee, 0xee, 0xee }, { 0xee, 0xee, 0xb0 } },
			       { { 0x1c, 0x1c, 0x1c }, { 0x2c, 0x2c, 0x18 } } },
	[FG_GROUND_BLUE] = { { { 0xee, 0xee, 0xee }, { 0xe0, 0xe0, 0xff } },
			     { { 0x1c, 0x1c, 0x1c }, { 0x1c, 0x1c, 0x38 } } },
	[FG_GROUND_GREEN] = { { { 0xee, 0xf2, 0xee }, { 0xe0, 0xff, 0xe0 } },
			      { { 0x1c, 0x1e, 0x1c }, { 0x16, 0x2e, 0x1a } } },
	[FG_GROUND_GREY] = { { { 0xf8, 0xf8, 0xf8 }, { 0xe8, 0xe8, 0xe8 } },
			     { { 0x18, 0x18, 0x18 }, { 0x28, 0x28, 0x28 } } },
	[FG_GROUND_NEUTRAL] = { { { 0xff, 0xff, 0xff }, { 0xff, 0xff, 0xff } },
				{ { 0x17, 0x19, 0x1d }, { 0x17, 0x19, 0x1d } } },
};

enum fg_ground fg_palette_ground(enum fg_palette palette)
{
	return palettes[palette].ground;
}

struct fg_background fg_background_of(enum fg_ground ground, enum fg_light light)
{
	return grounds[ground][light];
}

int fg_background_parse(const char *text, struct fg_background *background)
{
	struct fg_rgb flat;

	for (size_t i = 0; fg_ground_names[i]; i++)
		if (!strcmp(text, fg_ground_names[i])) {
			*background = grounds[i][FG_LIGHT];
			return 0;
		}
	if (fg_rgb_parse_hex(text, &flat))
		return -1;
	*background = (struct fg_background){ flat, flat };
	return 0;
}

struct fg_rgb fg_background_text(struct fg_background background)
{
	unsigned char value = fg_colour_is_dark(background.top) ? 255 : 0;

	return (struct fg_rgb){ value, value, value };
}

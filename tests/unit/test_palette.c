/* Tests of flamegraph/palette and flamegraph/colour. */
#include "flamegraph/palette.h"

#include "flamegraph/assets.h"
#include "tests/unit/support/support.h"

static void check_rgb(struct fg_rgb got, struct fg_rgb want)
{
	assert_int_equal(got.r, want.r);
	assert_int_equal(got.g, want.g);
	assert_int_equal(got.b, want.b);
}

static struct fg_rgb coloured(enum fg_palette palette, const char *name)
{
	struct fg_str s = fg_str_from(name);

	return fg_palette_colour(palette, s, fg_shade_of_sum(s));
}

/* The colours are those of flamegraph.pl, on every machine. */
static void known_colours(void **state)
{
	(void)state;
	check_rgb(coloured(FG_PALETTE_HOT, ""), (struct fg_rgb){ 213, 39, 9 });
	check_rgb(coloured(FG_PALETTE_HOT, "a"), (struct fg_rgb){ 236, 146, 35 });
	check_rgb(coloured(FG_PALETTE_CHAIN, "a"), (struct fg_rgb){ 118, 118, 236 });
}

static const struct {
	const char *name;
	enum fg_palette palette, ramp;
} names[] = {
	{ "x", FG_PALETTE_WAKEUP, FG_PALETTE_AQUA },
	{ "x_[w]", FG_PALETTE_CHAIN, FG_PALETTE_AQUA },
	{ "x", FG_PALETTE_CHAIN, FG_PALETTE_BLUE },
	{ "a::b_[j]", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "App.run_[0]", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "App.run_[1]", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "a::b_[i]", FG_PALETTE_JAVA, FG_PALETTE_AQUA },
	{ "Ljava/lang/X", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "LLjava/lang/X", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "a:::b", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "a::b_[k]", FG_PALETTE_JAVA, FG_PALETTE_YELLOW },
	{ "read_[k]", FG_PALETTE_JAVA, FG_PALETTE_ORANGE },
	{ "main", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "App.main", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "App$1.run:12", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "java.util.HashMap.<init>", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "com.acme.x.call", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "App$$Lambda.run", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "my.app.Main.lambda$main$0", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "void App.main(java.lang.String[])", FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "java.lang.Object[] java.util.Arrays.copyOf(java.lang.Object[], int)",
	  FG_PALETTE_JAVA, FG_PALETTE_GREEN },
	{ "App.main", FG_PALETTE_JAVA_PERL, FG_PALETTE_RED },
	{ "Parse.cold", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "Parse.isra.0", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "libc.so.6", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "main.work", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "[libFoo.so]", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "App.", FG_PALETTE_JAVA, FG_PALETTE_RED },
	{ "Arena::grow(Chunk.x)", FG_PALETTE_JAVA, FG_PALETTE_YELLOW },
	{ "f /a.js:1_[j]", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "f_[j]", FG_PALETTE_JS, FG_PALETTE_AQUA },
	{ "f /a.js:1", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ ".js/", FG_PALETTE_JS, FG_PALETTE_RED },
	{ "a:b", FG_PALETTE_JS, FG_PALETTE_AQUA },
	{ "f:app.js:12", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "f:app.mjs:12:5", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "(anonymous):app.ts", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "(anonymous) (estree.mjs)", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "(anonymous) (lib/index.js)", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "(anonymous) (node:fs)", FG_PALETTE_JS, FG_PALETTE_AQUA },
	{ "f /srv/app.mjs:1", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "app.js:3", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "app.mjs", FG_PALETTE_JS, FG_PALETTE_RED },
	{ "run:task_queues:95", FG_PALETTE_JS, FG_PALETTE_AQUA },
	{ "v8::Script:a.js", FG_PALETTE_JS, FG_PALETTE_YELLOW },
	{ "f:app.js:12", FG_PALETTE_JS_OLD, FG_PALETTE_AQUA },
	{ " ", FG_PALETTE_JS, FG_PALETTE_GREEN },
	{ "  ", FG_PALETTE_JS, FG_PALETTE_RED },
	{ "x_[k]y", FG_PALETTE_JS, FG_PALETTE_ORANGE },
	{ "Perl_x::y", FG_PALETTE_PERL, FG_PALETTE_YELLOW },
	{ "Perl_x", FG_PALETTE_PERL, FG_PALETTE_GREEN },
	{ "x_[k]", FG_PALETTE_PERL, FG_PALETTE_ORANGE },
	{ "/lib/python3.11/site-packages/x", FG_PALETTE_PYTHON, FG_PALETTE_AQUA },
	{ "C:\\Python39\\lib", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "/usr/lib/python3.11/x", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "pythonic/x", FG_PALETTE_PYTHON, FG_PALETTE_RED },
	{ "<frozen x>", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "f (python3.11/json/decoder.py:1)", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "f:python3.11/json/decoder.py:1", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "f (site-packages/x.py:1)", FG_PALETTE_PYTHON, FG_PALETTE_AQUA },
	{ "f:/usr/lib/python3/dist-packages/x.py:1", FG_PALETTE_PYTHON,
	  FG_PALETTE_AQUA },
	{ "f (<frozen importlib._bootstrap>:1)", FG_PALETTE_PYTHON, FG_PALETTE_YELLOW },
	{ "f (app.py:1)", FG_PALETTE_PYTHON, FG_PALETTE_RED },
	{ "f (python3.11/x.py:1)", FG_PALETTE_PYTHON_OLD, FG_PALETTE_RED },
	{ "core::ops", FG_PALETTE_RUST, FG_PALETTE_ORANGE },
	{ "libc`std::x", FG_PALETTE_RUST, FG_PALETTE_ORANGE },
	{ "<std::x as y>", FG_PALETTE_RUST, FG_PALETTE_ORANGE },
	{ "<core::future::from_generator::GenFuture<T>", FG_PALETTE_RUST,
	  FG_PALETTE_AQUA },
	{ "mine::f", FG_PALETTE_RUST, FG_PALETTE_AQUA },
	{ "main", FG_PALETTE_RUST, FG_PALETTE_YELLOW },
	{ "read_[o]", FG_PALETTE_JAVA, FG_PALETTE_BLUE },
	{ "core::read_[o]", FG_PALETTE_RUST, FG_PALETTE_BLUE },
	{ "/usr/lib/python3.11/x_[o]", FG_PALETTE_PYTHON, FG_PALETTE_BLUE },
	{ "_[o]x", FG_PALETTE_JAVA, FG_PALETTE_RED },
};

static void names_choose_the_ramp(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		check_rgb(coloured(names[i].palette, names[i].name),
			  coloured(names[i].ramp, names[i].name));
}

static void every_palette_is_named(void **state)
{
	size_t count = 0;

	(void)state;
	while (fg_palette_names[count])
		count++;
	assert_int_equal(count, FG_PALETTE_KIND + 1);
}

static void check_hash(const char *name, const char *like)
{
	struct fg_shade got = fg_shade_of_hash(fg_str_from(name));
	struct fg_shade want = fg_shade_of_hash(fg_str_from(like));

	assert_memory_equal(got.v, want.v, sizeof(got.v));
}

static void hash_skips_modules(void **state)
{
	struct fg_shade a = fg_shade_of_hash(FG_STR("lib`abcdef"));
	struct fg_shade b = fg_shade_of_hash(FG_STR("abcdef"));
	struct fg_shade c = fg_shade_of_hash(FG_STR("abcxyz"));

	(void)state;
	assert_true(a.v[0] == b.v[0]);
	assert_true(b.v[0] == c.v[0]);
	assert_false(b.v[1] == c.v[1]);
	check_hash("", "");
	check_hash("`", "`");
	check_hash("x``ab`c``y", "q``ab`c``y");
	assert_true(fg_shade_of_hash(FG_STR("")).v[0] == 1);
}

static void shades_stay_in_range(void **state)
{
	struct random r = { 7 };
	struct fg_random random = FG_RANDOM_INIT;
	struct fg_buf name = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 20000; i++) {
		struct fg_shade shades[3];

		fg_buf_clear(&name);
		random_bytes(&r, &name, random_below(&r, 12), FG_STR(""));
		shades[0] = fg_shade_of_sum(fg_buf_str(&name));
		shades[1] = fg_shade_of_hash(fg_buf_str(&name));
		shades[2] = fg_shade_random(&random);
		for (size_t j = 0; j < 3; j++)
			for (size_t k = 0; k < 3; k++)
				assert_true(shades[j].v[k] >= 0 && shades[j].v[k] <= 1);
	}
	fg_buf_release(&name);
}

static void deltas(void **state)
{
	(void)state;
	check_rgb(fg_colour_delta(0, 1), (struct fg_rgb){ 255, 255, 255 });
	check_rgb(fg_colour_delta(5, 5), (struct fg_rgb){ 255, 0, 0 });
	check_rgb(fg_colour_delta(1, 4), (struct fg_rgb){ 255, 157, 157 });
	check_rgb(fg_colour_delta(-1, 4), (struct fg_rgb){ 157, 157, 255 });
	check_rgb(fg_colour_delta_pale(0, 1), (struct fg_rgb){ 250, 250, 250 });
	check_rgb(fg_colour_delta_pale(-7, 5), (struct fg_rgb){ 100, 100, 255 });
	check_rgb(fg_colour_delta_pale(1, 2), (struct fg_rgb){ 255, 175, 175 });
	check_rgb(fg_colour_diffusion(0), (struct fg_rgb){ 250, 250, 250 });
	check_rgb(fg_colour_diffusion(0.25), (struct fg_rgb){ 255, 175, 175 });
	check_rgb(fg_colour_diffusion(1), (struct fg_rgb){ 255, 100, 100 });
}

/* Returns c^2.4 by halving: the y whose fifth power is c^12. */
static double power(double c)
{
	double c4 = c * c * c * c, low = 0, high = 1;

	for (int i = 0; i < 60; i++) {
		double y = (low + high) / 2;

		if (y * y * y * y * y < c4 * c4 * c4)
			low = y;
		else
			high = y;
	}
	return low;
}

static double luminance(struct fg_rgb colour)
{
	const double weights[] = { 0.2126, 0.7152, 0.0722 };
	const unsigned char parts[] = { colour.r, colour.g, colour.b };
	double sum = 0;

	for (size_t i = 0; i < 3; i++) {
		double c = parts[i] / 255.0;

		sum += weights[i] *
		       (c <= 0.04045 ? c / 12.92 : power((c + 0.055) / 1.055));
	}
	return sum;
}

static double contrast(struct fg_rgb a, struct fg_rgb b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* Returns the colour of a label on `ground`. */
static struct fg_rgb label(struct fg_rgb ground)
{
	unsigned char value = fg_colour_is_dark(ground) ? 255 : 0;

	return (struct fg_rgb){ value, value, value };
}

static void check_label(struct fg_rgb ground)
{
	struct fg_rgb black = { 0, 0, 0 };

	assert_true(contrast(label(ground), ground) >= 4.5);
	assert_int_equal(fg_colour_is_dark(ground), contrast(black, ground) < 4.5);
}

static void labels_are_readable_on_each_colour(void **state)
{
	struct random r = { 5 };
	struct fg_random random = FG_RANDOM_INIT;

	(void)state;
	check_label((struct fg_rgb){ 0x74, 0x74, 0x74 });
	check_label((struct fg_rgb){ 0x75, 0x75, 0x75 });
	assert_true(fg_colour_is_dark((struct fg_rgb){ 0x74, 0x74, 0x74 }));
	assert_false(fg_colour_is_dark((struct fg_rgb){ 0x75, 0x75, 0x75 }));
	for (int i = 0; i < 20000; i++)
		check_label((struct fg_rgb){ (unsigned char)random_below(&r, 256),
					     (unsigned char)random_below(&r, 256),
					     (unsigned char)random_below(&r, 256) });
	for (int palette = FG_PALETTE_HOT; palette < FG_PALETTE_WAKEUP; palette++)
		for (int i = 0; i < 500; i++)
			check_label(fg_palette_colour((enum fg_palette)palette,
						      FG_STR(""),
						      fg_shade_random(&random)));
	for (int delta = -100; delta <= 100; delta++) {
		check_label(fg_colour_delta(delta, 100));
		check_label(fg_colour_diffusion((100 + delta) / 200.0));
	}
}

static void texts_are_readable_on_each_ground(void **state)
{
	(void)state;
	for (size_t i = 0; fg_ground_names[i]; i++)
		for (int light = FG_LIGHT; light <= FG_DARK; light++) {
			struct fg_background b = fg_background_of((enum fg_ground)i,
								  (enum fg_light)light);
			struct fg_rgb text = fg_background_text(b);

			assert_true(contrast(text, b.top) >= 4.5);
			assert_true(contrast(text, b.bottom) >= 4.5);
			assert_int_equal(text.r, light == FG_LIGHT ? 0 : 255);
		}
}

static void check_rule(const char *ground, const char *which, struct fg_rgb colour)
{
	struct fg_str style = fg_str_of(fg_asset_theme_css, fg_asset_theme_css_len);
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_addf(&text, ".fg-%s stop:%s-child", ground, which);
	style = fg_str_from_pos(style, fg_str_find(style, fg_buf_str(&text)));
	style = fg_str_from_pos(style, fg_str_find_char(style, '{'));
	fg_buf_clear(&text);
	fg_buf_addf(&text, "{stop-color:#%02x%02x%02x}", colour.r, colour.g, colour.b);
	assert_true(fg_str_starts(style, fg_buf_str(&text)));
	fg_buf_release(&text);
}

/* The style sheet of dark pictures has the colours of the attributes. */
static void themes_agree(void **state)
{
	(void)state;
	for (size_t i = 0; fg_ground_names[i]; i++) {
		struct fg_background b = fg_background_of((enum fg_ground)i, FG_DARK);

		check_rule(fg_ground_names[i], "first", b.top);
		check_rule(fg_ground_names[i], "last", b.bottom);
	}
}

static void colours_are_read(void **state)
{
	struct fg_background background;
	struct fg_rgb colour;

	(void)state;
	assert_int_equal(fg_rgb_parse_hex("#0aF9e1", &colour), 0);
	check_rgb(colour, (struct fg_rgb){ 0x0a, 0xf9, 0xe1 });
	assert_int_equal(fg_rgb_parse_hex("#0aF9e", &colour), -1);
	assert_int_equal(fg_rgb_parse_hex("#0aF9eg", &colour), -1);
	assert_int_equal(fg_rgb_parse_hex("0aF9e1x", &colour), -1);
	assert_int_equal(fg_rgb_parse_hex("", &colour), -1);
	assert_int_equal(fg_background_parse("grey", &background), 0);
	check_rgb(background.top, (struct fg_rgb){ 0xf8, 0xf8, 0xf8 });
	assert_int_equal(fg_background_parse("#010203", &background), 0);
	check_rgb(background.bottom, (struct fg_rgb){ 1, 2, 3 });
	assert_int_equal(fg_background_parse("red", &background), -1);
}

static void check_read(const char *text, struct fg_rgb want)
{
	struct fg_rgb colour = { 0, 0, 0 };

	assert_int_equal(fg_rgb_parse(fg_str_from(text), &colour), 0);
	check_rgb(colour, want);
}

static void check_written(struct fg_rgb colour, const char *want)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_colour(text, colour);
	struct fg_rgb back = { 1, 1, 1 };

	check_str(fg_str_of(text, (size_t)(end - text)), fg_str_from(want), __FILE__,
		  __LINE__);
	assert_int_equal(fg_rgb_parse(fg_str_from(want), &back), 0);
	check_rgb(back, colour);
}

static void colours_are_short(void **state)
{
	(void)state;
	check_written((struct fg_rgb){ 0, 0, 0 }, "#000");
	check_written((struct fg_rgb){ 255, 170, 17 }, "#fa1");
	check_written((struct fg_rgb){ 255, 170, 18 }, "#ffaa12");
	check_written((struct fg_rgb){ 1, 35, 69 }, "#012345");
}

/* A palette map may have been written by another program, or by hand. */
static void colours_of_others_are_read(void **state)
{
	static const char *const wrong[] = {
		"",	 "#",	      "#12",	      "#12345",	      "#12g",
		"rgb()", "rgb(1,2)",  "rgb(1,2,3,4)", "rgb(1,2,256)", "rgb(1,2,-3)",
		"red",	 "rgb(1,2,3", "rgb(",
	};
	struct fg_rgb colour;

	(void)state;
	check_read("rgb(1,20,255)", (struct fg_rgb){ 1, 20, 255 });
	check_read("rgb( 1, 20 ,255 )", (struct fg_rgb){ 1, 20, 255 });
	check_read("#fa0", (struct fg_rgb){ 0xff, 0xaa, 0 });
	check_read("#fFa009", (struct fg_rgb){ 0xff, 0xa0, 9 });
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(fg_rgb_parse(fg_str_from(wrong[i]), &colour), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_colours),
		cmocka_unit_test(names_choose_the_ramp),
		cmocka_unit_test(every_palette_is_named),
		cmocka_unit_test(hash_skips_modules),
		cmocka_unit_test(shades_stay_in_range),
		cmocka_unit_test(deltas),
		cmocka_unit_test(labels_are_readable_on_each_colour),
		cmocka_unit_test(texts_are_readable_on_each_ground),
		cmocka_unit_test(themes_agree),
		cmocka_unit_test(colours_are_read),
		cmocka_unit_test(colours_of_others_are_read),
		cmocka_unit_test(colours_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

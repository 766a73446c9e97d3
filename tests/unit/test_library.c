/* Tests of lib/profile/library and flamegraph/libraries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "flamegraph/libraries.h"
#include "lib/profile/library.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

static void check(const char *name, const char *want)
{
	struct fg_str got = fg_library_of(fg_str_from(name));

	if (!fg_str_eq(got, fg_str_from(want)))
		fail_msg("%s: '%.*s', not '%s'", name, (int)got.len, got.ptr, want);
}

static void binaries(void **state)
{
	(void)state;
	check("malloc@libc.so.6", "libc.so.6");
	check("ksys_write@[kernel.kallsyms]_[k]", "kernel");
	check("nf_hook@[nf_tables]_[k]", "nf_tables");
	check("read@plt@app", "app");
	check("f@lib x.so (deleted)", "lib x.so (deleted)");
	check("malloc@libc.so.6:malloc.c:33", "libc.so.6");
	check("f:f.cpp:3@libf.so", "libf.so");
	check("[libfoo.so]", "libfoo.so");
	check("[libfoo.so <7f12>]_[k]", "libfoo.so");
	check("libc.so.1`poll", "libc.so.1");
	check("app`ns::call(void (*)(int))::{lambda(int)#1}::operator()+0x3", "app");
	check("My Framework (x86)`a:b", "My Framework (x86)");
	check("/usr/lib/libm.dylib`sin", "libm.dylib");
	check("ntdll.dll!RtlUserThreadStart", "ntdll.dll");
	check("poll (libc.so.6)", "libc.so.6");
	check("poll (/usr/lib/libc.so)", "libc.so");
	check("grind (in mill.dylib)", "mill.dylib");
}

static void the_kernel_and_compiled_code(void **state)
{
	(void)state;
	check("tcp_sendmsg_[k]", "kernel");
	check("finish_task_switch.isra.0_[k]", "kernel");
	check("Interpreter_[j]", "JIT");
	check("Interpreter_[1]", "JIT");
	check("Interpreter_[0]", "");
	check("futex_wait@[kernel.kallsyms]_[o]", "waiting");
	check("Interpreter@perf-123.map", "JIT");
	check("[perf-123.map]", "JIT");
	check("Interpreter@jitted-1-2.so_[j]", "JIT");
	check("java/util/HashMap.put@perf-123.map", "java/util");
	check("JS:~f /home/me/app.js:3:14_[j]", "app.js");
}

static void files(void **state)
{
	(void)state;
	check("main:app.cpp:44", "app.cpp");
	check("f:/usr/include/c++/12/bits/char_traits.h:431", "char_traits.h");
	check("deep::ns::Rec<10u>::go:app.cpp:31", "deep");
	check("go:app.cpp:31_[k]", "kernel");
	check("go@app:src/app.cpp:31", "app");
	check("go:/v/lib/python3/site-packages/numpy/core/x.py:3", "numpy");
	check("parse (app.py:12)", "app.py");
	check("/srv/app.py:4:work", "app.py");
	check("/srv/app.py:work:4", "app.py");
	check("C:\\app\\main.py:4:run", "main.py");
	check("/usr/lib/python3.13/threading.py:359:wait", "python3.13");
	check("f (/v/lib/python3/site-packages/numpy/core/x.py:3)", "numpy");
	check("/usr/lib/python3/dist-packages/yaml/x.py:3:f", "yaml");
	check("JS:^f /a/node_modules/b/node_modules/typescript/lib/_tsc.js:191:13",
	      "typescript");
	check("f /a/node_modules/@babel/core/lib/x.js:1", "@babel/core");
	check("load (<frozen importlib._bootstrap>:1176)",
	      "<frozen importlib._bootstrap>");
}

static void packages(void **state)
{
	(void)state;
	check("java/util/regex/Pattern:::match_[i]", "java/util/regex");
	check("Ljava/util/stream/DoublePipeline$8$1:::accept_[i]", "java/util/stream");
	check("org/apache/kafka/clients/Net.poll", "org/apache/kafka");
	check("java.util.concurrent.ThreadPoolExecutor.runWorker",
	      "java.util.concurrent");
	check("com.example.A.<clinit>", "com.example");
	check("net/http.(*conn).serve", "net/http");
	check("github.com/spf13/cobra/doc.Gen[go.shape.int]", "github.com/spf13/cobra");
	check("runtime.mallocgc", "runtime");
	check("runtime.(*mheap).alloc.func1", "runtime");
	check("tokio::runtime::park", "tokio");
	check("<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
	      "alloc");
	check("<T as tokio::io::Read>::read", "tokio");
	check("unsigned long std::accumulate<int>(int*)", "std");
}

static void names_without_a_library(void **state)
{
	static const char *const names[] = {
		"",
		"main",
		"[unknown]",
		"[unknown <7f>]",
		"[other]",
		"<unknown binary>`x",
		"read@plt",
		"memcpy@@GLIBC_2.14",
		"f@0x12ab",
		"@f",
		"f@",
		"`",
		"`a",
		"a`",
		"List`1",
		"a != b",
		"operator!=(A, B)",
		"Arena::contains",
		"foo.cold",
		"foo.part.0",
		"finish.isra.0",
		"mid.llvm.123",
		"python3.11",
		"kworker/0:1",
		"/usr/bin/app",
		"operator/",
		"A::operator/(int)",
		"f (int, char*)",
		"f (char const*, ...)",
		"f (...)",
		"app (4)",
		"-",
		"--",
		"Bakery.Oven.bake",
		"a:b:12",
		"127.0.0.1:80",
		":1",
		":1:2",
		"/",
		"a/",
		"L/a",
		"<",
		"(",
		")",
		" ()",
		"[]",
		"[",
		"]",
		"::",
		".",
		"!",
		"a!",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		check(names[i], "");
}

/* The library of any name is a part of it. */
static void a_library_is_part_of_its_name(void **state)
{
	static const struct fg_str likely =
		FG_STR_INIT("aZ0_/\\.:`@!()[]<>& $\0-;smap.so:1site-packages/_[k]_[j]");
	struct random r = { 11 };
	struct fg_buf name = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 200000; i++) {
		struct fg_str library;

		fg_buf_clear(&name);
		random_bytes(&r, &name, random_below(&r, 24), likely);
		library = fg_library_of(fg_buf_str(&name));
		assert_true(!library.len || fg_str_eq(library, FG_STR("kernel")) ||
			    fg_str_eq(library, FG_STR("JIT")) ||
			    fg_str_eq(library, FG_STR("waiting")) ||
			    fg_str_has(fg_buf_str(&name), library));
	}
	fg_buf_release(&name);
}

static void check_colour(struct fg_libraries *l, struct fg_tree *tree, const char *name,
			 size_t rank)
{
	const struct fg_shade shade = { { 0.25, 0.25, 0.25 } };
	uint32_t id = fg_intern(&tree->names, fg_str_from(name));
	struct fg_rgb got = fg_libraries_colour(l, id, shade);
	struct fg_rgb want = fg_libraries_rank_colour(l, rank, shade);

	assert_memory_equal(&got, &want, sizeof(got));
}

static void the_heaviest_come_first(void **state)
{
	struct fg_tree tree;
	struct fg_libraries l;
	char line[64];

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	tree_add(&tree, "main@app 5");
	tree_add(&tree, "main@app;f@b.so 50");
	tree_add(&tree, "main@app;f@b.so;g@a.so 50");
	tree_add(&tree, "main@app;what 7");
	tree_add(&tree, "main@app;f@b.so;main@app 3");
	for (int i = 10; i < 22; i++) {
		snprintf(line, sizeof(line), "x@n%d.so 1", i);
		tree_add(&tree, line);
	}
	fg_tree_finish(&tree);
	fg_libraries_init(&l, &tree, FG_BY_LIBRARY, FG_FROM_ROOT);
	assert_int_equal(l.count, 15);
	assert_int_equal(l.unknown, 7);
	check_colour(&l, &tree, "g@a.so",
		     0); /* as heavy as b.so, which comes after it */
	check_colour(&l, &tree, "f@b.so", 1);
	check_colour(&l, &tree, "main@app", 2);
	check_colour(&l, &tree, "x@n18.so", FG_LIBRARY_HUES - 1);
	check_colour(&l, &tree, "x@n19.so", FG_LIBRARY_HUES);
	check_colour(&l, &tree, "x@n21.so", FG_LIBRARY_HUES);
	check_colour(&l, &tree, "x@not-there.so", FG_LIBRARY_HUES + 1);
	check_colour(&l, &tree, "what", FG_LIBRARY_HUES + 1);
	assert_int_equal(l.self[l.order[2]], 8);
	fg_libraries_release(&l);
	fg_tree_release(&tree);
}

static void check_black(enum fg_grouping by, size_t hue)
{
	for (int i = 0; i <= 10; i++) {
		const struct fg_shade shade = { { i / 10.0 } };

		assert_false(fg_colour_is_dark(fg_library_colour(by, hue, shade)));
	}
}

/* Labels on them are black, and in every theme. */
static void black_can_be_read_on_all(void **state)
{
	(void)state;
	for (size_t hue = 0; hue < FG_LIBRARY_HUES + 2; hue++) {
		check_black(FG_BY_LIBRARY, hue);
		check_black(FG_BY_KIND, hue);
	}
}

static double linear(unsigned char channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Multiplies a matrix with the vector v, and limits the result to 0..1. */
static void multiply(const double m[3][3], double v[3])
{
	double of[3];

	for (int i = 0; i < 3; i++)
		of[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
	for (int i = 0; i < 3; i++)
		v[i] = fmin(fmax(of[i], 0), 1);
}

/*
 * Sets `lab` to a colour in CIELAB. With `deutan`, to the colour that people with
 * deuteranopia see, as computed by Machado, Oliveira and Fernandes, 2009.
 */
static void find_lab(struct fg_rgb colour, bool deutan, double lab[3])
{
	/* linear sRGB to XYZ, divided by the white point D65 */
	static const double to_xyz[3][3] = { { 0.43395, 0.37621, 0.18984 },
					     { 0.21267, 0.71515, 0.07218 },
					     { 0.01776, 0.10947, 0.87277 } };
	static const double seen[3][3] = { { 0.367322, 0.860646, -0.227968 },
					   { 0.280085, 0.672501, 0.047413 },
					   { -0.011820, 0.042940, 0.968881 } };
	double v[3] = { linear(colour.r), linear(colour.g), linear(colour.b) };

	if (deutan)
		multiply(seen, v);
	multiply(to_xyz, v);
	for (int i = 0; i < 3; i++)
		v[i] = v[i] > 0.008856 ? cbrt(v[i]) : 7.787 * v[i] + 16.0 / 116;
	lab[0] = 116 * v[1] - 16;
	lab[1] = 500 * (v[0] - v[1]);
	lab[2] = 200 * (v[1] - v[2]);
}

/* Returns the difference of two colours: CIE76, the distance in CIELAB. */
static double difference(struct fg_rgb a, struct fg_rgb b, bool deutan)
{
	double one[3], other[3], sum = 0;

	find_lab(a, deutan, one);
	find_lab(b, deutan, other);
	for (int i = 0; i < 3; i++)
		sum += (one[i] - other[i]) * (one[i] - other[i]);
	return sqrt(sum);
}

static struct fg_rgb swatch(enum fg_grouping by, size_t hue)
{
	const struct fg_shade middle = FG_LIBRARIES_MIDDLE;
	const struct fg_libraries l = {
		.by = by, .hues = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 }
	};

	return fg_libraries_rank_colour(&l, hue, middle);
}

/* Any two entries of a legend can be told apart, so neighbours can, too. */
static void swatches_differ(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * (FG_LIBRARY_HUES + 2); i++)
		for (size_t j = i % 2; j < i; j += 2) {
			enum fg_grouping by = i % 2 ? FG_BY_KIND : FG_BY_LIBRARY;
			struct fg_rgb a = swatch(by, i / 2), b = swatch(by, j / 2);

			assert_true(difference(a, b, false) >= 10);
			assert_true(difference(a, b, true) >= 10);
		}
}

/*
 * Returns true if a channel of one may be in the shades of the other, or next to them.
 */
static bool overlap(unsigned char a, unsigned char b, unsigned char a1,
		    unsigned char b1)
{
	return a <= b1 + 3 && b <= a1 + 3;
}

/* The viewer recognises the library of a colour by its three channels. */
static void shades_tell_the_library(void **state)
{
	const struct fg_shade least = { { 0 } }, most = { { 1 } };

	(void)state;
	for (size_t i = 0; i < 2 * (FG_LIBRARY_HUES + 2); i++)
		for (size_t j = i % 2; j < i; j += 2) {
			enum fg_grouping by = i % 2 ? FG_BY_KIND : FG_BY_LIBRARY;
			struct fg_rgb a = fg_library_colour(by, i / 2, least);
			struct fg_rgb a1 = fg_library_colour(by, i / 2, most);
			struct fg_rgb b = fg_library_colour(by, j / 2, least);
			struct fg_rgb b1 = fg_library_colour(by, j / 2, most);

			assert_false(overlap(a.r, b.r, a1.r, b1.r) &&
				     overlap(a.g, b.g, a1.g, b1.g) &&
				     overlap(a.b, b.b, a1.b, b1.b));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(binaries),
		cmocka_unit_test(the_kernel_and_compiled_code),
		cmocka_unit_test(files),
		cmocka_unit_test(packages),
		cmocka_unit_test(names_without_a_library),
		cmocka_unit_test(a_library_is_part_of_its_name),
		cmocka_unit_test(the_heaviest_come_first),
		cmocka_unit_test(black_can_be_read_on_all),
		cmocka_unit_test(swatches_differ),
		cmocka_unit_test(shades_tell_the_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

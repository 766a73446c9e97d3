/* Tests of --colors kind: lib/profile/module, prefix and libraries. */
#include <stdlib.h>

#include "flamegraph/libraries.h"
#include "lib/profile/module.h"
#include "lib/profile/prefix.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

static void check(const char *name, const char *want)
{
	struct fg_str got = fg_module_of(fg_str_from(name));

	if (!fg_str_eq(got, fg_str_from(want)))
		fail_msg("%s: '%.*s', not '%s'", name, (int)got.len, got.ptr, want);
}

static void kinds(void **state)
{
	(void)state;
	check("tcp_sendmsg_[k]", "kernel");
	check("Interpreter", "interpreter");
	check("_PyEval_EvalFrameDefault", "interpreter");
	check("schedule_[w]", "waiting");
	check("main::f_[w]", "waiting");
	check("square_[i]", "inlined");
	check("Index::add_[i]", "Index");
	check("f@perf-1.map", "JIT");
	check("Foo.bar@perf-1.map", "Foo");
	check("__libc_start_main@@GLIBC_2.34", "libc");
	check("free", "libc");
	check("free_all", "");
	/* a source line makes no difference */
	check("free:stdlib/malloc.c:12", "libc");
	check("free_all:src/app.c:12", "");
	check("Index::add:src/index.cc:12_[i]", "Index");
	check("tcp_sendmsg:net/ipv4/tcp.c:12_[k]", "kernel");
	assert_int_equal(fg_module_kind(FG_STR("kernel")), 0);
	assert_int_equal(fg_module_kind(FG_STR("kern")), FG_MODULE_KINDS);
}

static void libraries(void **state)
{
	(void)state;
	check("malloc@libc.so.6", "libc.so.6");
	check("Index::add@app", "app");
	check("java/util/HashMap.put", "java/util");
	check("net/http.(*conn).serve", "net/http");
	check("runtime.mallocgc", "runtime");
	check("main.main.func1", "main");
	check("core::iter::map", "core");
	check("std::sort<int*>", "std");
	check("parse (app.py:12)", "app.py");
	check("(anonymous) (estree.mjs)", "estree.mjs");
	check("<module> (json/__init__.py)", "__init__.py");
	check("(anonymous) (node:internal/timers)", "node");
}

static void classes(void **state)
{
	(void)state;
	check("Index::quick_sort", "Index");
	check("Index::~Index()", "Index");
	check("List<std::pair<int, int> >::add(int)", "List");
	check("void Renderer::element<Node>(Node const&)", "Renderer");
	check("(anonymous namespace)::Pool::get()", "Pool");
	check("<Reader as Read>::read", "");
	check("Array#each", "Array");
	check("Array#_each", "Array");
	check("Array#8", "");
	check("App\\Kernel::boot", "App");
	check("-[NSArray count]", "NSArray");
	check("+[NSString(Path) join:]", "NSString");
	check("System.String.Concat", "System");
	check("Foo.bar", "Foo");
	check("app.views.index", "app");
}

static void names_without_a_module(void **state)
{
	static const char *const names[] = {
		"",	     "main", "Foo.cold",  "F.part.0", ".a.b",	 "::",
		"<<<<",	     ">>>>", "operator<", "9::f",     "f(A::b)", "-[",
		"be\\x00ta", "#x",   "~",	  "A."
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		check(names[i], "");
}

static void families(void **state)
{
	static const char *const names[] = { "jv_get",	 "jv_set",    "__jv_free",
					     "xmlParse", "xmlNew",    "xmlFree",
					     "SSL_read", "SSL_write", "SSL_new",
					     "do_a",	 "do_b",      "do_c",
					     "one_a",	 "one_b",     "word" };
	struct fg_prefixes p;

	(void)state;
	fg_prefixes_init(&p);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		fg_prefixes_add(&p, fg_str_from(names[i]));
	assert_str(fg_prefixes_of(&p, FG_STR("jv_copy")), "jv_*");
	assert_str(fg_prefixes_of(&p, FG_STR("xmlParse")), "xml*");
	assert_str(fg_prefixes_of(&p, FG_STR("SSL_read")), "SSL_*");
	assert_str(fg_prefixes_of(&p, FG_STR("do_a")), "");
	assert_str(fg_prefixes_of(&p, FG_STR("one_a")), "");
	assert_str(fg_prefixes_of(&p, FG_STR("word")), "");
	assert_str(fg_prefixes_of(&p, FG_STR("")), "");
	fg_prefixes_release(&p);
}

/* Returns true if a function was found to be the kernel's. */
static bool in_kernel(struct fg_tree *tree, const bool *found, const char *name)
{
	return found[fg_intern(&tree->names, fg_str_from(name))];
}

static void the_kernel_is_found(void **state)
{
	struct fg_tree tree;
	bool *found;

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	tree_add(&tree,
		 "app;main;read;entry_SYSCALL_64_after_hwframe;vfs_read;memcpy 5");
	tree_add(&tree, "app;main;memcpy 7");
	tree_add(&tree, "app;main;memset 7");
	tree_add(&tree, "app;asm_exc_page_fault;memset 8");
	fg_tree_finish(&tree);
	found = fg_grouping_kernel(&tree, FG_FROM_ROOT);
	assert_true(in_kernel(&tree, found, "entry_SYSCALL_64_after_hwframe"));
	assert_true(in_kernel(&tree, found, "vfs_read"));
	assert_true(in_kernel(&tree, found, "memset"));
	assert_false(in_kernel(&tree, found, "memcpy"));
	assert_false(in_kernel(&tree, found, "main"));
	free(found);
	fg_tree_release(&tree);
}

/* The root has no name either, but is not in the kernel. */
static void a_frame_without_a_name_is_in_the_kernel(void **state)
{
	struct fg_tree tree;
	bool *found;

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	tree_add(&tree, "app;entry_SYSCALL_64_after_hwframe;;vfs_read 5");
	tree_add(&tree, "app;main 7");
	fg_tree_finish(&tree);
	found = fg_grouping_kernel(&tree, FG_FROM_ROOT);
	assert_true(in_kernel(&tree, found, ""));
	assert_false(in_kernel(&tree, found, "app"));
	free(found);
	fg_tree_release(&tree);
}

static void the_kernel_is_found_in_reverse(void **state)
{
	struct fg_tree tree;
	bool *found;

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	tree_add(&tree, "vfs_read;do_syscall_64;read;main 5");
	tree_add(&tree, "work;main 7");
	fg_tree_finish(&tree);
	found = fg_grouping_kernel(&tree, FG_FROM_LEAF);
	assert_true(in_kernel(&tree, found, "vfs_read"));
	assert_false(in_kernel(&tree, found, "main"));
	assert_false(in_kernel(&tree, found, "read"));
	free(found);
	fg_tree_release(&tree);
}

static struct fg_rgb colour_of(const struct fg_libraries *l, struct fg_tree *tree,
			       const char *name)
{
	const struct fg_shade shade = { { 0 } };
	uint32_t id = fg_intern(&tree->names, fg_str_from(name));

	return fg_libraries_colour(l, id, shade);
}

static bool same(struct fg_rgb a, struct fg_rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

/* Plain names have one hue, in shades that differ visibly. */
static void shades(void **state)
{
	static const char *const names[] = { "sleep", "work", "idle",
					     "main",  "read", "lex" };
	struct fg_libraries l;
	struct fg_tree tree;
	struct fg_rgb of[COUNT_OF(names)];

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	tree_add(&tree, "main;sleep 1");
	fg_tree_finish(&tree);
	fg_libraries_init(&l, &tree, FG_BY_KIND, FG_FROM_ROOT);
	assert_int_equal(l.count, 0);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		of[i] = fg_libraries_colour(&l, 0,
					    fg_shade_of_sum(fg_str_from(names[i])));
	for (size_t i = 1; i < COUNT_OF(names); i++)
		assert_true(abs(of[i].r - of[i - 1].r) >= 8);
	fg_libraries_release(&l);
	fg_tree_release(&tree);
}

/* The kernel has the same hue in each profile. No two modules share one. */
static void hues(void **state)
{
	const struct fg_shade shade = { { 0 } };
	static const char *const names[] = { "a::f", "b::f", "c::f", "d::f",
					     "e::f", "g::f", "h::f", "i::f",
					     "j::f", "k::f", "l::f", "f_[k]" };
	struct fg_libraries l;
	struct fg_tree tree;

	(void)state;
	fg_tree_init(&tree, FG_TREE_SORTED);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct fg_buf line = FG_BUF_INIT;

		fg_buf_addf(&line, "%s %zu", names[i], i + 1);
		tree_add(&tree, fg_buf_cstr(&line));
		fg_buf_release(&line);
	}
	fg_tree_finish(&tree);
	fg_libraries_init(&l, &tree, FG_BY_KIND, FG_FROM_ROOT);
	assert_int_equal(l.count, COUNT_OF(names));
	assert_true(same(colour_of(&l, &tree, "f_[k]"),
			 fg_library_colour(FG_BY_KIND, 0, shade)));
	for (size_t i = 0; i < COUNT_OF(names); i++)
		for (size_t j = 0; j < i; j++)
			assert_false(same(colour_of(&l, &tree, names[i]),
					  colour_of(&l, &tree, names[j])));
	fg_libraries_release(&l);
	fg_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(libraries),
		cmocka_unit_test(classes),
		cmocka_unit_test(names_without_a_module),
		cmocka_unit_test(families),
		cmocka_unit_test(the_kernel_is_found),
		cmocka_unit_test(a_frame_without_a_name_is_in_the_kernel),
		cmocka_unit_test(the_kernel_is_found_in_reverse),
		cmocka_unit_test(hues),
		cmocka_unit_test(shades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

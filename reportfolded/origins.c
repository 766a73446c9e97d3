/* Finds which functions are the program's own. */
#include "reportfolded/origins.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"
#include "lib/profile/grouping.h"
#include "lib/profile/library.h"
#include "lib/profile/module.h"

/* ---- names */

/* Returns true for the functions that start a process or a thread. */
static bool is_start(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("__libc_start"), FG_STR_INIT("_dl_start"),
		FG_STR_INIT("start_thread"), FG_STR_INIT("thread_start"),
		FG_STR_INIT("__clone"),	     FG_STR_INIT("clone3"),
	};

	return fg_str_eq(name, FG_STR("_start")) || fg_str_eq(name, FG_STR("clone")) ||
	       fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
}

/*
 * Returns true for the names that C and C++ reserve for compilers and libraries. Python
 * gives names like __init__ to the program, too.
 */
static bool is_reserved(struct fg_str name)
{
	if (name.len < 3 || name.ptr[0] != '_' || fg_str_ends(name, FG_STR("__")) ||
	    !fg_str_all(fg_str_before(name, fg_str_find_char(name, '@')), fg_is_word))
		return false;
	return name.ptr[1] == '_' || (name.ptr[1] >= 'A' && name.ptr[1] <= 'Z');
}

/* Returns true for the packages and namespaces that come with a language. */
static bool is_standard(struct fg_str library)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("std"),	FG_STR_INIT("core"),	 FG_STR_INIT("alloc"),
		FG_STR_INIT("runtime"), FG_STR_INIT("internal"), FG_STR_INIT("java"),
		FG_STR_INIT("javax"),	FG_STR_INIT("jdk"),	 FG_STR_INIT("sun"),
		FG_STR_INIT("kotlin"),	FG_STR_INIT("scala"),	 FG_STR_INIT("System"),
		FG_STR_INIT("node"),	FG_STR_INIT("kernel"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(names); i++) {
		struct fg_str rest = library;

		if (fg_str_cut_start(&rest, names[i]) &&
		    (!rest.len || fg_str_has_char(FG_STR("./"), rest.ptr[0])))
			return true;
	}
	return fg_str_starts(library, FG_STR("__")) ||
	       fg_str_starts(library, FG_STR("<frozen "));
}

/* Returns true for "libz.so.1", "libfoo.dylib" and "ntdll.dll". */
static bool is_shared_object(struct fg_str library)
{
	return fg_str_has(library, FG_STR(".so")) ||
	       fg_str_ends(library, FG_STR(".dylib")) ||
	       fg_str_ends(library, FG_STR(".dll"));
}

/* Returns true if the name alone tells that the function is not the program's. */
static bool is_foreign_name(struct fg_str name)
{
	struct fg_str plain = fg_folded_without_annotation(name);
	struct fg_str annotation = fg_str_from_pos(name, plain.len);
	struct fg_str library = fg_library_of_function(plain, annotation);
	struct fg_str module = fg_module_of(name);

	return plain.ptr[0] == '[' || is_start(plain) || is_reserved(plain) ||
	       is_standard(library) || is_shared_object(library) ||
	       fg_str_eq(module, FG_STR("libc")) ||
	       fg_str_eq(module, FG_STR("interpreter")) ||
	       fg_str_eq(module, FG_STR("waiting")) ||
	       fg_str_has(plain, FG_STR("@GLIBC")) ||
	       fg_str_ends(plain, FG_STR("@plt")) ||
	       fg_str_starts(plain, FG_STR("operator new")) ||
	       fg_str_starts(plain, FG_STR("operator delete"));
}

/* ---- files */

/* Returns true for a file that cannot be a source of the program's own. */
static bool is_foreign_file(struct fg_str file)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("/usr/"),	       FG_STR_INIT("/lib/"),
		FG_STR_INIT("/rustc/"),	       FG_STR_INIT("/nix/store/"),
		FG_STR_INIT("library/std/"),   FG_STR_INIT("library/core/"),
		FG_STR_INIT("library/alloc/"), FG_STR_INIT("node/"),
		FG_STR_INIT("./node/"),	       FG_STR_INIT("java/"),
		FG_STR_INIT("<frozen "),       FG_STR_INIT("../sysdeps/"),
		FG_STR_INIT("sysdeps/"),
	};
	static const struct fg_str folders[] = {
		FG_STR_INIT("/site-packages/"), FG_STR_INIT("/dist-packages/"),
		FG_STR_INIT("/node_modules/"),	FG_STR_INIT("/.cargo/registry/"),
		FG_STR_INIT("/pkg/mod/"),	FG_STR_INIT("/lib/python"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(folders); i++)
		if (fg_str_has(file, folders[i]))
			return true;
	return fg_str_starts_any(file, starts, FG_COUNT_OF(starts));
}

static struct fg_str folder_of(struct fg_str file)
{
	size_t slash = fg_str_rfind_char(file, '/');

	return slash < file.len ? fg_str_before(file, slash) : FG_STR("");
}

/*
 * Marks the other functions whose source is in a folder where most functions are
 * foreign, such as hack_digit() beside __vfprintf_internal() in stdio-common/.
 */
static void mark_neighbours(struct fg_origins *o)
{
	size_t names = o->tree->names.count;
	struct fg_intern folders;
	uint32_t *of = fg_xcalloc(names, sizeof(*of));
	size_t *all = fg_xcalloc(names, sizeof(*all));
	size_t *foreign = fg_xcalloc(names, sizeof(*foreign));

	fg_intern_init(&folders);
	for (size_t i = 0; i < names; i++) {
		of[i] = fg_intern(&folders, folder_of(o->files[i]));
		all[of[i]]++;
		foreign[of[i]] += o->foreign[i];
	}
	for (size_t i = 0; i < names; i++)
		if (folder_of(o->files[i]).len && 2 * foreign[of[i]] > all[of[i]])
			o->foreign[i] = true;
	free(of);
	free(all);
	free(foreign);
	fg_intern_release(&folders);
}

static void find_files(struct fg_origins *o, const struct fg_lines *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct fg_named_line *line = &lines->of[i];
		uint32_t id = line->number ? lines->merged[line->function] : UINT32_MAX;

		if (id != UINT32_MAX)
			o->files[id] = fg_intern_name(&lines->files, line->file);
	}
}

/*
 * Marks functions without a source file if the program has functions with one: they
 * are in binaries without debug information, or no functions at all.
 */
static void mark_without_files(struct fg_origins *o)
{
	size_t names = o->tree->names.count;
	bool any = false;

	for (size_t i = 0; i < names; i++)
		any |= !o->foreign[i] && o->files[i].len;
	for (size_t i = 0; any && i < names; i++)
		o->foreign[i] |= !o->files[i].len;
}

/* ---- processes */

/* Marks first frames that call a function which starts a process or a thread. */
static void find_processes(struct fg_origins *o)
{
	const struct fg_tree_node *nodes = o->tree->nodes;

	for (uint32_t i = 1; i < o->tree->count; i++) {
		uint32_t parent = nodes[i].parent;

		if (parent && !nodes[parent].parent &&
		    is_start(fg_intern_name(&o->tree->names, nodes[i].name)))
			o->process[nodes[parent].name] = true;
	}
}

void fg_origins_find(struct fg_origins *o, const struct fg_tree *tree,
		     const struct fg_lines *lines, size_t recorded)
{
	size_t names = tree->names.count;

	*o = (struct fg_origins){ .tree = tree };
	o->foreign = fg_grouping_kernel(tree, FG_FROM_ROOT);
	o->process = fg_xcalloc(names, sizeof(*o->process));
	o->files = fg_xcalloc(names, sizeof(*o->files));
	find_files(o, lines, recorded);
	for (uint32_t i = 0; i < names; i++)
		o->foreign[i] |= is_foreign_name(fg_intern_name(&tree->names, i)) ||
				 is_foreign_file(o->files[i]);
	mark_neighbours(o);
	mark_without_files(o);
	find_processes(o);
}

void fg_origins_release(struct fg_origins *o)
{
	free(o->foreign);
	free(o->process);
	free(o->files);
	*o = (struct fg_origins){ .tree = NULL };
}

bool fg_origins_is_process(const struct fg_origins *o, uint32_t node)
{
	const struct fg_tree_node *n = &o->tree->nodes[node];

	return node && !n->parent && o->process[n->name];
}

bool fg_origins_own(const struct fg_origins *o, uint32_t node)
{
	return node && !o->foreign[o->tree->nodes[node].name] &&
	       !fg_origins_is_process(o, node);
}

uint32_t fg_origins_caller(const struct fg_origins *o, uint32_t node)
{
	while (node && !fg_origins_own(o, node))
		node = o->tree->nodes[node].parent;
	return node ? node : FG_TREE_NONE;
}

/* Tells the program's own functions from others by their names. */
#include "lib/findings/names.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

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
 * Returns true for an unknown function of libc. Systems often ship libc without the
 * symbols of the functions that start a process or a thread.
 */
static bool is_unknown_of_libc(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("[libc.so"),       FG_STR_INIT("[libc-"),
		FG_STR_INIT("[libpthread.so"), FG_STR_INIT("[libpthread-"),
		FG_STR_INIT("[ld-"),
	};

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
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

bool fg_is_foreign_module(struct fg_str module)
{
	return is_standard(module) || is_shared_object(module) ||
	       fg_str_eq(module, FG_STR("libc")) ||
	       fg_str_eq(module, FG_STR("interpreter")) ||
	       fg_str_eq(module, FG_STR("waiting"));
}

bool fg_is_foreign(struct fg_str name)
{
	struct fg_str plain = fg_folded_without_annotation(name);

	return plain.ptr[0] == '[' || is_start(plain) || is_reserved(plain) ||
	       fg_str_has(plain, FG_STR("@GLIBC")) ||
	       fg_str_ends(plain, FG_STR("@plt")) ||
	       fg_str_starts(plain, FG_STR("operator new")) ||
	       fg_str_starts(plain, FG_STR("operator delete"));
}

bool *fg_find_processes(const struct fg_tree *t)
{
	const struct fg_tree_node *nodes = t->nodes;
	bool *found = fg_xcalloc(t->names.count, sizeof(*found));

	for (uint32_t root = nodes[0].first; root != FG_TREE_NONE;
	     root = nodes[root].next)
		for (uint32_t i = nodes[root].first; i != FG_TREE_NONE;
		     i = nodes[i].next)
			if (is_start(fg_intern_name(&t->names, nodes[i].name)))
				found[nodes[root].name] = true;
	return found;
}

bool *fg_find_starts(const struct fg_tree *t)
{
	bool *is_process = fg_find_processes(t);
	bool *found = fg_xcalloc(t->count, sizeof(*found));

	found[0] = true;
	for (size_t i = 1; i < t->count; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		struct fg_str name = fg_intern_name(&t->names, node->name);

		found[i] = found[node->parent] &&
			   ((!node->parent && is_process[node->name]) ||
			    is_start(name) || is_unknown_of_libc(name));
	}
	free(is_process);
	return found;
}

bool fg_is_unknown(struct fg_str name)
{
	static const struct fg_str known[] = {
		FG_STR_INIT("[waiting]"), FG_STR_INIT("[preempted]"),
		FG_STR_INIT("[other]"),	  FG_STR_INIT("[idle]"),
		FG_STR_INIT("[GC]"),
	};
	uint64_t address;

	name = fg_folded_without_annotation(name);
	for (size_t i = 0; i < FG_COUNT_OF(known); i++)
		if (fg_str_eq(name, known[i]))
			return false;
	return !name.len || !fg_str_0x(name, &address) ||
	       (name.ptr[0] == '[' && fg_str_ends(name, FG_STR("]")));
}

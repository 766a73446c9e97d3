/* Finds which functions are the program's own. */
#include "reportfolded/origins.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/findings/names.h"
#include "lib/profile/grouping.h"
#include "lib/profile/module.h"

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

void fg_origins_find(struct fg_origins *o, const struct fg_tree *tree,
		     const struct fg_lines *lines, size_t recorded)
{
	size_t names = tree->names.count;

	*o = (struct fg_origins){ .tree = tree };
	o->foreign = fg_grouping_kernel(tree, FG_FROM_ROOT);
	o->process = fg_find_processes(tree);
	o->files = fg_xcalloc(names, sizeof(*o->files));
	find_files(o, lines, recorded);
	for (uint32_t i = 0; i < names; i++) {
		struct fg_str name = fg_intern_name(&tree->names, i);

		o->foreign[i] |= fg_is_foreign(name) ||
				 fg_is_foreign_module(fg_module_of(name)) ||
				 is_foreign_file(o->files[i]);
	}
	mark_neighbours(o);
	mark_without_files(o);
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

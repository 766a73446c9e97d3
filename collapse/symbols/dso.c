/* Measures and releases the memory and descriptors that a DSO takes. */
#include "collapse/symbols/dso.h"

/*
 * The bytes that we charge for an open file. It takes less, but there are few
 * descriptors.
 */
#define OPEN_FILE ((size_t)1 << 20)

size_t fg_dso_size(const struct fg_dso *dso)
{
	const struct fg_symtab *t = &dso->symtab;

	return (dso->elf || dso->runtime || dso->dump ? OPEN_FILE : 0) +
	       (dso->dump ? dso->dump->alloc * sizeof(*dso->dump->codes) : 0) +
	       t->alloc * sizeof(*t->items) + t->symbol_alloc * sizeof(*t->symbols) +
	       (size_t)dso->map.size +
	       (dso->inlines ? (size_t)fg_elf_size(dso->debug) : 0);
}

void fg_dso_unload(struct fg_dso *dso)
{
	if (dso->inlines)
		dso->elsewhere += fg_inlines_elsewhere(dso->inlines);
	fg_inlines_close(dso->inlines);
	if (dso->debug != dso->elf && dso->debug != dso->runtime)
		fg_elf_close(dso->debug);
	fg_elf_close(dso->shared);
	fg_symtab_release(&dso->symtab);
	if (dso->runtime != dso->elf)
		fg_elf_close(dso->runtime);
	fg_elf_close(dso->elf);
	fg_jitmap_release(&dso->map);
	fg_jitdump_close(dso->dump);
	dso->dump = NULL;
	dso->inlines = NULL;
	dso->debug = dso->shared = dso->runtime = dso->elf = NULL;
	dso->loaded = dso->debug_tried = false;
}

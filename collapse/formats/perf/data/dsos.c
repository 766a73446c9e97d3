/* DSOs: telling them apart, and asking each for the symbol at an address. */
#include "collapse/formats/perf/data/dsos.h"

#include <errno.h>
#include <stdlib.h>

#include "collapse/formats/perf/data/locate.h"
#include "lib/base/xalloc.h"

void fg_pd_dsos_init(struct fg_pd_dsos *d, const char *debug_folder)
{
	const char *home = getenv("HOME");

	memset(d, 0, sizeof(*d));
	fg_intern_init(&d->keys);
	fg_intern_init(&d->recorded);
	fg_pd_kallsyms_init(&d->kallsyms);
	fg_pd_simplefiles_init(&d->files);
	if (debug_folder)
		fg_buf_add_str(&d->cache, fg_str_from(debug_folder));
	else if (home && *home == '/')
		fg_buf_addf(&d->cache, "%s/.debug", home);
}

void fg_pd_dsos_release(struct fg_pd_dsos *d)
{
	for (size_t i = 0; i < d->count; i++)
		fg_pd_dso_unload(&d->list[i]);
	free(d->list);
	free(d->loaded);
	free(d->recorded_ids);
	fg_intern_release(&d->keys);
	fg_intern_release(&d->recorded);
	fg_arena_release(&d->text);
	fg_buf_release(&d->cache);
	fg_pd_kallsyms_release(&d->kallsyms);
	fg_pd_simplefiles_release(&d->files);
	memset(d, 0, sizeof(*d));
}

/* Returns what is recorded of a name, or zeroes; valid until the next call. */
static struct fg_pd_recorded_id *recorded_of(struct fg_pd_dsos *d, struct fg_str path)
{
	size_t known = d->recorded.count;
	uint32_t index = fg_intern(&d->recorded, path);

	FG_GROW(d->recorded_ids, d->recorded_alloc, (size_t)index + 1);
	if (index >= known)
		memset(&d->recorded_ids[index], 0, sizeof(*d->recorded_ids));
	return &d->recorded_ids[index];
}

void fg_pd_dsos_record_id(struct fg_pd_dsos *d, struct fg_str path,
			  const struct fg_pd_recorded_id *id)
{
	struct fg_pd_recorded_id *recorded = recorded_of(d, path);
	bool several = recorded->several ||
		       (recorded->id.len && !fg_pd_build_id_eq(&recorded->id, &id->id));

	*recorded = *id;
	recorded->several = several;
}

/* Memory that has a name but no file (is_anon_memory, is_no_dso_memory in map.c). */
static bool is_no_file(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("//anon"),	       FG_STR_INIT("/dev/zero"),
		FG_STR_INIT("/anon_hugepage"), FG_STR_INIT("[stack"),
		FG_STR_INIT("/SYSV"),	       FG_STR_INIT("[heap]"),
		FG_STR_INIT("[anon"),
	};

	return fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
}

static bool is_module_path(struct fg_str name, struct fg_str *base)
{
	static const struct fg_str ends[] = { FG_STR_INIT(".gz"), FG_STR_INIT(".xz"),
					      FG_STR_INIT(".zst") };

	*base = fg_str_basename(name);
	for (size_t i = 0; i < FG_COUNT_OF(ends); i++)
		if (fg_str_cut_end(base, ends[i]))
			break;
	return fg_str_cut_end(base, FG_STR(".ko"));
}

/*
 * "/lib/modules/6.1/kernel/snd-pcm.ko.xz" is called "[snd_pcm]", but by its path if
 * that is in the table of build ids as one of the kernel's, which perf reads first.
 */
static struct fg_str module_name(struct fg_pd_dsos *d, struct fg_str path)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str base, name;

	if (!is_module_path(path, &base) || recorded_of(d, path)->is_kernel)
		return path;
	fg_buf_add_char(&text, '[');
	for (size_t i = 0; i < base.len; i++)
		fg_buf_add_char(&text, base.ptr[i] == '-' ? '_' : base.ptr[i]);
	fg_buf_add_char(&text, ']');
	name = fg_arena_copy(&d->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return name;
}

/*
 * Each function that was compiled at run time is a range of one of two files that
 * simpleperf writes; those of a kind have a name in common.
 */
static struct fg_str compiled_name(struct fg_str name)
{
	if (fg_str_has(name, FG_STR("jit_app_cache")))
		return FG_STR("[JIT app cache]");
	return fg_str_has(name, FG_STR("jit_zygote_cache")) ?
		       FG_STR("[JIT zygote cache]") :
		       name;
}

/* perf 7.3 inject -B has the name of the file that it copies its own vdso to. */
static bool is_vdso(struct fg_str name)
{
	return fg_str_eq(name, FG_STR("[vdso]")) ||
	       fg_str_starts(name, FG_STR("/tmp/perf-vdso.so-"));
}

/* What a DSO is called and what kind it is, from the name of what was mapped. */
static void identify(struct fg_pd_dsos *d, const struct fg_pd_mapped *mapped,
		     struct fg_pd_dso *dso)
{
	struct fg_buf map = FG_BUF_INIT;

	dso->name = dso->path = mapped->name;
	if (mapped->is_kernel) {
		bool core = fg_str_starts(mapped->name, FG_STR("[kernel.kallsyms]"));

		dso->kind = core ? FG_PD_DSO_KERNEL : FG_PD_DSO_MODULE;
		dso->name = core ? FG_STR("[kernel.kallsyms]") :
				   module_name(d, mapped->name);
		dso->path = core ? dso->name : mapped->name;
	} else if (mapped->is_compiled) {
		dso->kind = FG_PD_DSO_NAMED;
		dso->name = compiled_name(mapped->name);
	} else if (is_vdso(mapped->name)) {
		dso->kind = FG_PD_DSO_VDSO;
		dso->name = dso->path = FG_STR("[vdso]");
	} else if (is_no_file(mapped->name) && mapped->executable) {
		fg_buf_addf(&map, "/tmp/perf-%d.map", (int)mapped->pid);
		dso->kind = FG_PD_DSO_JIT;
		dso->pid = mapped->pid;
		dso->birth = mapped->birth;
		dso->name = dso->path = fg_arena_copy(&d->text, fg_buf_str(&map));
	} else if (is_no_file(mapped->name) || !fg_str_starts(dso->path, FG_STR("/"))) {
		dso->kind = FG_PD_DSO_NAMED;
	}
	fg_buf_release(&map);
}

/* Returns true if it is another file of that name. */
static bool is_other(const struct fg_pd_identity *known,
		     const struct fg_pd_identity *now)
{
	return known->inode && now->inode &&
	       (known->inode != now->inode || known->device != now->device);
}

static uint32_t add(struct fg_pd_dsos *d, const struct fg_pd_dso *dso)
{
	struct fg_buf key = FG_BUF_INIT;
	struct fg_pd_dso *new;
	uint32_t index;

	fg_buf_add_str(&key, dso->name);
	fg_buf_add_char(&key, '\0');
	fg_buf_add_char(&key, (char)('0' + dso->kind));
	fg_buf_add(&key, (const char *)&dso->start, sizeof(dso->start));
	fg_buf_add(&key, (const char *)&dso->birth, sizeof(dso->birth));
	fg_buf_add(&key, (const char *)dso->build_id.bytes, dso->build_id.len);
	if (dso->kind == FG_PD_DSO_NAMED)
		fg_buf_add_str(&key, dso->path);
	index = fg_intern(&d->keys, fg_buf_str(&key));
	if (index < d->count && is_other(&d->list[index].identity, &dso->identity)) {
		/* one of another device is in a container */
		if (d->list[index].identity.device == dso->identity.device)
			d->list[index].identity.other = true;
		/* a build id tells them apart already */
		if (!dso->build_id.len) {
			fg_buf_add(&key, (const char *)&dso->identity.inode,
				   sizeof(dso->identity.inode));
			fg_buf_add(&key, (const char *)&dso->identity.device,
				   sizeof(dso->identity.device));
			index = fg_intern(&d->keys, fg_buf_str(&key));
		}
	}
	fg_buf_release(&key);
	if (index < d->count)
		return index;
	FG_GROW(d->list, d->alloc, d->count + 1);
	new = &d->list[d->count++];
	*new = *dso;
	new->name = fg_arena_copy(&d->text, dso->name);
	new->path = fg_arena_copy(&d->text, dso->path);
	new->recorded = fg_pd_simplefiles_of(&d->files, dso->path);
	fg_pd_symtab_init(&new->symtab, dso->kind == FG_PD_DSO_JIT ? FG_PD_SYMTAB_JIT :
								     FG_PD_SYMTAB_ELF);
	return index;
}

/* Returns the build id of a file that the recording has a table for. */
static struct fg_pd_build_id id_of_table(struct fg_pd_dsos *d, struct fg_str path)
{
	struct fg_pd_recorded_id recorded = *recorded_of(d, path);

	if (recorded.several)
		recorded.id.len = 0;
	return recorded.id;
}

static void note_mapper(struct fg_pd_dso *dso, int32_t pid)
{
	size_t count = dso->mapper_count;

	if (dso->kind != FG_PD_DSO_FILE ||
	    (count && dso->mappers[(count - 1) % FG_PD_MAPPERS] == pid))
		return;
	dso->mappers[count % FG_PD_MAPPERS] = pid;
	dso->mapper_count++;
}

uint32_t fg_pd_dsos_of(struct fg_pd_dsos *d, const struct fg_pd_mapped *mapped)
{
	struct fg_pd_dso dso = { .kind = FG_PD_DSO_FILE }, *known;
	uint32_t index;

	identify(d, mapped, &dso);
	dso.build_id = mapped->build_id;
	dso.identity = mapped->identity;
	dso.identity.sure = mapped->build_id.len;
	if (!dso.build_id.len && dso.kind != FG_PD_DSO_JIT &&
	    dso.kind != FG_PD_DSO_NAMED)
		dso.build_id = id_of_table(d, dso.path);
	index = add(d, &dso);
	known = &d->list[index];
	note_mapper(known, mapped->pid);
	if ((mapped->executable || mapped->is_kernel) && !known->has_base) {
		known->base = mapped->base;
		known->has_base = true;
	}
	return index;
}

uint32_t fg_pd_dsos_bpf(struct fg_pd_dsos *d, struct fg_str name, uint64_t start)
{
	struct fg_pd_dso dso = { .kind = FG_PD_DSO_BPF, .name = name, .start = start };

	return add(d, &dso);
}

/* Modules have their symbols in the kernel's list, too. */
static struct fg_pd_found find_kernel(struct fg_pd_dsos *d, struct fg_pd_dso *dso,
				      uint64_t address)
{
	struct fg_pd_build_id id = recorded_of(d, FG_STR("[kernel.kallsyms]"))->id;
	bool of_module = dso->kind == FG_PD_DSO_MODULE;
	const struct fg_pd_found none = { NULL, address + 1 };
	struct fg_pd_found found;

	fg_pd_kallsyms_load(&d->kallsyms, fg_buf_str(&d->cache), &id);
	if (!d->kallsyms.size) {
		dso->trouble = FG_PD_NO_KERNEL;
		return none;
	}
	found = fg_pd_kallsyms_find(&d->kallsyms, address);
	if (!found.symbol || of_module != !!(found.symbol->flags & FG_PD_SYMBOL_MODULE))
		return none;
	return found;
}

bool fg_pd_dso_grows(const struct fg_pd_dsos *d, const struct fg_pd_dso *dso)
{
	return d->turn && dso->kind == FG_PD_DSO_JIT;
}

static struct fg_pd_places places_of(const struct fg_pd_dsos *d)
{
	return (struct fg_pd_places){ fg_buf_str(&d->cache), d->helper };
}

void fg_pd_dso_load(struct fg_pd_dsos *d, struct fg_pd_dso *dso)
{
	struct fg_pd_places places = places_of(d);

	dso->asked = true;
	if (dso->loaded || d->no_symbols)
		return;
	dso->loaded = true;
	FG_GROW(d->loaded, d->loaded_alloc, d->loaded_count + 1);
	d->loaded[d->loaded_count++] = (uint32_t)(dso - d->list);
	if (dso->kind == FG_PD_DSO_JIT)
		fg_pd_locate_map(dso, d->helper, d->turn);
	else
		fg_pd_locate(dso, &places);
	dso->map_turn = d->turn;
	fg_pd_symtab_finish(&dso->symtab);
	dso->had_symbols |= dso->symtab.count > 0;
	d->size += fg_pd_dso_size(dso);
}

/* Reads what was added to a JIT's map since it was last read, in an earlier turn. */
static void load_more(struct fg_pd_dsos *d, struct fg_pd_dso *dso)
{
	uint64_t known = dso->map.size;

	dso->map_turn = d->turn;
	fg_pd_locate_map(dso, d->helper, true);
	if (dso->map.size == known)
		return;
	fg_pd_symtab_finish(&dso->symtab);
	d->size += (size_t)dso->map.size;
}

/*
 * Symbols of the recording itself: of a module its own, else those that the device's
 * kernel listed. Those of the kernel are not shifted, whichever DSO asks for them.
 */
static struct fg_pd_found find_recorded(struct fg_pd_dsos *d,
					const struct fg_pd_dso *dso, uint64_t address)
{
	struct fg_pd_found found =
		fg_pd_simplefiles_find(&d->files, dso->recorded, dso, address);
	struct fg_pd_found kernels;
	uint32_t kernel;

	if (found.symbol || dso->kind != FG_PD_DSO_MODULE)
		return found;
	kernel = fg_pd_simplefiles_of(&d->files, FG_STR("[kernel.kallsyms]"));
	kernels = fg_pd_simplefiles_find(&d->files, kernel, dso, address);
	if (found.until < kernels.until)
		kernels.until = found.until;
	return kernels;
}

/* The same of those that are on this machine. */
static struct fg_pd_found find_here(struct fg_pd_dsos *d, struct fg_pd_dso *dso,
				    uint64_t address)
{
	struct fg_pd_found found;

	if (dso->kind == FG_PD_DSO_KERNEL || dso->kind == FG_PD_DSO_MODULE)
		return find_kernel(d, dso, address);
	fg_pd_dso_load(d, dso);
	found = fg_pd_symtab_find(&dso->symtab, address);
	if (!found.symbol && fg_pd_dso_grows(d, dso) && dso->map_turn != d->turn) {
		load_more(d, dso);
		found = fg_pd_symtab_find(&dso->symtab, address);
	}
	if (fg_pd_dso_grows(d, dso))
		found.until = address + 1;
	return found;
}

struct fg_pd_found fg_pd_dso_find(struct fg_pd_dsos *d, struct fg_pd_dso *dso,
				  uint64_t address)
{
	struct fg_pd_found recorded, found = { NULL, UINT64_MAX };

	if (d->no_symbols)
		return found;
	recorded = find_recorded(d, dso, address);
	if (recorded.symbol)
		return recorded;
	found = find_here(d, dso, address);
	if (recorded.until < found.until)
		found.until = recorded.until;
	return found;
}

size_t fg_pd_dso_inlines(struct fg_pd_dsos *d, struct fg_pd_dso *dso, uint64_t address,
			 struct fg_pd_inlined *list)
{
	struct fg_pd_places places = places_of(d);
	uint64_t made_for;
	size_t count;

	if (dso->kind != FG_PD_DSO_FILE || !dso->runtime)
		return 0;
	if (!dso->debug_tried) {
		dso->debug_tried = d->debug_tried = true;
		fg_pd_locate_debug(dso, &places);
		if (dso->debug)
			dso->inlines = fg_pd_inlines_open(dso->debug, dso->shared);
		if (dso->inlines)
			d->size += (size_t)fg_pd_elf_size(dso->debug);
		else
			dso->inflates |= dso->debug && errno == EFBIG;
		d->debug_found |= dso->inlines || dso->inflates;
	}
	if (!dso->inlines || !fg_pd_elf_address(dso->runtime, address, &made_for))
		return 0;
	count = fg_pd_inlines_at(dso->inlines, made_for, d->detail, list);
	dso->inflates |= fg_pd_inlines_inflate(dso->inlines);
	return count;
}

bool fg_pd_dso_covers(struct fg_pd_dsos *d, const struct fg_pd_dso *dso,
		      uint64_t address)
{
	uint64_t end =
		dso->kind == FG_PD_DSO_KERNEL ? fg_pd_kallsyms_end(&d->kallsyms) : 0;

	return !end || address < end;
}

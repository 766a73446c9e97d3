/*
 * Tells the DSOs of a recording apart, finds their symbols, and reports missing
 * symbols.
 */
#include "collapse/symbols/dsos.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

void fg_dsos_init(struct fg_dsos *d, const char *debug_folder)
{
	memset(d, 0, sizeof(*d));
	fg_intern_init(&d->keys);
	fg_intern_init(&d->recorded);
	fg_kallsyms_init(&d->kallsyms);
	fg_simplefiles_init(&d->files);
	fg_locate_places_init(&d->places, debug_folder);
}

void fg_dsos_release(struct fg_dsos *d)
{
	for (size_t i = 0; i < d->count; i++)
		fg_dso_unload(&d->list[i]);
	free(d->list);
	free(d->loaded);
	free(d->recorded_ids);
	fg_intern_release(&d->keys);
	fg_intern_release(&d->recorded);
	fg_arena_release(&d->text);
	fg_locate_places_release(&d->places);
	fg_kallsyms_release(&d->kallsyms);
	fg_simplefiles_release(&d->files);
	memset(d, 0, sizeof(*d));
}

/* Returns the recorded id of a path, or zeroes. Valid until the next call. */
static struct fg_dsos_recorded_id *recorded_of(struct fg_dsos *d, struct fg_str path)
{
	size_t known = d->recorded.count;
	uint32_t index = fg_intern(&d->recorded, path);

	FG_GROW(d->recorded_ids, d->recorded_alloc, (size_t)index + 1);
	if (index >= known)
		memset(&d->recorded_ids[index], 0, sizeof(*d->recorded_ids));
	return &d->recorded_ids[index];
}

void fg_dsos_record_id(struct fg_dsos *d, struct fg_str path,
		       const struct fg_dsos_recorded_id *id)
{
	struct fg_dsos_recorded_id *recorded = recorded_of(d, path);
	bool several = recorded->several ||
		       (recorded->id.len && !fg_build_id_eq(&recorded->id, &id->id));

	*recorded = *id;
	recorded->several = several;
}

/*
 * Returns true if memory has a name but no file (is_anon_memory() and
 * is_no_dso_memory() in perf's map.c).
 */
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
 * Returns the name that is shown for a module: "/lib/modules/6.1/kernel/snd-pcm.ko.xz"
 * becomes "[snd_pcm]". If the table of build ids has the path as one of the kernel's,
 * returns the path, because perf reads the table first.
 */
static struct fg_str module_name(struct fg_dsos *d, struct fg_str path)
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
 * Returns the name that is shown for a function that was compiled at run time.
 * simpleperf writes all such functions into one of two files. Functions of the same
 * file share a name.
 */
static struct fg_str compiled_name(struct fg_str name)
{
	if (fg_str_has(name, FG_STR("jit_app_cache")))
		return FG_STR("[JIT app cache]");
	return fg_str_has(name, FG_STR("jit_zygote_cache")) ?
		       FG_STR("[JIT zygote cache]") :
		       name;
}

/*
 * Returns true for the name of the vdso. perf 7.3 inject -B writes the name of its own
 * copy.
 */
static bool is_vdso(struct fg_str name)
{
	return fg_str_eq(name, FG_STR("[vdso]")) ||
	       fg_str_starts(name, FG_STR("/tmp/perf-vdso.so-"));
}

/* Returns true for "/tmp/jit-42.dump". */
static bool is_dump(struct fg_str path)
{
	struct fg_str pid = fg_str_basename(path);
	uint64_t number;

	return fg_str_cut_start(&pid, FG_STR("jit-")) &&
	       fg_str_cut_end(&pid, FG_STR(".dump")) && !fg_str_u64(pid, &number);
}

/* Sets the name and the kind of a DSO from the name of its mapping. */
static void identify(struct fg_dsos *d, const struct fg_dso_mapped *mapped,
		     struct fg_dso *dso)
{
	struct fg_buf map = FG_BUF_INIT;

	dso->name = dso->path = mapped->name;
	if (mapped->is_kernel) {
		bool core = fg_str_starts(mapped->name, FG_STR("[kernel.kallsyms]"));

		dso->kind = core ? FG_DSO_KERNEL : FG_DSO_MODULE;
		dso->name = core ? FG_STR("[kernel.kallsyms]") :
				   module_name(d, mapped->name);
		dso->path = core ? dso->name : mapped->name;
	} else if (mapped->is_compiled) {
		dso->kind = FG_DSO_NAMED;
		dso->name = compiled_name(mapped->name);
	} else if (is_vdso(mapped->name)) {
		dso->kind = FG_DSO_VDSO;
		dso->name = dso->path = FG_STR("[vdso]");
	} else if (is_no_file(mapped->name) && mapped->executable) {
		fg_buf_addf(&map, "/tmp/perf-%d.map", (int)mapped->pid);
		dso->kind = FG_DSO_JIT;
		dso->pid = mapped->pid;
		dso->birth = mapped->birth;
		dso->name = dso->path = fg_arena_copy(&d->text, fg_buf_str(&map));
	} else if (is_no_file(mapped->name) || !fg_str_starts(dso->path, FG_STR("/"))) {
		dso->kind = FG_DSO_NAMED;
	} else if (is_dump(mapped->name)) {
		dso->kind = FG_DSO_DUMP;
		dso->pid = mapped->pid;
		dso->birth = mapped->birth;
	}
	fg_buf_release(&map);
}

/* Returns true if `now` is another file of the same name. */
static bool is_other(const struct fg_dso_identity *known,
		     const struct fg_dso_identity *now)
{
	return known->inode && now->inode &&
	       (known->inode != now->inode || known->device != now->device);
}

static uint32_t add(struct fg_dsos *d, const struct fg_dso *dso)
{
	struct fg_buf key = FG_BUF_INIT;
	struct fg_dso *new;
	uint32_t index;

	fg_buf_add_str(&key, dso->name);
	fg_buf_add_char(&key, '\0');
	fg_buf_add_char(&key, (char)('0' + dso->kind));
	fg_buf_add(&key, (const char *)&dso->start, sizeof(dso->start));
	fg_buf_add(&key, (const char *)&dso->birth, sizeof(dso->birth));
	fg_buf_add(&key, (const char *)&dso->pid, sizeof(dso->pid));
	fg_buf_add(&key, (const char *)dso->build_id.bytes, dso->build_id.len);
	if (dso->kind == FG_DSO_NAMED)
		fg_buf_add_str(&key, dso->path);
	index = fg_intern(&d->keys, fg_buf_str(&key));
	if (index < d->count && is_other(&d->list[index].identity, &dso->identity)) {
		/* a file on another device is probably in a container */
		if (d->list[index].identity.device == dso->identity.device)
			d->list[index].identity.other = true;
		/* without build ids, only device and inode tell the files apart */
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
	new->recorded = fg_simplefiles_of(&d->files, dso->path);
	fg_symtab_init(&new->symtab,
		       dso->kind == FG_DSO_JIT || dso->kind == FG_DSO_DUMP ?
			       FG_SYMTAB_JIT :
			       FG_SYMTAB_ELF);
	d->dumps += dso->kind == FG_DSO_DUMP;
	return index;
}

/*
 * Returns the build id that the recording's table has for a path. It is empty if the
 * path has none or several.
 */
static struct fg_build_id id_of_table(struct fg_dsos *d, struct fg_str path)
{
	struct fg_dsos_recorded_id recorded = *recorded_of(d, path);

	if (recorded.several)
		recorded.id.len = 0;
	return recorded.id;
}

static void note_mapper(struct fg_dso *dso, int32_t pid)
{
	size_t count = dso->mapper_count;

	if (dso->kind != FG_DSO_FILE ||
	    (count && dso->mappers[(count - 1) % FG_DSO_MAPPERS] == pid))
		return;
	dso->mappers[count % FG_DSO_MAPPERS] = pid;
	dso->mapper_count++;
}

uint32_t fg_dsos_of(struct fg_dsos *d, const struct fg_dso_mapped *mapped)
{
	struct fg_dso dso = { .kind = FG_DSO_FILE }, *known;
	uint32_t index;

	identify(d, mapped, &dso);
	dso.build_id = mapped->build_id;
	dso.identity = mapped->identity;
	dso.identity.sure = mapped->build_id.len;
	if (!dso.build_id.len && dso.kind != FG_DSO_JIT && dso.kind != FG_DSO_NAMED)
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

uint32_t fg_dsos_bpf(struct fg_dsos *d, struct fg_str name, uint64_t start)
{
	struct fg_dso dso = { .kind = FG_DSO_BPF, .name = name, .start = start };

	return add(d, &dso);
}

/* Finds a symbol in the kernel's list, which also has the symbols of modules. */
static struct fg_symtab_found find_kernel(struct fg_dsos *d, struct fg_dso *dso,
					  uint64_t address)
{
	struct fg_build_id id = recorded_of(d, FG_STR("[kernel.kallsyms]"))->id;
	bool of_module = dso->kind == FG_DSO_MODULE;
	const struct fg_symtab_found none = { NULL, address + 1 };
	struct fg_symtab_found found;

	fg_kallsyms_load(&d->kallsyms, fg_buf_str(&d->places.cache), &id);
	if (!d->kallsyms.size) {
		dso->trouble = FG_DSO_NO_KERNEL;
		return none;
	}
	found = fg_kallsyms_find(&d->kallsyms, address);
	if (!found.symbol || of_module != !!(found.symbol->flags & FG_SYMBOL_MODULE))
		return none;
	return found;
}

bool fg_dso_grows(const struct fg_dsos *d, const struct fg_dso *dso)
{
	return d->turn && dso->kind == FG_DSO_JIT;
}

/* Returns true if we have the dump of the process of a FG_DSO_JIT. */
static bool has_dump(const struct fg_dsos *d, const struct fg_dso *jit)
{
	for (size_t i = 0; d->dumps && i < d->count; i++)
		if (d->list[i].dump && d->list[i].pid == jit->pid)
			return true;
	return false;
}

/* Reads the map of a process. A process with a dump needs none. */
static void locate_map(const struct fg_dsos *d, struct fg_dso *dso, bool grows)
{
	fg_locate_map(dso, &d->places, grows);
	if (dso->trouble == FG_DSO_NO_MAP && has_dump(d, dso))
		dso->trouble = FG_DSO_NO_TROUBLE;
}

void fg_dso_load(struct fg_dsos *d, struct fg_dso *dso)
{
	dso->asked = true;
	if (dso->loaded || d->no_symbols)
		return;
	dso->loaded = true;
	FG_GROW(d->loaded, d->loaded_alloc, d->loaded_count + 1);
	d->loaded[d->loaded_count++] = (uint32_t)(dso - d->list);
	if (dso->kind == FG_DSO_JIT)
		locate_map(d, dso, d->turn);
	else if (dso->kind == FG_DSO_DUMP)
		fg_locate_dump(dso, &d->places);
	else
		fg_locate(dso, &d->places);
	dso->map_turn = d->turn;
	fg_symtab_finish(&dso->symtab);
	dso->had_symbols |= dso->symtab.count > 0;
	d->size += fg_dso_size(dso);
}

/* Reads what was added to a JIT's map since it was last read, in an earlier turn. */
static void load_more(struct fg_dsos *d, struct fg_dso *dso)
{
	uint64_t known = dso->map.size;

	dso->map_turn = d->turn;
	locate_map(d, dso, true);
	if (dso->map.size == known)
		return;
	fg_symtab_finish(&dso->symtab);
	d->size += (size_t)dso->map.size;
}

void fg_dso_load_dump(struct fg_dsos *d, struct fg_dso *dso)
{
	size_t known = dso->dump ? fg_dso_size(dso) : 0;

	if (!dso->loaded) {
		fg_dso_load(d, dso);
	} else if (dso->dump && dso->map_turn != d->turn) {
		dso->map_turn = d->turn;
		fg_locate_dump(dso, &d->places);
		fg_symtab_finish(&dso->symtab);
		d->size += fg_dso_size(dso) - known;
	}
}

/*
 * Finds a symbol in the recording itself. For a module, tries its own symbols first,
 * then those that the device's kernel listed. Addresses of the kernel's symbols are
 * never shifted.
 */
static struct fg_symtab_found find_recorded(struct fg_dsos *d, const struct fg_dso *dso,
					    uint64_t address)
{
	struct fg_symtab_found found =
		fg_simplefiles_find(&d->files, dso->recorded, dso, address);
	struct fg_symtab_found kernels;
	uint32_t kernel;

	if (found.symbol || dso->kind != FG_DSO_MODULE)
		return found;
	kernel = fg_simplefiles_of(&d->files, FG_STR("[kernel.kallsyms]"));
	kernels = fg_simplefiles_find(&d->files, kernel, dso, address);
	if (found.until < kernels.until)
		kernels.until = found.until;
	return kernels;
}

/* Finds a symbol in the files on this machine. */
static struct fg_symtab_found find_here(struct fg_dsos *d, struct fg_dso *dso,
					uint64_t address)
{
	struct fg_symtab_found found;

	if (dso->kind == FG_DSO_KERNEL || dso->kind == FG_DSO_MODULE)
		return find_kernel(d, dso, address);
	fg_dso_load(d, dso);
	found = fg_symtab_find(&dso->symtab, address);
	if (!found.symbol && fg_dso_grows(d, dso) && dso->map_turn != d->turn) {
		load_more(d, dso);
		found = fg_symtab_find(&dso->symtab, address);
	}
	if (fg_dso_grows(d, dso))
		found.until = address + 1;
	return found;
}

struct fg_symtab_found fg_dso_find(struct fg_dsos *d, struct fg_dso *dso,
				   uint64_t address)
{
	struct fg_symtab_found recorded, found = { NULL, UINT64_MAX };

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

/*
 * Finds the line at an address of a dump. It says nothing about inlined functions.
 */
static size_t find_line(struct fg_dsos *d, struct fg_dso *dso, uint64_t address,
			struct fg_inlined *list)
{
	const struct fg_symbol *symbol = fg_symtab_find(&dso->symtab, address).symbol;
	struct fg_jitdump_line line;
	const char *slash;

	if (d->detail == FG_INLINES_NAMES || !symbol ||
	    !fg_jitdump_line(dso->dump, symbol, address, &line))
		return 0;
	slash = d->detail == FG_INLINES_LINES ? strrchr(line.file, '/') : NULL;
	*list = (struct fg_inlined){ .file = slash ? slash + 1 : line.file,
				     .line = line.line };
	d->debug_tried = d->debug_found = true;
	return 1;
}

size_t fg_dso_inlines(struct fg_dsos *d, struct fg_dso *dso, uint64_t address,
		      struct fg_inlined *list)
{
	uint64_t made_for;
	size_t count;

	if (dso->dump)
		return find_line(d, dso, address, list);
	if (dso->kind != FG_DSO_FILE || !dso->runtime)
		return 0;
	if (!dso->debug_tried) {
		d->debug_tried = true;
		fg_locate_inlines(dso, &d->places);
		if (dso->inlines)
			d->size += (size_t)fg_elf_size(dso->debug);
		d->debug_found |= dso->inlines || dso->inflates;
	}
	if (!dso->inlines || !fg_elf_address(dso->runtime, address, &made_for))
		return 0;
	count = fg_inlines_at(dso->inlines, made_for, d->detail, list);
	dso->inflates |= fg_inlines_inflate(dso->inlines);
	return count;
}

bool fg_dso_covers(struct fg_dsos *d, const struct fg_dso *dso, uint64_t address)
{
	uint64_t end = dso->kind == FG_DSO_KERNEL ? fg_kallsyms_end(&d->kallsyms) : 0;

	return !end || address < end;
}

/* ---- reports */

/*
 * Returns the DSO for which this trouble affected the most samples, or NULL. Sets *dsos
 * to the number of DSOs with this trouble.
 */
static const struct fg_dso *worst(const struct fg_dsos *d, enum fg_dso_trouble trouble,
				  uint64_t *dsos)
{
	const struct fg_dso *most = NULL;

	*dsos = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct fg_dso *dso = &d->list[i];

		if (dso->trouble != trouble || !dso->touched)
			continue;
		++*dsos;
		if (!most || dso->touched > most->touched)
			most = dso;
	}
	return most;
}

/*
 * Returns true if the file with the symbols is not the file that ran: another file of
 * that name was mapped, too, or the file was changed after it had been mapped.
 *
 * We estimate when it was mapped: we assume that the last sample was taken at the very
 * end of the recording. The estimate is never too early, so a program that was built
 * just before it ran causes no warning.
 *
 * An equal build id does not prove that the file was not changed while it ran, because
 * perf record reads the id when the recording ends.
 */
static bool is_replaced(const struct fg_dso *dso, const struct fg_dsos_period *period)
{
	const struct fg_dso_identity *id = &dso->identity;
	uint64_t since = id->time > period->first ? id->time : period->first;
	bool moved = id->inode && id->inode != dso->found_inode;
	int64_t changed = moved ? dso->found_changed : dso->found_written;

	if (!dso->found_inode || !dso->had_symbols || id->sure)
		return false;
	if (id->other)
		return true;
	if (!period->end || since > period->last ||
	    period->last - since > INT64_MAX / 2)
		return false;
	/*
	 * If the file was put there after the recording and has the recorded build id,
	 * it is the same file.
	 */
	if (dso->build_id.len && changed > period->end)
		return false;
	return changed > period->end - (int64_t)(period->last - since);
}

void fg_dsos_report_replaced(const struct fg_dsos *d, struct fg_diag *diag,
			     const struct fg_place *at,
			     const struct fg_dsos_period *period)
{
	struct fg_buf text = FG_BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (!is_replaced(&d->list[i], period) || count++)
			continue;
		fg_buf_add_visible(&text, d->list[i].name, FG_QUOTED_MAX);
	}
	if (count > 1)
		fg_buf_addf(&text, " and %zu other files", count - 1);
	if (count)
		fg_warn(diag, at,
			"%s: replaced or written to while it ran, so names of "
			"functions may be wrong",
			fg_buf_cstr(&text));
	fg_buf_release(&text);
}

/* We do not warn if there are fewer samples without names. */
#define FEW_SAMPLES 10

void fg_dsos_report_nameless(const struct fg_dsos *d, uint64_t samples,
			     struct fg_diag *diag, const struct fg_place *at)
{
	const struct fg_dso *most = NULL;
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = 0; i < d->count; i++)
		if (!most || d->list[i].nameless > most->nameless)
			most = &d->list[i];
	if (!most || most->nameless < FEW_SAMPLES || most->nameless <= samples / 10)
		return;
	fg_buf_add_visible(&name, most->name, FG_QUOTED_MAX);
	fg_warn(diag, at,
		"%s has no symbols, so %.0f %% of the samples are in functions without "
		"names: do not strip it, or install its package of debug symbols",
		fg_buf_cstr(&name), 100.0 * (double)most->nameless / (double)samples);
	fg_buf_release(&name);
}

/* Warns of files that would take too much memory to read. */
static void report_refused(const struct fg_dsos *d, struct fg_diag *diag,
			   const struct fg_place *at)
{
	const struct fg_dso *inflates = NULL, *keeps = NULL;
	size_t inflate = 0, keep = 0;
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = d->count; i--;) {
		const struct fg_dso *dso = &d->list[i];

		inflates = dso->inflates ? dso : inflates;
		inflate += dso->inflates;
		keeps = dso->keeps_frames ? dso : keeps;
		keep += dso->keeps_frames;
	}
	if (inflates) {
		fg_buf_add_visible(&name, inflates->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s or its debug file has parts that would expand to more than "
			"%d times the size of the file, so they are not read (one of "
			"%zu such files)",
			fg_buf_cstr(&name), FG_ELF_INFLATED_TIMES, inflate);
	}
	fg_buf_clear(&name);
	if (keeps) {
		fg_buf_add_visible(&name, keeps->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s: its unwinding rules are damaged or would take too much "
			"memory, so stacks end there (one of %zu such files)",
			fg_buf_cstr(&name), keep);
	}
	fg_buf_release(&name);
}

/* Warns of -gsplit-dwarf files that are not where the compiler left them. */
static void report_split(const struct fg_dsos *d, struct fg_diag *diag,
			 const struct fg_place *at)
{
	struct fg_buf name = FG_BUF_INIT;
	size_t units = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct fg_dso *dso = &d->list[i];
		size_t more = dso->elsewhere;

		if (dso->inlines)
			more += fg_inlines_elsewhere(dso->inlines);
		if (more && !units)
			fg_buf_add_visible(&name, dso->name, FG_QUOTED_MAX);
		units += more;
	}
	if (units)
		fg_warn(diag, at,
			"%s: debug information is in .dwo or .dwp files that cannot be "
			"read (%zu units), so functions inlined there are not shown",
			fg_buf_cstr(&name), units);
	fg_buf_release(&name);
}

/* Warns of a jit-PID.dump that a runtime wrote instead of a map, but is not here. */
static void report_dump(const struct fg_dsos *d, struct fg_diag *diag,
			const struct fg_place *at)
{
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = 0; i < d->count && !name.len; i++) {
		const struct fg_dso *dso = &d->list[i];

		if (dso->kind == FG_DSO_DUMP && dso->loaded && !dso->dump)
			fg_buf_add_visible(&name, dso->name, FG_QUOTED_MAX);
	}
	if (name.len)
		fg_warn(diag, at,
			"%s has the names of that code, but it is missing or belongs "
			"to another user",
			fg_buf_cstr(&name));
	fg_buf_release(&name);
}

void fg_dsos_report(const struct fg_dsos *d, struct fg_diag *diag,
		    const struct fg_place *at)
{
	static const char *const texts[FG_DSO_TROUBLES] = {
		[FG_DSO_CHANGED] = "is not the file that ran, so its functions have no "
				   "names",
		[FG_DSO_MISSING] = "was not found, so its functions have no names",
		[FG_DSO_UNREADABLE] = "cannot be read, so its functions have no names",
		[FG_DSO_TOO_MANY] = "cannot be opened, because too many files are "
				    "open, so its functions have no names: raise "
				    "ulimit -n",
		[FG_DSO_NO_MAP] = "is missing or belongs to another user, so code that "
				  "was compiled at run time has no names: have the "
				  "runtime write it",
		[FG_DSO_LATE_MAP] =
			"did not exist when the first samples came, so code that was "
			"compiled at run time has no names in them: record into a file",
		[FG_DSO_NO_KERNEL] = "has no symbols: this machine runs another "
				     "kernel, or kernel.kptr_restrict or, unless you "
				     "are root, kernel.perf_event_paranoid hides them",
	};
	struct fg_buf text = FG_BUF_INIT;

	for (int i = FG_DSO_NO_TROUBLE + 1; i < FG_DSO_TROUBLES; i++) {
		uint64_t dsos;
		const struct fg_dso *dso = worst(d, (enum fg_dso_trouble)i, &dsos);

		if (!dso)
			continue;
		fg_buf_clear(&text);
		fg_buf_add_visible(&text, dso->name, FG_QUOTED_MAX);
		fg_buf_addf(&text, " %s (%llu samples", texts[i],
			    (unsigned long long)dso->touched);
		if (dsos > 1)
			fg_buf_addf(&text, "; %llu more likewise",
				    (unsigned long long)dsos - 1);
		fg_warn(diag, at, "%s)", fg_buf_cstr(&text));
		if (i == FG_DSO_NO_MAP)
			report_dump(d, diag, at);
	}
	report_refused(d, diag, at);
	report_split(d, diag, at);
	if (d->debug_tried && !d->debug_found)
		fg_warn(diag, at,
			"no file has debug information, so no %s are shown: compile "
			"with -g",
			d->detail == FG_INLINES_PATHS ? "lines" : "inlined functions");
	if (d->too_long)
		fg_warn(diag, at,
			"%llu names are shown mangled or not at all, because they or "
			"their demangled forms are too long",
			(unsigned long long)d->too_long);
	if (d->without_line)
		fg_warn(diag, at,
			"%llu source lines are not shown: the names of their functions "
			"are too long",
			(unsigned long long)d->without_line);
	fg_buf_release(&text);
}

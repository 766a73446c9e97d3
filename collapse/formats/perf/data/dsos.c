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
	memset(d, 0, sizeof(*d));
}

void fg_pd_dsos_record_id(struct fg_pd_dsos *d, struct fg_str path,
			  const struct fg_pd_recorded_id *id)
{
	uint32_t index = fg_intern(&d->recorded, path);

	FG_GROW(d->recorded_ids, d->recorded_alloc, (size_t)index + 1);
	d->recorded_ids[index] = *id;
}

static struct fg_pd_recorded_id recorded_id(struct fg_pd_dsos *d, struct fg_str path)
{
	size_t known = d->recorded.count;
	uint32_t index = fg_intern(&d->recorded, path);
	static const struct fg_pd_recorded_id none = { .is_kernel = false };

	if (index >= known)
		fg_pd_dsos_record_id(d, path, &none);
	return d->recorded_ids[index];
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

	if (!is_module_path(path, &base) || recorded_id(d, path).is_kernel)
		return path;
	fg_buf_add_char(&text, '[');
	for (size_t i = 0; i < base.len; i++)
		fg_buf_add_char(&text, base.ptr[i] == '-' ? '_' : base.ptr[i]);
	fg_buf_add_char(&text, ']');
	name = fg_arena_copy(&d->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return name;
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
	} else if (fg_str_eq(mapped->name, FG_STR("[vdso]"))) {
		dso->kind = FG_PD_DSO_VDSO;
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

/* Whether it is another file of that name; containers have other devices. */
static bool is_other(const struct fg_pd_identity *known,
		     const struct fg_pd_identity *now)
{
	return known->inode && now->inode && known->inode != now->inode &&
	       known->device == now->device;
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
	index = fg_intern(&d->keys, fg_buf_str(&key));
	if (index < d->count && is_other(&d->list[index].identity, &dso->identity)) {
		d->list[index].identity.other = true;
		/* a build id tells them apart already */
		if (!dso->build_id.len) {
			fg_buf_add(&key, (const char *)&dso->identity.inode,
				   sizeof(dso->identity.inode));
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
	fg_pd_symtab_init(&new->symtab, dso->kind == FG_PD_DSO_JIT ? FG_PD_SYMTAB_JIT :
								     FG_PD_SYMTAB_ELF);
	return index;
}

uint32_t fg_pd_dsos_of(struct fg_pd_dsos *d, const struct fg_pd_mapped *mapped)
{
	struct fg_pd_dso dso = { .kind = FG_PD_DSO_FILE };

	identify(d, mapped, &dso);
	dso.build_id = mapped->build_id;
	dso.identity = mapped->identity;
	dso.identity.sure = mapped->build_id.len;
	if (!dso.build_id.len && dso.kind != FG_PD_DSO_JIT &&
	    dso.kind != FG_PD_DSO_NAMED)
		dso.build_id = recorded_id(d, dso.path).id;
	return add(d, &dso);
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
	struct fg_pd_build_id id = recorded_id(d, FG_STR("[kernel.kallsyms]")).id;
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

void fg_pd_dso_load(struct fg_pd_dsos *d, struct fg_pd_dso *dso)
{
	dso->asked = true;
	if (dso->loaded || d->no_symbols)
		return;
	dso->loaded = true;
	FG_GROW(d->loaded, d->loaded_alloc, d->loaded_count + 1);
	d->loaded[d->loaded_count++] = (uint32_t)(dso - d->list);
	if (dso->kind == FG_PD_DSO_JIT)
		fg_pd_locate_map(dso, d->turn);
	else
		fg_pd_locate(dso, fg_buf_str(&d->cache));
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
	fg_pd_locate_map(dso, true);
	if (dso->map.size == known)
		return;
	fg_pd_symtab_finish(&dso->symtab);
	d->size += (size_t)dso->map.size;
}

struct fg_pd_found fg_pd_dso_find(struct fg_pd_dsos *d, struct fg_pd_dso *dso,
				  uint64_t address)
{
	struct fg_pd_found found = { NULL, UINT64_MAX };

	if (d->no_symbols)
		return found;
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

size_t fg_pd_dso_inlines(struct fg_pd_dsos *d, struct fg_pd_dso *dso, uint64_t address,
			 struct fg_pd_inlined *list)
{
	uint64_t made_for;
	size_t count;

	if (dso->kind != FG_PD_DSO_FILE || !dso->runtime)
		return 0;
	if (!dso->debug_tried) {
		dso->debug_tried = d->debug_tried = true;
		fg_pd_locate_debug(dso, fg_buf_str(&d->cache));
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

/*
 * The DSO of that trouble that most samples met, and how many DSOs and samples there
 * are.
 */
static const struct fg_pd_dso *worst(const struct fg_pd_dsos *d,
				     enum fg_pd_trouble trouble, uint64_t *dsos)
{
	const struct fg_pd_dso *most = NULL;

	*dsos = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct fg_pd_dso *dso = &d->list[i];

		if (dso->trouble != trouble || !dso->touched)
			continue;
		++*dsos;
		if (!most || dso->touched > most->touched)
			most = dso;
	}
	return most;
}

/*
 * Whether the file with the names is not the one that ran. A build id that is the same
 * says nothing, as perf record reads it when the recording ends. When something was
 * mapped is known as if the last sample had been taken at the end of the recording: too
 * late rather than too early, so that what is built and then run is no case of this.
 */
static bool is_replaced(const struct fg_pd_dso *dso, const struct fg_pd_period *period)
{
	const struct fg_pd_identity *id = &dso->identity;
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
	/* What is put there afterwards and has the recorded build id is the same. */
	if (dso->build_id.len && changed > period->end)
		return false;
	return changed > period->end - (int64_t)(period->last - since);
}

void fg_pd_dsos_report_replaced(const struct fg_pd_dsos *d, struct fg_diag *diag,
				const struct fg_place *at,
				const struct fg_pd_period *period)
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

/* What is not read of files, as it would take more memory than it is worth. */
static void report_refused(const struct fg_pd_dsos *d, struct fg_diag *diag,
			   const struct fg_place *at)
{
	const struct fg_pd_dso *inflates = NULL, *keeps = NULL;
	size_t inflate = 0, keep = 0;
	struct fg_buf name = FG_BUF_INIT;

	for (size_t i = d->count; i--;) {
		const struct fg_pd_dso *dso = &d->list[i];

		inflates = dso->inflates ? dso : inflates;
		inflate += dso->inflates;
		keeps = dso->keeps_frames ? dso : keeps;
		keep += dso->keeps_frames;
	}
	if (inflates) {
		fg_buf_add_visible(&name, inflates->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s, or its debug file, has holes, sections, or tables, that "
			"inflate to more than %d times the file, which are not read "
			"(one of %zu)",
			fg_buf_cstr(&name), FG_PD_INFLATED_TIMES, inflate);
	}
	fg_buf_clear(&name);
	if (keeps) {
		fg_buf_add_visible(&name, keeps->name, FG_QUOTED_MAX);
		fg_warn(diag, at,
			"%s: what says how to unwind its frames cannot be followed, so "
			"stacks end there (one of %zu)",
			fg_buf_cstr(&name), keep);
	}
	fg_buf_release(&name);
}

/* -gsplit-dwarf, and the files are not where the compiler left them. */
static void report_split(const struct fg_pd_dsos *d, struct fg_diag *diag,
			 const struct fg_place *at)
{
	struct fg_buf name = FG_BUF_INIT;
	size_t units = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct fg_pd_dso *dso = &d->list[i];
		size_t more = dso->elsewhere;

		if (dso->inlines)
			more += fg_pd_inlines_elsewhere(dso->inlines);
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

void fg_pd_dsos_report(const struct fg_pd_dsos *d, struct fg_diag *diag,
		       const struct fg_place *at)
{
	static const char *const texts[FG_PD_TROUBLES] = {
		[FG_PD_CHANGED] = "is not the one that ran, so its functions have no "
				  "names",
		[FG_PD_MISSING] = "is not here, so its functions have no names",
		[FG_PD_UNREADABLE] = "cannot be read, so its functions have no names",
		[FG_PD_TOO_MANY] = "is one file more than may be open, so its "
				   "functions have no names: raise ulimit -n",
		[FG_PD_NO_MAP] = "is not here or not yours, so code that was made at "
				 "run time has no names: have the runtime write it",
		[FG_PD_LATE_MAP] =
			"was not here when the first samples came, so code that was "
			"made at run time has no names in them: record into a file",
		[FG_PD_NO_KERNEL] = "has no symbols here: it is another kernel, or "
				    "kernel.kptr_restrict or, from all but root, "
				    "kernel.perf_event_paranoid hides them",
	};
	struct fg_buf text = FG_BUF_INIT;

	for (int i = FG_PD_NO_TROUBLE + 1; i < FG_PD_TROUBLES; i++) {
		uint64_t dsos;
		const struct fg_pd_dso *dso = worst(d, (enum fg_pd_trouble)i, &dsos);

		if (!dso)
			continue;
		fg_buf_clear(&text);
		fg_buf_add_visible(&text, dso->name, FG_QUOTED_MAX);
		fg_buf_addf(&text, " %s (%llu samples", texts[i],
			    (unsigned long long)dso->touched);
		if (dsos > 1)
			fg_buf_addf(&text, "; the same of %llu other files",
				    (unsigned long long)dsos - 1);
		fg_warn(diag, at, "%s)", fg_buf_cstr(&text));
	}
	report_refused(d, diag, at);
	report_split(d, diag, at);
	if (d->debug_tried && !d->debug_found)
		fg_warn(diag, at,
			"no file has debug information, so no inlined functions are "
			"shown: compile with -g");
	if (d->too_long)
		fg_warn(diag, at,
			"%llu names are shown mangled, or not at all: they, or what "
			"they stand for, are too long",
			(unsigned long long)d->too_long);
	if (d->without_line)
		fg_warn(diag, at,
			"%llu lines are not shown: the names of their functions are "
			"too long",
			(unsigned long long)d->without_line);
	fg_buf_release(&text);
}

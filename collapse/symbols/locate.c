/*
 * Finds the files of a DSO. We take the symbols from the first file with .symtab. The
 * first file with .dynsym is the one that ran. Both may be the same.
 */
#include "collapse/symbols/locate.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "collapse/symbols/elfsymbols.h"
#include "collapse/symbols/elsewhere.h"
#include "collapse/symbols/trusted.h"

/* Returns the folder in an environment variable, or NULL if it has none. */
static const char *folder_in(const char *variable)
{
	const char *folder = getenv(variable);

	return folder && *folder == '/' ? folder : NULL;
}

/* Finds the folder in which debuginfod's client keeps files, like the client does. */
static void find_debuginfod(struct fg_buf *folder)
{
	const char *chosen = folder_in("DEBUGINFOD_CACHE_PATH");
	const char *home = folder_in("HOME"), *caches = folder_in("XDG_CACHE_HOME");
	struct stat st;

	if (chosen) {
		fg_buf_add_str(folder, fg_str_from(chosen));
		return;
	}
	if (home)
		fg_buf_addf(folder, "%s/.debuginfod_client_cache", home);
	if (home && !stat(fg_buf_cstr(folder), &st))
		return;
	fg_buf_clear(folder);
	if (caches)
		fg_buf_addf(folder, "%s/debuginfod_client", caches);
	else if (home)
		fg_buf_addf(folder, "%s/.cache/debuginfod_client", home);
}

void fg_locate_places_init(struct fg_locate_places *p, const char *cache)
{
	const char *home = folder_in("HOME");

	memset(p, 0, sizeof(*p));
	if (cache)
		fg_buf_add_str(&p->cache, fg_str_from(cache));
	else if (home)
		fg_buf_addf(&p->cache, "%s/.debug", home);
	find_debuginfod(&p->debuginfod);
}

void fg_locate_places_release(struct fg_locate_places *p)
{
	fg_buf_release(&p->cache);
	fg_buf_release(&p->debuginfod);
}

/* The search for the files of one DSO. */
struct search {
	struct fg_dso *dso;
	const struct fg_locate_places *places;
	/* the recorded build id or, if there is none, that of the binary */
	struct fg_build_id want;
	bool debug; /* we search for debug information, not for symbols */
	struct fg_buf path;
};

/*
 * Takes ownership of a file if it has something that is still missing. Returns true if
 * it did.
 */
static bool use(struct search *s, struct fg_elf *e)
{
	struct fg_dso *dso = s->dso;
	bool used = false;

	if (s->debug) {
		if (dso->debug || !fg_elf_has_debug(e))
			return false;
		dso->debug = e;
		return true;
	}
	if (!dso->elf && fg_elf_has_symtab(e)) {
		dso->elf = e;
		used = true;
	}
	if (!dso->runtime && fg_elf_has_dynsym(e)) {
		dso->runtime = e;
		used = true;
	}
	return used;
}

/* Returns true if a file has the wanted build id, or if none is wanted. */
static bool is_wanted(const struct search *s, const struct fg_elf *e)
{
	struct fg_build_id id = fg_elf_build_id(e);

	return !s->want.len || fg_build_id_eq(&id, &s->want);
}

/*
 * Keeps a file if it is right and has something that is still missing. Otherwise closes
 * it. Returns true if it has the wanted build id.
 */
static bool offer(struct search *s, struct fg_elf *e)
{
	bool right = is_wanted(s, e);

	if (!right || !use(s, e))
		fg_elf_close(e);
	return right;
}

static bool is_complete(const struct search *s)
{
	return s->debug ? s->dso->debug != NULL : s->dso->elf && s->dso->runtime;
}

static struct fg_elf *open_elf(struct fg_dso *dso, int fd)
{
	struct fg_elf *e = fg_elf_open(fd);

	if (!e && errno == EFBIG)
		dso->inflates = true;
	return e;
}

/* Opens the file s->path as `pid` sees it, or as this process does if `pid` is 0. */
static int open_path(struct search *s, int32_t pid, enum fg_trust trust)
{
	const char *path = fg_buf_cstr(&s->path);

	return pid ? fg_elsewhere_open(s->places->helper, pid, path, trust) :
		     fg_trusted_open(path, trust);
}

static void try_path_of(struct search *s, int32_t pid)
{
	int fd = is_complete(s) ? -1 : open_path(s, pid, FG_TRUST_OWN);
	struct fg_elf *e = fd < 0 ? NULL : open_elf(s->dso, fd);

	if (e)
		offer(s, e);
}

/*
 * Tries the file s->path. We only guess that it is the right one, so its owner must be
 * somebody we trust. Without a build id we do not try the path outside of the container
 * that the DSO is in, because another file may have the same name there.
 */
static void try_path(struct search *s)
{
	if (s->dso->there)
		try_path_of(s, s->dso->there);
	if (!s->dso->there || s->want.len)
		try_path_of(s, 0);
}

static struct fg_buf *new_path(struct search *s, struct fg_str start)
{
	fg_buf_clear(&s->path);
	fg_buf_add_str(&s->path, start);
	return &s->path;
}

/* Tries FOLDER/.build-id/xx/rest with `end` appended. */
static void try_build_id(struct search *s, struct fg_str folder, const char *end)
{
	struct fg_buf *path = new_path(s, folder);

	if (!s->want.len || !folder.len)
		return;
	fg_buf_add_str(path, FG_STR("/.build-id/"));
	fg_build_id_add(path, &s->want, '/');
	fg_buf_add_str(path, fg_str_from(end));
	try_path(s);
}

/*
 * Makes s->path the path of a file that debuginfod's client has fetched. Returns false
 * if there cannot be one. The file is empty if the server did not have it.
 */
static bool find_fetched(struct search *s, const struct fg_build_id *id,
			 const char *name)
{
	struct fg_buf *path = new_path(s, fg_buf_str(&s->places->debuginfod));

	if (!id->len || !path->len)
		return false;
	fg_buf_add_char(path, '/');
	fg_build_id_add(path, id, 0);
	fg_buf_addf(path, "/%s", name);
	return true;
}

/*
 * Tries the file with the name in .gnu_debuglink: beside the binary, and in folders for
 * debug files.
 */
static void try_debug_link(struct search *s, struct fg_str link)
{
	struct fg_str path = s->dso->path;
	struct fg_str folder = fg_str_before(path, fg_str_rfind_char(path, '/'));
	const struct {
		struct fg_str start, middle;
	} places[] = {
		{ folder, FG_STR("/") },
		{ folder, FG_STR("/.debug/") },
		{ FG_STR("/usr/lib/debug"), folder },
	};

	if (!link.len || fg_str_has_char(link, '/'))
		return;
	for (size_t i = 0; i < FG_COUNT_OF(places); i++) {
		fg_buf_add_str(new_path(s, places[i].start), places[i].middle);
		if (places[i].middle.ptr == folder.ptr)
			fg_buf_add_char(&s->path, '/');
		fg_buf_add_str(&s->path, link);
		try_path(s);
	}
}

static void try_debug_files(struct search *s, const struct fg_elf *binary)
{
	static const struct fg_str debug = FG_STR_INIT("/usr/lib/debug");
	struct fg_str link = binary ? fg_elf_debug_link(binary) : FG_STR("");

	try_debug_link(s, link);
	try_build_id(s, fg_buf_str(&s->places->cache), "/elf");
	try_build_id(s, fg_buf_str(&s->places->cache), "/debug");
	fg_buf_add_str(new_path(s, debug), s->dso->path);
	fg_buf_add_str(&s->path, FG_STR(".debug"));
	try_path(s);
	fg_buf_add_str(new_path(s, debug), s->dso->path);
	try_path(s);
	try_build_id(s, debug, ".debug");
	if (find_fetched(s, &s->want, "debuginfo"))
		try_path(s);
}

static int64_t in_ns(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/*
 * Notes which file was found, and when it changed. We need both times: perf's cache
 * makes hard links to the file, which change its inode but not its contents.
 */
static void note_found(struct fg_dso *dso, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return;
	dso->found_inode = st.st_ino;
	dso->found_changed = in_ns(&st.st_ctim);
	dso->found_written = in_ns(&st.st_mtim);
}

static enum fg_dso_trouble trouble_of(int error)
{
	if (error == EMFILE || error == ENFILE)
		return FG_DSO_TOO_MANY;
	return error == ENOENT || error == ENOTDIR ? FG_DSO_MISSING : FG_DSO_UNREADABLE;
}

/*
 * Returns true if an open file seems to be the one that was mapped, by its build id or
 * its inode.
 */
static bool is_recorded(const struct search *s, int fd, const struct fg_elf *e)
{
	struct stat st;

	if (s->want.len)
		return is_wanted(s, e);
	return !fstat(fd, &st) && st.st_ino == s->dso->identity.inode;
}

/*
 * Opens the binary as `pid` sees it; 0 is this process. Returns NULL and sets the DSO's
 * trouble if that fails or if, with `sure`, the file does not seem to be the one that
 * was mapped.
 */
static struct fg_elf *open_binary_of(struct search *s, int32_t pid, bool sure)
{
	struct fg_dso *dso = s->dso;
	struct fg_elf *e;
	int fd;

	fd = open_path(s, pid, FG_TRUST_ANY_OWNER);
	if (fd < 0) {
		if (!pid && dso->trouble != FG_DSO_CHANGED)
			dso->trouble = trouble_of(errno);
		return NULL;
	}
	note_found(dso, fd);
	e = open_elf(dso, fd);
	if (!e) {
		dso->trouble = FG_DSO_UNREADABLE;
	} else if (sure && !is_recorded(s, fd, e)) {
		dso->trouble = FG_DSO_CHANGED;
		fg_elf_close(e);
		e = NULL;
	}
	if (e)
		dso->there = pid;
	return e;
}

/*
 * Like open_binary_of(), but tries the views of all processes that mapped the binary,
 * the last one first, and of this process. This process comes first if a build id tells
 * if the file is right, because that is quicker, and otherwise last.
 */
static struct fg_elf *open_binary(struct search *s, bool sure)
{
	const struct fg_dso *dso = s->dso;
	size_t count = dso->mapper_count;
	struct fg_elf *e;

	new_path(s, dso->path);
	e = s->want.len ? open_binary_of(s, 0, sure) : NULL;
	for (size_t i = 0; !e && i < FG_DSO_MAPPERS && i < count; i++)
		e = open_binary_of(s, dso->mappers[(count - 1 - i) % FG_DSO_MAPPERS],
				   sure);
	return e || s->want.len ? e : open_binary_of(s, 0, sure);
}

void fg_dso_check(struct fg_dso *dso)
{
	if (fg_elf_failed(dso->elf) || fg_elf_failed(dso->runtime))
		dso->trouble = FG_DSO_UNREADABLE;
	dso->inflates |= fg_elf_inflates(dso->elf) || fg_elf_inflates(dso->runtime);
}

static void use_found(struct fg_dso *dso)
{
	if (!dso->elf)
		dso->elf = dso->runtime;
	if (!dso->runtime)
		dso->runtime = dso->elf;
	if (!dso->elf)
		return;
	dso->trouble = FG_DSO_NO_TROUBLE;
	fg_elf_symbols(dso->elf, dso->runtime, &dso->symtab);
	fg_dso_check(dso);
}

/*
 * Opens the binary that debuginfod's client has fetched. Returns NULL if it has not.
 */
static struct fg_elf *open_fetched(struct search *s)
{
	int fd = find_fetched(s, &s->want, "executable") ?
			 open_path(s, 0, FG_TRUST_OWN) :
			 -1;
	struct fg_elf *e = fd < 0 ? NULL : open_elf(s->dso, fd);

	if (!e || is_wanted(s, e))
		return e;
	fg_elf_close(e);
	return NULL;
}

/*
 * Finds the files of a DSO of kind FG_DSO_FILE. The build id tells which file is right
 * or, if there is none, the inode.
 */
static void locate_file(struct search *s)
{
	struct fg_elf *binary = NULL;

	s->dso->there = 0;
	if (s->want.len || s->dso->identity.inode)
		binary = open_binary(s, true);
	if (!binary && !s->want.len)
		binary = open_binary(s, false);
	if (!binary)
		binary = open_fetched(s);
	if (binary && !s->want.len)
		s->want = fg_elf_build_id(binary);
	try_debug_files(s, binary);
	/*
	 * Keep the file that ran, even if it has no symbols: we need it for unwinding.
	 */
	if (binary && !s->dso->runtime)
		s->dso->runtime = binary;
	if (binary && !use(s, binary) && binary != s->dso->runtime)
		fg_elf_close(binary);
	use_found(s->dso);
}

#ifdef __linux__
/*
 * Opens the vdso that the kernel mapped into this process. Its size is the end of the
 * table of sections, which comes last.
 */
static struct fg_elf *open_own_vdso(void)
{
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	size_t len;

	if (!image)
		return NULL;
	if (sizeof(void *) == 8) {
		uint64_t sections;
		uint16_t size, count;

		memcpy(&sections, image + 40, sizeof(sections));
		memcpy(&size, image + 58, sizeof(size));
		memcpy(&count, image + 60, sizeof(count));
		len = (size_t)sections + (size_t)size * count;
	} else {
		uint32_t sections;
		uint16_t size, count;

		memcpy(&sections, image + 32, sizeof(sections));
		memcpy(&size, image + 46, sizeof(size));
		memcpy(&count, image + 48, sizeof(count));
		len = (size_t)sections + (size_t)size * count;
	}
	return fg_elf_open_image(fg_str_of(image, len));
}
#else
static struct fg_elf *open_own_vdso(void)
{
	return NULL;
}
#endif

static void locate_vdso(struct search *s)
{
	struct fg_buf *path = new_path(s, fg_buf_str(&s->places->cache));
	struct fg_elf *own;

	if (path->len && s->want.len) {
		fg_buf_add_str(path, FG_STR("/[vdso]/"));
		fg_build_id_add(path, &s->want, 0);
		fg_buf_add_str(path, FG_STR("/vdso"));
		try_path(s);
	}
	own = is_complete(s) ? NULL : open_own_vdso();
	if (own && !offer(s, own))
		s->dso->trouble = FG_DSO_CHANGED;
	use_found(s->dso);
}

void fg_locate(struct fg_dso *dso, const struct fg_locate_places *places)
{
	struct search s = { .dso = dso, .places = places, .want = dso->build_id };

	if (dso->kind == FG_DSO_FILE)
		locate_file(&s);
	else if (dso->kind == FG_DSO_VDSO)
		locate_vdso(&s);
	fg_buf_release(&s.path);
}

/* Opens the file that a runtime has written. Returns -1 if we cannot, or must not. */
static int open_jit(const struct fg_dso *dso, const struct fg_locate_places *places)
{
	struct fg_buf path = FG_BUF_INIT;
	bool is_dump = dso->kind == FG_DSO_DUMP;
	int fd;

	fg_buf_add_str(&path, dso->path);
	fd = fg_elsewhere_open(places->helper, dso->pid,
			       is_dump ? fg_buf_cstr(&path) : NULL, FG_TRUST_OWN);
	if (fd < 0)
		fd = fg_trusted_open(fg_buf_cstr(&path), FG_TRUST_OWN);
	fg_buf_release(&path);
	return fd;
}

void fg_locate_dump(struct fg_dso *dso, const struct fg_locate_places *places)
{
	int fd = dso->dump ? -1 : open_jit(dso, places);

	if (fd >= 0)
		dso->dump = fg_jitdump_open(fd);
	if (dso->dump)
		fg_jitdump_read(dso->dump, &dso->symtab);
}

/* If we find the map late, FG_DSO_LATE_MAP says that earlier lookups found no name. */
void fg_locate_map(struct fg_dso *dso, const struct fg_locate_places *places,
		   bool grows)
{
	int status =
		fg_jitmap_read(&dso->map, open_jit(dso, places), grows, &dso->symtab);

	if (status && !dso->map.size) {
		dso->trouble = FG_DSO_NO_MAP;
	} else if (dso->trouble == FG_DSO_NO_MAP) {
		dso->trouble = dso->touched ? FG_DSO_LATE_MAP : FG_DSO_NO_TROUBLE;
		dso->unknown = 0;
	}
}

/*
 * Finds the file with parts of the debug information that several files share. Keeps
 * both files or neither.
 */
static void find_shared(struct search *s)
{
	struct fg_dso *dso = s->dso;
	struct fg_build_id want = fg_elf_shared_id(dso->debug);
	struct fg_buf *path = new_path(s, FG_STR("/usr/lib/debug/.build-id/"));
	struct fg_build_id id;
	int fd;

	if (!want.len)
		return;
	fg_build_id_add(path, &want, '/');
	fg_buf_add_str(path, FG_STR(".debug"));
	fd = fg_trusted_open(fg_buf_cstr(path), FG_TRUST_OWN);
	if (fd < 0 && find_fetched(s, &want, "debuginfo"))
		fd = fg_trusted_open(fg_buf_cstr(path), FG_TRUST_OWN);
	dso->shared = fd < 0 ? NULL : open_elf(dso, fd);
	if (dso->shared) {
		id = fg_elf_build_id(dso->shared);
		if (fg_build_id_eq(&id, &want))
			return;
	}
	if (dso->debug != dso->elf && dso->debug != dso->runtime)
		fg_elf_close(dso->debug);
	fg_elf_close(dso->shared);
	dso->debug = dso->shared = NULL;
}

void fg_locate_debug(struct fg_dso *dso, const struct fg_locate_places *places)
{
	struct search s = {
		.dso = dso, .places = places, .want = dso->build_id, .debug = true
	};

	if (!dso->elf)
		return;
	if (!s.want.len)
		s.want = fg_elf_build_id(dso->runtime);
	if (fg_elf_has_debug(dso->elf))
		dso->debug = dso->elf;
	else if (fg_elf_has_debug(dso->runtime))
		dso->debug = dso->runtime;
	else
		try_debug_files(&s, dso->runtime);
	if (dso->debug)
		find_shared(&s);
	fg_buf_release(&s.path);
}

void fg_locate_inlines(struct fg_dso *dso, const struct fg_locate_places *places)
{
	if (dso->debug_tried)
		return;
	dso->debug_tried = true;
	fg_locate_debug(dso, places);
	if (dso->debug)
		dso->inlines = fg_inlines_open(dso->debug, dso->shared);
	dso->inflates |= dso->debug && !dso->inlines && errno == EFBIG;
}

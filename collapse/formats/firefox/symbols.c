/* Profiles of the Firefox Profiler: functions at addresses, for --symbols. */
#include "collapse/formats/firefox/symbols.h"

#include <errno.h>
#include <stdlib.h>

#include "collapse/names.h"
#include "collapse/symbols/elf.h"
#include "collapse/symbols/lookup.h"
#include "collapse/symbols/trusted.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

/*
 * Tells if a file is the one that was recorded. We check this when its first address is
 * looked up; until then it is NOT_ASKED.
 */
enum state { NOT_ASKED, USABLE, USELESS };

struct file {
	enum state state;
	struct fg_str paths[2]; /* the file, and the one with its debug information */
	size_t path_count;
	struct fg_str usable; /* the one of `paths` to use; empty before it is found */
	struct fg_str code_id;
	/*
	 * lowest address of the ELF file; addresses in the profile are relative to it
	 */
	uint64_t base;
};

struct firefox_symbols {
	struct fg_sink *sink;
	struct fg_lookup *lookup;
	struct fg_intern keys; /* path, debug path and id of each file */
	struct file *files; /* indexed by the id in `keys` */
	size_t files_alloc;
	struct fg_buf answer, key, name;
	uint32_t *names;
	size_t names_alloc;
	enum fg_inlines_detail detail;
	uint64_t asked, missing, different;
};

void firefox_file_release(struct firefox_file *file)
{
	fg_buf_release(&file->path);
	fg_buf_release(&file->debug_path);
	fg_buf_release(&file->code_id);
}

struct firefox_symbols *firefox_symbols_new(struct fg_sink *sink,
					    enum fg_inlines_detail detail)
{
	struct firefox_symbols *s = fg_xcalloc(1, sizeof(*s));

	s->sink = sink;
	s->lookup = fg_lookup_new(detail, fg_sink_diag(sink));
	s->detail = detail;
	return s;
}

void firefox_symbols_free(struct firefox_symbols *s)
{
	if (!s)
		return;
	fg_lookup_free(s->lookup);
	fg_intern_release(&s->keys);
	fg_buf_release(&s->answer);
	fg_buf_release(&s->key);
	fg_buf_release(&s->name);
	free(s->files);
	free(s->names);
	free(s);
}

void firefox_symbols_report(const struct firefox_symbols *s)
{
	if (s->missing)
		fg_warn(fg_sink_diag(s->sink), NULL,
			"%llu of %llu libraries were not found; run where the profile "
			"was recorded",
			(unsigned long long)s->missing, (unsigned long long)s->asked);
	if (s->different)
		fg_warn(fg_sink_diag(s->sink), NULL,
			"%llu of %llu libraries are not those that were recorded: "
			"their build ids differ or are missing",
			(unsigned long long)s->different, (unsigned long long)s->asked);
}

/* ---- files */

static void add_path(struct file *f, struct fg_str path)
{
	if (fg_lookup_is_file(path) && !fg_str_has_char(path, '\0'))
		f->paths[f->path_count++] = path;
}

uint32_t firefox_symbols_file(struct firefox_symbols *s,
			      const struct firefox_file *file)
{
	size_t known = s->keys.count, path_end, debug_end;
	struct fg_str key;
	struct file *f;
	uint32_t id;

	fg_buf_clear(&s->key);
	fg_buf_add_str(&s->key, fg_buf_str(&file->path));
	path_end = s->key.len;
	fg_buf_add_char(&s->key, '\0');
	fg_buf_add_str(&s->key, fg_buf_str(&file->debug_path));
	debug_end = s->key.len;
	fg_buf_add_char(&s->key, '\0');
	fg_buf_add_str(&s->key, fg_buf_str(&file->code_id));
	id = fg_intern(&s->keys, fg_buf_str(&s->key));
	if (id < known)
		return id;
	key = fg_intern_name(&s->keys, id);
	FG_GROW(s->files, s->files_alloc, s->keys.count);
	f = &s->files[id];
	memset(f, 0, sizeof(*f));
	add_path(f, fg_str_before(key, path_end));
	add_path(f, fg_str_from_pos(fg_str_before(key, debug_end), path_end + 1));
	f->code_id = fg_str_from_pos(key, debug_end + 1);
	return id;
}

static bool is_same_id(struct fg_str a, struct fg_str b)
{
	bool same = a.len && a.len == b.len;

	for (size_t i = 0; same && i < a.len; i++)
		same = (a.ptr[i] | ' ') == (b.ptr[i] | ' '); /* ignores case */
	return same;
}

/*
 * Opens an ELF file. Returns NULL if this fails. Sets *found if the file exists, even
 * if it is not an ELF file.
 */
static struct fg_elf *open_path(struct firefox_symbols *s, struct fg_str path,
				bool *found)
{
	int fd;

	fg_buf_clear(&s->key);
	fg_buf_add_str(&s->key, path);
	fd = fg_trusted_open(fg_buf_cstr(&s->key), FG_TRUST_ANY_OWNER);
	*found |= fd >= 0 || errno == EACCES;
	return fd < 0 ? NULL : fg_elf_open(fd);
}

static bool has_id(const struct fg_elf *e, struct fg_str wanted)
{
	struct fg_build_id id = fg_elf_build_id(e);
	struct fg_buf text = FG_BUF_INIT;
	bool same;

	fg_build_id_add(&text, &id, 0);
	same = is_same_id(fg_buf_str(&text), wanted);
	fg_buf_release(&text);
	return same;
}

/*
 * Sets f->usable to the first of its paths whose file has the recorded build id.
 * Returns false if there is none.
 */
static bool find_file(struct firefox_symbols *s, struct file *f)
{
	bool found = false;

	if (!fg_elf_is_here()) {
		f->usable = f->paths[0]; /* the lookup warns that it cannot read it */
		return true;
	}
	for (size_t i = 0; i < f->path_count && !f->usable.len; i++) {
		struct fg_elf *e = open_path(s, f->paths[i], &found);

		if (e && has_id(e, f->code_id)) {
			f->usable = f->paths[i];
			f->base = fg_elf_base(e);
		}
		fg_elf_close(e);
	}
	s->missing += !found;
	s->different += found && !f->usable.len;
	return f->usable.len > 0;
}

/* ---- functions */

/* Returns the frame id for a name that was looked up. */
static uint32_t name_of(struct firefox_symbols *s, struct fg_str text)
{
	uint64_t line = 0;
	struct fg_str file = fg_lookup_cut_place(s->detail, &text, &line);

	fg_buf_clear(&s->name);
	fg_add_name(&s->name, text);
	return fg_sink_name_at(s->sink, fg_buf_str(&s->name), file, line);
}

size_t firefox_symbols_find(struct firefox_symbols *s, uint32_t file, uint64_t address,
			    const uint32_t **names)
{
	struct file *f = &s->files[file];
	size_t count = 0;
	struct fg_str rest;

	if (f->state == NOT_ASKED && f->path_count) {
		s->asked++;
		f->state = find_file(s, f) ? USABLE : USELESS;
	}
	if (f->state != USABLE || address > UINT64_MAX - f->base)
		return 0;
	fg_buf_clear(&s->answer);
	if (!fg_lookup_address(s->lookup, f->usable, address + f->base, &s->answer))
		return 0;
	rest = fg_buf_str(&s->answer);
	while (rest.len) {
		FG_GROW(s->names, s->names_alloc, count + 1);
		s->names[count++] = name_of(s, fg_str_cut(&rest, ';'));
	}
	*names = s->names;
	return count;
}

/* Profiles of the Firefox Profiler: functions at addresses, for --symbols. */
#include "collapse/formats/firefox/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "collapse/names.h"
#include "collapse/symbols/addr2line.h"
#include "collapse/symbols/dsofile.h"
#include "collapse/symbols/image.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

/* Whether a file is the one that was recorded is found out when it is asked for. */
enum state { NOT_ASKED, USABLE, USELESS };

struct file {
	enum state state;
	struct fg_dsofile dso[2]; /* the file, and the one with its debug information */
	size_t dso_count;
	const struct fg_dsofile *usable;
	struct fg_str code_id;
	uint64_t base; /* what a relative address is relative to */
};

struct firefox_symbols {
	struct fg_sink *sink;
	struct fg_addr2line *addr2line;
	struct fg_intern keys; /* path, debug path and id of each file */
	struct file *files; /* by their ids */
	size_t files_alloc;
	struct fg_arena text;
	struct fg_buf answer, key, name;
	uint32_t *names;
	size_t names_alloc;
	bool lines, has_readelf;
	uint64_t asked, missing, different;
};

void firefox_file_release(struct firefox_file *file)
{
	fg_buf_release(&file->path);
	fg_buf_release(&file->debug_path);
	fg_buf_release(&file->code_id);
}

struct firefox_symbols *firefox_symbols_new(struct fg_sink *sink, bool lines)
{
	struct firefox_symbols *s = fg_xcalloc(1, sizeof(*s));

	s->sink = sink;
	s->addr2line = fg_addr2line_new(lines, fg_sink_diag(sink));
	s->lines = lines;
	s->has_readelf = true;
	fg_arena_init(&s->text);
	return s;
}

void firefox_symbols_free(struct firefox_symbols *s)
{
	if (!s)
		return;
	fg_addr2line_free(s->addr2line);
	fg_intern_release(&s->keys);
	fg_arena_release(&s->text);
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
			"their build ids differ, or there is none",
			(unsigned long long)s->different, (unsigned long long)s->asked);
}

/* ---- files */

static void add_path(struct firefox_symbols *s, struct file *f, struct fg_str path)
{
	if (fg_dsofile_is_file(path))
		fg_dsofile_init(&f->dso[f->dso_count++], path, &s->text);
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
	add_path(s, f, fg_str_before(key, path_end));
	add_path(s, f, fg_str_from_pos(fg_str_before(key, debug_end), path_end + 1));
	f->code_id = fg_str_from_pos(key, debug_end + 1);
	return id;
}

static bool is_same_id(struct fg_str a, struct fg_str b)
{
	bool same = a.len && a.len == b.len;

	for (size_t i = 0; same && i < a.len; i++)
		same = (a.ptr[i] | ' ') == (b.ptr[i] | ' '); /* A to F, a to f */
	return same;
}

/* The first of its paths that is a file with the id that was recorded. */
static bool find_file(struct firefox_symbols *s, struct file *f)
{
	bool found = false;

	for (size_t i = 0; i < f->dso_count && s->has_readelf; i++) {
		struct fg_image image = { FG_BUF_INIT, 0 };
		struct stat st;

		if (!f->dso[i].path || stat(f->dso[i].path, &st) ||
		    !S_ISREG(st.st_mode))
			continue;
		found = true;
		if (fg_image_read(&image, f->dso[i].path)) {
			s->has_readelf = false;
			fg_warn(fg_sink_diag(s->sink), NULL,
				"readelf cannot be run, so no symbols are found; "
				"install binutils");
		} else if (is_same_id(fg_buf_str(&image.build_id), f->code_id)) {
			f->usable = &f->dso[i];
			f->base = image.base;
		}
		fg_image_release(&image);
		if (f->usable)
			return true;
	}
	s->missing += !found;
	s->different += found && s->has_readelf;
	return false;
}

/* ---- functions */

/* "NAME", or with lines "NAME:FILE:LINE", "NAME:??:?" where that is not known. */
static uint32_t name_of(struct firefox_symbols *s, struct fg_str text)
{
	size_t line_at = s->lines ? fg_str_rfind_char(text, ':') : text.len;
	struct fg_str place = fg_str_before(text, line_at), file = FG_STR("");
	size_t file_at = fg_str_rfind_char(place, ':');
	uint64_t line = 0;

	if (line_at < text.len && file_at < place.len) {
		if (!fg_str_u64(fg_str_from_pos(text, line_at + 1), &line))
			file = fg_str_from_pos(place, file_at + 1);
		text = fg_str_before(place, file_at);
	}
	fg_buf_clear(&s->name);
	fg_add_name(&s->name, text);
	return fg_sink_name_at(s->sink, fg_buf_str(&s->name), file, line);
}

size_t firefox_symbols_find(struct firefox_symbols *s, uint32_t file, uint64_t address,
			    const uint32_t **names)
{
	struct fg_addr2line_query query = { .symbol = FG_STR("") };
	struct file *f = &s->files[file];
	size_t count = 0;
	struct fg_str rest;

	if (f->state == NOT_ASKED && f->dso_count) {
		s->asked++;
		f->state = find_file(s, f) ? USABLE : USELESS;
	}
	if (f->state != USABLE || address > UINT64_MAX - f->base)
		return 0;
	fg_buf_clear(&s->key);
	address += f->base;
	fg_buf_addf(&s->key, "%" PRIx64, address);
	query.pc = fg_buf_str(&s->key);
	query.dso = f->usable->name;
	fg_buf_clear(&s->answer);
	if (!fg_addr2line_frames(s->addr2line, &query, &s->answer))
		return 0;
	rest = fg_buf_str(&s->answer);
	while (rest.len) {
		FG_GROW(s->names, s->names_alloc, count + 1);
		s->names[count++] = name_of(s, fg_str_cut(&rest, ';'));
	}
	*names = s->names;
	return count;
}

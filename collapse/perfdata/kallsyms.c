/* The kernel's symbols, from perf's cache or from the kernel that runs. */
#include "collapse/perfdata/kallsyms.h"

#include <sys/utsname.h>

#include "collapse/perfdata/trusted.h"

void fg_pd_kallsyms_init(struct fg_pd_kallsyms *k)
{
	memset(k, 0, sizeof(*k));
	fg_pd_symtab_init(&k->symtab, FG_PD_SYMTAB_KALLSYMS);
}

void fg_pd_kallsyms_release(struct fg_pd_kallsyms *k)
{
	fg_pd_symtab_release(&k->symtab);
	fg_buf_release(&k->text);
	fg_pd_kallsyms_init(k);
}

/* "ADDRESS TYPE NAME[\t[MODULE]]". */
struct line {
	uint64_t address;
	char type;
	struct fg_str name;
	bool of_module;
};

static bool read_line(struct fg_str text, struct line *line)
{
	size_t blank = fg_str_find_char(text, ' ');
	size_t tab;

	if (text.len < blank + 4 || text.ptr[blank + 2] != ' ' ||
	    fg_str_hex(fg_str_before(text, blank), &line->address))
		return false;
	line->type = text.ptr[blank + 1];
	text = fg_str_from_pos(text, blank + 3);
	tab = fg_str_find_char(text, '\t');
	line->name = fg_str_before(text, tab);
	line->of_module = tab < text.len;
	return line->name.len > 0;
}

/* Upper case is for global symbols, and for those that are weak. */
static void add_line(struct fg_pd_symtab *t, const struct line *line, uint64_t delta)
{
	uint32_t flags =
		FG_PD_SYMBOL_LINE | (line->of_module ? FG_PD_SYMBOL_MODULE : 0);

	switch (line->type) {
	case 'T':
	case 'D':
	case 'B':
		flags |= FG_PD_SYMBOL_GLOBAL;
		break;
	case 'W':
		flags |= FG_PD_SYMBOL_WEAK;
		break;
	case 't':
	case 'w':
	case 'd':
	case 'b':
		break;
	default:
		return;
	}
	fg_pd_symtab_add(t, line->address - delta, 0, line->name.ptr, flags);
}

/* How far the kernel was from where it is in the list. */
static uint64_t find_delta(const struct fg_pd_kallsyms *k)
{
	struct fg_str rest = fg_buf_str(&k->text);
	struct line line;

	while (k->reference.len && rest.len)
		if (read_line(fg_str_cut(&rest, '\n'), &line) &&
		    fg_str_eq(line.name, k->reference))
			return line.address - k->reference_at;
	return 0;
}

bool fg_pd_kallsyms_parse(struct fg_pd_kallsyms *k, struct fg_buf *text)
{
	struct fg_str rest;
	struct line line;
	uint64_t delta, any = 0;

	k->text = *text;
	fg_buf_init(text);
	fg_buf_add_char(&k->text, '\n'); /* ends the last name */
	delta = find_delta(k);
	rest = fg_buf_str(&k->text);
	while (rest.len) {
		if (!read_line(fg_str_cut(&rest, '\n'), &line))
			continue;
		any |= line.address;
		add_line(&k->symtab, &line, delta);
	}
	if (!any)
		fg_pd_symtab_release(&k->symtab);
	fg_pd_symtab_finish(&k->symtab);
	for (size_t i = 0; i < k->symtab.count; i++)
		if (!(k->symtab.symbols[i].flags & FG_PD_SYMBOL_MODULE))
			k->end = k->symtab.symbols[i].end;
	return any;
}

static int read_path(const char *path, enum fg_pd_trust trust, struct fg_buf *text)
{
	int fd = fg_pd_open(path, trust);

	fg_buf_clear(text);
	return fd < 0 ? -1 : fg_pd_read_all(fd, text);
}

static bool load_cached(struct fg_pd_kallsyms *k, struct fg_str cache,
			const struct fg_pd_build_id *id)
{
	struct fg_buf path = FG_BUF_INIT, text = FG_BUF_INIT;
	bool loaded = false;

	if (cache.len && id->len) {
		fg_buf_add_str(&path, cache);
		fg_buf_add_str(&path, FG_STR("/[kernel.kallsyms]/"));
		fg_pd_build_id_add(&path, id, 0);
		fg_buf_add_str(&path, FG_STR("/kallsyms"));
		loaded = !read_path(fg_buf_cstr(&path), FG_PD_OWN, &text) &&
			 fg_pd_kallsyms_parse(k, &text);
	}
	fg_buf_release(&path);
	fg_buf_release(&text);
	return loaded;
}

/* Streams have no build ids, but the kernel's release. */
static bool is_release(struct fg_str release)
{
	struct utsname running;

	return !release.len || uname(&running) ||
	       fg_str_eq(release, fg_str_from(running.release));
}

static bool is_running(const struct fg_pd_kallsyms *k, const struct fg_pd_build_id *id)
{
	struct fg_buf notes = FG_BUF_INIT;
	struct fg_pd_build_id running;
	bool same;

	if (!id->len)
		return is_release(k->release);
	same = !read_path("/sys/kernel/notes", FG_PD_OWN, &notes) &&
	       fg_pd_build_id_from_notes(&running, fg_buf_str(&notes)) &&
	       fg_pd_build_id_eq(&running, id);
	fg_buf_release(&notes);
	return same;
}

void fg_pd_kallsyms_load(struct fg_pd_kallsyms *k, struct fg_str cache,
			 const struct fg_pd_build_id *id)
{
	struct fg_buf text = FG_BUF_INIT;

	if (k->loaded)
		return;
	k->loaded = true;
	if (!load_cached(k, cache, id) && is_running(k, id) &&
	    !read_path("/proc/kallsyms", FG_PD_OWN, &text))
		fg_pd_kallsyms_parse(k, &text);
	fg_buf_release(&text);
}

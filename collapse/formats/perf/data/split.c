/* Where libdw looks for the trees of units that are in other files. */
#include "collapse/formats/perf/data/split.h"

#ifdef FG_HAVE_LIBDW
#include <stdio.h>
#include <unistd.h>

#include "collapse/formats/perf/data/dwarfopen.h"
#include "collapse/formats/perf/data/elffile.h"

/* From 0.191 on it opens a package, called as the file with ".dwp" behind it. */
static bool package_is_harmless(struct fg_str file)
{
	struct fg_buf path = FG_BUF_INIT;
	bool is_harmless;

	fg_buf_add_str(&path, file);
	fg_buf_add_str(&path, FG_STR(".dwp"));
	is_harmless = fg_pd_dwarf_is_harmless(fg_buf_cstr(&path));
	fg_buf_release(&path);
	return is_harmless;
}

/* The path is found as libdw finds it. */
void fg_pd_split_init(struct fg_pd_split *s, const struct fg_pd_elf *debug)
{
	char link[32], path[4096];
	ssize_t len;

	memset(s, 0, sizeof(*s));
	if (debug->fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", debug->fd);
	len = readlink(link, path, sizeof(path));
	if (len > 0 && (size_t)len < sizeof(path)) {
		struct fg_str whole = fg_str_of(path, (size_t)len);

		fg_buf_add_str(&s->folder,
			       fg_str_before(whole, fg_str_rfind_char(whole, '/')));
		s->harmful = !package_is_harmless(whole);
	}
}

void fg_pd_split_release(struct fg_pd_split *s)
{
	fg_buf_release(&s->folder);
}

static void add_folder(struct fg_buf *path, struct fg_str folder)
{
	fg_buf_add_str(path, folder);
	if (folder.len)
		fg_buf_add_char(path, '/');
}

static bool may_open(const struct fg_pd_split *s, const char *folder, const char *name)
{
	struct fg_buf path = FG_BUF_INIT;
	bool may;

	if (*name != '/' && *folder != '/')
		add_folder(&path, fg_buf_str(&s->folder));
	if (*name != '/')
		add_folder(&path, fg_str_from(folder));
	fg_buf_add_str(&path, fg_str_from(name));
	may = fg_pd_dwarf_is_harmless(fg_buf_cstr(&path));
	fg_buf_release(&path);
	return may;
}

bool fg_pd_split_may_open(const struct fg_pd_split *s, const char *folder,
			  const char *name)
{
	return !s->harmful && may_open(s, "", name) && may_open(s, folder, name);
}

#endif

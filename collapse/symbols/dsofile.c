/* The file of a DSO that perf names: whether there is one, and its path. */
#include "collapse/symbols/dsofile.h"

#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/xalloc.h"

bool fg_dsofile_is_file(struct fg_str name)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("["),	FG_STR_INIT("//anon"),
		FG_STR_INIT("/memfd:"), FG_STR_INIT("anon_inode:"),
		FG_STR_INIT("/SYSV"),	FG_STR_INIT("/dev/zero"),
	};

	return name.len && !fg_str_eq(name, FG_STR("inlined")) &&
	       !fg_str_starts_any(name, starts, FG_COUNT_OF(starts));
}

/* An argument that starts with '-' would be an option, with '@' a file of arguments. */
void fg_dsofile_init(struct fg_dsofile *d, struct fg_str name, struct fg_arena *arena)
{
	struct fg_str folder = name.ptr[0] == '/' ? FG_STR("") : FG_STR("./");
	char *path =
		fg_arena_bytes(arena, fg_size_add(name.len, folder.len + sizeof("")));

	memcpy(path, folder.ptr, folder.len);
	memcpy(path + folder.len, name.ptr, name.len);
	path[folder.len + name.len] = '\0';
	d->name = name;
	d->path = fg_str_has_char(name, '\0') ? NULL : path;
}

void fg_dsofile_warn(const struct fg_dsofile *d, struct fg_diag *diag, const char *what)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_add_visible(&name, d->name, FG_QUOTED_MAX);
	fg_warn(diag, NULL, "%s: %s", fg_buf_cstr(&name), what);
	fg_buf_release(&name);
}

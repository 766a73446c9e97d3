/* Describes the cgroups that exist. */
#define _DEFAULT_SOURCE /* for d_type */
#include "record/cgroups.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/base/xalloc.h"
#include "record/events.h"
#include "record/records.h"

#define TYPE_CGROUP 19

/* Paths of cgroups whose children are not listed yet, relative to the mount. */
struct paths {
	char **list;
	size_t count;
	size_t alloc;
};

static void push(struct paths *p, const char *folder, const char *name)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_buf_addf(&path, "%s/%s", folder, name);
	fg_buf_cstr(&path);
	FG_GROW(p->list, p->alloc, p->count + 1);
	p->list[p->count++] = path.ptr; /* its owner is the list now */
}

struct fg_str fg_cgroups_mount(struct fg_str mounts)
{
	struct fg_str found = FG_STR("");

	while (mounts.len) {
		struct fg_str line = fg_str_cut(&mounts, '\n');
		struct fg_str place, type, options;

		fg_str_cut(&line, ' '); /* the device */
		place = fg_str_cut(&line, ' ');
		type = fg_str_cut(&line, ' ');
		options = fg_str_cut(&line, ' ');
		if (fg_str_eq(type, FG_STR("cgroup")) &&
		    fg_str_has(options, FG_STR("perf_event")))
			return place;
		if (fg_str_eq(type, FG_STR("cgroup2")) && !found.len)
			found = place;
	}
	return found;
}

/* Writes the record of one cgroup. Its number is that of its folder. */
static void add_cgroup(struct fg_existing *x, const struct stat *st, const char *path)
{
	size_t start;

	fg_buf_clear(&x->record);
	start = fg_record_start(&x->record, TYPE_CGROUP, 0);
	fg_put64(&x->record, st->st_ino);
	fg_put_padded(&x->record, fg_str_from(*path ? path : "/"));
	fg_existing_end(x, start);
}

/* Writes the record of a cgroup and adds its children to `p`. */
static void visit(struct fg_existing *x, const char *mount, const char *path,
		  struct paths *p)
{
	const struct dirent *entry;
	struct stat st;
	DIR *d;

	fg_buf_clear(&x->text);
	fg_buf_addf(&x->text, "%s%s", mount, path);
	d = opendir(fg_buf_cstr(&x->text));
	if (!d)
		return;
	if (!fstat(dirfd(d), &st))
		add_cgroup(x, &st, path);
	while ((entry = readdir(d)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			push(p, path, entry->d_name);
	closedir(d);
}

static void describe_below(struct fg_existing *x, const char *mount)
{
	struct paths p = { .count = 0 };

	visit(x, mount, "", &p);
	while (p.count) {
		char *path = p.list[--p.count];

		visit(x, mount, path, &p);
		free(path);
	}
	free(p.list);
}

void fg_cgroups_describe(struct fg_existing *x)
{
	struct fg_buf mounts = FG_BUF_INIT, mount = FG_BUF_INIT;

	if (!fg_read_file(x->proc, "self/mounts", &mounts)) {
		fg_buf_add_str(&mount, fg_cgroups_mount(fg_buf_str(&mounts)));
		if (mount.len)
			describe_below(x, fg_buf_cstr(&mount));
	}
	fg_buf_release(&mounts);
	fg_buf_release(&mount);
}

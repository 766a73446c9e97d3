/* Describes the processes that already run, from /proc. */
#include "record/existing.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "record/events.h"
#include "record/records.h"

/* Kinds of namespaces in the order of the kernel: enum in linux/perf_event.h. */
static const char *const kinds[] = {
	"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"
};

/* The name that the kernel gives to executable memory of no file. */
#define ANONYMOUS FG_STR("//anon")

void fg_existing_release(struct fg_existing *x)
{
	fg_buf_release(&x->record);
	fg_buf_release(&x->text);
}

static size_t start_record(struct fg_existing *x, uint32_t type, uint16_t misc)
{
	fg_buf_clear(&x->record);
	return fg_record_start(&x->record, type, misc);
}

void fg_existing_end(struct fg_existing *x, size_t start)
{
	fg_put_zeros(&x->record, x->trailer);
	fg_record_end(&x->record, start);
	fg_out_add_str(x->out, fg_buf_str(&x->record));
}

/* Reads a file of a process into x->text. Returns false if that is not possible. */
static bool read_proc(struct fg_existing *x, int pid, const char *name)
{
	struct fg_buf path = FG_BUF_INIT;
	bool done;

	fg_buf_clear(&x->text);
	fg_buf_addf(&path, "%d/%s", pid, name);
	done = !fg_read_file(x->proc, fg_buf_cstr(&path), &x->text);
	fg_buf_release(&path);
	return done;
}

/* ---- threads */

/* Lists the entries of a folder whose names are numbers. */
static bool list_numbers(const char *folder, struct fg_numbers *to)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;
	uint64_t number;

	while (d && (entry = readdir(d)))
		if (!fg_str_u64(fg_str_from(entry->d_name), &number))
			fg_numbers_add(to, (int)number);
	if (d)
		closedir(d);
	return d;
}

bool fg_existing_threads(const char *proc, int pid, struct fg_numbers *threads)
{
	struct fg_buf path = FG_BUF_INIT;
	bool found;

	fg_buf_addf(&path, "%s/%d/task", proc, pid);
	found = list_numbers(fg_buf_cstr(&path), threads);
	fg_buf_release(&path);
	return found;
}

/* Returns the parent of a process, from a row like "PPid:\t1", or 0. */
static int parent_of(struct fg_existing *x, int pid)
{
	uint64_t parent = 0;

	if (read_proc(x, pid, "status")) {
		struct fg_str text = fg_buf_str(&x->text);

		while (text.len) {
			struct fg_str line = fg_str_cut(&text, '\n');

			if (fg_str_cut_start(&line, FG_STR("PPid:")))
				fg_str_u64(fg_str_trim(line), &parent);
		}
	}
	return (int)parent;
}

static void add_fork(struct fg_existing *x, int pid, int tid, int parent)
{
	size_t start = start_record(x, PERF_RECORD_FORK, PERF_RECORD_MISC_COMM_EXEC);
	int by = pid == tid ? parent : pid;

	fg_put32(&x->record, (uint32_t)pid);
	fg_put32(&x->record, (uint32_t)by);
	fg_put32(&x->record, (uint32_t)tid);
	fg_put32(&x->record, (uint32_t)by);
	fg_put64(&x->record, 0);
	fg_existing_end(x, start);
}

static void add_comm(struct fg_existing *x, int pid, int tid)
{
	struct fg_buf name = FG_BUF_INIT;
	struct fg_str comm;
	size_t start;

	fg_buf_addf(&name, "task/%d/comm", tid);
	if (read_proc(x, pid, fg_buf_cstr(&name))) {
		comm = fg_buf_str(&x->text);
		/* the name itself may end in a newline */
		fg_str_cut_end(&comm, FG_STR("\n"));
		start = start_record(x, PERF_RECORD_COMM, 0);
		fg_put32(&x->record, (uint32_t)pid);
		fg_put32(&x->record, (uint32_t)tid);
		fg_put_padded(&x->record, comm);
		fg_existing_end(x, start);
	}
	fg_buf_release(&name);
}

/*
 * Adds the namespaces of a process, each as the device and inode of /proc/PID/ns/KIND.
 */
static void add_namespaces(struct fg_existing *x, int pid)
{
	struct fg_buf path = FG_BUF_INIT;
	size_t start = start_record(x, PERF_RECORD_NAMESPACES, 0);
	struct stat st;

	fg_put32(&x->record, (uint32_t)pid);
	fg_put32(&x->record, (uint32_t)pid);
	fg_put64(&x->record, FG_COUNT_OF(kinds));
	for (size_t i = 0; i < FG_COUNT_OF(kinds); i++) {
		fg_buf_clear(&path);
		fg_buf_addf(&path, "%s/%d/ns/%s", x->proc, pid, kinds[i]);
		if (stat(fg_buf_cstr(&path), &st))
			memset(&st, 0, sizeof(st));
		fg_put64(&x->record, st.st_dev);
		fg_put64(&x->record, st.st_ino);
	}
	fg_buf_release(&path);
	fg_existing_end(x, start);
}

/* ---- mappings */

/* A line of /proc/PID/maps. */
struct mapping {
	uint64_t start, end, offset, inode;
	uint64_t major, minor;
	uint32_t protection;
	bool shared;
	struct fg_str name;
};

/*
 * Reads a line such as "7f25c5a2f000-7f25c5b84000 r-xp 00026000 08:01 2654 /lib/x.so".
 * Returns false if it is malformed.
 */
static bool read_mapping(struct fg_str line, struct mapping *m)
{
	struct fg_str end = fg_str_cut(&line, ' '), start = fg_str_cut(&end, '-');
	struct fg_str rights = fg_str_cut(&line, ' '), offset = fg_str_cut(&line, ' ');
	struct fg_str minor = fg_str_cut(&line, ' '), major = fg_str_cut(&minor, ':');
	struct fg_str inode = fg_str_cut(&line, ' ');

	if (fg_str_hex(start, &m->start) || fg_str_hex(end, &m->end) ||
	    m->end < m->start || rights.len != 4 || fg_str_hex(offset, &m->offset) ||
	    fg_str_hex(major, &m->major) || fg_str_hex(minor, &m->minor) ||
	    fg_str_u64(inode, &m->inode))
		return false;
	m->protection = (rights.ptr[0] == 'r' ? PROT_READ : 0) |
			(rights.ptr[1] == 'w' ? PROT_WRITE : 0) |
			(rights.ptr[2] == 'x' ? PROT_EXEC : 0);
	m->shared = rights.ptr[3] == 's';
	m->name = fg_str_trim_left(line);
	return true;
}

static void add_mapping(struct fg_existing *x, int pid, const struct mapping *m)
{
	bool is_data = !(m->protection & PROT_EXEC);
	size_t start = start_record(x, PERF_RECORD_MMAP2,
				    PERF_RECORD_MISC_USER |
					    (is_data ? PERF_RECORD_MISC_MMAP_DATA : 0));

	fg_put32(&x->record, (uint32_t)pid);
	fg_put32(&x->record, (uint32_t)pid);
	fg_put64(&x->record, m->start);
	fg_put64(&x->record, m->end - m->start);
	fg_put64(&x->record, m->offset);
	fg_put32(&x->record, (uint32_t)m->major);
	fg_put32(&x->record, (uint32_t)m->minor);
	fg_put64(&x->record, m->inode);
	fg_put64(&x->record, 0);
	fg_put32(&x->record, m->protection);
	fg_put32(&x->record, m->shared ? MAP_SHARED : MAP_PRIVATE);
	fg_put_padded(&x->record, m->name.len ? m->name : ANONYMOUS);
	fg_existing_end(x, start);
}

/* Returns true if a mapping is described. */
static bool is_wanted(const struct fg_existing *x, const struct mapping *m)
{
	return m->protection & PROT_EXEC || (x->data && m->protection & PROT_READ);
}

/* Adds the mappings of a process. */
static void add_mappings(struct fg_existing *x, int pid)
{
	struct fg_str text;

	if (!read_proc(x, pid, "maps"))
		return;
	text = fg_buf_str(&x->text);
	while (text.len) {
		struct mapping m;

		if (read_mapping(fg_str_cut(&text, '\n'), &m) && is_wanted(x, &m))
			add_mapping(x, pid, &m);
	}
}

/* ---- processes */

void fg_existing_process(struct fg_existing *x, int pid)
{
	struct fg_numbers threads = { .count = 0 };
	int parent = parent_of(x, pid);

	fg_existing_threads(x->proc, pid, &threads);
	for (size_t i = 0; i < threads.count; i++) {
		add_fork(x, pid, threads.list[i], parent);
		if (threads.list[i] == pid)
			add_namespaces(x, pid);
		add_comm(x, pid, threads.list[i]);
	}
	if (threads.count)
		add_mappings(x, pid);
	fg_numbers_release(&threads);
}

void fg_existing_processes(struct fg_existing *x)
{
	struct fg_numbers pids = { .count = 0 };

	list_numbers(x->proc, &pids);
	for (size_t i = 0; i < pids.count; i++)
		fg_existing_process(x, pids.list[i]);
	fg_numbers_release(&pids);
}

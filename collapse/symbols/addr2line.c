/*
 * Inlined functions by address: one addr2line process a DSO, and a cache.
 *
 * https://sourceware.org/binutils/docs/binutils/addr2line.html
 */
#include "collapse/symbols/addr2line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/answer.h"
#include "collapse/symbols/nm.h"
#include "lib/base/intern.h"
#include "lib/base/xalloc.h"

#define ARGS_MAX 10

struct dso {
	struct fg_dsofile file;
	struct fg_child child;
	struct fg_nm nm;
	bool lost; /* there was a warning; never asked again */
};

struct answer {
	struct fg_str names; /* root first; empty where none is known */
	bool unplaced; /* no code is known at that address */
};

struct tool {
	const char *name;
	const char *style; /* an argument of its own, or NULL */
	bool guesses; /* names the nearest symbol, however far away */
};

struct fg_addr2line {
	struct fg_diag *diag;
	struct fg_arena text;
	struct fg_children children;
	const struct tool *tool; /* NULL: there is none */
	bool failed; /* for some DSO; there was a warning */
	struct fg_nm_tool nm;

	struct fg_intern dso_names;
	struct dso **dsos; /* by id */
	size_t dsos_alloc;

	struct fg_intern keys; /* DSO id and address, as bytes */
	struct answer *answers; /* by id */
	size_t answers_alloc;
	struct fg_answer reading; /* the answer being read */
};

/* In the order of preference; the last has no name. */
static const struct tool tools[] = {
	{ "addr2line", NULL, false },
	{ "llvm-symbolizer", "--output-style=GNU", true },
	{ NULL, NULL, false },
};

struct fg_addr2line *fg_addr2line_new(bool context, struct fg_diag *diag)
{
	struct fg_addr2line *a = fg_xcalloc(1, sizeof(*a));

	a->reading.context = context;
	a->diag = diag;
	a->tool = tools;
	a->nm.children = &a->children;
	a->nm.diag = diag;
	fg_arena_init(&a->text);
	fg_intern_init(&a->dso_names);
	fg_intern_init(&a->keys);
	return a;
}

void fg_addr2line_free(struct fg_addr2line *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->dso_names.count; i++) {
		struct dso *d = a->dsos[i];

		fg_children_end(&a->children, &d->child, CHILD_KILL);
		fg_nm_release(&d->nm);
	}
	free(a->dsos);
	free(a->answers);
	fg_intern_release(&a->dso_names);
	fg_intern_release(&a->keys);
	fg_buf_release(&a->reading.lines);
	fg_arena_release(&a->text);
	free(a);
}

/* ---- what is kept of a DSO */

static void check_readable(struct fg_addr2line *a, struct dso *d)
{
	struct stat st;
	const char *path = d->file.path;
	bool found = path && stat(path, &st) == 0 && S_ISREG(st.st_mode);

	if (found && access(path, R_OK) == 0)
		return;
	d->lost = true;
	if (found)
		fg_dsofile_warn(
			&d->file, a->diag,
			"cannot be read, so its inlined functions are not shown; "
			"run as a user who may read it");
	else
		fg_dsofile_warn(
			&d->file, a->diag,
			"was not found, so its inlined functions are not shown; run "
			"where the profile was recorded");
}

static uint32_t dso_id(struct fg_addr2line *a, struct fg_str name)
{
	size_t known = a->dso_names.count;
	uint32_t id = fg_intern(&a->dso_names, name);
	struct dso *d;

	if (id < known)
		return id;
	d = fg_arena_alloc(&a->text, sizeof(*d));
	memset(d, 0, sizeof(*d));
	fg_dsofile_init(&d->file, fg_intern_name(&a->dso_names, id), &a->text);
	fg_nm_init(&d->nm, &a->nm, &d->file);
	FG_GROW(a->dsos, a->dsos_alloc, a->dso_names.count);
	a->dsos[id] = d;
	check_readable(a, d);
	return id;
}

/* ---- starting a child */

static int start_tool(struct fg_addr2line *a, const struct tool *tool, struct dso *d)
{
	const char *args[ARGS_MAX];
	size_t n = 0;

	args[n++] = tool->name;
	if (tool->style)
		args[n++] = tool->style;
	args[n++] = "-a";
	args[n++] = "-e";
	args[n++] = d->file.path;
	args[n++] = "-i";
	args[n++] = "-f";
	args[n++] = "-s";
	args[n++] = "-C";
	args[n] = NULL;
	return fg_children_start(&a->children, &d->child, args);
}

/* Warns where -1 is returned. */
static int start_child(struct fg_addr2line *a, struct dso *d)
{
	int error;

	do
		error = start_tool(a, a->tool, d);
	while (fg_child_is_missing(error) && (++a->tool)->name);
	if (!error)
		return 0;
	if (!a->tool->name) {
		a->tool = NULL;
		fg_warn(a->diag, NULL,
			"addr2line was not found, so inlined functions are not shown; "
			"install binutils");
		return -1;
	}
	d->lost = true;
	a->failed = true;
	fg_dsofile_warn(&d->file, a->diag,
			"addr2line cannot be started, so its inlined functions are not "
			"shown; raise the limits on files and processes (ulimit)");
	return -1;
}

/* ---- the conversation */

static void give_up_on(struct fg_addr2line *a, struct dso *d, enum fg_reading reading)
{
	fg_children_end(&a->children, &d->child, CHILD_KILL);
	d->lost = true;
	a->failed = true;
	fg_dsofile_warn(
		&d->file, a->diag,
		reading == READ_TOO_MUCH ?
			"addr2line did not stop printing, so no more of its inlined "
			"functions are shown; try another version of binutils" :
			"addr2line failed, so no more of its inlined functions are "
			"shown; run it by hand to see why: addr2line -e FILE 0");
}

/*
 * Asks twice, as GNU addr2line, when it meets a function that was inlined into C++
 * or Rust for the first time, takes the symbol around it for its name.
 */
static struct answer ask(struct fg_addr2line *a, struct dso *d, uint64_t address)
{
	struct answer answer = { { NULL, 0 }, false };
	enum fg_reading reading = READ_END;
	struct fg_buf question = FG_BUF_INIT;

	if (!d->child.pid && start_child(a, d) < 0)
		return answer;
	fg_children_use(&a->children, &d->child);
	d->child.left = FG_CHILD_LINE_MAX;
	a->reading.guesses = a->tool->guesses;
	fg_buf_addf(&question, "0x%llx\n0x%llx\n0x%llx\n", (unsigned long long)address,
		    (unsigned long long)address,
		    (unsigned long long)FG_ANSWER_SENTINEL);
	if (fg_child_write(&d->child, fg_buf_str(&question)) == 0)
		reading = fg_answer_read(&a->reading, &d->child, address);
	fg_buf_release(&question);
	answer.unplaced = reading == READ_LINE && a->reading.unplaced;
	if (reading != READ_LINE)
		give_up_on(a, d, reading);
	else
		answer.names = fg_answer_names(&a->reading, &a->text);
	return answer;
}

static struct answer answer_of(struct fg_addr2line *a, uint32_t dso, uint64_t address)
{
	char key[sizeof(dso) + sizeof(address)];
	size_t known = a->keys.count;
	uint32_t id;

	memcpy(key, &dso, sizeof(dso));
	memcpy(key + sizeof(dso), &address, sizeof(address));
	id = fg_intern(&a->keys, fg_str_of(key, sizeof(key)));
	if (id == known) {
		struct answer none = { { NULL, 0 }, false };
		struct dso *d = a->dsos[dso];

		FG_GROW(a->answers, a->answers_alloc, a->keys.count);
		a->answers[id] = a->tool && !d->lost ? ask(a, d, address) : none;
	}
	return a->answers[id];
}

/*
 * A call can be the last instruction of a function, or of what was inlined, so it is
 * looked up by its last byte. Nothing calls in front of the start of a function: that
 * is where a signal handler returns to.
 */
static uint64_t call_at(const struct fg_addr2line_query *q, uint64_t address)
{
	bool calls = q->returns && address && !fg_str_ends(q->symbol, FG_STR("+0x0"));

	return address - calls;
}

bool fg_addr2line_frames(struct fg_addr2line *a, const struct fg_addr2line_query *q,
			 struct fg_buf *names)
{
	struct answer answer;
	uint64_t address;
	uint32_t dso;

	if (!a->tool || !fg_dsofile_is_file(q->dso))
		return false;
	if (fg_str_0x(q->pc, &address) && fg_str_hex(q->pc, &address))
		return false;
	dso = dso_id(a, q->dso);
	answer = answer_of(a, dso, call_at(q, address));
	if (answer.unplaced && fg_nm_address(&a->dsos[dso]->nm, q->symbol, &address))
		answer = answer_of(a, dso, call_at(q, address));
	fg_buf_add_str(names, answer.names);
	return answer.names.len > 0;
}

bool fg_addr2line_failed(const struct fg_addr2line *a)
{
	return a && (a->failed || a->nm.failed);
}

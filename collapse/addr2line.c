/*
 * Inlined functions by address: one addr2line process a DSO, nm, and a cache.
 *
 * https://sourceware.org/binutils/docs/binutils/addr2line.html
 */
#include "collapse/addr2line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/child.h"
#include "collapse/symbols.h"
#include "lib/intern.h"
#include "lib/xalloc.h"

#define CHILDREN_MAX 64
#define SYMBOLS_MAX ((size_t)512 << 20)
#define ARGS_MAX 12

/* No code is there, in no DSO. */
#define SENTINEL UINT64_MAX

/* ---- what is kept of a DSO */

/* How nm prints names; and which of them have been read. */
enum names { NAMES_LINKER, NAMES_DEMANGLED };
enum nm_progress { NM_UNREAD, NM_LINKER, NM_BOTH };

struct dso {
	struct fg_str name; /* as perf has it */
	const char *path; /* safe as an argument */
	struct fg_child child;
	uint64_t used; /* when, by fg_addr2line.clock */
	bool lost; /* there was a warning; never asked again */

	enum nm_progress nm;
	bool nm_lost; /* there was a warning */
	bool dynamic; /* only nm -D has symbols */
	struct fg_symbols linker;
	struct fg_symbols demangled;
	struct fg_symbols bare; /* demangled: no type, parameters, version */
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
	bool context;
	struct fg_diag *diag;
	struct fg_arena text;
	uint64_t clock;

	const struct tool *tool; /* NULL: there is none */
	bool no_nm;

	struct fg_intern dso_names;
	struct dso **dsos; /* by id */
	size_t dsos_alloc;
	struct dso *alive[CHILDREN_MAX];
	size_t alive_count;

	struct fg_intern keys; /* DSO id and address, as bytes */
	struct answer *answers; /* by id */
	size_t answers_alloc;
	struct fg_buf lines; /* the answer being read, leaf first */
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

	a->context = context;
	a->diag = diag;
	a->tool = tools;
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

		fg_child_end(&d->child, CHILD_KILL);
		fg_symbols_release(&d->linker);
		fg_symbols_release(&d->demangled);
		fg_symbols_release(&d->bare);
	}
	free(a->dsos);
	free(a->answers);
	fg_intern_release(&a->dso_names);
	fg_intern_release(&a->keys);
	fg_buf_release(&a->lines);
	fg_arena_release(&a->text);
	free(a);
}

static void warn_of(struct fg_addr2line *a, const struct dso *d, const char *what)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_add_visible(&name, d->name, FG_QUOTED_MAX);
	fg_warn(a->diag, NULL, "%s: %s", fg_buf_cstr(&name), what);
	fg_buf_release(&name);
}

/* What perf prints in a DSO's place where code is in no file. */
static bool is_no_file(struct fg_str dso)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("["),	FG_STR_INIT("//anon"),
		FG_STR_INIT("/memfd:"), FG_STR_INIT("anon_inode:"),
		FG_STR_INIT("/SYSV"),	FG_STR_INIT("/dev/zero"),
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (fg_str_starts(dso, starts[i]))
			return true;
	return !dso.len || fg_str_eq(dso, FG_STR("inlined"));
}

static void check_readable(struct fg_addr2line *a, struct dso *d)
{
	struct stat st;
	bool found = d->path && stat(d->path, &st) == 0 && S_ISREG(st.st_mode);

	if (found && access(d->path, R_OK) == 0)
		return;
	d->lost = true;
	if (found)
		warn_of(a, d,
			"cannot be read, so its inlined functions are not shown; "
			"run as a user who may read it");
	else
		warn_of(a, d,
			"was not found, so its inlined functions are not shown; run "
			"where the profile was recorded");
}

/*
 * As an argument: one that starts with '-' would be an option, with '@' a file of
 * arguments. NULL where no file can have that name.
 */
static const char *path_of(struct fg_addr2line *a, struct fg_str name)
{
	struct fg_str folder = name.ptr[0] == '/' ? FG_STR("") : FG_STR("./");
	char *path = fg_arena_bytes(&a->text,
				    fg_size_add(name.len, folder.len + sizeof("")));

	if (fg_str_has_char(name, '\0'))
		return NULL;
	memcpy(path, folder.ptr, folder.len);
	memcpy(path + folder.len, name.ptr, name.len);
	path[folder.len + name.len] = '\0';
	return path;
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
	d->name = fg_intern_name(&a->dso_names, id);
	d->path = path_of(a, d->name);
	FG_GROW(a->dsos, a->dsos_alloc, a->dso_names.count);
	a->dsos[id] = d;
	check_readable(a, d);
	return id;
}

/* ---- addresses */

/* Reads all of `s` as hexadecimal digits: 0, or -1. */
static bool read_0x(struct fg_str s, uint64_t *value)
{
	return fg_str_starts(s, FG_STR("0x")) &&
	       !fg_str_hex(fg_str_from_pos(s, 2), value);
}

/* Whether a line repeats that address; a 32-bit DSO's has no more than 8 digits. */
static bool is_echo(struct fg_str line, uint64_t address)
{
	uint64_t value;

	return read_0x(line, &value) &&
	       value == (line.len <= 10 ? address & UINT32_MAX : address);
}

/* ---- addr2line */

static void forget_alive(struct fg_addr2line *a, struct dso *d)
{
	for (size_t i = 0; i < a->alive_count; i++)
		if (a->alive[i] == d) {
			a->alive[i] = a->alive[--a->alive_count];
			break;
		}
	fg_child_end(&d->child, CHILD_KILL);
}

static void end_oldest(struct fg_addr2line *a)
{
	struct dso *oldest = a->alive[0];

	for (size_t i = 1; i < a->alive_count; i++)
		if (a->alive[i]->used < oldest->used)
			oldest = a->alive[i];
	forget_alive(a, oldest);
}

/* Starts a child, at the cost of others where files or processes run out. */
static int start_process(struct fg_addr2line *a, struct fg_child *c,
			 const char *const *args)
{
	int error = fg_child_start(c, args);

	while ((error == EMFILE || error == ENFILE || error == EAGAIN) &&
	       a->alive_count) {
		end_oldest(a);
		error = fg_child_start(c, args);
	}
	return error;
}

static bool is_missing(int error)
{
	return error == ENOENT || error == EACCES;
}

static int start_tool(struct fg_addr2line *a, const struct tool *tool, struct dso *d)
{
	const char *args[ARGS_MAX];
	size_t n = 0;

	args[n++] = tool->name;
	if (tool->style)
		args[n++] = tool->style;
	args[n++] = "-a";
	args[n++] = "-e";
	args[n++] = d->path;
	args[n++] = "-i";
	args[n++] = "-f";
	args[n++] = "-s";
	args[n++] = "-C";
	args[n] = NULL;
	return start_process(a, &d->child, args);
}

/* Warns where -1 is returned. */
static int start_child(struct fg_addr2line *a, struct dso *d)
{
	int error = ENOENT;

	if (a->alive_count == CHILDREN_MAX)
		end_oldest(a);
	while (a->tool->name) {
		error = start_tool(a, a->tool, d);
		if (!is_missing(error))
			break;
		a->tool++;
	}
	if (!error) {
		a->alive[a->alive_count++] = d;
		return 0;
	}
	if (!a->tool->name) {
		a->tool = NULL;
		fg_warn(a->diag, NULL,
			"addr2line was not found, so inlined functions are not shown; "
			"install binutils");
		return -1;
	}
	d->lost = true;
	warn_of(a, d,
		"addr2line cannot be started, so its inlined functions are not "
		"shown; raise the limits on files and processes (ulimit)");
	return -1;
}

/* ';' parts frames, so neither a name nor a file may have one. */
static void add_part(struct fg_buf *b, struct fg_str s)
{
	size_t start = b->len;

	fg_buf_add_str(b, s);
	for (size_t i = start; i < b->len; i++)
		if (b->ptr[i] == ';')
			b->ptr[i] = ':';
}

/* addr2line adds " (discriminator 3)" where one line has several blocks. */
static void add_location(struct fg_buf *b, struct fg_str location)
{
	struct fg_str mark = FG_STR(" (discriminator ");
	size_t at = fg_str_find(location, mark);
	size_t end = at + fg_str_find_char(fg_str_from_pos(location, at), ')');

	add_part(b, fg_str_before(location, at));
	if (end < location.len)
		add_part(b, fg_str_from_pos(location, end + 1));
}

/* Appends one function to a->lines. */
static enum fg_reading read_function(struct fg_addr2line *a, struct fg_child *c,
				     struct fg_str name, struct answer *answer)
{
	size_t start = a->lines.len;
	bool unnamed = fg_str_ends(name, FG_STR("??"));
	struct fg_str location;
	enum fg_reading reading;

	if (start)
		fg_buf_add_char(&a->lines, ';');
	add_part(&a->lines, name);
	reading = fg_child_line(c, &location);
	if (reading != READ_LINE)
		return reading;
	if (fg_str_starts(location, FG_STR("??:0")) && (unnamed || a->tool->guesses)) {
		answer->unplaced = true;
		a->lines.len = start;
	} else if (a->context) {
		fg_buf_add_char(&a->lines, ':');
		add_location(&a->lines, location);
	}
	return READ_LINE;
}

/*
 * An answer is the address, then a function and its place by turns. Where it ends
 * only the next address tells: the same again, whose answer counts, or the
 * sentinel's; what follows that one is left for the next call to skip.
 */
static enum fg_reading read_answer(struct fg_addr2line *a, struct fg_child *c,
				   uint64_t address, struct answer *answer)
{
	bool again = false;
	struct fg_str line;
	uint64_t any;
	enum fg_reading reading;

	do
		reading = fg_child_line(c, &line);
	while (reading == READ_LINE && !read_0x(line, &any));
	if (reading != READ_LINE)
		return reading;
	if (!is_echo(line, address))
		return READ_END;
	for (;;) {
		reading = fg_child_line(c, &line);
		if (reading != READ_LINE)
			return reading;
		if (!read_0x(line, &any)) {
			reading = read_function(a, c, line, answer);
			if (reading != READ_LINE)
				return reading;
		} else if (again) {
			return is_echo(line, SENTINEL) ? READ_LINE : READ_END;
		} else if (is_echo(line, address)) {
			again = true;
			fg_buf_clear(&a->lines);
			answer->unplaced = false;
		} else {
			return READ_END;
		}
	}
}

/* Whether the names of an answer say anything. */
static bool says_nothing(struct fg_str names)
{
	return fg_str_eq(names, FG_STR("??")) || fg_str_eq(names, FG_STR("??:??:0")) ||
	       fg_str_eq(names, FG_STR("??:??:?"));
}

/* A copy of the names in `lines`, turned round. */
static struct fg_str root_first(struct fg_arena *arena, struct fg_str lines)
{
	char *bytes = fg_arena_bytes(arena, lines.len);
	size_t at = lines.len;
	struct fg_str rest = lines;

	while (rest.len) {
		struct fg_str name = fg_str_cut(&rest, ';');

		at -= name.len;
		memcpy(bytes + at, name.ptr, name.len);
		if (at)
			bytes[--at] = ';';
	}
	return fg_str_of(bytes, lines.len);
}

static void lose(struct fg_addr2line *a, struct dso *d, enum fg_reading reading)
{
	forget_alive(a, d);
	d->lost = true;
	warn_of(a, d,
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
	d->used = ++a->clock;
	d->child.left = FG_CHILD_LINE_MAX;
	fg_buf_clear(&a->lines);
	fg_buf_addf(&question, "0x%llx\n0x%llx\n0x%llx\n", (unsigned long long)address,
		    (unsigned long long)address, (unsigned long long)SENTINEL);
	if (fg_child_write(&d->child, fg_buf_str(&question)) == 0)
		reading = read_answer(a, &d->child, address, &answer);
	fg_buf_release(&question);
	if (reading != READ_LINE)
		lose(a, d, reading);
	else if (!says_nothing(fg_buf_str(&a->lines)))
		answer.names = root_first(&a->text, fg_buf_str(&a->lines));
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

/* ---- nm */

/* "ADDRESS LETTER NAME"; undefined symbols have blanks for an address. */
static void add_nm_line(struct dso *d, struct fg_str line, enum names kind)
{
	size_t digits = fg_str_find_char(line, ' ');
	struct fg_str name = fg_str_from_pos(line, digits + 3);
	struct fg_str bare;
	uint64_t address;

	if (!name.len || line.ptr[digits + 2] != ' ' ||
	    fg_str_hex(fg_str_before(line, digits), &address) < 0)
		return;
	if (kind == NAMES_LINKER) {
		fg_symbols_add(&d->linker, name, address);
		return;
	}
	fg_symbols_add(&d->demangled, name, address);
	bare = fg_symbol_without_parameters(
		fg_str_before(name, fg_str_find_char(name, '@')));
	fg_symbols_add(&d->bare, fg_symbol_without_type(bare), address);
}

/* Warns and gives up on nm for this DSO. */
static void lose_nm(struct fg_addr2line *a, struct dso *d, enum fg_reading reading)
{
	d->nm_lost = true;
	warn_of(a, d,
		reading == READ_TOO_MUCH ?
			"nm did not stop printing, so not all inlined functions are "
			"shown; try another version of binutils" :
			"nm failed, so not all inlined functions are shown; run it "
			"by hand to see why");
}

static void run_nm(struct fg_addr2line *a, struct dso *d, enum names kind)
{
	const char *args[ARGS_MAX];
	struct fg_child child;
	struct fg_str line;
	enum fg_reading reading;
	size_t n = 0;
	int error;

	args[n++] = "nm";
	if (kind == NAMES_DEMANGLED)
		args[n++] = "-C";
	if (d->dynamic)
		args[n++] = "-D";
	args[n++] = d->path;
	args[n] = NULL;
	memset(&child, 0, sizeof(child));
	error = start_process(a, &child, args);
	if (error) {
		a->no_nm = true;
		fg_warn(a->diag, NULL,
			"nm cannot be run, so inlined functions of shared libraries "
			"are not shown; %s",
			is_missing(error) ? "install binutils" :
					    "raise the limits on files and processes "
					    "(ulimit)");
		return;
	}
	child.left = SYMBOLS_MAX;
	while ((reading = fg_child_line(&child, &line)) == READ_LINE)
		add_nm_line(d, line, kind);
	if (fg_child_end(&child, reading == READ_END ? CHILD_WAIT : CHILD_KILL) < 0 ||
	    reading == READ_TOO_MUCH)
		lose_nm(a, d, reading);
}

/* Does the next step of reading symbols; false where there is none left. */
static bool read_more_symbols(struct fg_addr2line *a, struct dso *d)
{
	if (a->no_nm || d->nm_lost || d->nm == NM_BOTH)
		return false;
	if (d->nm == NM_LINKER) {
		run_nm(a, d, NAMES_DEMANGLED);
		d->nm = NM_BOTH;
		return true;
	}
	run_nm(a, d, NAMES_LINKER);
	d->dynamic = !d->linker.any;
	if (d->dynamic && !a->no_nm && !d->nm_lost)
		run_nm(a, d, NAMES_LINKER);
	d->nm = NM_LINKER;
	return true;
}

/*
 * The linker's name decides, and of equal ones the first, as users of
 * stackcollapse-perf.pl have it. perf demangles, with or without parameters, so
 * such names are tried as well, but only where they can mean one function.
 */
static bool find_symbol(struct dso *d, struct fg_str name, uint64_t *address)
{
	struct fg_symbols *exact[] = { &d->demangled, &d->bare };
	struct fg_symbol *symbol = fg_symbols_entry(&d->linker, name);
	bool found = symbol->places != PLACES_NONE;

	for (size_t i = 0; !found && i < sizeof(exact) / sizeof(*exact); i++) {
		symbol = fg_symbols_entry(exact[i], name);
		found = symbol->places == PLACES_ONE;
	}
	*address = symbol->address;
	return found;
}

/* The address in the file of "NAME+0xOFFSET". */
static bool address_of(struct fg_addr2line *a, struct dso *d, struct fg_str symbol,
		       uint64_t *address)
{
	size_t plus = fg_str_rfind_char(symbol, '+');
	struct fg_str name = fg_str_before(symbol, plus);
	uint64_t offset;

	if (!name.len || !read_0x(fg_str_from_pos(symbol, plus + 1), &offset))
		return false;
	while (!find_symbol(d, name, address))
		if (!read_more_symbols(a, d))
			return false;
	*address += offset;
	return true;
}

bool fg_addr2line_frames(struct fg_addr2line *a, const struct fg_addr2line_query *q,
			 struct fg_buf *names)
{
	struct answer answer;
	uint64_t address;
	uint32_t dso;

	if (!a->tool || is_no_file(q->dso))
		return false;
	if (!read_0x(q->pc, &address) && fg_str_hex(q->pc, &address) < 0)
		return false;
	dso = dso_id(a, q->dso);
	answer = answer_of(a, dso, address);
	if (answer.unplaced && address_of(a, a->dsos[dso], q->symbol, &address))
		answer = answer_of(a, dso, address);
	fg_buf_add_str(names, answer.names);
	return answer.names.len > 0;
}

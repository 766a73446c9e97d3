/*
 * Reads jitdumps, in which Node.js, Python, Julia, .NET, PHP, wasmtime and others log
 * the code that they compile.
 *
 * After a header come records. Each starts with its type, its size and a time:
 *
 *     LOAD        a function: its address, size and number, its name, its bytes
 *     MOVE        the function of a number is at another address from now on
 *     DEBUG_INFO  the lines of the function of the next LOAD
 */
#include "collapse/symbols/jitdump.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/cursor.h"
#include "lib/base/io.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"

#define MAGIC 0x4a695444U
#define MAGIC_SWAPPED 0x4454694aU
#define FLAG_CYCLES 1U /* JITDUMP_FLAGS_ARCH_TIMESTAMP */
#define HEADER_SIZE 40

#define TYPE_LOAD 0
#define TYPE_MOVE 1
#define TYPE_DEBUG_INFO 2

/* The sizes of the fields before a name, the bytes of code, or the lines. */
#define HEAD_SIZE 16
#define LOAD_SIZE 56
#define MOVE_SIZE 64
#define DEBUG_SIZE 32
#define ENTRY_SIZE 16

/* The bytes that we read at once. Longer names are cut. */
#define WINDOW ((size_t)64 << 10)

/* The most bytes of a line with the name of its file. */
#define ENTRY_MAX 8192

/*
 * V8 adds this to the addresses of lines, because perf inject, before Linux 5.8, did
 * not count the header of the files that it made.
 */
#define V8_SHIFT 0x40

struct head {
	uint32_t type, size;
	uint64_t time;
};

static void release(void *data)
{
	struct fg_jitdump *j = data;

	close(j->fd);
}

struct fg_jitdump *fg_jitdump_open(int fd)
{
	struct fg_jitdump *j = fg_xcalloc(1, sizeof(*j));

	j->fd = fd;
	fg_hold(release, j);
	return j;
}

void fg_jitdump_close(struct fg_jitdump *j)
{
	if (!j)
		return;
	fg_let_go(j);
	release(j);
	free(j->codes);
	fg_map_release(&j->by_index);
	fg_map_release(&j->lines);
	fg_arena_release(&j->names);
	fg_buf_release(&j->window);
	free(j);
}

/* Returns up to `len` bytes of the file, at most WINDOW, valid until the next call. */
static struct fg_str view(struct fg_jitdump *j, uint64_t at, uint64_t len)
{
	uint64_t before = at - j->window_at;
	struct fg_buf *w = &j->window;

	if (len > WINDOW)
		len = WINDOW;
	if (at < j->window_at || before > w->len || w->len - before < len) {
		ssize_t n;

		fg_buf_clear(w);
		fg_buf_reserve(w, WINDOW);
		n = at > INT64_MAX ? 0 :
				     fg_io_read_at(j->fd, w->ptr, WINDOW, (off_t)at);
		w->len = n > 0 ? (size_t)n : 0;
		j->window_at = at;
		before = 0;
	}
	return fg_str_before(fg_str_from_pos(fg_buf_str(w), (size_t)before),
			     (size_t)len);
}

static uint32_t take32(const struct fg_jitdump *j, struct fg_cursor *c)
{
	uint32_t n = fg_cursor_u32(c);

	return j->swapped ? __builtin_bswap32(n) : n;
}

static uint64_t take64(const struct fg_jitdump *j, struct fg_cursor *c)
{
	uint64_t n = fg_cursor_u64(c);

	return j->swapped ? __builtin_bswap64(n) : n;
}

/* Returns true if the header has been read. It may not be there yet. */
static bool read_header(struct fg_jitdump *j)
{
	struct fg_cursor c;
	uint32_t magic, size;

	if (j->at)
		return true;
	c = fg_cursor(view(j, 0, HEADER_SIZE));
	magic = fg_cursor_u32(&c);
	j->swapped = magic == MAGIC_SWAPPED;
	fg_cursor_skip(&c, 4); /* the version */
	size = take32(j, &c);
	fg_cursor_skip(&c, 12); /* the machine, the process */
	j->began = take64(j, &c);
	j->counts_cycles = take64(j, &c) & FLAG_CYCLES;
	if (c.bad)
		return false;
	j->damaged = (magic != MAGIC && !j->swapped) || size < HEADER_SIZE;
	j->at = j->damaged ? UINT64_MAX : size;
	return true;
}

static void add_code(struct fg_jitdump *j, const struct fg_jitdump_code *code)
{
	FG_GROW(j->codes, j->alloc, j->count + 1);
	j->codes[j->count] = *code;
	j->codes[j->count].number = j->count;
	j->count++;
}

/* Reads a LOAD, except its bytes. Returns false if it is malformed. */
static bool read_load(struct fg_jitdump *j, const struct head *head,
		      struct fg_symtab *t)
{
	struct fg_cursor c = fg_cursor(view(j, j->at, head->size));
	struct fg_jitdump_code code = { .time = head->time };
	uint64_t index;
	struct fg_str name;
	char *copy;

	fg_cursor_skip(&c, HEAD_SIZE + 16); /* the process, and another address */
	code.start = take64(j, &c);
	code.size = take64(j, &c);
	index = take64(j, &c);
	if (c.bad || code.size > head->size - LOAD_SIZE ||
	    code.size > UINT64_MAX - code.start)
		return false;
	code.at = j->at + head->size - code.size;
	name = fg_cursor_rest_text(&c);
	name = fg_str_before(name, (size_t)(code.at - j->at - LOAD_SIZE));
	fg_map_set(&j->by_index, index, (size_t)code.at);
	if (j->debug_at)
		fg_map_set(&j->lines, code.at, (size_t)j->debug_at);
	j->debug_at = 0;
	if (!name.len || !code.size)
		return true;
	copy = fg_arena_bytes(&j->names, name.len + 1);
	memcpy(copy, name.ptr, name.len);
	copy[name.len] = '\0';
	fg_symtab_add(t, code.at, code.size, copy, FG_SYMBOL_SIZED | FG_SYMBOL_GLOBAL);
	add_code(j, &code);
	return true;
}

/* Reads a MOVE. Returns false if it is malformed, or if its code is not known. */
static bool read_move(struct fg_jitdump *j, const struct head *head)
{
	struct fg_cursor c = fg_cursor(view(j, j->at, head->size));
	struct fg_jitdump_code code = { .time = head->time };

	fg_cursor_skip(&c, HEAD_SIZE + 24); /* the process, and old addresses */
	code.start = take64(j, &c);
	code.size = take64(j, &c);
	code.at = fg_map_get(&j->by_index, take64(j, &c));
	if (c.bad || !code.at || code.size > UINT64_MAX - code.start)
		return false;
	if (code.size)
		add_code(j, &code);
	return true;
}

/* Reads a record. Returns false if it is malformed. */
static bool read_record(struct fg_jitdump *j, const struct head *head,
			struct fg_symtab *t)
{
	switch (head->type) {
	case TYPE_LOAD:
		return head->size >= LOAD_SIZE && read_load(j, head, t);
	case TYPE_MOVE:
		return head->size >= MOVE_SIZE && read_move(j, head);
	case TYPE_DEBUG_INFO:
		j->debug_at = j->at;
		return head->size >= DEBUG_SIZE;
	default:
		return true;
	}
}

static bool read_head(struct fg_jitdump *j, struct head *head)
{
	struct fg_cursor c = fg_cursor(view(j, j->at, HEAD_SIZE));

	head->type = take32(j, &c);
	head->size = take32(j, &c);
	head->time = take64(j, &c);
	return !c.bad;
}

void fg_jitdump_read(struct fg_jitdump *j, struct fg_symtab *t)
{
	struct head head;
	struct stat st;

	if (fstat(j->fd, &st) || !S_ISREG(st.st_mode))
		return;
	j->size = (uint64_t)st.st_size;
	/* the file may have grown beyond the end that we saw */
	fg_buf_clear(&j->window);
	if (!read_header(j))
		return;
	while (j->at < j->size && read_head(j, &head)) {
		if (head.size < HEAD_SIZE) {
			j->damaged = true;
			return;
		}
		if (head.size > j->size - j->at)
			return;
		j->damaged |= !read_record(j, &head, t);
		j->at += head.size;
	}
}

bool fg_jitdump_is_cut(const struct fg_jitdump *j)
{
	return j->damaged || j->at != j->size;
}

/* ---- lines */

/*
 * Returns true if lines are given for the bytecode of V8, though the function is
 * compiled or interpreted machine code. The name tells: "JS:^f" is compiled without
 * optimizations, "JS:~f" is interpreted.
 */
static bool counts_bytecode(struct fg_str name)
{
	size_t at = fg_str_find_char(name, ':');

	return at + 1 < name.len &&
	       (name.ptr[at + 1] == '^' || name.ptr[at + 1] == '~');
}

/* A line of the list, with the place of its file's name in the dump. */
struct entry {
	uint64_t address, name_at;
	size_t name_len;
	int32_t line;
};

/*
 * Reads the next line, and moves *at behind it. A file name of 0xff stands for that of
 * the line before, which is in `e`. Returns false at the end, or if it is malformed.
 */
static bool read_entry(struct fg_jitdump *j, uint64_t *at, uint64_t end,
		       struct entry *e)
{
	uint64_t left = end - *at;
	struct fg_cursor c =
		fg_cursor(view(j, *at, left < ENTRY_MAX ? left : ENTRY_MAX));
	struct fg_str name;

	e->address = take64(j, &c);
	e->line = (int32_t)take32(j, &c);
	fg_cursor_skip(&c, 4); /* a number that tells copies of a line apart */
	name = fg_str_of(c.at, fg_cursor_left(&c));
	name.len = fg_str_find_char(name, '\0');
	fg_cursor_skip(&c, (uint64_t)name.len + 1);
	if (!fg_str_eq(name, FG_STR("\xff"))) {
		e->name_at = *at + ENTRY_SIZE;
		e->name_len = name.len;
	}
	*at += ENTRY_SIZE + name.len + 1;
	return !c.bad;
}

/*
 * Finds the last line that starts at `wanted`, which is relative to the code, or before
 * it. `at` is the place of the record. Returns false if there is none.
 */
static bool find_entry(struct fg_jitdump *j, uint64_t at, uint64_t wanted,
		       struct entry *best)
{
	struct fg_cursor c = fg_cursor(view(j, at, DEBUG_SIZE));
	struct entry e = { 0 };
	uint64_t end, start, count;
	bool is_first = true, found = false;

	fg_cursor_skip(&c, 4);
	end = at + take32(j, &c);
	fg_cursor_skip(&c, 8);
	start = take64(j, &c);
	count = take64(j, &c);
	at += DEBUG_SIZE;
	while (count-- && at < end && read_entry(j, &at, end, &e)) {
		e.address -= start;
		if (is_first && e.address >= V8_SHIFT)
			wanted += V8_SHIFT;
		is_first = false;
		if (e.address <= wanted && (!found || e.address >= best->address)) {
			*best = e;
			found = true;
		}
	}
	return found;
}

/*
 * Returns true if a string may be the name of a file. V8 of Node.js 20 to 24 writes
 * other bytes for some names.
 */
static bool is_name(struct fg_str s)
{
	if (!s.len || !fg_is_visible(s))
		return false;
	while (s.len) {
		struct fg_utf8_char c = fg_utf8_first(s);

		if (!c.valid)
			return false;
		s = fg_str_from_pos(s, c.len);
	}
	return true;
}

bool fg_jitdump_line(struct fg_jitdump *j, const struct fg_symbol *symbol,
		     uint64_t address, struct fg_jitdump_line *found)
{
	uint64_t at = fg_map_get(&j->lines, symbol->start);
	struct entry best = { 0 };
	struct fg_str file;

	if (!at || counts_bytecode(fg_symbol_name(symbol)) ||
	    !find_entry(j, at, address - symbol->start, &best) || best.line <= 0)
		return false;
	file = view(j, best.name_at, best.name_len + 1);
	found->file = file.ptr;
	found->line = best.line;
	return is_name(fg_str_before(file, best.name_len));
}

/* Reads the kernel's symbols, from perf's cache or from the running kernel. */
#include "collapse/symbols/kallsyms.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collapse/symbols/trusted.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/*
 * Bytes of a part of the list, about a hundred lines. We read one part at a time and
 * make a table of it.
 */
#define PART ((size_t)1 << 12)

/* The lines that start in one part of the list. */
struct fg_kallsyms_part {
	bool read;
	bool known; /* we know the first line */
	bool parsed;
	bool unsorted; /* its lines are not in order, so it has no table */
	size_t at; /* offset of the first line */
	uint64_t first; /* address of the first line, as listed */
	/* symbols of the part, plus the next symbol, because the last one ends there */
	struct fg_symtab symtab;
	const char *after; /* name of the symbol after the part's own */
};

void fg_kallsyms_init(struct fg_kallsyms *k)
{
	memset(k, 0, sizeof(*k));
	k->fd = -1;
	fg_symtab_init(&k->rest, FG_SYMTAB_KALLSYMS);
}

static void forget(struct fg_kallsyms *k)
{
	for (size_t i = 0; i < k->count; i++)
		fg_symtab_release(&k->parts[i].symtab);
	fg_symtab_release(&k->rest);
	free(k->parts);
	free(k->text);
	if (k->fd >= 0)
		close(k->fd);
	k->parts = NULL;
	k->text = NULL;
	k->size = k->count = 0;
	k->fd = -1;
}

void fg_kallsyms_release(struct fg_kallsyms *k)
{
	forget(k);
	fg_kallsyms_init(k);
}

/* Reads a part if it is not there yet. If it cannot be read, it has no lines. */
static void read_part(struct fg_kallsyms *k, size_t i)
{
	size_t at = i * PART, end = k->size - at < PART ? k->size : at + PART;
	ssize_t n = 1;

	k->parts[i].read = true;
	while (k->fd >= 0 && at < end && n > 0) {
		n = fg_io_read_at(k->fd, k->text + at, end - at, (off_t)at);
		at += n > 0 ? (size_t)n : 0;
	}
	if (k->fd >= 0)
		memset(k->text + at, 0, end - at);
}

/* Returns the offset of the end of the line that has the byte at `at`. */
static size_t line_end(struct fg_kallsyms *k, size_t at)
{
	while (at < k->size) {
		size_t i = at / PART;
		size_t end = k->size - i * PART < PART ? k->size : (i + 1) * PART;
		const char *newline;

		if (!k->parts[i].read)
			read_part(k, i);
		newline = memchr(k->text + at, '\n', end - at);
		if (newline)
			return (size_t)(newline - k->text);
		at = end;
	}
	return k->size;
}

/* A line, "ADDRESS TYPE NAME[\t[MODULE]]". */
struct line {
	size_t at; /* offset in the list */
	uint64_t address;
	char type;
	struct fg_str name;
	bool of_module;
};

static bool read_line(struct fg_str text, struct line *line)
{
	static const unsigned char digits[256] = {
		['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
		['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
		['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
		['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	};
	size_t blank = 0, tab;
	uint64_t address = 0;

	for (; blank < text.len && !(address >> 60); blank++) {
		unsigned digit = digits[(unsigned char)text.ptr[blank]];

		if (!digit)
			break;
		address = address << 4 | (digit - 1);
	}
	if (!blank || text.len < blank + 4 || text.ptr[blank] != ' ' ||
	    text.ptr[blank + 2] != ' ')
		return false;
	line->address = address;
	line->type = text.ptr[blank + 1];
	text = fg_str_from_pos(text, blank + 3);
	tab = fg_str_find_char(text, '\t');
	line->name = fg_str_before(text, tab);
	line->of_module = tab < text.len;
	return line->name.len > 0;
}

/* Finds the next line with a symbol. Returns false if there is none. */
static bool next_line(struct fg_kallsyms *k, size_t *at, struct line *line)
{
	while (*at < k->size) {
		size_t end = line_end(k, *at);

		line->at = *at;
		*at = end + 1;
		if (read_line(fg_str_of(k->text + line->at, end - line->at), line))
			return true;
	}
	return false;
}

/*
 * Adds the symbol of a line. Returns false if its type is not one that we want. Types
 * in upper case are global or weak symbols.
 */
static bool add_line(struct fg_symtab *t, const struct line *line, uint64_t delta)
{
	uint32_t flags = FG_SYMBOL_LINE | (line->of_module ? FG_SYMBOL_MODULE : 0);

	switch (line->type) {
	case 'T':
	case 'D':
	case 'B':
		flags |= FG_SYMBOL_GLOBAL;
		break;
	case 'W':
		flags |= FG_SYMBOL_WEAK;
		break;
	case 't':
	case 'w':
	case 'd':
	case 'b':
		break;
	default:
		return false;
	}
	fg_symtab_add(t, line->address - delta, 0, line->name.ptr, flags);
	return true;
}

/* Finds the first line of a part. Returns false if no line starts in it. */
static bool know(struct fg_kallsyms *k, size_t i)
{
	struct fg_kallsyms_part *part = &k->parts[i];
	struct line line = { .address = 0 };
	size_t at;

	if (part->known)
		return true;
	part->at = i ? line_end(k, i * PART - 1) + 1 : 0;
	at = part->at;
	part->known = at / PART == i && next_line(k, &at, &line);
	part->first = line.address;
	return part->known;
}

/* Returns true if the last line that starts in a part belongs to a module. */
static bool ends_in_module(struct fg_kallsyms *k, size_t i)
{
	size_t end = k->size - i * PART < PART ? k->size : (i + 1) * PART;
	struct line line = { .of_module = false };
	size_t at = i * PART;

	line_end(k, at);
	for (size_t start = end - 1; start > at; start--) {
		size_t next = start;

		if (k->text[start - 1] == '\n') {
			next_line(k, &next, &line);
			break;
		}
	}
	return line.of_module;
}

/*
 * Finds the first part that ends in a symbol of a module. All parts after it have only
 * symbols of modules.
 */
static void find_modules(struct fg_kallsyms *k)
{
	size_t low = 0, high = k->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ends_in_module(k, middle))
			high = middle;
		else
			low = middle + 1;
	}
	k->sorted = low;
}

/*
 * Reads everything that is not in order: from the first part with symbols of modules to
 * the end.
 */
static void parse_rest(struct fg_kallsyms *k)
{
	struct line line;
	size_t at = k->size;

	k->rest_known = true;
	if (k->sorted < k->count)
		at = know(k, k->sorted) ? k->parts[k->sorted].at : k->sorted * PART;
	while (next_line(k, &at, &line))
		add_line(&k->rest, &line, k->delta);
	fg_symtab_finish(&k->rest);
}

/*
 * Makes the table of a part. Returns false if its lines, or the line after it, are not
 * in order.
 */
static bool parse_part(struct fg_kallsyms *k, size_t i)
{
	struct fg_kallsyms_part *part = &k->parts[i];
	struct fg_symtab *t = &part->symtab;
	size_t at = part->at;
	uint64_t last = 0;
	struct line line;

	if (part->parsed)
		return !part->unsorted;
	part->parsed = true;
	fg_symtab_init(t, FG_SYMTAB_KALLSYMS);
	while (next_line(k, &at, &line)) {
		part->unsorted = !line.of_module && line.address < last;
		if (part->unsorted) {
			fg_symtab_release(t); /* the table was not finished */
			return false;
		}
		last = line.address;
		if (add_line(t, &line, k->delta) && line.at / PART > i) {
			part->after = line.name.ptr;
			break;
		}
	}
	fg_symtab_finish(t);
	return true;
}

/*
 * Returns how many sorted parts start at or before an address. `listed` is the address
 * in the list. Sets *unsorted if the parts turn out not to be sorted.
 */
static size_t part_at(struct fg_kallsyms *k, uint64_t listed, bool *unsorted)
{
	size_t low = 0, high = k->sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (!know(k, middle)) {
			*unsorted = true;
			return 0;
		}
		if (k->parts[middle].first <= listed)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct fg_symtab_found find_sorted(struct fg_kallsyms *k, uint64_t address,
					  bool *unsorted)
{
	struct fg_symtab_found found = { NULL, 0 };
	size_t i = part_at(k, address + k->delta, unsorted);

	while (i-- && !*unsorted) {
		struct fg_symtab *t = &k->parts[i].symtab;

		*unsorted = !know(k, i) || !parse_part(k, i);
		if (*unsorted || !t->count || t->items[0].key > address)
			continue;
		found = fg_symtab_find(t, address);
		if (found.symbol && found.symbol->name == k->parts[i].after)
			found.symbol = NULL;
		break;
	}
	return found;
}

struct fg_symtab_found fg_kallsyms_find(struct fg_kallsyms *k, uint64_t address)
{
	bool unsorted = false;
	struct fg_symtab_found found = find_sorted(k, address, &unsorted);

	if (found.symbol && !unsorted)
		return found;
	if (unsorted)
		k->sorted = 0;
	if (unsorted || !k->rest_known) {
		fg_symtab_release(&k->rest);
		parse_rest(k);
	}
	return fg_symtab_find(&k->rest, address);
}

uint64_t fg_kallsyms_end(struct fg_kallsyms *k)
{
	uint64_t end;

	if (!k->rest_known)
		parse_rest(k);
	end = fg_symtab_end(&k->rest, FG_SYMBOL_MODULE);
	for (size_t i = k->sorted; i-- && !end;)
		if (know(k, i) && parse_part(k, i))
			end = fg_symtab_end(&k->parts[i].symtab, FG_SYMBOL_MODULE);
	return end;
}

/*
 * Returns true if the list has an address other than 0. Also sets `delta`, if it finds
 * the reference symbol.
 */
static bool look_through(struct fg_kallsyms *k)
{
	bool any = false;
	struct line line;
	size_t at = 0;

	k->delta = 0;
	k->placed = false;
	while (!(any && (k->placed || !k->reference.len)) && next_line(k, &at, &line)) {
		any |= line.address != 0;
		if (k->placed || !fg_str_eq(line.name, k->reference))
			continue;
		k->placed = true;
		k->delta = line.address - k->reference_at;
	}
	return any;
}

/*
 * Takes over a list of `size` bytes. `text` has one byte more. If `fd` is not -1,
 * nothing was read from it yet. Returns false if all addresses are 0.
 */
static bool take(struct fg_kallsyms *k, char *text, size_t size, int fd)
{
	forget(k);
	k->text = text;
	k->size = size;
	k->fd = fd;
	k->text[size] = '\n'; /* so that the last name has an end */
	k->count = size / PART + (size % PART != 0);
	k->parts = fg_xcalloc(k->count, sizeof(*k->parts));
	k->rest_known = false;
	if (!look_through(k)) {
		forget(k);
		return false;
	}
	find_modules(k);
	return true;
}

bool fg_kallsyms_parse(struct fg_kallsyms *k, struct fg_str text)
{
	char *copy = fg_xmalloc(fg_size_add(text.len, 1));

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return take(k, copy, text.len, -1);
}

/* Reads a file that the kernel generates, below /proc or /sys. */
static int read_path(const char *path, struct fg_buf *text)
{
	int fd = fg_io_open(path);

	fg_buf_clear(text);
	return fd < 0 ? -1 : fg_trusted_read_all(fd, text);
}

/* Opens the list in perf's cache for the kernel with a build id. */
static bool load_cached(struct fg_kallsyms *k, struct fg_str cache,
			const struct fg_build_id *id)
{
	struct fg_buf path = FG_BUF_INIT;
	struct stat st;
	int fd = -1;

	if (cache.len && id->len) {
		fg_buf_add_str(&path, cache);
		fg_buf_add_str(&path, FG_STR("/[kernel.kallsyms]/"));
		fg_build_id_add(&path, id, 0);
		fg_buf_add_str(&path, FG_STR("/kallsyms"));
		fd = fg_trusted_open(fg_buf_cstr(&path), FG_TRUST_OWN);
	}
	fg_buf_release(&path);
	if (fd < 0 || fstat(fd, &st) || st.st_size <= 0) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	return take(k, fg_xmalloc(fg_size_add((size_t)st.st_size, 1)),
		    (size_t)st.st_size, fd);
}

/*
 * Returns true if a release is that of the running kernel, or if we cannot tell.
 * Streams have no build ids, but they have the release.
 */
static bool is_release(struct fg_str release)
{
	struct utsname running;

	return !release.len || uname(&running) ||
	       fg_str_eq(release, fg_str_from(running.release));
}

static struct fg_build_id running_id(void)
{
	struct fg_buf notes = FG_BUF_INIT;
	struct fg_build_id id = { { 0 }, 0 };

	if (!read_path("/sys/kernel/notes", &notes))
		fg_build_id_from_notes(&id, fg_buf_str(&notes));
	fg_buf_release(&notes);
	return id;
}

/*
 * Recordings that perf compressed, and streams, have no build ids. If their kernel has
 * the same release as the running one, we take the list that perf cached for the
 * running kernel, but only if the reference symbol has its recorded address there. The
 * cached list is quicker to read than /proc/kallsyms, which the kernel makes anew for
 * each reader.
 */
void fg_kallsyms_load(struct fg_kallsyms *k, struct fg_str cache,
		      const struct fg_build_id *id)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_build_id running;

	if (k->loaded)
		return;
	k->loaded = true;
	if (load_cached(k, cache, id))
		return;
	running = running_id();
	if (id->len ? !fg_build_id_eq(&running, id) : !is_release(k->release))
		return;
	if (!id->len && load_cached(k, cache, &running) && k->placed && !k->delta)
		return;
	if (!read_path("/proc/kallsyms", &text))
		fg_kallsyms_parse(k, fg_buf_str(&text));
	fg_buf_release(&text);
}

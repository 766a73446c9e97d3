/*
 * Names the frames that come as a text or as an address:
 *
 *     f(int) (in libx.so) (+ 12)                     f(int)
 *     render (https://example.org/app.js:12:7)[3]    render
 *     0x7f0012ab                                     [libx.so], or its function
 *
 * A function's name may hold parentheses and " (in ", so we read a text from its end.
 */
#include "collapse/formats/firefox/firefox.h"

#include <stdlib.h>

#include "collapse/decimal.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* We try at most this many " (in " of a text, from its end. */
#define TRIES 16

/*
 * A real address has up to 16 digits. We treat names of up to 64 digits as addresses.
 */
#define DIGITS_MAX 64

bool firefox_is_address(struct fg_str name, uint64_t *address)
{
	if (!fg_str_cut_start(&name, FG_STR("0x")) || name.len > DIGITS_MAX ||
	    !fg_str_all(name, fg_is_hex))
		return false;
	if (fg_str_hex(name, address))
		*address = UINT64_MAX; /* too large to be in any library */
	return true;
}

uint32_t firefox_address(struct firefox *f, const struct firefox_lib *lib,
			 uint64_t address)
{
	size_t count = 0;

	if (f->symbols && lib)
		count = firefox_symbols_find(f->symbols, lib->file, address, &f->found);
	if (count) {
		f->found_count = count - 1;
		return f->found[count - 1];
	}
	f->nameless++;
	return lib ? lib->name : fg_sink_name(f->sink, FG_STR("[unknown]"));
}

/* ---- libraries by address */

static int compare_starts(const void *context, uint32_t a, uint32_t b)
{
	const struct firefox_lib *libs = context;

	if (libs[a].start != libs[b].start)
		return libs[a].start < libs[b].start ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void sort_libs(struct firefox_libs *libs)
{
	struct firefox_lib *sorted = fg_xcalloc(libs->count, sizeof(*sorted));
	uint32_t *order = fg_xcalloc(libs->count, sizeof(*order));

	for (uint32_t i = 0; i < libs->count; i++)
		order[i] = i;
	fg_sort(order, libs->count, compare_starts, libs->items);
	for (size_t i = 0; i < libs->count; i++)
		sorted[i] = libs->items[order[i]];
	free(libs->items);
	free(order);
	libs->items = sorted;
	libs->alloc = libs->count;
	libs->by_address = true;
}

static uint32_t name_of_address(struct firefox *f, uint64_t address,
				struct firefox_libs *libs)
{
	size_t low = 0, high;

	if (!libs->by_address)
		sort_libs(libs);
	high = libs->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (libs->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= libs->items[low - 1].end)
		return firefox_address(f, NULL, 0);
	return firefox_address(f, &libs->items[low - 1],
			       address - libs->items[low - 1].start);
}

/* ---- functions */

static bool cut_end_digits(struct fg_str *s, struct fg_str *digits)
{
	size_t count = fg_str_end_span(*s, fg_is_digit);

	*digits = fg_str_from_pos(*s, s->len - count);
	s->len -= count;
	return count;
}

/*
 * Returns true if `rest` is "", " (+ 12)", " + 12" or " (a.c:7)", which may follow
 * "f (in libx.so)".
 */
static bool ends_native(struct fg_str rest)
{
	struct fg_str digits = rest;

	if (!rest.len)
		return true;
	if (fg_str_starts(rest, FG_STR(" (")) && fg_str_ends(rest, FG_STR(")"))) {
		if (fg_str_has_char(rest, ':'))
			return true;
		digits.len--;
		return fg_str_cut_start(&digits, FG_STR(" (+ ")) &&
		       fg_str_all(digits, fg_is_digit);
	}
	return fg_str_cut_start(&digits, FG_STR(" + ")) &&
	       fg_str_all(digits, fg_is_digit);
}

static size_t rfind(struct fg_str s, struct fg_str needle)
{
	for (size_t at = s.len; at-- > 0;)
		if (fg_str_starts(fg_str_from_pos(s, at), needle))
			return at;
	return s.len;
}

/* Reads "f(int) (in libx.so) (+ 12)". Sets `name` to "f(int)". */
static bool cut_native(struct fg_str text, struct fg_str *name)
{
	static const struct fg_str in = FG_STR_INIT(" (in ");
	struct fg_str head = text;

	for (int i = 0; i < TRIES; i++) {
		size_t at = rfind(head, in);
		struct fg_str rest = fg_str_from_pos(text, at + in.len);
		size_t end = fg_str_find_char(rest, ')');

		if (at == head.len)
			return false;
		if (end < rest.len && ends_native(fg_str_from_pos(rest, end + 1))) {
			*name = fg_str_before(text, at);
			return true;
		}
		head = fg_str_before(head, at);
	}
	return false;
}

/* Cuts ":12" or ":12:7" off a URL, and sets `line` to "12". */
static bool cut_line(struct fg_str *url, struct fg_str *line)
{
	struct fg_str head, more;

	if (!cut_end_digits(url, line) || !fg_str_cut_end(url, FG_STR(":")) ||
	    !url->len)
		return false;
	head = *url;
	if (cut_end_digits(&head, &more) && fg_str_cut_end(&head, FG_STR(":")) &&
	    head.len) {
		*url = head;
		*line = more;
	}
	return true;
}

/* Reads "render (https://example.org/app.js:12:7)[3]", or only the URL. */
static bool cut_script(struct fg_str text, struct fg_str *name, struct fg_str *url,
		       struct fg_str *line)
{
	struct fg_str s = text, digits;
	size_t at;

	if (fg_str_cut_end(&s, FG_STR("]")) &&
	    !(cut_end_digits(&s, &digits) && fg_str_cut_end(&s, FG_STR("["))))
		s = text;
	*name = FG_STR("");
	if (!fg_str_ends(s, FG_STR(")"))) {
		*url = s;
		return cut_line(url, line);
	}
	s.len--;
	at = rfind(s, FG_STR(" ("));
	if (at == s.len)
		return false;
	*name = fg_str_before(s, at);
	*url = fg_str_from_pos(s, at + 2);
	return cut_line(url, line);
}

static uint32_t name_of_script(struct firefox *f, struct fg_str name, struct fg_str url,
			       struct fg_str line)
{
	size_t arrow = rfind(url, FG_STR(" -> "));
	uint64_t number = 0;

	if (arrow < url.len)
		url = fg_str_from_pos(url, arrow + 4);
	fg_str_u64(line, &number);
	if (fg_str_trim(name).len)
		return fg_sink_name_at(f->sink, name, url, number);
	fg_buf_clear(&f->text);
	fg_buf_add_str(&f->text, FG_STR("(root scope) "));
	fg_buf_add_str(&f->text, url);
	return fg_sink_name_at(f->sink, fg_buf_str(&f->text), url, number);
}

uint32_t firefox_location(struct firefox *f, struct fg_str text,
			  struct firefox_libs *libs)
{
	struct fg_str name, url, line;
	uint64_t address;

	f->frames++;
	if (firefox_is_address(text, &address))
		return name_of_address(f, address, libs);
	if (cut_native(text, &name))
		return fg_sink_name(f->sink, name);
	if (cut_script(text, &name, &url, &line))
		return name_of_script(f, name, url, line);
	return fg_sink_name(f->sink, text.len ? text : FG_STR("(root)"));
}

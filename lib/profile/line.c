/* Splits and writes frames with source lines. */
#include "lib/profile/line.h"

#include <inttypes.h>

#include "lib/profile/folded.h"

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Cuts ":TEXT" off the end of `s` and returns TEXT. Returns false without a ':'. */
static bool cut_last(struct fg_str *s, struct fg_str *text)
{
	size_t colon = fg_str_rfind_char(*s, ':');

	if (colon == s->len)
		return false;
	*text = fg_str_from_pos(*s, colon + 1);
	*s = fg_str_before(*s, colon);
	return true;
}

/* Returns true if `s` ends in ":X", where X may be the letter of a drive. */
static bool ends_in_drive(struct fg_str s)
{
	return s.len > 2 && fg_is_alpha(s.ptr[s.len - 1]) && s.ptr[s.len - 2] == ':' &&
	       s.ptr[s.len - 3] != ':';
}

/* Moves the drive of "main:C" and "\src\app.c" to the file. */
static void move_drive(struct fg_line *line)
{
	if (!is_slash(line->file.ptr[0]) || !ends_in_drive(line->name))
		return;
	line->file = fg_str_of(line->file.ptr - 2, line->file.len + 2);
	line->name.len -= 2;
}

/*
 * Returns true if the text can be a file: "app.c", "src/app", "./Makefile". The rest
 * of "LazyCompile:~run /srv/app.js:12" is no file.
 */
static bool is_file(struct fg_str s)
{
	return (fg_str_has_char(s, '.') || fg_str_has_char(s, '/') ||
		fg_str_has_char(s, '\\')) &&
	       !fg_str_has(s, FG_STR(" /"));
}

/*
 * Returns true if the text can be the name of a function. Paths are none: austin
 * writes "/srv/app.py:App.run:5", and "C:\app.c:12" has no function at all.
 */
static bool is_name(struct fg_str s, struct fg_str file)
{
	if (!s.len || s.ptr[s.len - 1] == ':' || is_slash(s.ptr[0]))
		return false;
	if (!fg_is_alpha(s.ptr[0]))
		return true;
	if (s.len == 1)
		return file.ptr[0] != '\\';
	return s.len < 3 || s.ptr[1] != ':' || !is_slash(s.ptr[2]);
}

bool fg_line_split(struct fg_str frame, struct fg_line *line)
{
	struct fg_line found;
	struct fg_str digits;
	uint64_t number;

	found.name = fg_folded_without_annotation(frame);
	found.annotation = fg_str_from_pos(frame, found.name.len);
	if (!found.name.len || !fg_is_digit(found.name.ptr[found.name.len - 1]) ||
	    !cut_last(&found.name, &digits) || !digits.len || digits.ptr[0] == '0' ||
	    fg_str_u64(digits, &number) || number > UINT32_MAX ||
	    !cut_last(&found.name, &found.file) || !found.file.len)
		return false;
	found.number = (uint32_t)number;
	move_drive(&found);
	if (!is_file(found.file) || !is_name(found.name, found.file))
		return false;
	*line = found;
	return true;
}

struct fg_str fg_line_plain_name(struct fg_str frame)
{
	struct fg_line line;

	return fg_line_split(frame, &line) ? line.name :
					     fg_folded_without_annotation(frame);
}

struct fg_str fg_line_function(struct fg_str frame, struct fg_buf *b)
{
	struct fg_line line;

	if (!fg_line_split(frame, &line))
		return frame;
	if (!line.annotation.len)
		return line.name;
	fg_buf_clear(b);
	fg_buf_add_str(b, line.name);
	fg_buf_add_str(b, line.annotation);
	return fg_buf_str(b);
}

/* Cuts "https://example.org:8080" off "https://example.org:8080/src/app.js". */
static void cut_host(struct fg_str *url)
{
	size_t scheme = fg_str_find(*url, FG_STR("://"));
	struct fg_str rest = fg_str_from_pos(*url, scheme + 3);

	if (scheme == url->len || !scheme ||
	    !fg_str_all(fg_str_before(*url, scheme), fg_is_word))
		return;
	rest = fg_str_before(rest, fg_str_find_char(rest, '?'));
	*url = fg_str_from_pos(rest, fg_str_find_char(rest, '/'));
}

void fg_line_add(struct fg_buf *name, struct fg_str file, uint64_t number)
{
	size_t drive, start;

	if (!number || number > UINT32_MAX)
		return;
	cut_host(&file);
	if (!file.len)
		return;
	fg_buf_add_char(name, ':');
	if (!is_file(file))
		fg_buf_add_str(name, FG_STR("./"));
	drive = file.len > 2 && fg_is_alpha(file.ptr[0]) && file.ptr[1] == ':' &&
				is_slash(file.ptr[2]) ?
			2 :
			0;
	fg_buf_add_str(name, fg_str_before(file, drive));
	start = name->len;
	fg_buf_add_str(name, fg_str_from_pos(file, drive));
	fg_buf_replace(name, start, ':', '/');
	fg_buf_replace(name, start, ';', '_');
	fg_buf_addf(name, ":%" PRIu64, number);
}

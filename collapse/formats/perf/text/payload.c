/* Finds fields in a tracepoint's payload: `name=value ...`, or `name: value, ...`. */
#include "collapse/formats/perf/text/payload.h"

/* Returns true if a field, "pid=", starts at `at`, after a space or at the start. */
static bool is_field_at(struct fg_str text, size_t at)
{
	size_t end = at;

	if (at && !fg_is_blank(text.ptr[at - 1]))
		return false;
	while (end < text.len && (fg_is_word(text.ptr[end]) || text.ptr[end] == '.'))
		end++;
	return end > at && end < text.len && text.ptr[end] == '=';
}

/*
 * Returns the end of the string whose first '"' is at `at`. perf does not escape a '"'
 * in it, so only a '"' before another field or before the end of the text ends it.
 * Returns text.len + 1 if it does not end.
 */
static size_t string_end(struct fg_str text, size_t at)
{
	for (at++; at < text.len; at++)
		if (text.ptr[at] == '"' &&
		    (at + 1 == text.len ||
		     (fg_is_blank(text.ptr[at + 1]) &&
		      (at + 2 == text.len || is_field_at(text, at + 2)))))
			return at + 1;
	return text.len + 1;
}

/*
 * Returns the end of the value at `at`. A value without quotes, like a comm, may hold
 * spaces; it ends at the next field, or at the " ==> " of sched_switch.
 */
static size_t value_end(struct fg_str text, size_t at)
{
	if (at < text.len && text.ptr[at] == '"')
		return string_end(text, at);
	while (at < text.len &&
	       !(fg_is_blank(text.ptr[at]) &&
		 (is_field_at(text, at + 1) ||
		  fg_str_starts(fg_str_from_pos(text, at), FG_STR(" ==> ")))))
		at++;
	return at;
}

/*
 * Finds the first field at or after *at, sets *name and *value, and moves *at to the
 * end of the value. Returns false if there are no more fields.
 */
static bool next_field(struct fg_str text, size_t *at, struct fg_str *name,
		       struct fg_str *value)
{
	size_t start, end;

	while (*at < text.len && !is_field_at(text, *at))
		++*at;
	if (*at >= text.len)
		return false;
	*name = fg_str_from_pos(text, *at);
	*name = fg_str_before(*name, fg_str_find_char(*name, '='));
	start = *at + name->len + 1;
	end = value_end(text, start);
	*value = fg_str_from_pos(fg_str_before(text, end), start);
	*at = end;
	return true;
}

/*
 * Sets *value to the value of the field `wanted`, "name=value". Returns false if there
 * is no such field.
 */
static bool equals_field(struct fg_str text, struct fg_str wanted, struct fg_str *value)
{
	struct fg_str name;
	size_t at = 0;

	while (next_field(text, &at, &name, value))
		if (fg_str_eq(name, wanted))
			return true;
	return false;
}

bool perf_payload_is_open(struct fg_str text)
{
	struct fg_str name, value;
	size_t at = 0;

	if (!fg_str_has_char(text, '"'))
		return false;
	while (next_field(text, &at, &name, &value))
		if (at > text.len)
			return true;
	return false;
}

bool perf_payload_closes(struct fg_str line)
{
	for (size_t at = 0; at < line.len; at++)
		if (line.ptr[at] == '"' &&
		    (at + 1 == line.len ||
		     (fg_is_blank(line.ptr[at + 1]) && is_field_at(line, at + 2))))
			return true;
	return false;
}

/* Like equals_field(), for "fd: 0x3, buf: 0x7ffc": the arguments of a system call. */
static bool colon_field(struct fg_str text, struct fg_str name, struct fg_str *value)
{
	for (size_t at = 0; at < text.len; at++) {
		struct fg_str rest = fg_str_from_pos(text, at);

		if (!fg_str_starts(rest, name) ||
		    (at && !fg_is_blank(text.ptr[at - 1])))
			continue;
		rest = fg_str_from_pos(rest, name.len);
		if (!fg_str_starts(rest, FG_STR(": ")))
			continue;
		rest = fg_str_from_pos(rest, 2);
		*value = fg_str_before(rest, fg_str_find_char(rest, ','));
		return true;
	}
	return false;
}

bool perf_payload_field(struct fg_str text, struct fg_str name, struct fg_str *value)
{
	if (!equals_field(text, name, value) && !colon_field(text, name, value))
		return false;
	*value = fg_str_trim(*value);
	fg_str_cut_end(value, FG_STR(","));
	return true;
}

int perf_payload_number(struct fg_str text, struct fg_str name, uint64_t *number)
{
	struct fg_str value;
	size_t digits = 0;

	if (!perf_payload_field(text, name, &value))
		return -1;
	if (!fg_str_starts(value, FG_STR("0x"))) {
		value = fg_str_before(value, fg_str_find_char(value, ' '));
		return fg_str_u64(value, number);
	}
	value = fg_str_from_pos(value, 2);
	while (digits < value.len && fg_hex_digit(value.ptr[digits]) < 16)
		digits++;
	return fg_str_hex(fg_str_before(value, digits), number);
}

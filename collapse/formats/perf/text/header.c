/* The header line of a sample: comm, pid, tid, time, period, event, the rest. */
#include "collapse/formats/perf/text/header.h"

#include "collapse/memo.h"

/*
 * perf's print_sample_start (tools/perf/builtin-script.c) prints, each on
 * demand: comm, pid/tid, [cpu], misc letters, time of day, `secs.usecs:`,
 * period, `event:`. A comm may hold anything, digits and colons included, so
 * the time stamp is found first and the line is read outward from it.
 */

static const struct fg_str nothing = { NULL, 0 };

static void clear_header(struct perf_header *h)
{
	h->sample = (struct fg_sample){ .weight = 1 };
	h->time = h->rest = nothing;
	h->fields_only = false;
	h->timed = false;
	h->odd = false;
	h->recalled = false;
}

static struct fg_str drop_last(struct fg_str s, size_t n)
{
	return fg_str_trim_right(fg_str_before(s, s.len - n));
}

/* Whether `s` is digits, with '-' before them or not. */
static bool is_integer(struct fg_str s)
{
	size_t i = s.len && s.ptr[0] == '-';

	if (i == s.len)
		return false;
	for (; i < s.len; i++)
		if (!fg_is_digit(s.ptr[i]))
			return false;
	return true;
}

/* The last word of `s`, which has no white space at its end. */
static struct fg_str last_word(struct fg_str s)
{
	size_t at = s.len;

	while (at && !fg_is_space(s.ptr[at - 1]))
		at--;
	return fg_str_from_pos(s, at);
}

/* "[003]", "[-1]" */
static bool is_cpu(struct fg_str word)
{
	return word.len > 2 && word.ptr[0] == '[' && word.ptr[word.len - 1] == ']' &&
	       is_integer(fg_str_of(word.ptr + 1, word.len - 2));
}

/* Cuts "[003]" off the end. */
static struct fg_str read_cpu(struct fg_str left, struct perf_header *h)
{
	struct fg_str word = last_word(left);

	if (!is_cpu(word))
		return left;
	h->sample.cpu = fg_id_read(fg_str_of(word.ptr + 1, word.len - 2));
	return drop_last(left, word.len);
}

/* "tid", "pid/tid", "-1/-1" as the last word. */
static bool read_ids(struct fg_str word, struct perf_header *h)
{
	struct fg_str tid = word;
	struct fg_str pid = fg_str_cut(&tid, '/');
	bool both = pid.len < word.len;

	if (!is_integer(pid) || (both && !is_integer(tid)))
		return false;
	h->sample.pid = both ? fg_id_read(pid) : (struct fg_id){ 0, false };
	h->sample.tid = fg_id_read(both ? tid : pid);
	return true;
}

/* perf script -L prints the cpu as a bare number in three columns. */
static struct fg_str read_bare_cpu(struct fg_str left, struct perf_header *h)
{
	struct fg_str cpu = last_word(left);
	struct fg_str before, tid;
	size_t blanks;

	if (cpu.len > 3 || !is_integer(cpu) || cpu.ptr[0] == '-')
		return left;
	before = drop_last(left, cpu.len);
	blanks = left.len - cpu.len - before.len;
	tid = last_word(before);
	if (!blanks || blanks - 1 + cpu.len != 3 || !is_integer(tid) ||
	    tid.len == before.len)
		return left;
	h->sample.cpu = fg_id_read(cpu);
	return before;
}

/* "VM:12345 VCPU:003 ", which a guest's sample starts with. */
static struct fg_str drop_guest(struct fg_str left, struct fg_str prefix)
{
	struct fg_str rest = fg_str_from_pos(left, prefix.len);
	size_t digits;

	if (!fg_str_starts(left, prefix))
		return left;
	rest = fg_str_trim_left(rest);
	digits = fg_str_span(rest, fg_is_digit);
	if (!digits || digits == rest.len || rest.ptr[digits] != ' ')
		return left;
	return fg_str_from_pos(rest, digits + 1);
}

/* "comm tid", "comm pid/tid": the last word has the ids. */
static bool read_comm_and_ids(struct fg_str left, struct perf_header *h)
{
	struct fg_str word;

	left = read_bare_cpu(fg_str_trim_right(left), h);
	word = last_word(left);
	if (!read_ids(word, h))
		return false;
	left = fg_str_before(left, left.len - word.len);
	left = drop_guest(left, FG_STR("VM:"));
	left = drop_guest(left, FG_STR("VCPU:"));
	h->sample.comm = fg_str_trim(left);
	return true;
}

/* "comm-tid", as perf before 2011 had it. */
static bool read_old_comm_and_tid(struct fg_str left, struct perf_header *h)
{
	size_t dash;

	left = fg_str_trim(left);
	dash = fg_str_rfind_char(left, '-');
	if (dash == left.len || dash + 1 == left.len ||
	    !fg_is_digit(left.ptr[dash + 1]) ||
	    !is_integer(fg_str_from_pos(left, dash + 1)))
		return false;
	h->sample.comm = fg_str_before(left, dash);
	h->sample.tid = fg_id_read(fg_str_from_pos(left, dash + 1));
	return true;
}

/* "2024-05-01 12:34:56.123456" at the end, of --fields +tod. */
static struct fg_str drop_time_of_day(struct fg_str left)
{
	static const char shape[] = "dddd-dd-dd dd:dd:dd.dddddd";
	struct fg_str trimmed = fg_str_trim_right(left);
	size_t len = sizeof(shape) - 1;

	for (; len <= sizeof(shape) + 2 && len < trimmed.len; len++) {
		const char *p = trimmed.ptr + trimmed.len - len;
		size_t i = 0;

		for (; i < len; i++) {
			char want = i < sizeof(shape) - 1 ? shape[i] : 'd';

			if (want == 'd' ? !fg_is_digit(p[i]) : p[i] != want)
				break;
		}
		if (i == len && fg_is_space(p[-1]))
			return drop_last(trimmed, len);
	}
	return left;
}

/* "disabled": --fields +tod without a clock that was recorded. */
static struct fg_str drop_disabled(struct fg_str left)
{
	struct fg_str trimmed = fg_str_trim_right(left);
	struct perf_header ignored;

	if (!fg_str_cut_end(&trimmed, FG_STR(" disabled")))
		return left;
	trimmed = fg_str_trim_right(trimmed);
	return read_comm_and_ids(read_cpu(trimmed, &ignored), &ignored) ? trimmed :
									  left;
}

/* Letters of --fields +misc, where what is left of them still reads. */
static struct fg_str drop_misc(struct fg_str left)
{
	struct fg_str trimmed = fg_str_trim_right(left);
	struct fg_str word = last_word(trimmed);
	struct perf_header ignored;

	if (!word.len || word.len > 6 || word.len == trimmed.len)
		return left;
	for (size_t i = 0; i < word.len; i++)
		if (!fg_str_has_char(FG_STR("KUHGgMESp"), word.ptr[i]))
			return left;
	trimmed = drop_last(trimmed, word.len);
	return read_comm_and_ids(read_cpu(trimmed, &ignored), &ignored) ? trimmed :
									  left;
}

/* A comm has 15 bytes at most; longer text is one only where nothing looks like ids. */
#define COMM_MAX 15

/*
 * "comm 4242 [003] what perf does not print": takes comm, ids and cpu, and says that
 * there is more, which is no part of the comm. A comm may hold numbers too, but not in
 * three columns and brackets behind another.
 */
static bool read_before_odd(struct fg_str left, struct perf_header *h)
{
	struct fg_str s = left;
	struct fg_str cpu;

	while (s.len) {
		s = drop_last(s, last_word(s).len);
		cpu = last_word(s);
		if (!is_cpu(cpu) || cpu.len < 5)
			cpu.len = 0;
		if (!cpu.len && left.len <= COMM_MAX)
			continue;
		if (!read_comm_and_ids(drop_last(s, cpu.len), h))
			continue;
		read_cpu(s, h);
		h->odd = true;
		return true;
	}
	return false;
}

static void read_left(struct fg_str left, struct perf_header *h)
{
	left = fg_str_trim_right(left);
	if (!is_cpu(last_word(left)))
		left = drop_misc(drop_disabled(drop_time_of_day(left)));
	left = read_cpu(fg_str_trim_right(left), h);
	if (read_comm_and_ids(left, h) || read_old_comm_and_tid(left, h) ||
	    read_before_odd(left, h))
		return;
	h->sample.comm = fg_str_trim(left);
}

/* The digits at the start of `s` that a blank or the end follows; or 0. */
static size_t leading_number(struct fg_str s)
{
	size_t n = fg_str_span(s, fg_is_digit);

	return n < s.len && !fg_is_space(s.ptr[n]) ? 0 : n;
}

/* Where the first ':' is that white space or the end follows; s.len for none. */
static size_t event_end(struct fg_str s)
{
	size_t at = 0;

	while (at < s.len) {
		at += fg_str_find_char(fg_str_from_pos(s, at), ':');
		if (at + 1 >= s.len || fg_is_space(s.ptr[at + 1]))
			break;
		at++;
	}
	return at;
}

/*
 * "           401136 main (/bin/app)": perf pads an address to 16 columns, behind one
 * blank or two. What ends in an event has a period that somebody has aligned.
 */
static bool starts_with_address(struct fg_str s)
{
	size_t blanks, end;

	if (!fg_str_starts(s, FG_STR("  ")))
		return false;
	blanks = fg_str_spaces(s);
	end = blanks + fg_str_span(fg_str_from_pos(s, blanks), fg_is_lower_hex);
	return (end == 17 || end == 18) && end < s.len && s.ptr[end] == ' ' &&
	       !fg_str_ends(fg_str_trim_right(s), FG_STR(":"));
}

/* Returns what follows the period; an address may be all digits, too. */
static struct fg_str read_period(struct fg_str right, struct perf_header *h)
{
	struct fg_str s = fg_str_trim_left(right);
	size_t digits = leading_number(s);

	if (!digits || starts_with_address(right))
		return right;
	if (fg_str_u64(fg_str_before(s, digits), &h->sample.weight))
		h->sample.weight = UINT64_MAX;
	return fg_str_from_pos(s, digits);
}

/* "jmp  401136 main (/bin/app) insn: eb": what follows a function is no event. */
static bool is_tail_word(struct fg_str event)
{
	return fg_str_ends(event, FG_STR(" insn")) ||
	       fg_str_ends(event, FG_STR(" ilen")) ||
	       fg_str_ends(event, FG_STR(" IPC"));
}

static void read_right(struct fg_str right, struct perf_header *h)
{
	size_t end;

	right = read_period(right, h);
	h->rest = fg_str_trim_left(right);
	if (starts_with_address(right))
		return;
	right = h->rest;
	if (!right.len || right.ptr[0] == ':' || right.ptr[0] == '(')
		return;
	end = event_end(right);
	if (end == right.len || is_tail_word(fg_str_before(right, end)))
		return;
	h->sample.event = fg_str_before(right, end);
	h->rest = fg_str_trim_left(fg_str_from_pos(right, end + 1));
}

/*
 * The length of the time stamp whose ':' is at `colon`: digits, a point and, unless
 * `any` will do, 6 or 9 decimals, after white space or the line's start. 0 where it is
 * none.
 */
static inline size_t time_stamp_length(struct fg_str line, size_t colon, bool any)
{
	struct fg_str left = fg_str_before(line, colon);
	size_t seconds, decimals;

	if (colon + 1 < line.len && !fg_is_space(line.ptr[colon + 1]))
		return 0;
	decimals = fg_str_end_span(left, fg_is_digit);
	left.len -= decimals;
	if ((any ? !decimals : decimals != 6 && decimals != 9) ||
	    !fg_str_cut_end(&left, FG_STR(".")))
		return 0;
	seconds = fg_str_end_span(left, fg_is_digit);
	left.len -= seconds;
	if (!seconds || (left.len && !fg_is_space(left.ptr[left.len - 1])))
		return 0;
	return seconds + 1 + decimals;
}

static bool is_memorable(const struct perf_header_memo *memo, struct fg_str text)
{
	return memo && text.len && text.len <= sizeof(memo->right.text);
}

static bool is_part(const struct perf_header_part *part, struct fg_str text)
{
	return part->len == text.len &&
	       fg_memo_same_bytes(part->text, text.ptr, text.len);
}

/* The part that is to say what `text` does; it borrows from itself. */
static struct fg_str set_part(struct perf_header_part *part, struct fg_str text)
{
	memcpy(part->text, text.ptr, text.len);
	part->len = text.len;
	clear_header(&part->says);
	return fg_str_of(part->text, text.len);
}

static void recall_left(struct fg_str left, struct perf_header_memo *memo,
			struct perf_header *h)
{
	struct perf_header_part *part;

	if (!is_memorable(memo, left)) {
		read_left(left, h);
		return;
	}
	part = &memo->left[fg_hash_bytes(left.ptr, left.len, 0) % PERF_HEADER_PARTS];
	h->recalled = is_part(part, left);
	if (!h->recalled)
		read_left(set_part(part, left), &part->says);
	h->sample.comm = part->says.sample.comm;
	h->sample.pid = part->says.sample.pid;
	h->sample.tid = part->says.sample.tid;
	h->sample.cpu = part->says.sample.cpu;
	h->odd = part->says.odd;
}

void perf_header_forget(struct perf_header_memo *memo, struct fg_id tid)
{
	for (size_t i = 0; i < PERF_HEADER_PARTS; i++)
		if (!tid.known || memo->left[i].says.sample.tid.number == tid.number)
			memo->left[i].len = 0;
}

static void recall_right(struct fg_str right, struct perf_header_memo *memo,
			 struct perf_header *h)
{
	struct perf_header_part *part;

	if (!is_memorable(memo, right)) {
		read_right(right, h);
		return;
	}
	part = &memo->right;
	if (!is_part(part, right))
		read_right(set_part(part, right), &part->says);
	h->sample.weight = part->says.sample.weight;
	h->sample.event = part->says.sample.event;
	h->rest = part->says.rest;
}

/*
 * "comm 4242 [003] 100.5: 1 event:", as simpleperf's report_sample.py and PerfView have
 * it: any decimals, so there have to be a pid and an event on either side.
 */
static bool read_other_header(struct fg_str line, struct perf_header *h)
{
	size_t colon = event_end(line);
	size_t len;

	if (colon == line.len)
		return false;
	len = time_stamp_length(line, colon, true);
	if (!len)
		return false;
	clear_header(h);
	h->timed = true;
	h->time = fg_str_of(line.ptr + colon - len, len);
	read_right(fg_str_from_pos(line, colon + 1), h);
	read_left(fg_str_before(line, colon - len), h);
	return h->sample.tid.known && h->sample.event.len;
}

bool perf_header_timed(struct fg_str line, struct perf_header_memo *memo,
		       struct perf_header *h)
{
	size_t colon = 0;

	for (;; colon++) {
		size_t len;

		colon += fg_str_find_char(fg_str_from_pos(line, colon), ':');
		if (colon >= line.len)
			return read_other_header(line, h);
		len = time_stamp_length(line, colon, false);
		if (!len)
			continue;
		clear_header(h);
		h->timed = true;
		h->time = fg_str_of(line.ptr + colon - len, len);
		recall_right(fg_str_from_pos(line, colon + 1), memo, h);
		/* a comm may be "7 8.000001:"; an event is no time stamp */
		if (h->sample.event.len &&
		    time_stamp_length(h->sample.event, h->sample.event.len, false))
			continue;
		recall_left(fg_str_before(line, colon - len), memo, h);
		return true;
	}
}

/*
 * A period stands in a column of ten or is longer than any pid; a pid in one of
 * five or seven. Returns what is left of it.
 */
static struct fg_str read_weak_period(struct fg_str s, struct perf_header *h)
{
	struct fg_str word = last_word(s);
	struct fg_str before;
	size_t width;

	if (!word.len || leading_number(word) != word.len)
		return s;
	before = fg_str_before(s, s.len - word.len);
	while (before.len && before.ptr[before.len - 1] == ' ')
		before.len--;
	width = s.len - before.len - (before.len > 0);
	if (width < 10 && word.len <= 7)
		return s;
	if (fg_str_u64(word, &h->sample.weight))
		h->sample.weight = UINT64_MAX;
	return before;
}

bool perf_header_untimed(struct fg_str line, struct perf_header *h)
{
	struct fg_str s = fg_str_trim_right(line);
	struct fg_str word = last_word(s);

	if (!s.len)
		return false;
	clear_header(h);
	if (word.len > 1 && word.ptr[word.len - 1] == ':' && word.ptr[0] != '[' &&
	    word.ptr[0] != '(') {
		h->sample.event = fg_str_before(word, word.len - 1);
		s = drop_last(s, word.len);
	}
	s = read_cpu(read_weak_period(s, h), h);
	word = last_word(s);
	if (read_ids(word, h))
		s = fg_str_before(s, s.len - word.len);
	else if (read_before_odd(s, h))
		return true;
	h->sample.comm = fg_str_trim(s);
	return true;
}

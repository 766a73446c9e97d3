/* Reads the header line of a sample: comm, pid, tid, CPU, time, period, event. */
#include "collapse/formats/perf/text/header.h"

#include "collapse/memo.h"

/*
 * perf's print_sample_start() (tools/perf/builtin-script.c) prints these fields, each
 * only if it is asked to: comm, pid/tid, [cpu], misc letters, time of day, time,
 * period, event.
 *
 *     app 4242/4243 [003] U 2024-05-01 12:34:56.123456 100.000001:  250000 cycles:u:
 *
 * A comm may hold anything, digits and colons included, so we find the time stamp first
 * and read the line outward from it: read_right() reads the text after it, and
 * read_left() the text before it.
 */

static const struct fg_str nothing = { NULL, 0 };

static void clear_header(struct perf_header *h)
{
	h->sample = (struct fg_sample){ .weight = 1 };
	h->time = h->after_event = nothing;
	h->fields_only = false;
	h->timed = false;
	h->malformed = false;
	h->recalled = false;
}

/* Returns `s` without its last `n` bytes and the spaces before them. */
static struct fg_str drop_last(struct fg_str s, size_t n)
{
	return fg_str_trim_right(fg_str_before(s, s.len - n));
}

/* Returns true for "4242" and "-1". */
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

/* Returns the last word of `s`, which must not end in white space. */
static struct fg_str last_word(struct fg_str s)
{
	size_t at = s.len;

	while (at && !fg_is_space(s.ptr[at - 1]))
		at--;
	return fg_str_from_pos(s, at);
}

/* Returns true for "[003]" and "[-1]". */
static bool is_cpu(struct fg_str word)
{
	return word.len > 2 && word.ptr[0] == '[' && word.ptr[word.len - 1] == ']' &&
	       is_integer(fg_str_of(word.ptr + 1, word.len - 2));
}

/* Reads "[003]" at the end. Returns what is before it. */
static struct fg_str read_cpu(struct fg_str left, struct perf_header *h)
{
	struct fg_str word = last_word(left);

	if (!is_cpu(word))
		return left;
	h->sample.cpu = fg_id_read(fg_str_of(word.ptr + 1, word.len - 2));
	return drop_last(left, word.len);
}

/* Reads "4243", "4242/4243" or "-1/-1". */
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

/* Reads the "  3" of "app 4242   3", which perf script -L prints for the CPU. */
static struct fg_str read_bare_cpu(struct fg_str left, struct perf_header *h)
{
	struct fg_str cpu = last_word(left);
	struct fg_str before, tid;
	size_t spaces;

	if (cpu.len > 3 || !is_integer(cpu) || cpu.ptr[0] == '-')
		return left;
	before = drop_last(left, cpu.len);
	spaces = left.len - cpu.len - before.len;
	tid = last_word(before);
	if (!spaces || spaces - 1 + cpu.len != 3 || !is_integer(tid) ||
	    tid.len == before.len)
		return left;
	h->sample.cpu = fg_id_read(cpu);
	return before;
}

/* Skips "VM:12345 " or "VCPU:003 ", at the start of a sample of a guest. */
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

/* Reads "app 4243" and "app 4242/4243": the last word has the ids. */
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

/* Reads "app-4243", which perf printed before 2011. */
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

/* Drops "2024-05-01 12:34:56.123456" at the end, which --fields +tod prints. */
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

/* Drops "disabled", which --fields +tod prints if no clock was recorded. */
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

/* Drops letters of --fields +misc, like "U", if comm and ids are before them. */
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

/*
 * A comm has at most 15 bytes. Longer text is treated as a comm only if nothing in it
 * looks like ids.
 */
#define COMM_MAX 15

/*
 * Reads "app 4242 [003] something unknown": comm, ids and CPU, and marks the header as
 * malformed because we do not understand the rest. A comm may hold numbers, too, but
 * not "4242 [003]".
 */
static bool read_malformed(struct fg_str left, struct perf_header *h)
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
		h->malformed = true;
		return true;
	}
	return false;
}

/* Reads "app 4242/4243 [003] ", which is before the time stamp. */
static void read_left(struct fg_str left, struct perf_header *h)
{
	left = fg_str_trim_right(left);
	if (!is_cpu(last_word(left)))
		left = drop_misc(drop_disabled(drop_time_of_day(left)));
	left = read_cpu(fg_str_trim_right(left), h);
	if (read_comm_and_ids(left, h) || read_old_comm_and_tid(left, h) ||
	    read_malformed(left, h))
		return;
	h->sample.comm = fg_str_trim(left);
}

/*
 * Returns how many digits `s` starts with, or 0 if anything but white space follows
 * them.
 */
static size_t leading_number(struct fg_str s)
{
	size_t n = fg_str_span(s, fg_is_digit);

	return n < s.len && !fg_is_space(s.ptr[n]) ? 0 : n;
}

/*
 * Returns the index of the first ':' that is at the end or before white space, or
 * s.len.
 */
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
 * Returns true for "            401136 main (/bin/app)": perf pads an address to 16
 * columns, after one or two spaces. "            250000 cycles:" starts with an aligned
 * period instead.
 */
static bool starts_with_address(struct fg_str s)
{
	size_t spaces, end;

	if (!fg_str_starts(s, FG_STR("  ")))
		return false;
	spaces = fg_str_spaces(s);
	end = spaces + fg_str_span(fg_str_from_pos(s, spaces), fg_is_lower_hex);
	return (end == 17 || end == 18) && end < s.len && s.ptr[end] == ' ' &&
	       !fg_str_ends(fg_str_trim_right(s), FG_STR(":"));
}

/* Reads the 250000 of "  250000 cycles:". Returns what follows it. */
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

/*
 * Returns true for "jmp  401136 main (/bin/app) insn". A ':' follows it, but it is not
 * an event.
 */
static bool is_tail_word(struct fg_str event)
{
	return fg_str_ends(event, FG_STR(" insn")) ||
	       fg_str_ends(event, FG_STR(" ilen")) ||
	       fg_str_ends(event, FG_STR(" IPC"));
}

/* Reads "  250000 cycles:u: ...", which follows the time stamp. */
static void read_right(struct fg_str right, struct perf_header *h)
{
	size_t end;

	right = read_period(right, h);
	h->after_event = fg_str_trim_left(right);
	if (starts_with_address(right))
		return;
	right = h->after_event;
	if (!right.len || right.ptr[0] == ':' || right.ptr[0] == '(')
		return;
	end = event_end(right);
	if (end == right.len || is_tail_word(fg_str_before(right, end)))
		return;
	h->sample.event = fg_str_before(right, end);
	h->after_event = fg_str_trim_left(fg_str_from_pos(right, end + 1));
}

/*
 * Returns the length of the time stamp whose ':' is at `colon`, 10 for "100.000001", or
 * 0 if it is something else. A time stamp has 6 or 9 decimals; with `any` one or more
 * are enough.
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

/* ---- the memo: parts that were read before */

static bool is_memorable(const struct perf_header_memo *memo, struct fg_str text)
{
	return memo && text.len && text.len <= sizeof(memo->right.text);
}

static bool is_part(const struct perf_header_part *part, struct fg_str text)
{
	return part->len == text.len &&
	       fg_memo_same_bytes(part->text, text.ptr, text.len);
}

/*
 * Copies `text` into the part and returns the copy. The caller reads it into
 * part->header.
 */
static struct fg_str set_part(struct perf_header_part *part, struct fg_str text)
{
	memcpy(part->text, text.ptr, text.len);
	part->len = text.len;
	clear_header(&part->header);
	return fg_str_of(part->text, text.len);
}

/* Like read_left(), but takes comm, ids and CPU from the memo if possible. */
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
		read_left(set_part(part, left), &part->header);
	h->sample.comm = part->header.sample.comm;
	h->sample.pid = part->header.sample.pid;
	h->sample.tid = part->header.sample.tid;
	h->sample.cpu = part->header.sample.cpu;
	h->malformed = part->header.malformed;
}

void perf_header_forget(struct perf_header_memo *memo, struct fg_id tid)
{
	for (size_t i = 0; i < PERF_HEADER_PARTS; i++)
		if (!tid.known || memo->left[i].header.sample.tid.number == tid.number)
			memo->left[i].len = 0;
}

/* Like read_right(), but uses the memo if the line before had the same text there. */
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
		read_right(set_part(part, right), &part->header);
	h->sample.weight = part->header.sample.weight;
	h->sample.event = part->header.sample.event;
	h->after_event = part->header.after_event;
}

/* ---- lines */

/*
 * Reads "app 4242 [003] 100.5: 1 cycles:", which simpleperf's report_sample.py and
 * PerfView print. Because the time may have any number of decimals, the line must also
 * have ids and an event.
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
		/*
		 * if the event looks like a time, the time that we found is part of the
		 * comm, "7 8.000001:"
		 */
		if (h->sample.event.len &&
		    time_stamp_length(h->sample.event, h->sample.event.len, false))
			continue;
		recall_left(fg_str_before(line, colon - len), memo, h);
		return true;
	}
}

/*
 * Reads a period at the end of `s`. It may be a pid instead: perf pads a period to ten
 * columns, and longer numbers are no pids, while it pads a pid to five or seven.
 * Returns the text before the period.
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
	else if (read_malformed(s, h))
		return true;
	h->sample.comm = fg_str_trim(s);
	return true;
}

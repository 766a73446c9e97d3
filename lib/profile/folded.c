/* Reads a line of folded stacks. */
#include "lib/profile/folded.h"

/* Any number of at most this many digits fits into 64 bits. */
#define SAFE_DIGITS 19

#define ANNOTATION_LEN 4 /* "_[k]" */

enum number_kind { NUMBER_NONE, NUMBER_READ, NUMBER_TOO_LARGE };

/*
 * Returns the number with these digits, at most SAFE_DIGITS. This is faster than
 * fg_count_parse() and works for almost all counts.
 */
static struct fg_count whole_count(const char *digits, size_t len)
{
	struct fg_count count = { 0, 0 };

	for (size_t i = 0; i < len; i++)
		count.digits = count.digits * 10 + (unsigned)(digits[i] - '0');
	return count;
}

static bool is_zero(struct fg_str number)
{
	for (size_t i = 0; i < number.len; i++)
		if (number.ptr[i] != '0' && number.ptr[i] != '.')
			return false;
	return true;
}

/*
 * Cuts a number and the byte of white space before it off the end of `s`. Leaves `s`
 * alone if it does not end in a number. Sets *lost if a number above 0 was too small
 * and became 0.
 */
static enum number_kind cut_number(struct fg_str *s, struct fg_count *count, bool *lost)
{
	size_t at = s->len;
	bool point = false;

	while (at && fg_is_digit(s->ptr[at - 1]))
		at--;
	if (at && s->ptr[at - 1] == '.') {
		point = true;
		at--;
		while (at && fg_is_digit(s->ptr[at - 1]))
			at--;
	}
	if (at == s->len || (point && s->ptr[at] == '.'))
		return NUMBER_NONE;
	if (!at || !fg_is_space(s->ptr[at - 1]))
		return NUMBER_NONE;
	if (!point && s->len - at <= SAFE_DIGITS)
		*count = whole_count(s->ptr + at, s->len - at);
	else if (fg_count_parse(fg_str_from_pos(*s, at), count))
		return NUMBER_TOO_LARGE;
	*lost |= point && !count->digits && !is_zero(fg_str_from_pos(*s, at));
	*s = fg_str_before(*s, at - 1);
	return NUMBER_READ;
}

bool fg_folded_is_comment(struct fg_str line)
{
	return line.len && line.ptr[0] == '#' &&
	       (line.len == 1 || fg_is_space(line.ptr[1])) &&
	       !fg_str_has_char(line, ';');
}

bool fg_folded_is_report_row(struct fg_str line)
{
	size_t blanks = fg_str_span(line, fg_is_blank), digits;

	line = fg_str_from_pos(line, blanks);
	digits = fg_str_span(line, fg_is_digit);
	return blanks && digits && line.len > digits + 4 && line.ptr[digits] == '.' &&
	       fg_is_digit(line.ptr[digits + 1]) && fg_is_digit(line.ptr[digits + 2]) &&
	       line.ptr[digits + 3] == '%' && fg_is_blank(line.ptr[digits + 4]) &&
	       !fg_str_has_char(line, ';');
}

/* Returns true if a line ends in a count below 0, like in a difference: "main -5". */
static bool ends_in_negative(struct fg_str line)
{
	size_t minus = fg_str_rfind_char(line, '-');
	struct fg_str number = fg_str_from_pos(line, minus + 1);
	struct fg_str whole = fg_str_before(number, fg_str_find_char(number, '.'));
	struct fg_str rest = fg_str_from_pos(number, whole.len + 1);

	return minus && fg_is_space(line.ptr[minus - 1]) && whole.len &&
	       fg_str_all(whole, fg_is_digit) &&
	       (!rest.len || fg_str_all(rest, fg_is_digit));
}

/* uniq -c pads its counts with spaces to one of these widths. */
#define UNIQ_GNU 7
#define UNIQ_BSD 4

/*
 * Reads a line without a count at its end. The count may be at the start: perf report
 * -g folded,count prints "5 main;work", and uniq -c prints that with spaces before it.
 * A sentence that starts with a number is not such a line: it has more spaces.
 */
static enum fg_folded_kind parse_count_first(struct fg_str line,
					     struct fg_folded *folded)
{
	size_t blanks = fg_str_spaces(line);
	struct fg_str text = fg_str_from_pos(line, blanks);
	size_t digits = fg_str_span(text, fg_is_digit);
	struct fg_str stack = fg_str_from_pos(text, digits + 1);
	bool may_be_text = blanks || fg_str_has_char(stack, ' ');

	if (!digits || !stack.len || text.ptr[digits] != ' ' ||
	    fg_is_space(stack.ptr[0]) ||
	    (may_be_text && !fg_str_has_char(stack, ';')) ||
	    (blanks && blanks + digits != UNIQ_GNU && blanks + digits != UNIQ_BSD)) {
		folded->is_negative = ends_in_negative(line);
		return fg_folded_is_report_row(line) ? FG_FOLDED_EMPTY :
						       FG_FOLDED_NO_COUNT;
	}
	if (fg_count_parse(fg_str_before(text, digits), &folded->count[0]))
		return FG_FOLDED_TOO_LARGE;
	folded->stack = stack;
	folded->columns = 1;
	folded->count_first = true;
	return FG_FOLDED_STACK;
}

/*
 * Returns true for a message of one of our programs, which `2>&1` may put among the
 * stacks. A space has to follow the colon: "flame::Span::new 5" is a stack.
 */
static bool is_message(struct fg_str line)
{
	static const struct fg_str programs[] = {
		FG_STR_INIT("cargo-flame"),   FG_STR_INIT("diff-folded"),
		FG_STR_INIT("filter-folded"), FG_STR_INIT("flame"),
		FG_STR_INIT("flamegraph"),    FG_STR_INIT("flamepipe-svg"),
		FG_STR_INIT("record-perf"),   FG_STR_INIT("report-folded"),
	};
	struct fg_str name = fg_str_before(line, fg_str_find_char(line, ':'));
	struct fg_str rest = fg_str_from_pos(line, name.len);

	if (!fg_str_starts(rest, FG_STR(": ")))
		return false;
	if (fg_str_cut_start(&name, FG_STR("collapse-")))
		return name.len && fg_str_all(name, fg_is_word);
	for (size_t i = 0; i < FG_COUNT_OF(programs); i++)
		if (fg_str_eq(name, programs[i]))
			return true;
	return false;
}

enum fg_folded_kind fg_folded_parse(struct fg_str line, struct fg_folded *folded)
{
	struct fg_count last;

	line = fg_str_trim_right(line);
	folded->is_message =
		line.len && strchr("cdfr", line.ptr[0]) && is_message(line);
	if (!line.len || fg_folded_is_comment(line))
		return FG_FOLDED_EMPTY;
	folded->stack = line;
	folded->lost = folded->count_first = folded->is_negative = false;
	switch (cut_number(&folded->stack, &last, &folded->lost)) {
	case NUMBER_NONE:
		return parse_count_first(line, folded);
	case NUMBER_TOO_LARGE:
		return FG_FOLDED_TOO_LARGE;
	case NUMBER_READ:
		break;
	}
	folded->with_first = folded->stack;
	switch (cut_number(&folded->stack, &folded->count[0], &folded->lost)) {
	case NUMBER_NONE:
		folded->columns = 1;
		folded->count[0] = last;
		return FG_FOLDED_STACK;
	case NUMBER_TOO_LARGE:
		return FG_FOLDED_TOO_LARGE;
	case NUMBER_READ:
		break;
	}
	folded->columns = 2;
	folded->count[1] = last;
	return FG_FOLDED_STACK;
}

bool fg_folded_needs_semicolon(struct fg_str leaf, bool is_only)
{
	struct fg_folded folded;
	enum fg_folded_kind kind;
	char last = leaf.len ? leaf.ptr[leaf.len - 1] : ' ';

	if (is_only && fg_folded_is_comment(leaf))
		return true;
	/*
	 * '#' starts a comment only at the start of a line. The leaf may start with it,
	 * so we skip it before we call the parser.
	 */
	if (fg_folded_is_comment(leaf))
		leaf = fg_str_from_pos(leaf, 1);
	if (!fg_is_digit(last) && last != '.')
		return false;
	kind = fg_folded_parse(leaf, &folded);
	return (kind == FG_FOLDED_STACK && !folded.count_first) ||
	       kind == FG_FOLDED_TOO_LARGE;
}

struct fg_str fg_folded_reverse(struct fg_buf *b, struct fg_str stack)
{
	size_t semicolon;

	while (fg_str_cut_end(&stack, FG_STR(";")))
		;
	fg_buf_clear(b);
	while ((semicolon = fg_str_rfind_char(stack, ';')) < stack.len) {
		fg_buf_add_str(b, fg_str_from_pos(stack, semicolon + 1));
		fg_buf_add_char(b, ';');
		stack = fg_str_before(stack, semicolon);
	}
	fg_buf_add_str(b, stack);
	return fg_buf_str(b);
}

void fg_folded_join(struct fg_folded *folded)
{
	folded->stack = folded->with_first;
	folded->count[0] = folded->count[1];
	folded->columns = 1;
}

struct fg_str fg_folded_without_annotation(struct fg_str name)
{
	const char *end;

	if (name.len < ANNOTATION_LEN)
		return name;
	end = name.ptr + name.len - ANNOTATION_LEN;
	if (end[0] != '_' || end[1] != '[' || end[3] != ']' ||
	    !fg_str_has_char(FG_STR("kwijo01"), end[2]))
		return name;
	return fg_str_before(name, name.len - ANNOTATION_LEN);
}

static bool is_of_number(char c)
{
	return fg_is_digit(c) || c == '.' || c == ',' || c == ':' || c == '%';
}

/* Returns true for "12", "-0.5", "1,234", "12.5%", "10:11:12". */
static bool is_number(struct fg_str word)
{
	fg_str_cut_start(&word, FG_STR("-"));
	return word.len && fg_is_digit(word.ptr[0]) && fg_str_all(word, is_of_number);
}

/*
 * A line of one frame with at least this many numbers, counts included, is a row of a
 * table.
 */
#define ROW_NUMBERS 3

bool fg_folded_is_row(const struct fg_folded *folded)
{
	struct fg_str rest = folded->stack;
	unsigned numbers = folded->columns;

	while (rest.len && numbers < ROW_NUMBERS) {
		size_t end = 0;

		while (end < rest.len && !fg_is_space(rest.ptr[end]))
			end++;
		numbers += is_number(fg_str_before(rest, end));
		rest = fg_str_trim_left(fg_str_from_pos(rest, end));
	}
	return numbers >= ROW_NUMBERS;
}

const char *fg_folded_refused(const struct fg_folded_tally *t)
{
	if (t->stacks && t->countless > t->stacks && t->countless / 4 > t->deep)
		return "most lines have no count at their end: these are not folded "
		       "stacks";
	if (t->rows > 1 && t->rows > t->stacks / 2 && t->rows / 4 >= t->deep)
		return "most lines are rows of numbers: this is a table, not folded "
		       "stacks";
	return NULL;
}

bool fg_folded_is_text(struct fg_str first_bytes)
{
	struct fg_str rest = first_bytes;
	uint64_t deep = 0, others = 0, countless = 0;

	while (rest.len) {
		bool whole = fg_str_has_char(rest, '\n');
		struct fg_folded folded;
		enum fg_folded_kind kind;

		if (!whole && deep)
			break;
		kind = fg_folded_parse(fg_str_cut(&rest, '\n'), &folded);
		if (folded.is_message)
			continue;
		if (kind == FG_FOLDED_STACK && fg_str_has_char(folded.stack, ';'))
			deep++;
		else if (kind == FG_FOLDED_STACK)
			others++;
		else if (kind != FG_FOLDED_EMPTY)
			countless++;
	}
	return deep && others <= deep && countless <= deep / 4;
}

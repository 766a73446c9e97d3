/* Reads rules such as s/REGEX/TEXT/g and applies them to names. */
#include "lib/profile/rename.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/reader.h"
#include "lib/base/regex.h"
#include "lib/base/xalloc.h"

struct fg_rename {
	/* the source of the rule, for messages: "--rename" or "FILE:7" */
	struct fg_buf where;
	struct fg_buf pattern, text;
	struct fg_regex *regex;
	struct fg_regex_text with;
};

static void free_rule(struct fg_rename *rule)
{
	fg_regex_free(rule->regex);
	fg_buf_release(&rule->where);
	fg_buf_release(&rule->pattern);
	fg_buf_release(&rule->text);
	free(rule);
}

void fg_renames_release(struct fg_renames *r)
{
	for (size_t i = 0; i < r->count; i++)
		free_rule(r->rules[i]);
	free(r->rules);
	memset(r, 0, sizeof(*r));
}

/*
 * Sets *part to the part of `rest` before the first `end` that has no backslash before
 * it. Cuts the part and the `end` off `rest`. Returns false if there is no such `end`.
 */
static bool cut_part(struct fg_str *rest, char end, struct fg_str *part)
{
	for (size_t i = 0; i < rest->len; i++) {
		if (rest->ptr[i] == '\\') {
			i++;
		} else if (rest->ptr[i] == end) {
			*part = fg_str_before(*rest, i);
			*rest = fg_str_from_pos(*rest, i + 1);
			return true;
		}
	}
	return false;
}

/* Appends the text of a replacement. Like in sed, \1 may stand for ${1}. */
static void add_text(struct fg_buf *b, struct fg_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		bool escapes = text.ptr[i] == '\\' && i + 1 < text.len;

		if (escapes && fg_is_digit(text.ptr[i + 1]))
			fg_buf_addf(b, "${%c}", text.ptr[++i]);
		else if (escapes)
			fg_buf_add(b, text.ptr + i++, 2);
		else
			fg_buf_add_char(b, text.ptr[i]);
	}
}

static bool is_delimiter(char c)
{
	return !fg_is_space(c) && !fg_is_alpha(c) && !fg_is_digit(c) && c != '\\' &&
	       c > ' ' && c != 0x7f;
}

/* Reads a rule into its parts. Returns false if it is malformed. */
static bool parse(struct fg_rename *rule, struct fg_str s)
{
	struct fg_str pattern, text;
	char end;

	if (s.len < 2 || s.ptr[0] != 's' || !is_delimiter(s.ptr[1]) ||
	    fg_str_has_char(s, '\0'))
		return false;
	end = s.ptr[1];
	s = fg_str_from_pos(s, 2);
	if (!cut_part(&s, end, &pattern) || !cut_part(&s, end, &text))
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == 'i')
			fg_buf_add_str(&rule->pattern, FG_STR("(?i)"));
		else if (s.ptr[i] != 'g')
			return false;
		rule->with.all |= s.ptr[i] == 'g';
	}
	fg_buf_add_str(&rule->pattern, pattern);
	add_text(&rule->text, text);
	return true;
}

static int report(struct fg_rename *rule, struct fg_str s, struct fg_diag *diag)
{
	struct fg_buf shown = FG_BUF_INIT;

	fg_buf_add_visible(&shown, s, FG_QUOTED_MAX);
	fg_error(diag, NULL,
		 "%s: a rule is s/REGEX/TEXT/, with g or i after it, not '%s'",
		 fg_buf_cstr(&rule->where), fg_buf_cstr(&shown));
	fg_buf_release(&shown);
	return -1;
}

/* Adds a rule, which from now on owns `where`. Returns 0, or -1 after reporting. */
static int add(struct fg_renames *r, struct fg_str s, struct fg_buf where,
	       struct fg_diag *diag)
{
	struct fg_rename *rule = fg_xcalloc(1, sizeof(*rule));

	FG_GROW(r->rules, r->alloc, r->count + 1);
	r->rules[r->count++] = rule;
	rule->where = where;
	if (!parse(rule, s))
		return report(rule, s, diag);
	rule->regex = fg_regex_new(fg_buf_cstr(&rule->pattern),
				   fg_buf_cstr(&rule->where), diag);
	if (!rule->regex)
		return -1;
	rule->with.text = fg_buf_cstr(&rule->text);
	return fg_regex_check(rule->regex, &rule->with);
}

int fg_renames_add(struct fg_renames *r, struct fg_str rule, const char *where,
		   struct fg_diag *diag)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_addf(&name, "%s", where);
	return add(r, rule, name, diag);
}

int fg_renames_read(struct fg_renames *r, const char *file, struct fg_diag *diag)
{
	struct fg_reader *reader = fg_reader_open(&file, 1, diag);
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0) {
		struct fg_buf where = FG_BUF_INIT;

		fg_str_cut_end(&line, FG_STR("\r"));
		if (!fg_str_trim(line).len || line.ptr[0] == '#')
			continue;
		fg_buf_addf(&where, "%s:%llu", at.input, (unsigned long long)at.line);
		status = add(r, line, where, diag);
		if (status)
			break;
	}
	fg_reader_close(reader);
	return status;
}

int fg_renames_apply(const struct fg_renames *r, struct fg_buf *name)
{
	struct fg_buf other = FG_BUF_INIT;
	int found = 0;

	for (size_t i = 0; i < r->count && found >= 0; i++) {
		fg_buf_clear(&other);
		found = fg_regex_replace(r->rules[i]->regex, fg_buf_str(name),
					 &r->rules[i]->with, &other);
		if (found > 0) {
			struct fg_buf was = *name;

			*name = other;
			other = was;
			/* one name must not become two frames */
			fg_buf_replace(name, 0, ';', ':');
		}
	}
	fg_buf_release(&other);
	return found < 0 ? -1 : 0;
}

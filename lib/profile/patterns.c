/* Patterns of a filter: what they match, and those that never did. */
#include "lib/profile/patterns.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

static int compile(struct fg_patterns *p, const struct fg_opt_list *texts,
		   const char *option, bool literal, struct fg_diag *diag)
{
	p->option = option;
	p->items = fg_xcalloc(texts->count, sizeof(*p->items));
	for (size_t i = 0; i < texts->count; i++) {
		struct fg_pattern_item *item = &p->items[p->count++];

		item->text = texts->items[i];
		if (literal)
			continue;
		item->regex = fg_regex_new(item->text, option, diag);
		if (!item->regex)
			return -1;
	}
	return 0;
}

int fg_patterns_compile(struct fg_patterns *lists, const struct fg_filter_options *o,
			struct fg_diag *diag)
{
	const struct {
		const struct fg_opt_list *texts;
		const char *option;
	} rows[FG_PATTERNS] = {
		[FG_PATTERN_FOCUS] = { &o->focus, "--focus" },
		[FG_PATTERN_IGNORE] = { &o->ignore, "--ignore" },
		[FG_PATTERN_HIDE] = { &o->hide, "--hide" },
		[FG_PATTERN_SHOW] = { &o->show, "--show" },
		[FG_PATTERN_SHOW_FROM] = { &o->show_from, "--show-from" },
		[FG_PATTERN_BASE] = { &o->base, "--base" },
		[FG_PATTERN_TRIM_BELOW] = { &o->trim_below, "--trim-below" },
		[FG_PATTERN_KEEP] = { &o->keep, "--keep" },
		[FG_PATTERN_DROP] = { &o->drop, "--drop" },
	};

	for (size_t i = 0; i < FG_PATTERNS; i++)
		if (compile(&lists[i], rows[i].texts, rows[i].option,
			    i == FG_PATTERN_BASE, diag))
			return -1;
	return 0;
}

void fg_patterns_release(struct fg_patterns *lists)
{
	for (size_t which = 0; which < FG_PATTERNS; which++) {
		for (size_t i = 0; i < lists[which].count; i++)
			fg_regex_free(lists[which].items[i].regex);
		free(lists[which].items);
	}
}

int fg_patterns_match(struct fg_patterns *list, struct fg_str s)
{
	int found = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct fg_pattern_item *item = &list->items[i];
		int matched;

		if (found && item->matched)
			continue;
		matched = item->regex ? fg_regex_match(item->regex, s) :
					fg_str_eq(s, fg_str_from(item->text));
		if (matched < 0)
			return -1;
		item->matched |= matched > 0;
		found |= matched > 0;
	}
	return found;
}

void fg_patterns_report(const struct fg_patterns *lists, struct fg_diag *diag)
{
	for (size_t which = 0; which < FG_PATTERNS_OF_NAMES; which++) {
		const struct fg_patterns *p = &lists[which];

		for (size_t i = 0; i < p->count; i++)
			if (!p->items[i].matched)
				fg_warn(diag, NULL, "%s '%s' matches no frame",
					p->option, p->items[i].text);
	}
}

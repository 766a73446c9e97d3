/* --keep and --drop: which stacks get a line. */
#include "collapse/filter.h"

#include <stdlib.h>

#include "lib/regex.h"
#include "lib/xalloc.h"

struct patterns {
	struct fg_regex **items;
	size_t count;
};

struct fg_filter {
	struct patterns keep, drop;
	bool failed; /* reported; no line is written from there on */
};

static void free_patterns(struct patterns *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_regex_free(p->items[i]);
	free(p->items);
}

static int compile(struct patterns *p, const struct fg_opt_list *texts,
		   const char *option, struct fg_diag *diag)
{
	p->items = fg_xcalloc(texts->count, sizeof(*p->items));
	for (size_t i = 0; i < texts->count; i++) {
		p->items[i] = fg_regex_new(texts->items[i], option, diag);
		if (!p->items[i])
			return -1;
		p->count++;
	}
	return 0;
}

int fg_filter_new(const struct fg_common_options *o, struct fg_diag *diag,
		  struct fg_filter **made)
{
	*made = NULL;
	if (!o->keep.count && !o->drop.count)
		return 0;
	*made = fg_xcalloc(1, sizeof(**made));
	if (compile(&(*made)->keep, &o->keep, "--keep", diag) ||
	    compile(&(*made)->drop, &o->drop, "--drop", diag))
		return -1;
	return 0;
}

void fg_filter_free(struct fg_filter *f)
{
	if (!f)
		return;
	free_patterns(&f->keep);
	free_patterns(&f->drop);
	free(f);
}

bool fg_filter_failed(const struct fg_filter *f)
{
	return f && f->failed;
}

static bool any_matches(struct fg_filter *f, const struct patterns *patterns,
			struct fg_str stack)
{
	for (size_t i = 0; i < patterns->count && !f->failed; i++) {
		int matched = fg_regex_match(patterns->items[i], stack);

		f->failed |= matched < 0;
		if (matched > 0)
			return true;
	}
	return false;
}

bool fg_filter_keeps(void *data, struct fg_str stack)
{
	struct fg_filter *f = data;

	if (f->failed || (f->keep.count && !any_matches(f, &f->keep, stack)))
		return false;
	return !any_matches(f, &f->drop, stack) && !f->failed;
}

/*
 * The arguments of a program to run, as a list that grows. It copies the words, and
 * items[count] is always NULL, as execvp() wants:
 *
 *     struct fg_args a = FG_ARGS_INIT;
 *
 *     fg_args_add(&a, "record-perf");
 *     fg_args_addf(&a, "-F%d", rate);
 *     execvp(a.items[0], a.items);
 *     fg_args_release(&a);
 */
#ifndef FG_FLAME_ARGS_H
#define FG_FLAME_ARGS_H

#include "lib/base/arena.h"

struct fg_args {
	char **items;
	size_t count, alloc;
	struct fg_arena text;
};

#define FG_ARGS_INIT          \
	{                     \
		.items = NULL \
	}

void fg_args_release(struct fg_args *a);

void fg_args_add(struct fg_args *a, const char *word);
void fg_args_addf(struct fg_args *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds `count` words. */
void fg_args_add_all(struct fg_args *a, const char *const *words, size_t count);

/* Adds the words of another list. */
void fg_args_join(struct fg_args *a, const struct fg_args *more);

/* Adds the words of a string, split at white space. */
void fg_args_split(struct fg_args *a, const char *text);

/*
 * Adds the words of a shell command: quotes and backslashes are removed like by the
 * shell. Returns false, and adds nothing, if only a shell can run it, because of a
 * pipe, a variable, a pattern or an unfinished quotation, for example.
 */
bool fg_args_parse(struct fg_args *a, const char *command);

#endif

/*
 * Macros for the rows of an option table. Include this only in the .c that has one,
 * because the names are short:
 *
 *     #define OPTIONS struct my_options
 *
 *     const struct fg_opt my_rows[] = {
 *             SECTION("Names"),
 *             FLAG("quiet", quiet, "no warnings", .letter = 'q'),
 *             UINT("depth", max_depth, "cut stacks to N frames"),
 *             FG_OPT_END,
 *     };
 *
 * OPTIONS is the struct whose fields the options set. A field whose type does not fit
 * the row is a compile error. After the help, which may be NULL, other members of
 * struct fg_opt may follow.
 */
#ifndef FG_LIB_BASE_OPTROWS_H
#define FG_LIB_BASE_OPTROWS_H

#include "lib/base/opts.h"

#define SECTION(text)                                  \
	{                                              \
		.kind = FG_OPT_SECTION, .help = (text) \
	}
/* _Generic has only one case, so a field of another type is an error. */
#define ROW(type, of, text, field, argument, ...)               \
	{                                                       \
		.kind = (of), .name = (text),                   \
		.offset = _Generic(((OPTIONS *)0)->field, type  \
				   : offsetof(OPTIONS, field)), \
		.arg = (argument), .help = __VA_ARGS__          \
	}
#define FLAG(text, field, ...) ROW(bool, FG_OPT_FLAG, text, field, NULL, __VA_ARGS__)
#define COUNTER(text, field, step, ...) \
	ROW(int, FG_OPT_COUNTER, text, field, NULL, __VA_ARGS__, .value = (step))
#define SET(text, field, to, ...) \
	ROW(int, FG_OPT_SET, text, field, NULL, __VA_ARGS__, .value = (to))
#define TEXT(text, field, argument, ...) \
	ROW(const char *, FG_OPT_TEXT, text, field, argument, __VA_ARGS__)
#define MAYBE(text, field, argument, ...) \
	ROW(const char *, FG_OPT_MAYBE, text, field, argument, __VA_ARGS__)
#define MAYBE_NEXT(text, field, argument, ...) \
	ROW(struct fg_opt_list, FG_OPT_MAYBE_NEXT, text, field, argument, __VA_ARGS__)
#define LIST(text, field, argument, ...) \
	ROW(struct fg_opt_list, FG_OPT_LIST, text, field, argument, __VA_ARGS__)
#define WORDS(text, field, argument, ...) \
	ROW(struct fg_opt_list, FG_OPT_WORDS, text, field, argument, __VA_ARGS__)
#define REST(text, field, argument, ...) \
	ROW(struct fg_opt_list, FG_OPT_REST, text, field, argument, __VA_ARGS__)
#define UINT(text, field, ...) ROW(uint64_t, FG_OPT_UINT, text, field, "N", __VA_ARGS__)
#define REAL(text, field, ...) ROW(double, FG_OPT_REAL, text, field, "N", __VA_ARGS__)
#define CHOICE(text, field, argument, list, ...) \
	ROW(int, FG_OPT_CHOICE, text, field, argument, __VA_ARGS__, .choices = (list))

/*
 * The rows of -q and -v, for an int that starts as FG_NORMAL. `shown` is the help text
 * of -v.
 */
#define VERBOSITY(field, shown)                                                \
	COUNTER("quiet", field, FG_QUIET,                                      \
		"print errors only: no warnings, no progress", .letter = 'q'), \
		COUNTER("verbose", field, FG_VERBOSE, shown, .letter = 'v')

#endif

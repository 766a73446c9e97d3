/*
 * Short names for the rows of a table of options; for the file that has the table.
 *
 * That file first defines OPTIONS as the type of the struct whose fields the options
 * set. After the line of help, or NULL, other members of struct fg_opt may follow:
 * FLAG("quiet", quiet, "no warnings", .letter = 'q').
 */
#ifndef FG_LIB_OPTROWS_H
#define FG_LIB_OPTROWS_H

#include "lib/opts.h"

#define SECTION(text)                                  \
	{                                              \
		.kind = FG_OPT_SECTION, .help = (text) \
	}
#define ROW(type, text, field, argument, ...)                                       \
	{                                                                           \
		.kind = (type), .name = (text), .offset = offsetof(OPTIONS, field), \
		.arg = (argument), .help = __VA_ARGS__                              \
	}
#define FLAG(text, field, ...) ROW(FG_OPT_FLAG, text, field, NULL, __VA_ARGS__)
#define COUNTER(text, field, step, ...) \
	ROW(FG_OPT_COUNTER, text, field, NULL, __VA_ARGS__, .value = (step))
#define TEXT(text, field, argument, ...) \
	ROW(FG_OPT_TEXT, text, field, argument, __VA_ARGS__)
#define LIST(text, field, argument, ...) \
	ROW(FG_OPT_LIST, text, field, argument, __VA_ARGS__)
#define UINT(text, field, ...) ROW(FG_OPT_UINT, text, field, "N", __VA_ARGS__)
#define REAL(text, field, ...) ROW(FG_OPT_REAL, text, field, "N", __VA_ARGS__)
#define CHOICE(text, field, argument, list, ...) \
	ROW(FG_OPT_CHOICE, text, field, argument, __VA_ARGS__, .choices = (list))

#endif

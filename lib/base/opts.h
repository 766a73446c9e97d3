/*
 * Reads command lines, as described by tables of options.
 *
 * We parse the arguments, print --help and generate the completions of shells from one
 * table of rows, and tools/check-manual compares the manual with it. Write the rows
 * with the macros of optrows.h. A main() does not call the functions here; it calls
 * fg_cli_main() (cli.h).
 *
 * The rules are those of Perl's Getopt::Long, which users of the older scripts are used
 * to: long options have one dash or two, any unambiguous abbreviation and any letter
 * case are accepted, and they may stand before or after the files; `--` ends them. In a
 * program that takes a command, the first argument that is no option ends them, too.
 * One-letter options work beside them: -q, -vq, -oFILE.
 */
#ifndef FG_LIB_BASE_OPTS_H
#define FG_LIB_BASE_OPTS_H

#include <stddef.h>

#include "lib/base/diag.h"
#include "lib/base/out.h"

/* Kinds of rows, with the type of the field that the option sets. */
enum fg_opt_kind {
	FG_OPT_SECTION, /* a heading of --help; only `help` is set */
	FG_OPT_FLAG, /* bool, set to true */
	FG_OPT_COUNTER, /* int, `value` is added to it */
	FG_OPT_SET, /* int, set to `value`; the last option wins */
	FG_OPT_TEXT, /* const char *, borrowed from argv */
	FG_OPT_LIST, /* struct fg_opt_list, the argument is appended */
	/*
	 * const char *, borrowed from argv; empty if the option has no argument, which
	 * must be joined to it: --root=COMMAND, -z5
	 */
	FG_OPT_MAYBE,
	/*
	 * struct fg_opt_list; like FG_OPT_MAYBE, but the argument is appended, and may
	 * also be the next word, unless that starts with a dash
	 */
	FG_OPT_MAYBE_NEXT,
	FG_OPT_WORDS, /* struct fg_opt_list, takes all words up to the next option */
	/*
	 * struct fg_opt_list, takes all words, options too, up to `--` or the next
	 * option of this kind
	 */
	FG_OPT_REST,
	FG_OPT_UINT, /* uint64_t */
	FG_OPT_REAL, /* double, >= 0 */
	FG_OPT_CHOICE, /* int, the index in `choices` */
};

struct fg_opt {
	enum fg_opt_kind kind;
	const char *name; /* the long name, without dashes */
	const char *arg; /* the argument's name in --help, "FILE"; NULL: takes none */
	const char *help; /* one line; NULL: a synonym that --help leaves out */
	size_t offset; /* offset of the field in the options struct */
	char letter; /* the option is also -x; 0: it has no letter */
	int value; /* for FG_OPT_COUNTER and FG_OPT_SET */
	/*
	 * the older scripts have this option, so it is preferred if an abbreviation is
	 * ambiguous
	 */
	bool older;
	const char *const *choices; /* for FG_OPT_CHOICE; ends in NULL */
};

/* Arguments of a repeatable option. The list owns the array and borrows the strings. */
struct fg_opt_list {
	const char **items;
	size_t count;
	size_t alloc;
};

void fg_opt_list_release(struct fg_opt_list *list);

/*
 * An option that was given, with its argument, which is NULL if there is none. An
 * option of the kind FG_OPT_REST comes without an argument first, then with each of its
 * words.
 */
struct fg_opt_given {
	const struct fg_opt *row;
	const char *value;
};

/* Options in the order in which they were given. The list owns only its array. */
struct fg_opt_given_list {
	struct fg_opt_given *items;
	size_t count;
	size_t alloc;
};

void fg_opt_given_list_release(struct fg_opt_given_list *list);

/* The last row of a table: a section without help. */
#define FG_OPT_END                     \
	{                              \
		.kind = FG_OPT_SECTION \
	}

/*
 * The rows of a table, and the struct whose fields they set. A row of the program comes
 * before one of the same name that all programs have, like --output.
 */
struct fg_opt_table {
	const struct fg_opt *rows;
	void *base;
};

/*
 * Frees the arrays of all lists in the struct at `base`. The lists are empty
 * afterwards.
 */
void fg_opts_release(const struct fg_opt *rows, void *base);

struct fg_cli {
	const char *program;
	/* the words that start it, like "git add"; NULL: the program's name */
	const char *called;
	/* the part after the program's name, "[OPTION]... [FILE]..." */
	const char *usage;
	const char *summary; /* a sentence or more that says what the program does */
	const char *footer; /* text after the options in --help; may be NULL */
	const char *version;
	const struct fg_opt_table *tables;
	size_t table_count;
	/*
	 * the arguments are a command with its own options, so our options end at the
	 * first argument
	 */
	bool takes_command;
	/*
	 * If this is not NULL, the last table has the options of another program, to
	 * which this one passes them on: those that are given are added here, and
	 * --help leaves them out. The fields of the table are set, too.
	 */
	struct fg_opt_given_list *passed_on;
	void *data; /* not used here; for the program's own run function */

	/* Filled in by parsing: */
	/* the arguments that are not options; to be released */
	struct fg_opt_list files;
	bool has_dashes; /* all of them came after `--` */
	const char *output; /* argument of --output, borrowed; NULL if not given */
	/* the file of --output while run() is running, or NULL */
	struct fg_replacement *file;
};

/*
 * Returns the index of `value` in `choices`, which end in NULL. Returns -1 after an
 * error message that lists the choices; `name` is the option's name without dashes.
 */
int fg_opt_choose(const char *const *choices, const char *value, const char *name,
		  struct fg_diag *diag);

enum fg_cli_result { FG_CLI_RUN, FG_CLI_DONE, FG_CLI_USAGE };

/*
 * Reads argv into the structs of the tables and cli->files. Fields of options that are
 * not given keep their values. Returns FG_CLI_RUN; FG_CLI_DONE after --help or
 * --version, which it prints to `out`; or FG_CLI_USAGE after reporting a wrong command
 * line.
 */
enum fg_cli_result fg_cli_parse(struct fg_cli *cli, int argc, char **argv,
				struct fg_out *out, struct fg_diag *diag);

#endif

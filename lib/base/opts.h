/*
 * Command lines, driven by tables of options.
 *
 * The same rows parse the arguments, print --help and are what the manual is
 * checked against. The rules are those of Perl's Getopt::Long, which users of
 * the older scripts have in their fingers: long options with one dash or two,
 * shortened while unambiguous, in any letter case, before or after the files;
 * `--` ends them. One-letter options of other tools work beside them.
 */
#ifndef FG_LIB_BASE_OPTS_H
#define FG_LIB_BASE_OPTS_H

#include <stddef.h>

#include "lib/base/diag.h"
#include "lib/base/out.h"

enum fg_opt_kind {
	FG_OPT_SECTION, /* a heading of --help; only `help` is set */
	FG_OPT_FLAG, /* bool, set to true */
	FG_OPT_COUNTER, /* int, `value` is added */
	FG_OPT_SET, /* int, set to `value`: of several the last one counts */
	FG_OPT_TEXT, /* const char *, borrowed from argv */
	FG_OPT_LIST, /* struct fg_opt_list, appended to */
	FG_OPT_WORDS, /* the same; all words up to the next option are arguments */
	FG_OPT_UINT, /* uint64_t */
	FG_OPT_REAL, /* double, >= 0 */
	FG_OPT_CHOICE, /* int, the index in `choices` */
};

struct fg_opt {
	enum fg_opt_kind kind;
	const char *name; /* long, without dashes */
	const char *arg; /* what --help calls the argument; NULL for none */
	const char *help; /* one line; NULL: a synonym that --help leaves out */
	size_t offset; /* of the field in the options struct */
	char letter; /* also -x; 0 for none */
	int value; /* FG_OPT_COUNTER, FG_OPT_SET */
	bool older; /* an older script has it: it wins where an abbreviation could
		     * mean it or an option that is new */
	const char *const *choices; /* FG_OPT_CHOICE; ends in NULL */
};

/* Arguments of a repeatable option; the array is owned, the texts borrowed. */
struct fg_opt_list {
	const char **items;
	size_t count;
	size_t alloc;
};

void fg_opt_list_release(struct fg_opt_list *list);

/* Option rows, ended by a row whose kind is FG_OPT_SECTION without help. */
#define FG_OPT_END                     \
	{                              \
		.kind = FG_OPT_SECTION \
	}

/* Rows and the struct whose fields they set. */
struct fg_opt_table {
	const struct fg_opt *rows;
	void *base;
};

/* Frees what options own, the arrays of lists; they are empty afterwards. */
void fg_opts_release(const struct fg_opt *rows, void *base);

struct fg_cli {
	const char *program;
	const char *usage; /* after the program's name, "[OPTION]... [FILE]..." */
	const char *summary; /* what it is for, a sentence or more */
	const char *footer; /* after the options; may be NULL */
	const char *version;
	const struct fg_opt_table *tables;
	size_t table_count;
	void *data; /* for fg_cli_run */
	struct fg_opt_list files; /* filled in; release it */
	const char *output; /* filled in: of --output, borrowed; NULL where not given */
	struct fg_replacement *file; /* filled in for run(): that file; NULL: none */
};

/*
 * The index of `value` in `choices`, which end in NULL; or -1 after reporting which of
 * them the option --NAME takes.
 */
int fg_opt_choose(const char *const *choices, const char *value, const char *name,
		  struct fg_diag *diag);

enum fg_cli_result { FG_CLI_RUN, FG_CLI_DONE, FG_CLI_USAGE };

/*
 * Reads argv into the tables' structs and cli->files. --help and --version print to
 * `out`, which the caller closes, and give FG_CLI_DONE. FG_CLI_USAGE comes after a
 * message: the program is to end as for wrong usage. Fields of options that were not
 * given keep what they held.
 */
enum fg_cli_result fg_cli_parse(struct fg_cli *cli, int argc, char **argv,
				struct fg_out *out, struct fg_diag *diag);

#endif

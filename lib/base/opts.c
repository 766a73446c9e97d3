/* Reads command lines and prints --help, both from the same tables of options. */
#include "lib/base/opts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* In --help: the column where explanations start, and the width of a line. */
#define HELP_COLUMN 30
#define HELP_WIDTH 79

enum own_option { OWN_NONE, OWN_HELP, OWN_VERSION };

/* The options that every program has. */
struct own {
	const char *output;
	int what; /* enum own_option */
};

static const struct fg_opt own_rows[] = {
	{ .kind = FG_OPT_SECTION, .help = "Other" },
	{ .kind = FG_OPT_TEXT,
	  .name = "output",
	  .letter = 'o',
	  .arg = "FILE",
	  .help = "write to FILE (default standard output)",
	  .offset = offsetof(struct own, output) },
	{ .kind = FG_OPT_COUNTER,
	  .name = "help",
	  .letter = 'h',
	  .help = "show this help",
	  .offset = offsetof(struct own, what),
	  .value = OWN_HELP },
	{ .kind = FG_OPT_COUNTER,
	  .name = "version",
	  .letter = 'V',
	  .help = "show the version",
	  .offset = offsetof(struct own, what),
	  .value = OWN_VERSION },
	FG_OPT_END,
};

/* An option's row and the address of the field that it sets. */
struct target {
	const struct fg_opt *row;
	void *field;
	bool passed_on; /* it is of cli->passed_on */
};

/* The command line while it is read. */
struct parse {
	struct fg_cli *cli;
	struct fg_diag *diag;
	char **next; /* the next argument to read; points to NULL at the end */
	struct own own;
};

static void list_add(struct fg_opt_list *list, const char *item)
{
	FG_GROW(list->items, list->alloc, list->count + 1);
	list->items[list->count++] = item;
}

void fg_opt_list_release(struct fg_opt_list *list)
{
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static bool is_end(const struct fg_opt *row)
{
	return row->kind == FG_OPT_SECTION && !row->help;
}

void fg_opt_given_list_release(struct fg_opt_given_list *list)
{
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static bool is_list(const struct fg_opt *row)
{
	return row->kind == FG_OPT_LIST || row->kind == FG_OPT_MAYBE_NEXT ||
	       row->kind == FG_OPT_WORDS || row->kind == FG_OPT_REST;
}

void fg_opts_release(const struct fg_opt *rows, void *base)
{
	for (; !is_end(rows); rows++)
		if (is_list(rows))
			fg_opt_list_release((void *)((char *)base + rows->offset));
}

static bool takes_argument(const struct fg_opt *row)
{
	return row->kind != FG_OPT_FLAG && row->kind != FG_OPT_COUNTER &&
	       row->kind != FG_OPT_SET;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_prefix(const char *name, struct fg_str given)
{
	for (size_t i = 0; i < given.len; i++)
		if (!name[i] || lower(name[i]) != lower(given.ptr[i]))
			return false;
	return true;
}

/* Returns a table of the program or, after its last one, the table of own_rows. */
static struct fg_opt_table table_of(const struct parse *p, size_t table)
{
	if (table == p->cli->table_count)
		return (struct fg_opt_table){ .rows = own_rows,
					      .base = (void *)&p->own };
	return p->cli->tables[table];
}

/* Returns true if the options of a table are those of another program. */
static bool is_passed_on(const struct parse *p, size_t table)
{
	return p->cli->passed_on && table + 1 == p->cli->table_count;
}

static struct target target_of(const struct parse *p, size_t table,
			       const struct fg_opt *row)
{
	char *base = table_of(p, table).base;

	return (struct target){ row, base + row->offset, is_passed_on(p, table) };
}

/*
 * Returns true if both options set the same field to the same value, or if `b` is one
 * that all programs have and `a` stands in for it.
 */
static bool is_synonym(const struct target *a, const struct target *b)
{
	return (a->field == b->field && a->row->value == b->row->value) ||
	       !strcmp(a->row->name, b->row->name);
}

/*
 * Finds the row of a long option, whose name may be abbreviated. Returns how many rows
 * match; if it is 1, *found is that row.
 */
static int find_long(const struct parse *p, struct fg_str given, struct target *found)
{
	struct target older = { NULL, NULL, false };
	int candidates = 0, older_ones = 0;

	for (size_t t = 0; t <= p->cli->table_count; t++) {
		const struct fg_opt *row = table_of(p, t).rows;

		for (; !is_end(row); row++) {
			struct target to = target_of(p, t, row);
			bool whole;

			if (!row->name || !same_prefix(row->name, given))
				continue;
			whole = strlen(row->name) == given.len;
			if (candidates && !whole && is_synonym(found, &to))
				continue;
			*found = to;
			if (whole)
				return 1;
			candidates++;
			if (row->older && !older_ones++)
				older = to;
		}
	}
	if (given.len && candidates > 1 && older_ones == 1) {
		*found = older;
		return 1;
	}
	return candidates;
}

static bool find_letter(const struct parse *p, char letter, struct target *found)
{
	for (size_t t = 0; t <= p->cli->table_count; t++) {
		const struct fg_opt *row = table_of(p, t).rows;

		for (; !is_end(row); row++)
			if (letter && row->letter == letter) {
				*found = target_of(p, t, row);
				return true;
			}
	}
	return false;
}

static int bad_value(struct parse *p, const struct fg_opt *row, const char *value,
		     const char *wanted)
{
	return fg_error(p->diag, NULL, "--%s takes %s, not '%s'", row->name, wanted,
			value);
}

int fg_opt_choose(const char *const *choices, const char *value, const char *name,
		  struct fg_diag *diag)
{
	struct fg_buf known = FG_BUF_INIT;

	for (int i = 0; choices[i]; i++)
		if (!strcmp(choices[i], value))
			return i;
	for (int i = 0; choices[i]; i++)
		fg_buf_addf(&known, "%s%s", i ? ", " : "", choices[i]);
	fg_error(diag, NULL, "--%s takes one of %s, not '%s'", name,
		 fg_buf_cstr(&known), value);
	fg_buf_release(&known);
	return -1;
}

static int set_choice(struct parse *p, struct target to, const char *value)
{
	int choice = fg_opt_choose(to.row->choices, value, to.row->name, p->diag);

	if (choice < 0)
		return -1;
	*(int *)to.field = choice;
	return 0;
}

static int set_value(struct parse *p, struct target to, const char *value)
{
	struct fg_str text = fg_str_from(value);
	double real;

	switch (to.row->kind) {
	case FG_OPT_TEXT:
	case FG_OPT_MAYBE:
		*(const char **)to.field = value;
		return 0;
	case FG_OPT_LIST:
	case FG_OPT_MAYBE_NEXT:
	case FG_OPT_WORDS:
		list_add(to.field, value);
		return 0;
	case FG_OPT_UINT:
		if (fg_str_u64(text, to.field))
			return bad_value(p, to.row, value, "a whole number");
		return 0;
	case FG_OPT_REAL:
		if (fg_str_double(text, &real) || real < 0)
			return bad_value(p, to.row, value, "a number");
		*(double *)to.field = real;
		return 0;
	case FG_OPT_CHOICE:
		return set_choice(p, to, value);
	default:
		return -1;
	}
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* Returns true for the name of an option of the kind FG_OPT_REST, as in "--draw". */
static bool starts_rest(const struct parse *p, const char *word)
{
	struct target to = { NULL, NULL, false };

	return !strncmp(word, "--", 2) &&
	       find_long(p, fg_str_from(word + 2), &to) == 1 &&
	       to.row->kind == FG_OPT_REST && !strcmp(word + 2, to.row->name);
}

/* Notes an option of another program. `value` is its argument, or NULL. */
static void note_given(struct parse *p, struct target to, const char *value)
{
	struct fg_opt_given_list *given = p->cli->passed_on;

	if (!to.passed_on)
		return;
	FG_GROW(given->items, given->alloc, given->count + 1);
	given->items[given->count++] = (struct fg_opt_given){ to.row, value };
}

static void add_word(struct parse *p, struct target to, const char *word)
{
	list_add(to.field, word);
	note_given(p, to, word);
}

static int set_rest(struct parse *p, struct target to, const char *value)
{
	note_given(p, to, NULL);
	if (value)
		add_word(p, to, value);
	while (*p->next && strcmp(*p->next, "--") != 0 && !starts_rest(p, *p->next))
		add_word(p, to, *p->next++);
	return 0;
}

/* Sets the field of an option that takes no argument. */
static int set_plain(struct parse *p, struct target to)
{
	if (to.row->kind == FG_OPT_FLAG)
		*(bool *)to.field = true;
	else if (to.row->kind == FG_OPT_SET)
		*(int *)to.field = to.row->value;
	else
		*(int *)to.field += to.row->value;
	note_given(p, to, NULL);
	return 0;
}

/* Returns true if an option may stand without an argument where we are. */
static bool may_lack_argument(const struct parse *p, const struct fg_opt *row)
{
	if (row->kind == FG_OPT_MAYBE_NEXT)
		return !*p->next || !**p->next || **p->next == '-';
	return row->kind == FG_OPT_MAYBE;
}

/* Sets the field of an option. `value` is the part after '=', or NULL. */
static int apply(struct parse *p, struct target to, const char *value)
{
	if (!takes_argument(to.row))
		return value ? fg_error(p->diag, NULL, "--%s takes no argument",
					to.row->name) :
			       set_plain(p, to);
	if (to.row->kind == FG_OPT_REST)
		return set_rest(p, to, value);
	if (!value && may_lack_argument(p, to.row))
		value = "";
	if (!value)
		value = *p->next ? *p->next++ : NULL;
	if (!value)
		return fg_error(p->diag, NULL, "--%s needs an argument", to.row->name);
	if (set_value(p, to, value))
		return -1;
	note_given(p, to, value);
	while (to.row->kind == FG_OPT_WORDS && *p->next && !is_option(*p->next))
		add_word(p, to, *p->next++);
	return 0;
}

/*
 * Returns the argument that follows the letter in the same word, as in "-oFILE" and
 * "-o=FILE", or NULL if there is none.
 */
static const char *joined_argument(const char *after)
{
	if (*after == '=')
		return after + 1;
	return *after ? after : NULL;
}

/*
 * Reads one-letter options: -x, -xyz, -xVALUE, -xyVALUE. Returns 0, -1 after reporting,
 * or 1 if a letter is unknown.
 */
static int read_letters(struct parse *p, const char *letters)
{
	struct target to;

	for (const char *c = letters; *c; c++) {
		if (!find_letter(p, *c, &to))
			return 1;
		if (takes_argument(to.row))
			break;
	}
	for (const char *c = letters; *c; c++) {
		find_letter(p, *c, &to);
		if (takes_argument(to.row))
			return apply(p, to, joined_argument(c + 1));
		if (apply(p, to, NULL))
			return -1;
		if (p->own.what != OWN_NONE)
			return 0;
	}
	return 0;
}

static const char *called(const struct fg_cli *cli)
{
	return cli->called ? cli->called : cli->program;
}

static int unknown_option(struct parse *p, const char *word, int candidates)
{
	return fg_error(p->diag, NULL, "%s option '%s' (see %s --help)",
			candidates ? "ambiguous" : "unknown", word, called(p->cli));
}

static int read_option(struct parse *p, const char *word)
{
	bool two_dashes = word[1] == '-';
	struct fg_str name = fg_str_from(word + (two_dashes ? 2 : 1));
	size_t equals = fg_str_find_char(name, '=');
	const char *value = equals < name.len ? name.ptr + equals + 1 : NULL;
	struct target to = { NULL, NULL, false };
	int candidates;

	if (!two_dashes && equals == 1 && find_letter(p, name.ptr[0], &to))
		return apply(p, to, value);
	candidates = find_long(p, fg_str_before(name, equals), &to);
	if (candidates == 1)
		return apply(p, to, value);
	if (!two_dashes && !candidates) {
		int status = read_letters(p, name.ptr);

		if (status <= 0)
			return status;
	}
	return unknown_option(p, word, candidates);
}

/* Prints `text` from HELP_COLUMN on, in lines of at most HELP_WIDTH columns. */
static void print_wrapped(struct fg_str text, struct fg_out *out)
{
	size_t room = HELP_WIDTH - HELP_COLUMN;

	while (text.len > room) {
		size_t end = room;

		while (end && text.ptr[end] != ' ')
			end--;
		if (!end)
			break;
		fg_out_add(out, text.ptr, end);
		fg_out_addf(out, "\n%*s", HELP_COLUMN, "");
		text = fg_str_from_pos(text, end + 1);
	}
	fg_out_add_str(out, text);
	fg_out_add_char(out, '\n');
}

static void print_row(const struct fg_opt *row, struct fg_out *out)
{
	struct fg_buf left = FG_BUF_INIT;

	if (row->letter)
		fg_buf_addf(&left, "  -%c, --%s", row->letter, row->name);
	else
		fg_buf_addf(&left, "      --%s", row->name);
	if (row->arg && row->kind == FG_OPT_MAYBE)
		fg_buf_addf(&left, "[=%s]", row->arg);
	else if (row->arg && row->kind == FG_OPT_MAYBE_NEXT)
		fg_buf_addf(&left, " [%s]", row->arg);
	else if (row->arg)
		fg_buf_addf(&left, " %s", row->arg);
	fg_out_add_str(out, fg_buf_str(&left));
	if (left.len + 2 > HELP_COLUMN)
		fg_out_addf(out, "\n%*s", HELP_COLUMN, "");
	else
		fg_out_addf(out, "%*s", (int)(HELP_COLUMN - left.len), "");
	print_wrapped(fg_str_from(row->help), out);
	fg_buf_release(&left);
}

/* Returns true if a table has a row of its own for an option that all programs have. */
static bool is_replaced(const struct parse *p, const struct fg_opt *row)
{
	struct target to = { NULL, NULL, false };

	return row->name && find_long(p, fg_str_from(row->name), &to) == 1 &&
	       to.row != row;
}

static void print_help(const struct parse *p, struct fg_out *out)
{
	const struct fg_cli *cli = p->cli;

	fg_out_addf(out, "Usage: %s %s\n%s\n", called(cli), cli->usage, cli->summary);
	for (size_t t = 0; t <= cli->table_count; t++) {
		const struct fg_opt *row = table_of(p, t).rows;
		bool is_own = row == own_rows;

		for (; !is_passed_on(p, t) && !is_end(row); row++)
			if (row->kind == FG_OPT_SECTION)
				fg_out_addf(out, "\n%s:\n", row->help);
			else if (row->help && (!is_own || !is_replaced(p, row)))
				print_row(row, out);
	}
	if (cli->footer)
		fg_out_addf(out, "\n%s\n", cli->footer);
}

static int read_words(struct parse *p)
{
	bool options_ended = false;

	while (*p->next) {
		const char *word = *p->next++;

		if (options_ended || !is_option(word)) {
			list_add(&p->cli->files, word);
			options_ended |= p->cli->takes_command;
		} else if (!strcmp(word, "--")) {
			options_ended = true;
			p->cli->has_dashes = !p->cli->files.count;
		} else if (read_option(p, word)) {
			return -1;
		}
		if (p->own.what != OWN_NONE)
			return 0;
	}
	return 0;
}

enum fg_cli_result fg_cli_parse(struct fg_cli *cli, int argc, char **argv,
				struct fg_out *out, struct fg_diag *diag)
{
	struct parse p = { .cli = cli, .diag = diag, .next = argv + (argc > 0) };

	if (read_words(&p))
		return FG_CLI_USAGE;
	cli->output = p.own.output;
	if (p.own.what == OWN_HELP)
		print_help(&p, out);
	else if (p.own.what == OWN_VERSION)
		fg_out_addf(out, "%s (flamepipe) %s\n", cli->program, cli->version);
	return p.own.what == OWN_NONE ? FG_CLI_RUN : FG_CLI_DONE;
}

/*
 * Which older tool a program does exactly as: what --compat says, or the name by which
 * the program was called.
 */
#ifndef FG_LIB_BASE_COMPAT_H
#define FG_LIB_BASE_COMPAT_H

enum fg_compat {
	FG_COMPAT_NONE,
	FG_COMPAT_PERL, /* the scripts of FlameGraph */
	FG_COMPAT_INFERNO, /* the programs of inferno */
};

/* By enum fg_compat; ends in NULL. */
extern const char *const fg_compat_names[];

/*
 * From argv[0], which may be NULL or a path: a name that ends in ".pl" is a script's,
 * one that starts with "inferno-" a program's of inferno.
 */
enum fg_compat fg_compat_called_as(const char *argv0);

#endif

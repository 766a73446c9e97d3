/*
 * The older tool that a program behaves like, by --compat or by the name that the
 * program was called by.
 */
#ifndef FG_LIB_BASE_COMPAT_H
#define FG_LIB_BASE_COMPAT_H

enum fg_compat {
	FG_COMPAT_NONE,
	FG_COMPAT_PERL, /* the scripts of FlameGraph */
	FG_COMPAT_INFERNO, /* the programs of inferno */
};

/* The values of --compat, by enum fg_compat; ends in NULL. */
extern const char *const fg_compat_names[];

/*
 * Returns the tool that a program is called as. `argv0` may be NULL or a path: a name
 * that ends in ".pl" is a script of FlameGraph, one that starts with "inferno-" is a
 * program of inferno.
 */
enum fg_compat fg_compat_called_as(const char *argv0);

#endif

/*
 * Shared by the unit tests: comparing, catching messages, processes, files and random
 * bytes.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_H
#define FG_TESTS_UNIT_SUPPORT_H

/* cmocka wants this order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/base/diag.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Fails the test unless the bytes of `got`, a struct fg_str, are `want`. */
#define assert_str(got, want) check_str((got), FG_STR(want), __FILE__, __LINE__)
#define assert_str_is(got, want) check_str((got), (want), __FILE__, __LINE__)
void check_str(struct fg_str got, struct fg_str want, const char *file, int line);

/* Fails the test unless `part` occurs in `got`. */
#define assert_has(got, part) check_has((got), (part), __FILE__, __LINE__)
void check_has(struct fg_str got, const char *part, const char *file, int line);

/*
 * Runs one test that is skipped, in place of a program that needs a missing library, so
 * that the log shows it. Returns the exit status.
 */
int skip_without(const char *library);

/* A diag of a program called "prog". Keeps its messages, each ended by a newline. */
struct caught {
	struct fg_diag diag;
	struct fg_buf text;
};
void caught_init(struct caught *c);
void caught_release(struct caught *c);

/*
 * Calls `run` in a process of its own and collects its standard error. Returns the exit
 * status, 0 if `run` returns, or -1 if a signal ended it.
 */
int run_apart(void (*run)(void), struct fg_buf *errors);

/* A new empty folder. folder_release() removes it with all files in it. */
struct folder {
	char *path;
	struct fg_buf name; /* the path that folder_path() returned last */
};
void folder_init(struct folder *f);
void folder_release(struct folder *f);

/*
 * Returns the path of a file in the folder, valid until the next call. folder_write()
 * also makes the file, and folders in its name.
 */
const char *folder_path(struct folder *f, const char *name);
const char *folder_write(struct folder *f, const char *name, struct fg_str bytes);

/*
 * Replaces the content of `b` by the bytes of a file. Returns false if it does not
 * exist.
 */
bool file_read(const char *path, struct fg_buf *b);

/* Returns true if numbers start with their low bytes on this machine. */
bool is_little_endian(void);

/* Generates the same numbers on every run: xorshift, seeded with `state`. */
struct random {
	uint64_t state; /* not 0 */
};
uint64_t random_next(struct random *r);
size_t random_below(struct random *r, size_t limit);

/* Appends `len` random bytes from `alphabet` or, if that is empty, any bytes. */
void random_bytes(struct random *r, struct fg_buf *b, size_t len,
		  struct fg_str alphabet);

#endif

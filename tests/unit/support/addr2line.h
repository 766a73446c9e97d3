/*
 * Looks frames up in a test of collapse/addr2line, with tools that the test makes
 * itself:
 * fake_tool(f, "addr2line", good_script); look_up(f, "0x104", "main", "a.out");
 */
#ifndef FG_TESTS_UNIT_SUPPORT_ADDR2LINE_H
#define FG_TESTS_UNIT_SUPPORT_ADDR2LINE_H

#include "collapse/symbols/addr2line.h"
#include "tests/unit/support/support.h"

struct fixture {
	struct folder folder;
	struct folder bin; /* folder of the tools; empty at first */
	struct caught caught;
	struct fg_addr2line *a;
	struct fg_buf names;
	struct fg_buf file; /* the last file read: a log, the output of a command */
	char *path_before;
	size_t fds;
};

/*
 * Sets up and ends a test. The end fails if a file, a child or a SIGPIPE is left over.
 */
int addr2line_setup(void **state);
int addr2line_teardown(void **state);
#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, addr2line_setup, addr2line_teardown)

size_t count_open_fds(void);

/* Uses --context from now on. */
void with_context(struct fixture *f);

/* Looks up one frame. The names are in f->names. */
bool look_up(struct fixture *f, const char *pc, const char *symbol, const char *dso);

#define assert_found(f, pc, symbol, dso, want)                    \
	do {                                                      \
		assert_true(look_up((f), (pc), (symbol), (dso))); \
		assert_str(fg_buf_str(&(f)->names), want);        \
	} while (0)

/* Returns how often `part` occurs. */
size_t occurrences(struct fg_str text, const char *part);

/* Makes a file that is not an ELF file. Returns its path, valid until the next call. */
const char *plain_file(struct fixture *f, const char *name);

/* Makes a shell script the tool of that name. In it, $log is a file to write to. */
void fake_tool(struct fixture *f, const char *name, const char *script);

/* Returns the text that the tools have written to $log, valid until the next call. */
struct fg_str log_of(struct fixture *f);

/*
 * good_script: an addr2line that answers each address with two functions, and logs its
 * questions. The other one knows code at 0x104 only.
 */
extern const char good_script[];
extern const char lost_script[];

#endif

/* Finds the libraries that a program or a process runs. */
#ifndef FG_FLAME_LIBRARIES_H
#define FG_FLAME_LIBRARIES_H

#include "flame/args.h"
#include "lib/base/buf.h"

/* Adds the libraries of a program, as ldd(1) finds them. */
void fg_libraries_of_program(const char *path, struct fg_args *libraries);

/*
 * Adds the files whose code a process has mapped, each once, with paths that lead to
 * them from here even if the process sees another file system.
 */
void fg_code_of_process(long pid, struct fg_args *files);

/*
 * Appends the path of the program that a process runs, which leads to it from here.
 * Returns false if it is not known.
 */
bool fg_program_of_process(long pid, struct fg_buf *path);

/* Like fg_code_of_process(), without the program itself. */
void fg_libraries_of_process(long pid, struct fg_args *libraries);

/* Calls `each` for every number of "41,42". Returns the first result that is not 0. */
int fg_each_pid(const char *pids, int (*each)(void *data, long pid), void *data);

#endif

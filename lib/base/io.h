/*
 * Opening, reading and writing that neither signals nor non-blocking descriptors end.
 */
#ifndef FG_LIB_BASE_IO_H
#define FG_LIB_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Opens a file to be read: its descriptor, which is not one of a standard stream even
 * where those are closed, or -1 with errno.
 */
int fg_io_open(const char *name);

/*
 * The file that is open as `fd`, which this closes, by a number that is not one of a
 * standard stream: it, or -1 with errno. It also accepts -1.
 */
int fg_io_move_up(int fd);

/*
 * Makes a pipe above the standard streams that no child inherits: 0, or -1 and errno.
 */
int fg_io_pipe(int fds[2]);

/*
 * Raises the limit on open files as far as the system allows: a recording names more
 * binaries than the 1,024 descriptors of a shell's children are enough for. Not for a
 * library, as select() of whoever calls it knows no more than those.
 */
void fg_io_allow_more_files(void);

/* Lets the writer of a pipe get further ahead; where that is refused, it is slower. */
void fg_io_widen_pipe(int fd);

/*
 * As read(), but an interrupted call is made again, and where a descriptor that whoever
 * opened it made non-blocking is not ready, it waits until it is.
 */
ssize_t fg_io_read(int fd, void *to, size_t size);

/* The same as pread(). */
ssize_t fg_io_read_at(int fd, void *to, size_t size, off_t at);

/* False also of a descriptor that nothing is known of. */
bool fg_io_is_folder(int fd);

/* Writes all the bytes in the same way: 0, or an errno. */
int fg_io_write_all(int fd, const char *bytes, size_t size);

#endif

/*
 * open(), read() and write() that go on after signals and on non-blocking descriptors.
 */
#ifndef FG_LIB_BASE_IO_H
#define FG_LIB_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Opens a file for reading. Returns its descriptor, which is above those of the
 * standard streams even if they are closed, or -1 with errno.
 */
int fg_io_open(const char *name);

/*
 * Moves an open file to a descriptor above those of the standard streams, and closes
 * `fd`. Returns the descriptor, or -1 with errno. Accepts -1.
 */
int fg_io_move_up(int fd);

/*
 * Makes a pipe above the standard streams that no child inherits. Returns 0, or -1 with
 * errno.
 */
int fg_io_pipe(int fds[2]);

/*
 * Raises the limit on open files as far as the system allows, because a recording may
 * name more binaries than the usual 1,024 descriptors. Do not call it in libflamepipe:
 * select() in the caller's program cannot handle higher descriptors.
 */
void fg_io_allow_more_files(void);

/*
 * Makes a pipe larger, so that its writer waits less. It does not matter if it fails.
 */
void fg_io_widen_pipe(int fd);

/*
 * Like read(), but repeats an interrupted call, and waits if the descriptor is
 * non-blocking (whoever opened it may have made it so) and not ready.
 */
ssize_t fg_io_read(int fd, void *to, size_t size);

/* Like fg_io_read(), at an offset, as pread() does. */
ssize_t fg_io_read_at(int fd, void *to, size_t size, off_t at);

/* Returns true for a folder; false also if fstat() fails. */
bool fg_io_is_folder(int fd);

/*
 * Returns true if the kernel generates the contents of an open file or folder when it
 * is read, like in /proc, /sys and tracefs. The descriptor may be one of O_PATH.
 */
bool fg_io_is_of_kernel(int fd);

/* Writes all bytes, and waits like fg_io_read(). Returns 0, or an errno. */
int fg_io_write_all(int fd, const char *bytes, size_t size);

#endif

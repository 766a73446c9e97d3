/* Tests of lib/base/confine: what a process can do no more, each in one of its own. */
#include "lib/base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/diag.h"
#include "lib/base/replace.h"
#include "tests/unit/support/support.h"

static char folder[] = "/tmp/flamepipe-confine-XXXXXX";

/* What a confined process does: 0, or an errno. */
typedef int action(void);

static int read_file(void)
{
	return open("/dev/null", O_RDONLY) < 0 || open("/", O_RDONLY) < 0 ? errno : 0;
}

static int make_file(void)
{
	return open("made", O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0;
}

static int change_file(void)
{
	return open("there", O_WRONLY) < 0 ? errno : 0;
}

static int remove_file(void)
{
	return unlink("there") ? errno : 0;
}

static int change_mode(void)
{
	return chmod("there", 0777) ? errno : 0;
}

static int reach_network(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int run_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int replace_file(void)
{
	struct fg_diag diag;
	struct fg_replacement r;

	fg_diag_init(&diag, "test");
	if (fg_replacement_open(&r, "there", &diag))
		return 1;
	fg_confine(&(struct fg_confinement){ .output = "there" });
	return write(r.fd, "new", 3) == 3 && !fg_replacement_finish(&r) ? 0 : 2;
}

/* How the action ends in a process that is confined, or does that itself where NULL. */
static int end_of(action *act, const struct fg_confinement *c)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		if (c)
			fg_confine(c);
		_exit(act());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int begin(void **state)
{
	int fd;

	(void)state;
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	fd = open("there", O_WRONLY | O_CREAT, 0600);
	return fd < 0 ? -1 : close(fd);
}

static int end(void **state)
{
	(void)state;
	unlink("there");
	unlink("made");
	return chdir("/") || rmdir(folder);
}

static const struct fg_confinement all = { NULL, false };

static void files_are_read(void **state)
{
	(void)state;
	assert_int_equal(end_of(read_file, &all), 0);
}

/* Where the kernel has no landlock, or refuses it, there is nothing to see. */
static void files_are_not_written(void **state)
{
	static action *const writers[] = { make_file, change_file, remove_file };

	(void)state;
	if (!end_of(make_file, &all))
		skip();
	for (size_t i = 0; i < COUNT_OF(writers); i++)
		assert_int_equal(end_of(writers[i], &all), EACCES);
	assert_int_equal(access("there", F_OK), 0);
}

static void the_output_is_replaced(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(end_of(replace_file, NULL), 0);
	assert_int_equal(stat("there", &st), 0);
	assert_int_equal(st.st_size, 3);
}

static void calls_are_refused(void **state)
{
	static const struct fg_confinement programs = { NULL, true };

	(void)state;
	if (!end_of(reach_network, &all))
		skip();
	assert_int_equal(end_of(reach_network, &all), EPERM);
	assert_int_equal(end_of(change_mode, &all), EPERM);
	assert_int_equal(end_of(run_program, &all), EPERM);
	assert_int_equal(end_of(run_program, &programs), 0);
	assert_int_equal(end_of(reach_network, &programs), EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read),
		cmocka_unit_test(files_are_not_written),
		cmocka_unit_test(the_output_is_replaced),
		cmocka_unit_test(calls_are_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}

/* Children that are renamed, and children that become another program. */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

int main(int argc, char **argv)
{
	(void)argc;
	for (int i = 0; i < 8; i++) {
		if (fork()) {
			descend(3, 100000);
			continue;
		}
		if (i % 2) {
			prctl(PR_SET_NAME, "apprentice");
			descend(4, 400000);
			_exit(0);
		}
		execl(argv[1], argv[1], (char *)NULL);
		_exit(1);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

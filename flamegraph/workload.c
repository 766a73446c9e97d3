/* A command line that is meant for a program that records. */
#include "flamegraph/workload.h"

#include <string.h>
#include <unistd.h>

#include "lib/base/str.h"

/* Options of cargo-flamegraph that draw nothing. */
static const char *const recorders[] = {
	"-F",	     "--freq",	      "-p",	      "--pid",	   "--cmd",
	"--root",    "--open",	      "--perfdata",   "--bin",	   "--bench",
	"--example", "--test",	      "--unit-test",  "--package", "--release",
	"--dev",     "--profile",     "--skip-after", "--palette", "--min-width",
	"--event",   "--image-width",
};

static bool is_recorders(const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < FG_COUNT_OF(recorders); i++)
		if (strlen(recorders[i]) == len && !strncmp(word, recorders[i], len))
			return true;
	return false;
}

void fg_workload_hint(int argc, char **argv, struct fg_diag *diag)
{
	bool records = false;
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		records |= is_recorders(argv[i]);
	if (i + 1 < argc)
		records |= access(argv[i + 1], F_OK) != 0;
	if (records)
		fg_warn(diag, NULL,
			"flamegraph draws folded stacks and records nothing; to record "
			"and draw: flame -- COMMAND");
}

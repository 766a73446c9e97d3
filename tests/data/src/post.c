// A small post office: says each address to label(), a good place for a probe, writes
// letters with small system calls, and opens boxes within boxes, as deep as asked.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const addresses[] = {
	"Mill Lane 4",
	"c/o P. O'Neill (2nd floor), \"Rose Cottage\"",
	"office 12 [003]  42.500000: cycles: ",
	"a=1 b=2;c",
	"7f1a2b3c4d5e box+0x1e (/srv/yard)",
	"",
};

static const char *const calls[] = { "next!", "closed\n", "lost:\n\none glove",
				     "\tparcel 5\n" };

__attribute__((noipa)) int label(const char *address, long weight, int urgent)
{
	return (int)strlen(address) + (int)weight + urgent;
}

__attribute__((noipa)) void post(int fd, int number)
{
	char letter[200];
	const char *address = addresses[number % 6];
	int size = label(address, 20L * number, number % 2);
	memset(letter, '.', sizeof letter);
	if (write(fd, letter, (size_t)size % sizeof letter) < 0)
		exit(1);
}

__attribute__((noipa)) int shout(const char *text)
{
	return (int)strlen(text);
}

__attribute__((noipa)) void open_letter(const char *name)
{
	char text[64];
	int fd = open(name, O_RDONLY);
	if (fd < 0)
		return;
	if (read(fd, text, sizeof text) < 0)
		exit(1);
	close(fd);
}

__attribute__((noipa)) unsigned rummage(unsigned turns)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < turns; i++)
		sum += i;
	return sum;
}

__attribute__((noipa)) unsigned open_box(int depth, unsigned turns)
{
	if (depth == 0)
		return rummage(turns);
	return open_box(depth - 1, turns) + 1;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 10;
	int depth = argc > 2 ? atoi(argv[2]) : 0;
	int fd = open("/dev/null", O_WRONLY);
	for (int i = 0; i < count; i++) {
		post(fd, i);
		shout(calls[i % 4]);
		open_letter(i % 2 ? "/dev/null" : "/dev/zero");
		if (depth > 0)
			open_box(depth, 20000000);
	}
	return 0;
}

/*
 * Measures the least work of naming a recording: floor PERF-DATA [FILE]...
 *
 * Walks the records of perf.data, and reads the symbol tables of each FILE and their
 * names, once: the sections of a 64-bit ELF file, or all of any other file, like
 * /proc/kallsyms.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char block[1 << 20];

/* Reads `len` bytes from `at`, or to the end. */
static void read_through(int fd, off_t at, uint64_t len)
{
	ssize_t n = 1;

	while (len && n > 0) {
		size_t part = len < sizeof(block) ? (size_t)len : sizeof(block);

		n = pread(fd, block, part, at);
		at += n > 0 ? n : 0;
		len -= n > 0 ? (uint64_t)n : 0;
	}
}

/*
 * The part of the 64-bit header of elf(5) that says where the sections are, and how
 * many.
 */
struct header {
	unsigned char start[40];
	uint64_t sections;
	uint16_t between[5], size, count, names;
};

struct section {
	uint32_t name, type;
	uint64_t flags, address, offset, size, more[3];
};

/* Returns 1 for symbols, strings, and the symbols that are needed to run. */
static int is_table(const struct section *s)
{
	return s->type == 2 || s->type == 3 || s->type == 11;
}

static void read_tables(int fd)
{
	struct section *sections;
	struct header header;
	size_t size;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.start, "\177ELF\2", 5) != 0 ||
	    header.size != sizeof(*sections)) {
		read_through(fd, 0, UINT64_MAX);
		return;
	}
	size = header.count * sizeof(*sections);
	sections = malloc(size ? size : 1);
	if (!sections)
		exit(1);
	if (pread(fd, sections, size, (off_t)header.sections) == (ssize_t)size)
		for (size_t i = 0; i < header.count; i++)
			if (is_table(&sections[i]))
				read_through(fd, (off_t)sections[i].offset,
					     sections[i].size);
	free(sections);
}

/*
 * Walks all records and returns how many bytes they have. The header says where they
 * start.
 */
static uint64_t walk(int fd)
{
	uint64_t head[8], at, end, sum = 0;
	size_t have = 0, next = 0;
	ssize_t n;

	if (pread(fd, head, sizeof(head), 0) != sizeof(head))
		return 0;
	at = head[5];
	end = at + head[6];
	while (at < end) {
		n = pread(fd, block + have, sizeof(block) - have, (off_t)at);
		if (n <= 0)
			break;
		at += (uint64_t)n;
		have += (size_t)n;
		for (next = 0; have - next >= 8;) {
			uint16_t size;

			memcpy(&size, block + next + 6, sizeof(size));
			if (size < 8 || size > have - next)
				break;
			for (size_t i = 0; i + 8 <= size; i += 8) {
				uint64_t word;

				memcpy(&word, block + next + i, sizeof(word));
				sum += word;
			}
			next += size;
		}
		if (!next)
			break;
		have -= next;
		memmove(block, block + next, have);
	}
	return sum;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (i > 1)
			read_tables(fd);
		else
			printf("%llu\n", (unsigned long long)walk(fd));
		close(fd);
	}
	return 0;
}

/*
 * Generates recordings of perf in shapes that make a careless reader slow:
 *   recordings SHAPE N [FILE]
 *
 * The recording has about N of the things that the shape is named after. `aliases`
 * makes FILE, a binary with N names at one address, and maps it. The last record is a
 * sample, so that a stack comes out.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

#define ATTR_SIZE 64
#define FILE_HEADER 104
#define IDS_EACH 8
#define PID 7
#define PAGE 0x1000
#define TEXT UINT64_C(0x400000)
#define CODE 0x1000 /* address of the code, in the file and in memory */
#define KERNEL UINT64_C(0xffffffff80000000)

/* Bits of sample_type: ip, tid, and call chain. */
#define FIELDS UINT64_C(0x23)

enum record {
	RECORD_MMAP = 1,
	RECORD_EXIT = 4,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_KSYMBOL = 17,
	RECORD_ATTR = 64,
	RECORD_TRACING = 66
};

enum { OF_KERNEL = 1, OF_USER = 2 };

static void put(const void *bytes, size_t len)
{
	if (len)
		fwrite(bytes, len, 1, stdout);
}

static void put32(uint32_t n)
{
	put(&n, sizeof(n));
}

static void put64(uint64_t n)
{
	put(&n, sizeof(n));
}

static void put_head(enum record type, uint16_t misc, size_t body)
{
	uint16_t size = (uint16_t)(body + 8);

	put32(type);
	put(&misc, sizeof(misc));
	put(&size, sizeof(size));
}

/* Returns the size of a name with zeros up to a multiple of 8 bytes. */
static size_t padded(const char *name)
{
	return (strlen(name) / 8 + 1) * 8;
}

static void put_name(const char *name)
{
	static const char zeros[8];

	put(name, strlen(name));
	put(zeros, padded(name) - strlen(name));
}

static void put_attr(void)
{
	static const char zeros[ATTR_SIZE];

	put32(1); /* software: cpu-clock */
	put32(ATTR_SIZE);
	put64(0);
	put64(1);
	put64(FIELDS);
	put(zeros, ATTR_SIZE - 32);
}

static void start_stream(void)
{
	put("PERFILE2", 8);
	put64(16);
	put_head(RECORD_ATTR, 0, ATTR_SIZE);
	put_attr();
}

static void put_map(uint32_t pid, uint64_t start, uint64_t len, const char *name)
{
	bool kernel = pid == UINT32_MAX;

	put_head(RECORD_MMAP, kernel ? OF_KERNEL : OF_USER, 32 + padded(name));
	put32(pid);
	put32(pid);
	put64(start);
	put64(len);
	put64(kernel ? start : CODE);
	put_name(name);
}

static void put_task(enum record type, uint32_t pid, uint32_t parent)
{
	put_head(type, 0, 24);
	put32(pid);
	put32(parent);
	put32(pid);
	put32(parent);
	put64(0);
}

static void put_sample(uint32_t pid, uint64_t address)
{
	put_head(RECORD_SAMPLE, OF_USER, 24 + 16);
	put64(address);
	put32(pid);
	put32(pid);
	put64(2);
	put64(UINT64_MAX - 511); /* user space */
	put64(address);
}

/* ---- the shapes */

/* Writes attributes that share a section of ids. */
static void attributes(size_t n)
{
	size_t ids = FILE_HEADER + n * (ATTR_SIZE + 16), data = ids + n * IDS_EACH;
	static const char zeros[8 * 4 + 16];

	put("PERFILE2", 8);
	put64(FILE_HEADER);
	put64(ATTR_SIZE + 16);
	put64(FILE_HEADER);
	put64(n * (ATTR_SIZE + 16));
	put64(data);
	put64(8 + 40);
	put(zeros, sizeof(zeros));
	for (size_t i = 0; i < n; i++) {
		put_attr();
		put64(ids);
		put64(n * IDS_EACH);
	}
	for (size_t i = 0; i < n; i++)
		put64(i + 1);
	put_sample(PID, TEXT);
}

/* Writes a process with many mappings, whose children change theirs. */
static void forks(size_t n)
{
	start_stream();
	for (size_t i = 0; i < n; i++)
		put_map(PID, TEXT + i * PAGE, PAGE, "[heap]");
	for (size_t i = 0; i < n; i++) {
		uint32_t child = (uint32_t)(PID + 1 + i);

		put_task(RECORD_FORK, child, PID);
		put_map(child, TEXT + i * PAGE, PAGE / 2, "[stack]");
		put_task(RECORD_EXIT, child, PID);
	}
	put_sample(PID, TEXT);
}

/* Like forks(), but all children live, until the reader's memory for them is full. */
static void families(size_t n)
{
	start_stream();
	for (size_t i = 0; i < n; i++)
		put_map(PID, TEXT + i * PAGE, PAGE, "[heap]");
	for (size_t i = 0; i < n; i++)
		put_task(RECORD_FORK, (uint32_t)(PID + 1 + i), PID);
	for (size_t i = 0; i < n; i++)
		put_map((uint32_t)(PID + 1 + i), TEXT, PAGE, "[stack]");
	put_sample(PID, TEXT);
}

/* Like families(), but children end once that memory is full. */
static void memory_is_full(size_t n)
{
	families(n);
	for (size_t i = 0; i < n; i++) {
		put_task(RECORD_EXIT, (uint32_t)(PID + 1 + n + i), PID);
		put_map(PID, TEXT, PAGE, "[heap]");
	}
}

static void from_the_top(size_t n)
{
	start_stream();
	for (size_t i = n; i > 0; i--)
		put_map(PID, TEXT + i * PAGE, PAGE, "[heap]");
	put_sample(PID, TEXT);
}

/* Writes children that replace many mappings by one of everything, again and again. */
static void all_at_once(size_t n)
{
	start_stream();
	for (size_t i = 0; i < n; i++)
		put_map(PID, TEXT + i * PAGE, PAGE, "[heap]");
	for (size_t i = 0; i < n; i++) {
		uint32_t child = (uint32_t)(PID + 1 + i);

		put_task(RECORD_FORK, child, PID);
		put_map(child, TEXT, n * PAGE, "[heap]");
	}
	put_sample(PID, TEXT);
}

/* Writes programs in the kernel (BPF), loaded from the top down. */
static void bpf(size_t n)
{
	char name[32];

	start_stream();
	for (size_t i = n; i > 0; i--) {
		snprintf(name, sizeof(name), "bpf_prog_%zx", i);
		put_head(RECORD_KSYMBOL, OF_KERNEL, 16 + padded(name));
		put64(KERNEL + i * PAGE);
		put32(PAGE);
		put32(1);
		put_name(name);
	}
	put_sample(PID, TEXT);
}

/* Writes modules of the kernel, each with another name. */
static void modules(size_t n)
{
	char name[64];

	start_stream();
	for (size_t i = n; i > 0; i--) {
		snprintf(name, sizeof(name), "/lib/modules/none/m%zx.ko", i);
		put_map(UINT32_MAX, KERNEL + i * PAGE, PAGE, name);
	}
	put_sample(PID, TEXT);
}

/*
 * Writes tracepoints of a system with a long name. Their formats follow their record.
 */
static void tracepoints(size_t n)
{
	static const char before[] =
		"\027\010Dtracing0.6\0\0\010\0\020\0\0header_page\0\0\0\0\0\0\0\0\0"
		"header_event\0\0\0\0\0\0\0\0\0\0\0\0";
	static const char format[] = "name: a\nID: %08zu\n", zeros[8];
	size_t each = strlen("name: a\nID: 00000000\n");
	size_t size = sizeof(before) + 4 + each * n + 1 + 4 + (8 + each) * n;

	start_stream();
	put_head(RECORD_TRACING, 0, 4);
	put32((uint32_t)size);
	put(before, sizeof(before));
	put32(1);
	for (size_t i = 0; i < each * n; i++)
		putchar('s');
	put(zeros, 1);
	put32((uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		put64(each);
		printf(format, i);
	}
	put(zeros, (8 - size % 8) % 8);
	put_sample(PID, TEXT);
}

/* Writes samples at ever new addresses of a file. */
static void addresses_in(const char *file, size_t n)
{
	start_stream();
	put_map(PID, TEXT, n + PAGE, file);
	for (size_t i = 0; i < n; i++)
		put_sample(PID, TEXT + i);
}

/* Writes samples of a process that maps many jitdumps, each of them twice. */
static void dumps(size_t n)
{
	char name[64];

	start_stream();
	for (size_t i = 0; i < 2 * n; i++) {
		snprintf(name, sizeof(name), "/none/%zx/jit-7.dump", i % n);
		put_map(PID, TEXT, PAGE, name);
	}
	for (size_t i = 0; i < n; i++)
		put_sample(PID, TEXT + i);
}

/* ---- a binary with all symbols at one address */

#define SECTION_SIZE 64
#define SYMBOL_SIZE 24
#define NAME_SIZE 10

struct section {
	uint32_t name, type;
	uint64_t flags, address, at, size;
	uint32_t link, info;
	uint64_t align, entry;
};

/* Writes numbers in this machine's byte order, like a recording made here. */
static void write_elf_head(FILE *f, uint64_t sections_at)
{
	static const unsigned char ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
	const uint16_t kind[2] = { 3, 62 }, sizes[6] = { 64, 56, 1, 64, 5, 4 };
	const uint32_t version = 1, flags = 0;
	const uint64_t entry[3] = { 0, 64, sections_at };

	fwrite(ident, sizeof(ident), 1, f);
	fwrite(kind, sizeof(kind), 1, f);
	fwrite(&version, sizeof(version), 1, f);
	fwrite(entry, sizeof(entry), 1, f);
	fwrite(&flags, sizeof(flags), 1, f);
	fwrite(sizes, sizeof(sizes), 1, f);
}

static void write_elf(FILE *f, size_t n)
{
	static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
	uint64_t symbols = CODE + n, strings = symbols + (n + 1) * SYMBOL_SIZE;
	uint64_t string_size = 1 + n * NAME_SIZE, shared = strings + string_size;
	const struct section list[] = {
		{ .name = 0 },
		{ 1, 1, 6, CODE, CODE, n, 0, 0, 16, 0 },
		{ 7, 2, 0, 0, symbols, (n + 1) * SYMBOL_SIZE, 3, 1, 8, SYMBOL_SIZE },
		{ 15, 3, 0, 0, strings, string_size, 0, 0, 1, 0 },
		{ 23, 3, 0, 0, shared, sizeof(names), 0, 0, 1, 0 },
	};
	const uint32_t load[2] = { 1, 5 };
	const uint64_t where[6] = { CODE, CODE, CODE, n, n, PAGE };
	const char zero[SYMBOL_SIZE] = "";

	write_elf_head(f, shared + sizeof(names));
	fwrite(load, sizeof(load), 1, f);
	fwrite(where, sizeof(where), 1, f);
	for (size_t i = 64 + 56; i < symbols; i++)
		fputc(0, f);
	fwrite(zero, SYMBOL_SIZE, 1, f);
	for (size_t i = 0; i < n; i++) {
		const uint32_t name = (uint32_t)(1 + i * NAME_SIZE);
		const unsigned char kind[4] = { 0x12, 0, 1, 0 };
		const uint64_t place[2] = { CODE, n };

		fwrite(&name, sizeof(name), 1, f);
		fwrite(kind, sizeof(kind), 1, f);
		fwrite(place, sizeof(place), 1, f);
	}
	fputc(0, f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "a%08zx%c", i, 0);
	fwrite(names, sizeof(names), 1, f);
	fwrite(list, sizeof(list), 1, f);
}

static const struct shape {
	const char *name;
	void (*print)(size_t n);
} shapes[] = {
	{ "attributes", attributes },
	{ "forks", forks },
	{ "families", families },
	{ "memory-is-full", memory_is_full },
	{ "from-the-top", from_the_top },
	{ "all-at-once", all_at_once },
	{ "bpf", bpf },
	{ "modules", modules },
	{ "tracepoints", tracepoints },
	{ "dumps", dumps },
};

int main(int argc, char **argv)
{
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	FILE *f;

	if (argc == 4 && n) {
		f = fopen(argv[3], "wb");
		if (!f)
			return 1;
		write_elf(f, n);
		if (fclose(f))
			return 1;
		addresses_in(argv[3], n);
		return fflush(stdout) ? 1 : 0;
	}
	for (size_t i = 0; argc == 3 && n && i < COUNT_OF(shapes); i++)
		if (!strcmp(argv[1], shapes[i].name)) {
			shapes[i].print(n);
			return fflush(stdout) ? 1 : 0;
		}
	fprintf(stderr, "usage: recordings SHAPE N [FILE]\n");
	return 2;
}

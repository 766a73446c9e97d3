/* Describes the kernel and its modules, from /proc and /sys. */
#include "record/kernel.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "record/events.h"
#include "record/records.h"

/* We read kallsyms in parts, because the kernel makes only the parts that are read. */
#define READ_SIZE ((size_t)1 << 14)

/* The first address of kallsyms for a user who may not see them. */
#define HIDDEN FG_STR("0000000000000000 ")

/* The flag of an MMAP2 record that has a build id instead of a device and an inode. */
#define MISC_BUILD_ID (1U << 14)
#define BUILD_ID_MAX 20

/*
 * On x86-64, modules and BPF programs have addresses from here on. On other machines,
 * they are below the kernel.
 */
#define MODULES_START UINT64_C(0xffffffffc0000000)

/* The type of the note that has a build id: NT_GNU_BUILD_ID of elf.h. */
#define NOTE_BUILD_ID 3

/* ---- where the code is */

/* Reads "ffffffff81000000 T _text". Returns the name, or an empty string. */
static struct fg_str read_symbol(struct fg_str line, uint64_t *address)
{
	struct fg_str digits = fg_str_cut(&line, ' ');

	fg_str_cut(&line, ' ');
	if (fg_str_hex(digits, address))
		return FG_STR("");
	/* after a symbol of a module follow a tab and "[module]" */
	return fg_str_has_char(line, '\t') ? FG_STR("") : line;
}

bool fg_kernel_find_code(struct fg_str text, struct fg_kernel_code *code)
{
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		uint64_t address = 0;
		struct fg_str name = read_symbol(line, &address);

		/* both have the same address, and either may come first */
		if (code->start && address != code->start)
			return true;
		if (!address || !name.len || name.ptr[0] != '_')
			continue;
		if (fg_str_eq(name, FG_STR("_text")))
			*code = (struct fg_kernel_code){ address, "_text" };
		else if (fg_str_eq(name, FG_STR("_stext")) && !code->start)
			*code = (struct fg_kernel_code){ address, "_stext" };
	}
	return false;
}

/*
 * Reads the start of kallsyms. The kernel would take long to make all of it, so we do
 * not look for the end of the code.
 */
static struct fg_kernel_code find_code(struct fg_existing *x)
{
	struct fg_kernel_code code = { .start = 0 };
	struct fg_buf *text = &x->text;
	ssize_t got = 1;
	bool done = false;
	int fd;

	fg_buf_clear(text);
	fg_buf_addf(text, "%s/kallsyms", x->proc);
	fd = fg_io_open(fg_buf_cstr(text));
	fg_buf_clear(text);
	while (fd >= 0 && !done && got > 0) {
		size_t whole;

		fg_buf_reserve(text, READ_SIZE);
		got = fg_io_read(fd, text->ptr + text->len, READ_SIZE);
		if (got <= 0)
			break;
		text->len += (size_t)got;
		whole = fg_str_rfind_char(fg_buf_str(text), '\n');
		if (whole == text->len)
			continue;
		done = fg_kernel_find_code(fg_str_before(fg_buf_str(text), whole + 1),
					   &code);
		/* without the right to see them, all addresses are zero */
		done |= !code.start && fg_str_starts(fg_buf_str(text), HIDDEN);
		text->len -= whole + 1;
		memmove(text->ptr, text->ptr + whole + 1, text->len);
	}
	if (fd >= 0)
		close(fd);
	return code;
}

/* ---- build ids */

/* Finds the build id in notes of ELF. Returns an empty string if there is none. */
static struct fg_str find_build_id(struct fg_str notes)
{
	while (notes.len >= 12) {
		uint32_t head[3]; /* length of the name, of the note, and its type */
		size_t name, rest;

		memcpy(head, notes.ptr, sizeof(head));
		name = ((size_t)head[0] + 3) / 4 * 4;
		rest = ((size_t)head[1] + 3) / 4 * 4;
		notes = fg_str_from_pos(notes, sizeof(head));
		if (name > notes.len || head[1] > notes.len - name)
			break;
		if (head[2] == NOTE_BUILD_ID && fg_str_starts(notes, FG_STR("GNU")) &&
		    head[1] <= BUILD_ID_MAX)
			return fg_str_of(notes.ptr + name, head[1]);
		notes = fg_str_from_pos(notes, name + rest);
	}
	return FG_STR("");
}

/* Reads the build id of a file of notes in /sys. */
static struct fg_str read_build_id(const char *name, struct fg_buf *notes)
{
	fg_buf_clear(notes);
	if (fg_read_file("/sys", name, notes))
		return FG_STR("");
	return find_build_id(fg_buf_str(notes));
}

/* ---- records */

/* A mapping of the kernel or of a module. */
struct code {
	uint64_t start, size, reference;
	struct fg_str name;
	struct fg_str build_id; /* may be empty */
};

static void add_code(struct fg_existing *x, const struct code *m)
{
	bool has_id = m->build_id.len;
	struct fg_buf *b = &x->record;
	size_t start;

	fg_buf_clear(b);
	start = fg_record_start(
		b, has_id ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP,
		(uint16_t)(PERF_RECORD_MISC_KERNEL | (has_id ? MISC_BUILD_ID : 0)));
	fg_put32(b, UINT32_MAX);
	fg_put32(b, 0);
	fg_put64(b, m->start);
	fg_put64(b, m->size);
	fg_put64(b, m->reference);
	if (has_id) {
		fg_buf_add_char(b, (char)m->build_id.len);
		fg_put_zeros(b, 3);
		fg_buf_add_str(b, m->build_id);
		fg_put_zeros(b, BUILD_ID_MAX - m->build_id.len);
		fg_put32(b, 1 | 4); /* readable and executable */
		fg_put32(b, 2); /* private */
	}
	fg_put_padded(b, m->name);
	fg_existing_end(x, start);
}

/* Adds the kernel, whose code ends before `end`. */
static void add_kernel(struct fg_existing *x, const struct fg_kernel_code *code,
		       uint64_t end)
{
	struct fg_buf name = FG_BUF_INIT, notes = FG_BUF_INIT;
	struct code m = { .start = code->start,
			  .size = end - code->start,
			  .reference = code->start };

	fg_buf_addf(&name, "[kernel.kallsyms]%s", code->symbol);
	m.name = fg_buf_str(&name);
	m.build_id = read_build_id("kernel/notes", &notes);
	add_code(x, &m);
	fg_buf_release(&name);
	fg_buf_release(&notes);
}

/* A module, from its line "ext4 1011712 1 - Live 0xffffffffc0a00000". */
struct module {
	struct fg_str name;
	uint64_t start, size;
};

/* Reads the line of a module. Returns false if it is malformed or hides the address. */
static bool read_module(struct fg_str line, struct module *m)
{
	struct fg_str size;

	m->name = fg_str_cut(&line, ' ');
	size = fg_str_cut(&line, ' ');
	for (int i = 0; i < 3; i++) /* its users, their names, its state */
		fg_str_cut(&line, ' ');
	return !fg_str_u64(size, &m->size) &&
	       !fg_str_0x(fg_str_cut(&line, ' '), &m->start) && m->start;
}

/*
 * Adds a module. Its name is "[ext4]": we do not look for its file, whose folder the
 * machine may lack.
 */
static void add_module(struct fg_existing *x, const struct module *m)
{
	struct fg_buf name = FG_BUF_INIT, notes = FG_BUF_INIT, path = FG_BUF_INIT;
	struct code code = { .start = m->start, .size = m->size };

	fg_buf_addf(&name, "[%.*s]", (int)m->name.len, m->name.ptr);
	fg_buf_addf(&path, "module/%.*s/notes/.note.gnu.build-id", (int)m->name.len,
		    m->name.ptr);
	code.name = fg_buf_str(&name);
	code.build_id = read_build_id(fg_buf_cstr(&path), &notes);
	add_code(x, &code);
	fg_buf_release(&name);
	fg_buf_release(&notes);
	fg_buf_release(&path);
}

/* Returns where the code of the kernel ends at the latest. */
static uint64_t end_of(const struct fg_kernel_code *code, struct fg_str modules)
{
	uint64_t end = UINT64_MAX;

#ifdef __x86_64__
	end = MODULES_START;
#endif
	while (modules.len) {
		struct module m;

		if (read_module(fg_str_cut(&modules, '\n'), &m) &&
		    m.start > code->start && m.start < end)
			end = m.start;
	}
	return end > code->start ? end : UINT64_MAX;
}

bool fg_kernel_describe(struct fg_existing *x)
{
	struct fg_kernel_code code = find_code(x);
	struct fg_str text;

	if (!code.start)
		return false;
	fg_buf_clear(&x->text);
	fg_read_file(x->proc, "modules", &x->text);
	text = fg_buf_str(&x->text);
	add_kernel(x, &code, end_of(&code, text));
	while (text.len) {
		struct module m;

		if (read_module(fg_str_cut(&text, '\n'), &m))
			add_module(x, &m);
	}
	return true;
}

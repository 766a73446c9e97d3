/* Fuzzes the output of addr2line and nm: any bytes are read, without a process. */
#include "collapse/symbols/answer.h"
#include "collapse/symbols/nm.h"
#include "tests/fuzz/fuzz.h"

#define ADDRESS 0x1234

/* Makes a child that has already printed everything. */
static void child_init(struct fg_child *c, struct fg_str text)
{
	memset(c, 0, sizeof(*c));
	c->from = -1;
	c->left = SIZE_MAX;
	fg_buf_add_str(&c->text, text);
}

static size_t count(struct fg_str s, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == c;
	return n;
}

/* Reads answers until there is none. */
static void read_answers(struct fg_str text, unsigned choice)
{
	struct fg_answer a = { .context = choice & 1, .guesses = choice & 2 };
	struct fg_arena arena;
	struct fg_child child;

	fg_arena_init(&arena);
	child_init(&child, text);
	while (fg_answer_read(&a, &child, ADDRESS) == READ_LINE) {
		struct fg_str lines = fg_buf_str(&a.lines);
		struct fg_str names = fg_answer_names(&a, &arena);

		fuzz_check(!fg_str_has_char(lines, '\n'), "a name is on one line");
		if (!names.len)
			continue;
		fuzz_check(names.len == lines.len, "no name is lost");
		fuzz_check(count(names, ';') == count(lines, ';'),
			   "there are as many frames in either order");
	}
	fg_buf_release(&child.text);
	fg_buf_release(&a.lines);
	fg_arena_release(&arena);
}

/* Returns true for a line "ADDRESS LETTER NAME". */
static bool is_symbol(struct fg_str line, size_t digits, uint64_t *address)
{
	return digits + 3 < line.len && line.ptr[digits + 2] == ' ' &&
	       !fg_str_hex(fg_str_before(line, digits), address);
}

/* Looks up names as they were printed. Of equal ones the first counts. */
static void find_symbols(struct fg_nm *nm, struct fg_str text)
{
	struct fg_buf symbol = FG_BUF_INIT;

	nm->progress = NM_DEMANGLED; /* there is nothing more to run */
	for (int i = 0; i < 64 && fg_str_has_char(text, '\n'); i++) {
		struct fg_str line = fg_str_cut(&text, '\n');
		size_t digits = fg_str_find_char(line, ' ');
		uint64_t address, found;

		if (!is_symbol(line, digits, &address))
			continue;
		fg_buf_clear(&symbol);
		fg_buf_add_str(&symbol, fg_str_from_pos(line, digits + 3));
		fg_buf_add_str(&symbol, FG_STR("+0x0"));
		if (line.len >= FG_CHILD_LINE_MAX)
			break;
		fuzz_check(fg_nm_address(nm, fg_buf_str(&symbol), &found),
			   "what was printed is known");
		fuzz_check(i || found == address, "of equal names the first counts");
	}
	fg_buf_release(&symbol);
}

static void read_symbols(struct fg_str text, enum fg_nm_names names)
{
	struct fg_child child;
	struct fg_nm nm;

	fg_nm_init(&nm, NULL, NULL);
	nm.tool = &(struct fg_nm_tool){ .missing = true };
	child_init(&child, text);
	fg_nm_read(&nm, &child, names);
	if (names == NAMES_LINKER)
		find_symbols(&nm, text);
	fg_buf_release(&child.text);
	fg_nm_release(&nm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str text = fg_str_of((const char *)data, size);
	unsigned choice = fuzz_choice(&text, 6);

	if (choice < 4)
		read_answers(text, choice);
	else
		read_symbols(text, choice == 4 ? NAMES_LINKER : NAMES_DEMANGLED);
	return 0;
}

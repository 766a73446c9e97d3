/* Tests of collapse/symbols: we reject unwinding rules that take too much memory. */
#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
#include <fcntl.h>
#include <unistd.h>

#include "collapse/symbols/elffile.h"
#include "collapse/symbols/cfiimage.h"

#define LOOM                                      \
	"tests/data/perfdata/cache/.build-id/e5/" \
	"8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* ---- single entries */

struct program {
	const char *bytes;
	size_t len;
	bool is_sane;
};
#define PROGRAM(text, is_sane)                  \
	{                                       \
		text, sizeof(text) - 1, is_sane \
	}

static void add_entry(struct fg_buf *b, struct fg_str rest, uint32_t id)
{
	const uint32_t head[] = { (uint32_t)sizeof(id) + (uint32_t)rest.len, id };

	fg_buf_add(b, (const char *)head, sizeof(head));
	fg_buf_add_str(b, rest);
}

/* Checks an FDE with `program`, after a CIE with the bytes `start`. */
static bool is_sane(struct fg_str start, struct fg_str fde, struct fg_str program)
{
	unsigned char ident[EI_NIDENT] = { [EI_CLASS] = ELFCLASS64,
					   [EI_DATA] = is_little_endian() ?
							       ELFDATA2LSB :
							       ELFDATA2MSB };
	struct fg_buf b = FG_BUF_INIT, rest = FG_BUF_INIT;
	struct fg_cfi cfi = { .ident = ident, .is_eh = true, .left = UINT64_MAX };
	size_t at;
	bool one, all;

	add_entry(&b, start, 0);
	at = b.len;
	fg_buf_add_str(&rest, fde);
	fg_buf_add_str(&rest, program);
	add_entry(&b, fg_buf_str(&rest), (uint32_t)at + 4);
	cfi.data = (Elf_Data){ .d_buf = b.ptr, .d_size = b.len };
	one = fg_cfi_is_sane(&cfi, at);
	all = fg_cfi_are_sane(&cfi);
	assert_int_equal(one, all);
	fg_buf_release(&b);
	fg_buf_release(&rest);
	return one;
}

#define CIE FG_STR("\1zR\0\1\170\20\1\033\14\7\10\220\1")
#define FDE FG_STR("\0\0\0\0\20\0\0\0\0")

static void test_wrong_instructions_are_rejected(void **data)
{
	static const struct program programs[] = {
		PROGRAM("", true),
		PROGRAM("\101\16\20\206\2\103\15\6\134\14\7\10\306\0", true),
		PROGRAM("\7\3\10\4\11\5\6\6\3", true),
		PROGRAM("\7\377\7", true), /* register 1023 */
		PROGRAM("\7\200\10", false),
		PROGRAM("\7\377\377\377\77", false),
		PROGRAM("\5\200\10\1", false),
		PROGRAM("\20\200\10\1\0", false),
		PROGRAM("\14\200\10\1", false),
		PROGRAM("\2\1\3\1\0\4\1\0\0\0", true),
		PROGRAM("\4\1\0\0", false), /* cut off */
		PROGRAM("\17\3\7\7\7\20\6\1\7\26\6\1\7", true),
		PROGRAM("\17\4\7\7\7", false),
		/*
		 * like in a PLT, in a frame of a signal; operands that look like jumps
		 */
		PROGRAM("\17\13\167\10\200\0\77\32\73\52\63\44\42", true),
		PROGRAM("\20\6\3\167\50\6", true),
		PROGRAM("\20\6\6\222\7\50\43\57\226", true),
		PROGRAM("\20\6\14\10\50\12\50\57\14\50\57\50\57\25\50", true),
		PROGRAM("\20\6\11\16\50\57\50\57\50\57\50\57", true),
		PROGRAM("\20\6\4\226\57\374\377", false),
		PROGRAM("\20\6\5\167\50\50\374\377", false),
		PROGRAM("\26\6\4\226\57\374\377", false),
		PROGRAM("\20\6\6\167\50\50\1\0\226", true), /* jumps forward */
		PROGRAM("\20\6\4\340\57\374\377", true), /* unknown operation */
		PROGRAM("\21\6\177\22\7\10\23\10\24\6\1\25\6\1", true),
		PROGRAM("\55\56\20\57\6\1", true),
		PROGRAM("\35\0\0\0\0\0\0\0\0", false), /* for another machine */
		PROGRAM("\1\0\0\0\0", false), /* never used */
		PROGRAM("\77", false),
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(programs); i++) {
		const struct program *p = &programs[i];

		assert_int_equal(is_sane(CIE, FDE, fg_str_of(p->bytes, p->len)),
				 p->is_sane);
	}
}

/* We evaluate an expression for each register of each frame, so it has a limit. */
static void test_expressions_have_a_limit(void **data)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	fg_buf_add(&b, "\20\6\200\2", 4);
	for (int i = 0; i < 256; i++)
		fg_buf_add_char(&b, '\60');
	assert_true(is_sane(CIE, FDE, fg_buf_str(&b)));
	b.ptr[2]++;
	fg_buf_add_char(&b, '\60');
	assert_false(is_sane(CIE, FDE, fg_buf_str(&b)));
	fg_buf_release(&b);
}

/* Any number may follow each other, and 64 may be nested. */
static void test_nested_states_have_a_limit(void **data)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	for (int i = 0; i < 200; i++)
		fg_buf_add(&b, "\12\13", 2);
	assert_true(is_sane(CIE, FDE, fg_buf_str(&b)));
	for (int i = 0; i < 64; i++)
		fg_buf_add_char(&b, '\12');
	assert_true(is_sane(CIE, FDE, fg_buf_str(&b)));
	fg_buf_add_char(&b, '\12');
	assert_false(is_sane(CIE, FDE, fg_buf_str(&b)));
	fg_buf_release(&b);
}

/* We read an entry for each frame, so its length has a limit. */
static void test_entries_have_a_limit(void **data)
{
	const size_t head = 4 + 4 + 9; /* length, place of the CIE, FDE */
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	while (b.len < 65536 - head)
		fg_buf_add_char(&b, '\0');
	assert_true(is_sane(CIE, FDE, fg_buf_str(&b)));
	fg_buf_add_char(&b, '\0');
	assert_false(is_sane(CIE, FDE, fg_buf_str(&b)));
	fg_buf_release(&b);
}

/* Checks so many FDEs, which use one CIE or two in turn, with so many instructions. */
static bool are_sane(size_t fdes, size_t cies, size_t instructions)
{
	unsigned char ident[EI_NIDENT] = { [EI_CLASS] = ELFCLASS64,
					   [EI_DATA] = is_little_endian() ?
							       ELFDATA2LSB :
							       ELFDATA2MSB };
	struct fg_cfi cfi = { .ident = ident, .is_eh = true };
	struct fg_buf b = FG_BUF_INIT, cie = FG_BUF_INIT;
	bool sane;

	fg_buf_add_str(&cie, CIE);
	while (cie.len < instructions)
		fg_buf_add_char(&cie, '\0');
	add_entry(&b, fg_buf_str(&cie), 0);
	add_entry(&b, fg_buf_str(&cie), 0);
	for (size_t i = 0; i < fdes; i++) {
		size_t at = i % cies * (cie.len + 8);

		add_entry(&b, FDE, (uint32_t)(b.len + 4 - at));
	}
	cfi.data = (Elf_Data){ .d_buf = b.ptr, .d_size = b.len };
	cfi.left = FG_CFI_TIMES * (uint64_t)b.len;
	sane = fg_cfi_are_sane(&cfi);
	fg_buf_release(&b);
	fg_buf_release(&cie);
	return sane;
}

/* The CIEs of compilers are short, so it does not matter how often we read them. */
static void test_rereading_long_entries_has_a_limit(void **data)
{
	(void)data;
	assert_true(are_sane(1000, 2, 20));
	assert_true(are_sane(1000, 1, 20000));
	assert_false(are_sane(1000, 2, 20000));
}

static void test_unknown_augmentations_are_rejected(void **data)
{
	static const struct {
		struct fg_str cie, fde;
		bool is_sane;
	} cases[] = {
		{ FG_STR_INIT("\1\0\1\170\20"),
		  FG_STR_INIT("\0\0\0\0\0\0\0\0\20\0\0\0\0\0\0\0"), true },
		{ FG_STR_INIT("\1zRS\0\1\170\20\1\033"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\0"), true },
		{ FG_STR_INIT("\1zRB\0\1\170\20\1\033"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\0"), true },
		{ FG_STR_INIT("\1zPLR\0\1\170\20\7\233\0\0\0\0\033\033"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\4\0\0\0\0"), true },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\012"), FG_STR_INIT("\7\200\10\0\0"),
		  true },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\113"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\0"), true },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\014"),
		  FG_STR_INIT("\0\7\200\10\0\0\0\0\20\0\0\0\0\0\0\0\0"), true },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\377"), FG_STR_INIT("\0\0"), false },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\120"),
		  FG_STR_INIT("\0\0\0\0\0\0\0\0\20\0\0\0\0\0\0\0\0"), false },
		{ FG_STR_INIT("\1zR\0\1\170\20\1\001"), FG_STR_INIT("\0\0\0"), false },
		{ FG_STR_INIT("\1zX\0\1\170\20\1\033"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\0"), false },
		{ FG_STR_INIT("\1X\0\1\170\20"), FG_STR_INIT("\0\0\0\0"), false },
		/* the CIE has a wrong instruction */
		{ FG_STR_INIT("\1zR\0\1\170\20\1\033\7\200\10"),
		  FG_STR_INIT("\0\0\0\0\20\0\0\0\0"), false },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_int_equal(is_sane(cases[i].cie, cases[i].fde, FG_STR("\7\3")),
				 cases[i].is_sane);
		assert_false(is_sane(cases[i].cie, cases[i].fde, FG_STR("\7\200\10")));
	}
}

/* ---- binaries */

#define IN_WEAVE 0x4001bd
#define IN_WORK 0x40020d

/* Checks the rules that an image has: 'n'one, or those of 'w'ork and w'e'ave. */
static void check_image(struct fg_str bytes, enum fg_cfi_rules wants, const char *want)
{
	struct fg_elf *e = fg_elf_open_image(bytes);
	struct fg_cfi_image image;
	struct fg_buf got = FG_BUF_INIT;

	assert_non_null(e);
	if (fg_cfi_image_open(&image, e, wants)) {
		fg_buf_add_char(&got, 'n');
	} else {
		if (fg_cfi_image_ask(&image, IN_WORK))
			fg_buf_add_char(&got, 'w');
		if (fg_cfi_image_ask(&image, IN_WEAVE))
			fg_buf_add_char(&got, 'e');
		fg_cfi_image_close(&image);
	}
	assert_string_equal(fg_buf_cstr(&got), want);
	fg_elf_close(e);
	fg_buf_release(&got);
}

/*
 * Checks all ways to open an image: all rules or those asked for, with an index or not.
 */
static void check_images(const struct fg_buf *loom, const char *asked, const char *all)
{
	struct fg_str bytes = fg_buf_str(loom);
	static const char index[] = { 0x50, (char)0xe5, 0x74, 0x64 };
	char *header = loom->ptr + sizeof(Elf64_Ehdr);

	check_image(bytes, FG_CFI_RULES_ASKED, asked);
	check_image(bytes, FG_CFI_RULES_ALL, all);
	while (memcmp(header, index, sizeof(index)) != 0)
		header += sizeof(Elf64_Phdr);
	memset(header, 0, sizeof(index));
	check_image(bytes, FG_CFI_RULES_ASKED, all);
	check_image(bytes, FG_CFI_RULES_ALL, all);
	memcpy(header, index, sizeof(index));
}

static void test_wrong_rules_of_an_image_are_left_out(void **data)
{
	struct fg_elf_section frames, index;
	struct fg_elf *e;
	struct fg_buf loom = FG_BUF_INIT;
	char *program, *table;
	char start[4];

	(void)data;
	if (!is_little_endian()) /* the sections are little-endian */
		skip();
	e = fg_elf_open(open(LOOM, O_RDONLY | O_CLOEXEC));
	assert_non_null(e);
	frames = fg_elf_section(e, ".eh_frame");
	index = fg_elf_section(e, ".eh_frame_hdr");
	assert_true(file_read(LOOM, &loom));
	check_images(&loom, "we", "we");
	/* The index is out of order, so we use the section. */
	table = loom.ptr + index.header.sh_offset + 12;
	memcpy(start, table, 4);
	memcpy(table, table + 16, 4);
	check_images(&loom, "we", "we");
	memcpy(table, start, 4);
	/* After a CIE and an FDE comes that of work; we change its instructions. */
	program = loom.ptr + frames.header.sh_offset + 24 + 20 + 17;
	memcpy(program, "\7\377\377\377\77", 5);
	check_images(&loom, "e", "n");
	fg_elf_close(e);
	fg_buf_release(&loom);
}

#endif

int main(void)
{
#ifdef FG_HAVE_LIBDW
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_instructions_are_rejected),
		cmocka_unit_test(test_expressions_have_a_limit),
		cmocka_unit_test(test_nested_states_have_a_limit),
		cmocka_unit_test(test_entries_have_a_limit),
		cmocka_unit_test(test_rereading_long_entries_has_a_limit),
		cmocka_unit_test(test_unknown_augmentations_are_rejected),
		cmocka_unit_test(test_wrong_rules_of_an_image_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return skip_without("libdw");
#endif
}

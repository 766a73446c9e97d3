/* Tests of collapse/symbols: limits for tables of debug information. */
#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <fcntl.h>

#include "collapse/symbols/dwarf.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/inlines.h"
#include "collapse/symbols/linetable.h"

#define LOOM                                      \
	"tests/data/perfdata/cache/.build-id/e5/" \
	"8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* The program loom, and the variant that a test makes. */
struct loom {
	struct fg_elf *elf, *made;
	struct fg_buf image;
};

static void loom_init(struct loom *loom)
{
	memset(loom, 0, sizeof(*loom));
	loom->elf = fg_elf_open(open(LOOM, O_RDONLY | O_CLOEXEC));
	assert_non_null(loom->elf);
	assert_true(file_read(LOOM, &loom->image));
}

static void loom_release(struct loom *loom)
{
	fg_elf_close(loom->made);
	fg_elf_close(loom->elf);
	fg_buf_release(&loom->image);
}

/* Adds a number, the low byte first, like in loom. */
static void add_number(struct fg_buf *b, uint64_t number, size_t size)
{
	for (size_t i = 0; i < size; i++)
		fg_buf_add_char(b, (char)(number >> 8 * i & 0xff));
}

/* Returns the header of a section in the image. */
static char *header_of(struct loom *loom, const char *name)
{
	struct fg_elf_section s = fg_elf_section(loom->elf, name);

	assert_non_null(s.scn);
	return loom->image.ptr + loom->elf->header.e_shoff +
	       elf_ndxscn(s.scn) * loom->elf->header.e_shentsize;
}

/* Replaces the bytes of a section; puts the new ones at the end. */
static void put_section(struct loom *loom, const char *name, struct fg_str bytes)
{
	struct fg_buf place = FG_BUF_INIT;
	char *header = header_of(loom, name);

	add_number(&place, loom->image.len, 8);
	add_number(&place, bytes.len, 8);
	memcpy(header + offsetof(Elf64_Shdr, sh_offset), place.ptr, place.len);
	fg_buf_release(&place);
	fg_buf_add_str(&loom->image, bytes);
}

static struct fg_inlines *open_made(struct loom *loom)
{
	loom->made = fg_elf_open_image(fg_buf_str(&loom->image));
	assert_non_null(loom->made);
	return fg_inlines_open(loom->made, NULL);
}

static void add_uleb(struct fg_buf *b, size_t number)
{
	for (; number > 127; number >>= 7)
		fg_buf_add_char(b, (char)(number | 128));
	fg_buf_add_char(b, (char)number);
}

static void add_folder(struct fg_buf *b, size_t len)
{
	fg_buf_reserve(b, len);
	memset(b->ptr + b->len, 'd', len);
	b->len += len;
}

struct lines {
	size_t folder; /* length of the folder's name */
	size_t files; /* files "f" in the folder */
	size_t defined; /* files "g" in it that the line program adds */
	unsigned version;
	bool is_wide; /* the table has 64 bits */
};

#define FOLDER_AT 200

static void add_files(struct fg_buf *header, const struct lines *l)
{
	static const char sum_and_more[] = "\0sum of 16 bytes.\200\1\4\0\0\0";
	size_t offset_size = l->is_wide ? 8 : 4;

	if (l->version < 5) {
		add_folder(header, l->folder);
		fg_buf_add(header, "\0", 2);
		for (size_t i = 0; i < l->files; i++)
			fg_buf_add(header, "f\0\1\0", 5);
		fg_buf_add_char(header, '\0');
		return;
	}
	/* a name, a folder, a sum, a time, a size */
	fg_buf_add(header, "\1\1\037\1", 4);
	add_number(header, FOLDER_AT, offset_size);
	fg_buf_add(header, "\5\1\037\2\013\5\036\3\017\4\6", 11);
	add_uleb(header, l->files);
	for (size_t i = 0; i < l->files; i++) {
		add_number(header, FOLDER_AT + l->folder + 1, offset_size);
		fg_buf_add(header, sum_and_more, sizeof(sum_and_more) - 1);
	}
}

/* Adds a table that gives line 3 to all code. */
static void add_table(struct fg_buf *b, const struct lines *l)
{
	static const char start[] = "\1\1\373\016\015\0\1\1\1\1\0\0\0\1\0\0\1";
	static const char code[] = "\0\011\2\200\1\100\0\0\0\0\0\3\2\1\2\316\1\0\1\1";
	struct fg_buf header = FG_BUF_INIT, rest = FG_BUF_INIT;
	size_t offset_size = l->is_wide ? 8 : 4;

	if (l->version >= 4)
		fg_buf_add_char(&header, '\1');
	fg_buf_add(&header, start, sizeof(start) - 1);
	add_files(&header, l);
	fg_buf_add_char(&rest, (char)l->version);
	fg_buf_add(&rest, "\0\010", l->version < 5 ? 1 : 3);
	add_number(&rest, header.len, offset_size);
	fg_buf_add_str(&rest, fg_buf_str(&header));
	for (size_t i = 0; i < l->defined; i++)
		fg_buf_add(&rest, "\0\6\3g\0\0\0", 8);
	fg_buf_add(&rest, code, sizeof(code) - 1);
	if (l->is_wide)
		add_number(b, UINT32_MAX, 4);
	add_number(b, rest.len, offset_size);
	fg_buf_add_str(b, fg_buf_str(&rest));
	fg_buf_release(&header);
	fg_buf_release(&rest);
}

/* Adds .debug_line_str. The compiler's folder, at its start, has an empty name. */
static void add_texts(struct fg_buf *b, size_t folder)
{
	for (size_t i = 0; i < FOLDER_AT; i++)
		fg_buf_add_char(b, '\0');
	add_folder(b, folder);
	fg_buf_add(b, "\0f", 3);
}

/* Gives loom a table of lines. */
static void put_lines(struct loom *loom, const struct lines *l)
{
	struct fg_buf table = FG_BUF_INIT, texts = FG_BUF_INIT;

	add_table(&table, l);
	add_texts(&texts, l->folder);
	put_section(loom, ".debug_line", fg_buf_str(&table));
	put_section(loom, ".debug_line_str", fg_buf_str(&texts));
	fg_buf_release(&table);
	fg_buf_release(&texts);
}

static void check_at(struct fg_inlines *in, uint64_t address, const char *want)
{
	struct fg_inlined list[FG_INLINES_MAX];
	size_t count = fg_inlines_at(in, address, FG_INLINES_LINES, list);
	struct fg_buf got = FG_BUF_INIT;

	for (size_t i = 0; i < count; i++)
		fg_buf_addf(&got, "%s%s:%d", i ? " " : "",
			    list[i].file ? list[i].file : "", list[i].line);
	check_str(fg_buf_str(&got), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_release(&got);
}

static void check_lines(const struct lines *l, const char *want)
{
	struct loom loom;
	struct fg_inlines *in;

	loom_init(&loom);
	put_lines(&loom, l);
	in = open_made(&loom);
	assert_non_null(in);
	check_at(in, 0x4001bd, want);
	check_at(in, 0x4001bd, want);
	assert_int_equal(fg_inlines_inflate(in), want[0] == ':');
	fg_inlines_close(in);
	loom_release(&loom);
}

static void test_lines_that_unpack_to_too_much_are_not_read(void **data)
{
	static const struct lines few[] = {
		{ .version = 3, .folder = 20, .files = 20 },
		{ .version = 5, .folder = 20, .files = 2 },
		{ .version = 5, .folder = 20, .files = 2, .defined = 10 },
	};
	static const struct lines many[] = {
		{ .version = 3, .folder = 100000, .files = 20000 },
		{ .version = 3, .folder = 100000, .files = 2, .defined = 20000 },
		{ .version = 5, .folder = 100000, .files = 20000 },
		{ .version = 5, .folder = 100000, .files = 2, .defined = 20000 },
		{ .version = 5, .folder = 100000, .files = 20000, .is_wide = true },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(few); i++)
		check_lines(&few[i], "f:3 f:20 f:27");
	for (size_t i = 0; i < COUNT_OF(many); i++)
		check_lines(&many[i], ":0 :0 :0");
}

/* Opens loom with libdw directly, without our checks. */
static Dwarf *open_unit(struct loom *loom, Dwarf_Die *unit)
{
	Dwarf_Off next;
	size_t header;
	Dwarf *dwarf;

	loom->made = fg_elf_open_image(fg_buf_str(&loom->image));
	assert_non_null(loom->made);
	dwarf = dwarf_begin_elf(loom->made->elf, DWARF_C_READ, NULL);
	assert_int_equal(dwarf_nextcu(dwarf, 0, &next, &header, NULL, NULL, NULL), 0);
	assert_non_null(dwarf_offdie(dwarf, header, unit));
	return dwarf;
}

/* libdw 0.192 to 0.196 finds no lines in tables of 64 bits; 0.188 does. */
static void test_lines_of_64_bits_are_read(void **data)
{
	static const struct lines few[] = {
		{ .version = 3, .folder = 20, .files = 20, .is_wide = true },
		{ .version = 5, .folder = 20, .files = 2, .is_wide = true },
	};
	struct loom loom;
	Dwarf_Die unit;
	Dwarf *dwarf;
	bool finds_lines;

	(void)data;
	loom_init(&loom);
	put_lines(&loom, &few[0]);
	dwarf = open_unit(&loom, &unit);
	finds_lines = dwarf_getsrc_die(&unit, 0x4001bd);
	dwarf_end(dwarf);
	loom_release(&loom);
	if (!finds_lines)
		skip();
	for (size_t i = 0; i < COUNT_OF(few); i++)
		check_lines(&few[i], "f:3 f:20 f:27");
}

/*
 * Returns how often, up to `most`, the lines of loom's first unit may be read if its
 * file has `size` bytes.
 */
static size_t times_read(struct loom *loom, size_t most, uint64_t size)
{
	struct fg_linetable_left left;
	size_t times = 0;
	Dwarf_Die unit;
	Dwarf *dwarf = open_unit(loom, &unit);

	left = fg_linetable_left(dwarf, size);
	while (times < most && fg_linetable_may_be_read(&left, dwarf, &unit, 0))
		times++;
	dwarf_end(dwarf);
	return times;
}

/* If units share a table, libdw reads it once for each. */
static void test_rereading_a_table_has_a_limit(void **data)
{
	const struct lines lines = { .version = 3, .folder = 20, .files = 2000 };
	struct loom loom;

	(void)data;
	loom_init(&loom);
	put_lines(&loom, &lines);
	assert_int_equal(times_read(&loom, 10, loom.image.len), 2);
	loom_release(&loom);
}

/*
 * A line of one byte takes 100 in memory, and a file may unpack to 1000 times its size.
 */
static void test_tables_larger_than_their_file_have_a_limit(void **data)
{
	const struct lines lines = { .version = 3, .files = 500000 };
	struct loom loom;

	(void)data;
	loom_init(&loom);
	put_lines(&loom, &lines);
	assert_int_equal(times_read(&loom, 1, loom.image.len), 1);
	fg_elf_close(loom.made);
	assert_int_equal(times_read(&loom, 1, 1000), 0);
	loom_release(&loom);
}

/* Returns true if loom's first unit has a name, in a section of one long string. */
static bool has_name(size_t len)
{
	struct fg_buf texts = FG_BUF_INIT;
	Dwarf_Attribute name;
	struct loom loom;
	Dwarf_Die unit;
	Dwarf *dwarf;
	bool has;

	add_folder(&texts, len);
	fg_buf_add_char(&texts, '\0');
	loom_init(&loom);
	put_section(&loom, ".debug_line_str", fg_buf_str(&texts));
	loom.made = fg_elf_open_image(fg_buf_str(&loom.image));
	assert_non_null(loom.made);
	dwarf = dwarf_begin_elf(loom.made->elf, DWARF_C_READ, NULL);
	assert_non_null(dwarf_offdie(dwarf, 12, &unit));
	assert_non_null(dwarf_attr(&unit, DW_AT_name, &name));
	assert_int_equal(dwarf_whatform(&name), DW_FORM_line_strp);
	has = fg_dwarf_text(&name);
	dwarf_end(dwarf);
	loom_release(&loom);
	fg_buf_release(&texts);
	return has;
}

static void test_a_name_has_a_limit(void **data)
{
	(void)data;
	assert_true(has_name(65536));
	assert_false(has_name(66000));
}

/* Checks lines of version 5 whose files have two values, of any form. */
static bool may_be_read(unsigned form, struct fg_str value, unsigned other,
			struct fg_str other_value, size_t files)
{
	struct fg_buf table = FG_BUF_INIT, rest = FG_BUF_INIT, texts = FG_BUF_INIT;
	struct loom loom;
	bool may_be;

	fg_buf_add(&rest, "\5\0\10\0\0\0\0\0\1\1\1\373\16\1", 14);
	fg_buf_add(&rest, "\1\1\10\1\0", 5); /* a folder without a name */
	fg_buf_add(&rest, "\2\4", 2);
	add_uleb(&rest, form);
	fg_buf_add_char(&rest, '\1');
	add_uleb(&rest, other);
	add_uleb(&rest, files);
	for (size_t i = 0; i < files; i++) {
		fg_buf_add_str(&rest, value);
		fg_buf_add_str(&rest, other_value);
	}
	add_number(&table, rest.len, 4);
	fg_buf_add_str(&table, fg_buf_str(&rest));
	add_texts(&texts, 100000);
	loom_init(&loom);
	put_section(&loom, ".debug_line", fg_buf_str(&table));
	put_section(&loom, ".debug_line_str", fg_buf_str(&texts));
	may_be = times_read(&loom, 1, loom.image.len);
	loom_release(&loom);
	fg_buf_release(&table);
	fg_buf_release(&rest);
	fg_buf_release(&texts);
	return may_be;
}

/* We have to skip values of any form to find the name of a file. */
static void test_values_of_all_forms_are_skipped(void **data)
{
	static const struct {
		unsigned form;
		struct fg_str value;
	} forms[] = {
		{ DW_FORM_data1, FG_STR_INIT("\177") },
		{ DW_FORM_data2, FG_STR_INIT("\177\177") },
		{ DW_FORM_data4, FG_STR_INIT("\177\177\177\177") },
		{ DW_FORM_data8, FG_STR_INIT("\177\177\177\177\177\177\177\177") },
		{ DW_FORM_data16,
		  FG_STR_INIT("\177\177\177\177\177\177\177\177\177\177\177\177\177"
			      "\177\177\177") },
		{ DW_FORM_udata, FG_STR_INIT("\377\177") },
		{ DW_FORM_block, FG_STR_INIT("\3\177\177\177") },
		{ DW_FORM_string, FG_STR_INIT("\177\177\0") },
		{ DW_FORM_strp, FG_STR_INIT("\177\177\177\177") },
		{ DW_FORM_line_strp, FG_STR_INIT("\177\177\177\177") },
	};
	const struct fg_str empty = FG_STR("\0"), name = FG_STR("\310\0\0\0");

	(void)data;
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		assert_true(may_be_read(forms[i].form, forms[i].value, DW_FORM_block,
					empty, 100));
		assert_false(may_be_read(forms[i].form, forms[i].value,
					 DW_FORM_line_strp, name, 600));
	}
	assert_false(may_be_read(DW_FORM_addr, name, DW_FORM_block, empty, 1));
}

/* ---- abbreviations */

/*
 * Opens loom with so many units, which share a table and use its last abbreviation.
 * Many other bytes follow the table, and strings that look like a table.
 */
static bool opens(size_t units, uint32_t abbrevs, size_t attributes)
{
	static const char header[] = "\5\0\1\10\0\0\0";
	struct fg_buf table = FG_BUF_INIT, info = FG_BUF_INIT, unit = FG_BUF_INIT;
	struct fg_buf texts = FG_BUF_INIT;
	struct fg_inlines *in;
	struct loom loom;
	bool are_few;

	for (uint32_t code = 1; code <= abbrevs; code++) {
		add_uleb(&table, code);
		fg_buf_add(&table, "\21", 2);
		for (size_t i = 0; i < attributes; i++)
			fg_buf_add(&table, "\1", 2);
		fg_buf_add(&table, "\0", 2);
	}
	fg_buf_add_char(&table, '\0');
	add_folder(&table, 100000);
	add_folder(&texts, 100000);
	fg_buf_add_char(&texts, '\0');
	fg_buf_add(&unit, header, sizeof(header));
	add_uleb(&unit, abbrevs);
	for (size_t i = 0; i < units; i++) {
		add_number(&info, unit.len, 4);
		fg_buf_add_str(&info, fg_buf_str(&unit));
	}
	loom_init(&loom);
	put_section(&loom, ".debug_abbrev", fg_buf_str(&table));
	put_section(&loom, ".debug_info", fg_buf_str(&info));
	put_section(&loom, ".debug_str", fg_buf_str(&texts));
	in = open_made(&loom);
	are_few = in;
	assert_true(in || errno == EFBIG);
	fg_inlines_close(in);
	loom_release(&loom);
	fg_buf_release(&table);
	fg_buf_release(&info);
	fg_buf_release(&unit);
	fg_buf_release(&texts);
	return are_few;
}

static void test_units_with_too_many_abbreviations_are_rejected(void **data)
{
	(void)data;
	assert_true(opens(20, 2000, 0));
	assert_true(opens(2000, 20, 0));
	assert_false(opens(2000, 2000, 0));
	assert_false(opens(2000, 1, 4000));
}

/* Each look-up of an attribute goes through all of its abbreviation. */
static void test_an_abbreviation_with_many_attributes_is_rejected(void **data)
{
	(void)data;
	assert_true(opens(1, 1, 256));
	assert_false(opens(1, 1, 257));
}

/* Each has one byte, but libdw keeps as much data for it as for others. */
static void test_too_many_empty_units_are_rejected(void **data)
{
	(void)data;
	assert_true(opens(50000, 0, 0));
	assert_false(opens(200000, 0, 0));
}

/* Some tools keep only the headers of sections. */
static void test_a_section_may_have_no_bytes(void **data)
{
	struct loom loom;

	(void)data;
	loom_init(&loom);
	header_of(&loom, ".debug_str")[offsetof(Elf64_Shdr, sh_type)] = SHT_NOBITS;
	fg_inlines_close(open_made(&loom));
	loom_release(&loom);
}
#endif

int main(void)
{
#ifdef FG_HAVE_LIBDW
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_that_unpack_to_too_much_are_not_read),
		cmocka_unit_test(test_lines_of_64_bits_are_read),
		cmocka_unit_test(test_rereading_a_table_has_a_limit),
		cmocka_unit_test(test_a_name_has_a_limit),
		cmocka_unit_test(test_tables_larger_than_their_file_have_a_limit),
		cmocka_unit_test(test_values_of_all_forms_are_skipped),
		cmocka_unit_test(test_units_with_too_many_abbreviations_are_rejected),
		cmocka_unit_test(test_an_abbreviation_with_many_attributes_is_rejected),
		cmocka_unit_test(test_too_many_empty_units_are_rejected),
		cmocka_unit_test(test_a_section_may_have_no_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return skip_without("libdw");
#endif
}

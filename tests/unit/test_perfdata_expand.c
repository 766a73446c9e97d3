/* Tests of collapse/formats/perf/data/expand: inlined functions with long names. */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "collapse/formats/perf/data/expand.h"
#include "lib/base/longnames.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
#include "collapse/symbols/elffile.h"
#endif

#define CACHE "tests/data/perfdata/cache"
#define LOOM CACHE "/.build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* Demangled, these 167 bytes are 61,000. All such names together may have 64 MB. */
#define LONG_NAME                                                              \
	"_Z1fI1aI30xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxS1_S1_S1_S1_S1_S1_S1_S1_S1_E" \
	"S0_IS2_S2_S2_S2_S2_S2_S2_S2_S2_S2_E"                                  \
	"S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_Evv"

struct long_names {
	size_t plain, mangled, without_line;
};

static bool want_frames(void *data, const struct fg_perfdata_sample *sample)
{
	(void)data;
	(void)sample;
	return true;
}

static void count_long_name(void *data, const struct fg_perfdata_frame *frame)
{
	struct long_names *names = data;

	names->plain += fg_str_has(frame->symbol, FG_STR("f<a<"));
	names->mangled += fg_str_starts(frame->symbol, FG_STR("_Z1f"));
	names->without_line += frame->symbol.len > 1000 && !frame->source.len;
}

static void take_end(void *data)
{
	(void)data;
}

/* Records samples at many addresses in functions with the long name, in many files. */
static void record_long_name(struct recording *r, struct folder *folder, uint32_t files)
{
	static const char knot[] = "_ZN4loom4knotEj";
	struct fg_buf image = FG_BUF_INIT;
	char first[1024], name[16];
	size_t at;

	assert_true(file_read(LOOM, &image));
	at = fg_str_find(fg_buf_str(&image), fg_str_of(knot, sizeof(knot)));
	assert_true(at < image.len);
	memcpy(image.ptr + at, LONG_NAME, sizeof(LONG_NAME));
	snprintf(first, sizeof(first), "%s",
		 folder_write(folder, "loom", fg_buf_str(&image)));
	for (uint32_t i = 0; i < files; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(link(first, folder_path(folder, name)), 0);
		recording_map(r,
			      &(struct recorded_map){ .pid = i + 5,
						      .start = 0x400000,
						      .len = 0x1000,
						      .name = folder_path(folder, name),
						      .misc = 2,
						      .prot = 5 });
		for (uint64_t pc = 0x4001a8; pc < 0x4001c2; pc++)
			recording_at(r, i + 5, pc);
		recording_exit(r, i + 5);
	}
	fg_buf_release(&image);
}

static void read_long_name(unsigned debug, uint32_t files, struct long_names *names,
			   struct caught *caught)
{
	struct recording r;
	struct folder folder;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.debug_folder = "/nonexistent",
		.debug = debug,
		.diag = &caught->diag,
		.sink = { .sample = want_frames,
			  .frame = count_long_name,
			  .end = take_end,
			  .data = names },
	};

	folder_init(&folder);
	recording_init(&r);
	record_long_name(&r, &folder, files);
	pd.head = recording_file(&r);
	assert_int_equal(fg_perfdata_read(&pd), 0);
	/* Without a demangler, all names stay mangled. */
	assert_true(!names->plain || !names->mangled);
	assert_int_equal(names->plain + names->mangled, files * 0x1a);
	recording_release(&r);
	folder_release(&folder);
}

static void test_a_long_name_is_demangled_once(void **data)
{
	struct long_names names = { .plain = 0 };
	struct caught caught;

	(void)data;
	caught_init(&caught);
	read_long_name(FG_PERFDATA_INLINES, 50, &names, &caught);
	assert_int_equal(names.without_line, names.plain);
	caught_release(&caught);
}

/* Each file has its own lines, and each line repeats the name. */
static void test_lines_of_a_long_name_have_a_limit(void **data)
{
	struct long_names names = { .plain = 0 };
	struct caught caught;

	(void)data;
	caught_init(&caught);
	read_long_name(FG_PERFDATA_INLINES | FG_PERFDATA_LINES, 600, &names, &caught);
	if (names.plain) {
		assert_true(names.without_line > 0);
		assert_true(names.without_line < names.plain);
		assert_has(fg_buf_str(&caught.text), " lines are not shown: ");
	}
	caught_release(&caught);
}

#ifdef FG_HAVE_LIBDW
/* Puts a number of eight bytes, the low one first. */
static void put_number(char *to, uint64_t number)
{
	for (unsigned i = 0; i < 8; i++)
		to[i] = (char)(number >> 8 * i & 0xff);
}

/*
 * Writes loom to the folder. An inlined function gets a name of `len` bytes that is not
 * mangled: we copy the strings up to its name to the end of the file, and add the name.
 */
static const char *write_named(struct folder *folder, size_t len)
{
	static const char knot[] = "_ZN4loom4knotEj";
	struct fg_elf *e = fg_elf_open(open(LOOM, O_RDONLY | O_CLOEXEC));
	struct fg_elf_section texts = fg_elf_section(e, ".debug_str");
	struct fg_buf image = FG_BUF_INIT, copy = FG_BUF_INIT;
	const char *path;
	char *header;
	size_t at;

	assert_true(file_read(LOOM, &image));
	header = image.ptr + e->header.e_shoff + 64 * elf_ndxscn(texts.scn);
	at = fg_str_find(fg_buf_str(&image), fg_str_of(knot, sizeof(knot)));
	fg_buf_add(&copy, image.ptr + texts.header.sh_offset,
		   at - texts.header.sh_offset);
	while (len--)
		fg_buf_add_char(&copy, 'k');
	fg_buf_add_char(&copy, '\0');
	put_number(header + offsetof(Elf64_Shdr, sh_offset), image.len);
	put_number(header + offsetof(Elf64_Shdr, sh_size), copy.len);
	fg_buf_add_str(&image, fg_buf_str(&copy));
	fg_buf_release(&copy);
	fg_elf_close(e);
	path = folder_write(folder, "loom", fg_buf_str(&image));
	fg_buf_release(&image);
	return path;
}

/* Checks the name of knot() if long names have `taken` bytes already. */
static void check_name(size_t len, size_t taken, const char *want, uint64_t too_long)
{
	struct fg_pd_resolver resolver;
	struct fg_pd_expander x;
	struct fg_pd_place place = { .address = 0x1bd };
	struct fg_dso_mapped mapped = { .executable = true };
	struct fg_pd_frames frames;
	struct fg_dsos dsos;
	struct folder folder;
	struct fg_str name;
	size_t known;

	folder_init(&folder);
	fg_dsos_init(&dsos, "/nonexistent");
	fg_pd_resolver_init(&resolver, &dsos);
	fg_pd_expander_init(&x, &resolver);
	x.inlined = true;
	assert_true(fg_long_names_add(&resolver.long_names, taken));
	mapped.name = fg_str_from(write_named(&folder, len));
	fg_dsos_of(&dsos, &mapped);
	fg_dso_find(&dsos, &dsos.list[0], place.address);
	for (int again = 0; again < 2; again++) {
		frames = fg_pd_expand(&x, &place, FG_PD_PC_RUNS);
		assert_true(frames.count > 1);
		name = resolver.frames[frames.list[0]].symbol;
		assert_true(fg_str_starts(name, fg_str_from(want)));
		place.address++;
	}
	known = x.texts.count; /* functions at both addresses */
	fg_pd_expand(&x, &place, FG_PD_PC_RUNS);
	assert_int_equal(x.texts.count, known);
	fg_pd_expander_forget_texts(&x);
	place.address++;
	frames = fg_pd_expand(&x, &place, FG_PD_PC_RUNS);
	assert_str_is(resolver.frames[frames.list[0]].symbol, name);
	assert_int_equal(x.texts.count, known);
	assert_int_equal(dsos.too_long, too_long);
	fg_pd_expander_release(&x);
	fg_pd_resolver_release(&resolver);
	fg_dsos_release(&dsos);
	folder_release(&folder);
}

static void test_long_names_that_are_not_mangled_have_a_limit(void **data)
{
	const size_t all = (size_t)64 << 20;

	(void)data;
	check_name(100, all, "kkk", 0);
	check_name(1100, all - 1100, "kkk", 0);
	check_name(1100, all, "[unknown]", 1);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_long_name_is_demangled_once),
		cmocka_unit_test(test_lines_of_a_long_name_have_a_limit),
#ifdef FG_HAVE_LIBDW
		cmocka_unit_test(test_long_names_that_are_not_mangled_have_a_limit),
#endif
	};

#ifdef FG_HAVE_LIBDW
	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	(void)tests;
	return skip_without("libdw");
#endif
}

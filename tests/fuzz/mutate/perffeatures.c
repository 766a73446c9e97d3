/* Generates features of recordings of perf, and the words in recordings. */
#include "tests/fuzz/mutate/perfdata.h"

#include "tests/fuzz/mutate/words.h"

static const char *const words[] = {
	"main",
	"offcpu-time",
	"sched:sched_switch",
	"cycles:u",
	"x86_64",
	"aarch64",
	"6.1.0",
	"/nonexistent/a.so",
	"[vdso]",
	"[heap]",
	"//anon",
	"[kernel.kallsyms]_text",
	"[nf_tables]",
	"[stack]",
	"/nonexistent/m.ko.xz",
	"[kernel.kallsyms]",
	"/tmp/perf-1.map",
	"a b;c",
	"",
	"bpf_prog_0123456789abcdef_x",
	"/memfd:jit (deleted)",
};

/* Build ids of the binaries in tests/data/perfdata/cache, so that frames have names. */
static const char *const build_ids[] = {
	"\xe5\x8d\xf6\x0a\xaa\x49\xaf\x81\x45\x8c"
	"\x51\xd1\x80\x9d\x28\xa5\x4a\xef\x66\x0c",
	"\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24",
};

const char *parts_word(struct parts *p)
{
	return words[random_below(&p->random, FG_COUNT_OF(words))];
}

const char *parts_build_id(struct parts *p)
{
	return build_ids[random_below(&p->random, FG_COUNT_OF(build_ids))];
}

static void put_sized(struct fg_buf *b, const char *text)
{
	put64(b, strlen(text));
	fg_buf_add(b, text, strlen(text));
}

static void put_tracing_data(struct parts *p, struct fg_buf *b)
{
	static const char *const fields[] = {
		"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n",
		"\tfield:pid_t next_pid;\toffset:16;\tsize:4;\tsigned:1;\n",
		"\tfield:u8 small;\toffset:20;\tsize:1;\tsigned:0;\n",
		"\tfield:s16 below;\toffset:22;\tsize:2;\tsigned:1;\n",
		"\tfield:const void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n",
		"\tfield:long args[2];\toffset:32;\tsize:16;\tsigned:0;\n",
		"\tfield:__data_loc char[] file;\toffset:0;\tsize:4;\tsigned:0;\n",
		"\tfield:__rel_loc char[] near;\toffset:4;\tsize:4;\tsigned:0;\n",
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n",
		"\tfield:*;\toffset:;\tsize:3;\n",
	};
	struct fg_buf format = FG_BUF_INIT;

	fg_buf_add(b, "\027\010Dtracing0.6\0\0\010\0\020\0\0", 20);
	fg_buf_add(b, "header_page", 12);
	put_sized(b, "page");
	fg_buf_add(b, "header_event", 13);
	put_sized(b, "");
	put32(b, 1);
	put_sized(b, "name: ftrace\nID: 1\nformat:\n");
	put32(b, 2);
	for (unsigned i = 0; i < 2; i++) {
		fg_buf_add(b, i ? "sched" : "app", i ? 6 : 4);
		put32(b, 1);
		fg_buf_clear(&format);
		fg_buf_addf(&format, "name: %s\nID: %u\nformat:\n", parts_word(p), i);
		for (size_t k = random_below(&p->random, 9); k > 0; k--)
			fg_buf_addf(
				&format, "%s",
				fields[random_below(&p->random, FG_COUNT_OF(fields))]);
		fg_buf_addf(&format, "\nprint fmt: \"\"\n");
		put_sized(b, fg_buf_cstr(&format));
	}
	fg_buf_release(&format);
}

static void put_event_desc(struct parts *p, struct fg_buf *b)
{
	size_t count = 1 + random_below(&p->random, 3);

	put32(b, (uint32_t)count);
	put32(b, PART_ATTR_SIZE);
	for (size_t i = 0; i < count; i++) {
		size_t ids = random_below(&p->random, 3);

		for (size_t k = 0; k < PART_ATTR_SIZE; k++)
			fg_buf_add_char(b, '\0');
		put32(b, (uint32_t)ids);
		put_string(b, parts_word(p));
		for (; ids > 0; ids--)
			put64(b, random_below(&p->random, 8));
	}
}

void parts_put_build_id(struct parts *p, struct fg_buf *b)
{
	put32(b, UINT32_MAX);
	fg_buf_add(b, parts_build_id(p), 20);
	put32(b, random_one_in(&p->random, 8) ? 255 : 20);
	put_text(b, parts_word(p));
}

static void put_build_ids(struct parts *p, struct fg_buf *b)
{
	for (size_t i = random_below(&p->random, 4); i > 0; i--) {
		struct fg_buf body = FG_BUF_INIT;

		parts_put_build_id(p, &body);
		put32(b, 0);
		put16(b, (uint16_t)(1 + random_below(&p->random, 2) + (1U << 15)));
		put16(b, (uint16_t)(body.len + 8));
		fg_buf_add_str(b, fg_buf_str(&body));
		fg_buf_release(&body);
	}
}

struct part parts_make_feature(struct parts *p)
{
	static const unsigned char numbers[] = { 1, 2, 4, 6, 11, 12, 29, 129 };
	struct part part = { .kind = PART_FEATURE };
	struct fg_buf b = FG_BUF_INIT;

	part.type = numbers[random_below(&p->random, FG_COUNT_OF(numbers))];
	switch (part.type) {
	case 1:
		put_tracing_data(p, &b);
		break;
	case 2:
		put_build_ids(p, &b);
		break;
	case 11:
		put32(&b, 2);
		put_string(&b, "perf");
		put_string(&b, parts_word(p));
		break;
	case 12:
		put_event_desc(p, &b);
		break;
	case 29:
		for (size_t i = 0; i < 4; i++)
			put64(&b, random_number(&p->random));
		break;
	case 129:
		fg_buf_addf(&b, "event_type_info%csched:%s,2,%zu\nx,1,2\n%ckey%c", 0,
			    parts_word(p), random_below(&p->random, 4), 0, 0);
		break;
	default:
		put_string(&b, parts_word(p));
	}
	part.body = parts_keep(p, &b);
	return part;
}

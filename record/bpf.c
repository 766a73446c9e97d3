/* Describes the BPF programs that are loaded. */
#define _GNU_SOURCE /* for syscall */
#include "record/bpf.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/xalloc.h"
#include "record/records.h"

#define TYPE_KSYMBOL 17
#define TYPE_BPF_EVENT 18
#define KSYMBOL_BPF 1
#define BPF_EVENT_LOADED 1

/* We do not believe that a program has more functions. */
#define FUNCTIONS_MAX 65536

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/*
 * Sets *id to the id of the next program. Returns false if there is none, or if we may
 * not list programs.
 */
static bool next_program(uint32_t *id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = *id;
	if (bpf(BPF_PROG_GET_NEXT_ID, &attr))
		return false;
	*id = attr.next_id;
	return true;
}

static int open_program(uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	return bpf(BPF_PROG_GET_FD_BY_ID, &attr);
}

static bool ask(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(*info);
	attr.info.info = (uintptr_t)info;
	return !bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* Appends a name like the kernel's, "bpf_prog_59f4a931744dcdc6_main". */
static void add_name(struct fg_buf *b, const uint8_t *tag, const char *function)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_addf(&name, "bpf_prog_");
	for (size_t i = 0; i < BPF_TAG_SIZE; i++)
		fg_buf_addf(&name, "%02x", tag[i]);
	if (*function)
		fg_buf_addf(&name, "_%.*s", BPF_OBJ_NAME_LEN, function);
	fg_put_padded(b, fg_buf_str(&name));
	fg_buf_release(&name);
}

/* Writes where the code of function `i` is. Only the first one's name is known. */
static void add_function(struct fg_existing *x, const struct bpf_prog_info *info,
			 uint32_t i)
{
	const uint64_t *addresses = (const void *)(uintptr_t)info->jited_ksyms;
	const uint32_t *sizes = (const void *)(uintptr_t)info->jited_func_lens;
	size_t start;

	fg_buf_clear(&x->record);
	start = fg_record_start(&x->record, TYPE_KSYMBOL, PERF_RECORD_MISC_KERNEL);
	fg_put64(&x->record, addresses[i]);
	fg_put32(&x->record, sizes[i]);
	fg_put16(&x->record, KSYMBOL_BPF);
	fg_put16(&x->record, 0);
	add_name(&x->record, info->tag, i ? "F" : info->name);
	fg_existing_end(x, start);
}

static void add_event(struct fg_existing *x, const struct bpf_prog_info *info)
{
	size_t start;

	fg_buf_clear(&x->record);
	start = fg_record_start(&x->record, TYPE_BPF_EVENT, PERF_RECORD_MISC_KERNEL);
	fg_put16(&x->record, BPF_EVENT_LOADED);
	fg_put16(&x->record, 0);
	fg_put32(&x->record, info->id);
	fg_buf_add(&x->record, (const char *)info->tag, BPF_TAG_SIZE);
	fg_existing_end(x, start);
}

/* Describes one program. The kernel hides its addresses like those of kallsyms. */
static void add_program(struct fg_existing *x, int fd)
{
	struct bpf_prog_info info;
	uint64_t *addresses;
	uint32_t *sizes, count;

	memset(&info, 0, sizeof(info));
	if (!ask(fd, &info) || info.nr_jited_ksyms != info.nr_jited_func_lens ||
	    info.nr_jited_ksyms > FUNCTIONS_MAX)
		return;
	count = info.nr_jited_ksyms;
	addresses = fg_xcalloc(count, sizeof(*addresses));
	sizes = fg_xcalloc(count, sizeof(*sizes));
	memset(&info, 0, sizeof(info));
	info.nr_jited_ksyms = count;
	info.jited_ksyms = (uintptr_t)addresses;
	info.nr_jited_func_lens = count;
	info.jited_func_lens = (uintptr_t)sizes;
	if (ask(fd, &info) && count && addresses[0]) {
		for (uint32_t i = 0; i < count && i < info.nr_jited_ksyms; i++)
			add_function(x, &info, i);
		add_event(x, &info);
	}
	free(addresses);
	free(sizes);
}

void fg_bpf_describe(struct fg_existing *x)
{
	uint32_t id = 0;

	while (next_program(&id)) {
		int fd = open_program(id);

		if (fd < 0)
			continue;
		add_program(x, fd);
		close(fd);
	}
}

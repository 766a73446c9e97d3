// Loads BPF programs that do nothing and takes them away again, with some work between.
// SPDX-License-Identifier: MIT
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int load(const char *name)
{
	struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	memset(&attr, 0, sizeof attr);
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uint64_t)(uintptr_t)program;
	attr.insn_cnt = sizeof program / sizeof *program;
	attr.license = (uint64_t)(uintptr_t) "MIT";
	snprintf(attr.prog_name, sizeof attr.prog_name, "%s", name);
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr);
}

__attribute__((noipa)) unsigned work(unsigned turns)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < turns; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 4;
	for (int i = 0; i < count; i++) {
		int fd = load(i % 2 ? "sluice_gate" : "weir");
		if (fd < 0) {
			perror("bpf");
			return 1;
		}
		work(30000000);
		close(fd);
		work(30000000);
	}
	return 0;
}

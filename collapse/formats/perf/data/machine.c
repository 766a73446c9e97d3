/* Registers of machines (arch/MACHINE/include/uapi/asm/perf_regs.h of Linux). */
#include "collapse/formats/perf/data/machine.h"

/* All that x86-64 has: neither the segments nor anything beyond r15. */
#define X86_REGISTERS UINT64_C(0xff0fff)
/* The last two, sp and pc. */
#define ARM64_REGISTERS (UINT64_C(3) << 31)

static const unsigned char x86_order[] = { 0,  3,  2,  1,  4,  5,  6,  7, 16,
					   17, 18, 19, 20, 21, 22, 23, 8 };
static const unsigned char arm64_order[] = { 0,	 1,  2,	 3,  4,	 5,  6,	 7,  8,	 9,  10,
					     11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					     22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

static const struct fg_pd_machine x86 = {
	.name = "x86",
	.sp = 7,
	.pc = 8,
	.order = x86_order,
	.count = FG_COUNT_OF(x86_order),
	.address_bits = UINT64_MAX,
};
/* The bits above the address sign it (pointer authentication). */
static const struct fg_pd_machine arm64 = {
	.name = "arm64",
	.sp = 31,
	.pc = 32,
	.order = arm64_order,
	.count = FG_COUNT_OF(arm64_order),
	.pc_apart = true,
	.address_bits = (UINT64_C(1) << 48) - 1,
};
static const struct fg_pd_machine arm = { .name = "arm", .sp = 13, .pc = 15 };

const struct fg_pd_machine *fg_pd_machine_of(struct fg_str name, uint64_t mask)
{
	if (!name.len && !(mask & ~X86_REGISTERS))
		return &x86;
	if (!name.len && (mask & ARM64_REGISTERS) == ARM64_REGISTERS)
		return &arm64;
	if (fg_str_eq(name, FG_STR("x86_64")) || fg_str_eq(name, FG_STR("x86")) ||
	    (name.len == 4 && name.ptr[0] == 'i' && fg_str_ends(name, FG_STR("86"))))
		return &x86;
	if (fg_str_eq(name, FG_STR("aarch64")) || fg_str_eq(name, FG_STR("arm64")))
		return &arm64;
	return fg_str_starts(name, FG_STR("arm")) ? &arm : NULL;
}

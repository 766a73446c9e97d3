/*
 * Unwinds copies of stacks with libdwfl. Each address space has a session of libdwfl.
 * We add a binary to it when a stack has the first address in that binary.
 */
#include "collapse/formats/perf/data/unwind.h"

/* ---- machines */

/*
 * The numbers of registers are in arch/MACHINE/include/uapi/asm/perf_regs.h of Linux.
 */

/*
 * Mask of the registers that perf records on x86-64: all up to r15 except ds, es, fs
 * and gs.
 */
#define X86_REGISTERS UINT64_C(0xff0fff)
/* Mask of the last two registers of arm64, sp and pc. */
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
/* The high bits of a return address may be a signature (pointer authentication). */
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

/* ---- stacks */

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdwfl.h>
#include <elfutils/version.h>
#include <stdlib.h>

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elffile.h"
#include "collapse/symbols/cfiimage.h"
#include "collapse/symbols/cfirules.h"
#include "lib/base/hash.h"
#include "lib/base/xalloc.h"

/* The most sessions that we keep. Each address space has its own. */
#define SESSIONS 64

/*
 * The most binaries of a session. We need a limit because libdwfl goes through all
 * binaries for each new one.
 */
#define MODULES_MAX 1024

/*
 * Checking that there is memory takes a fifth of the time of unwinding a stack. So we
 * do it once for this many stacks, and for each new binary.
 */
#define STACKS_SPARED 16

/*
 * The largest frame, in bytes. An address farther after the end of the copy is a wrong
 * guess.
 */
#define FRAME_MAX (UINT64_C(1) << 20)

/* The most registers of a machine. */
#define REGISTERS_MAX 32

/* DWARF's numbers of registers. */
#define DWARF_SP FG_CFI_RULE_SP
#define DWARF_IP FG_CFI_RULE_IP

/*
 * Entries of the cache of rules, a power of 2. The rule of a new address replaces an
 * old one.
 */
#define RULES 16384

/* The unwinding rules of a DSO. */
struct binary {
	struct fg_cfi_image image;
	bool tried; /* we tried to open it */
};

struct session {
	Dwfl *dwfl; /* NULL: the entry is free */
	uint32_t space; /* the id of its mappings */
	uint32_t number; /* no other session has this number */
	bool attached; /* dwfl_attach_state() has succeeded */
	size_t modules; /* number of binaries that were added */
	/* value of `clock` at the last use; the oldest is dropped first */
	uint64_t used;
};

struct fg_pd_unwinder {
	struct fg_dsos *dsos;
	struct session sessions[SESSIONS];
	struct session *now;
	struct binary *binaries; /* indexed by the index of the DSO */
	size_t binary_count, binary_alloc;
	uint64_t clock;
	uint32_t session_count;
	struct fg_cfi_rule rules[RULES];
	/*
	 * number of stacks that may still be unwound before we check the memory again
	 */
	unsigned spared;
	const struct fg_pd_stack *stack; /* the stack that is being unwound */
	uint64_t sp, ip;
	/*
	 * registers of the frame with which unwinding starts or goes on: the sample's,
	 * or those of the last frame that was found without libdwfl
	 */
	Dwarf_Word words[REGISTERS_MAX];
	bool goes_on;
	uint64_t *pcs;
	size_t count;
	/* the next frame needs a word beyond the end of the recorded stack */
	bool beyond;
	/* frames that libdwfl found, including those that we left out */
	size_t dwfl_frames;
};

bool fg_pd_unwind_is_here(void)
{
	return true;
}

static void release(void *data)
{
	struct fg_pd_unwinder *u = data;

	for (size_t i = 0; i < SESSIONS; i++)
		dwfl_end(u->sessions[i].dwfl);
	for (size_t i = 0; i < u->binary_count; i++)
		fg_cfi_image_close(&u->binaries[i].image);
}

struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_dsos *dsos)
{
	struct fg_pd_unwinder *u = fg_xcalloc(1, sizeof(*u));

	u->dsos = dsos;
	fg_hold(release, u);
	return u;
}

void fg_pd_unwinder_free(struct fg_pd_unwinder *u)
{
	if (!u)
		return;
	fg_let_go(u);
	release(u);
	free(u->binaries);
	free(u);
}

/* Ends all sessions, because modules of any session may use the image. */
void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso)
{
	for (size_t i = 0; u && i < SESSIONS; i++) {
		dwfl_end(u->sessions[i].dwfl);
		u->sessions[i].dwfl = NULL;
	}
	if (!u || dso >= u->binary_count)
		return;
	fg_cfi_image_close(&u->binaries[dso].image);
	u->binaries[dso] = (struct binary){ .tried = false };
}

/* Reads a recorded register. Returns false if it was not recorded. */
static bool get_register(const struct fg_pd_stack *stack, unsigned number,
			 uint64_t *value)
{
	uint64_t below = stack->mask & ((UINT64_C(1) << number) - 1);
	size_t at = 0;

	if (!(stack->mask >> number & 1))
		return false;
	for (; below; below &= below - 1)
		at += 8;
	if (at + 8 > stack->registers.len)
		return false;
	*value = fg_load64(stack->registers.ptr + at);
	return true;
}

static void spare(struct fg_pd_unwinder *u)
{
	if (!u->spared) {
		fg_xalloc_spare(FG_DWARF_SPARE);
		u->spared = STACKS_SPARED;
	}
	u->spared--;
}

/* Returns the binary at an address, or NULL if none can be read. */
static const struct fg_cfi_image *image_at(struct fg_pd_unwinder *u, uint64_t address,
					   const struct fg_pd_map **map)
{
	struct binary *binary;
	struct fg_dso *dso;

	*map = u->stack->maps ? fg_pd_maps_find(u->stack->maps, address) : NULL;
	if (!*map)
		return NULL;
	FG_GROW(u->binaries, u->binary_alloc, u->dsos->count);
	for (; u->binary_count < u->dsos->count; u->binary_count++)
		memset(&u->binaries[u->binary_count], 0, sizeof(*u->binaries));
	binary = &u->binaries[(*map)->dso];
	dso = &u->dsos->list[(*map)->dso];
	dso->asked = true;
	if (!binary->tried && !fg_dso_is_absolute(dso)) {
		fg_dso_load(u->dsos, dso);
		if (dso->runtime &&
		    fg_cfi_image_open(&binary->image, dso->runtime, FG_CFI_RULES_ALL))
			dso->keeps_frames = true;
		u->spared = 0;
		spare(u);
	}
	binary->tried = true;
	return binary->image.elf ? &binary->image : NULL;
}

/* Adds the binary at an address to the session, if it is not there yet. */
static void report_module(struct fg_pd_unwinder *u, uint64_t address)
{
	const struct fg_cfi_image *image;
	const struct fg_pd_map *map;
	Dwfl_Module *module;
	uint64_t made_for, bias;
	void **data;

	if (dwfl_addrmodule(u->now->dwfl, address))
		return;
	image = image_at(u, address, &map);
	if (!image || !fg_cfi_image_address(image, address + map->shift, &made_for))
		return;
	bias = address - made_for;
	errno = 0;
	module = dwfl_report_module(u->now->dwfl, "", image->low + bias,
				    image->high + bias);
	fg_elf_check_memory(module);
	u->now->modules++;
	if (module &&
	    dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL))
		*data = (void *)(uintptr_t)image->elf;
}

/* Returns to libdwfl the binary that was reported for a module. Modules share it. */
static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	(void)module;
	(void)name;
	(void)base;
	(void)path;
	*elf = *data ? elf_begin(-1, ELF_C_READ, *data) : NULL;
	return -1;
}

/*
 * Tells libdwfl that there is no debug information, so that it does not look for other
 * files.
 */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name,
			     Dwarf_Addr base, const char *path, const char *link,
			     GElf_Word crc, char **debug_path)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	(void)debug_path;
	return -1;
}

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread)
{
	if (*thread)
		return 0;
	*thread = data;
	return dwfl_pid(dwfl);
}

/*
 * Returns true if an address seems to be in the part of the stack that was not copied.
 * We cannot be sure: other memory may be there.
 */
static bool is_behind_copy(const struct fg_pd_unwinder *u, uint64_t address)
{
	uint64_t len = u->stack->bytes.len;

	return u->stack->goes_on && address >= u->sp && address - u->sp + 8 > len &&
	       address - u->sp < len + FRAME_MAX;
}

/* Reads a word at an address, from the copied stack or from the mapped file. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *data)
{
	struct fg_pd_unwinder *u = data;
	const struct fg_cfi_image *image;
	const struct fg_pd_map *map;

	(void)dwfl;
	if (address >= u->sp && address - u->sp < u->stack->bytes.len &&
	    u->stack->bytes.len - (address - u->sp) >= 8) {
		*result = fg_load64(u->stack->bytes.ptr + (address - u->sp));
		return true;
	}
	image = image_at(u, address, &map);
	if (image && fg_cfi_image_word(image, address + map->shift, result))
		return true;
	u->beyond |= is_behind_copy(u, address);
	return false;
}

static void take_registers(struct fg_pd_unwinder *u)
{
	const struct fg_pd_machine *machine = u->stack->machine;

	for (size_t i = 0; i < machine->count; i++) {
		uint64_t value = 0;

		get_register(u->stack, machine->order[i], &value);
		u->words[i] = value;
	}
}

static bool set_registers(Dwfl_Thread *thread, void *data)
{
	struct fg_pd_unwinder *u = data;
	const struct fg_pd_machine *machine = u->stack->machine;

	if (machine->pc_apart)
		dwfl_thread_state_register_pc(thread, u->ip);
	return dwfl_thread_state_registers(thread, 0, (unsigned)machine->count,
					   u->words);
}

/* ---- Python's trampolines */

#if _ELFUTILS_PREREQ(0, 188)
/*
 * With -X perf, Python (3.12 and later, on x86-64) calls each function through a copy
 * of a few instructions, which has the function's name and no unwinding rules:
 *
 * 	[endbr64]; sub $8, %rsp; call *%rcx; add $8, %rsp; ret
 *
 * Returns true if the call in such a copy returns to `pc`.
 */
static bool is_trampoline(struct fg_pd_unwinder *u, uint64_t pc)
{
	const struct fg_pd_map *map =
		u->stack->maps ? fg_pd_maps_find(u->stack->maps, pc) : NULL;
	const struct fg_symbol *symbol;
	struct fg_dso *dso;
	uint64_t before, size;

	if (!map || u->stack->machine->pc_apart ||
	    (u->dsos->list[map->dso].kind != FG_DSO_JIT &&
	     u->dsos->list[map->dso].kind != FG_DSO_DUMP))
		return false;
	dso = &u->dsos->list[map->dso];
	symbol = fg_dso_find(u->dsos, dso, pc + map->shift).symbol;
	if (!symbol || !fg_str_starts(fg_symbol_name(symbol), FG_STR("py::")))
		return false;
	before = pc + map->shift - symbol->start;
	size = symbol->end - symbol->start;
	return (size == 11 && before == 6) || (size == 15 && before == 10);
}

/* Sets the registers to those of the trampoline's caller. */
static void leave_trampoline(struct fg_pd_unwinder *u, Dwfl_Frame *frame)
{
	Dwarf_Word words[REGISTERS_MAX] = { 0 };
	Dwarf_Addr back;

	for (size_t i = 0; i < DWARF_IP; i++)
		if (dwfl_frame_reg(frame, (unsigned)i, &words[i]))
			words[i] = 0;
	if (!read_memory(u->now->dwfl, words[DWARF_SP] + 8, &back, u) || !back)
		return;
	words[DWARF_SP] += 16;
	/* must be in the call, because this becomes the innermost frame */
	words[DWARF_IP] = back - 1;
	memcpy(u->words, words, sizeof(words));
	u->goes_on = true;
}
#else
static bool is_trampoline(struct fg_pd_unwinder *u, uint64_t pc)
{
	(void)u;
	(void)pc;
	return false;
}

static void leave_trampoline(struct fg_pd_unwinder *u, Dwfl_Frame *frame)
{
	(void)u;
	(void)frame;
}
#endif

/* ---- frames by remembered rules */

/*
 * Makes the unwinding rule of a PLT entry, because lld writes no rules for it:
 *
 * 	jmp *SLOT(%rip); push $INDEX; jmp HEAD
 *
 * On the stack is only the return address and, at the last jump, the index.
 */
static void rule_of_plt(struct fg_pd_unwinder *u, uint64_t pc, struct fg_cfi_rule *rule)
{
	const struct fg_pd_map *map =
		u->stack->maps ? fg_pd_maps_find(u->stack->maps, pc) : NULL;
	const struct fg_symbol *symbol;
	struct fg_dso *dso;

	if (!map)
		return;
	dso = &u->dsos->list[map->dso];
	symbol = fg_dso_find(u->dsos, dso, pc + map->shift).symbol;
	if (!symbol || !(symbol->flags & FG_SYMBOL_PLT))
		return;
	fg_cfi_rule_call(rule, pc + map->shift - symbol->start < 11 ? 0 : 8);
}

/*
 * Returns the rule of `address`: that is `pc`, or `pc` - 1 if `pc` is a return address.
 */
static const struct fg_cfi_rule *rule_of(struct fg_pd_unwinder *u, uint64_t pc,
					 uint64_t address)
{
	uint64_t hash = fg_hash_pair(address, u->now->number, 0);
	struct fg_cfi_rule *rule = &u->rules[hash & (RULES - 1)];

	if (rule->address != address || rule->session != u->now->number) {
		report_module(u, pc);
		rule->address = address;
		rule->session = u->now->number;
		fg_cfi_rule_find(rule, dwfl_addrmodule(u->now->dwfl, address));
		if (!rule->is_simple)
			rule_of_plt(u, pc, rule);
	}
	return rule;
}

/*
 * Unwinds a stack of x86-64 like libdwfl. Returns false if a frame needs libdwfl
 * itself.
 */
static bool unwind_by_rules(struct fg_pd_unwinder *u)
{
	struct fg_cfi_registers registers = {
		u->words, (UINT32_C(1) << FG_CFI_RULE_REGISTERS) - 1
	};
	uint64_t pc = u->ip;
	bool exact = true; /* `pc` is where the function was, not a return address */

	if (u->stack->machine->count != FG_CFI_RULE_REGISTERS || !pc)
		return false;
	while (pc && u->count < FG_PD_UNWOUND_MAX) {
		const struct fg_cfi_rule *rule = rule_of(u, pc, exact ? pc : pc - 1);
		uint64_t next;

		u->beyond = false;
		if (!rule->is_simple ||
		    !fg_cfi_rule_follow(rule, &registers, read_memory, u))
			return false;
		next = registers.known >> DWARF_IP & 1 ? u->words[DWARF_IP] : 0;
		exact |= rule->is_signal && next;
		u->pcs[u->count++] = exact ? pc : pc - 1;
		exact = rule->is_signal;
		pc = next;
	}
	return true;
}

/* ---- frames by libdwfl */

static bool is_data(const struct fg_pd_unwinder *u, uint64_t address)
{
	const struct fg_pd_map *map =
		u->stack->maps ? fg_pd_maps_find(u->stack->maps, address) : NULL;

	return map && map->is_data;
}

/*
 * Takes a frame of libdwfl. Skips an address of 0, like perf: after a call through a
 * null pointer, only the caller is a frame. Stops at an address in data: the stack is
 * damaged, or libdwfl has followed a wrong rule.
 */
static int take_frame(Dwfl_Frame *frame, void *data)
{
	struct fg_pd_unwinder *u = data;
	bool innermost;
	Dwarf_Addr pc, address;

	u->beyond = false;
	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	fg_elf_check_memory(NULL);
	report_module(u, pc);
	errno = 0;
	if (!dwfl_frame_pc(frame, &pc, &innermost))
		return DWARF_CB_ABORT;
	pc &= u->stack->machine->address_bits;
	address = innermost ? pc : pc - 1;
	if (!innermost && is_data(u, address))
		return DWARF_CB_ABORT;
	if (address)
		u->pcs[u->count++] = address;
	u->dwfl_frames++;
	if (!innermost && is_trampoline(u, pc)) {
		leave_trampoline(u, frame);
		return DWARF_CB_ABORT;
	}
	return u->dwfl_frames < FG_PD_UNWOUND_MAX ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/*
 * Returns the session of an address space. If there is none, or it is full, starts a
 * new session in place of the least recently used one.
 */
static struct session *session_of(struct fg_pd_unwinder *u, uint32_t space)
{
	struct session *oldest = &u->sessions[0];

	for (size_t i = 0; i < SESSIONS; i++) {
		struct session *s = &u->sessions[i];

		if (s->dwfl && s->space == space && s->modules < MODULES_MAX)
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	dwfl_end(oldest->dwfl);
	errno = 0;
	oldest->dwfl = dwfl_begin(&callbacks);
	fg_elf_check_memory(oldest->dwfl);
	oldest->space = space;
	oldest->number = ++u->session_count;
	oldest->attached = false;
	oldest->modules = 0;
	return oldest;
}

static void unwind(struct fg_pd_unwinder *u)
{
	spare(u);
	u->now = session_of(u, u->stack->maps ? u->stack->maps->id : 0);
	u->now->used = ++u->clock;
	if (!u->now->dwfl)
		return;
	report_module(u, u->ip);
	errno = 0;
	if (!u->now->attached)
		u->now->attached =
			dwfl_attach_state(u->now->dwfl, NULL, 1, &thread_callbacks, u);
	take_registers(u);
	if (u->now->attached && unwind_by_rules(u))
		return;
	u->count = 0;
	take_registers(u);
	u->goes_on = u->now->attached;
	while (u->goes_on && u->dwfl_frames < FG_PD_UNWOUND_MAX) {
		u->goes_on = false;
		dwfl_getthread_frames(u->now->dwfl, 1, take_frame, u);
	}
	fg_elf_check_memory(NULL); /* libdwfl finds fewer frames if it gets no memory */
}

size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs)
{
	u->stack = stack;
	u->pcs = pcs;
	u->count = u->dwfl_frames = 0;
	u->beyond = false;
	if (!get_register(stack, stack->machine->sp, &u->sp) ||
	    !get_register(stack, stack->machine->pc, &u->ip))
		return 0;
	if (fg_pd_stack_is_unwound(stack))
		unwind(u);
	if (!u->count && u->ip)
		pcs[u->count++] = u->ip;
	return u->count;
}

bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u)
{
	return u->beyond;
}

#else

bool fg_pd_unwind_is_here(void)
{
	return false;
}

struct fg_pd_unwinder *fg_pd_unwinder_new(struct fg_dsos *dsos)
{
	(void)dsos;
	return NULL;
}

void fg_pd_unwinder_free(struct fg_pd_unwinder *u)
{
	(void)u;
}

void fg_pd_unwinder_forget(struct fg_pd_unwinder *u, uint32_t dso)
{
	(void)u;
	(void)dso;
}

bool fg_pd_unwind_lacks_bytes(const struct fg_pd_unwinder *u)
{
	(void)u;
	return false;
}

size_t fg_pd_unwind(struct fg_pd_unwinder *u, const struct fg_pd_stack *stack,
		    uint64_t *pcs)
{
	(void)u;
	(void)stack;
	(void)pcs;
	return 0;
}

#endif

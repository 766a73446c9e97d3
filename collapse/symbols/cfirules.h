/*
 * How frames of x86-64 are left, as .eh_frame has it: taken from libdw once for each
 * address, in a form in which it is quick to follow.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CFIRULES_H
#define FG_COLLAPSE_SYMBOLS_CFIRULES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdwfl.h>

/* DWARF's numbers: the sixteen general ones, and the return address. */
#define FG_CFI_RULE_REGISTERS 17
#define FG_CFI_RULE_SP 7
#define FG_CFI_RULE_IP 16

/* In place of a register: the address of the frame. */
#define FG_CFI_RULE_CFA FG_CFI_RULE_REGISTERS

/* A value: that of a register plus an offset, or what is in the memory there. */
struct fg_cfi_value {
	unsigned char base; /* the register */
	bool is_in_memory;
	int32_t offset;
};

/* A zeroed one is of no address. */
struct fg_cfi_rule {
	uint64_t address;
	uint32_t session; /* that the address is of; chosen by the caller, not 0 */
	bool is_simple; /* all that is needed is here; else libdwfl has to do it */
	bool is_signal; /* the frame is of a signal: its caller was not in a call */
	struct fg_cfi_value cfa;
	uint32_t keeps; /* registers that are the caller's as they are */
	uint32_t changes; /* those that have a value here; others are not known then */
	struct fg_cfi_value values[FG_CFI_RULE_REGISTERS];
};

/* Fills in what follows from the address, which is in `module`, or in none, NULL. */
void fg_cfi_rule_find(struct fg_cfi_rule *rule, Dwfl_Module *module);

/*
 * Makes it the rule of code that was called and has put `pushed` bytes on the stack
 * since.
 */
void fg_cfi_rule_call(struct fg_cfi_rule *rule, int32_t pushed);

/* What is known of a frame: a bit of `known` for each register that has a value. */
struct fg_cfi_registers {
	Dwarf_Word *words; /* by DWARF's numbers; borrowed */
	uint32_t known;
};

/* Reads a word of the memory, as libdwfl does: false where it is not there. */
typedef bool fg_cfi_read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
			      void *data);

/*
 * Makes the registers those of the caller, by a rule that is simple. False where the
 * frame's address cannot be found; then they are as they were.
 */
bool fg_cfi_rule_follow(const struct fg_cfi_rule *rule, struct fg_cfi_registers *r,
			fg_cfi_read_word *read, void *data);

/* A frame that libdw allocated; accepts NULL. */
void fg_cfi_frame_free(Dwarf_Frame *frame);

#endif

#endif

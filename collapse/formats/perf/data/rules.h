/*
 * How frames of x86-64 are left, as .eh_frame has it: taken from libdw once for each
 * address, in a form in which it is quick to follow.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RULES_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RULES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdwfl.h>

/* DWARF's numbers: the sixteen general ones, and the return address. */
#define FG_PD_RULE_REGISTERS 17
#define FG_PD_RULE_IP 16

/* In place of a register: the address of the frame. */
#define FG_PD_RULE_CFA FG_PD_RULE_REGISTERS

/* A value: that of a register plus an offset, or what is in the memory there. */
struct fg_pd_value {
	unsigned char base; /* the register */
	bool is_in_memory;
	int32_t offset;
};

/* A zeroed one is of no address. */
struct fg_pd_rule {
	uint64_t address;
	uint32_t session; /* that the address is of; chosen by the caller, not 0 */
	bool is_simple; /* all that is needed is here; else libdwfl has to do it */
	bool is_signal; /* the frame is of a signal: its caller was not in a call */
	struct fg_pd_value cfa;
	uint32_t keeps; /* registers that are the caller's as they are */
	uint32_t changes; /* those that have a value here; others are not known then */
	struct fg_pd_value values[FG_PD_RULE_REGISTERS];
};

/* Fills in what follows from the address, which is in `module`, or in none, NULL. */
void fg_pd_rule_find(struct fg_pd_rule *rule, Dwfl_Module *module);

/* A frame that libdw allocated; accepts NULL. */
void fg_pd_frame_free(Dwarf_Frame *frame);

#endif

#endif

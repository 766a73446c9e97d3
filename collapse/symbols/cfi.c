/* Checks that unwinding rules use no large register numbers and remember few states. */
#include "collapse/symbols/cfi.h"

#include "collapse/symbols/cursor.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>

/*
 * Limits for register numbers and for remembered states. No machine that we unwind has
 * so many registers, and no compiler nests so deep.
 */
#define REGISTERS_MAX 1024
#define REMEMBERED_MAX 64

/* The most bytes of an entry. The longest in large programs has 20,000. */
#define ENTRY_MAX 65536

/* The most bytes of an expression. Compilers and linkers need a dozen. */
#define EXPRESSION_MAX 256

/* Skips an encoded value. An encoding of unknown length sets `bad`. */
static void skip_encoded(struct fg_cursor *c, unsigned char encoding)
{
	if ((encoding & 0x70) > DW_EH_PE_funcrel) {
		c->bad = true;
		return;
	}
	switch (encoding & 7) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
		fg_cursor_skip(c, 8);
		break;
	case DW_EH_PE_udata2:
		fg_cursor_skip(c, 2);
		break;
	case DW_EH_PE_udata4:
		fg_cursor_skip(c, 4);
		break;
	default:
		c->bad = true;
	}
}

/* Skips the operands of an operation. Returns false for an unknown operation. */
static bool skip_operands(struct fg_cursor *c, unsigned char op)
{
	if (op == DW_OP_addr || op == DW_OP_const8u || op == DW_OP_const8s) {
		fg_cursor_skip(c, 8);
	} else if (op >= DW_OP_const1u && op < DW_OP_const8u) {
		fg_cursor_skip(c, UINT64_C(1) << (op - DW_OP_const1u) / 2);
	} else if (op == DW_OP_pick || op == DW_OP_deref_size) {
		fg_cursor_skip(c, 1);
	} else if (op == DW_OP_constu || op == DW_OP_consts ||
		   op == DW_OP_plus_uconst ||
		   (op >= DW_OP_breg0 && op <= DW_OP_fbreg)) {
		fg_cursor_uleb(c); /* a signed operand has the same length */
	} else if (op == DW_OP_bregx) {
		fg_cursor_uleb(c);
		fg_cursor_uleb(c);
	} else {
		return op >= DW_OP_deref && op <= DW_OP_reg31;
	}
	return true;
}

/*
 * Returns true if an expression is short and jumps only forward, because libdwfl would
 * follow a loop 4096 times, for each register of each frame. A jump must lead to the
 * start of an operation. An unknown operation ends the check.
 */
static bool goes_on(struct fg_str expression)
{
	struct fg_cursor c = fg_cursor(expression);

	while (fg_cursor_left(&c)) {
		unsigned char op = fg_cursor_u8(&c);

		if (op == DW_OP_bra || op == DW_OP_skip) {
			if (fg_cursor_u16(&c) > INT16_MAX)
				return false;
		} else if (op != DW_OP_nop && !skip_operands(&c, op)) {
			break;
		}
	}
	return expression.len <= EXPRESSION_MAX;
}

/* The operand of an instruction, not counting its register operand. */
enum rest { NOTHING, NUMBER, BLOCK, BYTES };

struct shape {
	enum rest rest;
	unsigned char len; /* number of bytes, for BYTES */
	bool has_register, is_known;
};

static const struct shape shapes[] = {
	[DW_CFA_nop] = { NOTHING, 0, false, true },
	[DW_CFA_advance_loc1] = { BYTES, 1, false, true },
	[DW_CFA_advance_loc2] = { BYTES, 2, false, true },
	[DW_CFA_advance_loc4] = { BYTES, 4, false, true },
	[DW_CFA_offset_extended] = { NUMBER, 0, true, true },
	[DW_CFA_restore_extended] = { NOTHING, 0, true, true },
	[DW_CFA_undefined] = { NOTHING, 0, true, true },
	[DW_CFA_same_value] = { NOTHING, 0, true, true },
	[DW_CFA_register] = { NUMBER, 0, true, true },
	[DW_CFA_remember_state] = { NOTHING, 0, false, true },
	[DW_CFA_restore_state] = { NOTHING, 0, false, true },
	[DW_CFA_def_cfa] = { NUMBER, 0, true, true },
	[DW_CFA_def_cfa_register] = { NOTHING, 0, true, true },
	[DW_CFA_def_cfa_offset] = { NUMBER, 0, false, true },
	[DW_CFA_def_cfa_expression] = { BLOCK, 0, false, true },
	[DW_CFA_expression] = { BLOCK, 0, true, true },
	[DW_CFA_offset_extended_sf] = { NUMBER, 0, true, true },
	[DW_CFA_def_cfa_sf] = { NUMBER, 0, true, true },
	[DW_CFA_def_cfa_offset_sf] = { NUMBER, 0, false, true },
	[DW_CFA_val_offset] = { NUMBER, 0, true, true },
	[DW_CFA_val_offset_sf] = { NUMBER, 0, true, true },
	[DW_CFA_val_expression] = { BLOCK, 0, true, true },
	[DW_CFA_GNU_window_save] = { NOTHING, 0, false, true },
	[DW_CFA_GNU_args_size] = { NUMBER, 0, false, true },
	[DW_CFA_GNU_negative_offset_extended] = { NUMBER, 0, true, true },
};

/*
 * Skips an instruction whose first operand is not in the opcode. Returns false if it is
 * unknown, names too large a register or has a bad expression. Sets *base if it makes a
 * register the base of the frame.
 */
static bool check_shape(struct fg_cursor *c, unsigned char opcode, uint64_t *base)
{
	const struct shape *shape;
	uint64_t number;

	if (opcode >= FG_COUNT_OF(shapes))
		return false;
	shape = &shapes[opcode];
	if (!shape->is_known)
		return false;
	number = shape->has_register ? fg_cursor_uleb(c) : 0;
	if (number >= REGISTERS_MAX)
		return false;
	if (opcode == DW_CFA_def_cfa_register)
		*base = number;
	if (shape->rest == NUMBER)
		fg_cursor_uleb(c);
	else if (shape->rest == BLOCK)
		return goes_on(fg_cursor_bytes(c, fg_cursor_uleb(c)));
	else if (shape->rest == BYTES)
		fg_cursor_skip(c, shape->len);
	return true;
}

static bool check_instructions(struct fg_cursor *c, uint64_t *base)
{
	unsigned remembered = 0;

	/* `remembered` counts the states that are remembered at the same time. */
	while (fg_cursor_left(c) && !c->bad) {
		unsigned char opcode = fg_cursor_u8(c);

		if ((opcode & 0xc0) == DW_CFA_offset)
			fg_cursor_uleb(c);
		else if (!(opcode & 0xc0) && !check_shape(c, opcode, base))
			return false;
		if (opcode == DW_CFA_remember_state)
			remembered++;
		else if (opcode == DW_CFA_restore_state && remembered)
			remembered--;
		if (remembered > REMEMBERED_MAX)
			return false;
	}
	return !c->bad;
}

static struct fg_cursor cursor(const uint8_t *start, const uint8_t *end)
{
	size_t len = start < end ? (size_t)(end - start) : 0;

	return fg_cursor(fg_str_of((const char *)start, len));
}

/*
 * Returns true if libdw can follow a CIE. Also notes what we need for checking its
 * FDEs.
 */
static bool check_cie(struct fg_cfi *c, const Dwarf_CIE *cie)
{
	struct fg_cursor at =
		cursor(cie->initial_instructions, cie->initial_instructions_end);
	const char *letter = cie->augmentation;
	const uint8_t *data = cie->augmentation_data;
	struct fg_cursor values = cursor(data, data + cie->augmentation_data_size);

	c->encoding = DW_EH_PE_absptr;
	c->is_sized = *letter == 'z';
	if (*letter && !c->is_sized)
		return false;
	for (letter += c->is_sized; *letter; letter++) {
		if (*letter == 'R')
			c->encoding = fg_cursor_u8(&values);
		else if (*letter == 'L')
			fg_cursor_u8(&values);
		else if (*letter == 'P')
			skip_encoded(&values, fg_cursor_u8(&values));
		else if (*letter != 'S' && strcmp(letter, "B") != 0)
			return false;
	}
	return !values.bad && check_instructions(&at, &c->base);
}

/*
 * Charges the length of an entry to the budget. Returns false if it is too long or the
 * budget is spent.
 */
static bool spend(struct fg_cfi *c, Dwarf_Off at, Dwarf_Off next)
{
	uint64_t len = next - at;

	if (len > ENTRY_MAX || len > c->left)
		return false;
	c->left -= len;
	return true;
}

static bool find_cie(struct fg_cfi *c, Dwarf_Off offset)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (c->has_cie && c->cie == offset)
		return true;
	c->has_cie =
		!dwarf_next_cfi(c->ident, &c->data, c->is_eh, offset, &next, &entry) &&
		dwarf_cfi_cie_p(&entry) && spend(c, offset, next) &&
		check_cie(c, &entry.cie);
	c->cie = offset;
	return c->has_cie;
}

static bool check_fde(struct fg_cfi *c, const Dwarf_FDE *fde)
{
	struct fg_cursor at = cursor(fde->start, fde->end);

	if (!find_cie(c, fde->CIE_pointer))
		return false;
	skip_encoded(&at, c->encoding);
	skip_encoded(&at, c->encoding & 0x0f);
	if (c->is_sized)
		fg_cursor_skip(&at, fg_cursor_uleb(&at));
	c->base = FG_CFI_NO_BASE;
	return !at.bad && check_instructions(&at, &c->base);
}

bool fg_cfi_is_sane(struct fg_cfi *c, Dwarf_Off fde)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	return !dwarf_next_cfi(c->ident, &c->data, c->is_eh, fde, &next, &entry) &&
	       !dwarf_cfi_cie_p(&entry) && spend(c, fde, next) &&
	       check_fde(c, &entry.fde);
}

bool fg_cfi_are_sane(struct fg_cfi *c)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next;
	int status;

	while (!(status = dwarf_next_cfi(c->ident, &c->data, c->is_eh, at, &next,
					 &entry))) {
		if (!dwarf_cfi_cie_p(&entry) &&
		    !(spend(c, at, next) && check_fde(c, &entry.fde)))
			return false;
		at = next;
	}
	return status == 1;
}

void fg_cfi_count_frames(struct fg_cfi *c, uint64_t base, unsigned max,
			 struct fg_cfi_frames *frames)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next;

	while (frames->functions < max &&
	       !dwarf_next_cfi(c->ident, &c->data, c->is_eh, at, &next, &entry)) {
		if (!dwarf_cfi_cie_p(&entry) && spend(c, at, next) &&
		    check_fde(c, &entry.fde)) {
			frames->functions++;
			frames->framed += c->base == base;
		}
		at = next;
	}
}

#endif

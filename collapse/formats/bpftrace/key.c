/* Turns the key of a map's entry into frames and root frames. */
#include "collapse/formats/bpftrace/key.h"

/* ---- frames */

/* Cuts " (MODULE)", with matching brackets, off the end of `name`. */
static struct fg_str cut_module(struct fg_str *name)
{
	size_t at = name->len, open = 0;
	struct fg_str module = { NULL, 0 };

	if (!fg_str_ends(*name, FG_STR(")")))
		return module;
	do {
		at--;
		open += name->ptr[at] == ')';
		open -= name->ptr[at] == '(';
	} while (at && open);
	if (open || !at || name->ptr[at - 1] != ' ')
		return module;
	module = fg_str_of(name->ptr + at + 1, name->len - at - 2);
	*name = fg_str_before(*name, at - 1);
	return module;
}

/*
 * Returns the symbol of "ADDRESS SYMBOL (MODULE)", which stack mode perf prints, or
 * "[MODULE]" if the symbol is unknown. Returns any other frame unchanged.
 */
static struct fg_str cut_symbol(struct bpftrace_key *k, struct fg_str frame)
{
	size_t digits = fg_str_span(frame, fg_is_lower_hex);
	struct fg_str name = fg_str_trim(fg_str_from_pos(frame, digits)), module;

	if (digits < 6 || !name.len || !fg_is_blank(frame.ptr[digits]))
		return frame;
	module = fg_str_basename(cut_module(&name));
	if (!module.len || (!fg_str_eq(name, FG_STR("[unknown]")) &&
			    !fg_str_starts(name, FG_STR("0x"))))
		return name;
	if (fg_str_starts(module, FG_STR("[")))
		return module;
	fg_buf_clear(&k->name);
	fg_buf_addf(&k->name, "[");
	fg_buf_add_str(&k->name, module);
	fg_buf_addf(&k->name, "]");
	return fg_buf_str(&k->name);
}

static bool no_blank(char c)
{
	return !fg_is_blank(c);
}

/* Cuts @FILE:LINE and, unless `keep`, +OFFSET off the end of a name. */
static struct fg_str cut_offset(struct fg_str name, bool keep)
{
	size_t digits = fg_str_end_span(name, fg_is_digit), plus;
	uint64_t offset;

	if (digits && digits < name.len && name.ptr[name.len - digits - 1] == ':') {
		size_t word = name.len - fg_str_end_span(name, no_blank);

		word += fg_str_find_char(fg_str_from_pos(name, word), '@');
		name = fg_str_before(name, word);
	}
	plus = fg_str_rfind_char(name, '+');
	if (!keep && (!fg_str_u64(fg_str_from_pos(name, plus + 1), &offset) ||
		      !fg_str_0x(fg_str_from_pos(name, plus + 1), &offset)))
		name = fg_str_before(name, plus);
	return name;
}

static void add_frame(void *state, struct fg_str line)
{
	struct bpftrace_key *k = state;
	struct fg_str name = cut_symbol(k, fg_str_trim(line));

	fg_sink_frame(k->sink, cut_offset(name, k->offsets));
}

/*
 * Returns true if one of the three frames next to the root is an entry point of the
 * kernel.
 */
static bool is_kernel(const struct bpftrace_key *k, const uint32_t *ids, size_t depth)
{
	static const struct fg_str entries[] = {
		FG_STR_INIT("entry_SYS"),
		FG_STR_INIT("do_syscall_64"),
		FG_STR_INIT("ret_from_"),
		FG_STR_INIT("asm_"),
		FG_STR_INIT("el0"),
		FG_STR_INIT("el1"),
		FG_STR_INIT("secondary_startup"),
		FG_STR_INIT("common_startup"),
		FG_STR_INIT("start_secondary"),
		FG_STR_INIT("x86_64_start_kernel"),
		FG_STR_INIT("system_call_exception"),
		FG_STR_INIT("handle_exception"),
	};

	for (size_t i = 0; i < 3 && i < depth; i++)
		if (fg_str_starts_any(fg_intern_name(fg_sink_names(k->sink), ids[i]),
				      entries, FG_COUNT_OF(entries)))
			return true;
	return false;
}

/* ---- keys */

void bpftrace_key_init(struct bpftrace_key *k, struct fg_sink *sink)
{
	memset(k, 0, sizeof(*k));
	k->sink = sink;
	fg_frames_init(&k->frames, sink, add_frame, k);
}

void bpftrace_key_release(struct bpftrace_key *k)
{
	fg_frames_release(&k->frames);
	fg_buf_release(&k->name);
}

void bpftrace_key_start(struct bpftrace_key *k, struct fg_str map)
{
	struct fg_str wanted = fg_str_from(k->map);

	if (fg_str_starts(wanted, FG_STR("@")))
		wanted = fg_str_from_pos(wanted, 1);
	fg_sink_clear(k->sink);
	k->wanted = !k->map || fg_str_eq(fg_str_from_pos(map, 1), wanted);
	k->in_stack = k->has_stack = false;
	k->stacks = 0;
}

/*
 * Reads the places of a line. With `add`, adds them as root frames. Returns true if one
 * of them is empty.
 */
static bool read_places(struct bpftrace_key *k, struct fg_str line, bool add)
{
	bool empty = false;

	for (size_t start = 0, at = 0; at <= line.len; at++) {
		struct fg_str place;

		/* in text, a comma without a space is part of a name */
		if (at < line.len &&
		    (line.ptr[at] != ',' ||
		     (!k->json && at + 1 < line.len && line.ptr[at + 1] != ' ')))
			continue;
		place = fg_str_trim(fg_str_of(line.ptr + start, at - start));
		start = at + 1;
		empty |= !place.len;
		if (add && place.len)
			fg_sink_root(k->sink, place);
	}
	return empty;
}

void bpftrace_key_line(struct bpftrace_key *k, struct fg_str line, bool last)
{
	if (k->in_stack && fg_str_trim_left(line).len &&
	    (fg_is_blank(line.ptr[0]) || (!last && line.ptr[0] != ','))) {
		if (k->wanted)
			fg_frames_add(&k->frames, line, 0);
		return;
	}
	if (k->in_stack && !k->stacks++)
		k->first_depth = fg_stack_depth(fg_sink_stack(k->sink));
	if (!last || read_places(k, line, false))
		k->has_stack = true;
	k->in_stack = !last;
	if (k->has_stack && k->wanted)
		read_places(k, line, true);
}

static void reverse(uint32_t *ids, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t id = ids[i];

		ids[i] = ids[count - 1 - i];
		ids[count - 1 - i] = id;
	}
}

/* Puts the kernel's stack above the program's, whichever comes first in the key. */
static void order_stacks(struct bpftrace_key *k)
{
	size_t depth = fg_stack_depth(fg_sink_stack(k->sink)), first = k->first_depth;
	uint32_t *ids;

	if (first == depth)
		return;
	ids = fg_sink_stack(k->sink)->ids + fg_sink_stack(k->sink)->start;
	if (is_kernel(k, ids + (depth - first), first) ||
	    !is_kernel(k, ids, depth - first))
		return;
	reverse(ids, depth);
	reverse(ids, first);
	reverse(ids + first, depth - first);
}

void bpftrace_key_add(struct bpftrace_key *k, struct bpftrace_value weight)
{
	const struct fg_sum sum = { weight.amount, 0 };

	k->stacks += k->in_stack;
	if (!k->has_stack) {
		fg_sink_skip(k->sink, FG_SKIP_NO_STACK, k->wanted);
	} else if (!k->wanted) {
		fg_sink_skip(k->sink, FG_SKIP_LEFT_OUT, 1);
	} else {
		if (k->stacks == 2)
			order_stacks(k);
		if (!fg_stack_depth(fg_sink_stack(k->sink)))
			fg_sink_frame(k->sink, FG_STR("[no stack]"));
		(weight.minus ? fg_sink_subtract_sum : fg_sink_add_sum)(k->sink, sum,
									0);
	}
}

bool bpftrace_value_read(struct fg_str s, struct bpftrace_value *value)
{
	value->minus = fg_str_cut_start(&s, FG_STR("-"));
	return !fg_str_u64(s, &value->amount);
}

bool bpftrace_add(uint64_t *sum, uint64_t n)
{
	if (n > UINT64_MAX - *sum)
		return false;
	*sum += n;
	return true;
}

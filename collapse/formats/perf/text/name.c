/* Makes names of frames from what perf prints as a symbol. */
#include "collapse/formats/perf/text/name.h"

#include "collapse/formats/perf/text/dso.h"
#include "collapse/formats/perf/text/elfname.h"
#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/symbol.h"
#include "collapse/names.h"
#include "lib/profile/folded.h"
#include "lib/profile/line.h"

/* ---- text of names */

void perf_add_unbracketed(struct fg_buf *b, struct fg_str line)
{
	while (line.len) {
		size_t open = fg_str_find_char(line, '[');
		size_t close =
			open + fg_str_find_char(fg_str_from_pos(line, open), ']');

		if (close >= line.len)
			open = close = line.len;
		fg_buf_add_str(b, fg_str_before(line, open));
		line = fg_str_from_pos(line, close + 1);
	}
}

/* ---- names of frames */

/* Appends `s` without quotes. A ';' becomes ':', because ';' separates frames. */
static void add_tidied(struct perf *p, struct fg_str s)
{
	char *to;

	if (!s.len)
		return;
	fg_buf_reserve(&p->scratch, s.len);
	to = p->scratch.ptr + p->scratch.len;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if ((c == '"' || c == '\'') && !p->options->raw_names)
			continue;
		*to++ = c == ';' ? ':' : c;
	}
	p->scratch.len = (size_t)(to - p->scratch.ptr);
}

/* --dso: appends "@libc.so.6". */
static void add_dso(struct perf *p, const struct perf_frame *f)
{
	if (!p->options->dso || f->dso_kind != PERF_DSO_GIVEN ||
	    fg_str_eq(f->dso, FG_STR("[unknown]")))
		return;
	fg_buf_add_char(&p->scratch, '@');
	add_tidied(p, fg_str_basename(f->dso));
}

/* Adds the name in p->scratch to p->run, with the mark that `variant` asks for. */
static void add_name(struct perf *p, unsigned variant)
{
	struct fg_str mark = variant & PERF_VARIANT_KERNEL ? FG_STR("_[k]") :
			     variant & PERF_VARIANT_JIT	   ? FG_STR("_[j]") :
							     FG_STR("");

	if (!fg_str_has(fg_buf_str(&p->scratch), mark))
		fg_buf_add_str(&p->scratch, mark);
	perf_run_add(p, fg_buf_str(&p->scratch));
}

/*
 * Adds "[libc.so.6]", or "[libc.so.6 <7f12>]" with --addrs, for a frame without a
 * symbol. A deleted file may have no name either: "[unknown]".
 */
static void add_unknown(struct perf *p, const struct perf_frame *f, unsigned variant)
{
	struct fg_str base = fg_str_basename(f->dso);

	fg_buf_clear(&p->scratch);
	fg_buf_add_char(&p->scratch, '[');
	if (fg_str_eq(f->dso, FG_STR("[unknown]")) ||
	    fg_str_eq(fg_str_trim(base), FG_STR("(deleted)")))
		fg_buf_add_str(&p->scratch, FG_STR("unknown"));
	else
		add_tidied(p, base);
	if (p->options->addrs) {
		fg_buf_add_str(&p->scratch, FG_STR(" <"));
		fg_buf_add_str(&p->scratch, f->pc);
		fg_buf_add_char(&p->scratch, '>');
	}
	fg_buf_add_char(&p->scratch, ']');
	add_name(p, variant);
}

/* Cuts the part up to the next "->" off `rest`. */
static struct fg_str next_part(struct fg_str *rest)
{
	size_t at = fg_str_find(*rest, FG_STR("->"));
	struct fg_str part = fg_str_before(*rest, at);

	*rest = at < rest->len ? fg_str_from_pos(*rest, at + 2) : fg_str_of(NULL, 0);
	return part;
}

/*
 * Returns true for "a::b->c::d" and "La;.b->Lc;.d", a Java method and the methods
 * inlined into it, as perf-map-agent writes them.
 */
static bool is_java_inlined(struct fg_str symbol)
{
	struct fg_str rest = symbol;

	for (size_t i = 0; i < symbol.len; i++)
		if (fg_is_space(symbol.ptr[i]))
			return false;
	while (rest.ptr) {
		struct fg_str part = next_part(&rest);

		if (!fg_str_has(part, FG_STR("::")) && !fg_str_has(part, FG_STR(";.")))
			return false;
	}
	return true;
}

/*
 * Appends a symbol of Rust without the "_" before a "$" that starts a part of a path:
 * "a::_$LT$b" becomes "a::$LT$b".
 */
static void add_without_fillers(struct fg_buf *b, struct fg_str symbol)
{
	static const struct fg_str filled = FG_STR_INIT("::_$");
	size_t at;

	while ((at = fg_str_find(symbol, filled)) < symbol.len) {
		fg_buf_add_str(b, fg_str_before(symbol, at + filled.len - 2));
		symbol = fg_str_from_pos(symbol, at + filled.len - 1);
	}
	fg_buf_add_str(b, symbol);
}

/* Adds a name of Rust that was demangled like C++: "a::_$LT$b$GT$::h0123...". */
static void add_restored(struct perf *p, struct fg_str symbol, unsigned variant)
{
	struct fg_buf plain = FG_BUF_INIT, rust = FG_BUF_INIT;

	if (variant & PERF_VARIANT_ELF) {
		add_without_fillers(&plain, symbol);
		symbol = fg_buf_str(&plain);
	}
	fg_add_rust_name(&rust, symbol);
	add_tidied(p, fg_buf_str(&rust));
	fg_buf_release(&rust);
	fg_buf_release(&plain);
}

/* Adds a demangled name. Rust's "$udc$" in it, for U+00DC, is not demangled yet. */
static void add_demangled(struct perf *p, struct fg_str name)
{
	struct fg_buf rust = FG_BUF_INIT;

	if (fg_str_has(name, FG_STR("$u"))) {
		fg_add_rust_name(&rust, name);
		name = fg_buf_str(&rust);
	}
	add_tidied(p, name);
	fg_buf_release(&rust);
}

/*
 * Returns true for a C++ name without parameters. perf 6.1 prints no parameters at all,
 * and later versions print those of all C++ functions, so one such name shows that this
 * perf prints none.
 */
static bool lacks_parameters(struct fg_str symbol)
{
	return fg_str_has(symbol, FG_STR("::")) && !fg_str_has_char(symbol, '(');
}

/* Adds a function of an ELF file. */
static void add_elf_function(struct perf *p, struct fg_str symbol, unsigned variant)
{
	struct fg_buf made = FG_BUF_INIT;
	bool operators;

	p->no_parameters |= lacks_parameters(symbol);
	operators = !p->no_parameters && !(variant & PERF_VARIANT_INLINED);
	add_demangled(p, perf_elf_name(symbol, operators, &made));
	fg_buf_release(&made);
}

/* Sets p->scratch to the name of one function, cut and tidied. */
static void add_function(struct perf *p, struct fg_str symbol, bool keep_parameters,
			 unsigned variant)
{
	size_t len = keep_parameters ? symbol.len : fg_name_length(symbol);
	bool java_type = (variant & PERF_VARIANT_JAVA) && !p->options->raw_names;
	struct fg_str name;

	fg_buf_clear(&p->scratch);
	if (!p->options->raw_names && fg_name_is_rust(symbol))
		add_restored(p, symbol, variant);
	else if (variant & PERF_VARIANT_ELF)
		add_elf_function(p, symbol, variant);
	else if (variant & PERF_VARIANT_RECORDED && !p->options->raw_names)
		add_demangled(p, fg_str_before(symbol, len));
	else
		add_tidied(p, fg_str_before(symbol, len));
	name = fg_buf_str(&p->scratch);
	if (java_type && name.len && name.ptr[0] == 'L' && fg_str_has_char(name, '/')) {
		memmove(p->scratch.ptr, p->scratch.ptr + 1, name.len - 1);
		p->scratch.len--;
	}
}

void perf_name_symbol(struct perf *p, const struct perf_frame *f, unsigned variant)
{
	bool jit = perf_dso_is_jit(f->dso);
	bool raw = p->options->raw_names;
	struct fg_str rest = f->symbol;

	if (perf_symbol_is_none(f->symbol, f->dso)) {
		add_unknown(p, f, variant);
		return;
	}
	if (f->dso_kind == PERF_DSO_INLINED)
		variant |= PERF_VARIANT_INLINED;
	if (raw || !jit || !is_java_inlined(f->symbol)) {
		add_function(p, f->symbol,
			     raw || (jit && perf_symbol_keeps_parentheses(f->symbol)),
			     variant);
		if (!fg_str_trim(fg_buf_str(&p->scratch)).len) {
			/* the symbol consisted of quotes only */
			add_unknown(p, f, variant);
			return;
		}
		add_dso(p, f);
		add_name(p, variant);
		return;
	}
	add_function(p, next_part(&rest), perf_symbol_keeps_parentheses(f->symbol),
		     variant);
	add_dso(p, f);
	add_name(p, variant);
	while (rest.ptr) {
		add_function(p, next_part(&rest), false, variant);
		if (!fg_str_has(fg_buf_str(&p->scratch), FG_STR("_[i]")))
			fg_buf_add_str(&p->scratch, FG_STR("_[i]"));
		add_name(p, 0);
	}
}

/* Returns the index of ":main.c:12", which --context adds; s.len if it is missing. */
static size_t context_start(const struct perf *p, struct fg_str s)
{
	size_t line = fg_str_rfind_char(s, ':');
	size_t file = fg_str_rfind_char(fg_str_before(s, line), ':');

	return p->options->context && file < line ? file : s.len;
}

void perf_name_inlined(struct perf *p, const struct perf_frame *f, struct fg_str names)
{
	unsigned of_dso = perf_variant_of_dso(p->options, f->dso, p->sample.variant);
	unsigned variant = of_dso & ~(unsigned)PERF_VARIANT_JAVA;

	while (names.len) {
		struct fg_str name = fg_str_cut(&names, ';');
		size_t context = context_start(p, name);

		add_function(p, fg_str_before(name, context), p->options->raw_names,
			     variant | PERF_VARIANT_INLINED);
		add_tidied(p, fg_str_from_pos(name, context));
		add_dso(p, f);
		add_name(p, variant);
	}
}

/* Gives frame `to` the mark of frame `from`, which is the same function. */
static void copy_mark(struct perf *p, uint32_t from, uint32_t to)
{
	if (fg_sink_has_mark(p->sink, from, FG_MARK_BASE))
		fg_sink_mark(p->sink, to, FG_MARK_BASE);
}

void perf_name_line(struct perf *p, struct fg_str place)
{
	size_t colon = fg_str_rfind_char(place, ':');
	struct fg_str name, plain;
	uint32_t *last, id;
	uint64_t line;

	if (!p->run.count || fg_str_u64(fg_str_from_pos(place, colon + 1), &line))
		return;
	last = &p->run.items[p->run.count - 1];
	name = fg_intern_name(p->names, *last);
	plain = fg_folded_without_annotation(name);
	fg_buf_clear(&p->scratch);
	fg_buf_add_str(&p->scratch, plain);
	fg_line_add(&p->scratch, fg_str_before(place, colon), line);
	fg_buf_add_str(&p->scratch, fg_str_from_pos(name, plain.len));
	id = fg_intern(p->names, fg_buf_str(&p->scratch));
	copy_mark(p, *last, id);
	*last = id;
}

void perf_name_source_line(struct perf *p, struct fg_str line)
{
	struct fg_buf *b = &p->scratch;
	uint32_t *leaf, id;

	line = fg_str_trim(line);
	if (fg_str_cut_end(&line, FG_STR("(inlined)")))
		line = fg_str_trim_right(line);
	leaf = &p->stack->ids[p->stack->start];
	fg_buf_clear(b);
	fg_buf_add_str(b, fg_intern_name(p->names, *leaf));
	fg_buf_add_char(b, ':');
	/* the line is "libc.so.6[29d8f]" if the source is unknown */
	perf_add_unbracketed(b, line);
	if (b->ptr[b->len - 1] == ':')
		return;
	fg_buf_replace(b, 0, ';', ':');
	id = fg_intern(p->names, fg_buf_str(b));
	copy_mark(p, *leaf, id);
	*leaf = id;
}

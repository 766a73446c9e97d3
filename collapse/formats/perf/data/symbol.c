/* The names of symbols: read, and compared where several start at one address. */
#include "collapse/formats/perf/data/symbol.h"

#include "collapse/formats/perf/data/demangle.h"
#include "collapse/formats/perf/data/elf.h"

void fg_pd_symbol_read(const struct fg_pd_symbol_files *files,
		       struct fg_pd_symbol *symbol)
{
	const char *name = "";

	if (!symbol || !(symbol->flags & FG_PD_SYMBOL_UNREAD))
		return;
	if (!(symbol->flags & FG_PD_SYMBOL_IFUNC))
		name = fg_pd_elf_text(
			symbol->flags & FG_PD_SYMBOL_PLT ? files->runtime : files->elf,
			symbol->name_at);
	symbol->name = name ? name : "[unknown]";
	symbol->flags &= ~(uint32_t)FG_PD_SYMBOL_UNREAD;
}

struct fg_str fg_pd_symbol_name(const struct fg_pd_symbol *symbol)
{
	struct fg_str name;
	size_t len = 0;

	if (!(symbol->flags & FG_PD_SYMBOL_LINE))
		return fg_str_from(symbol->name);
	while (symbol->name[len] != '\n' && symbol->name[len] != '\t')
		len++;
	name = fg_str_of(symbol->name, len);
	return name;
}

/* ---- which is better */

static struct fg_pd_shape shape_of(const struct fg_pd_symbol_files *files,
				   struct fg_pd_candidate *c)
{
	const struct fg_pd_symbol *symbol = &c->symbol;
	struct fg_buf plain = FG_BUF_INIT;
	struct fg_str name;
	struct fg_pd_shape shape = { 0, 0 };

	if (c->has_shape)
		return c->shape;
	fg_pd_symbol_read(files, &c->symbol);
	name = fg_pd_symbol_name(symbol);
	if (!(symbol->flags & FG_PD_SYMBOL_LINE) &&
	    fg_pd_demangle(symbol->name, &plain) == FG_PD_DEMANGLED)
		name = fg_buf_str(&plain);
	while (shape.underscores < name.len && name.ptr[shape.underscores] == '_')
		shape.underscores++;
	shape.length = name.len;
	fg_buf_release(&plain);
	c->shape = shape;
	c->has_shape = true;
	return shape;
}

bool fg_pd_symbol_is_better(const struct fg_pd_symbol_files *files,
			    struct fg_pd_candidate *best, struct fg_pd_candidate *next)
{
	const struct fg_pd_symbol *now = &best->symbol, *later = &next->symbol;
	static const uint32_t bad[] = { FG_PD_SYMBOL_UNTYPED, FG_PD_SYMBOL_WEAK };
	uint32_t differ = now->flags ^ later->flags;
	struct fg_pd_shape a, b;

	if ((now->end > now->start) != (later->end > later->start))
		return later->end > later->start;
	for (size_t i = 0; i < FG_COUNT_OF(bad); i++)
		if (differ & bad[i])
			return now->flags & bad[i];
	if (differ & FG_PD_SYMBOL_GLOBAL)
		return later->flags & FG_PD_SYMBOL_GLOBAL;
	a = shape_of(files, best);
	b = shape_of(files, next);
	if (a.underscores != b.underscores)
		return b.underscores < a.underscores;
	if (a.length != b.length)
		return b.length > a.length;
	/* The second name of a system call is its better one. */
	return fg_str_starts(fg_pd_symbol_name(now), FG_STR("SyS")) ||
	       fg_str_starts(fg_pd_symbol_name(now), FG_STR("compat_SyS"));
}

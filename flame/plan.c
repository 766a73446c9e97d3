/* Prints plans for the shell. */
#include "flame/plan.h"

#include "flame/quote.h"

struct fg_stage *fg_plan_add(struct fg_plan *plan)
{
	return &plan->stages[plan->stage_count++];
}

void fg_plan_release(struct fg_plan *plan)
{
	fg_args_release(&plan->before);
	fg_args_release(&plan->record);
	for (size_t i = 0; i < plan->stage_count; i++)
		fg_args_release(&plan->stages[i].args);
	fg_args_release(&plan->draw);
	*plan = (struct fg_plan){ .before_to = NULL };
}

static void add_word(struct fg_buf *text, const char *word, const char *tmp)
{
	size_t len = strlen(tmp);

	/* temporary files have plain names */
	if (!strncmp(word, tmp, len) && word[len] == '/')
		fg_buf_addf(text, "\"$tmp%s\"", word + len);
	else
		fg_quote(text, word);
}

void fg_plan_add_command(struct fg_buf *text, const struct fg_args *args,
			 const char *tmp)
{
	for (size_t i = 0; i < args->count; i++) {
		if (i)
			fg_buf_add_char(text, ' ');
		add_word(text, args->items[i], tmp);
	}
}

void fg_plan_add_stage(struct fg_buf *text, const struct fg_stage *stage,
		       const char *tmp)
{
	if (!stage->script)
		fg_plan_add_command(text, &stage->args, tmp);
	else if (strpbrk(stage->script, "#;&|\n"))
		fg_buf_addf(text, "{ %s\n}", stage->script);
	else
		fg_buf_addf(text, "%s", stage->script);
}

static void add_stages(struct fg_buf *text, const struct fg_plan *plan, const char *tmp)
{
	for (size_t i = 0; i < plan->stage_count; i++) {
		if (i)
			fg_buf_add_str(text, FG_STR(" | "));
		fg_plan_add_stage(text, &plan->stages[i], tmp);
	}
	if (plan->append_to) {
		fg_buf_add_str(text, FG_STR(" >> "));
		add_word(text, plan->append_to, tmp);
	} else if (plan->draw.count) {
		fg_buf_add_str(text, FG_STR(" | "));
		fg_plan_add_command(text, &plan->draw, tmp);
	}
}

void fg_plan_add_text(struct fg_buf *text, const struct fg_plan *plan, const char *tmp)
{
	if (plan->before.count) {
		fg_plan_add_command(text, &plan->before, tmp);
		fg_buf_add_str(text, FG_STR(" > "));
		add_word(text, plan->before_to, tmp);
		fg_buf_add_char(text, '\n');
	}
	if (plan->way == FG_WAY_DESCRIPTOR)
		fg_buf_add_str(text, FG_STR("{ "));
	if (plan->record.count) {
		fg_plan_add_command(text, &plan->record, tmp);
		if (plan->way == FG_WAY_DESCRIPTOR)
			fg_buf_add_str(text, FG_STR(" 3>&1 >&4 4>&-"));
		fg_buf_add_str(text,
			       plan->way == FG_WAY_FILE ? FG_STR("\n") : FG_STR(" | "));
	}
	add_stages(text, plan, tmp);
	if (plan->way == FG_WAY_DESCRIPTOR)
		fg_buf_add_str(text, FG_STR("; } 4>&1"));
	fg_buf_add_char(text, '\n');
}

void fg_plan_add_script(struct fg_buf *script, const struct fg_buf *text)
{
	bool has_files = fg_str_has(fg_buf_str(text), FG_STR("\"$tmp/"));

	if (has_files)
		fg_buf_add_str(script, FG_STR("tmp=$(mktemp -d)\n"));
	fg_buf_add_str(script, fg_buf_str(text));
	if (has_files)
		fg_buf_add_str(script, FG_STR("rm -r \"$tmp\"\n"));
}

/* Tests of the targets that cargo-flame finds in cargo's JSON, and of its choice. */
#include <string.h>

#include "flame/cargo/crate.h"
#include "tests/unit/support/support.h"

/* The JSON here has ' in place of ". */
static void set_json(struct fg_buf *b, const char *text)
{
	fg_buf_clear(b);
	fg_buf_add_str(b, fg_str_from(text));
	fg_buf_replace(b, 0, '\'', '"');
}

/* Appends the targets, like "bin shop, lib shop (test)". */
static void list_targets(const struct fg_crate *c, struct fg_buf *list)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct fg_target *t = &c->targets[i];

		if (i)
			fg_buf_add_str(list, FG_STR(", "));
		fg_buf_add_str(list, t->kind);
		fg_buf_add_char(list, ' ');
		fg_buf_add_str(list, t->name);
		if (t->is_test)
			fg_buf_add_str(list, FG_STR(" (test)"));
		if (t->file.len)
			fg_buf_add_str(list, FG_STR(" in "));
		fg_buf_add_str(list, t->file);
	}
}

/* ---- metadata */

/*
 * Checks the targets in metadata, then default-run in brackets if there is one.
 * `package` is the argument of --package, or NULL.
 */
static void check_metadata(const char *text, const char *package, const char *want)
{
	const struct fg_opt_list packages = { &package, package != NULL, 0 };
	struct fg_crate c = { .targets = NULL };
	struct fg_buf json = FG_BUF_INIT, list = FG_BUF_INIT;
	const char *default_run;

	set_json(&json, text);
	default_run = fg_crate_read_metadata(&c, fg_buf_str(&json), &packages);
	list_targets(&c, &list);
	if (default_run)
		fg_buf_addf(&list, " [%s]", default_run);
	assert_str_is(fg_buf_str(&list), fg_str_from(want));
	fg_buf_release(&json);
	fg_buf_release(&list);
	fg_crate_release(&c);
}

static void test_targets_of_a_package(void **state)
{
	(void)state;
	check_metadata(
		"{'packages':[{'name':'shop','version':'1.0.0','id':'shop#1.0.0',"
		"'dependencies':[{'name':'x','kind':null}],'targets':["
		"{'kind':['lib','cdylib'],'crate_types':['lib'],'name':'shop',"
		"'src_path':'/s.rs','doctest':true,'test':true},"
		"{'kind':['bin'],'name':'shop','test':true},"
		"{'kind':['bin'],'name':'till','test':false},"
		"{'kind':['example'],'name':'show','test':false},"
		"{'kind':['test'],'name':'all','test':true},"
		"{'kind':['bench'],'name':'fast','test':false}],"
		"'features':{},'default_run':null}],"
		"'workspace_members':['other'],"
		"'workspace_default_members':['shop#1.0.0'],'resolve':null}",
		NULL,
		"lib shop (test), bin shop, bin shop (test), bin till, test all "
		"(test)");
}

static void test_packages_of_a_workspace(void **state)
{
	static const char workspace[] =
		"{'packages':["
		"{'name':'a','id':'A','targets':[{'kind':['bin'],'name':'x'}],"
		"'default_run':'x'},"
		"{'name':'b','id':'B','targets':[{'kind':['bin'],'name':'y'}],"
		"'default_run':null},"
		"{'name':'c','id':'C','targets':[{'kind':['bin'],'name':'z'}],"
		"'default_run':'z'}],"
		"'workspace_default_members':['B','C']}";

	(void)state;
	check_metadata(workspace, NULL, "bin y, bin z [z]");
	check_metadata(workspace, "a", "bin x [x]");
	check_metadata(workspace, "b", "bin y");
	check_metadata(workspace, "c@1.0.0", "bin z [z]");
	check_metadata(workspace, "d", "");
}

static void test_several_default_runs(void **state)
{
	(void)state;
	check_metadata("{'packages':["
		       "{'id':'A','targets':[],'default_run':'x'},"
		       "{'id':'B','targets':[],'default_run':'y'}],"
		       "'workspace_default_members':['A','B']}",
		       NULL, "");
}

static void test_targets_that_need_features(void **state)
{
	(void)state;
	check_metadata("{'packages':[{'id':'A','default_run':'x','targets':["
		       "{'kind':['bin'],'name':'x'},"
		       "{'kind':['bin'],'name':'y','required-features':['f']}]}],"
		       "'workspace_default_members':['A']}",
		       NULL, " [x]");
	/* an example is not built by default */
	check_metadata("{'packages':[{'id':'A','targets':["
		       "{'kind':['bin'],'name':'x'},"
		       "{'kind':['example'],'name':'y','required-features':['f']}]}],"
		       "'workspace_default_members':['A']}",
		       NULL, "bin x");
}

static void test_metadata_of_another_form(void **state)
{
	static const char *const texts[] = {
		"",
		"error",
		"[]",
		"{}",
		"{'packages':{}}",
		"{'packages':[1,[]],'workspace_default_members':['A']}",
		"{'packages':[{'id':'A','targets':[1]}],"
		"'workspace_default_members':['A']}",
		"{'packages':[{'id':'A','default_run':[],'targets':["
		"{'kind':['bin'],'name':'x'}]}],'workspace_default_members':{}}",
		"{'packages':[{'id':'A','targets':[{'kind':['bin'],'name':'x'}]}],"
		"'workspace_default_members':['A'",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		check_metadata(texts[i], NULL, "");
}

/* ---- messages of a build */

static void read_messages(struct fg_crate *c, const char *text)
{
	struct fg_buf json = FG_BUF_INIT;

	set_json(&json, text);
	fg_crate_read_messages(c, fg_buf_str(&json));
	fg_buf_release(&json);
}

static void check_messages(const char *text, const char *want)
{
	struct fg_crate c = { .targets = NULL };
	struct fg_buf list = FG_BUF_INIT;

	read_messages(&c, text);
	list_targets(&c, &list);
	assert_str_is(fg_buf_str(&list), fg_str_from(want));
	fg_buf_release(&list);
	fg_crate_release(&c);
}

static void test_messages_of_a_build(void **state)
{
	(void)state;
	check_messages(
		"{'reason':'compiler-artifact','package_id':'p','target':"
		"{'kind':['lib'],'crate_types':['lib'],'name':'shop','test':true},"
		"'profile':{'opt_level':'3','test':true},'features':['f'],"
		"'filenames':['/f'],'executable':'/t/shop-1','fresh':true}\n",
		"lib shop (test) in /t/shop-1");
	check_messages("{'reason':'compiler-artifact','target':{'kind':['bin'],"
		       "'name':'a b','test':true},'profile':{'test':false},"
		       "'executable':'/a \\\\b\\u00e9'}\n",
		       "bin a b in /a \\b\xc3\xa9");
	/* the members may be in any order */
	check_messages("{'executable':'/a','profile':{'test':true},'target':"
		       "{'name':'a','kind':['bin']},'reason':'compiler-artifact'}",
		       "bin a (test) in /a");
}

static void test_other_messages(void **state)
{
	(void)state;
	check_messages("{'reason':'compiler-artifact','target':{'kind':['lib'],"
		       "'name':'a'},'executable':null}\n",
		       "");
	check_messages("{'reason':'build-script-executed','target':{'kind':['bin'],"
		       "'name':'a'},'executable':'/a'}\n",
		       "");
	check_messages("hello\n{world}\n{\n\n"
		       "{'reason':'compiler-artifact','target':{'kind':['bin'],"
		       "'name':'a'},'executable':'/a'}\n"
		       "{'reason':'compiler-artifact','executable':'/cut'",
		       "bin a in /a");
	check_messages("{'reason':'compiler-artifact','target':[],'profile':1,"
		       "'executable':'/a'}\n",
		       "  in /a");
}

/* ---- the choice */

/* Appends the message that a program was built. */
static void add_artifact(struct fg_buf *b, const char *kind, const char *name,
			 const char *file)
{
	bool is_test = strcmp(kind, "bin") != 0 && strcmp(kind, "example") != 0;

	fg_buf_addf(b,
		    "{'reason':'compiler-artifact','target':{'kind':['%s'],"
		    "'name':'%s'},'profile':{'test':%s},'executable':'%s'}\n",
		    kind, name, is_test || strstr(file, "tests") ? "true" : "false",
		    file);
}

/* Checks the program that is chosen, or the message. */
static void check_choice(struct fg_choice choice, const char *want)
{
	struct fg_crate c = { .targets = NULL };
	struct fg_buf messages = FG_BUF_INIT;
	const struct fg_target *found;
	struct caught caught;

	caught_init(&caught);
	add_artifact(&messages, "lib", "shop", "lib tests");
	add_artifact(&messages, "bin", "shop", "bin tests");
	add_artifact(&messages, "bin", "shop", "shop");
	add_artifact(&messages, "bin", "till", "till");
	add_artifact(&messages, "example", "show", "show");
	add_artifact(&messages, "test", "all", "all");
	add_artifact(&messages, "bench", "fast", "fast");
	add_artifact(&messages, "proc-macro", "derive", "macro tests");
	read_messages(&c, fg_buf_cstr(&messages));
	found = fg_crate_choose(&c, &choice, &caught.diag);
	assert_str_is(found ? found->file : fg_buf_str(&caught.text),
		      fg_str_from(want));
	caught_release(&caught);
	fg_buf_release(&messages);
	fg_crate_release(&c);
}

static void test_choices(void **state)
{
	static const struct {
		struct fg_choice choice;
		const char *want;
	} table[] = {
		{ { FG_RUN_BIN, "till", FG_UNIT_ANY }, "till" },
		{ { FG_RUN_BIN, "shop", FG_UNIT_ANY }, "shop" },
		{ { FG_RUN_BIN, NULL, FG_UNIT_ANY },
		  "prog: there are several programs: choose one of shop, till with "
		  "--bin\n" },
		{ { FG_RUN_EXAMPLE, "show", FG_UNIT_ANY }, "show" },
		{ { FG_RUN_EXAMPLE, "all", FG_UNIT_ANY },
		  "prog: there is no program to run: choose one with --bin, --example, "
		  "--test or --bench\n" },
		{ { FG_RUN_TEST, "all", FG_UNIT_ANY }, "all" },
		{ { FG_RUN_BENCH, "fast", FG_UNIT_ANY }, "fast" },
		{ { FG_RUN_UNIT_TEST, "derive", FG_UNIT_ANY }, "macro tests" },
		{ { FG_RUN_UNIT_TEST, "shop", FG_UNIT_LIB }, "lib tests" },
		{ { FG_RUN_UNIT_BENCH, "shop", FG_UNIT_BIN }, "bin tests" },
		{ { FG_RUN_UNIT_TEST, NULL, FG_UNIT_BIN }, "bin tests" },
		{ { FG_RUN_UNIT_TEST, "shop", FG_UNIT_ANY },
		  "prog: there are several programs: choose one of shop (lib), shop "
		  "(bin) with --unit-test=NAME or --unit-test-kind lib or bin\n" },
		{ { FG_RUN_UNIT_BENCH, "all", FG_UNIT_ANY },
		  "prog: all has no unit tests: --unit-bench takes the name of the "
		  "library or of a program\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++)
		check_choice(table[i].choice, table[i].want);
}

static void test_a_choice_of_nothing(void **state)
{
	const struct fg_choice choice = { FG_RUN_UNIT_TEST, NULL, FG_UNIT_ANY };
	const struct fg_crate c = { .targets = NULL };
	struct caught caught;

	(void)state;
	caught_init(&caught);
	assert_null(fg_crate_choose(&c, &choice, &caught.diag));
	assert_str(fg_buf_str(&caught.text),
		   "prog: the crate has no unit tests: --unit-test takes the name of "
		   "the library or of a program\n");
	caught_release(&caught);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets_of_a_package),
		cmocka_unit_test(test_packages_of_a_workspace),
		cmocka_unit_test(test_several_default_runs),
		cmocka_unit_test(test_targets_that_need_features),
		cmocka_unit_test(test_metadata_of_another_form),
		cmocka_unit_test(test_messages_of_a_build),
		cmocka_unit_test(test_other_messages),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_a_choice_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Fuzzes files of --rules: any bytes are rules or a message, and equal names are
 * interned once.
 */
#include "lib/base/intern.h"
#include "lib/profile/rename.h"
#include "lib/base/visible.h"
#include "tests/fuzz/file.h"

static void apply(const struct fg_renames *rules, struct fg_intern *names,
		  struct fg_str name)
{
	struct fg_buf renamed = FG_BUF_INIT;

	fg_buf_add_str(&renamed, name);
	if (!fg_renames_apply(rules, &renamed)) {
		uint32_t id = fg_intern(names, fg_buf_str(&renamed));
		struct fg_str shown = fg_intern_name(names, id);

		fuzz_check(!fg_str_has_char(shown, ';'), "a name stays one");
		fuzz_check(fg_is_visible(shown), "a name can be written");
	}
	fg_buf_release(&renamed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fg_str frames[] = {
		FG_STR_INIT(""),
		FG_STR_INIT("main"),
		FG_STR_INIT("std::vector<int>::push_back(int&&)_[i]"),
		FG_STR_INIT("\xff\xc3\xa4\n"),
	};
	struct fg_renames rules = { NULL, 0, 0 };
	struct fg_intern names;
	struct fuzz_file file;
	struct fg_diag diag;
	int status;

	fuzz_diag(&diag);
	fuzz_file_make(&file, "rules", fg_str_of((const char *)data, size));
	fg_intern_init_visible(&names);
	status = fg_renames_read(&rules, fg_buf_cstr(&file.path), &diag);
	fuzz_check(!status == !diag.errors, "a failure is reported");
	for (size_t i = 0; i < FG_COUNT_OF(frames) && !status; i++)
		apply(&rules, &names, frames[i]);
	fg_intern_release(&names);
	fg_renames_release(&rules);
	fuzz_file_remove(&file);
	return 0;
}

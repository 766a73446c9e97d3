/* JSON: tokens nest, and text that is cut off is either a part of them or an error. */
#include "collapse/json.h"
#include "tests/fuzz/fuzz.h"

/* How many tokens there are; checks that brackets match. */
static size_t count_tokens(struct fg_str text, bool *cut)
{
	enum fg_json_kind kind;
	size_t count = 0, depth = 0;
	struct fg_json j;

	fg_json_init(&j, text);
	while ((kind = fg_json_next(&j)) > FG_JSON_END) {
		count++;
		depth += kind == FG_JSON_OBJECT || kind == FG_JSON_ARRAY;
		if (kind == FG_JSON_OBJECT_END || kind == FG_JSON_ARRAY_END)
			fuzz_check(depth-- > 0, "a bracket was open");
		fuzz_check(j.open.len == depth, "the depth is that of the brackets");
		fuzz_check(j.at <= text.len, "tokens are within the text");
	}
	fuzz_check(kind == FG_JSON_ERROR || (!depth && count), "a value was read");
	fuzz_check((kind == FG_JSON_ERROR) == (j.error != NULL), "an error has a text");
	*cut = j.cut;
	fg_json_release(&j);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fg_str text = fg_str_of((const char *)data, size);
	bool cut;
	size_t all = count_tokens(text, &cut);

	if (size)
		fuzz_check(count_tokens(fg_str_before(text, size / 2), &cut) <= all + 1,
			   "half of a text has no more tokens");
	return 0;
}

/* Reads maps that bpftrace -f json prints, one on each line, or indented by jq. */
#include "collapse/formats/bpftrace/key.h"
#include "lib/base/json.h"
#include "lib/recognize/lines.h"

/*
 * Reads the number in a value: the value itself, a member of stats(), or the sum of a
 * histogram. Returns 1 on success, 0 if there is no number or it is too large, or -1 if
 * the JSON is invalid.
 */
static int read_weight(struct bpftrace_key *k, struct fg_json *j,
		       struct bpftrace_value *weight)
{
	enum fg_json_kind kind = fg_json_next(j);
	struct fg_str member =
		fg_str_trim(kind == FG_JSON_ARRAY ? FG_STR("count") : k->weight);
	size_t depth = j->open.len - (kind == FG_JSON_ARRAY || kind == FG_JSON_OBJECT);
	bool named = j->open.len == depth, any = false, too_large = false;
	struct bpftrace_value n;

	*weight = (struct bpftrace_value){ 0, false };
	for (;; kind = fg_json_next(j)) {
		if (kind == FG_JSON_NUMBER && named &&
		    bpftrace_value_read(j->text, &n)) {
			any = true;
			weight->minus = n.minus;
			too_large |= !bpftrace_add(&weight->amount, n.amount);
		}
		named = kind == FG_JSON_NAME && fg_str_eq(j->text, member);
		if (j->open.len == depth || kind == FG_JSON_ERROR)
			break;
	}
	return kind == FG_JSON_ERROR ? -1 : any && !too_large;
}

/* Reads "@NAME": { KEY: VALUE, ... }. */
static void read_map(struct bpftrace_key *k, struct fg_json *j, struct fg_str line)
{
	struct fg_buf map = FG_BUF_INIT;
	enum fg_json_kind kind;
	struct bpftrace_value weight;
	int found = 0;

	fg_buf_add_str(&map, j->text);
	kind = fg_json_next(j);
	if (kind != FG_JSON_OBJECT)
		fg_sink_skip(k->sink, FG_SKIP_NO_STACK, !fg_json_skip(j, kind));
	while (kind == FG_JSON_OBJECT && found >= 0 &&
	       fg_json_next(j) == FG_JSON_NAME) {
		struct fg_str rest = j->text;

		bpftrace_key_start(k, fg_buf_str(&map));
		do {
			struct fg_str part = fg_str_cut(&rest, '\n');
			bool last = part.ptr + part.len == j->text.ptr + j->text.len;

			bpftrace_key_line(k, part, last);
		} while (rest.len);
		found = read_weight(k, j, &weight);
		if (found > 0)
			bpftrace_key_add(k, weight);
		else if (!found)
			fg_sink_malformed(k->sink, line);
	}
	fg_buf_release(&map);
}

/*
 * Reads the maps in {"type": TYPE, "data": {"@NAME": ..., ...}}. Names with "@" are
 * maps.
 */
void bpftrace_json_line(struct bpftrace_key *k, struct fg_str record)
{
	enum fg_json_kind kind;
	struct fg_json j;
	uint64_t lost;

	fg_json_init(&j, record);
	k->json = true;
	while ((kind = fg_json_next(&j)) > FG_JSON_END) {
		if (kind != FG_JSON_NAME || j.open.len != 2)
			continue;
		if (fg_str_starts(j.text, FG_STR("@")))
			read_map(k, &j, record);
		else if (fg_str_eq(j.text, FG_STR("events")) &&
			 fg_json_next(&j) == FG_JSON_NUMBER &&
			 !fg_str_u64(j.text, &lost))
			fg_sink_skip(k->sink, FG_SKIP_LOST, lost);
	}
	if (j.cut) {
		fg_sink_skip(k->sink, FG_SKIP_DROPPED, 1);
	} else if (kind == FG_JSON_ERROR) {
		fg_sink_malformed(k->sink, record);
	}
	k->json = false;
	fg_sink_clear(k->sink);
	fg_json_release(&j);
}

/* ---- records of several lines */

/* Counts the brackets that a line opens and closes outside strings. */
static void count_brackets(struct bpftrace_record *r, struct fg_str line)
{
	bool in_string = false;

	for (size_t i = 0; i < line.len; i++) {
		char c = line.ptr[i];

		if (c == '"')
			in_string = !in_string;
		else if (in_string)
			i += c == '\\';
		else if (c == '{' || c == '[')
			r->depth++;
		else if ((c == '}' || c == ']') && r->depth)
			r->depth--;
	}
}

bool bpftrace_record_line(struct bpftrace_record *r, struct bpftrace_key *k,
			  struct fg_str line)
{
	struct fg_str text = fg_str_trim(line);

	if (!r->text.len && !fg_str_eq(text, FG_STR("{")))
		return false;
	if (r->text.len == 2 && !bpftrace_is_first_member(text)) {
		fg_buf_clear(&r->text);
		r->depth = 0;
		return false;
	}
	fg_buf_add_str(&r->text, text);
	fg_buf_add_char(&r->text, '\n');
	count_brackets(r, text);
	if (r->depth)
		return true;
	/* this cuts the comma that follows if the records are in an array */
	bpftrace_json_line(
		k, fg_str_before(fg_buf_str(&r->text),
				 fg_str_rfind_char(fg_buf_str(&r->text), '}') + 1));
	fg_buf_clear(&r->text);
	return true;
}

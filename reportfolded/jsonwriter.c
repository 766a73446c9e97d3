/* Writes JSON from left to right. */
#include "reportfolded/jsonwriter.h"

#include "reportfolded/names.h"

static void begin(struct fg_jsonwriter *j)
{
	if (j->comma)
		fg_out_add_char(j->out, ',');
	j->comma = true;
}

void fg_json_open(struct fg_jsonwriter *j, char bracket)
{
	begin(j);
	fg_out_add_char(j->out, bracket);
	j->comma = false;
}

void fg_json_close(struct fg_jsonwriter *j, char bracket)
{
	fg_out_add_char(j->out, bracket);
	j->comma = true;
}

void fg_json_key(struct fg_jsonwriter *j, const char *key)
{
	begin(j);
	fg_out_addf(j->out, "\"%s\":", key);
	j->comma = false;
}

void fg_json_string(struct fg_jsonwriter *j, struct fg_str value)
{
	struct fg_buf text = FG_BUF_INIT;

	begin(j);
	fg_buf_add_char(&text, '"');
	fg_report_add_name(&text, value, FG_REPORT_JSON);
	fg_buf_add_char(&text, '"');
	fg_out_add_str(j->out, fg_buf_str(&text));
	fg_buf_release(&text);
}

void fg_json_u64(struct fg_jsonwriter *j, uint64_t value)
{
	begin(j);
	fg_out_add_u64(j->out, value);
}

void fg_json_decimal(struct fg_jsonwriter *j, struct fg_sum value, unsigned decimals)
{
	struct fg_buf text = FG_BUF_INIT;

	begin(j);
	fg_buf_add_sum(&text, value, decimals);
	fg_out_add_str(j->out, fg_buf_str(&text));
	fg_buf_release(&text);
}

void fg_json_raw(struct fg_jsonwriter *j, struct fg_str value)
{
	begin(j);
	fg_out_add_str(j->out, value);
}

void fg_json_line(struct fg_jsonwriter *j)
{
	if (j->comma)
		fg_out_add_char(j->out, ',');
	j->comma = false;
	fg_out_add_char(j->out, '\n');
}

void fg_json_key_string(struct fg_jsonwriter *j, const char *key, struct fg_str value)
{
	fg_json_key(j, key);
	fg_json_string(j, value);
}

void fg_json_key_u64(struct fg_jsonwriter *j, const char *key, uint64_t value)
{
	fg_json_key(j, key);
	fg_json_u64(j, value);
}

void fg_json_key_raw(struct fg_jsonwriter *j, const char *key, const char *value)
{
	fg_json_key(j, key);
	fg_json_raw(j, fg_str_from(value));
}

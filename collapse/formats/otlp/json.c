/* Converts OTLP/JSON to Protocol Buffers. */
#include "collapse/formats/otlp/json.h"

#include <string.h>

#include "collapse/decimal.h"
#include "lib/base/protobuf.h"

/* ---- the fields of messages, as far as we use them */

enum message {
	DATA,
	RESOURCE_PROFILES,
	RESOURCE,
	KEY_VALUE,
	ANY_VALUE,
	SCOPE_PROFILES,
	PROFILE,
	VALUE_TYPE,
	SAMPLE,
	DICTIONARY,
	MAPPING,
	LOCATION,
	LINE,
	FUNCTION,
	ATTRIBUTE,
	STACK,
	NO_MESSAGE
};

enum type { MESSAGE, TEXT, NUMBER, EIGHT, REAL };

static const struct field {
	struct fg_str name;
	/* `of` and `message` are enum message; `type` is enum type */
	uint8_t of, number, type, message;
} fields[] = {
#define FIELD(of, name, number, type, message)               \
	{                                                    \
		FG_STR_INIT(name), of, number, type, message \
	}
	FIELD(DATA, "resourceProfiles", 1, MESSAGE, RESOURCE_PROFILES),
	FIELD(DATA, "dictionary", 2, MESSAGE, DICTIONARY),
	FIELD(RESOURCE_PROFILES, "resource", 1, MESSAGE, RESOURCE),
	FIELD(RESOURCE_PROFILES, "scopeProfiles", 2, MESSAGE, SCOPE_PROFILES),
	FIELD(RESOURCE, "attributes", 1, MESSAGE, KEY_VALUE),
	FIELD(KEY_VALUE, "key", 1, TEXT, NO_MESSAGE),
	FIELD(KEY_VALUE, "value", 2, MESSAGE, ANY_VALUE),
	FIELD(KEY_VALUE, "keyStrindex", 3, NUMBER, NO_MESSAGE),
	FIELD(ANY_VALUE, "stringValue", 1, TEXT, NO_MESSAGE),
	FIELD(ANY_VALUE, "boolValue", 2, NUMBER, NO_MESSAGE),
	FIELD(ANY_VALUE, "intValue", 3, NUMBER, NO_MESSAGE),
	FIELD(ANY_VALUE, "doubleValue", 4, REAL, NO_MESSAGE),
	FIELD(ANY_VALUE, "stringValueStrindex", 8, NUMBER, NO_MESSAGE),
	FIELD(SCOPE_PROFILES, "profiles", 2, MESSAGE, PROFILE),
	FIELD(PROFILE, "sampleType", 1, MESSAGE, VALUE_TYPE),
	FIELD(PROFILE, "samples", 2, MESSAGE, SAMPLE),
	FIELD(VALUE_TYPE, "typeStrindex", 1, NUMBER, NO_MESSAGE),
	FIELD(VALUE_TYPE, "unitStrindex", 2, NUMBER, NO_MESSAGE),
	FIELD(SAMPLE, "stackIndex", 1, NUMBER, NO_MESSAGE),
	FIELD(SAMPLE, "attributeIndices", 2, NUMBER, NO_MESSAGE),
	FIELD(SAMPLE, "values", 4, NUMBER, NO_MESSAGE),
	FIELD(SAMPLE, "timestampsUnixNano", 5, EIGHT, NO_MESSAGE),
	FIELD(DICTIONARY, "mappingTable", 1, MESSAGE, MAPPING),
	FIELD(DICTIONARY, "locationTable", 2, MESSAGE, LOCATION),
	FIELD(DICTIONARY, "functionTable", 3, MESSAGE, FUNCTION),
	FIELD(DICTIONARY, "stringTable", 5, TEXT, NO_MESSAGE),
	FIELD(DICTIONARY, "attributeTable", 6, MESSAGE, ATTRIBUTE),
	FIELD(DICTIONARY, "stackTable", 7, MESSAGE, STACK),
	FIELD(MAPPING, "filenameStrindex", 4, NUMBER, NO_MESSAGE),
	FIELD(LOCATION, "mappingIndex", 1, NUMBER, NO_MESSAGE),
	FIELD(LOCATION, "lines", 3, MESSAGE, LINE),
	FIELD(LINE, "functionIndex", 1, NUMBER, NO_MESSAGE),
	FIELD(LINE, "line", 2, NUMBER, NO_MESSAGE),
	FIELD(FUNCTION, "nameStrindex", 1, NUMBER, NO_MESSAGE),
	FIELD(FUNCTION, "systemNameStrindex", 2, NUMBER, NO_MESSAGE),
	FIELD(FUNCTION, "filenameStrindex", 3, NUMBER, NO_MESSAGE),
	FIELD(ATTRIBUTE, "keyStrindex", 1, NUMBER, NO_MESSAGE),
	FIELD(ATTRIBUTE, "value", 2, MESSAGE, ANY_VALUE),
	FIELD(STACK, "locationIndices", 1, NUMBER, NO_MESSAGE),
#undef FIELD
};

static const struct field *find(enum message of, struct fg_str name)
{
	for (size_t i = 0; i < FG_COUNT_OF(fields); i++)
		if (fields[i].of == of && fg_str_eq(fields[i].name, name))
			return &fields[i];
	return NULL;
}

/* ---- writing */

/* The length before an inner message is a varint that is padded to this many bytes. */
#define LENGTH 5

/* Adds a number as 8 bytes, little-endian. */
static void add_eight(struct fg_buf *all, uint64_t number)
{
	for (int i = 0; i < 8; i++, number >>= 8)
		fg_buf_add_char(all, (char)number);
}

static void add_scalar(struct fg_buf *all, const struct field *field,
		       const struct fg_json *j, enum fg_json_kind kind)
{
	int64_t number = kind == FG_JSON_TRUE;
	double real = 0;
	uint64_t bits = 0;

	switch ((enum type)field->type) {
	case MESSAGE: /* a null in a table still counts as a row */
	case TEXT:
		fg_proto_add_bytes_even_empty(
			all, field->number, field->type == TEXT ? j->text : FG_STR(""));
		return;
	case NUMBER:
	case EIGHT:
		if (j->text.len && fg_decimal_i64(j->text, 0, &number))
			number = 0;
		bits = (uint64_t)number;
		break;
	case REAL:
		if (fg_str_double(j->text, &real))
			real = 0;
		memcpy(&bits, &real, sizeof(bits));
		break;
	}
	if (field->type == NUMBER) {
		fg_proto_add_number_even_0(all, field->number, bits);
	} else {
		fg_proto_add_varint(all, FG_PROTO_EIGHT(field->number));
		add_eight(all, bits);
	}
}

/* ---- reading */

/* Messages nest less deeply than this. */
#define DEPTH_MAX 8

struct level {
	size_t start; /* index of the message's first byte in the output */
	const struct field *field; /* the field being read, or NULL if it is skipped */
	bool in_array;
	uint8_t message;
};

/* Starts a message. Leaves `length_size` bytes for its length. */
static struct level open_message(struct fg_buf *all, enum message message,
				 size_t length_size)
{
	for (size_t i = 0; i < length_size; i++)
		fg_buf_add_char(all, 0);
	return (struct level){ .start = all->len, .message = (uint8_t)message };
}

/* Ends a message: writes its length before it. Returns false if it is too long. */
static bool close_message(struct fg_buf *all, const struct level *level, bool is_outer)
{
	char *end = all->ptr + level->start;
	uint64_t size = all->len - level->start;

	if (size > UINT32_MAX)
		return false;
	if (is_outer)
		for (int i = 1; i <= OTLP_FRAME; i++, size >>= 8)
			end[-i] = (char)size;
	else
		for (int i = LENGTH; i; i--, size >>= 7)
			end[-i] = (char)(size % 0x80 | (i > 1 ? 0x80 : 0));
	return true;
}

static void add_value(struct fg_buf *all, const struct level *at, struct fg_json *j,
		      enum fg_json_kind kind)
{
	if (kind == FG_JSON_OBJECT || kind == FG_JSON_ARRAY)
		fg_json_skip(j, kind);
	else if (at->field && (kind != FG_JSON_NULL || at->in_array) &&
		 (at->field->type != MESSAGE || kind == FG_JSON_NULL))
		add_scalar(all, at->field, j, kind);
}

/* Reads a message after its '{', to its '}'. Returns 0, or -1 on an error. */
static int read_message(struct fg_json *j, struct fg_buf *all)
{
	struct level levels[DEPTH_MAX], *at = levels;
	enum fg_json_kind kind;

	*at = open_message(all, DATA, OTLP_FRAME);
	while ((kind = fg_json_next(j)) > FG_JSON_END) {
		const struct field *field = at->field;

		if (kind == FG_JSON_OBJECT_END) {
			if (!close_message(all, at, at == levels)) {
				j->error = "a message has more than 4 GB";
				break;
			}
			if (at-- == levels)
				return 0;
		} else if (kind == FG_JSON_NAME) {
			at->field = find(at->message, j->text);
			at->in_array = false;
		} else if (kind == FG_JSON_ARRAY_END) {
			at->in_array = false;
		} else if (kind == FG_JSON_ARRAY && field && !at->in_array) {
			at->in_array = true;
		} else if (kind == FG_JSON_OBJECT && field && field->type == MESSAGE) {
			fg_proto_add_varint(all, FG_PROTO_BYTES(field->number));
			*++at = open_message(all, (enum message)field->message, LENGTH);
		} else {
			add_value(all, at, j, kind);
		}
	}
	return -1;
}

int otlp_json_read(struct fg_json *j, struct fg_buf *all)
{
	enum fg_json_kind kind;

	j->many = true;
	fg_buf_clear(all);
	while ((kind = fg_json_next(j)) > FG_JSON_END) {
		size_t start = all->len;

		if (kind == FG_JSON_ARRAY || kind == FG_JSON_ARRAY_END) {
			continue; /* messages may also be in lists */
		} else if (kind != FG_JSON_OBJECT) {
			fg_json_skip(j, kind);
		} else if (read_message(j, all)) {
			if (!j->cut || !start)
				return -1;
			all->len = start;
			return 0;
		}
	}
	return kind == FG_JSON_END ? 0 : -1;
}

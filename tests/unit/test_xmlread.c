/*
 * Tests of lib/base/xmlread: events do not depend on the size of parts; refused input.
 */
#include <string.h>

#include "lib/base/xmlread.h"
#include "tests/unit/support/support.h"

struct seen {
	struct fg_buf events;
	struct fg_xmlread *reader;
};

/* Appends "<a id=1@1:1>" for an element that starts: its depth and line. */
static void add_start(void *data, const struct fg_xmlread_element *e)
{
	struct seen *seen = data;
	struct fg_str id;

	fg_buf_addf(&seen->events, "<");
	fg_buf_add_str(&seen->events, e->name);
	if (fg_xmlread_attribute(e, NULL, "id", &id)) {
		fg_buf_addf(&seen->events, " id=");
		fg_buf_add_str(&seen->events, id);
	}
	if (fg_xmlread_attribute(e, "u", "id", &id)) {
		fg_buf_addf(&seen->events, " u:id=");
		fg_buf_add_str(&seen->events, id);
	}
	fg_buf_addf(&seen->events, "@%u:%d>", e->depth,
		    (int)fg_xmlread_line(seen->reader));
}

static void add_close(void *data, struct fg_str name, unsigned depth)
{
	struct seen *seen = data;

	fg_buf_addf(&seen->events, "</");
	fg_buf_add_str(&seen->events, name);
	fg_buf_addf(&seen->events, "@%u>", depth);
}

/* Appends the text without spaces, because libxml2 may cut it anywhere. */
static void add_text(void *data, unsigned depth, struct fg_str text)
{
	struct seen *seen = data;

	(void)depth;
	for (size_t i = 0; i < text.len; i++)
		if (!fg_is_space(text.ptr[i]))
			fg_buf_add_char(&seen->events, text.ptr[i]);
}

static const struct fg_xmlread_handler handler = {
	.start = add_start,
	.close = add_close,
	.text = add_text,
};

/* Appends the events, "|", and the line and text of the fault. */
static void read_events(struct fg_str text, size_t part, struct fg_buf *events)
{
	struct seen seen = { .events = FG_BUF_INIT };
	const char *fault;

	seen.reader = fg_xmlread_new(&handler, &seen, FG_XMLREAD_REPAIR);
	while (text.len && !fg_xmlread_fault(seen.reader)) {
		struct fg_str bytes = fg_str_before(text, part ? part : text.len);

		fg_xmlread_feed(seen.reader, bytes);
		text = fg_str_from_pos(text, bytes.len);
	}
	fg_xmlread_end(seen.reader);
	fg_buf_add_str(events, fg_buf_str(&seen.events));
	fg_buf_addf(events, "|");
	fault = fg_xmlread_fault(seen.reader);
	if (fault)
		fg_buf_addf(events, "%d: %s", (int)fg_xmlread_line(seen.reader), fault);
	fg_xmlread_free(seen.reader);
	fg_buf_release(&seen.events);
}

static void check_events(struct fg_str text, struct fg_str want)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 8, 100, 4096 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_buf events = FG_BUF_INIT;

		read_events(text, sizes[i], &events);
		assert_str_is(fg_buf_str(&events), want);
		fg_buf_release(&events);
	}
}

#define CHECK_EVENTS(text, want) check_events(FG_STR(text), FG_STR(want))

static void elements_and_texts(void **state)
{
	(void)state;
	CHECK_EVENTS(
		"<?xml version='1.0'?>\n<a>\n<b id=\"7\"/><c x='1'>t&lt;&#65;</c>\n"
		"<!-- <d> --><![CDATA[<e>]]><p:f xmlns:p='u' p:id='1'/></a>\n",
		"<a@1:2><b id=7@2:3></b@2><c@2:3>t<A</c@2><e>"
		"<f u:id=1@2:4></f@2></a@1>|");
	CHECK_EVENTS("<a id='&quot;&amp;&#x2190;'/>",
		     "<a id=\"&\xe2\x86\x90@1:1></a@1>|");
	CHECK_EVENTS("<a id='x\ty\nz\r\n1\r2&#10;&#x9;3' b=\"'>]]>\"/>",
		     "<a id=x y z 1 2\n\t3@1:3></a@1>|");
	CHECK_EVENTS("<?xml version='1.0' encoding='UTF-7'?><a id='+ADw-'>\xc3\xa9</a>",
		     "<a id=+ADw-@1:1>\xc3\xa9</a@1>|");
}

/* Bytes that are not UTF-8, and characters that XML forbids, are replaced. */
static void other_bytes(void **state)
{
	(void)state;
	CHECK_EVENTS("<a id='1\0\x01\xff 2\xc3 3\xed\xa0\x80 4\xef\xbf\xbf"
		     "\xf0\x9f\x94\xa5'/>",
		     "<a id=1\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd 2\xef\xbf\xbd 3"
		     "\xef\xbf\xbd 4\xef\xbf\xbd\xf0\x9f\x94\xa5@1:1></a@1>|");
	/* all bytes of one damaged character become one U+FFFD */
	CHECK_EVENTS(
		"<a id='1\xc0\x80 2\xe0\x80\x80 3\xf0\x80\x80\x80 4\xf4\x90\x80\x80"
		" 5\xf0\x80\x80\x80\x80'/>",
		"<a id=1\xef\xbf\xbd\xef\xbf\xbd 2\xef\xbf\xbd 3\xef\xbf\xbd"
		" 4\xef\xbf\xbd 5\xef\xbf\xbd\xef\xbf\xbd@1:1></a@1>|");
	CHECK_EVENTS("<a>\xf0\x9f</a>", "<a@1:1>\xef\xbf\xbd</a@1>|");
}

/* Elements before the fault are read. */
static void faulty_input(void **state)
{
	static const struct {
		const char *text, *fault;
	} rows[] = {
		{ " \n", "it ends early" },
		{ "<a", "it ends early" },
		{ "<a b='", "it ends early" },
		{ "<a>t", "it ends early" },
		{ "<a><!-- --", "it ends early" },
		{ "<a/>t", "1: Extra content at the end of the document" },
		{ "<a></b>", "1: Opening and ending tag mismatch: a line 1 and b" },
		{ "<a b='1' b='2'/>", "1: Attribute b redefined" },
		{ "<a>&b;</a>", "1: Entity 'b' not defined" },
		{ "<a/>\n<?xml version='1.0'?><a/>",
		  "1: another document starts: give each as a file of its own" },
		{ "<!DOCTYPE a [<!ENTITY b 'bb'>]><a>&b;</a>",
		  "1: it declares an XML entity, which is not allowed" },
	};

	(void)state;
	CHECK_EVENTS("<a>\n<b/>\n<c>", "<a@1:1><b@2:2></b@2><c@2:3>|3: it ends early");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf events = FG_BUF_INIT;

		read_events(fg_str_from(rows[i].text), 0, &events);
		assert_has(fg_buf_str(&events), rows[i].fault);
		fg_buf_release(&events);
	}
}

static void add_times(struct fg_buf *b, const char *text, size_t times)
{
	while (times--)
		fg_buf_addf(b, "%s", text);
}

static void check_refused(struct fg_buf *text, const char *why)
{
	static const size_t parts[] = { 0, 1000 };

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct fg_buf events = FG_BUF_INIT;

		read_events(fg_buf_str(text), parts[i], &events);
		assert_has(fg_buf_str(&events), why);
		fg_buf_release(&events);
	}
	fg_buf_clear(text);
}

static void limit_of_depth(void **state)
{
	struct fg_buf text = FG_BUF_INIT, events = FG_BUF_INIT;

	(void)state;
	add_times(&text, "<a>", 256);
	add_times(&text, "</a>", 256);
	read_events(fg_buf_str(&text), 0, &events);
	assert_has(fg_buf_str(&events), "</a@1>|");
	fg_buf_clear(&text);
	add_times(&text, "<a>", 257);
	check_refused(&text, "nested more than 256 deep");
	fg_buf_release(&text);
	fg_buf_release(&events);
}

static void hostile_input(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&text, "<a ");
	for (int i = 0; i < 1001; i++)
		fg_buf_addf(&text, "a%d='' ", i);
	check_refused(&text, "an element has more than 1000 attributes");
	fg_buf_addf(&text, "<a><!-- ");
	add_times(&text, "<!--", 100000);
	fg_buf_addf(&text, "--></a>");
	check_refused(&text, "Double hyphen within comment");
	fg_buf_addf(&text, "<a>");
	for (int i = 0; i < 100000; i++)
		fg_buf_addf(&text, "<name%d_0123456789/>", i);
	check_refused(&text, "more than 1 MB of names");
	fg_buf_addf(&text, "<a id='");
	add_times(&text, "0123456789", 1100000);
	fg_buf_addf(&text, "'/>");
	check_refused(&text, "1: ");
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_texts), cmocka_unit_test(other_bytes),
		cmocka_unit_test(faulty_input),	      cmocka_unit_test(limit_of_depth),
		cmocka_unit_test(hostile_input),
	};

	return cmocka_run_group_tests_name("xmlread", tests, NULL, NULL);
}

/*
 * Tests of lib/base/xmlread: events, the same for every size of blocks; what is
 * refused.
 */
#include <string.h>

#include "lib/base/xmlread.h"
#include "tests/unit/support/support.h"

/* The elements that are known by name; all others are "*". */
static const struct fg_str names[] = { FG_STR_INIT("a"),
				       FG_STR_INIT("b"),
				       { NULL, 0 },
				       FG_STR_INIT("c"),
				       FG_STR_INIT("f") };

static void add_tag(struct fg_buf *b, const char *start,
		    const struct fg_xmlread_element *e)
{
	struct fg_str id;

	fg_buf_addf(b, "%s", start);
	fg_buf_add_str(b, e->name < COUNT_OF(names) ? names[e->name] : FG_STR("*"));
	if (fg_xmlread_attribute(e, "id", &id)) {
		fg_buf_addf(b, " id=");
		fg_buf_add_str(b, id);
	}
	fg_buf_addf(b, "@%u:%d>", e->depth, (int)fg_xmlread_line(e));
}

/* Appends "<a id=1@0:1>" for an element that starts: its depth and line. */
static void add_start(void *data, const struct fg_xmlread_element *e)
{
	add_tag(data, "<", e);
}

static void add_close(void *data, const struct fg_xmlread_element *e)
{
	add_tag(data, "</", e);
}

/* Appends "t@1" for each byte, as parts may be of any size; blanks say nothing. */
static void add_text(void *data, unsigned depth, struct fg_str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!fg_is_space(text.ptr[i])) {
			fg_buf_add_char(data, text.ptr[i]);
			fg_buf_addf(data, "@%u", depth);
		}
}

static const struct fg_xmlread_handler handler = {
	.names = names,
	.name_count = COUNT_OF(names),
	.start = add_start,
	.close = add_close,
	.text = add_text,
};

/* The events, and the messages after '|'. */
static void read_events(struct fg_str text, size_t block_size, struct fg_buf *events)
{
	struct caught c;
	struct fg_reader *reader;
	struct fg_block block;
	enum fg_xmlread_end end;

	caught_init(&c);
	reader = fg_reader_open_memory(text, "in", &c.diag);
	fg_reader_accept_parts(reader);
	if (block_size)
		fg_reader_set_block_size(reader, block_size);
	assert_int_equal(fg_reader_block(reader, &block), 1);
	end = fg_xmlread(reader, &block, &handler, events, &c.diag);
	assert_int_equal(end == FG_XMLREAD_DAMAGED, c.diag.warnings == 1);
	assert_int_equal(end == FG_XMLREAD_FAILED, c.diag.errors == 1);
	fg_buf_addf(events, "|");
	fg_buf_add_str(events, fg_buf_str(&c.text));
	fg_reader_close(reader);
	caught_release(&c);
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
		"<a@0:2><b id=7@1:3></b@1:3><c@1:3>t@2<@2A@2</c@1:3><@1e@1>@1"
		"<f@1:4></f@1:4></a@0:4>|");
	CHECK_EVENTS("\xef\xbb\xbf<a id='&quot;&amp;&#x2190;'/>",
		     "<a id=\"&\xe2\x86\x90@0:1></a@0:1>|");
	CHECK_EVENTS("<?xml version='1.0' encoding='UTF-7'?><a id='+ADw-'>\xc3\xa9</a>",
		     "<a id=+ADw-@0:1>\xc3@1\xa9@1</a@0:1>|");
	CHECK_EVENTS("<g><h/></g>", "<*@0:1><*@1:1></*@1:1></*@0:1>|");
}

/* Bytes that are no UTF-8, or no characters of XML, are no reason to stop. */
static void other_bytes(void **state)
{
	(void)state;
	CHECK_EVENTS("<a id='1\0\x01\xff 2\xc3 3\xed\xa0\x80 4\xef\xbf\xbf"
		     "\xf0\x9f\x94\xa5'/>",
		     "<a id=1\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd 2\xef\xbf\xbd 3"
		     "\xef\xbf\xbd 4\xef\xbf\xbd\xf0\x9f\x94\xa5@0:1></a@0:1>|");
	/* as many as the first byte asks for are one */
	CHECK_EVENTS(
		"<a id='1\xc0\x80 2\xe0\x80\x80 3\xf0\x80\x80\x80 4\xf4\x90\x80\x80"
		" 5\xf0\x80\x80\x80\x80'/>",
		"<a id=1\xef\xbf\xbd\xef\xbf\xbd 2\xef\xbf\xbd 3\xef\xbf\xbd"
		" 4\xef\xbf\xbd 5\xef\xbf\xbd\xef\xbf\xbd@0:1></a@0:1>|");
	CHECK_EVENTS("<a>\xf0\x9f</a>", "<a@0:1>\xef@1\xbf@1\xbd@1</a@0:1>|");
}

/* What comes before is read. */
static void damaged_input(void **state)
{
	(void)state;
	CHECK_EVENTS("<a>\n<b/>\n<c>",
		     "<a@0:1><b@1:2></b@1:2><c@1:3>|prog: in:3: the XML "
		     "cannot be read from here on: it ends early\n");
	CHECK_EVENTS("<a>\n<b/>\n<!-- - c -->\n<!-- d -- e -->\n<f/></a>",
		     "<a@0:1><b@1:2></b@1:2>|prog: in:4: the XML cannot be read from "
		     "here on: a comment has '--' in it\n");
	CHECK_EVENTS("<a>\n<b/><b id='<'/></a>",
		     "<a@0:1><b@1:2></b@1:2>|prog: in:2: the XML cannot be read from "
		     "here on: a '<' is in the value of an attribute\n");
	CHECK_EVENTS("<a>\n<b/>\n<!DOCTYPE c><b/>",
		     "<a@0:1><b@1:2></b@1:2>|prog: in:3: the XML cannot be read from "
		     "here on: it has a DOCTYPE, which is not read\n");
}

static void check_refused(struct fg_buf *text, const char *why)
{
	static const size_t sizes[] = { 0, 1, 1000 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_buf events = FG_BUF_INIT;

		read_events(fg_buf_str(text), sizes[i], &events);
		assert_has(fg_buf_str(&events), why);
		fg_buf_release(&events);
	}
	fg_buf_clear(text);
}

/* What is not well-formed, and what is said of it. */
static const struct {
	const char *text, *why;
} pieces[] = {
	{ " \n", "it ends early" },
	{ "<!-- a -->", "it ends early" },
	{ "<", "it ends early" },
	{ "<a", "it ends early" },
	{ "<a ", "it ends early" },
	{ "<a/", "it ends early" },
	{ "<a b", "it ends early" },
	{ "<a b=", "it ends early" },
	{ "<a b='", "it ends early" },
	{ "<a b='&lt;", "it ends early" },
	{ "<a>t", "it ends early" },
	{ "<a></a", "it ends early" },
	{ "<a><!", "it ends early" },
	{ "<a><!--", "it ends early" },
	{ "<a><!-- --", "it ends early" },
	{ "<a><![CDATA", "it ends early" },
	{ "<a><![CDATA[b]]", "it ends early" },
	{ "<a><?b?", "it ends early" },
	{ "<?xml version='1.0'?>", "it ends early" },
	{ "t<a/>", "a text is in no element" },
	{ "<a/>t", "a text is in no element" },
	{ "<a/><![CDATA[b]]>", "a text is in no element" },
	{ "<a/>&lt;", "a text is in no element" },
	{ "<a/><b/>", "it goes on behind its last element" },
	{ "<a></a><b>", "it goes on behind its last element" },
	{ "<a></b>", "a tag ends another element than the last" },
	{ "<a></aa>", "a tag ends another element than the last" },
	{ "<a></ a>", "a tag ends another element than the last" },
	{ "<p:a></a>", "a tag ends another element than the last" },
	{ "<a/></a>", "a tag ends what did not start" },
	{ "</a>", "a tag ends what did not start" },
	{ "<a b='1' b='2'/>", "an attribute is there twice" },
	{ "<a b/>", "there is something else than attributes in a tag" },
	{ "<a 1='b'/>", "there is something else than attributes in a tag" },
	{ "<a -b='c'/>", "there is something else than attributes in a tag" },
	{ "<a ='c'/>", "there is something else than attributes in a tag" },
	{ "<a b=c/>", "the value of an attribute is not in quotes" },
	{ "<a b='c'd='e'/>", "the end of a tag is not '>' or '/>'" },
	{ "<a / >", "there is something else than attributes in a tag" },
	{ "<a,/>", "the end of a tag is not '>' or '/>'" },
	{ "< a/>", "a '<' starts no tag" },
	{ "<1/>", "a '<' starts no tag" },
	{ "<a><></a>", "a '<' starts no tag" },
	{ "<a>]]></a>", "a ']]>' ends nothing" },
	{ "<a>&amp</a>", "a '&' has no ';'" },
	{ "<a b='&'/>", "a '&' has no ';'" },
	{ "<a>&b;</a>", "an entity is none of those of XML itself" },
	{ "<a b='&AMP;'/>", "an entity is none of those of XML itself" },
	{ "<a>&;</a>", "an entity is none of those of XML itself" },
	{ "<a>&#;</a>", "a number of a character" },
	{ "<a>&#x;</a>", "a number of a character" },
	{ "<a>&#0;</a>", "a number of a character" },
	{ "<a>&#xd800;</a>", "a number of a character" },
	{ "<a>&#xffff;</a>", "a number of a character" },
	{ "<a>&#x110000;</a>", "a number of a character" },
	{ "<a>&#4294967361;</a>", "a number of a character" },
	{ "<a>&#18446744073709551681;</a>", "a number of a character" },
	{ "<a>&#6 5;</a>", "a number of a character" },
	{ "<a><!b></a>", "a '<!' starts nothing that is known" },
	{ "<a><![cdata[b]]></a>", "a '<!' starts nothing that is known" },
	{ "<a><?b,?></a>", "a '<?' starts nothing that is known" },
	{ "<a><? ?></a>", "a '<?' starts nothing that is known" },
	{ "<a><?xml version='1.0'?></a>", "a '<?' starts nothing that is known" },
	{ " <?xml version='1.0'?><a/>", "a '<?' starts nothing that is known" },
};
static void damaged_pieces(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		fg_buf_addf(&text, "%s", pieces[i].text);
		check_refused(&text, pieces[i].why);
	}
	fg_buf_release(&text);
}

/* White space and references; a value may have what a text may not. */
static void characters(void **state)
{
	(void)state;
	CHECK_EVENTS("<a id='x\ty\nz\r\n1\r2&#10;&#x9;3' b=\"'>]]>\"/>",
		     "<a id=x y z 1 2\n\t3@0:3></a@0:3>|");
	CHECK_EVENTS("<a >&quot;&apos;&gt;&#00065;&#x1F525;]]&gt;</a >",
		     "<a@0:1>\"@1'@1>@1A@1\xf0@1\x9f@1\x94@1\xa5@1]@1]@1>@1</a@0:1>|");
	CHECK_EVENTS("<a><![CDATA[&lt;]]]><![CDATA[]]></a>",
		     "<a@0:1>&@1l@1t@1;@1]@1</a@0:1>|");
	CHECK_EVENTS("<a\nid\n=\n'1'\n><b\n/><?b ?c></d> ?><!--- -></a>--></a\n>\n",
		     "<a id=1@0:5><b@1:6></b@1:6></a@0:7>|");
	CHECK_EVENTS("<:a/>", "<a@0:1></a@0:1>|");
	CHECK_EVENTS("<a-.1\xc3\xa9 x:id='1' _='2' id='3'/>", "<* id=3@0:1></*@0:1>|");
}

static void add_times(struct fg_buf *b, const char *text, size_t times)
{
	while (times--)
		fg_buf_addf(b, "%s", text);
}

/* Elements may be in 63 others. */
static void limit_of_depth(void **state)
{
	struct fg_buf text = FG_BUF_INIT, events = FG_BUF_INIT;

	(void)state;
	add_times(&text, "<a>", 64);
	add_times(&text, "</a>", 64);
	read_events(fg_buf_str(&text), 0, &events);
	assert_has(fg_buf_str(&events), "</a@0:1>|");
	fg_buf_clear(&text);
	add_times(&text, "<a>", 65);
	add_times(&text, "</a>", 65);
	check_refused(&text, "nested more than 64 deep");
	fg_buf_release(&text);
	fg_buf_release(&events);
}

static void hostile_input(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&text, "<!DOCTYPE a [<!ENTITY b 'bb'>]><a>&b;</a>");
	check_refused(&text, "it has a DOCTYPE, which is not read");
	add_times(&text, "<a>", 5000);
	check_refused(&text, "nested more than 64 deep");
	fg_buf_addf(&text, "<a ");
	for (int i = 0; i < 1001; i++)
		fg_buf_addf(&text, "a%d='' ", i);
	check_refused(&text, "in:1: the XML cannot be read from here on: an element "
			     "has more than 1000 attributes");
	fg_buf_addf(&text, "<a><!-- ");
	add_times(&text, "<!--", 100000); /* took a minute */
	fg_buf_addf(&text, "--></a>");
	check_refused(&text, "a comment has '--' in it");
	fg_buf_addf(&text, "<a>");
	add_times(&text, "0123456789", 1100000);
	check_refused(&text, "has more than 10 MB");
	fg_buf_addf(&text, "<a>");
	for (int i = 0; i < 3; i++) {
		fg_buf_addf(&text, "<![CDATA[");
		add_times(&text, "0123456789", 400000);
		fg_buf_addf(&text, "]]>");
	}
	check_refused(&text, "has more than 10 MB");
	fg_buf_addf(&text, "<a id='");
	add_times(&text, "0123456789", 1100000);
	check_refused(&text, "has more than 10 MB");
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_texts), cmocka_unit_test(other_bytes),
		cmocka_unit_test(damaged_input),      cmocka_unit_test(damaged_pieces),
		cmocka_unit_test(characters),	      cmocka_unit_test(limit_of_depth),
		cmocka_unit_test(hostile_input),
	};

	return cmocka_run_group_tests_name("xmlread", tests, NULL, NULL);
}

/* Reads XML with libxml2's strict parser, to test what we write. */
#include "tests/unit/support/xml.h"

#include <limits.h>
#include <libxml/parser.h>
#include <string.h>

void *xml_allocate(size_t size)
{
	return xmlMalloc(size);
}

/* Returns the next node in document order, children first, or NULL at the end. */
static xmlNode *next_of(xmlNode *node)
{
	if (node->children && node->type == XML_ELEMENT_NODE)
		return node->children;
	while (node && !node->next)
		node = node->parent;
	return node ? node->next : NULL;
}

static void add(struct fg_buf *b, const xmlChar *text)
{
	if (text)
		fg_buf_add(b, (const char *)text, strlen((const char *)text));
}

/*
 * Walks the nodes. We do not use xmlNodeGetContent(), because it copies all of its text
 * again for each piece that it adds.
 */
static void look(struct xml_seen *seen, xmlNode *root)
{
	xmlChar *attribute = xmlGetProp(root, (const xmlChar *)"a");

	add(&seen->attribute, attribute);
	xmlFree(attribute);
	for (xmlNode *node = root->children; node; node = next_of(node))
		if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
			add(&seen->text, node->content);
		else if (node->type == XML_COMMENT_NODE)
			add(&seen->comment, node->content);
}

static bool starts(const xmlChar *text, const char *prefix)
{
	return text &&
	       !xmlStrncasecmp(text, (const xmlChar *)prefix, (int)strlen(prefix));
}

static bool is_active(xmlNode *element)
{
	bool active = starts(element->name, "script");

	for (xmlAttr *a = element->properties; a; a = a->next) {
		xmlChar *value = xmlNodeListGetString(element->doc, a->children, 1);

		if (starts(a->name, "on") ||
		    (starts(a->name, "href") && starts(value, "javascript:")))
			active = true;
		xmlFree(value);
	}
	return active;
}

static bool any_active(xmlNode *root)
{
	for (xmlNode *node = root; node; node = next_of(node))
		if (node->type == XML_ELEMENT_NODE && is_active(node))
			return true;
	return false;
}

int xml_read(struct fg_str document, struct xml_seen *seen)
{
	xmlDoc *doc;

	memset(seen, 0, sizeof(*seen));
	if (document.len > INT_MAX)
		return -1;
	doc = xmlReadMemory(document.ptr, (int)document.len, NULL, "UTF-8",
			    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
				    XML_PARSE_HUGE);
	if (doc) {
		look(seen, xmlDocGetRootElement(doc));
		seen->active = any_active(xmlDocGetRootElement(doc));
		xmlFreeDoc(doc);
	}
	xmlCleanupParser();
	return doc ? 0 : -1;
}

void xml_seen_release(struct xml_seen *seen)
{
	fg_buf_release(&seen->text);
	fg_buf_release(&seen->attribute);
	fg_buf_release(&seen->comment);
}

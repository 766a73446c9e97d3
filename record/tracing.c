/*
 * Writes the description of tracepoints in the format of trace-cmd: version 0.6 of
 * tools/perf/util/trace-event-info.c. It has the texts of tracefs, one after the other:
 *
 *     magic, version, byte order, size of long, size of a page
 *     "header_page" and "header_event", each with its file
 *     number of formats of ftrace itself: 0
 *     number of subsystems; of each: its name, the number of formats, the formats
 *     kallsyms, formats of printk, names of commands: all empty
 */
#include "record/tracing.h"

#include <unistd.h>

#include "record/records.h"

#define MAGIC "\027\010Dtracing0.6"

static void add_text(struct fg_buf *b, const char *text)
{
	fg_buf_add(b, text, strlen(text) + 1);
}

/* Appends a file with its size before it. One that cannot be read is empty. */
static void add_file(struct fg_buf *b, const char *folder, const char *name)
{
	struct fg_buf file = FG_BUF_INIT;

	fg_read_file(folder, name, &file);
	fg_put64(b, file.len);
	fg_buf_add_str(b, fg_buf_str(&file));
	fg_buf_release(&file);
}

static void add_header_file(struct fg_buf *b, const char *folder, const char *name)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_buf_addf(&path, "events/%s", name);
	add_text(b, name);
	add_file(b, folder, fg_buf_cstr(&path));
	fg_buf_release(&path);
}

static bool is_tracepoint(const struct fg_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT;
}

/* Appends a tracepoint as a subsystem that has one format. */
static void add_event(struct fg_buf *b, const struct fg_event *event,
		      const char *folder)
{
	struct fg_str name = event->name, subsystem = fg_str_cut(&name, ':');
	struct fg_buf path = FG_BUF_INIT;

	name = fg_str_before(name, fg_str_find_char(name, ':'));
	fg_buf_addf(&path, "events/%.*s/%.*s/format", (int)subsystem.len, subsystem.ptr,
		    (int)name.len, name.ptr);
	fg_buf_add_str(b, subsystem);
	fg_buf_add_char(b, '\0');
	fg_put32(b, 1);
	add_file(b, folder, fg_buf_cstr(&path));
	fg_buf_release(&path);
}

static void add_description(struct fg_buf *b, const struct fg_events *events,
			    uint32_t count, const char *folder)
{
	const uint16_t one = 1;

	fg_buf_add(b, MAGIC, sizeof(MAGIC));
	fg_buf_add_char(b, *(const char *)&one ? 0 : 1);
	fg_buf_add_char(b, (char)sizeof(long));
	fg_put32(b, (uint32_t)sysconf(_SC_PAGESIZE));
	add_header_file(b, folder, "header_page");
	add_header_file(b, folder, "header_event");
	fg_put32(b, 0);
	fg_put32(b, count);
	for (size_t i = 0; i < events->count; i++)
		if (is_tracepoint(&events->list[i]))
			add_event(b, &events->list[i], folder);
	fg_put32(b, 0);
	fg_put32(b, 0);
	fg_put64(b, 0);
}

void fg_tracing_add_from(struct fg_buf *b, const struct fg_events *events,
			 const char *folder)
{
	struct fg_buf text = FG_BUF_INIT;
	uint32_t count = 0;
	size_t start;

	for (size_t i = 0; i < events->count; i++)
		count += is_tracepoint(&events->list[i]);
	if (!count || !folder)
		return;
	add_description(&text, events, count, folder);
	fg_put_zeros(&text, (8 - text.len % 8) % 8);
	start = fg_record_start(b, FG_RECORD_TRACING_DATA, 0);
	fg_put32(b, (uint32_t)text.len);
	fg_record_end(b, start);
	fg_buf_add_str(b, fg_buf_str(&text));
	fg_buf_release(&text);
}

void fg_tracing_add(struct fg_buf *b, const struct fg_events *events)
{
	fg_tracing_add_from(b, events, fg_tracing_folder());
}

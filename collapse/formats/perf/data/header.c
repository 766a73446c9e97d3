/*
 * Reads the header: attributes of events, their names, build ids.
 *
 * In a file, the header is in sections before and after the records. In a stream, it is
 * in records of perf's own, between the others.
 */
#include "collapse/formats/perf/data/reading.h"

#include <errno.h>
#include <sys/stat.h>

#include "lib/base/io.h"
#include "lib/recognize/lines.h"

#define MAGIC_NOW UINT64_C(0x32454c4946524550) /* "PERFILE2" with the low byte first */
#define MAGIC_SWAPPED UINT64_C(0x50455246494c4532)
#define FILE_HEADER 104
#define STREAM_HEADER 16

/* Numbers of feature sections. */
#define FEATURE_TRACING_DATA 1
#define FEATURE_BUILD_ID 2
#define FEATURE_OSRELEASE 4
#define FEATURE_ARCH 6
#define FEATURE_CMDLINE 11
#define FEATURE_EVENT_DESC 12
#define FEATURE_DIR_FORMAT 24
#define FEATURE_CLOCK_DATA 29
#define FEATURE_SIMPLEPERF_FILE 128
#define FEATURE_SIMPLEPERF_META_INFO 129
#define FEATURE_SIMPLEPERF_FILE2 132
#define FEATURES 256

/* The type of an FG_PD_EVENT_UPDATE record that has a name. */
#define UPDATE_NAME 2

/*
 * The most bytes of ids that we read. Each event has an id for each thread and
 * processor.
 */
#define IDS_MAX ((uint64_t)256 << 20)

struct section {
	uint64_t at, size;
};

static struct section read_section(struct fg_cursor *c)
{
	struct section s;

	s.at = fg_cursor_u64(c);
	s.size = fg_cursor_u64(c);
	return s;
}

/*
 * Adds an event of a stream. `body` has the attribute, which starts with its size, and
 * then the event's ids.
 */
static int add_attr(struct fg_pd_reading *r, struct fg_str body)
{
	size_t size = body.len >= 8 ? fg_load32(body.ptr + 4) : 0;
	size_t event;

	if (size < 64 || size > body.len) {
		r->pd->tally.damaged++;
		return 0;
	}
	event = fg_pd_events_add(&r->events, fg_str_before(body, size));
	fg_pd_events_add_ids(&r->events, event, fg_str_from_pos(body, size));
	return fg_pd_refuse_event(r, &r->events.list[event]);
}

/*
 * Reads the names of events. Finds events by their ids or, without ids, by their place.
 */
static void read_event_desc(struct fg_pd_reading *r, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(bytes);
	uint32_t count = fg_cursor_u32(&c), size = fg_cursor_u32(&c);

	for (uint32_t i = 0; i < count && !c.bad; i++) {
		struct fg_pd_event *event =
			i < r->events.count ? &r->events.list[i] : NULL;
		struct fg_str name, ids;
		uint32_t id_count;

		fg_cursor_skip(&c, size);
		id_count = fg_cursor_u32(&c);
		name = fg_cursor_string(&c);
		ids = fg_cursor_words(&c, id_count);
		if (ids.len)
			event = fg_pd_events_by_id(&r->events, fg_load64(ids.ptr));
		if (event && !c.bad)
			fg_pd_events_name(&r->events, event, name);
	}
}

/*
 * Adds an entry of a table of build ids: pid, 20 bytes for the id, its length, file
 * name.
 */
static void add_build_id(struct fg_pd_reading *r, uint16_t misc, struct fg_str body)
{
	struct fg_cursor c = fg_cursor(body);
	struct fg_dsos_recorded_id id = { .is_kernel = (misc & FG_PD_MISC_CPUMODE) ==
						       FG_PD_CPUMODE_KERNEL };
	struct fg_str bytes, name;
	size_t len = FG_BUILD_ID_MAX;

	fg_cursor_skip(&c, 4);
	bytes = fg_cursor_bytes(&c, 24);
	name = fg_cursor_rest_text(&c);
	if (c.bad)
		return;
	if (misc & FG_PD_MISC_BUILD_ID_SIZE && (unsigned char)bytes.ptr[20] <= len)
		len = (unsigned char)bytes.ptr[20];
	fg_build_id_set(&id.id, fg_str_before(bytes, len));
	fg_dsos_record_id(&r->dsos, name, &id);
}

static void read_build_ids(struct fg_pd_reading *r, struct fg_str bytes)
{
	while (bytes.len >= 8) {
		size_t size = fg_load16(bytes.ptr + 6);

		if (size < 8 || size > bytes.len)
			return;
		add_build_id(r, fg_load16(bytes.ptr + 4),
			     fg_str_of(bytes.ptr + 8, size - 8));
		bytes = fg_str_from_pos(bytes, size);
	}
}

/* Reads simpleperf's names of tracepoints, lines of "NAME,TYPE,CONFIG". */
static void read_event_types(struct fg_pd_reading *r, struct fg_str lines)
{
	while (lines.len) {
		struct fg_str rest = fg_str_cut(&lines, '\n');
		struct fg_str name = fg_str_cut(&rest, ',');
		struct fg_str type = fg_str_cut(&rest, ',');
		uint64_t id;

		if (fg_str_eq(type, FG_STR("2")) && !fg_str_u64(rest, &id))
			fg_pd_tracing_add(&r->tracing, id, name);
	}
}

/* Reads keys and values, which each end in a NUL. */
static void read_meta_info(struct fg_pd_reading *r, struct fg_str bytes)
{
	while (bytes.len) {
		struct fg_str key = fg_str_cut(&bytes, '\0');
		struct fg_str value = fg_str_cut(&bytes, '\0');

		if (fg_str_eq(key, FG_STR("event_type_info")))
			read_event_types(r, value);
	}
}

static void read_clock(struct fg_pd_reading *r, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(bytes);
	const struct fg_perfdata_sink *sink = &r->pd->sink;
	uint64_t start, time;

	fg_cursor_skip(&c, 8); /* version, clock */
	start = fg_cursor_u64(&c);
	time = fg_cursor_u64(&c);
	if (!c.bad && sink->clock)
		sink->clock(sink->data, time, start);
}

static void read_cmdline(struct fg_pd_reading *r, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(bytes);
	const struct fg_perfdata_sink *sink = &r->pd->sink;
	struct fg_buf words = FG_BUF_INIT;

	for (uint32_t left = fg_cursor_u32(&c); left && !c.bad; left--) {
		fg_buf_add_str(&words, fg_cursor_string(&c));
		fg_buf_add_char(&words, ' ');
	}
	if (!c.bad && sink->cmdline)
		sink->cmdline(sink->data, fg_buf_str(&words));
	fg_buf_release(&words);
}

static void read_feature(struct fg_pd_reading *r, uint64_t feature, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(bytes);

	if (feature == FEATURE_TRACING_DATA)
		fg_pd_tracing_read(&r->tracing, bytes);
	else if (feature == FEATURE_BUILD_ID)
		read_build_ids(r, bytes);
	else if (feature == FEATURE_OSRELEASE)
		r->dsos.kallsyms.release =
			fg_arena_copy(&r->dsos.text, fg_cursor_string(&c));
	else if (feature == FEATURE_ARCH)
		r->machine = fg_arena_copy(&r->dsos.text, fg_cursor_string(&c));
	else if (feature == FEATURE_CMDLINE)
		read_cmdline(r, bytes);
	else if (feature == FEATURE_EVENT_DESC)
		read_event_desc(r, bytes);
	else if (feature == FEATURE_CLOCK_DATA)
		read_clock(r, bytes);
	else if (feature == FEATURE_SIMPLEPERF_META_INFO)
		read_meta_info(r, bytes);
}

static void update_event(struct fg_pd_reading *r, struct fg_str body)
{
	struct fg_cursor c = fg_cursor(body);
	uint64_t kind = fg_cursor_u64(&c), id = fg_cursor_u64(&c);
	struct fg_str name = fg_cursor_rest_text(&c);
	struct fg_pd_event *event = fg_pd_events_by_id(&r->events, id);

	if (kind == UPDATE_NAME && event)
		fg_pd_events_name(&r->events, event, name);
}

int fg_pd_header_record(struct fg_pd_reading *r, const struct fg_pd_record *record)
{
	struct fg_str body = record->body;

	switch (record->type) {
	case FG_PD_HEADER_ATTR:
		return add_attr(r, body);
	case FG_PD_HEADER_BUILD_ID:
		add_build_id(r, record->misc, body);
		break;
	case FG_PD_EVENT_UPDATE:
		update_event(r, body);
		break;
	case FG_PD_HEADER_FEATURE:
		if (body.len >= 8)
			read_feature(r, fg_load64(body.ptr), fg_str_from_pos(body, 8));
		break;
	default:
		break;
	}
	return 0;
}

/* Adds the event of one entry of the attributes' section, and reads its ids. */
static int read_entry(struct fg_pd_reading *r, struct fg_str entry, struct fg_buf *ids)
{
	struct fg_cursor c = fg_cursor(fg_str_from_pos(entry, entry.len - 16));
	size_t event =
		fg_pd_events_add(&r->events, fg_str_before(entry, entry.len - 16));
	struct section where = read_section(&c);

	/*
	 * Events do not share ids, so the sections with their ids cannot be larger than
	 * the file, taken together. A malformed file must not make us read the same
	 * bytes for each event.
	 */
	if (where.size > r->ids_left) {
		where.size = r->ids_left;
		r->pd->tally.cut = true;
	}
	r->ids_left -= where.size;
	if (fg_pd_input_section(&r->input, where.at, where.size, ids))
		return -1;
	fg_pd_events_add_ids(&r->events, event, fg_buf_str(ids));
	return fg_pd_refuse_event(r, &r->events.list[event]);
}

static int read_attrs(struct fg_pd_reading *r, const struct section *where,
		      uint64_t entry_size)
{
	struct fg_buf ids = FG_BUF_INIT;
	int status =
		fg_pd_input_section(&r->input, where->at, where->size, &r->section);
	struct fg_str rest = fg_buf_str(&r->section);

	r->ids_left = r->input.size < IDS_MAX ? r->input.size : IDS_MAX;
	while (!status && entry_size >= 64 + 16 && rest.len >= entry_size) {
		status = read_entry(r, fg_str_before(rest, (size_t)entry_size), &ids);
		rest = fg_str_from_pos(rest, (size_t)entry_size);
	}
	fg_buf_release(&ids);
	return status;
}

/*
 * Reads the feature in r->section. Only files, not streams, have simpleperf's sections
 * of symbols.
 */
static void take_feature(struct fg_pd_reading *r, unsigned feature)
{
	bool fields = feature == FEATURE_SIMPLEPERF_FILE;

	if (fields || feature == FEATURE_SIMPLEPERF_FILE2)
		r->pd->tally.damaged += fg_simplefiles_take(
			&r->dsos.files, fields ? FG_SIMPLE_FIELDS : FG_SIMPLE_MESSAGES,
			&r->section);
	else
		read_feature(r, feature, fg_buf_str(&r->section));
}

static bool is_of_use(unsigned feature)
{
	static const unsigned features[] = {
		FEATURE_TRACING_DATA,	 FEATURE_BUILD_ID,
		FEATURE_OSRELEASE,	 FEATURE_ARCH,
		FEATURE_CMDLINE,	 FEATURE_EVENT_DESC,
		FEATURE_CLOCK_DATA,	 FEATURE_SIMPLEPERF_META_INFO,
		FEATURE_SIMPLEPERF_FILE, FEATURE_SIMPLEPERF_FILE2,
	};

	for (size_t i = 0; i < FG_COUNT_OF(features); i++)
		if (features[i] == feature)
			return true;
	return false;
}

/*
 * Reads the sections of features. Their table is after the records, at `table_at`.
 * Feature `i` is in the file if bit `i` of `bits` is set.
 */
static int read_features(struct fg_pd_reading *r, uint64_t table_at,
			 const uint64_t *bits)
{
	struct fg_cursor c;
	struct fg_buf table = FG_BUF_INIT;
	size_t count = 0;
	int status;

	for (unsigned i = 0; i < FEATURES; i++)
		count += bits[i / 64] >> i % 64 & 1;
	status = fg_pd_input_section(&r->input, table_at, count * 16, &table);
	c = fg_cursor(fg_buf_str(&table));
	for (unsigned i = 0; i < FEATURES && !status; i++) {
		struct section where;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		where = read_section(&c);
		r->pd->tally.cut |= c.bad || where.at > r->input.size ||
				    where.size > r->input.size - where.at;
		if (c.bad || !is_of_use(i))
			continue;
		status = fg_pd_input_section(&r->input, where.at, where.size,
					     &r->section);
		if (!status)
			take_feature(r, i);
	}
	fg_buf_release(&table);
	return status;
}

static int read_file_header(struct fg_pd_reading *r, struct fg_str bytes)
{
	struct fg_cursor c = fg_cursor(fg_str_from_pos(bytes, 16));
	uint64_t entry_size = fg_cursor_u64(&c), bits[FEATURES / 64];
	struct section attrs = read_section(&c), data = read_section(&c);
	bool cut;

	fg_cursor_skip(&c, 16);
	for (size_t i = 0; i < FG_COUNT_OF(bits); i++)
		bits[i] = fg_cursor_u64(&c);
	if (bits[0] >> FEATURE_DIR_FORMAT & 1)
		return fg_pd_refuse(r, "recorded with --threads");
	if (read_attrs(r, &attrs, entry_size))
		return -1;
	r->end = data.size && data.size < UINT64_MAX - data.at ? data.at + data.size :
								 UINT64_MAX;
	cut = !data.size || r->end > r->input.size;
	r->pd->tally.cut |= cut;
	if (!cut && read_features(r, r->end, bits))
		return -1;
	fg_pd_input_seek(&r->input, data.at);
	return 0;
}

static int check_magic(const struct fg_pd_reading *r, struct fg_str bytes)
{
	if (!perf_data_starts(bytes))
		return fg_error(r->pd->diag, fg_pd_place(r), "not a recording of perf");
	if (fg_load64(bytes.ptr) == MAGIC_SWAPPED)
		return fg_pd_refuse(r, "recorded on a machine with the other byte "
				       "order");
	if (fg_load64(bytes.ptr) != MAGIC_NOW)
		return fg_pd_refuse(r, "written by a perf from before 2012");
	return 0;
}

/* Refuses the folder of perf record --threads, which has a file for each thread. */
static int refuse_folder(const struct fg_pd_reading *r)
{
	struct stat st;

	if (!fstatat(r->input.fd, "data", &st, 0))
		return fg_pd_refuse(r, "recorded with --threads");
	return fg_error(r->pd->diag, fg_pd_place(r), "cannot read: %s",
			strerror(EISDIR));
}

int fg_pd_header_read(struct fg_pd_reading *r)
{
	struct fg_pd_input *in = &r->input;
	char bytes[FILE_HEADER];
	size_t len = 0;
	int64_t n = 1;
	uint64_t size;

	if (in->fd >= 0 && fg_io_is_folder(in->fd))
		return refuse_folder(r);
	memset(bytes, 0, sizeof(bytes));
	while (len < STREAM_HEADER && n > 0) {
		n = fg_pd_input_read(in, bytes + len, STREAM_HEADER - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0 || check_magic(r, fg_str_of(bytes, len)))
		return -1;
	if (!fg_elf_is_here())
		return fg_pd_refuse(r, "this program is built without libelf");
	size = len < STREAM_HEADER ? 0 : fg_load64(bytes + 8);
	if (size == STREAM_HEADER) {
		r->end = UINT64_MAX;
		return 0;
	}
	if (size != FILE_HEADER)
		return fg_error(
			r->pd->diag, fg_pd_place(r),
			"the recording has a header of %llu bytes, which perf does not "
			"write: it is damaged",
			(unsigned long long)size);
	if (fg_pd_input_make_seekable(in, fg_str_of(bytes, len)) ||
	    fg_pd_input_section(in, 0, FILE_HEADER, &r->section))
		return -1;
	return read_file_header(r, fg_buf_str(&r->section));
}

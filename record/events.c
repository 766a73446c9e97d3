/* Finds the events that -e names. */
#include "record/events.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

#define READ_SIZE 65536

/* The type of the PMU is in the upper half of config, for a hardware event of it. */
#define PMU_SHIFT 32

struct named {
	const char *name;
	uint64_t config;
};

static const struct named hardware[] = {
	{ "cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES },
};

static const struct named software[] = {
	{ "cpu-clock", PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", PERF_COUNT_SW_DUMMY },
	{ "cgroup-switches", 11 }, /* PERF_COUNT_SW_CGROUP_SWITCHES, of Linux 5.13 */
};

/* The parts of the name of a cache event: CACHE[-OPERATION][-RESULT]. */
static const struct named caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },
	{ "node", PERF_COUNT_HW_CACHE_NODE },
};
static const struct named operations[] = {
	{ "load", PERF_COUNT_HW_CACHE_OP_READ },
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "store", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};
static const struct named results[] = {
	{ "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "misses", PERF_COUNT_HW_CACHE_RESULT_MISS },
};

static const struct named *find(const struct named *list, size_t count,
				struct fg_str name)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_eq(fg_str_from(list[i].name), name))
			return &list[i];
	return NULL;
}

#define FIND(list, name) find(list, FG_COUNT_OF(list), name)

/* ---- small files */

int fg_read_file(const char *folder, const char *name, struct fg_buf *to)
{
	struct fg_buf path = FG_BUF_INIT;
	ssize_t got = 0;
	int fd;

	fg_buf_addf(&path, "%s%s%s", folder, name ? "/" : "", name ? name : "");
	fd = fg_io_open(fg_buf_cstr(&path));
	fg_buf_release(&path);
	if (fd < 0)
		return errno;
	do {
		fg_buf_reserve(to, READ_SIZE);
		got = fg_io_read(fd, to->ptr + to->len, READ_SIZE);
		to->len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	got = got < 0 ? errno : 0;
	close(fd);
	return (int)got;
}

/* Reads a file whose name has two parts. Returns false if it cannot be read. */
static bool read_text(const char *folder, struct fg_str one, const char *two,
		      struct fg_buf *to)
{
	struct fg_buf name = FG_BUF_INIT;
	bool found;

	fg_buf_clear(to);
	fg_buf_add_str(&name, one);
	fg_buf_addf(&name, "/%s", two);
	found = !fg_read_file(folder, fg_buf_cstr(&name), to);
	fg_buf_release(&name);
	while (to->len && fg_is_space(to->ptr[to->len - 1]))
		to->len--;
	return found;
}

const char *fg_tracing_folder(void)
{
	static const char *const folders[] = { "/sys/kernel/tracing",
					       "/sys/kernel/debug/tracing" };
	struct fg_buf path = FG_BUF_INIT;
	const char *found = NULL;

	for (size_t i = 0; i < FG_COUNT_OF(folders) && !found; i++) {
		fg_buf_clear(&path);
		fg_buf_addf(&path, "%s/events", folders[i]);
		/* only root may look into it, so it may be there */
		if (!access(fg_buf_cstr(&path), F_OK) || errno == EACCES)
			found = folders[i];
	}
	fg_buf_release(&path);
	return found;
}

/* ---- the list */

void fg_events_init(struct fg_events *e)
{
	memset(e, 0, sizeof(*e));
}

void fg_events_release(struct fg_events *e)
{
	for (size_t i = 0; i < e->count; i++)
		fg_numbers_release(&e->list[i].cpus);
	free(e->list);
	fg_arena_release(&e->text);
	fg_events_init(e);
}

static struct fg_event *add(struct fg_events *e, struct fg_str name)
{
	struct fg_event *event;

	FG_GROW(e->list, e->alloc, e->count + 1);
	event = &e->list[e->count++];
	memset(event, 0, sizeof(*event));
	event->attr.size = sizeof(event->attr);
	event->attr.exclude_guest = 1;
	event->name = fg_arena_copy(&e->text, name);
	return event;
}

static void set(struct fg_event *event, uint32_t type, uint64_t config)
{
	event->attr.type = type;
	event->attr.config = config;
}

void fg_events_add_cycles(struct fg_events *e)
{
	struct fg_event *event = add(e, FG_STR("cycles"));

	set(event, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	event->attr.precise_ip = 3;
	event->most_precise = true;
}

void fg_events_use_clock(struct fg_events *e)
{
	e->count = 0;
	set(add(e, FG_STR("cpu-clock")), PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
}

void fg_events_add_tracker(struct fg_events *e)
{
	struct fg_event *event = add(e, FG_STR("dummy:u"));

	set(event, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	event->attr.exclude_kernel = 1;
	event->attr.exclude_hv = 1;
}

void fg_event_name_user(struct fg_events *e, struct fg_event *event)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_add_str(&name, event->name);
	if (!fg_str_has_char(event->name, ':') && !fg_str_has_char(event->name, '/'))
		fg_buf_add_char(&name, ':');
	fg_buf_add_char(&name, 'u');
	event->name = fg_arena_copy(&e->text, fg_buf_str(&name));
	fg_buf_release(&name);
}

bool fg_event_is_hardware(const struct fg_event *event)
{
	return event->attr.type != PERF_TYPE_SOFTWARE &&
	       event->attr.type != PERF_TYPE_TRACEPOINT;
}

/* ---- one event */

/* An event while its text is read. */
struct reading {
	struct fg_events *events;
	struct fg_event *event;
	struct fg_str text; /* all of it, for messages */
	const struct fg_event_places *places;
	struct fg_diag *diag;
};

static int refuse(const struct reading *r, const char *why)
{
	return fg_error(r->diag, NULL, "--event: '%.*s' %s", (int)r->text.len,
			r->text.ptr, why);
}

/* Sets an event of the caches, such as L1-dcache-load-misses. */
static bool set_cache(struct fg_event *event, struct fg_str name)
{
	const struct named *cache = NULL, *operation, *result;
	struct fg_str rest = name, part;
	uint64_t what = PERF_COUNT_HW_CACHE_OP_READ,
		 how = PERF_COUNT_HW_CACHE_RESULT_ACCESS;

	for (size_t i = 0; i < FG_COUNT_OF(caches) && !cache; i++) {
		struct fg_str head = fg_str_from(caches[i].name);

		if (!fg_str_starts(name, head))
			continue;
		rest = fg_str_from_pos(name, head.len);
		if (!rest.len || fg_str_cut_start(&rest, FG_STR("-")))
			cache = &caches[i];
	}
	if (!cache)
		return false;
	part = fg_str_cut(&rest, '-');
	operation = FIND(operations, part);
	if (operation) {
		what = operation->config;
		part = fg_str_cut(&rest, '-');
	}
	result = FIND(results, part);
	if (result)
		how = result->config;
	if ((part.len && !result) || rest.len)
		return false;
	set(event, PERF_TYPE_HW_CACHE, cache->config | what << 8 | how << 16);
	return true;
}

/* Sets an event that has a name of its own. Returns false if there is none. */
static bool set_named(struct fg_event *event, struct fg_str name)
{
	const struct named *found = FIND(hardware, name);
	uint64_t config;

	if (found) {
		set(event, PERF_TYPE_HARDWARE, found->config);
		return true;
	}
	found = FIND(software, name);
	if (found) {
		set(event, PERF_TYPE_SOFTWARE, found->config);
		return true;
	}
	if (name.len > 1 && name.ptr[0] == 'r' &&
	    !fg_str_hex(fg_str_from_pos(name, 1), &config)) {
		set(event, PERF_TYPE_RAW, config);
		return true;
	}
	return set_cache(event, name);
}

static int set_modifiers(struct reading *r, struct fg_str letters)
{
	struct perf_event_attr *a = &r->event->attr;
	bool user = fg_str_has_char(letters, 'u'),
	     kernel = fg_str_has_char(letters, 'k'),
	     hypervisor = fg_str_has_char(letters, 'h');
	bool host = fg_str_has_char(letters, 'H'),
	     guest = fg_str_has_char(letters, 'G');
	unsigned precise = 0;

	for (size_t i = 0; i < letters.len; i++) {
		if (!strchr("ukhHGpP", letters.ptr[i]))
			return refuse(r, "has a modifier other than u, k, h, H, G, p "
					 "and P");
		precise += letters.ptr[i] == 'p';
	}
	if (precise > 3)
		return refuse(r, "has more than three p");
	if (user || kernel || hypervisor) {
		a->exclude_user = !user;
		a->exclude_kernel = !kernel;
		a->exclude_hv = !hypervisor;
	}
	if (host || guest) {
		a->exclude_host = !host;
		a->exclude_guest = !guest;
	}
	r->event->most_precise = fg_str_has_char(letters, 'P');
	a->precise_ip = (r->event->most_precise ? 3 : precise) & 3;
	return 0;
}

/* ---- tracepoints */

/* Reports why the id of a tracepoint cannot be read. */
static int no_tracepoint(const struct reading *r, int error)
{
	if (!r->places->tracing)
		return refuse(r,
			      "is a tracepoint, and tracefs is not mounted: mount -t "
			      "tracefs nodev /sys/kernel/tracing");
	if (error == EACCES)
		return refuse(r, "is a tracepoint, which only root may record: sudo "
				 "record-perf ...");
	if (error == EPERM)
		return refuse(r,
			      "is a tracepoint, which the kernel's lockdown forbids, "
			      "perhaps because of secure boot: see "
			      "/sys/kernel/security/lockdown");
	return refuse(r, "is not a tracepoint of this kernel (see events/ in tracefs)");
}

/* Sets a tracepoint, SUBSYSTEM:NAME. */
static int set_tracepoint(struct reading *r, struct fg_str subsystem,
			  struct fg_str name)
{
	struct fg_buf path = FG_BUF_INIT, id = FG_BUF_INIT;
	uint64_t number;
	int error = ENOENT;

	fg_buf_addf(&path, "events/%.*s/%.*s/id", (int)subsystem.len, subsystem.ptr,
		    (int)name.len, name.ptr);
	if (r->places->tracing && !fg_str_has_char(r->text, '/'))
		error = fg_read_file(r->places->tracing, fg_buf_cstr(&path), &id);
	if (!error && fg_str_u64(fg_str_trim(fg_buf_str(&id)), &number))
		error = ENOENT;
	fg_buf_release(&path);
	fg_buf_release(&id);
	if (error)
		return no_tracepoint(r, error);
	set(r->event, PERF_TYPE_TRACEPOINT, number);
	r->event->attr.exclude_guest = 0;
	return 0;
}

/* ---- events of a PMU */

/*
 * Puts a value into the bits of a field, in which "config:0-7,32-35" places it. The
 * lowest bits of the value go to the first range.
 */
static bool set_bits(struct perf_event_attr *a, struct fg_str format, uint64_t value)
{
	struct fg_str ranges = format, field = fg_str_cut(&ranges, ':');
	__u64 *config = NULL;

	if (fg_str_eq(field, FG_STR("config")))
		config = &a->config;
	else if (fg_str_eq(field, FG_STR("config1")))
		config = &a->config1;
	else if (fg_str_eq(field, FG_STR("config2")))
		config = &a->config2;
	while (config && ranges.len) {
		struct fg_str last = fg_str_cut(&ranges, ',');
		struct fg_str first = fg_str_cut(&last, '-');
		uint64_t from, to, bits;

		if (fg_str_u64(first, &from) || from > 63)
			return false;
		to = from;
		if (last.len && (fg_str_u64(last, &to) || to > 63 || to < from))
			return false;
		bits = to - from + 1;
		*config |= (bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value)
			   << from;
		value = bits < 64 ? value >> bits : 0;
	}
	return config && !value;
}

static bool read_number(struct fg_str text, uint64_t *value)
{
	return !fg_str_0x(text, value) || !fg_str_u64(text, value);
}

/* Sets how often to sample. Returns false for another term. */
static bool set_rate(struct fg_event *event, struct fg_str key, uint64_t value)
{
	bool is_freq = fg_str_eq(key, FG_STR("freq"));

	if (!is_freq && !fg_str_eq(key, FG_STR("period")))
		return false;
	event->attr.freq = is_freq;
	event->attr.sample_period = value;
	event->has_rate = value > 0;
	return true;
}

/* Sets a number of attr itself. Returns false for another term. */
static bool set_config(struct perf_event_attr *a, struct fg_str key, uint64_t value)
{
	if (fg_str_eq(key, FG_STR("config")))
		a->config = value;
	else if (fg_str_eq(key, FG_STR("config1")))
		a->config1 = value;
	else if (fg_str_eq(key, FG_STR("config2")))
		a->config2 = value;
	else
		return false;
	return true;
}

/* Reads "KEY=VALUE" or "KEY", for which the value is 1. Returns false if malformed. */
static bool read_term(struct fg_str term, struct fg_str *key, uint64_t *value)
{
	bool has_value = fg_str_has_char(term, '=');

	*key = fg_str_cut(&term, '=');
	*value = 1;
	return key->len && !fg_str_has_char(*key, '/') && !fg_str_has_char(*key, '.') &&
	       (!has_value || read_number(term, value));
}

/* Sets the fields of a PMU, "event=0x3c,umask=0x00". */
static int set_fields(struct reading *r, struct fg_str pmu, struct fg_str terms)
{
	struct fg_buf folder = FG_BUF_INIT, format = FG_BUF_INIT;
	int status = 0;

	fg_buf_addf(&folder, "%s/%.*s", r->places->devices, (int)pmu.len, pmu.ptr);
	while (terms.len && !status) {
		struct fg_str term = fg_str_trim(fg_str_cut(&terms, ',')), key;
		struct fg_buf name = FG_BUF_INIT;
		uint64_t value;

		if (!read_term(term, &key, &value)) {
			status = refuse(r, "has a malformed term");
			break;
		}
		fg_buf_add_str(&name, key);
		if (set_rate(r->event, key, value) ||
		    set_config(&r->event->attr, key, value))
			;
		else if (!read_text(fg_buf_cstr(&folder), FG_STR("format"),
				    fg_buf_cstr(&name), &format))
			status = refuse(r, "has a field that this PMU does not have "
					   "(see /sys/bus/event_source/devices)");
		else if (!set_bits(&r->event->attr, fg_buf_str(&format), value))
			status = refuse(r, "has a number that does not fit its field");
		fg_buf_release(&name);
	}
	fg_buf_release(&folder);
	fg_buf_release(&format);
	return status;
}

/* Reads the processors of a PMU, for the cores of a hybrid machine. */
static void read_cpus(struct reading *r, struct fg_str pmu)
{
	struct fg_buf text = FG_BUF_INIT;

	if (read_text(r->places->devices, pmu, "cpus", &text) ||
	    read_text(r->places->devices, pmu, "cpumask", &text)) {
		if (fg_numbers_parse(&r->event->cpus, fg_buf_str(&text)))
			r->event->cpus.count = 0;
	}
	fg_buf_release(&text);
}

/*
 * Sets an event of a PMU from its terms. The first term may be an event that sysfs
 * lists, which stands for some fields, or a hardware event that this PMU counts.
 */
static int set_pmu(struct reading *r, struct fg_str pmu, uint64_t type,
		   struct fg_str terms)
{
	struct fg_str rest = terms, first = fg_str_trim(fg_str_cut(&rest, ','));
	struct fg_buf alias = FG_BUF_INIT, name = FG_BUF_INIT;
	const struct named *named = FIND(hardware, first);
	int status;

	set(r->event, (uint32_t)type, 0);
	read_cpus(r, pmu);
	fg_buf_addf(&name, "events/%.*s", (int)first.len, first.ptr);
	if (first.len && !fg_str_has_char(first, '=') && !fg_str_has_char(first, '.') &&
	    read_text(r->places->devices, pmu, fg_buf_cstr(&name), &alias)) {
		status = set_fields(r, pmu, fg_buf_str(&alias));
		if (!status)
			status = set_fields(r, pmu, rest);
	} else if (named) {
		status = set_fields(r, pmu, rest);
		set(r->event, PERF_TYPE_HARDWARE, named->config | type << PMU_SHIFT);
	} else {
		status = set_fields(r, pmu, terms);
	}
	fg_buf_release(&alias);
	fg_buf_release(&name);
	return status;
}

/* Sets the terms of an event that is not of a PMU: only how often to sample. */
static int set_terms(struct reading *r, struct fg_str terms)
{
	while (terms.len) {
		struct fg_str key;
		uint64_t value;

		if (!read_term(fg_str_trim(fg_str_cut(&terms, ',')), &key, &value) ||
		    !set_rate(r->event, key, value))
			return refuse(r, "has a term other than freq=N and period=N");
	}
	return 0;
}

/* Reads NAME/TERMS/MODIFIERS. */
static int read_slashes(struct reading *r)
{
	struct fg_str rest = r->text, name = fg_str_cut(&rest, '/');
	struct fg_str terms, modifiers = rest;
	struct fg_buf text = FG_BUF_INIT;
	bool is_pmu = false;
	uint64_t type;

	if (!fg_str_has_char(rest, '/'))
		return refuse(r, "has no second slash");
	terms = fg_str_cut(&modifiers, '/');
	if (name.len && name.ptr[0] != '.')
		is_pmu = read_text(r->places->devices, name, "type", &text) &&
			 !fg_str_u64(fg_buf_str(&text), &type);
	fg_buf_release(&text);
	fg_str_cut_start(&modifiers, FG_STR(":"));
	if (set_modifiers(r, modifiers))
		return -1;
	if (is_pmu)
		return set_pmu(r, name, type, terms);
	if (!set_named(r->event, name))
		return refuse(r, "names no event or PMU of this machine (see "
				 "/sys/bus/event_source/devices)");
	return set_terms(r, terms);
}

/* Reads NAME[:MODIFIERS] or SUBSYSTEM:NAME[:MODIFIERS]. */
static int read_colons(struct reading *r)
{
	struct fg_str rest = r->text, name = fg_str_cut(&rest, ':');
	struct fg_str second = fg_str_cut(&rest, ':');

	if (set_named(r->event, name)) {
		if (rest.len)
			return refuse(r, "has a second colon");
		return set_modifiers(r, second);
	}
	if (!name.len || !second.len)
		return refuse(r, "is not an event that record-perf knows (see "
				 "record-perf(1))");
	if (set_modifiers(r, rest))
		return -1;
	return set_tracepoint(r, name, second);
}

static int read_event(struct fg_events *e, struct fg_str text,
		      const struct fg_event_places *places, struct fg_diag *diag)
{
	struct reading r = {
		.events = e, .text = text, .places = places, .diag = diag
	};

	r.event = add(e, text);
	return fg_str_has_char(text, '/') ? read_slashes(&r) : read_colons(&r);
}

int fg_events_parse(struct fg_events *e, const char *text,
		    const struct fg_event_places *places, struct fg_diag *diag)
{
	struct fg_str rest = fg_str_from(text);
	size_t start = 0;
	bool in_terms = false;

	if (fg_str_has_char(rest, '{'))
		return fg_error(diag, NULL,
				"--event: '%s' is a group of events, which only perf "
				"record can record",
				text);
	/* commas between slashes separate terms, not events */
	for (size_t i = 0; i <= rest.len; i++) {
		if (i < rest.len && rest.ptr[i] == '/')
			in_terms = !in_terms;
		if (i < rest.len && (rest.ptr[i] != ',' || in_terms))
			continue;
		if (read_event(e, fg_str_trim(fg_str_of(rest.ptr + start, i - start)),
			       places, diag))
			return -1;
		start = i + 1;
	}
	return 0;
}

/* Explains why the kernel refuses to record. */
#include "record/refusal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/events.h"

/* Bits of CapEff in /proc/self/status. */
#define CAP_BIT_SYS_ADMIN 21
#define CAP_BIT_PERFMON 38

/* ---- facts */

int fg_kernel_setting(const char *name)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str digits;
	uint64_t number = 0;
	int setting = FG_SETTING_UNKNOWN;
	bool negative;

	if (!fg_read_file("/proc/sys/kernel", name, &text)) {
		digits = fg_str_trim(fg_buf_str(&text));
		negative = fg_str_cut_start(&digits, FG_STR("-"));
		if (!fg_str_u64(digits, &number) && number < INT32_MAX)
			setting = negative ? -(int)number : (int)number;
	}
	fg_buf_release(&text);
	return setting;
}

/* Returns the value of a row of /proc/self/status, "Seccomp:\t2", or an empty one. */
static struct fg_str status_row(struct fg_str text, struct fg_str key)
{
	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');

		if (fg_str_cut_start(&line, key))
			return fg_str_trim(line);
	}
	return FG_STR("");
}

uint64_t fg_capabilities(void)
{
	struct fg_buf text = FG_BUF_INIT;
	uint64_t bits = 0;

	if (!fg_read_file("/proc/self", "status", &text))
		fg_str_hex(status_row(fg_buf_str(&text), FG_STR("CapEff:")), &bits);
	fg_buf_release(&text);
	return bits;
}

bool fg_may_record_all(void)
{
	return fg_capabilities() &
	       (UINT64_C(1) << CAP_BIT_SYS_ADMIN | UINT64_C(1) << CAP_BIT_PERFMON);
}

static bool is_filtered(void)
{
	struct fg_buf text = FG_BUF_INIT;
	bool filtered = false;

	if (!fg_read_file("/proc/self", "status", &text))
		filtered = fg_str_eq(status_row(fg_buf_str(&text), FG_STR("Seccomp:")),
				     FG_STR("2"));
	fg_buf_release(&text);
	return filtered;
}

bool fg_in_container(void)
{
	return getenv("container") || !access("/.dockerenv", F_OK) ||
	       !access("/run/.containerenv", F_OK);
}

static bool is_locked_down(void)
{
	struct fg_buf text = FG_BUF_INIT;
	bool locked = !fg_read_file("/sys/kernel/security", "lockdown", &text) &&
		      fg_str_has(fg_buf_str(&text), FG_STR("[confidentiality]"));

	fg_buf_release(&text);
	return locked;
}

/* Returns true if sysfs lists a PMU whose events are those of the processor. */
static bool has_hardware(void)
{
	static const char *const names[] = { "cpu", "cpu_core", "cpum_cf" };
	const char *folder = "/sys/bus/event_source/devices";
	DIR *devices = opendir(folder);
	const struct dirent *entry;
	bool found = false;

	while (devices && !found && (entry = readdir(devices))) {
		struct fg_str name = fg_str_from(entry->d_name);

		found = fg_str_starts(name, FG_STR("armv"));
		for (size_t i = 0; i < FG_COUNT_OF(names); i++)
			found |= fg_str_eq(name, fg_str_from(names[i]));
	}
	if (devices)
		closedir(devices);
	return found;
}

static void look_at_process(struct fg_refusal *r)
{
	struct fg_buf path = FG_BUF_INIT;
	struct stat st;

	fg_buf_addf(&path, "/proc/%d", r->pid);
	r->is_there = !stat(fg_buf_cstr(&path), &st);
	r->is_others = r->is_there && st.st_uid != geteuid();
	fg_buf_release(&path);
}

static uint64_t limit_of(int resource)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

void fg_refusal_look(struct fg_refusal *r)
{
	int error = r->error;

	r->paranoid = fg_kernel_setting("perf_event_paranoid");
	r->is_root = geteuid() == 0;
	r->has_right = fg_may_record_all();
	r->in_container = fg_in_container();
	r->is_filtered = is_filtered();
	r->is_locked_down = is_locked_down();
	r->has_hardware = has_hardware();
	if (r->target == FG_TARGET_PROCESS)
		look_at_process(r);
	r->files = limit_of(RLIMIT_NOFILE);
	r->memory = limit_of(RLIMIT_MEMLOCK);
	r->error = error;
}

/* ---- the explanation */

/* Appends the command that sets perf_event_paranoid to `level`, as the cure. */
static void add_sysctl(const struct fg_refusal *r, int level, struct fg_buf *text)
{
	fg_buf_addf(text, "sudo sysctl kernel.perf_event_paranoid=%d%s", level,
		    r->in_container ? ", on the host of the container" : "");
	if (!r->is_root)
		fg_buf_addf(text, ", or run it as root");
}

static const char *target_of(const struct fg_refusal *r)
{
	return r->target == FG_TARGET_MACHINE ? "recording the whole machine" :
						"recording";
}

/* Explains that perf_event_paranoid forbids the recording. */
static void explain_paranoid(const struct fg_refusal *r, struct fg_buf *text)
{
	int level = r->target == FG_TARGET_MACHINE ? 0 : 1;

	if (r->is_tracepoint)
		level = -1;
	fg_buf_addf(text, "kernel.perf_event_paranoid is %d, which forbids %s",
		    r->paranoid, target_of(r));
	if (r->is_tracepoint)
		fg_buf_addf(text, " tracepoints");
	fg_buf_addf(text, ": ");
	add_sysctl(r, level, text);
}

/* Returns true if the setting alone forbids what we want. */
static bool forbids(const struct fg_refusal *r)
{
	if (r->has_right || r->paranoid == FG_SETTING_UNKNOWN)
		return false;
	if (r->is_tracepoint)
		return r->paranoid > -1;
	return r->paranoid > (r->target == FG_TARGET_MACHINE ? 0 : 2);
}

static void explain_process(const struct fg_refusal *r, struct fg_buf *text)
{
	if (r->is_others)
		fg_buf_addf(text, "process %d is another user's: run it as root",
			    r->pid);
	else
		fg_buf_addf(
			text,
			"process %d has rights that you do not have: run it as root",
			r->pid);
}

/*
 * Explains that something around us forbids the call. A container's filter of system
 * calls is the usual one.
 */
static void explain_filter(const struct fg_refusal *r, struct fg_buf *text)
{
	if (r->in_container)
		fg_buf_addf(text,
			    "the container forbids it: start the container with "
			    "--cap-add=PERFMON --security-opt seccomp=unconfined");
	else
		fg_buf_addf(
			text,
			"a filter of system calls (seccomp) forbids it, perhaps of a "
			"sandbox or of SystemCallFilter= in a unit of systemd");
}

/* Explains EACCES and EPERM. */
static void explain_permission(const struct fg_refusal *r, struct fg_buf *text)
{
	bool is_others = r->target == FG_TARGET_PROCESS && !r->is_root;
	/* containers have a filter, even if we cannot see it */
	bool is_filtered =
		r->is_filtered || (r->in_container && !is_others && !r->is_locked_down);

	if (forbids(r))
		explain_paranoid(r, text);
	else if (is_filtered)
		explain_filter(r, text);
	else if (is_others)
		explain_process(r, text);
	else if (r->is_locked_down)
		fg_buf_addf(
			text,
			"the kernel is locked down to confidentiality, which forbids "
			"it: see /sys/kernel/security/lockdown and secure boot");
	else
		fg_buf_addf(
			text,
			"the kernel forbids it, perhaps by a security module such as "
			"SELinux or AppArmor: see dmesg");
}

/* Explains that there is no counter for the event. */
static void explain_event(const struct fg_refusal *r, struct fg_buf *text)
{
	fg_buf_addf(text, "the event '%.*s' cannot be sampled here", (int)r->event.len,
		    r->event.ptr);
	if (r->is_hardware && !r->has_hardware)
		fg_buf_addf(text, ": there are no hardware counters (normal in virtual "
				  "machines); -e cpu-clock samples by time");
	else if (r->is_hardware)
		fg_buf_addf(text, ": this processor does not have it; -e cycles and -e "
				  "cpu-clock usually work");
}

static void explain_missing(const struct fg_refusal *r, struct fg_buf *text)
{
	bool is_hidden = r->is_filtered || r->in_container;

	if (is_hidden || r->paranoid != FG_SETTING_UNKNOWN)
		explain_filter(r, text);
	else
		fg_buf_addf(text, "this kernel is built without CONFIG_PERF_EVENTS");
}

static void explain_open(const struct fg_refusal *r, struct fg_buf *text)
{
	switch (r->error) {
	case EACCES:
	case EPERM:
		explain_permission(r, text);
		break;
	case ENOSYS:
		explain_missing(r, text);
		break;
	case EMFILE:
		fg_buf_addf(text,
			    "this needs more than %llu open files, one for each event, "
			    "thread and processor: ulimit -n %llu",
			    (unsigned long long)r->files,
			    (unsigned long long)r->files * 16);
		break;
	case ENFILE:
		fg_buf_addf(text, "the system has too many open files: sudo sysctl "
				  "fs.file-max=1000000");
		break;
	case ESRCH:
		fg_buf_addf(text, "there is no process %d%s: take one of ps", r->pid,
			    r->in_container ?
				    " in this container, which has PIDs of its "
				    "own" :
				    "");
		break;
	case EBUSY:
		fg_buf_addf(text,
			    "another program uses the counters alone, perhaps the "
			    "NMI watchdog: sudo sysctl kernel.nmi_watchdog=0");
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		explain_event(r, text);
		break;
	default:
		fg_buf_addf(text, "the event '%.*s' cannot be opened: %s",
			    (int)r->event.len, r->event.ptr, strerror(r->error));
		break;
	}
}

static void explain_ring(const struct fg_refusal *r, struct fg_buf *text)
{
	if (r->error == EPERM)
		fg_buf_addf(
			text,
			"a buffer needs more locked memory than is left of %llu KB: "
			"ulimit -l unlimited, or sudo sysctl "
			"kernel.perf_event_mlock_kb=4096",
			(unsigned long long)(r->memory / 1024));
	else
		fg_buf_addf(text, "no buffer can be mapped: %s", strerror(r->error));
}

void fg_refusal_explain(const struct fg_refusal *r, struct fg_buf *text)
{
	if (r->refused == FG_REFUSED_RING)
		explain_ring(r, text);
	else
		explain_open(r, text);
}

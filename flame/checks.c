/* Checks commands and processes before they are recorded. */
#include "flame/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/code.h"
#include "flame/files.h"
#include "flame/libraries.h"
#include "flame/own.h"
#include "lib/base/child.h"
#include "lib/base/cli.h"

/* Exit statuses of a shell. */
enum { CANNOT_RUN = 126, NOT_FOUND = 127 };

/* The kernel reads no more of the first line of a script. */
#define FIRST_LINE_MAX 256

void fg_target_release(struct fg_target *t)
{
	fg_buf_release(&t->file);
	fg_buf_release(&t->runtime);
	fg_buf_release(&t->process);
}

/* ---- runtimes that compile code while they run, or interpret it */

struct runtime {
	/* its name, or the start of it if that ends in '*' */
	struct fg_str name;
	const char *variable; /* a variable of the environment that has options */
	const char *option;
};

static const struct runtime runtimes[] = {
	{ FG_STR_INIT("java"), "JAVA_TOOL_OPTIONS",
	  "-XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions "
	  "-XX:+DumpPerfMapAtExit" },
	{ FG_STR_INIT("node"), "NODE_OPTIONS",
	  "--perf-basic-prof --interpreted-frames-native-stack" },
	{ FG_STR_INIT("nodejs"), "NODE_OPTIONS",
	  "--perf-basic-prof --interpreted-frames-native-stack" },
	{ FG_STR_INIT("python"), NULL, "-X perf (Python 3.12 or later)" },
	{ FG_STR_INIT("python2"), NULL, "-X perf (Python 3.12 or later)" },
	{ FG_STR_INIT("python3"), NULL, "-X perf (Python 3.12 or later)" },
	{ FG_STR_INIT("python3.*"), NULL, "-X perf (Python 3.12 or later)" },
};

static const struct runtime *find_runtime(struct fg_str program)
{
	for (size_t i = 0; i < FG_COUNT_OF(runtimes); i++) {
		struct fg_str name = runtimes[i].name;

		if (fg_str_cut_end(&name, FG_STR("*")) ? fg_str_starts(program, name) :
							 fg_str_eq(program, name))
			return &runtimes[i];
	}
	return NULL;
}

static bool is_python(struct fg_str program)
{
	return fg_str_starts(program, FG_STR("python"));
}

const char *fg_runtime_option(struct fg_str program, struct fg_str words, bool *told)
{
	static const struct fg_str signs[] = {
		FG_STR_INIT("PerfMap"), FG_STR_INIT("perf-map"), FG_STR_INIT("--perf-"),
		FG_STR_INIT("-X perf"), FG_STR_INIT("-Xperf"),
	};
	const struct runtime *runtime = find_runtime(program);

	*told = false;
	for (size_t i = 0; i < FG_COUNT_OF(signs); i++)
		*told |= fg_str_has(words, signs[i]);
	return runtime ? runtime->option : NULL;
}

/*
 * Sets t->runtime if the program is a runtime, such as java. The recorder knows the
 * functions of a runtime only if the runtime writes their names, so we warn if it will
 * not. `words` is the command line.
 */
static void check_runtime(struct fg_target *t, struct fg_str program,
			  const struct fg_buf *words, bool has_map,
			  struct fg_diag *diag)
{
	const struct runtime *runtime = find_runtime(program);
	struct fg_buf all = FG_BUF_INIT;
	const char *option;
	bool told;

	fg_buf_clear(&t->runtime);
	if (!runtime)
		return;
	fg_buf_add_str(&t->runtime, program);
	fg_buf_add_str(&all, fg_buf_str(words));
	if (runtime->variable && getenv(runtime->variable))
		fg_buf_addf(&all, " %s", getenv(runtime->variable));
	if (is_python(program) && getenv("PYTHONPERFSUPPORT"))
		fg_buf_addf(&all, " -X perf");
	option = fg_runtime_option(program, fg_buf_str(&all), &told);
	if (!told && !has_map)
		fg_warn(diag, NULL,
			"%s does not tell perf the names of its functions: run it as "
			"%s %s",
			fg_buf_cstr(&t->runtime), fg_buf_cstr(&t->runtime), option);
	fg_buf_release(&all);
}

/*
 * Asks a Python interpreter if it supports -X perf. The file may be any program, so
 * --dry-run does not run it and assumes yes.
 */
static bool has_trampolines(const char *file, const struct fg_check_how *how)
{
	const char *const args[] = {
		file,
		"-X",
		"perf",
		"-c",
		"import sys; sys.exit(not sys.is_stack_trampoline_active())",
		NULL
	};
	const struct fg_ask ask = { .args = args };
	struct fg_buf answer = FG_BUF_INIT;
	int status = how->dry_run ? 0 : fg_ask(&ask, &answer);

	fg_buf_release(&answer);
	return !status;
}

/* Warns if -X perf is given and this Python cannot do it. */
static void check_python(const struct fg_target *t, const char *file,
			 const struct fg_buf *words, const struct fg_check_how *how,
			 struct fg_diag *diag)
{
	struct fg_buf runtime = FG_BUF_INIT;
	struct fg_str all = fg_buf_str(words);
	const char *name;
	const char *variable = getenv("PYTHONPERFSUPPORT");

	if (!is_python(fg_buf_str(&t->runtime)))
		return;
	fg_buf_add_str(&runtime, fg_buf_str(&t->runtime));
	name = fg_buf_cstr(&runtime);
	if ((fg_str_has(all, FG_STR("-X perf")) || fg_str_has(all, FG_STR("-Xperf")) ||
	     (variable && *variable)) &&
	    !has_trampolines(file, how))
		fg_warn(diag, NULL,
			"%s cannot tell perf the names of its functions: that needs "
			"Python 3.12 or later, for x86-64 or arm64, on Linux",
			name);
	fg_buf_release(&runtime);
}

/* ---- symbols and frame pointers */

static bool is_of_the_system(struct fg_str path)
{
	static const struct fg_str folders[] = {
		FG_STR_INIT("/lib/"),	  FG_STR_INIT("/lib64/"),
		FG_STR_INIT("/usr/lib/"), FG_STR_INIT("/usr/lib64/"),
		FG_STR_INIT("/nix/"),	  FG_STR_INIT("/gnu/"),
	};
	struct fg_str seen = path;

	if (fg_str_cut_start(&seen, FG_STR("/proc/"))) {
		seen = fg_str_from_pos(seen, fg_str_find_char(seen, '/'));
		if (fg_str_cut_start(&seen, FG_STR("/root")))
			path = seen;
	}
	return fg_str_starts_any(path, folders, FG_COUNT_OF(folders));
}

/*
 * Warns of libraries without symbols. Ignores libraries of the system, because these
 * keep the names of the functions that programs call.
 */
static void check_libraries(const struct fg_args *libraries, struct fg_diag *diag)
{
	struct fg_buf stripped = FG_BUF_INIT;
	struct fg_code code;

	for (size_t i = 0; i < libraries->count; i++) {
		struct fg_str path = fg_str_from(libraries->items[i]);

		if (is_of_the_system(path) || !fg_code_read(path.ptr, &code) ||
		    code.has_names)
			continue;
		fg_buf_add_str(&stripped, FG_STR(", "));
		fg_buf_add_str(&stripped, fg_str_basename(path));
	}
	if (stripped.len)
		fg_warn(diag, NULL,
			"%s: no symbols, so functions there have no names: do not "
			"strip libraries, or install their packages of debug symbols",
			fg_buf_cstr(&stripped) + 2);
	fg_buf_release(&stripped);
}

/*
 * Warns if a binary has no symbols. Also warns if it has no frame pointers and callers
 * are found by frame pointers. `name` is for messages.
 */
static void check_binary(const char *name, const char *file,
			 const struct fg_args *libraries,
			 const struct fg_check_how *how, struct fg_diag *diag)
{
	struct fg_code code;

	if (!fg_code_read(file, &code))
		return;
	if (!code.has_names)
		fg_warn(diag, NULL,
			"%s has no symbols, so its functions have no names: do not "
			"strip it, or install its package of debug symbols",
			name);
	check_libraries(libraries, diag);
	if (how->frame_pointers && !fg_code_keeps_frames(&code, 10))
		fg_warn(diag, NULL,
			"%s has no frame pointers, so stacks will be short: flame "
			"--call-graph dwarf, or compile it with "
			"-fno-omit-frame-pointer (Rust: -C force-frame-pointers=yes)",
			name);
}

/* ---- commands */

static int fail(struct fg_diag *diag, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports an error. Returns the exit status. */
static int fail(struct fg_diag *diag, int status, const char *format, ...)
{
	struct fg_buf text = FG_BUF_INIT;
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(&text, format, args);
	va_end(args);
	fg_error(diag, NULL, "%s", fg_buf_cstr(&text));
	fg_buf_release(&text);
	return status;
}

static bool is_file(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISREG(st.st_mode);
}

/* Says why a file that is not executable cannot be run. It may be a profile. */
static int cannot_run(const char *name, struct fg_diag *diag)
{
	if (fg_file_starts(name, FG_STR("#!")) ||
	    fg_file_starts(name, FG_STR("\177ELF")))
		return fail(diag, CANNOT_RUN, "%s cannot be run: chmod +x %s", name,
			    name);
	if (fg_file_is_recording(name))
		return fail(diag, CANNOT_RUN,
			    "%s is a recording: flame --perfdata %s draws it", name,
			    name);
	return fail(diag, CANNOT_RUN,
		    "%s cannot be run; a profile is drawn with flame --perfdata %s, a "
		    "script is run with flame -- sh %s",
		    name, name, name);
}

/* Says that there is no such command, and what the user perhaps meant. */
static int no_command(const char *name, struct fg_diag *diag)
{
	struct fg_str word = fg_str_from(name);
	struct fg_buf first = FG_BUF_INIT, found = FG_BUF_INIT;
	bool has_arguments;

	if (!strcmp(name, "-"))
		return fail(diag, NOT_FOUND,
			    "-: there is no such command; a profile is read with "
			    "--perfdata -");
	if (word.len > 1 && fg_str_all(word, fg_is_digit))
		return fail(diag, NOT_FOUND,
			    "%s: there is no such command; a process is recorded with "
			    "-p %s",
			    name, name);
	if (word.len && !strchr(name, '/') && is_file(name)) {
		if (access(name, X_OK))
			return cannot_run(name, diag);
		return fail(diag, NOT_FOUND,
			    "%s: there is no such command on PATH, but here there is: "
			    "flame -- ./%s",
			    name, name);
	}
	fg_buf_add_str(&first, fg_str_before(word, fg_str_find_char(word, ' ')));
	has_arguments =
		first.len < word.len && fg_find_program(fg_buf_cstr(&first), &found);
	fg_buf_release(&first);
	fg_buf_release(&found);
	if (has_arguments)
		return fail(diag, NOT_FOUND,
			    "%s: there is no such command; its arguments go without "
			    "quotes: flame -- %s",
			    name, name);
	return fail(diag, NOT_FOUND, "%s: there is no such command (see flame --help)",
		    name);
}

void fg_add_interpreter(struct fg_str first_line, struct fg_buf *interpreter)
{
	struct fg_args words = FG_ARGS_INIT;
	struct fg_buf line = FG_BUF_INIT;
	const char *found = "";

	if (fg_str_cut_start(&first_line, FG_STR("#!")))
		fg_buf_add_str(&line, first_line);
	/* a file that was written on Windows has a carriage return, part of the name */
	fg_buf_replace(&line, 0, '\r', '\1');
	fg_args_split(&words, fg_buf_cstr(&line));
	for (size_t i = 0; i < words.count; i++) {
		struct fg_str word = fg_str_from(words.items[i]);

		if (word.ptr[0] == '-' || fg_str_has_char(word, '='))
			continue;
		found = words.items[i];
		if (!fg_str_eq(fg_str_basename(word), FG_STR("env")))
			break;
	}
	fg_buf_clear(&line);
	fg_buf_addf(&line, "%s", found);
	fg_buf_replace(&line, 0, '\1', '\r');
	fg_buf_add_str(interpreter, fg_buf_str(&line));
	fg_args_release(&words);
	fg_buf_release(&line);
}

/* A command while it is checked. */
struct command {
	struct fg_target *t;
	const char *name; /* its first word */
	struct fg_buf words; /* its command line, as one string */
	struct fg_buf line; /* the first line of a script */
	const struct fg_check_how *how;
	struct fg_diag *diag;
};

/* Reads the first line of a file. What follows a NUL is of no interest. */
static void read_line(struct command *c)
{
	struct fg_buf start = FG_BUF_INIT;
	struct fg_str text;

	fg_file_start(fg_buf_cstr(&c->t->file), FIRST_LINE_MAX, &start);
	text = fg_buf_str(&start);
	text = fg_str_before(text, fg_str_find_char(text, '\n'));
	fg_buf_add_str(&c->line, fg_str_before(text, fg_str_find_char(text, '\0')));
	fg_buf_release(&start);
}

/* Checks the interpreter of a script, which is the program that runs. */
static int check_script(struct command *c)
{
	struct fg_buf reader = FG_BUF_INIT;
	const char *name;
	bool found;
	int status = 0;

	fg_add_interpreter(fg_buf_str(&c->line), &reader);
	name = fg_buf_cstr(&reader);
	fg_buf_clear(&c->t->file);
	found = fg_find_program(name, &c->t->file);
	if (name[0] == '/' && !found) {
		status = fail(c->diag, NOT_FOUND,
			      "%s cannot be run: its first line names %s, which is not "
			      "here",
			      c->name, name);
	} else if (!c->t->runtime.len) {
		struct fg_buf words = FG_BUF_INIT;

		fg_buf_addf(&words, "%s %s", fg_buf_cstr(&c->line),
			    fg_buf_cstr(&c->words));
		check_runtime(c->t, fg_str_basename(fg_buf_str(&reader)), &words, false,
			      c->diag);
		check_python(c->t, fg_buf_cstr(&c->t->file), &words, c->how, c->diag);
		fg_buf_release(&words);
	}
	fg_buf_release(&reader);
	return status;
}

/* Checks a program that exists. */
static int check_program(struct command *c)
{
	const char *file = fg_buf_cstr(&c->t->file);
	struct fg_args libraries = FG_ARGS_INIT;
	struct stat st;

	if (!stat(file, &st) && S_ISDIR(st.st_mode))
		return fail(c->diag, CANNOT_RUN, "%s is a folder", c->name);
	if (access(file, X_OK))
		return cannot_run(c->name, c->diag);
	if (is_file(file))
		read_line(c);
	check_runtime(c->t, fg_str_basename(fg_str_from(c->name)), &c->words, false,
		      c->diag);
	check_python(c->t, file, &c->words, c->how, c->diag);
	if (fg_str_starts(fg_buf_str(&c->line), FG_STR("#!")))
		return check_script(c);
	if (fg_str_starts(fg_buf_str(&c->line), FG_STR("\177ELF")) &&
	    !c->t->runtime.len) {
		fg_libraries_of_program(file, &libraries);
		check_binary(c->name, file, &libraries, c->how, c->diag);
		fg_args_release(&libraries);
	}
	return 0;
}

int fg_check_command(struct fg_target *t, const char *const *words, size_t count,
		     const struct fg_check_how *how, struct fg_diag *diag)
{
	struct command c = { .t = t, .name = words[0], .how = how, .diag = diag };
	int status;

	fg_buf_clear(&t->file);
	if (!fg_find_program(words[0], &t->file))
		return no_command(words[0], diag);
	for (size_t i = 0; i < count; i++)
		fg_buf_addf(&c.words, "%s%s", i ? " " : "", words[i]);
	status = check_program(&c);
	/* the interpreter of a script may be a script, and then the code is unknown */
	if (!fg_file_starts(fg_buf_cstr(&t->file), FG_STR("\177ELF")))
		fg_buf_clear(&t->file);
	fg_buf_release(&c.words);
	fg_buf_release(&c.line);
	return status;
}

/* ---- processes */

bool fg_may_look_into(long pid)
{
	struct fg_buf name = FG_BUF_INIT;
	char byte;
	bool may;
	int fd;

	fg_buf_addf(&name, "/proc/%ld/maps", pid);
	fd = open(fg_buf_cstr(&name), O_RDONLY | O_CLOEXEC);
	may = fd >= 0 && read(fd, &byte, 1) >= 0;
	if (fd >= 0)
		close(fd);
	fg_buf_release(&name);
	return may;
}

static bool in_container(void)
{
	const char *variable = getenv("container");

	return (variable && *variable) || !access("/.dockerenv", F_OK) ||
	       !access("/run/.containerenv", F_OK);
}

/* Returns true if a process has a file, which may be a link that leads nowhere. */
static bool has_file(const struct fg_buf *name)
{
	struct fg_buf path = FG_BUF_INIT;
	struct stat st;
	bool has;

	fg_buf_add_str(&path, fg_buf_str(name));
	has = !lstat(fg_buf_cstr(&path), &st);
	fg_buf_release(&path);
	return has;
}

/* Returns the PID that a process has in its own namespace. */
static long own_pid(long pid)
{
	struct fg_buf name = FG_BUF_INIT, status = FG_BUF_INIT;
	struct fg_str rest;

	fg_buf_addf(&name, "/proc/%ld/status", pid);
	fg_file_start(fg_buf_cstr(&name), SIZE_MAX, &status);
	rest = fg_buf_str(&status);
	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		uint64_t number;

		if (!fg_str_cut_start(&line, FG_STR("NSpid:")))
			continue;
		line = fg_str_from_pos(line,
				       line.len - fg_str_end_span(line, fg_is_digit));
		if (!fg_str_u64(line, &number))
			pid = (long)number;
	}
	fg_buf_release(&name);
	fg_buf_release(&status);
	return pid;
}

/*
 * Returns true if the process has a perf map: in our /tmp, or in the /tmp that the
 * process sees, which may be another one, under the PID of its own namespace.
 */
static bool has_map(long pid)
{
	struct fg_buf name = FG_BUF_INIT;
	bool has;

	fg_buf_addf(&name, "/tmp/perf-%ld.map", pid);
	has = has_file(&name);
	fg_buf_clear(&name);
	fg_buf_addf(&name, "/proc/%ld/root/tmp/perf-%ld.map", pid, own_pid(pid));
	has |= has_file(&name);
	fg_buf_release(&name);
	return has;
}

/* Ends the run if there is no such process, or we may not record it. */
static int check_access(long pid, const struct fg_check_how *how, struct fg_diag *diag)
{
	struct fg_buf folder = FG_BUF_INIT;
	bool missing;

	fg_buf_addf(&folder, "/proc/%ld", pid);
	missing = access(fg_buf_cstr(&folder), F_OK);
	fg_buf_release(&folder);
	if (missing && in_container())
		return fail(diag, FG_EXIT_FAILED,
			    "there is no process %ld in this container, which has PIDs "
			    "of its own: take one of ps",
			    pid);
	if (missing)
		return fail(diag, FG_EXIT_FAILED,
			    "there is no process %ld: take one of ps", pid);
	if (how->as_root)
		return 0;
	if (kill((pid_t)pid, 0) && errno == EPERM)
		return fail(diag, FG_EXIT_FAILED,
			    "process %ld is another user's: flame --root", pid);
	if (!fg_may_look_into(pid))
		return fail(diag, FG_EXIT_FAILED,
			    "process %ld has ended, or has rights that you do not "
			    "have: flame --root",
			    pid);
	return 0;
}

/* Reads a file of /proc/PID. NULs become spaces. */
static void read_of(long pid, const char *file, struct fg_buf *text)
{
	struct fg_buf name = FG_BUF_INIT;

	fg_buf_addf(&name, "/proc/%ld/%s", pid, file);
	fg_file_start(fg_buf_cstr(&name), SIZE_MAX, text);
	fg_buf_replace(text, 0, '\0', ' ');
	if (text->len && text->ptr[text->len - 1] == '\n')
		text->len--;
	fg_buf_release(&name);
}

int fg_check_pid(struct fg_target *t, long pid, const struct fg_check_how *how,
		 struct fg_diag *diag)
{
	int status = check_access(pid, how, diag);
	struct fg_buf words = FG_BUF_INIT, name = FG_BUF_INIT;
	struct fg_args libraries = FG_ARGS_INIT;

	if (status)
		return status;
	fg_buf_clear(&t->process);
	read_of(pid, "comm", &t->process);
	read_of(pid, "cmdline", &words);
	check_runtime(t, fg_buf_str(&t->process), &words, has_map(pid), diag);
	fg_buf_clear(&t->file);
	fg_buf_addf(&t->file, "/proc/%ld/exe", pid);
	if (!t->runtime.len) {
		fg_buf_addf(&name, "process %ld (%s)", pid, fg_buf_cstr(&t->process));
		fg_libraries_of_process(pid, &libraries);
		check_binary(fg_buf_cstr(&name), fg_buf_cstr(&t->file), &libraries, how,
			     diag);
	}
	fg_args_release(&libraries);
	fg_buf_release(&words);
	fg_buf_release(&name);
	return 0;
}

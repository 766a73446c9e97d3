/* Shortens functions as a JVM prints them, and knows which of them only wait. */
#include "collapse/java.h"

#include "collapse/names.h"
#include "lib/profile/line.h"

/* ---- names */

static bool is_module_char(char c)
{
	return fg_is_word(c) || c == '.' || c == '-';
}

/*
 * Returns `name` without its class loader and module: "java.base/", "app//" or
 * "loader/java.base@17/". In the name of a hidden class, like "X$$Lambda/0x800", a
 * digit follows the '/', so we keep it.
 */
static struct fg_str cut_module(struct fg_str name)
{
	struct fg_str rest = name;

	for (int part = 0; part < 2 && fg_str_has_char(rest, '/'); part++) {
		size_t end = fg_str_span(rest, is_module_char);

		if (end < rest.len && rest.ptr[end] == '@')
			end = fg_str_find_char(rest, '/');
		if (end >= rest.len || rest.ptr[end] != '/')
			break;
		rest = fg_str_from_pos(rest, end + 1);
		if (rest.len && !fg_is_digit(rest.ptr[0]) && rest.ptr[0] != '/')
			name = rest;
	}
	return name;
}

/*
 * Returns true for "0x00007f01c8" and, before JDK 15, "1831932724", or
 * "0000000091DA84C0" from OpenJ9. No name in Java starts with a digit.
 */
static bool is_number(struct fg_str s)
{
	uint64_t value;

	return !fg_str_0x(s, &value) ||
	       (s.len && fg_is_digit(s.ptr[0]) && !fg_str_hex(s, &value));
}

/* Returns the offset of the '/' before the number of a hidden class, or its length. */
static size_t find_number(struct fg_str class)
{
	size_t slash = fg_str_rfind_char(class, '/');

	return is_number(fg_str_from_pos(class, slash + 1)) ? slash : class.len;
}

size_t fg_java_hidden_number(struct fg_str function)
{
	size_t dot = fg_str_rfind_char(function, '.');

	return find_number(fg_str_before(function, dot));
}

/* Cuts the numbers off a hidden class: X$$Lambda$14/0x800 is X$$Lambda. */
static struct fg_str cut_numbers(struct fg_str class)
{
	size_t digits;

	class = fg_str_before(class, find_number(class));
	digits = fg_str_end_span(class, fg_is_digit);
	if (digits &&
	    fg_str_ends(fg_str_before(class, class.len - digits), FG_STR("$$Lambda$")))
		class = fg_str_before(class, class.len - digits - 1);
	return class;
}

/* Appends a class with the first letters of its packages: j.n.Socket. */
static void add_short(struct fg_buf *b, struct fg_str class)
{
	while (fg_str_has_char(class, '.')) {
		fg_buf_add_str(b, fg_str_before(fg_str_cut(&class, '.'), 1));
		fg_buf_add_char(b, '.');
	}
	fg_buf_add_str(b, class);
}

/*
 * Cuts the file off "(Main.java:42)" or "(java.base@17/Main.java:42)". Returns the
 * number of the line as text, which is empty for "(Native Method)". Of
 * "() @bci=7, line=42 (Compiled frame)" the file is unknown.
 */
static struct fg_str cut_place(struct fg_str source, struct fg_str *file)
{
	struct fg_str place = fg_str_before(source, fg_str_find_char(source, ')'));
	struct fg_str number = FG_STR(", line=");

	*file = FG_STR("");
	if (fg_str_has(source, FG_STR(" @bci="))) {
		number = fg_str_from_pos(source,
					 fg_str_find(source, number) + number.len);
		return fg_str_before(number, fg_str_span(number, fg_is_digit));
	}
	fg_str_cut_start(&place, FG_STR("("));
	place = fg_str_basename(place);
	*file = fg_str_cut(&place, ':');
	return place;
}

/* Appends ":java/util/HashMap.java:610" for "(HashMap.java:610)". */
static void add_line(struct fg_buf *b, struct fg_str class, struct fg_str source)
{
	struct fg_str file, number = cut_place(source, &file);
	struct fg_buf path = FG_BUF_INIT;
	uint64_t line;

	if (!fg_str_u64(number, &line)) {
		fg_add_java_path(&path, class, file);
		fg_line_add(b, fg_buf_str(&path), line);
	}
	fg_buf_release(&path);
}

void fg_java_add_function(struct fg_buf *b, struct fg_str text, unsigned show)
{
	size_t source = fg_str_find_char(text, '(');
	struct fg_str function = cut_module(fg_str_before(text, source));
	size_t dot = fg_str_rfind_char(function, '.');
	struct fg_str class = cut_numbers(fg_str_before(function, dot));

	if ((show & FG_JAVA_SHORT) && dot < function.len)
		add_short(b, class);
	else
		fg_buf_add_str(b, class);
	fg_buf_add_str(b, fg_str_from_pos(function, dot));
	if (show & FG_JAVA_LINES)
		add_line(b, class, fg_str_from_pos(text, source));
}

/* ---- threads that are RUNNABLE but do not run */

/*
 * Functions that wait in the kernel or the VM. An empty class stands for any class, and
 * a '*' at the end of a method for the rest of its name.
 */
static const struct {
	struct fg_str class;
	struct fg_str method;
} waits[] = {
	{ FG_STR_INIT(""), FG_STR_INIT("epollWait*") },
	{ FG_STR_INIT(""), FG_STR_INIT("kevent*") },
	{ FG_STR_INIT(""), FG_STR_INIT("ioUringEnter") },
	{ FG_STR_INIT("EPoll"), FG_STR_INIT("wait") },
	{ FG_STR_INIT("WEPoll"), FG_STR_INIT("wait") },
	{ FG_STR_INIT("KQueue"), FG_STR_INIT("poll") },
	{ FG_STR_INIT(""), FG_STR_INIT("poll0") },
	{ FG_STR_INIT(""), FG_STR_INIT("accept0") },
	{ FG_STR_INIT(""), FG_STR_INIT("socketAccept") },
	{ FG_STR_INIT(""), FG_STR_INIT("socketConnect") },
	{ FG_STR_INIT(""), FG_STR_INIT("socketRead0") },
	{ FG_STR_INIT("Net"), FG_STR_INIT("accept") },
	{ FG_STR_INIT("Net"), FG_STR_INIT("connect*") },
	{ FG_STR_INIT("Net"), FG_STR_INIT("poll") },
	{ FG_STR_INIT("SocketDispatcher"), FG_STR_INIT("read0") },
	{ FG_STR_INIT("DatagramDispatcher"), FG_STR_INIT("read0") },
	{ FG_STR_INIT("DatagramChannelImpl"), FG_STR_INIT("receive0") },
	{ FG_STR_INIT(""), FG_STR_INIT("socketReceiveOrPeekData") },
	{ FG_STR_INIT("TwoStacksPlainDatagramSocketImpl"), FG_STR_INIT("receive0") },
	{ FG_STR_INIT("DualStackPlainSocketImpl"), FG_STR_INIT("waitForConnect") },
	{ FG_STR_INIT("jni.Socket"), FG_STR_INIT("accept") },
	{ FG_STR_INIT("jni.Poll"), FG_STR_INIT("poll") },
	{ FG_STR_INIT("unix.Socket"), FG_STR_INIT("accept") },
	{ FG_STR_INIT("SocketNativeIO"), FG_STR_INIT("readBytesPinned") },
	{ FG_STR_INIT("PosixSocketMuxer"), FG_STR_INIT("poll") },
	{ FG_STR_INIT("NTSocketMuxer"), FG_STR_INIT("getIoCompletionResult") },
	{ FG_STR_INIT("UnixDomainDispatcher"), FG_STR_INIT("read0") },
	{ FG_STR_INIT("LinuxWatchService"), FG_STR_INIT("poll") },
	{ FG_STR_INIT("UnixNativeDispatcher"), FG_STR_INIT("poll") },
	{ FG_STR_INIT(""), FG_STR_INIT("waitForReferencePendingList") },
	{ FG_STR_INIT(""), FG_STR_INIT("waitForProcessExit*") },
	{ FG_STR_INIT("ProcessHandleImpl"), FG_STR_INIT("waitFor*") },
	{ FG_STR_INIT("ProcessImpl"), FG_STR_INIT("waitFor*") },
	{ FG_STR_INIT("PlainDatagramSocketImpl"), FG_STR_INIT("receive*") },
	{ FG_STR_INIT("PlainDatagramSocketImpl"), FG_STR_INIT("peekData") },
	{ FG_STR_INIT("Iocp"), FG_STR_INIT("getQueuedCompletionStatus") },
	{ FG_STR_INIT("WindowsNativeDispatcher"),
	  FG_STR_INIT("GetQueuedCompletionStatus*") },
	{ FG_STR_INIT("XToolkit"), FG_STR_INIT("waitForEvents") },
	{ FG_STR_INIT("WToolkit"), FG_STR_INIT("eventLoop") },
	{ FG_STR_INIT("Win32PrintServiceLookup"), FG_STR_INIT("notifyPrinterChange") },
	{ FG_STR_INIT("win32.OS"), FG_STR_INIT("WaitMessage") },
	{ FG_STR_INIT("LWCToolkit"), FG_STR_INIT("doAWTRunLoopImpl") },
	{ FG_STR_INIT("Unsafe"), FG_STR_INIT("park") },
	{ FG_STR_INIT("Object"), FG_STR_INIT("wait") },
	{ FG_STR_INIT("Object"), FG_STR_INIT("wait0") },
	{ FG_STR_INIT("Object"), FG_STR_INIT("waitImpl") },
	{ FG_STR_INIT("IPC"), FG_STR_INIT("waitSemaphore") },
	{ FG_STR_INIT("SignalDispatcher"), FG_STR_INIT("waitForSignal") },
	{ FG_STR_INIT("AsyncLibrary"), FG_STR_INIT("aio_getioev*") },
	{ FG_STR_INIT("Thread"), FG_STR_INIT("sleep*") },
	{ FG_STR_INIT("VirtualThread"), FG_STR_INIT("park") },
	{ FG_STR_INIT("Continuation"), FG_STR_INIT("doYield") },
	{ FG_STR_INIT("Continuation"), FG_STR_INIT("run") },
	{ FG_STR_INIT(""), FG_STR_INIT("takeVirtualThreadListToUnblock") },
};

/* Threads of the VM itself. */
static const struct fg_str vm_threads[] = {
	FG_STR_INIT("C1 CompilerThread*"),  FG_STR_INIT("C2 CompilerThread*"),
	FG_STR_INIT("Signal Dispatcher"),   FG_STR_INIT("Service Thread"),
	FG_STR_INIT("Attach Listener"),	    FG_STR_INIT("Monitor Deflation Thread"),
	FG_STR_INIT("Notification Thread"), FG_STR_INIT("Sweeper thread"),
	FG_STR_INIT("Reference Handler"),   FG_STR_INIT("VirtualThread-unblocker"),
};

/* Returns true if `name` matches the pattern, which may end in '*'. */
static bool is_name(struct fg_str name, struct fg_str pattern)
{
	return fg_str_cut_end(&pattern, FG_STR("*")) ? fg_str_starts(name, pattern) :
						       fg_str_eq(name, pattern);
}

/*
 * Returns true if the class `path`, like "sun.nio.ch.Net", ends in the name, like
 * "Net", or if the name is empty.
 */
static bool is_class(struct fg_str path, struct fg_str name)
{
	return fg_str_cut_end(&path, name) &&
	       (!name.len || !path.len || !fg_is_word(path.ptr[path.len - 1]));
}

/* Returns the class of a function with its packages, and stores the method. */
static struct fg_str cut_method(struct fg_str text, struct fg_str *method)
{
	struct fg_str function =
		cut_module(fg_str_before(text, fg_str_find_char(text, '(')));
	size_t dot = fg_str_rfind_char(function, '.');

	*method = fg_str_from_pos(function, dot + 1);
	return fg_str_before(function, dot);
}

bool fg_java_is_wait(struct fg_str text)
{
	struct fg_str method, path = cut_method(text, &method);

	for (size_t i = 0; i < FG_COUNT_OF(waits); i++)
		if (is_name(method, waits[i].method) && is_class(path, waits[i].class))
			return true;
	return false;
}

bool fg_java_waits_below(struct fg_str text)
{
	struct fg_str method, path = cut_method(text, &method);

	return fg_str_starts(method, FG_STR("read")) &&
	       is_class(path, FG_STR("SocketDispatcher"));
}

bool fg_java_is_vm_thread(struct fg_str name)
{
	for (size_t i = 0; i < FG_COUNT_OF(vm_threads); i++)
		if (is_name(name, vm_threads[i]))
			return true;
	return false;
}

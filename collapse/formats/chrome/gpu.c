/*
 * Tells the work of a GPU from events of the CPU, and with --gpu joins each kernel to
 * the stack that was open on the CPU when it was launched. PyTorch writes kernels like
 * this:
 *
 *     {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41,
 *      "tid": 41, "ts": 10, "dur": 3, "args": {"correlation": 8}},
 *     {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,
 *      "ts": 25, "dur": 90, "args": {"device": 0, "stream": 7, "correlation": 8}}
 *
 * The pid of a kernel is the number of the device, and its tid the stream. A kernel may
 * come before its launch in the file, and many kernels of a CUDA graph have one launch.
 * So we keep kernels and launches until the end of the file. A launch is an interval of
 * a thread; spans.c knows its stack.
 *
 * Without a launch of the same correlation we take the operator with the kernel's
 * "External id". Without that we follow a flow: it starts ("s") in an interval of a
 * thread, and ends ("f") at a kernel.
 */
#include <stdlib.h>

#include "collapse/formats/chrome/chrome.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* ---- what ran where */

/*
 * The categories of PyTorch's profiler, and of its first version, which wrote Kernel,
 * Memcpy and Memset.
 */
static const struct {
	struct fg_str name;
	enum chrome_category category;
} categories[] = {
	{ { "kernel", 6 }, CHROME_CAT_KERNEL },
	{ { "gpu_memcpy", 10 }, CHROME_CAT_GPU },
	{ { "gpu_memset", 10 }, CHROME_CAT_GPU },
	{ { "mtia_ccp_events", 15 }, CHROME_CAT_GPU },
	{ { "gpu_user_annotation", 19 }, CHROME_CAT_NEITHER },
	{ { "cuda_sync", 9 }, CHROME_CAT_NEITHER },
	{ { "cuda_event", 10 }, CHROME_CAT_NEITHER },
	{ { "xpu_sync", 8 }, CHROME_CAT_NEITHER },
	{ { "cuda_profiler_range", 19 }, CHROME_CAT_NEITHER },
	{ { "overhead", 8 }, CHROME_CAT_OVERHEAD },
	{ { "Trace", 5 }, CHROME_CAT_TRACE },
	{ { "Kernel", 6 }, CHROME_CAT_KERNEL },
	{ { "Memcpy", 6 }, CHROME_CAT_KERNEL },
	{ { "Memset", 6 }, CHROME_CAT_KERNEL },
};

enum chrome_category chrome_category_of(struct fg_str category)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(*categories); i++)
		if (fg_str_eq(category, categories[i].name))
			return categories[i].category;
	return CHROME_CAT_CPU;
}

enum chrome_category chrome_side(const struct chrome *c)
{
	const struct chrome_event *e = &c->event;
	struct fg_str process = fg_intern_name(&c->pids, e->process);
	bool is_neither = e->category == CHROME_CAT_NEITHER;

	if (e->phase != 'X')
		return CHROME_CAT_CPU;
	if (e->category == CHROME_CAT_OVERHEAD)
		is_neither = fg_str_eq(process, FG_STR("-1"));
	else if (e->category == CHROME_CAT_TRACE)
		is_neither = fg_str_eq(process, FG_STR("Spans"));
	if (is_neither)
		return CHROME_CAT_NEITHER;
	/* the profiler that PyTorch had before Kineto has no categories */
	if (e->category == CHROME_CAT_GPU ||
	    fg_str_eq(process, FG_STR("CUDA functions")))
		return CHROME_CAT_GPU;
	return e->category == CHROME_CAT_KERNEL && e->has_device ? CHROME_CAT_GPU :
								   CHROME_CAT_CPU;
}

/* ---- reading */

void chrome_start_gpu(struct chrome *c)
{
	fg_intern_init(&c->gpu.keys);
	c->gpu_left_out = 0;
}

void chrome_release_gpu(struct chrome *c)
{
	fg_intern_release(&c->gpu.keys);
	free(c->gpu.launches);
	free(c->gpu.kernels);
	free(c->gpu.arrivals);
	c->gpu = (struct chrome_gpu){ .kernel_count = 0 };
}

/* Returns the key of `kind` and `id`. */
static uint32_t key_of(struct chrome *c, char kind, struct fg_str id)
{
	fg_buf_clear(&c->text);
	fg_buf_add_char(&c->text, kind);
	if (kind == 'f') {
		fg_buf_add_str(&c->text, fg_buf_str(&c->flow));
		fg_buf_add_char(&c->text, '\0');
	}
	fg_buf_add_str(&c->text, id);
	return fg_intern(&c->gpu.keys, fg_buf_str(&c->text));
}

static uint32_t read_key(struct chrome *c, char kind, struct fg_json *j)
{
	struct fg_str id = fg_json_value(j);

	return id.len && !fg_str_eq(id, FG_STR("0")) ? key_of(c, kind, id) :
						       CHROME_NO_KEY;
}

bool chrome_read_link(struct chrome *c, struct fg_json *j)
{
	struct chrome_event *e = &c->event;
	bool is_correlation = fg_str_eq(j->text, FG_STR("correlation"));

	if (is_correlation || fg_str_eq(j->text, FG_STR("device")) ||
	    fg_str_eq(j->text, FG_STR("stream")))
		e->has_device = true;
	if (!c->options->gpu)
		return false;
	if (is_correlation)
		e->correlation = read_key(c, 'c', j);
	else if (fg_str_eq(j->text, FG_STR("External id")) ||
		 fg_str_eq(j->text, FG_STR("external id")))
		e->external = read_key(c, 'e', j);
	else
		return false;
	return true;
}

void chrome_take_kernel(struct chrome *c, int64_t end, uint32_t name)
{
	const struct chrome_event *e = &c->event;
	struct chrome_gpu *g = &c->gpu;

	if (g->kernel_count >= UINT32_MAX - 1)
		fg_size_overflow(); /* indices are 32 bits wide */
	FG_GROW(g->kernels, g->kernel_alloc, g->kernel_count + 1);
	g->kernels[g->kernel_count++] = (struct chrome_kernel){
		.start = e->at.ns,
		.end = end,
		.name = name,
		.thread = chrome_thread_of(c, e->process, e->tid),
		.correlation = e->correlation,
		.link = e->external,
	};
}

/*
 * Notes that the newest interval of the thread is a launch. If several launches have
 * the key, the earliest counts.
 */
static void add_launch(struct chrome *c, uint32_t key, uint32_t thread)
{
	struct chrome_gpu *g = &c->gpu;
	const struct chrome_thread *t = &c->threads[thread];
	struct chrome_launch launch = { thread, (uint32_t)t->count }, *known;

	FG_GROW(g->launches, g->launch_alloc, g->keys.count);
	while (g->launch_count < g->keys.count)
		g->launches[g->launch_count++] = (struct chrome_launch){ 0, 0 };
	known = &g->launches[key];
	if (!known->span_plus_1 ||
	    c->threads[known->thread].spans[known->span_plus_1 - 1].start >
		    t->spans[t->count - 1].start)
		*known = launch;
}

static void add_mark(struct chrome *c, uint32_t thread)
{
	const struct chrome_span mark = {
		.start = c->event.at.ns,
		.end = c->event.at.ns,
		.name = CHROME_NO_NAME,
		.kind = CHROME_MARK,
	};

	chrome_add_span(&c->threads[thread], &mark, INT64_MIN);
}

void chrome_take_launch(struct chrome *c, uint32_t thread)
{
	const struct chrome_event *e = &c->event;
	/* calls of the driver repeat the external id of the operator around them */
	uint32_t key = e->correlation != CHROME_NO_KEY ? e->correlation : e->external;

	if (key == CHROME_NO_KEY)
		return;
	if (e->left_out)
		add_mark(c, thread);
	add_launch(c, key, thread);
}

void chrome_take_flow(struct chrome *c)
{
	const struct chrome_event *e = &c->event;
	struct chrome_gpu *g = &c->gpu;
	uint32_t thread, key;

	if (!c->options->gpu || !e->at.known || !c->id.len)
		return;
	key = key_of(c, 'f', fg_buf_str(&c->id));
	thread = chrome_thread_of(c, e->process, e->tid);
	if (e->phase == 's') {
		add_mark(c, thread);
		add_launch(c, key, thread);
		return;
	}
	FG_GROW(g->arrivals, g->arrival_alloc, g->arrival_count + 1);
	g->arrivals[g->arrival_count++] = (struct chrome_arrival){
		.at = e->at.ns,
		.thread = thread,
		.key = key,
		.is_inside = e->is_inside || e->phase == 't',
	};
}

/* ---- joining kernels to launches */

/* Returns the launch of a kernel, or NULL if none is known. */
static const struct chrome_launch *launch_of(const struct chrome_gpu *g,
					     const struct chrome_kernel *kernel)
{
	const uint32_t keys[] = { kernel->correlation, kernel->link };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i] < g->launch_count && g->launches[keys[i]].span_plus_1)
			return &g->launches[keys[i]];
	return NULL;
}

static int compare_kernels(const void *context, uint32_t a, uint32_t b)
{
	const struct chrome_kernel *kernels = context;

	if (kernels[a].thread != kernels[b].thread)
		return kernels[a].thread < kernels[b].thread ? -1 : 1;
	if (kernels[a].start != kernels[b].start)
		return kernels[a].start < kernels[b].start ? -1 : 1;
	return a < b ? -1 : a > b;
}

/*
 * Returns the kernel at which a flow ends, or NULL. `order` has the kernels sorted by
 * compare_kernels().
 */
static struct chrome_kernel *find_arrival(struct chrome_gpu *g, const uint32_t *order,
					  const struct chrome_arrival *arrival)
{
	size_t from = 0, to = g->kernel_count;
	struct chrome_kernel *kernel;

	/* the first that starts when the flow ends or later; if inside, only later */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		kernel = &g->kernels[order[middle]];
		if (kernel->thread < arrival->thread ||
		    (kernel->thread == arrival->thread &&
		     (kernel->start < arrival->at ||
		      (kernel->start == arrival->at && arrival->is_inside))))
			from = middle + 1;
		else
			to = middle;
	}
	if (arrival->is_inside ? !from : from == g->kernel_count)
		return NULL;
	kernel = &g->kernels[order[from - arrival->is_inside]];
	if (kernel->thread != arrival->thread ||
	    (arrival->is_inside && kernel->end < arrival->at))
		return NULL;
	return kernel;
}

/* Joins kernels that have no launch yet to the starts of flows that end at them. */
static void follow_flows(struct chrome_gpu *g)
{
	uint32_t *order = fg_xcalloc(g->kernel_count, sizeof(*order));

	for (uint32_t i = 0; i < g->kernel_count; i++)
		order[i] = i;
	fg_sort(order, g->kernel_count, compare_kernels, g->kernels);
	for (size_t i = 0; i < g->arrival_count; i++) {
		struct chrome_kernel *kernel = find_arrival(g, order, &g->arrivals[i]);

		if (kernel && !launch_of(g, kernel))
			kernel->link = g->arrivals[i].key;
	}
	free(order);
}

static bool any_orphan(const struct chrome_gpu *g)
{
	for (size_t i = 0; i < g->kernel_count; i++)
		if (!launch_of(g, &g->kernels[i]))
			return true;
	return false;
}

void chrome_link_kernels(struct chrome *c)
{
	struct chrome_gpu *g = &c->gpu;

	if (g->arrival_count && any_orphan(g))
		follow_flows(g);
	for (size_t i = g->kernel_count; i-- > 0;) {
		struct chrome_kernel *kernel = &g->kernels[i];
		const struct chrome_launch *launch = launch_of(g, kernel);
		struct chrome_thread *thread;

		if (launch) {
			kernel->thread = launch->thread;
			kernel->span_plus_1 = launch->span_plus_1;
		}
		thread = &c->threads[kernel->thread];
		kernel->next_plus_1 = thread->kernel_plus_1;
		thread->kernel_plus_1 = (uint32_t)i + 1;
	}
}

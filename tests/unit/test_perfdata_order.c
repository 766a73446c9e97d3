/*
 * Tests of collapse/formats/perf/data: the order of records, and the mappings of
 * processes.
 */
#include "collapse/symbols/cursor.h"
#include "collapse/formats/perf/data/order.h"
#include "collapse/formats/perf/data/tasks.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define RECORD_SIZE 24

struct delivered {
	uint64_t times[40000];
	size_t count;
	uint64_t stop_at; /* time of the record that deliver() fails at; 0: never */
};

static int deliver(void *data, const struct fg_pd_record *record)
{
	struct delivered *d = data;
	uint64_t time = fg_load64(record->body.ptr);

	assert_int_equal(record->type, 9);
	d->times[d->count++] = time;
	return time == d->stop_at ? -1 : 0;
}

/* Puts a record into the blocks and takes it out again to wait for its turn. */
static void add(struct fg_pd_blocks *b, struct fg_pd_order *o, uint64_t time)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_pd_record record;
	size_t space;
	char *to;

	put32(&bytes, 9);
	put16(&bytes, 0);
	put16(&bytes, RECORD_SIZE);
	put64(&bytes, time);
	put64(&bytes, 0);
	to = fg_pd_blocks_space(b, &space);
	assert_true(space >= bytes.len);
	memcpy(to, bytes.ptr, bytes.len);
	fg_pd_blocks_filled(b, bytes.len);
	fg_buf_release(&bytes);
	assert_int_equal(fg_pd_blocks_record(b, &record), 1);
	fg_pd_order_add(o, &record, time);
	assert_int_equal(fg_pd_blocks_record(b, &record), 0);
}

static void check_sorted(const struct delivered *d, size_t count)
{
	assert_int_equal(d->count, count);
	for (size_t i = 1; i < d->count; i++)
		assert_true(d->times[i - 1] <= d->times[i]);
}

/* Blocks are freed once their records are delivered. */
static void test_half_of_the_records_are_delivered(void **data)
{
	static struct delivered d;
	const struct fg_pd_delivery delivery = { deliver, &d };
	struct random random = { 5 };
	struct fg_pd_blocks b;
	struct fg_pd_order o;
	size_t held;

	(void)data;
	fg_pd_blocks_init(&b);
	fg_pd_order_init(&o);
	for (size_t i = 0; i < COUNT_OF(d.times); i++)
		add(&b, &o, 1 + i + random_below(&random, 50));
	held = b.held;
	assert_true(held >= COUNT_OF(d.times) * RECORD_SIZE);
	assert_int_equal(fg_pd_order_half(&o, &delivery), 0);
	check_sorted(&d, COUNT_OF(d.times) / 2 + 1);
	assert_true(b.held < held);
	assert_int_equal(fg_pd_order_all(&o, &delivery), 0);
	check_sorted(&d, COUNT_OF(d.times));
	fg_pd_order_release(&o);
	fg_pd_blocks_release(&b);
}

/* It delivers up to the largest time before the last round, not before this one. */
static void test_a_round_delivers_records_that_none_can_precede(void **data)
{
	static const uint64_t rounds[][3] = { { 30, 10, 20 },
					      { 25, 60, 40 },
					      { 50, 70, 61 } };
	static struct delivered d;
	const struct fg_pd_delivery delivery = { deliver, &d };
	static const size_t counts[] = { 0, 4, 7 };
	struct fg_pd_blocks b;
	struct fg_pd_order o;

	(void)data;
	fg_pd_blocks_init(&b);
	fg_pd_order_init(&o);
	for (size_t i = 0; i < COUNT_OF(rounds); i++) {
		for (size_t k = 0; k < COUNT_OF(rounds[i]); k++)
			add(&b, &o, rounds[i][k]);
		assert_int_equal(fg_pd_order_round(&o, &delivery), 0);
		check_sorted(&d, counts[i]);
	}
	d.stop_at = 61;
	assert_int_equal(fg_pd_order_all(&o, &delivery), -1);
	check_sorted(&d, 8);
	fg_pd_order_release(&o);
	fg_pd_blocks_release(&b);
}

static void test_a_size_below_the_headers_is_no_record(void **data)
{
	struct fg_pd_record record;
	struct fg_pd_blocks b;
	size_t space;

	(void)data;
	fg_pd_blocks_init(&b);
	memset(fg_pd_blocks_space(&b, &space), 0, 8);
	fg_pd_blocks_filled(&b, 7);
	assert_int_equal(fg_pd_blocks_record(&b, &record), 0);
	fg_pd_blocks_filled(&b, 1);
	assert_int_equal(fg_pd_blocks_record(&b, &record), -1);
	fg_pd_blocks_release(&b);
}

static void map(struct fg_pd_tasks *t, int32_t pid, uint64_t start, uint32_t dso)
{
	const struct fg_pd_map map = { .start = start,
				       .end = start + 0x1000,
				       .dso = dso };

	fg_pd_tasks_map(t, pid, &map);
}

/* It shares them until one process changes its own; the others keep theirs. */
static void test_a_fork_shares_mappings(void **data)
{
	const struct fg_pd_fork fork = { .pid = 2, .ppid = 1, .tid = 2, .ptid = 1 };
	const struct fg_pd_maps *parent, *child;
	struct fg_pd_tasks t;

	(void)data;
	fg_pd_tasks_init(&t);
	map(&t, 1, 0x1000, 1);
	fg_pd_tasks_fork(&t, &fork);
	parent = fg_pd_tasks_maps(&t, 1);
	assert_ptr_equal(parent, fg_pd_tasks_maps(&t, 2));
	assert_int_equal(t.map_count, 1);
	map(&t, 2, 0x2000, 2);
	child = fg_pd_tasks_maps(&t, 2);
	assert_ptr_equal(parent, fg_pd_tasks_maps(&t, 1));
	assert_ptr_not_equal(parent, child);
	assert_int_not_equal(parent->id, child->id);
	assert_null(fg_pd_maps_find(parent, 0x2000));
	assert_int_equal(fg_pd_maps_find(child, 0x2000)->dso, 2);
	assert_int_equal(fg_pd_maps_find(child, 0x1fff)->dso, 1);
	assert_int_equal(t.map_count, 3);
	fg_pd_tasks_release(&t);
}

/* Under one id, a mapped address always has the same mapping. */
static void test_cutting_a_mapping_changes_the_id(void **data)
{
	const struct fg_pd_maps *maps;
	struct fg_pd_tasks t;
	uint32_t id;

	(void)data;
	fg_pd_tasks_init(&t);
	map(&t, 1, 0x1000, 1);
	maps = fg_pd_tasks_maps(&t, 1);
	id = maps->id;
	map(&t, 1, 0x8000, 2);
	assert_int_equal(maps->id, id);
	map(&t, 1, 0x1800, 3);
	assert_int_not_equal(maps->id, id);
	assert_int_equal(fg_pd_maps_find(maps, 0x17ff)->dso, 1);
	assert_int_equal(fg_pd_maps_find(maps, 0x1800)->dso, 3);
	assert_int_equal(fg_pd_maps_find(maps, 0x27ff)->dso, 3);
	assert_null(fg_pd_maps_find(maps, 0x2800));
	fg_pd_tasks_release(&t);
}

static void test_a_task_from_before_the_recording_has_no_mappings(void **data)
{
	const struct fg_pd_fork fork = {
		.pid = 2, .ppid = 1, .tid = 2, .ptid = 1, .was_there = true
	};
	struct fg_pd_tasks t;

	(void)data;
	fg_pd_tasks_init(&t);
	map(&t, 1, 0x1000, 1);
	fg_pd_tasks_fork(&t, &fork);
	assert_null(fg_pd_tasks_maps(&t, 2));
	assert_str(fg_pd_tasks_comm(&t, 0), "swapper");
	assert_str(fg_pd_tasks_comm(&t, -1), ":-1");
	fg_pd_tasks_release(&t);
}

static void begin(struct fg_pd_tasks *t, int32_t pid, int32_t tid)
{
	fg_pd_tasks_fork(t, &(struct fg_pd_fork){
				    .pid = pid,
				    .ppid = pid == tid ? 1 : pid,
				    .tid = tid,
				    .ptid = pid == tid ? 1 : pid,
			    });
}

/* Any number of threads may inherit a name, and each can have it in a root frame. */
static void test_a_long_name_of_a_thread_is_cut(void **data)
{
	static char name[FG_PD_COMM_MAX + 1];
	struct fg_pd_tasks t;

	(void)data;
	memset(name, 'c', sizeof(name));
	fg_pd_tasks_init(&t);
	fg_pd_tasks_name(&t, 1, fg_str_of(name, sizeof(name)));
	begin(&t, 1, 2);
	assert_int_equal(fg_pd_tasks_comm(&t, 2).len, FG_PD_COMM_MAX);
	fg_pd_tasks_release(&t);
}

/* Starts and ends as many processes as a busy machine does in an hour. */
static void test_ended_tasks_are_freed(void **data)
{
	struct fg_pd_tasks t;

	(void)data;
	fg_pd_tasks_init(&t);
	map(&t, 1, 0x1000, 1);
	fg_pd_tasks_name(&t, 1, FG_STR("make"));
	begin(&t, 2, 2); /* its main thread ends before the other */
	begin(&t, 2, 3);
	map(&t, 2, 0x2000, 2);
	fg_pd_tasks_exit(&t, 2, 2);
	for (int32_t pid = 10; pid < 100000; pid++) {
		begin(&t, pid, pid);
		map(&t, pid, 0x2000, 2);
		begin(&t, pid, pid + 1000000);
		fg_pd_tasks_exit(&t, pid, pid + 1000000);
		fg_pd_tasks_exit(&t, pid, pid);
		assert_non_null(fg_pd_tasks_maps(&t, pid)); /* for late records */
		assert_str(fg_pd_tasks_comm(&t, pid), "make");
		assert_in_range(t.process_count, 2, 2 * FG_PD_ENDS_KEPT);
		assert_in_range(t.task_count, 2, 2 * FG_PD_ENDS_KEPT + 3);
		assert_in_range(t.map_count, 2, 4 * FG_PD_ENDS_KEPT);
	}
	assert_null(fg_pd_tasks_maps(&t, 10));
	assert_int_equal(t.map_count,
			 /* 1 for the first, 2 for each other */
			 1 + 2 * (t.process_count - 1));
	assert_int_equal(fg_pd_maps_find(fg_pd_tasks_maps(&t, 2), 0x2000)->dso, 2);
	assert_int_equal(fg_pd_maps_find(fg_pd_tasks_maps(&t, 1), 0x1000)->dso, 1);
	assert_str(fg_pd_tasks_comm(&t, 3), "make");
	fg_pd_tasks_release(&t);
}

/* A new process may get the id of one that has ended. */
static void test_a_pid_can_be_used_again(void **data)
{
	struct fg_pd_tasks t;

	(void)data;
	fg_pd_tasks_init(&t);
	map(&t, 1, 0x1000, 1);
	begin(&t, 2, 2);
	map(&t, 2, 0x2000, 2);
	fg_pd_tasks_exit(&t, 2, 2);
	begin(&t, 2, 2);
	for (size_t i = 0; i < 4 * FG_PD_ENDS_KEPT; i++) {
		begin(&t, 3, 3);
		fg_pd_tasks_exit(&t, 3, 3);
	}
	assert_null(fg_pd_maps_find(fg_pd_tasks_maps(&t, 2), 0x2000));
	assert_non_null(fg_pd_maps_find(fg_pd_tasks_maps(&t, 2), 0x1000));
	map(&t, 2, 0x3000, 3);
	fg_pd_tasks_exit(&t, 2, 2);
	map(&t, 2, 0x4000, 4); /* the record of its fork was lost */
	for (size_t i = 0; i < 4 * FG_PD_ENDS_KEPT; i++) {
		begin(&t, 3, 3);
		fg_pd_tasks_exit(&t, 3, 3);
	}
	assert_non_null(fg_pd_tasks_maps(&t, 2));
	fg_pd_tasks_exit(&t, 2, 2);
	for (size_t i = 0; i < 4 * FG_PD_ENDS_KEPT; i++) {
		begin(&t, 3, 3);
		fg_pd_tasks_exit(&t, 3, 3);
	}
	assert_null(fg_pd_tasks_maps(&t, 2));
	fg_pd_tasks_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half_of_the_records_are_delivered),
		cmocka_unit_test(test_a_round_delivers_records_that_none_can_precede),
		cmocka_unit_test(test_a_size_below_the_headers_is_no_record),
		cmocka_unit_test(test_a_fork_shares_mappings),
		cmocka_unit_test(test_cutting_a_mapping_changes_the_id),
		cmocka_unit_test(test_a_task_from_before_the_recording_has_no_mappings),
		cmocka_unit_test(test_a_long_name_of_a_thread_is_cut),
		cmocka_unit_test(test_ended_tasks_are_freed),
		cmocka_unit_test(test_a_pid_can_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

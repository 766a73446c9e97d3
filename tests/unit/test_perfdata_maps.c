/* Tests of collapse/formats/perf/data/maps: address spaces that share mappings. */
#include "collapse/formats/perf/data/maps.h"

#include "tests/unit/support/support.h"

enum { SPACES = 6, PAGES = 300, CHANGES = 4000 };

/* An address space, and the DSO that each page should have; 0: not mapped. */
struct space {
	struct fg_pd_maps maps;
	uint32_t pages[PAGES];
};

static uint32_t below(uint64_t *state, uint32_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(*state >> 33) % limit;
}

static void check(const struct space *s)
{
	size_t count = 0;

	for (uint32_t i = 0; i < PAGES; i++) {
		const struct fg_pd_map *map = fg_pd_maps_find(&s->maps, i);

		count += s->pages[i] && (!i || s->pages[i] != s->pages[i - 1]);
		if (!s->pages[i]) {
			assert_null(map);
			continue;
		}
		assert_non_null(map);
		assert_int_equal(map->dso, s->pages[i]);
		assert_in_range(i, map->start, map->end - 1);
		assert_int_equal(map->shift, s->pages[i] + 7);
	}
	assert_int_equal(s->maps.count, count);
}

/* Clears some pages, and mostly maps `dso` there. */
static void change(struct space *s, uint64_t *state, uint32_t dso)
{
	uint32_t start = below(state, PAGES), end = start + below(state, 40);
	struct fg_pd_map map = { .shift = dso + 7, .dso = dso };
	bool any = false;

	end = end > PAGES ? PAGES : end;
	map.start = start;
	map.end = end;
	for (uint32_t i = start; i < end; i++) {
		any |= s->pages[i];
		s->pages[i] = 0;
	}
	assert_int_equal(fg_pd_maps_clear(&s->maps, start, end), any);
	check(s);
	if (start == end || !below(state, 3))
		return;
	fg_pd_maps_insert(&s->maps, &map);
	for (uint32_t i = start; i < end; i++)
		s->pages[i] = dso;
}

static void test_a_copy_changes_alone(void **data)
{
	struct space spaces[SPACES];
	uint64_t state = 1;

	(void)data;
	memset(spaces, 0, sizeof(spaces));
	for (uint32_t i = 1; i <= CHANGES; i++) {
		struct space *s = &spaces[below(&state, SPACES)];
		const struct space *from = &spaces[below(&state, SPACES)];

		if (s != from && !below(&state, 8)) {
			fg_pd_maps_release(&s->maps);
			fg_pd_maps_copy(&s->maps, &from->maps);
			memcpy(s->pages, from->pages, sizeof(s->pages));
		}
		change(s, &state, i);
		for (size_t j = 0; j < SPACES; j++)
			check(&spaces[j]);
	}
	for (size_t j = 0; j < SPACES; j++)
		fg_pd_maps_release(&spaces[j].maps);
}

static void test_the_last_address_and_empty_ranges(void **data)
{
	const struct fg_pd_map map = { .start = 10, .end = UINT64_MAX, .dso = 1 };
	struct fg_pd_maps maps = { .root = NULL };

	(void)data;
	assert_false(fg_pd_maps_clear(&maps, 0, UINT64_MAX));
	fg_pd_maps_insert(&maps, &map);
	assert_false(fg_pd_maps_clear(&maps, 20, 20));
	assert_false(fg_pd_maps_clear(&maps, 30, 20));
	assert_false(fg_pd_maps_clear(&maps, 0, 10));
	assert_int_equal(maps.count, 1);
	assert_non_null(fg_pd_maps_find(&maps, UINT64_MAX - 1));
	assert_null(fg_pd_maps_find(&maps, UINT64_MAX));
	assert_null(fg_pd_maps_find(&maps, 9));
	assert_true(fg_pd_maps_clear(&maps, 20, UINT64_MAX));
	assert_null(fg_pd_maps_find(&maps, 20));
	assert_non_null(fg_pd_maps_find(&maps, 19));
	fg_pd_maps_release(&maps);
	assert_int_equal(maps.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_copy_changes_alone),
		cmocka_unit_test(test_the_last_address_and_empty_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

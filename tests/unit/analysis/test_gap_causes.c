/* The causes of many gaps told in one sweep are those told of each by itself, and columns of tables say what their rows say, in every
 * real trace there is. */
#include "importers/open.h"
#include "model/analysis/derived/derived.h"
#include "model/analysis/analysis.h"
#include "model/analysis/gaps/gap_causes.h"
#include "model/analysis/gaps/gaps_columns.h"
#include "model/analysis/gaps/thread_shares.h"
#include "model/analysis/steps/breakdown.h"
#include "model/analysis/steps/idle.h"
#include "tests/unit/scenes.h"
#include "tests/unit/derive_trace.h"
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GAPS = 30000, MOST_BYTES = 8 << 20 };
static uint32_t traces, compared, known, columns_read;

static bool same_share(const struct cause_share *x, const struct cause_share *y)
{
	return x->ns == y->ns && x->trusted == y->trusted && x->row == y->row && x->row_ns == y->row_ns &&
	       x->owner == y->owner && x->owner_ns == y->owner_ns;
}

static void assert_same_evidence(const char *path, uint32_t id, const struct gap_evidence *x,
				 const struct gap_evidence *y)
{
	bool same = x->recorded_ns == y->recorded_ns && x->hole_a_ns == y->hole_a_ns && x->hole_b_ns == y->hole_b_ns &&
		    same_share(&x->largest, &y->largest);
	for (int i = 0; i < CAUSE_COUNT; i++)
		same &= same_share(&x->own[i], &y->own[i]);
	if (!same)
		fail_msg("%s: gap %u has other evidence by itself than in the sweep", path, id);
}

static void assert_same(const char *path, const struct derived *d, struct gap_judge *j, uint32_t id)
{
	struct gap g;
	struct gap_verdict one, swept;
	derived_gap_at(d, id, &g);
	gap_verdict_of(d, &g, &one);
	gap_judge_verdict(j, &g, &swept);
	if (one.cause != swept.cause || one.row != swept.row || one.row_ns != swept.row_ns ||
	    one.owner != swept.owner || one.cause_ns != swept.cause_ns || one.lost_ns != swept.lost_ns ||
	    one.thread != swept.thread || memcmp(&one.confidence, &swept.confidence, sizeof one.confidence) != 0)
		fail_msg("%s: gap %u of scope %d at %lld ns: by itself %s, row %u; in the sweep %s, row %u", path, id,
			 (int)g.scope, (long long)g.start_ns, cause_word(one.cause), one.row, cause_word(swept.cause),
			 swept.row);
	assert_same_evidence(path, id, &one.evidence, &swept.evidence);
	compared++;
	known += one.cause != CAUSE_UNKNOWN;
}

/* What a walk over all idle times knows of gaps between steps is what a look at the thread of each would find; how many it knows of. */
static uint32_t compare_sums(const char *path, const struct derived *d)
{
	struct query q = query_all();
	struct arena mem = {0};
	struct gap_judge *j = gap_judge_new(d, INT64_MIN, INT64_MAX);
	uint32_t by_sums = 0;
	gap_judge_knows(j, shared_part(&idle_extents_part, d, &q, &mem, NULL, NULL));
	for (uint32_t i = 0; i < derived_step_gap_count(d); i++) {
		struct gap g;
		struct gap_verdict one, sums, of_step;
		derived_gap_at(d, i, &g);
		bool told = gap_judge_sums(j, &g, &sums);
		const struct step_gaps gaps = derived_step_gaps(d);
		const struct step_gap of = step_gap_of(&gaps, i);
		assert_int_equal(gap_judge_step_sums(j, &of, &of_step), told);
		if (!told)
			continue;
		assert_int_equal(of_step.cause_ns, sums.cause_ns);
		gap_verdict_of(d, &g, &one);
		by_sums++;
		if (one.cause != sums.cause || one.cause_ns != sums.cause_ns || one.lost_ns != sums.lost_ns ||
		    memcmp(&one.confidence, &sums.confidence, sizeof one.confidence) != 0)
			fail_msg("%s: gap %u is %s by itself, %s by sums", path, i, cause_word(one.cause),
				 cause_word(sums.cause));
	}
	gap_judge_free(j);
	arena_free(&mem);
	return by_sums;
}

/* How many gaps have their owner told by few looks at the thread, each the one of the whole verdict. */
static uint32_t compare_owners(const struct derived *d)
{
	struct query q = query_all();
	struct arena mem = {0};
	struct gap_judge *j = gap_judge_new(d, INT64_MIN, INT64_MAX);
	uint32_t n = 0;
	gap_judge_knows(j, shared_part(&idle_extents_part, d, &q, &mem, NULL, NULL));
	for (uint32_t i = 0; i < derived_step_gap_count(d); i++) {
		struct gap g;
		struct gap_verdict part, whole;
		derived_gap_at(d, i, &g);
		bool told = gap_judge_owner(j, &g, &part);
		gap_judge_verdict(j, &g, &whole);
		if (!told)
			continue;
		n++;
		assert_int_equal(part.owner, whole.owner);
		assert_int_equal(part.cause, whole.cause);
		assert_int_equal(part.cause_ns, whole.cause_ns);
		assert_int_equal(part.lost_ns, whole.lost_ns);
	}
	gap_judge_free(j);
	arena_free(&mem);
	return n;
}

/* A judge that knows of a few gaps only. */
static void compare_bounded(const char *path, const struct derived *d, uint32_t n)
{
	enum { FEW = 5 };
	for (uint32_t i = 0; i + FEW <= n; i += FEW * 40) {
		int64_t a_ns = INT64_MAX, b_ns = INT64_MIN;
		for (uint32_t k = i; k < i + FEW; k++) {
			struct gap_span g = derived_gap_span(d, k);
			a_ns = g.start_ns < a_ns ? g.start_ns : a_ns;
			b_ns = g.start_ns + g.dur_ns > b_ns ? g.start_ns + g.dur_ns : b_ns;
		}
		struct gap_judge *few = gap_judge_new(d, a_ns, b_ns);
		for (uint32_t k = i; k < i + FEW; k++)
			assert_same(path, d, few, k);
		gap_judge_free(few);
	}
}

static bool text_is(const struct table *t, uint32_t row, uint32_t column, const char *word)
{
	return strcmp(table_cell(t, row, column)->s, word) == 0;
}

/* Reports list idle time of devices once, that of streams only where there is no other. */
static bool is_once(const struct table *all, uint32_t row)
{
	if (text_is(all, 0, COL_GAPS_SCOPE, "stream"))
		return true;
	return text_is(all, row, COL_GAPS_SCOPE, "step") ||
	       (text_is(all, row, COL_GAPS_SCOPE, "device") && !text_is(all, row, COL_GAPS_KIND, "between steps"));
}

static void compare_once(const char *path, const struct derived *d)
{
	struct arena mem = {0};
	struct query q = query_all();
	struct table *all = gaps_desc.run(d, &q, &mem, NULL, NULL), *once = gaps_once_desc.run(d, &q, &mem, NULL, NULL);
	uint32_t n = 0;
	for (uint32_t row = 0; row < all->n_rows; row++) {
		if (!is_once(all, row))
			continue;
		if (n == once->n_rows || table_cell(all, row, COL_GAPS_GAP)->i != table_cell(once, n, COL_GAPS_GAP)->i)
			fail_msg("%s: row %u of all gaps is not row %u of those listed once", path, row, n);
		n++;
	}
	assert_int_equal(n, once->n_rows);
	arena_free(&mem);
}

/* Each as it comes, and every third from the last to the first: the order is for speed only. */
static void compare(const char *path, const struct derived *d)
{
	struct gap_judge *j = gap_judge_new(d, INT64_MIN, INT64_MAX);
	uint32_t n = 0;
	for (; n < derived_gap_count(d) && n < MOST_GAPS && derived_gap_span(d, n).scope != GAP_STREAM; n++)
		assert_same(path, d, j, n);
	compare_bounded(path, d, n);
	for (uint32_t i = n; i >= 3 && i + 3000 > n; i -= 3)
		assert_same(path, d, j, i - 3);
	gap_judge_free(j);
	compare_sums(path, d);
	compare_once(path, d);
}

/* Rules read columns, people read rows. */
static void compare_columns(const char *path, const struct derived *d)
{
	static const char *const tables[] = {"steps", "idle", "verdicts"};
	struct query q = query_all();
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		struct arena mem = {0};
		const struct table *t = analysis_find(tables[i])->run(d, &q, &mem, NULL, NULL);
		for (uint32_t c = 0; t && c < t->n_cols; c++) {
			const int64_t *numbers = column_all_numbers(t, c, &mem);
			const char *const *texts = column_all_texts(t, c, &mem);
			for (uint32_t r = 0; r < t->n_rows && r < 100 && !table_is_late(t, c); r++) {
				const struct cell *x = table_cell(t, r, c);
				if (numbers[r] != cell_int_known(x) && t->cols[c].type != CELL_TEXT)
					fail_msg("%s: %s.%s, row %u", path, tables[i], t->cols[c].name, r);
				if (t->cols[c].type == CELL_TEXT && texts[r] != cell_text_known(x))
					fail_msg("%s: %s.%s, row %u", path, tables[i], t->cols[c].name, r);
				columns_read++;
			}
		}
		arena_free(&mem);
	}
}

static bool is_trace(const char *path)
{
	static const char *const endings[] = {".json.gz", ".json", ".pb", ".json.zst"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(path), k = strlen(endings[i]);
		if (n > k && strcmp(path + n - k, endings[i]) == 0)
			return true;
	}
	return false;
}

static int look_at(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)at;
	struct err e = {0};
	struct trace *t = NULL;
	if (type != FTW_F || st->st_size > MOST_BYTES || !is_trace(path) ||
	    !(t = open_trace(&path, 1, &(struct open_opts){0}, &e)))
		return 0;
	struct derived *d = derived_new(t, NULL, NULL, &e);
	trace_free(t);
	if (!d)
		return 0;
	traces++;
	compare(path, d);
	compare_columns(path, d);
	derived_free(d);
	return 0;
}

static void the_sweep_tells_of_each_gap_what_it_tells_alone(void **state)
{
	(void)state;
	nftw("tests/traces", look_at, 16, FTW_PHYS);
	nftw("../shared/traces", look_at, 16, 0);
	assert_in_range(traces, 10, 1000);
	assert_in_range(compared, 1000, UINT32_MAX);
	assert_in_range(known, 500, UINT32_MAX);
	assert_in_range(columns_read, 10000, UINT32_MAX);
	print_message("# %u gaps of %u traces\n", compared, traces);
}

/* Before and after the sweep, by whatever thread. */
static void a_list_tells_the_same_before_and_after_its_sweep(void **state)
{
	(void)state;
	struct build b = scene_ideal();
	struct derived *d = derive(&b);
	struct arena mem = {0};
	uint32_t n = derived_gap_count(d);
	struct rank *ids = arena_alloc(&mem, (n + 1) * sizeof *ids);
	for (uint32_t i = 0; i < n; i++)
		ids[i].id = n - 1 - i;
	struct gap_causes *few = gap_causes_new(d, ids, n, NULL, &mem), *all = gap_causes_new(d, ids, n, NULL, &mem);
	assert_null(gap_causes_kept(all, 0));
	gap_causes_sweep(all);
	for (uint32_t i = 0; i < n; i++) {
		struct gap g;
		assert_true(derived_gap_at(d, ids[i].id, &g));
		struct gap_cause x = gap_causes_at(few, i), y = gap_causes_at(all, i);
		assert_int_equal(x.cause, y.cause);
		assert_int_equal(x.row, y.row);
		assert_int_equal(x.row_ns, y.row_ns);
		assert_int_equal(x.cause_ns, y.cause_ns);
		assert_true(x.confidence == y.confidence);
		const struct gap_cause *told[] = {&x, &y, gap_causes_kept(all, i)};
		for (int k = 0; k < 3; k++) {
			assert_int_equal(told[k]->scope, g.scope);
			assert_int_equal(told[k]->start_ns, g.start_ns);
			assert_int_equal(told[k]->dur_ns, g.dur_ns);
			assert_int_equal(told[k]->before, g.before);
			assert_int_equal(told[k]->after, g.after);
		}
	}
	assert_in_range(n, 10, UINT32_MAX);
	arena_free(&mem);
	derived_free(d);
}

enum { DEVICES = 100, ROUNDS = 36, CALLS = DEVICES * ROUNDS };

/* One thread launches for all devices in turn: an op with a launch in it, some of them under a range, some in waits, and holes between. */
static struct build one_thread_of_many_devices(void)
{
	static const char *const ops[] = {"aten::linear", "aten::item", "aten::copy_", "my own work",
					  "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"};
	struct build b = build_new("kineto");
	uint32_t x = 1;
	for (uint32_t i = 0; i < CALLS; i++) {
		double at_us = i * 20.0;
		x = x * 1664525u + 1013904223u;
		if (i % 250 == 0)
			profiler_step(&b, 1, (int)(i / 250), at_us - 1, 5000);
		if (i % 16 == 3 && i % 250 < 240)
			host_event(&b, KIND_ANNOTATION, 1, "a range", at_us - 0.5, 19 + (x >> 20) % 6 * 20);
		op(&b, 1, ops[(x >> 8) % 5], at_us, 8 + (x >> 12) % 11);
		launch(&b, 1, at_us + 1, 4, i + 1);
		kernel(&b, i % DEVICES, 7, "gemm", at_us + 9, 11, i + 1);
	}
	return b;
}

/* Each idle time holds what the thread did for all other devices. */
static void a_thread_of_many_devices_is_not_gone_through_for_each_gap(void **state)
{
	(void)state;
	struct build b = one_thread_of_many_devices();
	struct derived *d = derive(&b);
	struct gap_judge *j = gap_judge_new(d, INT64_MIN, INT64_MAX);
	uint32_t n = 0, judged = 0;
	uint64_t events = 0;
	for (; n < derived_gap_count(d) && derived_gap_span(d, n).scope != GAP_STREAM; n++) {
		struct gap g;
		struct gap_verdict v;
		derived_gap_at(d, n, &g);
		gap_judge_verdict(j, &g, &v);
		events += 2 * (uint64_t)(g.dur_ns / 20000);
		judged++;
	}
	for (uint32_t i = 0; i < n; i += 23)
		assert_same("many devices", d, j, i);
	assert_in_range(judged, CALLS - 2 * DEVICES, 3 * CALLS);
	assert_in_range(thread_shares_events(j), 1, events / 12);
	gap_judge_free(j);
	derived_free(d);
}

static void gaps_of_many_devices_are_judged_by_sums(void **state)
{
	(void)state;
	struct build b = one_thread_of_many_devices();
	struct derived *d = derive(&b);
	assert_in_range(compare_sums("many devices", d), derived_step_gap_count(d) / 2, derived_step_gap_count(d));
	derived_free(d);
}

static void who_owns_a_gap_of_many_devices_is_told_by_few_looks(void **state)
{
	(void)state;
	struct build b = one_thread_of_many_devices();
	struct derived *d = derive(&b);
	assert_in_range(compare_owners(d), derived_step_gap_count(d) / 4, derived_step_gap_count(d));
	derived_free(d);
}

/* A step around each call: what is between them is as short as a launch, and launch latency has all of it. */
static void a_gap_that_one_cause_has_is_judged_by_sums(void **state)
{
	(void)state;
	enum { STEPS = 40 };
	struct build b = build_new("kineto");
	for (uint32_t i = 0; i < STEPS; i++) {
		profiler_step(&b, 1, (int)i, i * 20.0, 19);
		op(&b, 1, "aten::add_", i * 20.0, 9);
		launch(&b, 1, i * 20.0 + 3, 4, i + 1);
		kernel(&b, 0, 7, "gemm", i * 20.0 + 8, 11, i + 1);
	}
	struct derived *d = derive(&b);
	assert_int_equal(derived_step_gap_count(d), STEPS - 1);
	assert_int_equal(compare_sums("a step per call", d), STEPS - 1);
	derived_free(d);
}

/* A step on many devices is broken down beside the other ones as if nobody had asked about them. */
static void a_step_on_many_devices_is_broken_down_as_if_alone(void **state)
{
	(void)state;
	struct build b = one_thread_of_many_devices();
	struct derived *d = derive(&b);
	struct query q = query_all();
	struct breakdowns *all = breakdown_new(d, &q);
	uint32_t n, host = 0;
	const struct step_device *parts = derived_step_devices(d, &n);
	for (uint32_t step = 0, of_step; step < derived_steps(d); step++) {
		const uint32_t *of = derived_parts_of_step(d, step, &of_step);
		for (uint32_t i = 0; i < of_step; i++) {
			struct breakdown one, many;
			breakdown_step(all, step, parts[of[i]].device, &many);
			if (i % 9 != 8)
				continue;
			struct breakdowns *alone = breakdown_new(d, &q);
			breakdown_step(alone, step, parts[of[i]].device, &one);
			assert_memory_equal(one.ns, many.ns, sizeof one.ns);
			assert_int_equal(one.other_ns, many.other_ns);
			host += one.ns[TIME_LAUNCH] > 0 && one.ns[TIME_HOST] > 0 && one.ns[TIME_COMPUTE] > 0;
			breakdown_free(alone);
		}
	}
	assert_in_range(host, 50, n);
	breakdown_free(all);
	derived_free(d);
}

/* One thread launches deep inside of frames that tell nothing, around which others are that do. */
static struct derived *deep_nest(int frames)
{
	static const char *const around[] = {
		"my own work", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "another", "aten::item"};
	struct build b = build_new("kineto");
	for (uint32_t part = 0; part < 4; part++) {
		double at_us = part * 6000;
		profiler_step(&b, 1, (int)part, at_us, 5900);
		op(&b, 1, around[part], at_us + 1, 5800);
		for (int i = 0; i < frames; i++)
			host_event(&b, KIND_PYTHON, 1, "train.py(1): f", at_us + 2 + 0.01 * i, 5700 - 0.02 * i);
		for (uint32_t i = 0; i < 30; i++) {
			launch(&b, 1, at_us + 100 + 100 * i, 4, 30 * part + i + 1);
			kernel(&b, 0, 7, "gemm", at_us + 109 + 100 * i, 11, 30 * part + i + 1);
		}
	}
	return derive(&b);
}

static void a_nest_is_judged_by_what_is_far_around_it(void **state)
{
	(void)state;
	struct derived *shallow = deep_nest(2), *deep = deep_nest(300);
	struct gap_judge *j = gap_judge_new(deep, INT64_MIN, INT64_MAX);
	uint32_t inputs = 0;
	for (uint32_t i = 0; i < derived_gap_count(shallow); i++) {
		struct gap g;
		struct gap_verdict x, y;
		derived_gap_at(shallow, i, &g);
		gap_verdict_of(shallow, &g, &x);
		if (g.dur_ns > 100000) /* frames start and end in it */
			continue;
		derived_gap_at(deep, i, &g);
		gap_judge_verdict(j, &g, &y);
		assert_int_equal(x.cause, y.cause);
		assert_int_equal(x.cause_ns, y.cause_ns);
		assert_int_equal(x.evidence.recorded_ns, y.evidence.recorded_ns);
		for (int k = 0; k < CAUSE_COUNT; k++)
			assert_int_equal(x.evidence.own[k].ns, y.evidence.own[k].ns);
		inputs += y.cause == CAUSE_INPUT;
		assert_same("a nest", deep, j, i);
	}
	assert_in_range(inputs, 25, 60);
	gap_judge_free(j);
	derived_free(shallow);
	derived_free(deep);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sweep_tells_of_each_gap_what_it_tells_alone),
		cmocka_unit_test(a_list_tells_the_same_before_and_after_its_sweep),
		cmocka_unit_test(a_thread_of_many_devices_is_not_gone_through_for_each_gap),
		cmocka_unit_test(gaps_of_many_devices_are_judged_by_sums),
		cmocka_unit_test(who_owns_a_gap_of_many_devices_is_told_by_few_looks),
		cmocka_unit_test(a_gap_that_one_cause_has_is_judged_by_sums),
		cmocka_unit_test(a_step_on_many_devices_is_broken_down_as_if_alone),
		cmocka_unit_test(a_nest_is_judged_by_what_is_far_around_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

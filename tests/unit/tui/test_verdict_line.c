/* The overview's first line: made of the findings, and no number of its own. */
#include "tests/unit/unit.h"
#include "model/analysis/findings/findings_columns.h"
#include "tui/text/verdict_line.h"
#include <math.h>
#include <string.h>

TABLE_DECL(findings);
enum { WIDE = 200 };

static void add(struct table *t, const char *rule, enum finding_state s, double pct, const char *sentence,
		const char *advice)
{
	struct cell *row = table_row(t);
	cell_text(&row[COL_FINDINGS_RULE], rule);
	cell_text(&row[COL_FINDINGS_TITLE], "Small kernels");
	cell_text(&row[COL_FINDINGS_SEVERITY], finding_state_name(s));
	cell_real(&row[COL_FINDINGS_VALUE], pct);
	cell_text(&row[COL_FINDINGS_UNIT], "percent");
	cell_text(&row[COL_FINDINGS_SENTENCE], sentence);
	cell_text(&row[COL_FINDINGS_ADVICE], advice);
	cell_text(&row[COL_FINDINGS_DEVICE_LABEL], "GPU 0");
}

/* What the finding added last is about. */
static void about(struct table *t, const char *what)
{
	cell_text(&t->cells[(t->n_rows - 1) * t->desc->n_cols + COL_FINDINGS_ABOUT], what);
}

static void check(const struct table *t, int cols, enum finding_state state, const char *want, struct arena *mem)
{
	enum finding_state s;
	assert_string_equal(verdict_line(t, cols, &s, mem), want);
	assert_int_equal(s, state);
}

static void the_worst_comes_first_then_the_next(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "input-bound", FINDING_FAIL, 33.94, "33.9 % of the step time is spent on input.", "more workers");
	add(t, "idle", FINDING_FAIL, 26.6, "GPU 0 idles for 283 ms.", "more workers");
	about(t, "input wait");
	add(t, "tensor-cores", FINDING_WARN, 49.4, "49.4 % could use them.", "16 bit");
	add(t, "idle", FINDING_WARN, 10, "GPU 0 idles for 10 ms.", "compile");
	about(t, "Python overhead");
	check(t, WIDE, FINDING_FAIL,
	      "input-bound: 33.9 % of the step waits for input; then: Tensor Cores unused, Python overhead", &mem);
	/* little room: one comes next */
	check(t, 76, FINDING_FAIL, "input-bound: 33.9 % of the step waits for input; then: Tensor Cores unused", &mem);
	arena_free(&mem);
}

/* In a window without a whole step a share is of the parts that lie in it. */
static void a_part_of_a_step_is_not_called_a_step(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "input-bound", FINDING_FAIL, 60, "60.0 % of " STEP_TIME_IN_WINDOW " waits for input.", "more workers");
	check(t, WIDE, FINDING_FAIL, "input-bound: 60.0 % of the step time in the window waits for input", &mem);
	arena_free(&mem);
}

static void overhead_says_of_what_kind_it_is(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "idle", FINDING_WARN, 41.94, "GPU 0 idles for 1.8 ms.", "more workers");
	about(t, "input wait");
	add(t, "worth-the-device", FINDING_WARN, 15.3,
	    "Per step, the device computes for 5.8 %; launches and input take 15.3 % (launches alone 8.4 %).", "less");
	about(t, "launches");
	check(t, WIDE, FINDING_WARN,
	      "Input wait: GPU 0 idle 41.9 % of the time; then: more overhead than compute (above all launches)", &mem);
	arena_free(&mem);
}

/* The sentence may be worded as it likes: what most of it is stands beside. */
static void input_says_whether_it_is_copied(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "input-bound", FINDING_FAIL, 30, "A sentence.", "copy ahead");
	check(t, WIDE, FINDING_FAIL, "input-bound: 30.0 % of the step waits for input", &mem);
	about(t, "copies of input");
	check(t, WIDE, FINDING_FAIL, "input-bound: 30.0 % of the step goes to copies to the device", &mem);
	about(t, "copies that are no input");
	check(t, WIDE, FINDING_FAIL, "copies to the device: 30.0 % of the step waits for them", &mem);
	arena_free(&mem);
}

static void idle_time_is_told_by_its_cause(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "idle", FINDING_WARN, 41.94, "GPU 0 idles for 1.8 ms.", "launch less");
	about(t, "maybe launch latency");
	add(t, "fusion", FINDING_WARN, 22, "Fusing 125 runs saves 7 ms.", "compile");
	check(t, WIDE, FINDING_WARN,
	      "Maybe launch latency: GPU 0 idle 41.9 % of the time; then: unfused element-wise kernels", &mem);
	arena_free(&mem);
}

static void collectives_that_wait_say_for_whom(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "collectives", FINDING_FAIL, 17.6, "17.6 % of the step time goes to collectives.", "find out why");
	about(t, "waiting for rank 3");
	add(t, "waits-for-rank", FINDING_WARN, 13.9, "Rank 3 is last at 8 of 8.", "balance");
	add(t, "replicas", FINDING_WARN, 1.2, "Rank 3 computes 22 ms per step.", "shares");
	check(t, WIDE, FINDING_FAIL,
	      "waiting for rank 3: 17.6 % of the step goes to collectives that nothing hides, most of it waiting; "
	      "then: uneven compute",
	      &mem);
	t = table_new(&mem, &findings_desc);
	add(t, "collectives", FINDING_FAIL, 62.3, "62.3 % of the step time goes to collectives.", "record all ranks");
	about(t, "exposed sends and receives");
	check(t, WIDE, FINDING_FAIL,
	      "exposed sends and receives: 62.3 % of the step waits for other ranks or transfers data; the trace "
	      "cannot "
	      "tell which",
	      &mem);
	t = table_new(&mem, &findings_desc); /* the calls themselves take the time: who is late comes next */
	add(t, "collectives", FINDING_FAIL, 29.2, "29.2 % of the step time goes to collectives.", "buckets");
	add(t, "waits-for-rank", FINDING_WARN, 12.5, "Rank 3 is last at 8 of 8.", "balance");
	cell_text(&t->cells[t->desc->n_cols + COL_FINDINGS_TITLE], "Waiting for ranks");
	check(t, WIDE, FINDING_FAIL,
	      "communication-bound: 29.2 % of the step goes to collectives that nothing hides; then: waiting for ranks",
	      &mem);
	arena_free(&mem);
}

static void waits_for_the_device_say_what_is_idle(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "synchronisation", FINDING_WARN, 29.4, "Calls that wait for a device cost 3.000 ms.", "fuse");
	check(t, WIDE, FINDING_WARN,
	      "synchronisation: 29.4 % of the time devices are idle because calls waited for them", &mem);
	about(t, "overflow check of loss scaling");
	check(t, WIDE, FINDING_WARN,
	      "overflow check of loss scaling: 29.4 % of the time devices are idle because calls waited for them",
	      &mem);
	t = table_new(&mem, &findings_desc); /* an upper bound stays one */
	add(t, "synchronisation", FINDING_WARN, 14.6,
	    "They cost the host its lead: without them there would be up to 87.405 ms less idle time.", "fuse");
	check(t, WIDE, FINDING_WARN,
	      "synchronisation: up to 14.6 % of the time devices are idle because calls waited for them", &mem);
	arena_free(&mem);
}

static void what_held_work_back_is_not_in_the_file(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "idle", FINDING_WARN, 97.8, "GPU 0 idles for 463 ms.", "record more");
	about(t, "held back");
	cell_int(&t->cells[COL_FINDINGS_HELD], 463018539);
	cell_text(&t->cells[COL_FINDINGS_HELD_STREAM], "stream 3");
	check(t, WIDE, FINDING_WARN,
	      "Held back: GPU 0 idle 97.8 % of the time; what held stream 3 back is not in the file", &mem);
	struct table *later = table_new(&mem, &findings_desc);
	add(later, "fusion", FINDING_WARN, 22, "Fusing 125 runs saves 7 ms.", "compile");
	add(later, "idle", FINDING_WARN, 10, "GPU 0 idles for 463 ms.", "record more");
	about(later, "held back");
	cell_int(&later->cells[later->desc->n_cols + COL_FINDINGS_HELD], 463018539);
	check(later, WIDE, FINDING_WARN,
	      "unfused element-wise kernels: 22.0 % of the time on devices could be saved at most; then: held back",
	      &mem);
	arena_free(&mem);
}

static void what_fusion_saves_is_a_bound(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "fusion", FINDING_WARN, 22, "Fusing 125 runs saves 7 ms.", "compile");
	check(t, WIDE, FINDING_WARN,
	      "unfused element-wise kernels: 22.0 % of the time on devices could be saved at most", &mem);
	arena_free(&mem);
}

static void a_cause_that_is_unknown_is_not_made_up(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "idle", FINDING_WARN, 15.8, "Cannot tell why GPU 0 idles for 102 ms: not recorded.", "record more");
	check(t, WIDE, FINDING_WARN, "Cannot tell why GPU 0 idles for 102 ms: not recorded", &mem);
	arena_free(&mem);
}

static void a_number_that_is_no_share_stays_in_its_sentence(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "input-bound", FINDING_WARN, NAN, "Steps wait for input.", "more workers");
	check(t, WIDE, FINDING_WARN, "Steps wait for input", &mem);
	arena_free(&mem);
}

static void what_abstains_says_what_cannot_be_known(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	add(t, "step-markers", FINDING_UNKNOWN, NAN, "No step markers: cannot tell what a step is.", "mark the steps");
	add(t, "device-busy", FINDING_PASS, 98, "GPU 0 works 98.0 % of its span.", NULL);
	check(t, WIDE, FINDING_UNKNOWN, "nothing to warn of; no step markers: cannot tell what a step is", &mem);
	arena_free(&mem);
	t = table_new(&mem, &findings_desc); /* without devices next to nothing is judged */
	add(t, "device-busy", FINDING_UNKNOWN, NAN, "Cannot tell how busy a GPU is: no device work is recorded.", NULL);
	check(t, WIDE, FINDING_UNKNOWN, "Cannot tell how busy a GPU is: no device work is recorded", &mem);
	arena_free(&mem);
	t = table_new(&mem,
		      &findings_desc); /* and with neither that it has no steps says less than where its time goes */
	add(t, "step-markers", FINDING_UNKNOWN, NAN, "No step markers: cannot tell what a step is.", "mark the steps");
	add(t, "device-busy", FINDING_UNKNOWN, 84.6, "No device and no step is recorded; 84.6 % goes to f itself.",
	    NULL);
	check(t, WIDE, FINDING_UNKNOWN, "No device and no step is recorded; 84.6 % goes to f itself", &mem);
	arena_free(&mem);
}

static void what_is_fine_says_what_devices_do(void **state)
{
	(void)state;
	struct arena mem = {0};
	struct table *t = table_new(&mem, &findings_desc);
	check(t, WIDE, FINDING_PASS, "nothing to warn of", &mem);
	add(t, "read-whole", FINDING_PASS, NAN, "Nothing in the file was lost.", NULL);
	add(t, "device-busy", FINDING_PASS, 98, "GPU 0 works 98.0 % of its span.", NULL);
	check(t, WIDE, FINDING_PASS, "nothing to warn of: GPU 0 works 98.0 % of its span", &mem);
	arena_free(&mem);
	t = table_new(&mem, &findings_desc); /* one question that the file leaves open does not hide what it tells */
	add(t, "memory-full", FINDING_UNKNOWN, NAN, "Cannot tell how full memory gets.", "record memory");
	add(t, "compute-bound", FINDING_PASS, 97.6, "Kernels run for 99.0 % of the time: compute-bound.", NULL);
	check(t, WIDE, FINDING_PASS, "nothing to warn of: kernels run for 99.0 % of the time: compute-bound", &mem);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_comes_first_then_the_next),
		cmocka_unit_test(a_part_of_a_step_is_not_called_a_step),
		cmocka_unit_test(overhead_says_of_what_kind_it_is),
		cmocka_unit_test(input_says_whether_it_is_copied),
		cmocka_unit_test(idle_time_is_told_by_its_cause),
		cmocka_unit_test(collectives_that_wait_say_for_whom),
		cmocka_unit_test(waits_for_the_device_say_what_is_idle),
		cmocka_unit_test(what_held_work_back_is_not_in_the_file),
		cmocka_unit_test(what_fusion_saves_is_a_bound),
		cmocka_unit_test(a_cause_that_is_unknown_is_not_made_up),
		cmocka_unit_test(a_number_that_is_no_share_stays_in_its_sentence),
		cmocka_unit_test(what_abstains_says_what_cannot_be_known),
		cmocka_unit_test(what_is_fine_says_what_devices_do),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verdict_line", tests, NULL, NULL);
}

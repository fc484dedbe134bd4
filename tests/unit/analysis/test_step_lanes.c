/* The lane "Steps" that TensorFlow's JSON draws above the streams of a device gives the steps where no event carries a number. */
#include "tests/unit/chrome_read.h"
#include "tests/unit/derive_trace.h"

#define NAMES                                                                                                     \
	"{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/device:GPU:0\"}},"               \
	"{\"ph\":\"M\",\"pid\":1,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"Stream #7(Compute)\"}}," \
	"{\"ph\":\"M\",\"pid\":701,\"name\":\"process_name\",\"args\":{\"name\":\"/host:CPU\"}},"                 \
	"{\"ph\":\"M\",\"pid\":701,\"tid\":9,\"name\":\"thread_name\",\"args\":{\"name\":\"python\"}},"
#define LANE "{\"ph\":\"M\",\"pid\":1,\"tid\":99,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}},"
#define X(pid, tid, ts, dur, name, args)                                                                   \
	"{\"ph\":\"X\",\"pid\":" #pid ",\"tid\":" #tid ",\"ts\":" #ts ",\"dur\":" #dur ",\"name\":\"" name \
	"\",\"args\":{" args "}},"

/* Steps 4 [20, 60) and 5 [120, 160) on the device; what the host launches between them belongs to neither's lane. */
static struct derived *two_steps(const char *lane)
{
	char json[4000];
	struct err e = {0};
	snprintf(json, sizeof json,
		 "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" NAMES LANE X(1, 99, 20, 40, "4", "")
			 X(1, 99, 120, 40, "5", "") X(701, 9, 10, 2, "LaunchKernel", "\"correlation_id\":1") X(
				 701, 9, 14, 2, "a:MatMul", "") X(701, 9, 18, 2, "LaunchKernel", "\"correlation_id\":2")
				 X(701, 9, 70, 5, "callback", "") X(701, 9, 110, 2, "LaunchKernel",
								    "\"correlation_id\":3") X(1, 7, 20, 10, "k1",
											      "\"correlation_id\":1")
					 X(1, 7, 50, 10, "k2", "\"correlation_id\":2") X(1, 7, 80, 5, "between", "")
						 X(1, 7, 120, 40, "k3", "\"correlation_id\":3") "{}]}",
		 lane);
	struct trace *t = chrome_read(json);
	struct derived *d = derived_new(t, NULL, NULL, &e);
	if (!d)
		fail_msg("%s", e.msg);
	trace_free(t);
	return d;
}

static void events_of_the_lane_are_steps(void **state)
{
	(void)state;
	struct derived *d = two_steps("Steps");
	assert_string_equal(derived_steps_source(d, 0), "Steps lane");
	assert_int_equal(derived_steps(d), 2);
	assert_string_equal(step_of(d, "k1"), "4");
	assert_string_equal(step_of(d, "k2"), "4");
	assert_string_equal(step_of(d, "k3"), "5");
	assert_string_equal(step_of(d, "a:MatMul"), "4");
	assert_string_equal(step_of(d, "callback"), "4"); /* what the host does until it begins the next step */
	derived_free(d);
}

static void other_lanes_are_not(void **state)
{
	(void)state;
	struct derived *d = two_steps("XLA Modules");
	assert_string_not_equal(derived_steps_source(d, 0), "Steps lane");
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_the_lane_are_steps),
		cmocka_unit_test(other_lanes_are_not),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

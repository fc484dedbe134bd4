/* The pane of several ranks while its tables are still being made: the ranks stand in it as soon as they are compared, keys are
 * answered, and map and verdict come in under them. The worker is held between two tables, so nothing here depends on time. */
#include "tests/unit/screen_of.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 12, STEPS = 4, LATE = 7 };
static const char NCCL[] = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/* Steps of 3 ms: it computes for so long, then is in a call that ends 2110 us after the step's first kernel began. */
static void rank(struct build *b, int32_t number, double busy_us)
{
	char host[32];
	snprintf(host, sizeof host, "host%d", number);
	build_host(b, host, number);
	build_pid(b, 100 + number);
	for (int i = 0; i < STEPS; i++) {
		double at = 3000.0 * i;
		uint64_t corr = (uint64_t)(100 * number + 2 * i + 1);
		profiler_step(b, 1, i, at, 2900);
		launch(b, 1, at + 1, 5, corr);
		kernel(b, number, 7, "gemm", at + 10, busy_us, corr);
		launch(b, 1, at + 7, 5, corr + 1);
		kernel(b, number, 20, NCCL, at + 10 + busy_us, 2110 - busy_us, corr + 1);
	}
}

/* What the worker does between the first table and the others. */
static struct gate {
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool reached, open;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};

static void stand_at(void *ctx)
{
	struct gate *g = ctx;
	pthread_mutex_lock(&g->lock);
	g->reached = true;
	pthread_cond_broadcast(&g->change);
	while (!g->open)
		pthread_cond_wait(&g->change, &g->lock);
	pthread_mutex_unlock(&g->lock);
}

static void passed(void *ctx)
{
	(void)ctx;
}

static void wait_until_held(void)
{
	pthread_mutex_lock(&gate.lock);
	while (!gate.reached)
		pthread_cond_wait(&gate.change, &gate.lock);
	pthread_mutex_unlock(&gate.lock);
	state_collect(screen_st);
}

static void let_go(void)
{
	pthread_mutex_lock(&gate.lock);
	gate.open = true;
	pthread_cond_broadcast(&gate.change);
	pthread_mutex_unlock(&gate.lock);
	while (tables_busy(screen_st->tables)) {
		state_collect(screen_st);
		usleep(1000);
	}
}

static void want(const char *name)
{
	uint32_t i = 0;
	while (strcmp(analysis_at(i)->name, name))
		i++;
	tables_want(screen_st->tables, i, false);
}

static int start(void **state)
{
	static const char *const paths[] = {"made.trace"};
	static const struct app_opts opts = {.program = "stepscope", .paths = paths, .n_paths = 1};
	struct build b = build_new("chrome");
	(void)state;
	for (int32_t i = 0; i < RANKS; i++)
		rank(&b, i, i == LATE ? 2000 : 500 + 10 * i);
	screen_d = derive(&b);
	screen_st = state_new(&opts, screen_d, -1, false);
	state_resize(screen_st, 24, 100);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static void ranks_stand_there_while_the_rest_is_worked_out(void **state)
{
	(void)state;
	want("replicas");
	tables_run(screen_st->tables, "gate", stand_at, passed, &gate);
	screen_type("8");
	wait_until_held();
	screen_draw();
	surface_says(&screen_now, "working out what the rules say");
	for (int i = 0; i < RANKS; i++) {
		char label[16];
		snprintf(label, sizeof label, "rank %d ", i);
		surface_says(&screen_now, label);
	}
	surface_says(&screen_now, "4 of 4"); /* whom the others wait for */
	surface_keeps_quiet_about(&screen_now, "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88");
	screen_type("jj");
	screen_draw();
	surface_says(&screen_now, "rank 2");
	assert_int_equal(screen_st->view.place.row, 2);
	screen_type("2");
	screen_draw();
	surface_says(&screen_now, "[2 Timeline]");
	screen_type("8");
	let_go();
	screen_draw();
	surface_keeps_quiet_about(&screen_now, "working out what the rules say");
	surface_says(&screen_now, "Rank 7 is last at 4 of 4");
	surface_says(&screen_now, "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"); /* a step per column */
	assert_int_equal(screen_st->view.place.row, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ranks_stand_there_while_the_rest_is_worked_out, start, stop),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

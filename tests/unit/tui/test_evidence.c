/* Enter in the Guide: each finding leads to its evidence, to the timeline where that has a place in time, else to the table that holds the
 * number it was judged by. */
#include "tests/unit/screen_of.h"
#include "tests/unit/scenes.h"
#include "tui/explorer/pane.h"
#include "model/finding.h"
#include <locale.h>

static int start(void **state)
{
	(void)state;
	struct build b = scene_gap();
	screen_open(&b, 24, 80);
	screen_type("9");
	screen_draw();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	screen_close();
	return 0;
}

static const struct table *findings(void)
{
	return pane_table_named(screen_st, "findings");
}

static const struct evidence *evidence_of(uint32_t row)
{
	return table_evidence_of(findings(), row);
}

static bool has_place(const struct evidence *e)
{
	return e->a_ns < e->b_ns || e->n;
}

static bool names_table(const struct evidence *e, const char *name)
{
	bool any = false;
	for (uint32_t i = 0; e->inputs && i < e->inputs->n; i++)
		any |= e->inputs->at[i].table && !strcmp(e->inputs->at[i].table, name);
	return any;
}

static void enter_on(uint32_t row)
{
	screen_type("9");
	screen_st->view.place.row = row;
	state_key(screen_st, K_ENTER);
}

static void every_finding_leads_to_its_evidence(void **state)
{
	(void)state;
	uint32_t on_timeline = 0, in_tables = 0, n = findings()->n_rows;
	for (uint32_t row = 0; row < n; row++) {
		enter_on(row);
		if (has_place(evidence_of(row))) {
			assert_int_equal(screen_st->view.pane, PANE_TIMELINE);
			on_timeline++;
		} else if (screen_st->view.pane == PANE_TABLE) {
			assert_true(names_table(evidence_of(row), analysis_at(screen_st->view.analysis)->name));
			assert_non_null(strstr(screen_st->message, "judged by "));
			in_tables++;
		} else {
			assert_int_equal(screen_st->view.pane, PANE_GUIDE);
			assert_non_null(strstr(screen_st->message, "about the whole trace"));
		}
	}
	assert_true(on_timeline > 0);
	assert_true(in_tables > 0);
}

static void and_backspace_leads_back_to_it(void **state)
{
	(void)state;
	uint32_t row = 0;
	while (row + 1 < findings()->n_rows && has_place(evidence_of(row)))
		row++;
	assert_false(has_place(evidence_of(row)));
	enter_on(row);
	assert_int_equal(screen_st->view.pane, PANE_TABLE);
	state_key(screen_st, K_BACKSPACE);
	assert_int_equal(screen_st->view.pane, PANE_GUIDE);
	assert_int_equal(screen_st->view.place.row, row);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(every_finding_leads_to_its_evidence),
		TEST(and_backspace_leads_back_to_it),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

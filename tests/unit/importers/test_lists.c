/* Lists that stand once: formats with what their files are called, event kinds with what is made from them. */
#include "importers/importer.h"
#include "model/store/facts/facts.h"
#include "tests/unit/unit.h"
#include <string.h>

static void test_names_of_traces(void **state)
{
	(void)state;
	static const char *const traces[] = {
		"a.json", "a.json.gz", "a.pt.trace.json.zst", "a.xplane.pb", "a.pb.gz", "a.trace.zst", "a.gz"};
	static const char *const others[] = {"a.py", "json", "a.json.txt", "a.zst", ".gzip", "a.json.gz.gz.txt", ""};
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
		assert_true(importer_is_name(traces[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(importer_is_name(others[i]));
}

static void test_names_of_runs(void **state)
{
	(void)state;
	assert_true(importer_is_run_name("host.xplane.pb"));
	assert_true(importer_is_run_name("host.xplane.pb.gz"));
	assert_true(importer_is_run_name("host.xplane.pb.zst"));
	assert_false(importer_is_run_name("host.pb"));
	assert_false(importer_is_run_name("host.json"));
}

static void test_endings(void **state)
{
	(void)state;
	assert_true(importer_is_ending(".json.gz"));
	assert_true(importer_is_ending(".pt.trace.json"));
	assert_true(importer_is_ending(".xplane.pb"));
	assert_false(importer_is_ending("secret.json"));
	assert_false(importer_is_ending(".secret.json"));
	assert_false(importer_is_ending(".gz"));
}

static void test_every_format_says_what_it_is(void **state)
{
	(void)state;
	unsigned n;
	const struct importer *const *list = importer_list(&n);
	for (unsigned i = 0; i < n; i++) {
		assert_true(*list[i]->name && *list[i]->what && list[i]->sniff && list[i]->load);
		assert_non_null(list[i]->endings[0]);
		for (const char *const *ending = list[i]->endings; *ending; ending++)
			assert_true(strchr(*ending, '.') && importer_is_name(*ending));
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(list[k]->name, list[i]->name);
	}
}

static void test_kinds(void **state)
{
	(void)state;
	for (int k = 0; k < KIND_COUNT; k++) {
		assert_int_equal(KINDS_WORK >> k & 1, kind_is_work((enum event_kind)k));
		for (int other = 0; other < k; other++)
			assert_string_not_equal(kind_name((enum event_kind)other), kind_name((enum event_kind)k));
	}
	assert_int_equal(KINDS_WORK, KIND_BIT(KIND_KERNEL) | KIND_BIT(KIND_COPY) | KIND_BIT(KIND_MEMSET) |
					     KIND_BIT(KIND_DEVICE_OTHER));
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_traces), cmocka_unit_test(test_names_of_runs),
		cmocka_unit_test(test_endings),         cmocka_unit_test(test_every_format_says_what_it_is),
		cmocka_unit_test(test_kinds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

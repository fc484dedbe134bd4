/* Chrome traces in general: forms of the file, times, phases, texts, damage. Every text is read through a 7-byte window. */
#include "tests/unit/chrome_read.h"

/* ---- forms -------------------------------------------------------------------------------------------------------- */

static void an_object_an_array_and_lines_say_the_same(void **state)
{
	(void)state;
	static const char *const forms[] = {
		"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2},{\"ph\":\"X\",\"name\":\"b\","
		"\"ts\":2,\"dur\":1}]}",
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2},\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":1}]",
		"{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2}\n{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":1}\n",
		"\xef\xbb\xbf "
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2},{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":1}",
		"{\"x\":{\"traceEvents\":[1,{\"]\":\"\\\"}\"}]},\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,"
		"\"dur\":2},"
		"{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":1}],\"y\":[[]],\"z\":null}",
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct trace *t = chrome_read(forms[i]);
		assert_int_equal(trace_notes(t)->entries, 2);
		assert_event(t, "a", "other", 0, 2000);
		assert_event(t, "b", "other", 1000, 1000);
		assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0);
		trace_free(t);
	}
}

static void keys_come_in_any_order_and_numbers_may_be_texts(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"args\":{\"n\":1},\"dur\":\"2.5\",\"ts\":\"10\",\"tid\":\"7\",\"name\":\"a\","
				      "\"pid\":3,\"ph\":\"X\"},"
				      "{\"ph\":\"X\",\"name\":\"b\",\"pid\":3.0,\"tid\":7,\"ts\":11,\"dur\":1}]");
	assert_event(t, "a", "other", 0, 2500);
	assert_attrs(t, "a", "n=1");
	assert_ptr_equal(track_of(t, "a"), track_of(t, "b"));
	assert_int_equal(track_of(t, "a")->key, 7);
	trace_free(t);
}

static void top_level_scalars_are_facts_but_not_secrets(void **state)
{
	(void)state;
	struct trace *t = chrome_read("{\"schemaVersion\":1,\"note\":\"a\\u00e9\",\"auth_token\":\"hf_x\",\"deep\":{"
				      "\"a\":1},\"traceEvents\":[]}");
	assert_string_equal(fact(t, "schemaVersion"), "1");
	assert_string_equal(fact(t, "note"), "a\xc3\xa9");
	assert_null(fact(t, "auth_token"));
	assert_null(fact(t, "deep"));
	trace_free(t);
}

/* ---- time --------------------------------------------------------------------------------------------------------- */

static void sixteen_digits_and_a_fraction_are_exact(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"first\",\"ts\":1712195495008441.746,\"dur\":5.898},"
				      "{\"ph\":\"X\",\"name\":\"second\",\"ts\":1712195495008447.643,\"dur\":0.001}]");
	assert_int_equal(trace_base_ns(t), 1712195495008441746);
	assert_event(t, "first", "other", 0, 5898);
	assert_event(t, "second", "other", 5897, 1);
	assert_int_equal(noted(t, NOTE_OVERLAP), 0);
	trace_free(t);
}

static void picoseconds_round_start_and_end(void **state)
{
	(void)state;
	/* a: 0.499 ns .. 1.999 ns; b: 1000.5 ns .. 1001.499 ns */
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"zero\",\"ts\":0,\"dur\":0},"
				      "{\"ph\":\"X\",\"name\":\"a\",\"ts\":0.000499,\"dur\":0.0015},"
				      "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1.0005,\"dur\":0.000999},"
				      "{\"ph\":\"X\",\"name\":\"c\",\"ts\":1.5e3,\"dur\":25E-1},"
				      "{\"ph\":\"X\",\"name\":\"d\",\"ts\":12345678901234.56789012345,\"dur\":1e-9}]");
	assert_event(t, "a", "other", 0, 2);
	assert_event(t, "b", "other", 1001, 0);
	assert_event(t, "c", "other", 1500000, 2500);
	assert_event(t, "d", "other", 12345678901234568, 0);
	trace_free(t);
}

static void negative_times_are_times(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":-1.5,\"dur\":1},{\"ph\":\"X\",\"name\":"
				      "\"b\",\"ts\":0,\"dur\":1}]");
	assert_int_equal(trace_base_ns(t), -1500);
	assert_event(t, "b", "other", 1500, 1000);
	trace_free(t);
}

static void the_clock_base_counts_wherever_it_stands(void **state)
{
	(void)state;
	static const char *const forms[] = {
		"{\"baseTimeNanoseconds\":1767189312000000000,\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":5."
		"001,\"dur\":1}]}",
		"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":5.001,\"dur\":1}],\"baseTimeNanoseconds\":"
		"1767189312000000000}",
	};
	for (size_t i = 0; i < 2; i++) {
		struct trace *t = chrome_read(forms[i]);
		assert_int_equal(trace_base_ns(t), 1767189312000005001);
		trace_free(t);
	}
}

static void a_time_that_is_none_is_noted(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"dur\":1},{\"ph\":\"X\",\"ts\":"
		"\"soon\"},"
		"{\"ph\":\"X\",\"ts\":null},{\"ph\":\"X\",\"ts\":1e40},{\"ph\":\"X\",\"ts\":1,\"dur\":-2}]");
	assert_int_equal(trace_notes(t)->entries, 6);
	assert_int_equal(noted(t, NOTE_BAD_TIME), 3);
	assert_int_equal(noted(t, NOTE_TIME_OVERFLOW), 1);
	assert_int_equal(noted(t, NOTE_DUR_NEGATIVE), 1);
	trace_free(t);
}

/* ---- phases ------------------------------------------------------------------------------------------------------- */

static void begin_and_end_make_one_event(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"B\",\"name\":\"outer\",\"ts\":1,\"tid\":1},{\"ph\":\"B\",\"name\":"
				      "\"inner\",\"ts\":2,\"tid\":1},"
				      "{\"ph\":\"E\",\"ts\":3,\"tid\":1},{\"ph\":\"E\",\"ts\":9,\"tid\":1,\"args\":{"
				      "\"r\":0}},{\"ph\":\"E\",\"ts\":10,\"tid\":1}]");
	assert_event(t, "outer", "other", 0, 8000);
	assert_event(t, "inner", "other", 1000, 1000);
	assert_int_equal(noted(t, NOTE_END_WITHOUT_BEGIN), 1);
	trace_free(t);
}

static void async_events_have_a_track_per_category(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"b\",\"cat\":\"net\",\"id\":\"0x10\",\"name\":\"get\",\"ts\":1,\"pid\":1},"
		"{\"ph\":\"n\",\"cat\":\"net\",\"id\":16,\"name\":\"byte\",\"ts\":2,\"pid\":1},"
		"{\"ph\":\"e\",\"cat\":\"net\",\"id\":16,\"name\":\"get\",\"ts\":5,\"pid\":1},"
		"{\"ph\":\"b\",\"cat\":\"disk\",\"id2\":{\"local\":\"0x1\"},\"name\":\"read\",\"ts\":1,\"pid\":1},"
		"{\"ph\":\"e\",\"cat\":\"disk\",\"id2\":{\"local\":\"0x1\"},\"name\":\"read\",\"ts\":3,\"pid\":1}]");
	assert_event(t, "get", "async", 0, 4000);
	assert_event(t, "read", "async", 0, 2000);
	assert_ptr_equal(track_of(t, "get"), track_of(t, "byte"));
	assert_string_equal(trace_str(t, track_of(t, "read")->lane), "disk");
	trace_free(t);
}

static void flows_bind_events(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"s\",\"cat\":\"f\",\"id\":1,\"ts\":2,\"tid\":1},{\"ph\":\"f\",\"cat\":"
				      "\"f\",\"id\":1,\"ts\":5,\"tid\":2},"
				      "{\"ph\":\"X\",\"name\":\"from\",\"ts\":1,\"dur\":3,\"tid\":1},{\"ph\":\"X\","
				      "\"name\":\"to\",\"ts\":6,\"dur\":1,\"tid\":2}]");
	const struct flow *f;
	assert_int_equal(trace_flows(t, &f), 1);
	assert_int_equal(f->from, event_named(t, "from"));
	assert_int_equal(f->to, event_named(t, "to"));
	trace_free(t);
}

static void counters_have_a_track_per_series(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"C\",\"name\":\"mem\",\"ts\":1,\"pid\":1,\"args\":{\"used\":1.5,\"free\":\"2\"}},"
		"{\"ph\":\"C\",\"name\":\"mem\",\"ts\":2,\"pid\":1,\"args\":{\"used\":3,\"free\":null}},"
		"{\"ph\":\"C\",\"name\":\"load\",\"ts\":2,\"pid\":1,\"args\":{\"value\":7}},"
		"{\"ph\":\"C\",\"name\":\"load\",\"ts\":2,\"pid\":1,\"args\":{\"value\":\"much\"}}]");
	const struct sample *s;
	assert_int_equal(trace_tracks(t), 3);
	assert_int_equal(trace_notes(t)->merged, 3);
	assert_int_equal(noted(t, NOTE_COUNTER_NOT_NUMBER), 1);
	for (uint32_t i = 0; i < 3; i++)
		if (strcmp(trace_str(t, trace_track(t, i)->name), "mem: used") == 0) {
			assert_int_equal(trace_samples(t, i, &s), 2);
			assert_true(s[0].value == 1.5 && s[1].value == 3);
			return trace_free(t);
		}
	fail_msg("no track for mem: used");
}

static void instants_go_by_their_scope(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"i\",\"name\":\"thread\",\"ts\":1,\"tid\":5,\"s\":\"t\"},{\"ph\":"
				      "\"I\",\"name\":\"old\",\"ts\":1,\"tid\":5},"
				      "{\"ph\":\"i\",\"name\":\"global\",\"ts\":1,\"tid\":5,\"s\":\"g\"},{\"ph\":\"R\","
				      "\"name\":\"mark\",\"ts\":1,\"tid\":5}]");
	assert_event(t, "thread", "instant", 0, 0);
	assert_int_equal(track_of(t, "thread")->kind, TRACK_THREAD);
	assert_ptr_equal(track_of(t, "thread"), track_of(t, "old"));
	assert_ptr_equal(track_of(t, "thread"), track_of(t, "mark"));
	assert_int_equal(track_of(t, "global")->kind, TRACK_OTHER);
	trace_free(t);
}

static void names_may_come_last(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"pid\":4,\"tid\":5},"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4,\"tid\":5,\"args\":{\"name\":\"main\"}},"
		"{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":4,\"tid\":5,\"args\":{\"sort_index\":-3}},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4,\"args\":{\"name\":\"prog\"}},"
		"{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":4,\"args\":{\"labels\":\"L\"}},"
		"{\"ph\":\"M\",\"name\":\"num_cpus\",\"pid\":4,\"args\":{\"number\":4}},"
		"{\"ph\":\"M\",\"name\":\"fancy\",\"pid\":4,\"args\":{}}]");
	const struct track_info *x = track_of(t, "a");
	assert_string_equal(trace_str(t, x->name), "main");
	assert_int_equal(x->sort, -3);
	assert_string_equal(trace_str(t, trace_process(t, x->process)->name), "prog");
	assert_string_equal(trace_str(t, trace_process(t, x->process)->labels), "L");
	assert_string_equal(fact(t, "num_cpus"), "4");
	assert_int_equal(trace_notes(t)->merged, 5);
	assert_int_equal(noted(t, NOTE_METADATA_UNKNOWN), 1);
	trace_free(t);
}

static void other_phases_and_empty_entries_are_counted(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},{\"ph\":\"N\",\"id\":1},{\"ph\":\"S\","
				      "\"ts\":1},{},{\"name\":\"no phase\"}]");
	assert_int_equal(noted(t, NOTE_PHASE_OTHER), 2);
	assert_int_equal(noted(t, NOTE_EMPTY_ENTRY), 1);
	assert_int_equal(noted(t, NOTE_BAD_RECORD), 1);
	trace_free(t);
}

/* ---- texts and attributes ------------------------------------------------------------------------------------------ */

static void attributes_keep_what_was_written(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"cat\":\"c\",\"name\":\"a\",\"ts\":1,\"tts\":5,\"args\":{\"i\":-7,\"u\":"
		"18446744073709551615,"
		"\"z\":007,\"f\":1.10,\"e\":1E5,\"big\":123456789012345678901234567890,\"t\":true,\"n\":null,"
		"\"s\":\"x y\",\"a\":[1, 2],\"o\":{\"k\":[\n 1 ]},\"i\":8}}]");
	assert_attrs(t, "a",
		     "cat=c tts=5 i=-7 u=18446744073709551615 z=007 f=1.10 e=1E5 "
		     "big=123456789012345678901234567890 t=true n=null s=x y a=[1, 2] o={\"k\":[1]} i=8");
	trace_free(t);
}

static void escapes_are_resolved(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"\\\"\\\\\\/"
				      "\\u0041\\ud83d\\ude00\\n\",\"ts\":1,\"args\":{\"a\\tb\":\"\\u00fc\"}}]");
	assert_attrs(t, "\"\\/A\xf0\x9f\x98\x80\n", "a\tb=\xc3\xbc");
	assert_int_equal(noted(t, NOTE_BAD_ESCAPE), 0);
	trace_free(t);
}

static void bad_texts_are_repaired_and_told(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"name\":\"half\\ud800!\",\"ts\":1},{\"ph\":\"X\",\"name\":\"\\q\",\"ts\":1},"
		"{\"ph\":\"X\",\"name\":\"tab\there\",\"ts\":1},{\"ph\":\"X\",\"name\":\"\xff\",\"ts\":1}]");
	event_named(t, "half\xef\xbf\xbd!");
	event_named(t, "\\q");
	event_named(t, "tab\there");
	assert_int_equal(noted(t, NOTE_BAD_ESCAPE), 3);
	assert_int_equal(noted(t, NOTE_BAD_UTF8), 1);
	trace_free(t);
}

static void words_that_are_not_json_pass(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"args\":{\"bw\":inf,\"x\":-Infinity,\"y\":NaN,}},]");
	assert_attrs(t, "a", "bw=inf x=-Infinity y=NaN");
	assert_int_equal(noted(t, NOTE_NOT_STRICT_JSON), 5);
	trace_free(t);
}

/* More than a batch holds, and not one entry among them. */
static void commas_alone_are_passed_over_and_told(void **state)
{
	(void)state;
	static const char entry[] = "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1}]";
	char json[1001 + sizeof entry];
	memset(json, ',', sizeof json);
	json[0] = '[';
	memcpy(json + 1001, entry, sizeof entry);
	struct trace *t = chrome_read(json);
	event_named(t, "a");
	assert_int_equal(noted(t, NOTE_NOT_STRICT_JSON), 1000);
	trace_free(t);
}

/* ---- damage -------------------------------------------------------------------------------------------------------- */

/* As a whole, these args would go on to the end of the file. */
static void damaged_args_cost_their_entry_alone(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"args\":{[[[\"x\":1}},\n"
				      "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1},{\"ph\":\"X\",\"name\":\"c\",\"ts\":1}]");
	event_named(t, "b");
	event_named(t, "c");
	assert_int_equal(noted(t, NOTE_BAD_RECORD), 1);
	assert_int_equal(noted(t, NOTE_TRUNCATED), 0);
	trace_free(t);
}

static void a_cut_entry_is_lost_and_told(void **state)
{
	(void)state;
	struct trace *t = chrome_read(
		"{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},{\"ph\":\"X\",\"name\":\"b\",\"ts");
	assert_int_equal(trace_notes(t)->entries, 1);
	assert_int_equal(noted(t, NOTE_TRUNCATED), 1);
	assert_int_equal(trace_notes(t)->at[NOTE_TRUNCATED].first_at, 45);
	trace_free(t);
}

static void a_cut_between_entries_is_legal(void **state)
{
	(void)state;
	struct trace *t = chrome_read("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},\n");
	assert_int_equal(noted(t, NOTE_ARRAY_UNCLOSED), 1);
	assert_int_equal(notes_of(trace_notes(t), NOTE_LOST), 0);
	trace_free(t);
}

static void broken_entries_cost_only_themselves(void **state)
{
	(void)state;
	static const char *const broken[] = {
		"{\"ph\":\"X\",\"name\":\"say \"hello\" twice\",\"ts\":1,\"args\":{\"name\":1}}",
		"{\"ph\":\"X\",\"name\" \"colon\",\"ts\":1}",
		"{\"ph\":\"X\",\"args\":{\"grid\":[1,2,\"ts\":1}}",
		"{\"ph\":\"X\",\"args\":{\"a\":1,\"ts\":1",
		"nonsense",
		"17",
		"[{\"k\":1}]",
	};
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		char json[400];
		snprintf(json, sizeof json,
			 "[{\"ph\":\"X\",\"name\":\"before\",\"ts\":1},%s,{\"name\":\"after\",\"ph\":\"X\",\"ts\":2,"
			 "\"args\":{\"n\":3}}]",
			 broken[i]);
		struct trace *t = chrome_read(json);
		assert_event(t, "before", "other", 0, 0);
		assert_attrs(t, "after", "n=3");
		assert_int_equal(noted(t, NOTE_BAD_RECORD), 1);
		assert_int_equal(trace_notes(t)->at[NOTE_BAD_RECORD].first_at, 35);
		assert_int_equal(trace_notes(t)->entries, 3);
		trace_free(t);
	}
}

static void deep_nesting_is_refused_not_followed(void **state)
{
	(void)state;
	static char json[200000];
	size_t n = (size_t)sprintf(json, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},");
	while (n < sizeof json - 100)
		n += (size_t)sprintf(json + n, "{\"ph\":[");
	struct err e = {0};
	struct trace *t = chrome_read_bytes(json, n, "deep.json", 0, &e);
	assert_non_null(t);
	assert_event(t, "a", "other", 0, 0);
	trace_free(t);
}

static void json_that_is_no_trace_is_refused(void **state)
{
	(void)state;
	static const char *const others[][2] = {
		{"{\"name\":\"package\",\"version\":\"1\"}",
		 "JSON without trace events: no \"traceEvents\" and no event array"},
		{"[1,2,3]", "not one entry of this JSON array is a trace event"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct err e = {0};
		assert_null(chrome_read_bytes(others[i][0], strlen(others[i][0]), "x.json", 7, &e));
		assert_string_equal(e.msg, others[i][1]);
		assert_true(e.unreadable);
	}
}

static void every_cut_of_a_trace_is_sound(void **state)
{
	(void)state;
	static const char json[] =
		"{\"displayTimeUnit\":\"ns\",\"deviceProperties\":[{\"id\":0,\"name\":\"G\"}],\"traceEvents\":["
		"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\\u0041\",\"pid\":0,\"tid\":7,\"ts\":1.5,\"dur\":2,"
		"\"args\":{\"device\":0,\"stream\":7,"
		"\"grid\":[1,2,3]}},{\"ph\":\"B\",\"name\":\"b\",\"ts\":1},{\"ph\":\"E\",\"ts\":2},{\"ph\":\"s\","
		"\"id\":1,\"ts\":1},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"p\"}}],\"traceName\":\"t\"}";
	for (size_t cut = 0; cut <= sizeof json - 1; cut++) {
		struct err e = {0};
		struct trace *t = chrome_read_bytes(json, cut, "cut.json", 7, &e);
		if (t) /* entries and their fate balance: chrome_read_bytes asks */
			assert_true(trace_notes(t)->entries <= 5);
		else
			assert_true(e.unreadable);
		trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_an_array_and_lines_say_the_same),
		cmocka_unit_test(keys_come_in_any_order_and_numbers_may_be_texts),
		cmocka_unit_test(top_level_scalars_are_facts_but_not_secrets),
		cmocka_unit_test(sixteen_digits_and_a_fraction_are_exact),
		cmocka_unit_test(picoseconds_round_start_and_end),
		cmocka_unit_test(negative_times_are_times),
		cmocka_unit_test(the_clock_base_counts_wherever_it_stands),
		cmocka_unit_test(a_time_that_is_none_is_noted),
		cmocka_unit_test(begin_and_end_make_one_event),
		cmocka_unit_test(async_events_have_a_track_per_category),
		cmocka_unit_test(flows_bind_events),
		cmocka_unit_test(counters_have_a_track_per_series),
		cmocka_unit_test(instants_go_by_their_scope),
		cmocka_unit_test(names_may_come_last),
		cmocka_unit_test(other_phases_and_empty_entries_are_counted),
		cmocka_unit_test(attributes_keep_what_was_written),
		cmocka_unit_test(escapes_are_resolved),
		cmocka_unit_test(bad_texts_are_repaired_and_told),
		cmocka_unit_test(words_that_are_not_json_pass),
		cmocka_unit_test(commas_alone_are_passed_over_and_told),
		cmocka_unit_test(damaged_args_cost_their_entry_alone),
		cmocka_unit_test(a_cut_entry_is_lost_and_told),
		cmocka_unit_test(a_cut_between_entries_is_legal),
		cmocka_unit_test(broken_entries_cost_only_themselves),
		cmocka_unit_test(deep_nesting_is_refused_not_followed),
		cmocka_unit_test(json_that_is_no_trace_is_refused),
		cmocka_unit_test(every_cut_of_a_trace_is_sound),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is tied to an event: launches and their work, flows both ways, producers and consumers; each end once. */
#include "tests/unit/derive_trace.h"
#include "model/analysis/recorded/event_links.h"

static void arrow(struct build *b, uint64_t id, int64_t from_tid, double from_us, int64_t to_tid, double to_us)
{
	str_id category = build_text(b, "fwdbwd");
	ingest_notes(b->in)->entries += 2;
	ingest_flow(b->in, 's', build_thread(b, from_tid), category, id, US(from_us), true, -1);
	ingest_flow(b->in, 'f', build_thread(b, to_tid), category, id, US(to_us), true, -1);
}

static void produces(struct build *b, const char *name, double at_us, int64_t produced, int64_t consumed)
{
	struct host_info h;
	host_info_init(&h);
	if (produced >= 0) {
		h.producer_type = 1;
		h.producer_id = (uint64_t)produced;
	}
	if (consumed >= 0) {
		h.consumer_type = 1;
		h.consumer_id = (uint64_t)consumed;
	}
	fact_event(b, 3, name, at_us, 1, &h);
}

/* "work kernel_a, flow to backward", in the order told; *n: how many there are. */
static const char *links_of(const struct trace *t, const struct event_links *x, const char *name, uint32_t room,
			    uint32_t *n)
{
	static char text[512];
	struct event_link links[16];
	*n = event_links_of(x, t, row_named(t, name), links, room);
	text[0] = 0;
	for (uint32_t i = 0; i < *n && i < room; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", i ? ", " : "",
			 link_kind_name(links[i].kind), trace_str(t, trace_columns(t)->name[links[i].row]));
	return text;
}

static void each_end_is_told_once(void **state)
{
	(void)state;
	uint32_t n;
	struct build b = build_new("chrome");
	op(&b, 1, "forward", 0, 10);
	op(&b, 2, "backward", 50, 10);
	op(&b, 2, "again", 70, 10);
	arrow(&b, 1, 1, 1, 2, 51);
	arrow(&b, 2, 1, 2, 2, 71);
	arrow(&b, 3, 1, 3, 2, 71); /* the same two once more */
	launch(&b, 1, 20, 5, 9);
	kernel(&b, 0, 7, "first", 30, 5, 9);
	kernel(&b, 0, 7, "second", 40, 5, 9);
	produces(&b, "makes", 100, 5, -1);
	produces(&b, "takes", 110, -1, 5);
	produces(&b, "takes too", 120, 6, 5);
	struct derived *d = derive(&b);
	const struct trace *t = derived_trace(d);
	struct event_links *x = event_links_new(t, NULL);
	assert_string_equal(links_of(t, x, "forward", 16, &n), "flow to backward, flow to again");
	assert_string_equal(links_of(t, x, "again", 16, &n), "flow from forward");
	assert_string_equal(links_of(t, x, "second", 16, &n), "launch cudaLaunchKernel");
	assert_string_equal(links_of(t, x, "cudaLaunchKernel", 16, &n), "work first, work second");
	assert_string_equal(links_of(t, x, "makes", 16, &n), "consumer takes, consumer takes too");
	assert_string_equal(links_of(t, x, "takes too", 16, &n), "producer makes");
	/* without the index, and with less room than there is */
	assert_string_equal(links_of(t, NULL, "forward", 16, &n), "");
	assert_string_equal(links_of(t, NULL, "cudaLaunchKernel", 1, &n), "work first");
	assert_int_equal(n, 2);
	assert_string_equal(links_of(t, x, "makes", 1, &n), "consumer takes");
	assert_int_equal(n, 2);
	event_links_free(x);
	struct progress p = {.cancel = true};
	assert_null(event_links_new(t, &p));
	derived_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_end_is_told_once)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

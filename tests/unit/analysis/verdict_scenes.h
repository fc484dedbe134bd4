/* tests/unit/analysis/verdict_scenes.h - the verdict on the gap of a scene, and situations that several tests of verdicts begin with. */
#ifndef VERDICT_SCENES_H
#define VERDICT_SCENES_H
#include "model/analysis/gaps/gap_groups.h"
#include "model/analysis/rules/cause_rules.h"
#include "tests/unit/ask.h"
#include "tests/unit/scenes.h"

/* The scene's gap lies in [202, 262) ms, before step 9; its work is launched at 261.5. */
static inline struct gap_verdict verdict_on(const struct derived *d)
{
	struct gap_verdict v;
	const struct gap *g = derived_gap_ranked(d, 0, INT64_MIN, INT64_MAX);
	assert_non_null(g);
	gap_verdict_of(d, g, &v);
	assert_true(v.lost_ns == UNKNOWN_I64 || v.lost_ns <= g->dur_ns);
	assert_true(v.confidence >= 0 && v.confidence <= 1);
	return v;
}
static inline struct gap_verdict judge(struct build *b)
{
	struct derived *d = derive(b);
	struct gap_verdict v = verdict_on(d);
	derived_free(d);
	return v;
}
#define assert_verdict(v, expected) assert_string_equal(cause_word((v).cause), cause_word(expected))

static inline struct build threads_busy(int n, enum event_kind kind, const char *name)
{
	struct build b = scene_gap();
	for (int i = 0; i < n; i++)
		host_event(&b, kind, 10 + i, name, 203 * MILLI, 55 * MILLI);
	return b;
}

/* 300 us between two kernels; a call around the end of the first one. */
static inline struct build short_gap(const char *call, const char *op_before)
{
	struct build b = build_new("chrome");
	launch(&b, 1, 0, 5, 1);
	kernel(&b, 0, 7, "a", 10, 990, 1);
	if (op_before)
		op(&b, 1, op_before, 20, 10);
	if (call)
		host_event(&b, KIND_OP, 1, call, 100, 910);
	launch(&b, 1, 1290, 5, 2);
	kernel(&b, 0, 7, "b", 1300, 100, 2);
	return b;
}

/* What a live capture draws where its ring was full. */
static inline void lose(struct build *b, double from_ms, double to_ms)
{
	uint32_t track = ingest_track(b->in, TRACK_STREAM_LANE, ingest_device(b->in, b->host, 0), -1,
				      build_text(b, "lost records"));
	struct event_in e = build_event(b, KIND_OVERHEAD, track, "lost records: 812 kernel", from_ms * MILLI,
					(to_ms - from_ms) * MILLI);
	build_add(b, &e);
	notes_add(ingest_notes(b->in), NOTE_PRODUCER_DROPPED, -1, 812);
}

#endif

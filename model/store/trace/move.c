/* model/store/trace/move.c - times of hosts moved against each other, and what the program itself adds to what files say. */
#include "trace_private.h"
#include "model/store/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t moved(const struct host_move *m, int64_t ns)
{
	return ns - m->off_ns - llround(m->drift * (double)(ns - m->from_ns));
}

static void move_track(struct trace *t, const struct trace_track *x, const struct host_move *m)
{
	for (uint64_t r = x->info.first; r < x->info.first + x->info.n; r++) {
		/* both ends by one rule that keeps their order: what was nested stays nested */
		int64_t end_ns = moved(m, row_end(t, (row_id)r));
		t->start_ns[r] = moved(m, t->start_ns[r]);
		t->dur_ns[r] = end_ns - t->start_ns[r];
	}
	for (uint64_t i = x->first_sample; i < x->first_sample + x->n_samples; i++)
		t->samples[i].ts_ns = moved(m, t->samples[i].ts_ns);
}

void trace_settle_base(struct trace *t)
{
	int64_t first = t->c.n ? INT64_MAX : 0, last = 0;
	for (uint64_t r = 0; r < t->c.n; r++)
		first = t->start_ns[r] < first ? t->start_ns[r] : first;
	for (uint64_t r = 0; r < t->c.n; r++) {
		t->start_ns[r] -= first;
		last = row_end(t, (row_id)r) > last ? row_end(t, (row_id)r) : last;
	}
	for (uint32_t i = 0; i < t->n_tracks; i++)
		for (uint64_t k = 0; k < t->tracks[i].n_samples; k++)
			t->samples[t->tracks[i].first_sample + k].ts_ns -= first;
	t->base_ns += first;
	t->span_ns = last;
	if (t->epoch_ns != UNKNOWN_I64)
		t->epoch_ns += first;
}

/* What is read while drawing is of the old times. */
static bool index_again(struct trace *t)
{
	for (int i = 0; i < MAX_LEVELS; i++) {
		free(t->longest[i]);
		t->longest[i] = NULL;
	}
	for (int i = 0; i < SKIP_LEVELS; i++) {
		free(t->skip[i]);
		t->skip[i] = NULL;
	}
	free(t->disp_rows);
	free(t->by_disp);
	free(t->sum_before);
	free(t->reached);
	t->reached = NULL;
	t->disp_rows = NULL;
	t->by_disp = NULL;
	t->sum_before = NULL;
	return seal_display(t, &(struct helpers){.threads = 1}) && seal_skip(t);
}

bool trace_move_hosts(struct trace *t, const struct host_move *by_host, struct err *e)
{
	for (uint32_t i = 0; i < t->n_hosts; i++)
		if (by_host[i].off_ns > HOST_MOVE_MOST_NS || by_host[i].off_ns < -HOST_MOVE_MOST_NS)
			return err_usage(e, "a clock is moved by three years at most");
	for (uint32_t i = 0; i < t->n_tracks; i++)
		move_track(t, &t->tracks[i], &by_host[t->tracks[i].info.host]);
	trace_settle_base(t);
	return index_again(t) || err_memory(e, NULL);
}

void trace_set_fact(struct trace *t, const char *key, const char *value)
{
	for (uint32_t i = 0; i < t->n_facts; i++)
		if (!strcmp(t->facts[i].key, key)) {
			free(t->facts[i].value);
			t->facts[i].value = must(strdup(value));
			return;
		}
	t->facts = must(realloc(t->facts, (t->n_facts + 1) * sizeof *t->facts));
	t->facts[t->n_facts++] = (struct fact){must(strdup(key)), must(strdup(value))};
}

void trace_note(struct trace *t, enum note_id note)
{
	if (!t->notes.at[note].count)
		notes_add_sealed(&t->notes, note, 1);
}

#include "identities.h"
#include <stdlib.h>
#include <string.h>
#include "importers/number.h"
#include "model/store/base/memory.h"
#include "model/store/base/grow.h"

/* Ids made for texts start here: far from any real process or thread id. */
static const int64_t text_id_base = INT64_C(1) << 52;

void identities_init(struct identities *w, struct ingest *in, uint32_t host)
{
	*w = (struct identities){.in = in, .host = host, .last = NONE_ID};
	w->text_ids = must(strings_new());
}

void identities_free(struct identities *w)
{
	free(w->procs);
	free(w->idents);
	row_index_free(&w->index);
	row_index_free(&w->proc_index);
	free(w->devices);
	free(w->numbers);
	strings_free(w->text_ids);
}

/* The number of an id; a text that is no number gets a made one and is remembered in *text. The made one does not depend on
 * what else was met: it is part of what users see. */
static int64_t id_number(struct identities *w, const struct value *v, str_id *text)
{
	int64_t i;
	struct fine_time whole;
	*text = 0;
	if (v->type == VALUE_NUM && (v->flags & NUMBER_READ) && v->places == 0)
		return (int64_t)v->whole;
	if (v->type == VALUE_NONE || v->type == VALUE_NULL)
		return 0;
	if (number_int(v->p, v->n, &i))
		return i;
	if (v->type == VALUE_NUM && number_us(v->p, v->n, &whole) == NUMBER_OK && whole.ps == 0 && whole.ns % 1000 == 0)
		return whole.ns / 1000;
	*text = strings_add(ingest_strings(w->in), v->p, v->n);
	return text_id_base + strings_add(w->text_ids, v->p, v->n);
}

/* ROW_INDEX_ABSENT when there is none. */
static uint32_t find_ident(const struct identities *w, const struct identity_key *key)
{
	return row_index_find(&w->index, w->idents, sizeof *w->idents, key, sizeof *key,
			      row_index_hash(key, sizeof *key));
}

static struct identity *add_ident(struct identities *w, const struct identity_key *key)
{
	GROW_ARRAY(w->idents, w->n_idents, w->cap_idents);
	struct identity *x = &w->idents[w->n_idents++];
	*x = (struct identity){.id = *key,
			       .sort = UNKNOWN_I64,
			       .stream = UNKNOWN_I64,
			       .same_as = NONE_ID,
			       .host_track = NONE_ID,
			       .stream_track = NONE_ID,
			       .lane_track = NONE_ID,
			       .last_track = NONE_ID};
	if (!row_index_add(&w->index, row_index_hash(key, sizeof *key), w->n_idents - 1))
		memory_exhausted();
	return x;
}

static uint32_t proc_of(struct identities *w, int64_t id, str_id text)
{
	uint32_t hash = row_index_hash(&id, sizeof id),
		 found = row_index_find(&w->proc_index, w->procs, sizeof *w->procs, &id, sizeof id, hash);
	if (found != ROW_INDEX_ABSENT)
		return found;
	GROW_ARRAY(w->procs, w->n_procs, w->cap_procs);
	w->procs[w->n_procs] = (struct proc){.id = id, .pid = id, .text = text, .process = NONE_ID, .host = w->host};
	if (!row_index_add(&w->proc_index, hash, w->n_procs))
		memory_exhausted();
	return w->n_procs++;
}

static uint32_t new_ident(struct identities *w, const struct identity_key *key, str_id pid_text, str_id tid_text)
{
	uint32_t proc = proc_of(w, key->pid, pid_text);
	struct identity *x = add_ident(w, key);
	struct span s = strings_get(ingest_strings(w->in), tid_text);
	x->proc = proc;
	x->text = tid_text;
	x->is_stream = s.n && stream_name_parse(s.p, s.n, &x->stream, &x->compute);
	return w->n_idents - 1;
}

uint32_t identities_find(struct identities *w, const struct value *pid_value, const struct value *tid_value)
{
	str_id pid_text, tid_text;
	struct identity_key key;
	key.pid = id_number(w, pid_value, &pid_text);
	key.tid = id_number(w, tid_value, &tid_text);
	/* neighbours in a file are mostly of one thread */
	if (w->last != NONE_ID && w->idents[w->last].id.pid == key.pid && w->idents[w->last].id.tid == key.tid)
		return w->last;
	uint32_t found = find_ident(w, &key);
	if (found == ROW_INDEX_ABSENT)
		found = new_ident(w, &key, pid_text, tid_text);
	w->last = w->idents[found].same_as != NONE_ID ? w->idents[found].same_as : found;
	return w->last;
}

void identity_set_same_as(struct identities *w, uint32_t ident, int64_t tid)
{
	const struct identity_key key = {w->idents[ident].id.pid, tid};
	uint32_t other = find_ident(w, &key);
	if (other == ROW_INDEX_ABSENT)
		other = new_ident(w, &key, 0, 0);
	if (other != ident && w->idents[other].same_as == NONE_ID)
		w->idents[ident].same_as = other;
	w->last = NONE_ID; /* it would be found without that */
}

/* The ingest's process of the identity. */
static uint32_t identity_process(struct identities *w, uint32_t ident)
{
	struct proc *p = identity_proc(w, ident);
	bool calls = p->parsed.role == ROLE_ASCEND_CALLS && !p->text;
	if (p->process == NONE_ID)
		p->process = ingest_process(w->in, p->host, calls ? ascend_process_of_calls(p->pid) : p->pid);
	return p->process;
}

uint32_t identity_host_track(struct identities *w, uint32_t ident)
{
	struct identity *x = identity_at(w, ident);
	if (x->host_track == NONE_ID) {
		x->host_track = ingest_track(w->in, x->lane ? TRACK_OTHER : TRACK_THREAD, identity_process(w, ident),
					     x->id.tid, x->lane);
		ingest_track_info(w->in, x->host_track)->derived_by_producer = x->lane && x->lane_derived;
	}
	return x->host_track;
}

bool identities_have_device(const struct identities *w, int64_t ordinal)
{
	for (uint32_t i = 0; i < w->n_devices; i++)
		if (w->devices[i] == ordinal)
			return true;
	return false;
}

uint32_t identities_device(const struct identities *w, int64_t number)
{
	for (uint32_t i = 0; i < w->n_numbers; i++)
		if (w->numbers[i].number == number)
			return ingest_device(w->in, w->numbers[i].host, w->numbers[i].ordinal);
	return ingest_device(w->in, w->host, number);
}

static uint32_t device_of(struct identities *w, int64_t ordinal)
{
	if (!identities_have_device(w, ordinal)) {
		GROW_ARRAY(w->devices, w->n_devices, w->cap_devices);
		w->devices[w->n_devices++] = ordinal;
	}
	return identities_device(w, ordinal);
}

uint32_t identity_stream_track(struct identities *w, uint32_t ident, int64_t device, int64_t stream)
{
	struct identity *x = identity_at(w, ident);
	if (x->last_track == NONE_ID || x->last_device != device || x->last_stream != stream) {
		x->last_device = device;
		x->last_stream = stream;
		x->last_track = ingest_track(w->in, TRACK_STREAM, device_of(w, device), stream, 0);
	}
	/* arrows of this identity go to the stream it used last */
	x->stream_track = x->last_track;
	return x->last_track;
}

uint32_t identities_lane(struct identities *w, int64_t device, int64_t key, const char *lane, bool derived)
{
	uint32_t owner = device_of(w, device);
	str_id name = strings_addz(ingest_strings(w->in), lane);
	uint32_t track = ingest_track(w->in, TRACK_STREAM_LANE, owner, key, name);
	struct track_info *t = ingest_track_info(w->in, track);
	t->name = name;
	t->derived_by_producer = derived;
	return track;
}

uint32_t identity_side_track(struct identities *w, uint32_t ident, enum track_kind kind, int64_t key, str_id lane)
{
	return ingest_track(w->in, kind, identity_process(w, ident), key, lane);
}

void identity_set_thread_name(struct identities *w, uint32_t ident, struct span name)
{
	struct identity *x = identity_at(w, ident);
	x->name = strings_add(ingest_strings(w->in), name.p, name.n);
	/* the id itself may have said so already ("stream 7"): a name that says less changes nothing */
	if (!x->is_stream)
		x->is_stream = stream_name_parse(name.p, name.n, &x->stream, &x->compute);
}

/* The first one told is the host of the file, which is known by the file's name only. */
static uint32_t host_of(struct identities *w, struct span name, int32_t rank)
{
	str_id id = strings_add(ingest_strings(w->in), name.p, name.n);
	if (w->host_told)
		return ingest_host(w->in, strings_z(ingest_strings(w->in), id), rank);
	struct host *own = ingest_host_info(w->in, w->host);
	own->name = id;
	own->rank = rank;
	w->host_told = true;
	return w->host;
}

void identity_set_host(struct identities *w, uint32_t ident, struct span host, int32_t rank, int64_t ordinal)
{
	struct proc *p = identity_proc(w, ident);
	uint32_t on = host_of(w, host, rank);
	if (ordinal < 0) {
		p->host = on;
		return;
	}
	GROW_ARRAY(w->numbers, w->n_numbers, w->cap_numbers);
	w->numbers[w->n_numbers++] = (struct device_number){p->pid, ordinal, on};
}

void identity_hide_pid(struct identities *w, uint32_t ident)
{
	struct proc *p = identity_proc(w, ident);
	p->pid = p->pid >= 0 && p->pid < text_id_base ? text_id_base + p->pid : p->pid;
}

void identity_set_pid(struct identities *w, uint32_t ident, int64_t pid)
{
	identity_proc(w, ident)->pid = pid;
}

void identity_set_process_name(struct identities *w, uint32_t ident, struct span name)
{
	struct proc *p = identity_proc(w, ident);
	p->name = strings_add(ingest_strings(w->in), name.p, name.n);
	p->parsed = process_name_parse(name.p, name.n);
}

/* "stream 7 " says no more than the key does. */
static bool worth_telling(const struct identity *x, struct span name)
{
	bool compute;
	int64_t stream;
	return !stream_name_parse(name.p, name.n, &stream, &compute) || memchr(name.p, '(', name.n) ||
	       stream != x->id.tid;
}

static void name_tracks(struct identities *w, const struct identity *x)
{
	str_id name = x->name ? x->name : x->text;
	struct span s = strings_get(ingest_strings(w->in), x->name);
	if (x->host_track != NONE_ID && !(x->is_stream && x->stream_track != NONE_ID)) {
		struct track_info *t = ingest_track_info(w->in, x->host_track);
		t->name = name;
		t->sort = x->sort;
	}
	if (x->stream_track != NONE_ID && x->is_stream) {
		struct track_info *t = ingest_track_info(w->in, x->stream_track);
		t->name = x->name && worth_telling(x, s) ? x->name : t->name;
		t->sort = x->sort;
	}
}

void identities_apply_names(struct identities *w)
{
	for (uint32_t i = 0; i < w->n_procs; i++) {
		const struct proc *p = &w->procs[i];
		if (p->process == NONE_ID)
			continue;
		struct process *info = ingest_process_info(w->in, p->process);
		/* a layer of a process that has its own name */
		if (p->parsed.role == ROLE_ASCEND_CALLS && info->name)
			continue;
		info->name = p->name ? p->name : p->text;
		info->labels = p->labels;
	}
	for (uint32_t i = 0; i < w->n_idents; i++)
		name_tracks(w, &w->idents[i]);
}

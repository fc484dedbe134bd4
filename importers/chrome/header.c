/* importers/chrome/header.c - the members beside the event array: facts about the capture, its devices, its rank.
 * Only scalars become facts, and none whose key suggests a secret: published traces hold valid access tokens. */
#include "chrome.h"
#include "model/store/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACT_BYTES = 256 };

static bool is(const char *key, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(key, word, n) == 0;
}

/* The second is what the first releases of Kineto wrote. */
static bool is_devices(const char *key, size_t n)
{
	return is(key, n, "deviceProperties") || is(key, n, "computeProperties");
}

bool header_wants(const char *key, size_t n)
{
	return is_devices(key, n) || is(key, n, "distributedInfo");
}

static bool secret(const char *key)
{
	static const char *const words[] = {"token", "secret", "passw", "credential", "auth", "api_key", "apikey"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcasestr(key, words[i]))
			return true;
	return false;
}

static void text_copy(char *out, size_t room, const char *p, size_t n)
{
	n = n < room ? n : room - 1;
	memcpy(out, p, n);
	out[n] = 0;
}

static void scalar_fact(struct chrome *c, const char *name, const struct value *v)
{
	char text[FACT_BYTES];
	if (v->type == VALUE_OBJ || v->type == VALUE_ARR || v->type == VALUE_NULL || secret(name))
		return;
	struct span s = v->type == VALUE_STR ? reader_text(&c->reader, v) : (struct span){v->p, v->n};
	text_copy(text, sizeof text, s.p, s.n);
	ingest_fact(c->in, name, text);
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

/* Kineto: time stamps count from here, so they become wall-clock time. Tools that rewrite a trace may put it last. */
static void base_time(struct chrome *c, const struct value *v)
{
	int64_t ns;
	if (!value_int(v, &ns) || ns < 0 || ns > INT64_MAX / 4) {
		notes_add(c->notes, NOTE_VALUE_ABSURD, -1, 1);
		return;
	}
	/* entries that came before it are in the trace already: they are moved when the file has been read */
	if (c->notes->entries > c->entries_before)
		c->trailing_base_ns = ns;
	else
		c->base_ns = ns;
	ingest_epoch(c->in, 0);
}

/* clang: wall clock of time 0, in microseconds. */
static void beginning_of_time(struct chrome *c, const struct value *v)
{
	int64_t us;
	if (!value_int(v, &us) || us < 0 || us > INT64_MAX / 1000)
		return;
	ingest_epoch(c->in, us * 1000);
}

/* ---- recorder --------------------------------------------------------------------------------------------------- */

/* Our exports of what was recorded from outside of the framework say so: what it promises is promised again. */
static void recorded_by(struct chrome *c, const struct value *v)
{
	c->nsys = v->type == VALUE_STR && is(v->p, v->n, PRODUCER_NSYS);
	if (c->nsys)
		ingest_promise(c->in, SOURCE_PROFILER | SOURCE_OUTSIDE, PRODUCER_NSYS);
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */

static int64_t int_or_unknown(const struct value *v)
{
	int64_t i;
	return value_int(v, &i) ? i : UNKNOWN_I64;
}

static void device_member(struct chrome *c, struct device_properties *d, const struct value *key, const struct value *v)
{
	struct value name = *key;
	if (is(name.p, name.n, "id"))
		d->ordinal = int_or_unknown(v);
	else if (is(name.p, name.n, "name") && v->type == VALUE_STR)
		d->name = strings_add(c->strings, v->p, v->n);
	else if (is(name.p, name.n, "vendor") && v->type == VALUE_STR)
		d->vendor = strings_add(c->strings, v->p, v->n);
	else if (is(name.p, name.n, "computeMajor") || is(name.p, name.n, "major"))
		d->cc_major = int_or_unknown(v);
	else if (is(name.p, name.n, "computeMinor") || is(name.p, name.n, "minor"))
		d->cc_minor = int_or_unknown(v);
	else if (is(name.p, name.n, "numSms") || is(name.p, name.n, "multiProcessorCount"))
		d->sms = int_or_unknown(v);
	else if (is(name.p, name.n, "totalGlobalMem"))
		d->memory_bytes = int_or_unknown(v);
	else if (is(name.p, name.n, "clockRate"))
		d->clock_khz = int_or_unknown(v);
	else if (is(name.p, name.n, "without_work")) {
		d->without_work = v->type == VALUE_TRUE;
		return;
	}
	record_attr(&c->reader, strings_add(c->strings, key->p, key->n), v);
}

static void one_device(struct chrome *c, const struct value *object)
{
	c->devices = must(realloc(c->devices, (c->n_devices + 1) * sizeof *c->devices));
	struct value key, v;
	const char *p = object->p;
	struct device_properties *d = &c->devices[c->n_devices++];
	*d = (struct device_properties){.ordinal = (int64_t)c->n_devices - 1,
					.cc_major = UNKNOWN_I64,
					.cc_minor = UNKNOWN_I64,
					.sms = UNKNOWN_I64,
					.memory_bytes = UNKNOWN_I64,
					.clock_khz = UNKNOWN_I64};
	reader_attrs_begin(&c->reader, 0);
	while (object_next(&p, object->p + object->n, &key, &v))
		device_member(c, d, &key, &v);
	d->attrs = reader_attrs_end(&c->reader);
}

static void device_properties(struct chrome *c, const struct value *v)
{
	struct value object;
	const char *p = v->p;
	if (v->type != VALUE_ARR)
		return;
	while (c->n_devices < MAX_DEVICE_PROPERTIES && array_next(&p, v->p + v->n, &object))
		if (object.type == VALUE_OBJ)
			one_device(c, &object);
}

static const char *vendor_of(const struct chrome *c, struct span name)
{
	char text[128];
	text_copy(text, sizeof text, name.p, name.n);
	if (c->saw_amd || strcasestr(text, "AMD") || strcasestr(text, "Instinct") || strcasestr(text, "Radeon"))
		return "AMD";
	if (c->saw_cuda || strcasestr(text, "NVIDIA") || strcasestr(text, "Tesla") || strcasestr(text, "GeForce"))
		return "Nvidia";
	return NULL;
}

/* Only devices that did something are part of the trace, as a rank lists all of its machine; and those that our exports call so. */
static void describe_device(struct chrome *c, const struct device_properties *d)
{
	if (!d->without_work && !identities_have_device(&c->identities, d->ordinal))
		return;
	struct device *out = ingest_device_info(c->in, identities_device(&c->identities, d->ordinal));
	out->name = d->name;
	out->vendor = d->vendor ? d->vendor : strings_addz(c->strings, vendor_of(c, strings_get(c->strings, d->name)));
	out->cc_major = d->cc_major;
	out->cc_minor = d->cc_minor;
	out->sms = d->sms;
	out->memory_bytes = d->memory_bytes;
	out->clock_khz = d->clock_khz;
	out->attrs = d->attrs;
}

static void tell_vendor(struct chrome *c, int64_t ordinal)
{
	struct device *out = ingest_device_info(c->in, ingest_device(c->in, c->host, ordinal));
	if (!out->vendor)
		out->vendor = strings_addz(c->strings, c->accelerator);
	if (!out->name && strcmp(c->accelerator, ASCEND) == 0)
		out->name = strings_addz(c->strings, "NPU");
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void distributed(struct chrome *c, const struct value *v)
{
	struct value key, x;
	const char *p = v->p;
	char name[64];
	int64_t rank;
	while (v->type == VALUE_OBJ && object_next(&p, v->p + v->n, &key, &x)) {
		if (is(key.p, key.n, "rank") && value_int(&x, &rank) && rank >= 0 && rank <= INT32_MAX)
			ingest_host_info(c->in, c->host)->rank = (int32_t)rank;
		else if (key.n < sizeof name) {
			text_copy(name, sizeof name, key.p, key.n);
			scalar_fact(c, name, &x);
		}
	}
}

void header_member(struct chrome *c, const char *key, size_t n, const struct value *v)
{
	char name[64];
	text_copy(name, sizeof name, key, n);
	if (is_devices(key, n))
		device_properties(c, v);
	else if (is(key, n, "distributedInfo"))
		distributed(c, v);
	else if (is(key, n, "baseTimeNanoseconds"))
		base_time(c, v);
	else if (is(key, n, "beginningOfTime"))
		beginning_of_time(c, v);
	else if (is(key, n, "recordedBy"))
		recorded_by(c, v);
	c->saw_paddle |= is(key, n, "span_indx") || is(key, n, "SpanNumber");
	c->saw_amd |= strncmp(name, "hip_", 4) == 0 || strncmp(name, "roctracer", 9) == 0;
	c->saw_cuda |= strncmp(name, "cu", 2) == 0;
	scalar_fact(c, name, v);
	reader_note_faults(&c->reader, -1);
}

void header_finish(struct chrome *c)
{
	if (c->trailing_base_ns && !ingest_shift_source(c->in, c->trailing_base_ns))
		notes_add(c->notes, NOTE_VALUE_ABSURD, -1, 1);
	for (size_t i = 0; i < c->n_devices; i++)
		describe_device(c, &c->devices[i]);
	for (uint32_t i = 0; c->accelerator && i < c->identities.n_devices; i++)
		tell_vendor(c, c->identities.devices[i]);
	if (*c->unknown_categories)
		ingest_fact(c->in, "unknown_device_categories", c->unknown_categories);
	if (c->nsys)
		ingest_fact(c->in, "producer", PRODUCER_NSYS);
	else if (c->accelerator && strcmp(c->accelerator, ASCEND) == 0)
		ingest_fact(c->in, "producer", "Ascend profiler (torch_npu, msprof)");
	else if (c->saw_paddle)
		ingest_fact(c->in, "producer", "PaddlePaddle profiler");
	else if (c->saw_kineto)
		ingest_fact(c->in, "producer", "PyTorch profiler (Kineto)");
	else if (c->saw_tf)
		ingest_fact(c->in, "producer", "TensorFlow / JAX");
	else if (c->saw_rocprof)
		ingest_fact(c->in, "producer", PRODUCER_OF_OWN_WORDS);
}

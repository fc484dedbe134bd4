/* What device work is, from its name and details, and from that what each stream is for. */
#include "derived_data.h"
#include "model/analysis/rules/family_rules.h"
#include "model/store/base/grow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* name_class: low bits = enum copy_kind that the name says (COPY_UNKNOWN = none) */
enum { CLASS_COPY = 0x0f, CLASS_COLLECTIVE = 0x40, CLASS_KNOWN = 0x80 };

/* Spellings of all producers, compared without case: "Memcpy HtoD (...)", "MemcpyH2D", "MemcpyHToD", "CopyHostToDevice". */
static const struct {
	const char *text;
	enum copy_kind kind;
} directions[] = {
	{"htod", COPY_H2D}, {"h2d", COPY_H2D}, {"hosttodevice", COPY_H2D},
	{"dtoh", COPY_D2H}, {"d2h", COPY_D2H}, {"devicetohost", COPY_D2H},
	{"dtod", COPY_D2D}, {"d2d", COPY_D2D}, {"devicetodevice", COPY_D2D},
	{"ptop", COPY_P2P}, {"p2p", COPY_P2P}, {"peertopeer", COPY_P2P},
	{"htoh", COPY_H2H}, {"h2h", COPY_H2H}, {"hosttohost", COPY_H2H},
};

static bool names_copy(const char *name)
{
	static const char *const prefixes[] = {"memcpy", "[CUDA memcpy", "hipMemcpy", "CopyHostTo", "CopyDeviceTo"};
	if (!strchr("mM[hHcC", name[0])) /* most names */
		return false;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncasecmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static enum copy_kind copy_of_name(const char *name)
{
	for (size_t i = 0; names_copy(name) && i < sizeof directions / sizeof *directions; i++)
		if (strcasestr(name, directions[i].text))
			return directions[i].kind;
	return COPY_UNKNOWN;
}

static void classify(struct derived *d, str_id name)
{
	const char *text = trace_str(d->pub.t, name);
	GROW_ZEROED(d->kernel_facts, name, d->n_kernel_facts);
	struct kernel_facts *facts = &d->kernel_facts[name];
	*facts = kernel_facts_ask(d->rules, text);
	d->any_collective |= facts->collective;
	d->name_class[name] = (uint8_t)(CLASS_KNOWN | copy_of_name(text) | (facts->collective ? CLASS_COLLECTIVE : 0));
}

static void classify_all(struct derived *d)
{
	const struct columns *c = d->pub.c;
	size_t n = strings_count(trace_strings(d->pub.t)) + (size_t)1;
	d->name_class = must(calloc(n, 1));
	d->families = family_answers_new((uint32_t)n);
	for (row_id r = 0; r < c->n; r++)
		/* a text is classified once, however many rows have it */
		if (row_is_work(c, r) && !d->name_class[c->name[r]])
			classify(d, c->name[r]);
}

void names_need(struct derived *d)
{
	if (atomic_load(&d->names_known))
		return;
	pthread_mutex_lock(&d->lazy_lock);
	if (!atomic_load(&d->names_known))
		classify_all(d);
	atomic_store(&d->names_known, true);
	pthread_mutex_unlock(&d->lazy_lock);
}

bool derived_any_collective(const struct derived *d)
{
	return d->any_collective;
}

bool derived_is_collective(const struct derived *d, row_id r)
{
	enum event_kind k = d->pub.c->kind[r];
	return (k == KIND_KERNEL || k == KIND_DEVICE_OTHER) && d->name_class[d->pub.c->name[r]] & CLASS_COLLECTIVE;
}

enum copy_kind derived_copy_kind(const struct derived *d, row_id r)
{
	enum event_kind k = d->pub.c->kind[r];
	if (k == KIND_MEMSET)
		return COPY_MEMSET;
	if (!kind_is_work(k))
		return COPY_UNKNOWN;
	const struct copy_info *info = k == KIND_COPY ? trace_copy(d->pub.t, r) : NULL;
	/* details know the direction, names may not */
	if (info && info->kind != COPY_UNKNOWN)
		return info->kind;
	return d->name_class[d->pub.c->name[r]] & CLASS_COPY;
}

/* ---- streams ---------------------------------------------------------------------------------------------------- */

uint32_t work_role(const struct derived *d, row_id r)
{
	static const uint8_t of_copy[COPY_KINDS] = {[COPY_H2D] = ROLE_H2D,
						    [COPY_D2H] = ROLE_D2H,
						    [COPY_D2D] = ROLE_D2D,
						    [COPY_P2P] = ROLE_D2D,
						    [COPY_MEMSET] = ROLE_MEMSET};
	/* most work */
	uint8_t class = d->name_class[d->pub.c->name[r]];
	if (d->pub.c->kind[r] == KIND_KERNEL && (class & CLASS_COPY) == COPY_UNKNOWN)
		return class & CLASS_COLLECTIVE ? ROLE_COLLECTIVE : ROLE_COMPUTE;
	enum copy_kind copy = derived_copy_kind(d, r);
	if (copy != COPY_UNKNOWN || d->pub.c->kind[r] == KIND_COPY)
		return of_copy[copy];
	return derived_is_collective(d, r) ? ROLE_COLLECTIVE : ROLE_COMPUTE;
}

enum { ROLE_BITS = 6 };
/* A sort of work belongs to a stream's role from 1 % of the stream's events or of its time on: one stray scalar copy among
 * a thousand kernels does not make a compute stream a copy stream. */
static uint8_t role_of_stream(const struct derived *d, const struct track_info *k)
{
	int64_t time_ns[ROLE_BITS] = {0}, count[ROLE_BITS] = {0}, all_ns = 0, all = 0;
	for (row_id r = (row_id)k->first; r < k->first + k->n; r++) {
		uint32_t role = row_is_work(d->pub.c, r) ? work_role(d, r) : 0;
		if (!role)
			continue;
		int bit = __builtin_ctz(role);
		time_ns[bit] += d->pub.c->dur_ns[r];
		all_ns += d->pub.c->dur_ns[r];
		count[bit]++;
		all++;
	}
	uint8_t roles = 0;
	for (int i = 0; i < ROLE_BITS; i++)
		if (count[i] && (count[i] * 100 >= all || time_ns[i] >= all_ns / 100))
			roles |= (uint8_t)(1u << i);
	return roles;
}

void roles_alloc(struct derived *d)
{
	d->role = arena_alloc(&d->mem, trace_tracks(d->pub.t));
}

void roles_build(struct derived *d)
{
	for (uint32_t i = 0; i < trace_device_tracks(d->pub.t); i++)
		if (trace_track(d->pub.t, i)->kind == TRACK_STREAM)
			d->role[i] = role_of_stream(d, trace_track(d->pub.t, i));
}

uint32_t derived_role(const struct derived *d, uint32_t track)
{
	return track < trace_tracks(d->pub.t) ? d->role[track] : 0;
}

const char *role_text(uint32_t role, char *buf, size_t size)
{
	static const struct {
		enum stream_role bit;
		const char *word;
	} words[] = {{ROLE_COMPUTE, "compute"}, {ROLE_COLLECTIVE, "collective"}, {ROLE_H2D, "H2D"}, {ROLE_D2H, "D2H"},
		     {ROLE_D2D, "D2D"},         {ROLE_MEMSET, "memset"}};
	size_t at = 0;
	if (size)
		buf[0] = '\0';
	for (size_t i = 0; i < sizeof words / sizeof *words && at < size; i++)
		if (role & words[i].bit)
			at += (size_t)snprintf(buf + at, size - at, "%s%s", at ? "+" : "", words[i].word);
	return buf;
}

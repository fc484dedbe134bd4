/* What people call a step: "8" where numbers are unique, else "train:5", "r3:5" (step 5 of rank 3), "r3:train:5"; a repeat is "5#2".
 * One scheme per trace, so that labels of one list look alike. */
#include "derived_data.h"
#include "model/store/base/digits.h"
#include "model/store/base/grow.h"
#include "model/store/base/idmap.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_step_name(const struct derived *d, uint32_t id, const char *text, size_t n)
{
	return id < d->n_step_names && !strncmp(d->pub.step_names[id], text, n) && !d->pub.step_names[id][n];
}

static uint32_t add_step_name(struct derived *d, const char *text, size_t n)
{
	GROW_ARRAY(d->pub.step_names, d->n_step_names, d->cap_step_names);
	d->pub.step_names[d->n_step_names] = arena_strndup(&d->mem, text, n);
	return d->n_step_names++;
}

/* Mostly that of the step found before. Names with one hash, should there be any, lie one behind the other. */
uint32_t step_name_id(struct derived *d, const char *text, size_t n)
{
	uint32_t before = d->pub.n_steps ? d->pub.steps[d->pub.n_steps - 1].name : 0;
	if (is_step_name(d, before, text, n))
		return before;
	uint64_t hash = idmap_hash(text, n, 0);
	for (uint32_t id; (id = *idmap_put(&d->step_name_ids, hash, d->n_step_names)) != d->n_step_names; hash++)
		if (is_step_name(d, id, text, n))
			return id;
	return add_step_name(d, text, n);
}

/* A digit glued to letters ("conv2d") is part of the name. */
static bool separates(char c)
{
	return c == '#' || c == ' ' || c == ':' || c == '/' || c == '_' || c == '-';
}

void step_name_from(struct derived *d, struct step *s, const char *text)
{
	enum { DIGITS_MOST = 18 }; /* so many fit in 64 bits */
	size_t end = strlen(text), at = end;
	uint64_t number = 0, unit = 1;
	for (; at && text[at - 1] >= '0' && text[at - 1] <= '9'; at--, unit *= 10)
		number += unit * (uint64_t)(text[at - 1] - '0');
	bool numbered = at < end && end - at <= DIGITS_MOST && (!at || separates(text[at - 1]));
	if (numbered) {
		s->number = (int64_t)number;
		s->label = text[at] != '0' || end - at == 1 ? text + at : NULL;
	}
	s->name = step_name_id(d, text, !numbered ? end : at ? at - 1 : 0);
}

enum { WITH_NAME = 1, WITH_RANK = 2 };

/* "r3" for rank 3; without ranks the host's name, or its number as in "host3". */
static const char *rank_word(const struct derived *d, const struct step *s, char *buf, size_t size)
{
	const struct host *host = trace_host(d->pub.t, s->host);
	const char *name = trace_str(d->pub.t, host->name);
	if (host->rank < 0 && *name)
		return name;
	snprintf(buf, size, host->rank < 0 ? "host%" PRId64 : "r%" PRId64,
		 host->rank < 0 ? (int64_t)s->host : (int64_t)host->rank);
	return buf;
}

static const char *label(struct derived *d, const struct step *s, unsigned scheme)
{
	char rank[24], number[24];
	char *end = digits_i64(number, s->number);
	if (!scheme) /* there may be as many steps as a trace has events */
		return arena_strndup(&d->mem, number, (size_t)(end - number));
	*end = '\0';
	bool named = scheme & WITH_NAME && s->name, ranked = scheme & WITH_RANK;
	return arena_printf(&d->mem, "%s%s%s%s%s", ranked ? rank_word(d, s, rank, sizeof rank) : "", ranked ? ":" : "",
			    named ? derived_step_name(d, s) : "", named ? ":" : "", number);
}

static uint64_t text_key(const char *text)
{
	return idmap_hash(text, strlen(text), 0);
}

static bool numbers_rise(const struct derived *d)
{
	uint32_t i = 1;
	while (i < d->pub.n_steps && d->pub.steps[i - 1].number < d->pub.steps[i].number)
		i++;
	return i >= d->pub.n_steps;
}

/* Gives every step its label by the scheme; true when they are unique. as_named: those that names end in are kept. */
static bool try_scheme(struct derived *d, unsigned scheme, bool as_named)
{
	struct idmap seen = {0};
	bool unique = true, rising = !scheme && numbers_rise(d);
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		if (!as_named || !d->pub.steps[i].label)
			d->pub.steps[i].label = label(d, &d->pub.steps[i], scheme);
		unique &= rising || *idmap_put(&seen, text_key(d->pub.steps[i].label), i) == i;
	}
	idmap_free(&seen);
	return unique;
}

static void mark_repeats(struct derived *d)
{
	struct idmap times = {0};
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		uint32_t n = ++*idmap_put(&times, text_key(d->pub.steps[i].label), 0);
		if (n > 1)
			d->pub.steps[i].label = arena_printf(&d->mem, "%s#%u", d->pub.steps[i].label, n);
	}
	idmap_free(&times);
}

/* Markers without a number count from 0 per host and name, as the reference tool numbers its groups. */
static void number_the_rest(struct derived *d)
{
	struct idmap next = {0};
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		struct step *s = &d->pub.steps[i];
		if (s->number == UNKNOWN_I64)
			/* per host and name: a collision of keys would only share a count */
			s->number = (*idmap_put(&next, text_key(derived_step_name(d, s)) + s->host, 0))++;
	}
	idmap_free(&next);
}

void steps_label(struct derived *d)
{
	static const unsigned schemes[] = {0, WITH_NAME, WITH_RANK, WITH_NAME | WITH_RANK};
	number_the_rest(d);
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (try_scheme(d, schemes[i], i == 0))
			return;
	/* none is unique: the shortest, with repeats counted */
	try_scheme(d, 0, false);
	mark_repeats(d);
}

/* ---- the way back -------------------------------------------------------------------------------------------------------- */

static bool is_label(const char *label, const char *text, size_t n)
{
	return strlen(label) == n && !memcmp(label, text, n);
}

/* The one that begins last; the one whose time is longest, the earlier of equals. */
static uint32_t last_or_slowest(const struct derived *d, bool slowest)
{
	uint32_t best = d->pub.n_steps ? 0 : NONE_ID;
	for (uint32_t i = 1; i < d->pub.n_steps; i++) {
		const struct step *x = &d->pub.steps[i], *b = &d->pub.steps[best];
		bool longer = x->time_end_ns - x->start_ns > b->time_end_ns - b->start_ns;
		if (slowest ? longer : x->start_ns > b->start_ns)
			best = i;
	}
	return best;
}

/* By label; a bare number also finds the only step of that number. */
static uint32_t find_step(const struct derived *d, const char *text, size_t n)
{
	if (is_label("last", text, n) || is_label("slowest", text, n))
		return last_or_slowest(d, *text == 's');
	uint32_t by_number = NONE_ID, hits = 0;
	char number[24];
	for (uint32_t i = 0; i < d->pub.n_steps; i++) {
		if (is_label(d->pub.steps[i].label, text, n))
			return i;
		snprintf(number, sizeof number, "%" PRId64, d->pub.steps[i].number);
		if (is_label(number, text, n)) {
			by_number = i;
			hits++;
		}
	}
	return hits == 1 ? by_number : NONE_ID;
}

static bool no_such_step(const struct derived *d, const char *text, size_t n, struct err *e)
{
	if (!d->pub.n_steps)
		return err_usage(e, "no step '%.*s': the trace has no step markers (try --steps-by REGEX)", (int)n,
				 text);
	char list[160] = "";
	size_t at = 0;
	uint32_t i = 0;
	for (; i < d->pub.n_steps && i < 8 && at + 24 < sizeof list; i++)
		at += (size_t)snprintf(list + at, sizeof list - at, "%s%.40s", i ? ", " : "", d->pub.steps[i].label);
	bool more = i < d->pub.n_steps;
	return err_usage(e, "no step '%.*s'; steps are %s%s%s", (int)n, text, list, more ? " ... " : "",
			 more ? d->pub.steps[d->pub.n_steps - 1].label : "");
}

bool derived_find_steps(const struct derived *d, const char *text, uint32_t *first, uint32_t *last, struct err *e)
{
	const char *dots = strstr(text, "..");
	size_t n = dots ? (size_t)(dots - text) : strlen(text);
	uint32_t a = find_step(d, text, n);
	if (a == NONE_ID)
		return no_such_step(d, text, n, e);
	uint32_t b = dots ? find_step(d, dots + 2, strlen(dots + 2)) : a;
	if (b == NONE_ID)
		return no_such_step(d, dots + 2, strlen(dots + 2), e);
	if (b < a || d->pub.steps[a].host != d->pub.steps[b].host)
		return err_usage(e, "steps '%s': the second one does not come after the first one", text);
	*first = a;
	*last = b;
	return true;
}

#include "entry_loop.h"

bool value_is(const struct value *v, const char *text)
{
	return v->type == VALUE_STR && v->n == strlen(text) && memcmp(v->p, text, v->n) == 0;
}

static const char *fail(const char *p, const char *end, enum fault *why)
{
	*why = p >= end ? FAULT_MORE : FAULT_BAD;
	return NULL;
}

/* At a member's opening quote: reads the key, returns the start of its value. */
static const char *read_key(const char *p, const char *end, struct value *key, enum fault *why)
{
	if (*p != '"')
		return fail(p, end, why);
	p = scan_value(p, end, key, why);
	if (!p)
		return NULL;
	p = scan_blanks(p);
	if (*p != ':')
		return fail(p, end, why);
	p = scan_blanks(p + 1);
	return p < end ? p : fail(p, end, why);
}

/* After a value: the next member's start, or the closing bracket. A comma before the bracket is passed over. */
static const char *next_member(struct scanner *s, const char *p, const char *end, enum fault *why)
{
	p = scan_blanks(p);
	if (*p == '}')
		return p;
	if (*p != ',')
		return fail(p, end, why);
	p = scan_blanks(p + 1);
	s->not_json += *p == '}';
	return p;
}

static uint8_t place_of(const struct value *key)
{
	static const struct {
		char key[9];
		uint8_t place;
	} table[] = {{"ph", PLACE_PHASE},        {"s", PLACE_SCOPE},         {"bp", PLACE_BINDING},
		     {"ts", PLACE_TS},           {"dur", PLACE_DUR},         {"pid", PLACE_PID},
		     {"tid", PLACE_TID},         {"id", PLACE_ID},           {"id2", PLACE_ID},
		     {"cat", PLACE_CAT},         {"name", PLACE_NAME},       {"args", PLACE_ARGS},
		     {"bind_id", PLACE_BIND_ID}, {"flow_in", PLACE_FLOW_IN}, {"flow_out", PLACE_FLOW_OUT}};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (value_is(key, table[i].key))
			return table[i].place;
	return PLACE_OTHER;
}

/* One key, or the closing bracket, the long way. first: p is at an opening bracket, else after a value. Returns the value's
 * start, or what follows the bracket. */
static const char *scan_member(struct scanner *s, const char *p, const char *end, bool first, struct value *key,
			       enum fault *why)
{
	p = first ? scan_blanks(p + 1) : next_member(s, p, end, why);
	key->type = VALUE_NONE;
	if (!p || *p == '}')
		return p ? p + 1 : NULL;
	return read_key(p, end, key, why);
}

static struct step_key step_key(const struct value *key, const char *text, bool inside)
{
	if (key->type == VALUE_NONE)
		return (struct step_key){.place = PLACE_END};
	return (struct step_key){.at = (uint32_t)(key->p - text),
				 .n = (uint32_t)key->n,
				 .flags = key->flags,
				 .place = inside ? PLACE_ARG : place_of(key)};
}

/* May this member's value be part of a learned text? Only values that seldom change, and are plain. */
static bool may_be_fixed(const struct layout *l, const struct layout_step *from, const struct layout_step *found,
			 uint8_t place, const struct value *v)
{
	if (place == PLACE_PID || place == PLACE_TID)
		return layout_takes_numbers(l, from) && v->type == VALUE_NUM && (v->flags & NUMBER_READ) && !v->places;
	if (!layout_takes_texts(from) || v->type != VALUE_STR || v->flags || !v->n)
		return false;
	if (place == PLACE_NAME) /* all arrows of a category have the same */
		return found->flow;
	if (place == PLACE_CAT)
		return layout_takes_categories(l);
	return (place == PLACE_PHASE && v->n == 1) || place == PLACE_SCOPE || place == PLACE_BINDING;
}

/* Takes the member just found into the step, when it fits and its value stays the same. Returns what follows the value;
 * *why is FAULT_MORE when the window ends in it. Objects are left alone: damage inside "args" shows member by member, and as
 * a whole it may look like an object that goes on to the end of the file. */
static const char *fix_member(const struct layout *l, const struct layout_step *from, const char *text, const char *p,
			      const char *end, struct layout_step *found, enum fault *why)
{
	struct fixed *f = &found->fixed[found->n_fixed];
	if (found->key.place == PLACE_END || found->n_fixed == STEP_FIXED || p - text >= STEP_TEXT || *p == '{')
		return NULL;
	const char *behind = scan_usual(p, end, &f->v, why);
	if (!behind || behind - text >= STEP_TEXT || !may_be_fixed(l, from, found, found->key.place, &f->v))
		return NULL;
	f->key = found->key;
	f->value_at = (uint32_t)(f->v.p - text);
	found->flow |= f->key.place == PLACE_PHASE && strchr("stf", *f->v.p);
	found->n_fixed++;
	return behind;
}

/* The last member fixed becomes the one whose value comes next: what stands after it was too much for one text. */
static void unfix_last(struct layout_step *found)
{
	const struct fixed *f = &found->fixed[--found->n_fixed];
	found->key = f->key;
	found->n = f->value_at - (f->v.type == VALUE_STR); /* from its quote on */
}

/* Steps into the object under "args", when its first key fits, too. */
static bool open_args(struct layout_step *found, const char *text, const char *value)
{
	if (found->key.place != PLACE_ARGS || found->opens_args || *value != '{' || value - text >= STEP_TEXT)
		return false;
	found->opens_args = true;
	found->args_at = (uint32_t)(value - text);
	return true;
}

static void close_args(struct layout_step *found)
{
	found->closes_args = true;
	found->args_end = found->n;
}

/* What stands before the next value, the long way, and remembered. first: at an opening bracket; inside: "args". Nothing is
 * learned where the window ends: it would be less than there is to learn, and stand before it for the rest of the file. */
static struct layout_step *scan_step(struct scanner *s, const char *text, const char *end, bool first, bool inside,
				     struct layout_step *from, enum fault *why)
{
	struct layout_step found = {.more = true, .flow = from->flow}, unopened;
	struct value key;
	uint32_t not_json = s->not_json;
	for (const char *p = text;;) {
		const char *value = scan_member(s, p, end, first, &key, why);
		if (!value)
			return NULL;
		found.n = (uint32_t)(value - text);
		found.key = step_key(&key, text, inside);
		first = false;
		if (inside && key.type == VALUE_NONE) {
			close_args(&found);
			inside = false;
			p = value;
			continue;
		}
		bool sound = s->not_json == not_json && !found.key.flags && !from->odd;
		*why = FAULT_NONE;
		if (sound && (p = fix_member(&s->layout, from, text, value, end, &found, why)))
			continue;
		if (*why == FAULT_MORE)
			return NULL;
		unopened = found.opens_args ? unopened : found;
		if (sound && open_args(&found, text, value)) {
			first = inside = true;
			p = value;
			continue;
		}
		if (found.n > STEP_TEXT && (found.opens_args || found.n_fixed)) {
			found = unopened;
			if (found.n > STEP_TEXT)
				unfix_last(&found);
			s->not_json = not_json;
			sound = true;
		}
		return layout_learn(&s->layout, s->batch, from, text, &found, sound);
	}
}

struct layout_step *entry_learn(struct scanner *s, const struct token *before, struct layout_step *from, const char *p,
				const char *end, enum fault *why)
{
	bool opened = before && before->v.type == VALUE_NONE; /* "args" */
	bool inside = opened || (before && before->step->key.place == PLACE_ARG);
	return scan_step(s, p, end, !before || opened, inside, from, why);
}

static const char *scan_usual_items(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
				    enum fault *why)
{
	return scan_items(s, b, p, end, at, why);
}

const char *(*entry_scan)(struct scanner *s, struct batch *b, const char *p, const char *end, int64_t at,
			  enum fault *why) = scan_usual_items;

#ifdef ENTRY_WIDE
__attribute__((constructor)) static void choose_version(void)
{
	if (scan_wide())
		entry_scan = entry_scan_wide;
}
#endif

bool entry_starts(const char *p, const char *end)
{
	static const char *const keys[] = {"ph",   "name", "cat", "pid", "tid", "ts",  "dur",
					   "args", "id",   "s",   "bp",  "tts", "id2", "tdur"};
	struct value key;
	enum fault why;
	if (*p != '{')
		return false;
	p = scan_blanks(p + 1);
	if (*p != '"' || !scan_value(p, end, &key, &why))
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (value_is(&key, keys[i]))
			return true;
	return false;
}

bool object_next(const char **p, const char *end, struct value *key, struct value *v)
{
	enum fault why;
	const char *q = scan_blanks(*p);
	if (*q != '{' && *q != ',')
		return false;
	q = scan_blanks(q + 1);
	if (q >= end || !(q = read_key(q, end, key, &why)) || !(q = scan_value(q, end, v, &why)))
		return false;
	*p = q;
	return true;
}

bool array_next(const char **p, const char *end, struct value *v)
{
	enum fault why;
	const char *q = scan_blanks(*p);
	if (*q != '[' && *q != ',')
		return false;
	q = scan_blanks(q + 1);
	if (q >= end || *q == ']' || !(q = scan_usual(q, end, v, &why)))
		return false;
	*p = q;
	return true;
}

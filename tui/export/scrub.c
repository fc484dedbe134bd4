#include "scrub.h"
#include "tui/text/words.h"
#include <string.h>

const char *scrub_text(bool redact, const char *kind, const char *text, struct arena *mem)
{
	return redact && *text ? words_hash(mem, kind, text) : text;
}

/* "/host:CPU", "myhost /device:GPU:0": the part that says what it is. */
static const char *role_in(const char *name)
{
	const char *role = strstr(name, "/host:");
	return role ? role : strstr(name, "/device:");
}

const char *scrub_process(bool redact, const struct trace *t, uint32_t process, struct arena *mem)
{
	const char *name = trace_str(t, trace_process(t, process)->name), *role = role_in(name);
	if (!redact || !strcmp(name, "python") || role == name)
		return name;
	return role ? role : words_hash(mem, "process", name);
}

const char *scrub_device(bool redact, const struct trace *t, uint32_t device, struct arena *mem)
{
	char label[160];
	(void)redact;
	return arena_strdup(mem, trace_device_label(t, device, label, sizeof label));
}

const char *scrub_track(bool redact, const struct trace *t, uint32_t track, struct arena *mem)
{
	const struct track_info *x = trace_track(t, track);
	char label[160];
	const char *name = trace_str(t, x->name ? x->name : x->lane);
	if (!*name && x->kind == TRACK_STREAM)
		return arena_strdup(mem, trace_track_label(t, track, label, sizeof label));
	bool technical = x->kind == TRACK_STREAM || x->kind == TRACK_STREAM_LANE;
	return technical ? name : scrub_text(redact, "thread", name, mem);
}

/* Names that users choose are hashed; so is every name that holds a path. */
const char *scrub_event(bool redact, const struct derived *d, row_id r, struct arena *mem)
{
	const struct columns *c = derived_columns(d);
	const char *name = trace_str(derived_trace(d), c->name[r]);
	enum event_kind k = (enum event_kind)c->kind[r];
	(void)k;
	return scrub_text(redact && strchr(name, '/'), "name", name, mem);
}

struct table *scrub_table(const struct table *t, const struct derived *d, struct arena *mem)
{
	(void)d;
	return table_copy(t, mem);
}

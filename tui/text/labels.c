#include "labels.h"
#include "words.h"
#include <string.h>

const char *device_label(const struct derived *d, uint32_t device, bool redact, struct arena *mem)
{
	char label[192];
	const struct trace *t = derived_trace(d);
	const struct host *h = trace_host(t, trace_device(t, device)->host);
	trace_device_label(t, device, label, sizeof label);
	const char *name = trace_str(t, h->name);
	size_t n = strlen(name);
	if (redact && n && strncmp(label, name, n) == 0)
		return arena_printf(mem, "%s%s", words_hash(mem, "host", name), words_clean(mem, label + n));
	return words_clean(mem, label);
}

const char *track_label(const struct derived *d, uint32_t track, bool redact, struct arena *mem)
{
	char label[192];
	const struct trace *t = derived_trace(d);
	trace_track_label(t, track, label, sizeof label);
	enum track_kind k = trace_track(t, track)->kind;
	if (redact && k != TRACK_STREAM && k != TRACK_STREAM_LANE)
		return words_hash(mem, "thread", label);
	return words_clean(mem, label);
}

const char *device_label_own(const char *label)
{
	const char *number = strrchr(label, ' '), *kind = number;
	while (kind && kind > label && kind[-1] != ' ')
		kind--;
	return kind ? kind : label;
}

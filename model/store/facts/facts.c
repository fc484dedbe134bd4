#include "facts.h"

static const char *const kinds[KIND_COUNT] = {
#define KIND_ROW(id, word, ...) word,
	EVENT_KINDS(KIND_ROW)
#undef KIND_ROW
};
static const char *const track_kinds[TRACK_KINDS] = {"stream", "stream lane", "thread", "counter", "async", "other"};
static const char *const copy_kinds[COPY_KINDS] = {"H2D", "D2H", "D2D", "P2P", "H2H", "unknown", "memset"};
static const char *const memory_kinds[MEM_KINDS] = {"unknown", "pageable", "pinned", "device", "array", "managed"};

const char *kind_name(enum event_kind k)
{
	return (unsigned)k < KIND_COUNT ? kinds[k] : "?";
}

const char *track_kind_name(enum track_kind k)
{
	return (unsigned)k < TRACK_KINDS ? track_kinds[k] : "?";
}

const char *copy_kind_name(enum copy_kind k)
{
	return (unsigned)k < COPY_KINDS ? copy_kinds[k] : "?";
}

const char *memory_kind_name(enum memory_kind k)
{
	return (unsigned)k < MEM_KINDS ? memory_kinds[k] : "?";
}

/* model/store/facts/notes.h - the ledger: what an import met that it could not simply show.
 * Identity: entries in the file = shown + merged + noted, where `noted` sums the notes that account for an entry.
 * Severity: INFO  normal for the format; WARN  the user should know; LOST  something sound may be missing (exit 4).
 * Life:     filled by one importer thread; after seal it grows only by what a saved file turns out to have lost when a part of
 *           it is unpacked on demand (notes_add_sealed). A note's word (lower case of the id) is stable. */
#ifndef STEPSCOPE_NOTES_H
#define STEPSCOPE_NOTES_H
#include <stdbool.h>
#include <stdint.h>

enum note_severity { NOTE_INFO, NOTE_WARN, NOTE_LOST };

/*  id, severity, accounts for an entry (1) or speaks about one that is shown/merged anyway (0), help */
#define NOTES(_)                                                                                                       \
	_(TRUNCATED, LOST, 0, "the file ends inside a record; everything before it is shown")                          \
	_(STREAM_DAMAGED, LOST, 0, "the compressed stream is damaged or ends early; what could be unpacked is shown")  \
	_(BAD_RECORD, LOST, 1, "a record could not be understood and was left out")                                    \
	_(BAD_TIME, LOST, 1, "a record without a usable time stamp was left out")                                      \
	_(DAMAGED_REGION, LOST, 0, "bytes that are not part of any record were skipped")                               \
	_(CHANGED, LOST, 0, "the file was changed while it was read; what is shown may be from before and after")      \
	_(ATTRS_DAMAGED, LOST, 0,                                                                                      \
	  "a block of attributes is damaged or cannot be read back; what its events would say is shown as unknown")    \
	_(PART_DAMAGED, LOST, 0,                                                                                       \
	  "a part of the saved file (kernel details, arrows, correlations or attributes) is damaged and was left out") \
	_(TABLE_UNREAD, INFO, 0, "a table of the database that has rows and is not read")                              \
	_(FILE_SKIPPED, LOST, 0, "a file of the directory could not be read; the others are shown")                    \
	_(TIME_OVERFLOW, LOST, 1, "a time outside +-146 years of the trace's base was left out")                       \
	_(DUR_NEGATIVE, WARN, 0, "a negative duration is shown as 0")                                                  \
	_(DUR_TOO_LONG, LOST, 0,                                                                                       \
	  "a duration is shown as 0: together with those before it it lasts more than 146 years")                      \
	_(END_WITHOUT_BEGIN, WARN, 1, "an end without a begin on its thread")                                          \
	_(BEGIN_WITHOUT_END, WARN, 0, "a begin without an end is drawn up to the last time on its track")              \
	_(END_NAME_DIFFERS, INFO, 0, "an end carries another name than the begin it closes; paired by order")          \
	_(ASYNC_END_WITHOUT_BEGIN, WARN, 1, "an async end whose begin is not in the file")                             \
	_(ASYNC_BEGIN_WITHOUT_END, WARN, 0, "an async begin without an end is drawn up to the last time on its track") \
	_(FLOW_UNBOUND, INFO, 1, "a flow point that meets no event, or no second point")                               \
	_(PHASE_OTHER, INFO, 1,                                                                                        \
	  "an entry of a phase that has no place on a timeline (objects, samples, old async, ...)")                    \
	_(EMPTY_ENTRY, INFO, 1, "an empty entry, as some exporters write after the last event")                        \
	_(METADATA_UNKNOWN, INFO, 1, "a metadata entry of an unknown kind")                                            \
	_(COUNTER_NOT_NUMBER, WARN, 1, "a counter sample without a number")                                            \
	_(NOT_STRICT_JSON, INFO, 0, "the file departs from strict JSON in a way viewers accept (trailing comma, ...)") \
	_(ARRAY_UNCLOSED, INFO, 0, "the event array is not closed: legal for this format, or cut at a record's end")   \
	_(BAD_ESCAPE, INFO, 0, "a text with a control character or a bad escape was repaired")                         \
	_(BAD_UTF8, INFO, 0, "a text that is not UTF-8; shown with replacement characters")                            \
	_(AGGREGATED, INFO, 1, "an aggregated event: a total without a position in time")                              \
	_(CATEGORY_UNKNOWN, WARN, 0,                                                                                   \
	  "an event of a device stream is of a category that is not known, and does not count as work; `stepscope "    \
	  "table trace` names the categories")                                                                         \
	_(METADATA_MISSING, WARN, 0, "an event whose name id has no entry in its plane; shown without a name")         \
	_(WIRE_UNKNOWN, INFO, 0, "a field number this version does not know was passed over")                          \
	_(PRODUCER_WARNING, WARN, 0, "the program that recorded the trace left a warning in it")                       \
	_(PRODUCER_ERROR, WARN, 0, "the program that recorded the trace left an error in it")                          \
	_(PRODUCER_DROPPED, WARN, 0, "the program that recorded the trace says that it dropped events")                \
	_(VALUE_ABSURD, INFO, 0, "a detail outside what hardware can have; shown as the producer wrote it")            \
	_(OVERLAP, INFO, 0, "events that partly overlap another one on their track: stacked on overflow rows")         \
	_(LET_GO, INFO, 0, "live: records older than what --keep holds were let go")                                   \
	_(CAPTURE_CUT, WARN, 0, "live: a connection to a process ended out of order; what came before stands")         \
	_(RUNS_APART, WARN, 0,                                                                                         \
	  "recordings that do not overlap in time, or one recording twice, are open together; sums and means mix "     \
	  "them")                                                                                                      \
	_(PROFILER_OFF, INFO, 0,                                                                                       \
	  "nothing at all is recorded between two spans of the profiler, or where its steps' numbers leave some out: " \
	  "it was off, and that time is neither idle nor of a step")                                                   \
	_(KERNEL_NO_LAUNCH, INFO, 0, "device work whose launch call is not in the trace")                              \
	_(CORR_DUPLICATE, INFO, 0, "several host calls share one correlation id; the last one counts as the launch")   \
	_(ARROW_UNMATCHED, INFO, 0,                                                                                    \
	  "an event that says of itself that an arrow starts or ends at it (flow_in, flow_out), without the other "    \
	  "end")                                                                                                       \
	_(COLLECTIVE_ON_HOST, INFO, 0,                                                                                 \
	  "a collective as a profiler plugin of NCCL saw it on the host, from the call to the end of its last part: "  \
	  "an event, but no row of `stepscope table collectives`, which wants the time on a device")

enum note_id {
#define NOTE_ENUM(id, sev, acc, help) NOTE_##id,
	NOTES(NOTE_ENUM)
#undef NOTE_ENUM
		NOTE_COUNT
};

struct note {
	_Atomic uint64_t count; /* what follows is written before it leaves 0 */
	int64_t first_at;       /* byte in the uncompressed input of the first one, -1 = unknown */
	uint32_t first_source;  /* index of the file it happened in, UINT32_MAX = none of them */
};
struct notes {
	struct note at[NOTE_COUNT];
	uint64_t entries; /* records met in the input(s) */
	uint64_t merged;  /* folded into another: pair ends, metadata, flow points, counter samples */
	uint64_t shown;   /* events in the trace that stand for one entry each */
	uint32_t source;  /* the file being imported now */
};
struct note_info {
	const char *name; /* "truncated" */
	enum note_severity severity;
	bool accounts;
	const char *help;
};

/* About the file being imported now. */
void notes_add(struct notes *n, enum note_id id, int64_t at, uint64_t count);
/* About the file of that index, UINT32_MAX = none of them alone: for what is found when all files are read. */
void notes_add_of(struct notes *n, enum note_id id, uint32_t source, int64_t at, uint64_t count);
/* After seal, about no place in a source; from any thread, while others read the notes. */
void notes_add_sealed(struct notes *n, enum note_id id, uint64_t count);
const struct note_info *note_info(enum note_id id);
const char *note_severity_name(enum note_severity s);
uint64_t notes_noted(const struct notes *n);                    /* sum of the accounting notes */
uint64_t notes_of(const struct notes *n, enum note_severity s); /* sum of counts of that severity */
bool notes_balance(const struct notes *n);                      /* the ledger identity */
#endif

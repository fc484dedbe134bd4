/* model/analysis/steps/breakdown_class.h - which class of the breakdown an event's time belongs to; names are asked once each. */
#ifndef STEPSCOPE_BREAKDOWN_CLASS_H
#define STEPSCOPE_BREAKDOWN_CLASS_H
#include "breakdown.h"

struct classes;
struct classes *classes_new(const struct derived *d);
void classes_free(struct classes *x);
/* *waits: by its name the event may be a wait, for input or others: how much of it is one, thread_waits_add tells, and the class is that of
 * what is no wait. Python frames have no class. by_time: the step is a marker that owns what starts inside it; names of markers are
 * ordinary names then. */
enum time_class host_class(struct classes *x, row_id r, bool by_time, bool *waits);
enum time_class device_class(struct classes *x, row_id r);
/* A collective that runs on the host: gloo and MPI record it on threads of their own. */
bool is_host_collective(const struct derived *d, str_id name);
/* Threads that hold some, to be freed; *n_tracks, which is 0 before: how many. */
uint32_t *host_collective_tracks(const struct derived *d, uint32_t *n_tracks);
/* An op of the host that computes: none that hands a collective over. */
bool is_host_compute(const struct derived *d, row_id r);
/* The reference tool's rules. Of copies it knows the spelling MemcpyHToD only: MemcpyH2D, MemcpyP2P and memsets are compute.
 * Nothing is compilation, and no call is a launch: both need host events beside device work, which it leaves out. Host
 * events of a track are asked in their order: the outermost stage of an input pipeline is input wait. */
enum time_class host_class_xprof(struct classes *x, row_id r);
enum time_class device_class_xprof(const struct classes *x, row_id r);
/* When the event's time ends: a pool's region lasts from its start event to the next stop event of its thread. */
int64_t class_end_xprof(struct classes *x, row_id r);
/* Steps that runtimes' own calls began have no marker; without device work they are none. */
bool class_marks_step_xprof(const struct derived *d, row_id marker);
#endif

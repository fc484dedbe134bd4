/* tests/live/standin_cupti.h - what the files of the stand-in CUPTI share: standin_libcupti.c (its functions, replay),
 * standin_records.c (buffers, and the records of what the driver reports), standin_nvtx.c (ranges and points). */
#ifndef STANDIN_CUPTI_H
#define STANDIN_CUPTI_H
#include "standin.h"
#include "live/inject/cupti/abi.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef void request_function(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void complete_function(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
typedef void callback_function(void *user, int domain, uint32_t cbid, const void *data);

enum { MAX_KIND = 64, MAX_CBID = 2048, MAX_FULL = 4096 };
struct full {
	uint8_t *buffer;
	size_t size, valid;
	uint64_t until_ns; /* its last record is complete then */
};
struct standin_state {
	pthread_mutex_t lock;
	pthread_cond_t work, idle;
	request_function *request;
	complete_function *complete;
	callback_function *callback;
	void *callback_user;
	uint8_t *buffer;
	size_t size, used;
	uint64_t until_ns; /* of the buffer that is being filled */
	bool forced;       /* a forced flush: what is in flight is delivered, too, without an end */
	struct full full[MAX_FULL];
	unsigned n_full, delivering;
	bool has_worker;
	uint64_t kernels, lost;
	uint64_t stream_free_ns[64];
	uint8_t forever[216]; /* a kernel that does not end */
	bool has_forever;
};
extern struct standin_state state;
extern _Atomic uint32_t subscribed;
extern _Atomic int thread_id_type; /* 1: the system's, else pthread_self() cut to 32 bits (cupti_activity.h) */
extern _Atomic bool enabled[MAX_KIND], driver_call[MAX_CBID], watched_call[MAX_CBID], watched_contexts, zeros_promised;

/* CUPTI_OK, or how a CUPTI of this minor version takes the lack of a driver. */
int driver_or_not(void);
/* The number that the environment tells. */
long told(const char *name, long otherwise);
/* What cuptiGetVersion says. */
uint32_t version(void);
uint64_t now_ns(void);       /* the wall clock */
uint64_t stamp(uint64_t ns); /* a time of it as records have it */

/* Sizes as in this version; 0: no kind that we know. */
size_t kernel_bytes(void);
size_t record_bytes(uint32_t kind);
/* Lock held. The current buffer goes to the worker. */
void hand_over(void);
/* Lock held. Room for one record; NULL: dropped. */
void *append(size_t n);
/* One record into the current buffer, or lost. until_ns: what it is about is in flight until then. */
void emit(const void *record, size_t n);
void emit_until(const void *record, size_t n, uint64_t until_ns);
/* Lock held. Queued buffers that may be delivered now. */
unsigned deliverable(void);
/* What exists without anybody's call: the device and a default stream. */
void emit_device(void);
void emit_stream(void);
enum standin_phase phase(void);
/* Called first by what must not be called from another thread while the driver starts up: ends the process. */
void see_that_driver_is_up(void);
/* One line for STANDIN_TELL. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on the stand-in driver reports to us, or no longer. */
void join_driver(bool on);

#define PUT(record, type, offset, value)                                 \
	do {                                                             \
		type put_ = (type)(value);                               \
		memcpy((char *)(record) + (offset), &put_, sizeof put_); \
	} while (0)

/* Nothing but these is seen from outside. */
#define EXPORT(name, parameters) \
	int name parameters;     \
	__attribute__((visibility("default"))) int name parameters
#endif

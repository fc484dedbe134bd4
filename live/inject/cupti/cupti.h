/* live/inject/cupti/cupti.h - CUPTI as a table of functions, bound at run time. */
#ifndef STEPSCOPE_INJECT_CUPTI_H
#define STEPSCOPE_INJECT_CUPTI_H
#include "abi.h"
#include <stdbool.h>
#include <stddef.h>

typedef void cupti_request(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void cupti_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
typedef void cupti_callback(void *user, int domain, uint32_t cbid, const void *data);
struct cupti_subscribe_params {
	size_t struct_size;
	const char *name;
	char *old_name; /* receives who holds the process */
	size_t old_size;
};

/* clang-format off */
/*	needed  field         symbol                              parameters */
#define CUPTI_FUNCTIONS(_)                                                                                           \
	_(1, version,            cuptiGetVersion,                    (uint32_t *version))                            \
	_(1, result_string,      cuptiGetResultString,               (cupti_result result, const char **text))       \
	_(1, subscribe,          cuptiSubscribe,                     (void **subscriber, cupti_callback *f, void *user)) \
	_(1, unsubscribe,        cuptiUnsubscribe,                   (void *subscriber))                             \
	_(1, enable_callback,    cuptiEnableCallback,                (uint32_t on, void *subscriber, int domain, uint32_t cbid)) \
	_(1, enable,             cuptiActivityEnable,                (int kind))                                     \
	_(1, disable,            cuptiActivityDisable,               (int kind))                                     \
	_(1, register_callbacks, cuptiActivityRegisterCallbacks,     (cupti_request *request, cupti_complete *complete)) \
	_(1, next_record,        cuptiActivityGetNextRecord,         (uint8_t *buffer, size_t valid, void **record)) \
	_(1, flush_all,          cuptiActivityFlushAll,              (uint32_t forced))                              \
	_(1, dropped,            cuptiActivityGetNumDroppedRecords,  (void *context, uint32_t stream, size_t *n))    \
	_(1, set_attribute,      cuptiActivitySetAttribute,          (int attribute, size_t *size, void *value))     \
	_(1, timestamp,          cuptiGetTimestamp,                  (uint64_t *ns))                                 \
	_(1, callback_name,      cuptiGetCallbackName,               (int domain, uint32_t cbid, const char **name)) \
	_(0, subscribe_v2,       cuptiSubscribe_v2,                  (void **subscriber, cupti_callback *f, void *user, struct cupti_subscribe_params *p)) \
	_(0, enable_and_dump,    cuptiActivityEnableAndDump,         (int kind))                                     \
	_(0, thread_id_type,     cuptiSetThreadIdType,               (int type))                                     \
	_(0, get_thread_id_type, cuptiGetThreadIdType,               (int *type))                                    \
	_(0, enable_runtime_api, cuptiActivityEnableRuntimeApi,      (uint32_t cbid, uint8_t on))                    \
	_(0, enable_driver_api,  cuptiActivityEnableDriverApi,       (uint32_t cbid, uint8_t on))                    \
	_(0, latency_timestamps, cuptiActivityEnableLatencyTimestamps, (uint8_t on))                                 \
	_(0, all_sync_records,   cuptiActivityEnableAllSyncRecords,  (uint8_t on))                                    \
	_(0, struct_size,        cuptiActivityGetStructSize,         (int kind, uint32_t version, size_t *bytes))    \
	_(0, timestamp_v2,       cuptiGetTimestamp_v2,               (void))                                         \
	_(0, nvtx_injection,     InitializeInjectionNvtx2,           (void *get_export_table))                       \
	_(0, error_message,      cuptiGetErrorMessage,               (cupti_result result, const char **text))
/* clang-format on */

#define CUPTI_FIELD_(needed, field, symbol, parameters) cupti_result(*field) parameters;
struct cupti {
	void *handle; /* NULL = not loaded */
	char path[512];
	uint32_t number; /* of cuptiGetVersion: 18 is 11.8 (and 12.0 and 12.1, too), 130001 is 13.0 update 1 */
	uint32_t layout; /* the same, but distinguished: what the getters of abi.h want */
	uint32_t driver; /* of cuDriverGetVersion, 0 = unknown */
	CUPTI_FUNCTIONS(CUPTI_FIELD_)
};

/* Finds and binds the libcupti that suits this process: `wanted` (NULL = none), else the one already mapped, else one
 * beside the CUDA libraries that are mapped, else by name. A second copy is never loaded beside a mapped one.
 * driver_is_up: see driver_works, which is asked before any function of a CUPTI that would not survive the answer no. False:
 * `why` says what was tried, or what is missing. */
bool cupti_load(struct cupti *c, const char *wanted, bool driver_is_up, char *why, size_t size);

/* CUPTI's words for a result, never NULL. */
const char *cupti_text(const struct cupti *c, cupti_result result);
#endif

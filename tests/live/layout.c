/* tests/live/layout.c - prints what a viewer in another language needs of live/wire.h, as JSON. */
#include "live/wire.h"

/* clang-format off */
#define VALUES(_)                                                                                       \
	_(WIRE_ABI) _(WIRE_HEADER_BYTES) _(WIRE_KIND_COUNT) _(WIRE_RECORD) _(WIRE_KERNEL_SHORT)        \
	_(WIRE_DEFAULT_KINDS) _(WIRE_NO_ID)                                                             \
	_(WIRE_HELLO) _(WIRE_BUSY) _(WIRE_STATE) _(WIRE_REPLY) _(WIRE_START) _(WIRE_STOP)              \
	_(WIRE_SET_KINDS) _(WIRE_STATS) _(WIRE_DETACH)                                                  \
	_(WIRE_PAD) _(WIRE_STRING) _(WIRE_SHAPE) _(WIRE_PLACE) _(WIRE_FORGET) _(WIRE_DEVICE)           \
	_(WIRE_STREAM) _(WIRE_THREAD) _(WIRE_CLOCK) _(WIRE_SESSION) _(WIRE_GAP) _(WIRE_LOST)           \
	_(WIRE_END) _(WIRE_UNFINISHED) _(WIRE_DEVICE_LAUNCHED) _(WIRE_ASYNC) _(WIRE_MARK_START) _(WIRE_MARK_END)
#define SIZES(_) _(wire_msg) _(wire_header) _(wire_counters) _(wire_string)
#define PLACES(_)                                                                                       \
	_(wire_msg, verb) _(wire_msg, about) _(wire_msg, result) _(wire_msg, state) _(wire_msg, code)  \
	_(wire_msg, abi) _(wire_msg, kinds) _(wire_msg, flush_ms) _(wire_msg, pid) _(wire_msg, uid)    \
	_(wire_msg, start_ticks) _(wire_msg, ring_bytes) _(wire_msg, cupti_version)                     \
	_(wire_msg, cuda_version) _(wire_msg, text)                                                     \
	_(wire_header, ring_bytes) _(wire_header, pid) _(wire_header, head) _(wire_header, tail)       \
	_(wire_header, state) _(wire_header, code) _(wire_header, kinds) _(wire_header, late)          \
	_(wire_header, text) _(wire_header, counters) _(wire_header, lost_cupti)                        \
	_(wire_header, unknown) _(wire_header, left_out) _(wire_header, buffers)                        \
	_(wire_header, buffer_bytes) _(wire_header, frame_bytes) _(wire_header, decode_ns)              \
	_(wire_header, control_ns) _(wire_header, flush_ns) _(wire_header, flushes)                     \
	_(wire_header, buffers_in_use) _(wire_header, buffers_denied) _(wire_header, rearmed)           \
	_(wire_header, heartbeat_ns) _(wire_header, command) _(wire_header, cupti_path)                 \
	_(wire_header, rank)
#define VALUE(name)               printf("\"%s\": %lld,\n", #name, (long long)(name));
#define KIND(name, word, on, what) printf("\"KIND_%s\": %d,\n", word, (int)WIRE_##name);
#define STATE(name, word, what)   printf("\"STATE_%s\": %d,\n", word, (int)WIRE_STATE_##name);
#define SIZE(type)                printf("\"%s\": %zu,\n", #type, sizeof(struct type));
#define PLACE(type, field)        printf("\"%s.%s\": %zu,\n", #type, #field, offsetof(struct type, field));
/* clang-format on */

int main(void)
{
	puts("{");
	VALUES(VALUE)
	WIRE_KINDS(KIND)
	WIRE_STATES(STATE)
	SIZES(SIZE)
	PLACES(PLACE)
	puts("\"end\": 0}");
	return 0;
}

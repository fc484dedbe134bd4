/* tests/live/layout.c - prints what a viewer in another language needs of live/wire.h, as JSON. */
#include "../../live/wire.h"

#define AT(type, field)   printf("\"%s.%s\": %zu,\n", #type, #field, offsetof(struct type, field));
#define SIZE(type)        printf("\"%s\": %zu,\n", #type, sizeof(struct type));
#define VALUE(name)       printf("\"%s\": %lld,\n", #name, (long long)(name));
#define KIND_(n, w, d, t) printf("\"KIND_%s\": %d,\n", w, (int)WIRE_##n);
#define STATE_(n, w, t)   printf("\"STATE_%s\": %d,\n", w, (int)WIRE_STATE_##n);

int main(void)
{
	puts("{");
	VALUE(WIRE_ABI)
	VALUE(WIRE_HEADER_BYTES)
	VALUE(WIRE_KIND_COUNT)
	VALUE(WIRE_RECORD)
	VALUE(WIRE_KERNEL_SHORT)
	VALUE(WIRE_DEFAULT_KINDS)
	VALUE(WIRE_NO_ID)
	VALUE(WIRE_HELLO)
	VALUE(WIRE_BUSY)
	VALUE(WIRE_STATE)
	VALUE(WIRE_REPLY) VALUE(WIRE_START) VALUE(WIRE_STOP) VALUE(WIRE_SET_KINDS) VALUE(WIRE_STATS) VALUE(
		WIRE_DETACH) VALUE(WIRE_PAD) VALUE(WIRE_STRING) VALUE(WIRE_SHAPE) VALUE(WIRE_PLACE) VALUE(WIRE_FORGET)
		VALUE(WIRE_DEVICE) VALUE(WIRE_STREAM) VALUE(WIRE_THREAD) VALUE(WIRE_CLOCK) VALUE(WIRE_SESSION) VALUE(
			WIRE_GAP) VALUE(WIRE_LOST) VALUE(WIRE_END) VALUE(WIRE_UNFINISHED) VALUE(WIRE_ASYNC)
			VALUE(WIRE_MARK_START) VALUE(WIRE_MARK_END) WIRE_KINDS(KIND_) WIRE_STATES(STATE_) SIZE(
				wire_msg) SIZE(wire_header) SIZE(wire_counters) SIZE(wire_string) AT(wire_msg, verb)
				AT(wire_msg, about) AT(wire_msg, result) AT(wire_msg, state) AT(wire_msg, code) AT(
					wire_msg, abi) AT(wire_msg, kinds) AT(wire_msg, flush_ms) AT(wire_msg, pid)
					AT(wire_msg, uid) AT(wire_msg, start_ticks) AT(wire_msg, ring_bytes) AT(
						wire_msg, cupti_version) AT(wire_msg,
									    cuda_version) AT(wire_msg,
											     text) AT(wire_header,
												      ring_bytes)
						AT(wire_header, pid) AT(wire_header, head) AT(wire_header, tail) AT(
							wire_header, state) AT(wire_header, code) AT(wire_header, kinds)
							AT(wire_header, late) AT(wire_header, text) AT(
								wire_header, counters) AT(wire_header,
											  lost_cupti) AT(wire_header,
													 unknown)
								AT(wire_header, left_out) AT(wire_header, buffers) AT(
									wire_header,
									buffer_bytes) AT(wire_header,
											 frame_bytes) AT(wire_header,
													 decode_ns)
									AT(wire_header, control_ns) AT(
										wire_header,
										flush_ns) AT(wire_header,
											     flushes) AT(wire_header,
													 buffers_in_use)
										AT(wire_header, buffers_denied) AT(
											wire_header,
											rearmed) AT(wire_header,
												    heartbeat_ns)
											AT(wire_header, command) AT(
												wire_header, cupti_path)
												AT(wire_header, rank)
													puts("\"end\": "
													     "0}");
	return 0;
}

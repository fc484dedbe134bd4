/* live/wire.h - what the library inside a traced process (the target) and a viewer say to each other: everything.
 * Two channels. A unix socket carries short control messages; a shared memory ring carries the records.
 *
 * Meeting. The target listens on wire_socket_path(); `stepscope attach` dials it. When the environment names a viewer
 *   (STEPSCOPE_VIEWER, set by run and record) the target also dials that socket while the driver starts up, so that
 *   nothing is missed even by a process that lives 10 ms. Whichever side dialled, the target speaks first, and both sides check
 *   SO_PEERCRED: the peer's uid is our own, or 0. SOCK_SEQPACKET, one struct wire_msg per packet, any other size ends the
 *   connection. The first packet is WIRE_HELLO with two descriptors (SCM_RIGHTS): [0] the memfd of the ring, sealed
 *   against resizing, [1] a non-blocking eventfd that the target bumps after it wrote frames. Or it is WIRE_BUSY (no
 *   descriptors; `pid` is the viewer in charge) and the target hangs up: one viewer at a time. Or it is WIRE_REPLY about
 *   WIRE_HELLO with the errno that kept the target from making a ring, and it hangs up.
 *   Every connection gets a ring of its own with fresh counters, so a former viewer cannot disturb the next one. The one
 *   exception helps completeness: with STEPSCOPE_START the target records from the start into a ring that its first
 *   viewer then receives, with all that was written so far.
 *   When a viewer hangs up or dies, the target stops recording and goes back to armed and idle. When the target dies, the
 *   socket ends and the viewer still holds the whole ring: read until head, then it is over. A session that ended in order
 *   has WIRE_END as its last frame.
 * Verbs of the viewer: START, STOP, KINDS, STATS, DETACH. Each is answered by WIRE_REPLY with the same `about`; a change
 *   of state that was not requested comes as WIRE_STATE. What is asked while the driver starts up is done, and answered, when its
 *   first context exists; ECANCELED answers what another verb, or the
 *   end, came in place of. Messages that a viewer does not read in time are lost (the
 *   target never waits), the same facts stand in the ring's header.
 *
 * The ring. Offset 0: struct wire_header, WIRE_HEADER_BYTES long. After it ring_bytes (a power of two) of frames. `head`
 *   and `tail` count bytes and never wrap; the place of position p is p & (ring_bytes - 1). One producer (the target's
 *   decoder thread), one consumer (the viewer). The producer stores head with release after the frame is whole; the
 *   consumer loads head with acquire, copies frames out, then stores tail with release. A frame never crosses the end of
 *   the ring: a WIRE_PAD frame fills the rest. Every frame starts with struct wire_frame and is a multiple of 8 long.
 *   The producer ignores a tail that goes backwards or beyond head. The consumer believes nothing: not head (more than
 *   ring_bytes ahead of tail = damaged), not lengths, not ids, not text, not counters; damage ends the session with a note,
 *   and what was read before stands.
 *
 * The dictionary. Strings, kernel shapes and places are sent once and named by id from then on. Ids of each of the three
 *   lists count from 1; 0 is "none". Replay is lazy: in each ring, an id is defined before the first frame that uses it,
 *   whatever former viewers were told. A frame may define an id again: the last definition counts. WIRE_FORGET (the
 *   dictionary outgrew its cap) says that all three lists are empty again; ids are defined anew, with other content.
 *
 * Loss is never silent. When the ring is full, whole records are dropped, newest first; once there is space again one
 * WIRE_GAP tells from when to when and how many of each kind; loss that no gap has told yet is the difference between
 *   the header's `dropped` and the gaps read so far. Records whose times are impossible are not sent but counted in
 *   `bad_time`. For each kind, whenever the target rests: seen = sent + dropped + bad_time.
 *   What CUPTI itself lost comes as WIRE_LOST; it has no time range: "at least n lost by CUPTI".
 *
 * Time: ns of CLOCK_REALTIME as CUPTI gives it. WIRE_CLOCK comes at the start and each second, so that a step of that
 *   clock can be seen. Order of frames is not order of time. Byte order and alignment are the machine's. */
#ifndef STEPSCOPE_WIRE_H
#define STEPSCOPE_WIRE_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WIRE_MAGIC "stepring"
enum {
	WIRE_ABI = 1, /* another number: say so and do not read on */
	WIRE_HEADER_BYTES = 8192,
	WIRE_RING_MIN_BYTES = 64 << 10,
	WIRE_RING_BYTES = 16 << 20, /* unless STEPSCOPE_RING_MB says otherwise: 1 to 1024 */
	WIRE_TEXT_BYTES = 384,
	WIRE_STRING_MAX = 8192, /* longer strings are cut at a character; the frame's flags say WIRE_CUT */
};

/* Environment of the target. The command line's run and record set it; none is needed to be armed.
 *   variable                   meaning */
/* clang-format off */
#define WIRE_ENVIRONMENT(_)                                                                                     \
	_(VIEWER,     "socket of a viewer, dialled while the driver starts up")                                 \
	_(START,      "record from the start: 'default', 'all' or names of WIRE_KINDS joined by commas")        \
	_(YIELD,      "1: hold no CUPTI subscription while idle, so that the framework's own profiler works")   \
	_(DISABLE,    "1: the library returns at once and does nothing")                                        \
	_(CUPTI,      "path of the libcupti to use instead of the one found")                                   \
	_(RING_MB,    "size of the ring in MiB, a power of two")                                                \
	_(FLUSH_MS,   "how often half full buffers are fetched, default 100")                                   \
	_(GRAPHS,     "'whole': one record for each launch of a CUDA graph instead of one for each node")       \
	_(LATENCY,    "1: queued and submitted times of kernels; costs more")                                   \
	_(WINDOW,     "N: rest CUPTI after each N million device records, against its known end-of-buffers bug") \
	_(RAW,        "folder that receives the raw activity buffers, to replay them elsewhere")                \
	_(LOG,        "file that receives what the library has to say")
/* clang-format on */

/* What can be recorded and is counted. The word is the name in STEPSCOPE_START and on the command line.
 *   kind       word        by default  what it is */
/* clang-format off */
#define WIRE_KINDS(_)                                                                        \
	_(KERNEL,   "kernel",   1, "kernels, concurrent, graph nodes included")              \
	_(COPY,     "copy",     1, "memory copies, device to device of two GPUs included")   \
	_(MEMSET,   "memset",   1, "memory sets")                                            \
	_(RUNTIME,  "runtime",  1, "calls of the runtime API, cheap queries left out")       \
	_(DRIVER,   "driver",   1, "calls of the driver API that launch, copy, wait, allocate") \
	_(SYNC,     "sync",     1, "waits for events, streams, contexts")                    \
	_(OVERHEAD, "overhead", 1, "what the driver and CUPTI themselves cost")              \
	_(MARKER,   "nvtx",     1, "NVTX ranges and marks")                                  \
	_(MEMORY,   "memory",   0, "allocations and frees")                                  \
	_(GRAPH,    "graph",    0, "whole launches of CUDA graphs")                          \
	_(EXTERNAL, "external", 0, "correlation ids pushed by the framework")                \
	_(EVENT,    "event",    0, "CUDA events recorded in streams")                        \
	_(JIT,      "jit",      0, "just-in-time compilation")
/* clang-format on */
#define WIRE_KIND_NAME_(name, word, on, what) WIRE_##name,
enum wire_kind { WIRE_KINDS(WIRE_KIND_NAME_) WIRE_KIND_COUNT };
#define WIRE_DEFAULT_(name, word, on, what) | (on) << WIRE_##name
enum { WIRE_DEFAULT_KINDS = 0 WIRE_KINDS(WIRE_DEFAULT_) };

/*   state       word          what it means; `code` and `text` of a message or the header say more */
/* clang-format off */
#define WIRE_STATES(_)                                                                                         \
	_(STARTING,  "starting",  "the driver is starting up")                                                 \
	_(ARMED,     "armed",     "ready, costs nothing, records once a viewer says START")                    \
	_(RECORDING, "recording", "records")                                                                   \
	_(YIELDED,   "yielded",   "as armed, but CUPTI is left to others until START")                         \
	_(BUSY,      "busy",      "another client of CUPTI holds the process; text: its name when known")      \
	_(TAKEN,     "taken",     "another client took CUPTI over while we recorded; START tries again")       \
	_(NO_CUPTI,  "no-cupti",  "no usable libcupti found; text: what was tried")                            \
	_(FAILED,    "failed",    "CUPTI refused; code: its result, text: the call and CUPTI's words")         \
	_(ENDED,     "ended",     "the process is about to exit, the ring is complete")
/* clang-format on */
#define WIRE_STATE_NAME_(name, word, what) WIRE_STATE_##name,
enum wire_state { WIRE_STATES(WIRE_STATE_NAME_) WIRE_STATE_COUNT };

/* ---- control ---- */

enum wire_verb {
	WIRE_HELLO = 1, /* target: descriptors come with it; everything below `state` is set */
	WIRE_BUSY,      /* target: another viewer is connected, `pid` says which; then hangs up */
	WIRE_STATE,     /* target: state, code, text changed */
	WIRE_REPLY,     /* target: answer to `about`; result 0 = done, else an errno value, text says why */
	WIRE_START,     /* viewer: record `kinds` (0 = default) with flush_ms (0 = default) */
	WIRE_STOP,      /* viewer: record no more; replied once the last record is in the ring */
	WIRE_SET_KINDS, /* viewer: record `kinds` from now on */
	WIRE_STATS,     /* viewer: answer with state, code, text, and the ring's counters brought up to date */
	WIRE_DETACH,    /* viewer: as STOP, then leave CUPTI, then hang up; START of a later viewer comes back */
};

struct wire_msg {
	uint32_t verb;
	uint32_t about; /* REPLY: the verb it answers */
	int32_t result; /* REPLY: 0 or errno */
	uint32_t state; /* enum wire_state */
	int32_t code;   /* CUPTI's result after the state, 0 = none */
	uint32_t abi;   /* HELLO: WIRE_ABI */
	uint32_t kinds; /* bits 1 << enum wire_kind: wanted by START, SET_KINDS; active in HELLO, REPLY, STATE */
	uint32_t flush_ms;
	int32_t pid; /* HELLO: of the target in its own namespace; BUSY: of the viewer in charge */
	uint32_t uid;
	uint64_t start_ticks; /* HELLO: field 22 of /proc/PID/stat; with pid it names the process */
	uint64_t ring_bytes;
	uint32_t cupti_version; /* cuptiGetVersion(), 0 = none */
	uint32_t cuda_version;  /* cuDriverGetVersion(), 0 = unknown */
	char text[WIRE_TEXT_BYTES];
};

/* ---- the ring's header ---- */

struct wire_counters {
	_Atomic uint64_t seen, sent, dropped, bad_time;
};

struct wire_header {
	/* constant from HELLO on */
	char magic[8]; /* WIRE_MAGIC, not terminated */
	uint32_t abi, header_bytes;
	uint64_t ring_bytes;
	int32_t pid;
	uint32_t uid;
	uint64_t start_ticks;
	uint32_t cupti_version, cuda_version;
	int32_t rank; /* of RANK or its likes in the environment, -1 = unknown */
	int32_t local_rank;
	char cupti_path[512];
	char command[256]; /* start of the command line, words separated by blanks */
	char host[64];

	/* written by the target */
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint32_t state; /* enum wire_state; text and code are stored first */
	_Atomic int32_t code;
	_Atomic uint32_t kinds; /* being recorded */
	_Atomic uint32_t late; /* 1: kinds were enabled after the first context: graphs made before lack node records */
	_Atomic uint64_t heartbeat_ns; /* CLOCK_MONOTONIC of the control thread's last round; old = stuck in CUPTI */
	char text[WIRE_TEXT_BYTES];    /* may be read half changed: only show it */
	_Alignas(64) struct wire_counters counters[WIRE_KIND_COUNT];
	_Atomic uint64_t lost_cupti;     /* records CUPTI says it lost, at least */
	_Atomic uint64_t unknown;        /* records of kinds that were not requested, or unreadable rests of buffers */
	_Atomic uint64_t left_out;       /* calls that no kind asks for: cheap queries; in no other counter */
	_Atomic uint64_t buffers;        /* activity buffers decoded */
	_Atomic uint64_t buffer_bytes;   /* bytes in them */
	_Atomic uint64_t frame_bytes;    /* bytes written to the ring, padding included */
	_Atomic uint64_t decode_ns;      /* CPU time of the decoder thread */
	_Atomic uint64_t control_ns;     /* CPU time of the control thread, flushes included */
	_Atomic uint64_t flush_ns;       /* time within the flush calls */
	_Atomic uint64_t flushes;        /* their number */
	_Atomic uint64_t buffers_in_use; /* of the pool, now */
	_Atomic uint64_t buffers_denied; /* requests that found the pool empty */
	_Atomic uint64_t rearmed;        /* times CUPTI was rested: windows and watchdogs */

	/* written by the viewer, the only thing it writes */
	_Alignas(64) _Atomic uint64_t tail;
};
_Static_assert(sizeof(struct wire_header) <= WIRE_HEADER_BYTES, "the header has its own pages");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "counters are shared between processes");

/* ---- frames ---- */

struct wire_frame {
	uint32_t bytes; /* of the whole frame, this head included; a multiple of 8 */
	uint16_t type;  /* enum wire_type, or WIRE_RECORD + enum wire_kind */
	uint16_t flags;
};
enum wire_type {
	WIRE_PAD = 1, /* skip it; may be 8 bytes long */
	WIRE_STRING,
	WIRE_SHAPE,
	WIRE_PLACE,
	WIRE_FORGET, /* struct wire_frame alone */
	WIRE_DEVICE,
	WIRE_STREAM,
	WIRE_THREAD,
	WIRE_CLOCK,
	WIRE_SESSION, /* kinds changed: first frame of a ring, and at each START, STOP, SET_KINDS */
	WIRE_GAP,
	WIRE_LOST,
	WIRE_END,         /* struct wire_frame alone: nothing follows */
	WIRE_RECORD = 64, /* WIRE_RECORD + kind: one record */
};
/* Of any frame; bits not named here are 0. */
enum wire_flags {
	WIRE_CUT = 1,             /* STRING: longer than WIRE_STRING_MAX */
	WIRE_ASYNC = 1,           /* COPY, MEMSET, MEMORY: asynchronous */
	WIRE_DEVICE_LAUNCHED = 2, /* KERNEL, COPY: launched by the device */
	WIRE_LATENCY = 4,         /* KERNEL: queued_ns and submitted_ns follow */
	WIRE_PEER = 4,            /* COPY: between two devices */
	WIRE_UNFINISHED = 8,      /* KERNEL, COPY, MEMSET: ran on when recording stopped, end_ns = then */
	WIRE_MARK_INSTANT = 1,    /* MARKER: a point, */
	WIRE_MARK_START = 2,      /* or a range begins, */
	WIRE_MARK_END = 4,        /* or ends (same id; name and domain are 0) */
	WIRE_FREE = 2,            /* MEMORY: a free; else an allocation */
};
#define WIRE_NO_ID UINT32_MAX /* of devices, contexts, streams, graphs: unknown or does not apply */

/* Dictionary. */
struct wire_string { /* n bytes of text follow, not terminated, then zeros up to a multiple of 8 */
	struct wire_frame f;
	uint32_t id, n;
	char text[];
};
struct wire_shape { /* a kernel and the way it is launched */
	struct wire_frame f;
	uint32_t id;
	uint32_t name; /* string, as in the binary: mangled for C++ */
	int32_t grid[3], block[3];
	uint32_t cluster[3];                                                    /* 0 = no cluster */
	uint32_t registers, static_smem_bytes, dynamic_smem_bytes, local_bytes; /* per thread: registers, local */
	uint32_t executed_smem_bytes; /* shared memory size set by the driver, 0 = unknown */
	uint32_t launch_type;         /* 0 regular, 1 cooperative, 2 cooperative on several devices */
	uint32_t max_clusters;        /* that can be active at once, 0 = unknown */
};
struct wire_place { /* where device work runs */
	struct wire_frame f;
	uint32_t id;
	uint32_t device, context, stream; /* CUPTI's numbers or WIRE_NO_ID */
	uint32_t channel, channel_type;   /* hardware channel, WIRE_NO_ID = unknown; type 1 compute, 2 async copy */
};

/* Facts. Sent once in each ring, when first heard of; again when they change. */
struct wire_device {
	struct wire_frame f;
	uint32_t device;
	uint32_t name; /* string */
	uint64_t memory_bytes, memory_bytes_per_s;
	uint32_t core_khz, multiprocessors, cc_major, cc_minor;
	uint32_t smem_bytes_per_sm, registers_per_sm, warps_per_sm, blocks_per_sm, threads_per_warp; /* 0 = unknown */
	uint8_t uuid[16];
	uint32_t reserved;
};
struct wire_stream {
	struct wire_frame f;
	uint32_t context, stream;
	int32_t priority;
	uint32_t kind; /* CUPTI's: 1 created by default, 2 non-blocking, 3 the null stream, 0 unknown */
	uint32_t name; /* string given by NVTX, 0 = none */
	uint32_t reserved;
};
struct wire_thread {
	struct wire_frame f;
	uint32_t tid;
	uint32_t name; /* string: by NVTX, else the kernel's name of the thread */
};
struct wire_clock { /* three clocks read at one moment */
	struct wire_frame f;
	uint64_t realtime_ns, monotonic_raw_ns, boottime_ns;
	int64_t step_ns; /* how far the realtime clock was set since the last WIRE_CLOCK, 0 when under 50 us */
};
struct wire_session {
	struct wire_frame f;
	uint64_t realtime_ns;
	uint32_t session; /* counts START and SET_KINDS of the process's life */
	uint32_t kinds;   /* 0: stopped */
};
struct wire_gap {
	struct wire_frame f;
	uint64_t first_ns,
		last_ns; /* earliest start and latest end of what was dropped; 0, 0: only records without times */
	uint64_t count[WIRE_KIND_COUNT];
};
struct wire_lost {
	struct wire_frame f;
	uint64_t realtime_ns; /* when we learned of it */
	uint64_t count;       /* since the last WIRE_LOST */
};

/* Records: frame type WIRE_RECORD + kind. corr joins a call and the work it launched, 0 = none; one call may own many. */
struct wire_kernel {
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t corr, shape, place;
	uint32_t graph; /* id of the graph that launched it, 0 = none; ids are recycled */
	uint64_t graph_node;
	uint64_t queued_ns, submitted_ns; /* only with WIRE_LATENCY; 0 = unknown */
};
enum { WIRE_KERNEL_SHORT = offsetof(struct wire_kernel, queued_ns) };
struct wire_copy {
	struct wire_frame f;
	uint64_t start_ns, end_ns, bytes;
	uint32_t corr, place, graph, count; /* count: copies in one batch, 1 = a single one */
	uint64_t graph_node;
	uint32_t from_device, to_device;       /* WIRE_PEER, else WIRE_NO_ID */
	uint8_t copy_kind, from_kind, to_kind; /* CUPTI's numbers: 1 HtoD 2 DtoH 8 DtoD 9 HtoH 10 PtoP; memory: */
	uint8_t reserved[5]; /* 1 pageable 2 pinned 3 device 4 array 5 managed 6 device static 7 managed static */
};
struct wire_memset {
	struct wire_frame f;
	uint64_t start_ns, end_ns, bytes;
	uint32_t corr, place, graph, value;
	uint64_t graph_node;
	uint32_t memory_kind, reserved;
};
struct wire_api { /* RUNTIME and DRIVER */
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t corr;
	uint32_t name;  /* string, without the version suffix: cudaLaunchKernel */
	uint32_t tid;   /* gettid() of the caller */
	int32_t result; /* what the call returned */
};
struct wire_sync {
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t corr, type; /* 1 event, 2 stream waits for event, 3 stream, 4 context */
	uint32_t context, stream, event;
	int32_t result;
};
struct wire_overhead {
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t
		what; /* CUPTI's number: 1 compiler, n << 16: 1 flush 2 instrumentation 3 CUPTI's resources 4 module load
			  5 lazy function load 6 command buffer full 7 buffer request 8 managed memory */
	uint32_t corr;
	uint32_t object_kind, object; /* 1 process 2 thread 3 device 4 context 5 stream; its id (thread: tid) */
};
struct wire_marker {
	struct wire_frame f;
	uint64_t at_ns;
	uint32_t id;           /* joins the two ends */
	uint32_t name, domain; /* strings; domain 0 = the default one */
	uint32_t tid;          /* 0 = process wide */
	uint32_t color;        /* ARGB, 0 = none */
	uint32_t reserved;
};
struct wire_memory {
	struct wire_frame f;
	uint64_t at_ns, address, bytes;
	uint32_t corr, place, memory_kind;
	uint32_t name; /* string: the symbol of a static variable, else 0 */
	uint64_t pool; /* address of the memory pool, 0 = none */
};
struct wire_graph {
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t corr, graph, place, reserved;
};
struct wire_external {
	struct wire_frame f;
	uint64_t external_id;
	uint32_t external_kind, corr;
};
struct wire_event {
	struct wire_frame f;
	uint64_t at_ns; /* on the device, 0 = unknown */
	uint32_t corr, place, event, reserved;
};
struct wire_jit {
	struct wire_frame f;
	uint64_t start_ns, end_ns;
	uint32_t corr, device;
	uint32_t entry,
		operation; /* entry 1 PTX to binary, 2 NVVM to PTX; operation 1 cache load 2 cache store 3 compile */
};

/* Size a frame of this record kind must at least have, 0 for an unknown one. */
static inline size_t wire_record_bytes(unsigned kind)
{
	static const uint8_t bytes[WIRE_KIND_COUNT] = {
		[WIRE_KERNEL] = WIRE_KERNEL_SHORT,
		[WIRE_COPY] = sizeof(struct wire_copy),
		[WIRE_MEMSET] = sizeof(struct wire_memset),
		[WIRE_RUNTIME] = sizeof(struct wire_api),
		[WIRE_DRIVER] = sizeof(struct wire_api),
		[WIRE_SYNC] = sizeof(struct wire_sync),
		[WIRE_OVERHEAD] = sizeof(struct wire_overhead),
		[WIRE_MARKER] = sizeof(struct wire_marker),
		[WIRE_MEMORY] = sizeof(struct wire_memory),
		[WIRE_GRAPH] = sizeof(struct wire_graph),
		[WIRE_EXTERNAL] = sizeof(struct wire_external),
		[WIRE_EVENT] = sizeof(struct wire_event),
		[WIRE_JIT] = sizeof(struct wire_jit),
	};
	return kind < WIRE_KIND_COUNT ? bytes[kind] : 0;
}

/* Folder of the sockets: $XDG_RUNTIME_DIR/stepscope when that variable (pass its value, or NULL) is an absolute path that
 * leaves room for the name, else /tmp/stepscope-UID. Mode 0700, owned by uid, no link: the target makes and checks it, a
 * viewer checks it. A viewer looks into both, since its environment may differ from the target's. */
enum { WIRE_PATH_BYTES = 108, WIRE_NAME_BYTES = 40 };
static inline void wire_socket_dir(char out[WIRE_PATH_BYTES], const char *xdg_runtime_dir, unsigned uid)
{
	int n = -1;
	if (xdg_runtime_dir && *xdg_runtime_dir == '/')
		n = snprintf(out, WIRE_PATH_BYTES, "%s/stepscope", xdg_runtime_dir);
	if (n < 0 || n >= WIRE_PATH_BYTES - WIRE_NAME_BYTES)
		snprintf(out, WIRE_PATH_BYTES, "/tmp/stepscope-%u", uid);
}

/* FOLDER/PID-STARTTICKS.sock. The pid is that of the target's own namespace. A socket whose process is gone (no such pid, or
 * another start) is stale and may be removed by anyone. It gets this name once it listens, so every
 * visible name can be connected to. False when the path does not fit. */
static inline bool wire_socket_path(char out[WIRE_PATH_BYTES], const char *dir, int pid, uint64_t start_ticks)
{
	int n = snprintf(out, WIRE_PATH_BYTES, "%s/%d-%llu.sock", dir, pid, (unsigned long long)start_ticks);
	return n > 0 && n < WIRE_PATH_BYTES;
}
#endif

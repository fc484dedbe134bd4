/* model/analysis/serving/iterations_columns.h - the columns of the table iterations. */
#ifndef STEPSCOPE_ITERATIONS_COLUMNS_H
#define STEPSCOPE_ITERATIONS_COLUMNS_H
#include "model/shared_columns.h"

/* clang-format off */
#define ITERATIONS_COLUMNS(_) \
	_(COL_ITERATIONS_ITERATION,  "iteration",         INT,  ID,      "the server's number, else counted on its thread from 0") \
	_(COL_ITERATIONS_KIND,       "iteration_kind",    TEXT, NONE,    "what it does: prefill (prompts), decode (a token for each request), mixed, verify and draft (speculative decoding), diffusion; unknown: its label does not say") \
	_(COL_ITERATIONS_REQUESTS,   "requests",          INT,  COUNT,   "requests that it serves, according to its label") \
	_(COL_ITERATIONS_TOKENS,     "tokens",            INT,  COUNT,   "tokens that it computes: prefill_tokens and decode_tokens") \
	_(COL_ITERATIONS_PREFILL,    "prefill_tokens",    INT,  COUNT,   "of prompts") \
	_(COL_ITERATIONS_DECODE,     "decode_tokens",     INT,  COUNT,   "generated; one for each request that generates, where the label does not say") \
	_(COL_ITERATIONS_CONTEXT,    "context_tokens",    INT,  COUNT,   "tokens that these look at, themselves included, where the label says so") \
	_(COL_ITERATIONS_RANK,       SHARED_RANK) \
	_(COL_ITERATIONS_DEVICE,     SHARED_DEVICE) \
	_(COL_ITERATIONS_START,      "start_ns",          INT,  NS,      "start of its label; without labels of the launch it begins with") \
	_(COL_ITERATIONS_LABEL_NS,   "label_ns",          INT,  NS,      "length of the label on the host; without labels first to last launch of a graph") \
	_(COL_ITERATIONS_FIRST,      "first_work_ns",     INT,  NS,      "start of its work: of what its thread launched until its next iteration, the first on the stream that has most of it") \
	_(COL_ITERATIONS_DUR,        "iteration_ns",      INT,  NS,      "from first_work_ns to that of the thread's next iteration; of the last one, which whole says, to the end of its work") \
	_(COL_ITERATIONS_WHOLE,      "whole",             BOOL, NONE,    "another one follows, so that iteration_ns is the time from one to the next") \
	_(COL_ITERATIONS_DEVICE_NS,  "iteration_device_ns", INT, NS,     "time of iteration_ns with at least one kernel, copy or memset on the device") \
	_(COL_ITERATIONS_IDLE_PCT,   "iteration_idle_pct", REAL, PERCENT, "the rest of iteration_ns, in which the device is idle") \
	_(COL_ITERATIONS_BETWEEN,    "between_work_ns",   INT,  NS,      "time without work on the device from the end of its work to the next first_work_ns") \
	_(COL_ITERATIONS_BEFORE,     "host_before_ns",    INT,  NS,      "start of the label to the first launch: preparing inputs") \
	_(COL_ITERATIONS_HOST,       "host_between_ns",   INT,  NS,      "end of the label to the thread's next one: scheduling, sampling, detokenising, whatever the host does there") \
	_(COL_ITERATIONS_EVENT,      "between_event",     TEXT, NONE,    "the longest event of the thread that is wholly inside this time") \
	_(COL_ITERATIONS_EVENT_NS,   "between_event_ns",  INT,  NS,      "its length") \
	_(COL_ITERATIONS_WORK,       "iteration_work",    INT,  COUNT,   "kernels, copies and memsets that it launched on the device") \
	_(COL_ITERATIONS_GRAPH,      "graph_time_pct",    REAL, PERCENT, "share of their time in what replayed graphs launched") \
	_(COL_ITERATIONS_GRAPHS,     "graphs_launched",   INT,  COUNT,   "launches of graphs in it") \
	_(COL_ITERATIONS_OUTSIDE,    "outside_graph_kernels", INT, COUNT, "kernels that it launches one by one although it replays graphs; null: it replays none") \
	_(COL_ITERATIONS_OUTSIDE_NS, "outside_graph_ns",  INT,  NS,      "their time") \
	_(COL_ITERATIONS_SAVED,      "graph_calls_saved_ns", INT, NS,    "time of the host that its graphs save at most: work in them x median call that launches one kernel, less their own calls; null: it replays none, or too few calls launch one kernel") \
	_(COL_ITERATIONS_CAPTURED,   "captured_tokens",   INT,  COUNT,   "tokens that its graphs were captured for, where their kernels' grids or other iterations tell; null: neither does, or no grids are recorded") \
	_(COL_ITERATIONS_CAPTURED_BY, "captured_by",      TEXT, NONE,    "grid: the graph's normalisations and other kernels have a block for each token; replays: another iteration replays the same graph with more tokens, so it holds these at least") \
	_(COL_ITERATIONS_PADDING,    "padding_pct",       REAL, PERCENT, "share of captured_tokens that are not its tokens: what is computed for nothing") \
	_(COL_ITERATIONS_ATTENTION,  "attention_pct",     REAL, PERCENT, "share of the time of its kernels in attention, by their names; it grows with context_tokens") \
	_(COL_ITERATIONS_RATE,       "tokens_per_s",      REAL, NONE,    "tokens / iteration_ns; of several, all of both") \
	_(COL_ITERATIONS_FLOOR,      "floor_ns",          INT,  NS,      "what reading its bytes must take at least: (--parameter-bytes + context_tokens x --kv-bytes-per-token) / memory bandwidth of the device; null where one is not known") \
	_(COL_ITERATIONS_FLOOR_PCT,  "floor_pct",         REAL, PERCENT, "floor_ns / iteration_ns: 100 is as fast as the memory allows") \
	_(COL_ITERATIONS_GEMM,       "gemm_flops",        REAL, COUNT,   "operations of its matrix products, as far as the shapes that their ops were given are recorded; a multiply-add is two; null: none are, as in replayed graphs") \
	_(COL_ITERATIONS_GEMM_KNOWN, "gemm_known_pct",    REAL, PERCENT, "share of the time of its matrix products of which they are") \
	_(COL_ITERATIONS_GEMM_PEAK,  "gemm_peak_ns",      INT,  NS,      "what these must take at least: gemm_flops / peak arithmetic of the device at their precision, dense; null where that is not known") \
	_(COL_ITERATIONS_GEMM_PCT,   "gemm_peak_pct",     REAL, PERCENT, "gemm_peak_ns / time of their kernels: 100 is as fast as the device computes") \
	_(COL_ITERATIONS_THREAD,     "iteration_thread",  TEXT, NONE,    "host thread that runs it") \
	_(COL_ITERATIONS_SERVER,     "server",            TEXT, NONE,    "who writes such labels; empty: several do, or there is none") \
	_(COL_ITERATIONS_HOST_NAME,  SHARED_HOST)
/* clang-format on */
enum iterations_column { ITERATIONS_COLUMNS(COLUMN_ID) };
#endif

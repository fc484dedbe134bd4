/* importers/rocprof/rows.c - a line of each table: a dispatch, a counter of one, a call or marker, a copy, an allocation, scratch memory. */
#include "rocprof.h"
#include <stdlib.h>
#include <string.h>
#include "importers/detail_texts.h"
#include "model/store/base/spans.h"

static struct span field(const struct reader *x, enum field_of c)
{
	unsigned i = x->table.place[c];
	return i < MOST_FIELDS ? x->fields.at[i] : (struct span){"", 0};
}

/* "4", "Agent 4" or "GPU 4"; -1: no number. */
static int64_t number(const struct reader *x, enum field_of c)
{
	static const char *const agents[] = {"agent ", "gpu ", "cpu "};
	struct span s = field(x, c);
	int64_t v;
	for (size_t i = 0; i < sizeof agents / sizeof *agents; i++)
		if (span_starts_any_case(s, agents[i])) {
			s.p += strlen(agents[i]);
			s.n -= strlen(agents[i]);
		}
	return fields_int(s, &v) && v >= 0 ? v : -1;
}

/* As many fields as columns; lines of some versions end with a comma. */
static bool is_whole(const struct reader *x)
{
	static const enum field_of named[TABLE_KINDS] = {NAME, NAME, FUNCTION, DIRECTION, OPERATION, OPERATION};
	for (unsigned i = x->table.fields; i < x->fields.n && i < MOST_FIELDS; i++)
		if (x->fields.at[i].n)
			return false;
	return x->fields.n >= x->table.fields && field(x, named[x->table.kind]).n;
}

static bool times(const struct reader *x, struct event_in *e)
{
	int64_t end;
	return fields_int(field(x, BEGIN), &e->start_ns) && fields_int(field(x, END), &end) && end >= e->start_ns &&
	       !__builtin_sub_overflow(end, e->start_ns, &e->dur_ns);
}

static uint64_t correlation(const struct reader *x)
{
	int64_t v = number(x, CORRELATION);
	return v > 0 ? (uint64_t)v : 0;
}

/* All fields but those that became the event. */
static void record(struct reader *x, enum field_of name)
{
	const unsigned *place = x->table.place;
	for (unsigned i = 0; i < x->table.fields && i < MOST_FIELDS; i++) {
		struct span s = x->fields.at[i];
		int64_t v;
		if (i == place[name] || i == place[BEGIN] || i == place[END] || i == place[COUNTER] ||
		    i == place[VALUE] || !s.n)
			continue;
		if (fields_int(s, &v))
			attrs_put_int(x->attrs, x->keys[i], v);
		else
			attrs_put_str(x->attrs, x->keys[i], s.p, s.n);
	}
}

static attr_at recorded(struct reader *x, enum field_of name)
{
	attrs_begin(x->attrs);
	record(x, name);
	return attrs_end(x->attrs);
}

static uint32_t stream(struct reader *x, int64_t gpu)
{
	uint32_t device = ingest_device(x->in, x->host, gpu);
	int64_t key = number(x, STREAM) >= 0 ? number(x, STREAM) : number(x, QUEUE);
	ingest_device_info(x->in, device)->vendor = x->amd;
	return ingest_track(x->in, TRACK_STREAM, device, key >= 0 ? key : 0, 0);
}

static void give(struct reader *x, const struct event_in *e)
{
	x->taken++;
	ingest_event(x->in, e);
}

/* ---- dispatches ------------------------------------------------------------------------------------------------------------------- */

/* Where one number is told for the grid and one for the work-group, they count work-items of all dimensions. */
static void launch_shape(const struct reader *x, struct kernel_info *k)
{
	bool one = x->table.place[GRID_X] == MOST_FIELDS;
	kernel_info_init(k);
	k->static_smem_bytes = details_small(number(x, SHARED), DETAILS_MOST_LDS);
	k->registers = details_small(number(x, REGISTERS), DETAILS_MOST_REGISTERS);
	for (int i = 0; i < 3; i++) {
		int64_t items = one ? (i ? 1 : number(x, GRID)) : number(x, (enum field_of)(GRID_X + i));
		int64_t group = one ? (i ? 1 : number(x, GROUP)) : number(x, (enum field_of)(GROUP_X + i));
		k->block[i] = details_small(group, DETAILS_MOST_GROUP);
		k->grid[i] = details_groups(items, group);
	}
}

static void describe_dispatch(struct reader *x, struct event_in *e, struct kernel_info *k)
{
	launch_shape(x, k);
	e->kind = KIND_KERNEL;
	e->corr = correlation(x);
	e->name = strings_add(x->strings, field(x, NAME).p, field(x, NAME).n);
	e->track = stream(x, number(x, DEVICE));
	e->kernel = k;
}

static void take_dispatch(struct reader *x, struct event_in *e)
{
	struct kernel_info k;
	describe_dispatch(x, e, &k);
	e->attrs = recorded(x, NAME);
	give(x, e);
}

/* ---- counters --------------------------------------------------------------------------------------------------------------------- */

void rocprof_rows_end(struct reader *x)
{
	if (!x->counting)
		return;
	x->counted.attrs = attrs_end(x->attrs);
	x->counting = false;
	give(x, &x->counted);
}

static void put_counter(struct reader *x)
{
	struct span value = field(x, VALUE);
	str_id key = strings_add(x->strings, field(x, COUNTER).p, field(x, COUNTER).n);
	char text[64], *end;
	size_t n = value.n < sizeof text - 1 ? value.n : sizeof text - 1;
	memcpy(text, value.p, n);
	text[n] = 0;
	double v = strtod(text, &end);
	if (n && !*end)
		attrs_put_double(x->attrs, key, v);
	else
		attrs_put_str(x->attrs, key, value.p, value.n);
}

/* The first line of a dispatch is the dispatch, those after it tell more of it. */
static void take_counter(struct reader *x, struct event_in *e)
{
	int64_t dispatch = number(x, DISPATCH);
	if (x->counting && dispatch == x->counted_dispatch) {
		x->notes->merged++;
		put_counter(x);
		return;
	}
	rocprof_rows_end(x);
	if (idmap_get(&x->dispatches, (uint64_t)dispatch) != UINT32_MAX) {
		notes_add(x->notes, NOTE_BAD_RECORD, e->at, 1);
		return;
	}
	*idmap_put(&x->dispatches, (uint64_t)dispatch, 1) = 1;
	x->counting = true;
	x->counted_dispatch = dispatch;
	x->counted = *e;
	describe_dispatch(x, &x->counted, &x->counted_kernel);
	attrs_begin(x->attrs);
	record(x, NAME);
	put_counter(x);
}

/* ---- calls and copies ---------------------------------------------------------------------------------------------------------------- */

static void take_call(struct reader *x, struct event_in *e)
{
	struct span domain = field(x, DOMAIN), name = field(x, FUNCTION);
	int64_t pid = number(x, PROCESS), tid = number(x, THREAD);
	uint32_t process = ingest_process(x->in, x->host, pid >= 0 ? pid : 0);
	e->kind = (uint8_t)details_rocm_call(domain.p, domain.n);
	e->name = strings_add(x->strings, name.p, name.n);
	e->track = ingest_track(x->in, TRACK_THREAD, process, tid >= 0 ? tid : 0, 0);
	e->corr = e->kind == KIND_RUNTIME ? correlation(x) : 0;
	e->attrs = recorded(x, FUNCTION);
	give(x, e);
}

/* Agents are numbered over processors and GPUs: the direction tells which of the two ends is a GPU. */
static void take_copy(struct reader *x, struct event_in *e)
{
	struct copy_info c;
	int64_t from = number(x, FROM), to = number(x, TO);
	copy_info_init(&c);
	c.kind = (uint8_t)details_rocm_direction(field(x, DIRECTION).p, field(x, DIRECTION).n);
	if (c.kind == COPY_D2D && from != to && from <= INT16_MAX && to <= INT16_MAX) {
		c.kind = COPY_P2P;
		c.from_device = (int16_t)from;
		c.to_device = (int16_t)to;
	}
	e->kind = KIND_COPY;
	e->name = strings_addz(x->strings, details_copy_text((enum copy_kind)c.kind));
	e->track = stream(x, c.kind == COPY_D2H ? from : to);
	e->corr = correlation(x);
	e->detail = ingest_copy(x->in, &c);
	e->attrs = recorded(x, DIRECTION);
	give(x, e);
}

/* Between the processors' own memories, or between what is not told: it takes place on no GPU that is known. */
static bool is_on_gpu(const struct reader *x)
{
	if (x->table.kind != TABLE_COPIES)
		return number(x, DEVICE) >= 0;
	enum copy_kind k = details_rocm_direction(field(x, DIRECTION).p, field(x, DIRECTION).n);
	return (k == COPY_H2D || k == COPY_D2H || k == COPY_D2D) && number(x, FROM) >= 0 && number(x, TO) >= 0;
}

static void take_elsewhere(struct reader *x, struct event_in *e)
{
	e->kind = KIND_OTHER;
	e->name = strings_addz(x->strings,
			       details_copy_text(details_rocm_direction(field(x, DIRECTION).p, field(x, DIRECTION).n)));
	e->track = ingest_track(x->in, TRACK_OTHER, ingest_process(x->in, x->host, 0), 0,
				strings_addz(x->strings, "copies"));
	e->attrs = recorded(x, DIRECTION);
	give(x, e);
}

/* ---- memory -------------------------------------------------------------------------------------------------------------------------- */

/* "0x00007ffb26354000"; 0: none, or no address. */
static uint64_t address(const struct reader *x)
{
	struct span s = field(x, ADDRESS);
	char text[24], *end;
	if (s.n < 3 || s.n >= sizeof text || memcmp(s.p, "0x", 2))
		return 0;
	memcpy(text, s.p, s.n);
	text[s.n] = 0;
	uint64_t v = strtoull(text + 2, &end, 16);
	return *end ? 0 : v;
}

/* Agents are numbered over processors and GPUs, and only "GPU 0" says which of the two it is: other memory goes by the agent's name. */
static uint32_t pool_of_agent(struct reader *x)
{
	struct span agent = field(x, DEVICE);
	bool gpu = span_starts_any_case(agent, "gpu ");
	int64_t n = gpu ? number(x, DEVICE) : -1;
	return ingest_memory_pool(x->in,
				  gpu ? strings_addz(x->strings, "hip") : strings_add(x->strings, agent.p, agent.n),
				  n >= 0 && n <= INT16_MAX ? (int32_t)n : -1);
}

/* What is given back tells an address only. False: it was not seen given out, is back already, or where is not told. */
static bool find_pool(struct reader *x, bool frees, uint64_t at, uint32_t *pool)
{
	if (!at || (!frees && !field(x, DEVICE).n))
		return false;
	if (frees)
		*pool = idmap_take(&x->pools, at);
	else
		*pool = *idmap_put(&x->pools, at, 0) = pool_of_agent(x);
	return *pool != UINT32_MAX;
}

static void take_allocation(struct reader *x, struct event_in *e)
{
	struct span operation = field(x, OPERATION);
	bool frees = memmem(operation.p, operation.n, "FREE", 4) != NULL;
	int64_t size = number(x, SIZE);
	struct allocation a = {.addr = address(x),
			       .bytes = frees ? UNKNOWN_I64 : size,
			       .allocated_bytes = UNKNOWN_I64,
			       .reserved_bytes = UNKNOWN_I64};
	if ((frees || size > 0) && find_pool(x, frees, a.addr, &a.pool))
		e->side = ingest_side(x->in, SIDE_ALLOCATIONS, &a);
	e->kind = KIND_MEMORY;
	e->name = strings_addz(x->strings, frees ? "free" : "allocation");
	e->track = ingest_track(x->in, TRACK_OTHER, ingest_process(x->in, x->host, 0), 0,
				strings_addz(x->strings, "memory"));
	e->attrs = recorded(x, OPERATION);
	give(x, e);
}

/* Scratch memory is of a queue, and its size is told by few versions: no pool is made of it. */
static void take_scratch(struct reader *x, struct event_in *e)
{
	e->kind = KIND_MEMORY;
	e->name = strings_add(x->strings, field(x, OPERATION).p, field(x, OPERATION).n);
	e->track = ingest_track(x->in, TRACK_OTHER, ingest_process(x->in, x->host, 0), 0,
				strings_addz(x->strings, "scratch memory"));
	e->attrs = recorded(x, OPERATION);
	give(x, e);
}

void rocprof_row(struct reader *x, int64_t at)
{
	static const bool takes_place_on_gpu[TABLE_KINDS] = {
		[TABLE_KERNELS] = true, [TABLE_COUNTERS] = true, [TABLE_COPIES] = true};
	static void (*const take[TABLE_KINDS])(struct reader *, struct event_in *) = {
		take_dispatch, take_counter, take_call, take_copy, take_allocation, take_scratch};
	struct event_in e = {.group = -1, .at = at};
	enum table_kind kind = x->table.kind;
	bool elsewhere = takes_place_on_gpu[kind] && !is_on_gpu(x);
	if (!is_whole(x) || (elsewhere && kind != TABLE_COPIES))
		notes_add(x->notes, NOTE_BAD_RECORD, at, 1);
	else if (!times(x, &e))
		notes_add(x->notes, NOTE_BAD_TIME, at, 1);
	else
		(elsewhere ? take_elsewhere : take[kind])(x, &e);
}
